"""The moving picture of the README: three runs side by side, drawn by `simulate --animate`."""

from __future__ import annotations

from pathlib import Path
import subprocess
import sys
import tempfile

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / 'docs' / 'images' / 'readme.gif'
RUNS = ('walker_2d', 'panda_table', 'space_manipulator')
FRAMES = 75
FRAME = 80  # [ms]
SIZE = (400, 286)  # [pixel] of one run
FOOT = 0.93  # of the height of a frame: below is the small print of a run


def frames_of(model: str, folder: Path) -> list[Image.Image]:
    """Return the frames of a run, as many for every run."""
    path = folder / f'{model}.gif'
    words = ['-m', 'symcontact_ros', 'simulate', model, '--animate', str(path)]
    subprocess.run([sys.executable, *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    with Image.open(path) as film:
        count = film.n_frames
        return [_frame(film, number * (count - 1) // (FRAMES - 1)) for number in range(FRAMES)]


def _frame(film: Image.Image, number: int) -> Image.Image:
    """Return a frame that fits into its place, on white."""
    film.seek(number)
    frame = film.convert('RGB')
    frame = frame.crop((0, 0, frame.width, round(FOOT * frame.height)))
    frame.thumbnail(SIZE, Image.Resampling.LANCZOS)
    placed = Image.new('RGB', SIZE, frame.getpixel((0, frame.height - 1)))
    placed.paste(frame, (0, 0))
    return placed


def main() -> None:
    """Draw the runs and join them."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [frames_of(model, Path(folder)) for model in RUNS]
    joined = []
    for frames in zip(*runs, strict=True):
        whole = Image.new('RGB', (len(RUNS) * SIZE[0], SIZE[1]))
        for place, frame in enumerate(frames):
            whole.paste(frame, (place * SIZE[0], 0))
        joined.append(whole)
    # One palette for all frames, so that nothing flickers and little is stored.
    palette = joined[FRAMES // 2].quantize(96)
    small = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in joined]
    small[0].save(PICTURE, save_all=True, append_images=small[1:], duration=FRAME, loop=0)
    print(f'{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size / 1000:.0f} kB')


if __name__ == '__main__':
    main()
