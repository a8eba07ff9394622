"""Moving pictures of a run: bodies, contact points and forces, in the plane and in space."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
import subprocess
import tempfile
from typing import Any, TYPE_CHECKING

import numpy as np

from symcontact_ros.cli.contact_monitor import ContactMonitor
from symcontact_ros.cli.figure_style import GREY, require_matplotlib
from symcontact_ros.cli.plane_panel import PlanePanel
from symcontact_ros.cli.recording import Recording
from symcontact_ros.cli.run_panels import drawable, Panels
from symcontact_ros.cli.run_poses import RunPoses
from symcontact_ros.cli.run_title import title_parts
from symcontact_ros.cli.space_view import SpaceView
from symcontact_ros.optional_packages import missing
from symcontact_ros.simulation.saving.atomic_file import write_file
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAGE = '.html'  # made elsewhere: see `summary.Run`
ENDINGS = ('.gif', '.mp4', PAGE)
RATE = 25  # frames per second
LONGEST = 10.0  # [s] of an animation: longer runs are shown faster
WIDTH, DPI = 6.4, 100  # [in], dots per inch
ASPECT = 0.62  # height over width, in space
ARROW = 0.22  # length of the largest force, over the width of the picture
RED, DOT = '#C00000', '#F0B400'
Contacts = list[tuple[Vector, Vector]]  # points [m] and forces [N] of every sample


def require(path: Path) -> None:
    """Raise MissingPackageError where what writes a file of this kind is missing."""
    if path.suffix == PAGE:
        return
    require_matplotlib('--animate')
    if path.suffix == '.mp4':
        ffmpeg()


def check(path: Path, simulation: Simulation) -> None:
    """Raise OptionError for a page of what a browser cannot run."""
    if path.suffix == PAGE:
        from symcontact_ros.web.export import check_exportable

        check_exportable(simulation)


def ffmpeg() -> str:
    """Return the program that makes films: of the system, or of the package imageio-ffmpeg."""
    import shutil

    if found := shutil.which('ffmpeg'):
        return found
    try:
        import imageio_ffmpeg
    except ImportError as error:
        raise missing('--animate F.mp4, unlike F.gif,', 'ffmpeg') from error
    return str(imageio_ffmpeg.get_ffmpeg_exe())


class Animation:
    """
    Frames of a run.

    Attributes
    ----------
    words
        Number of frames and speed, in words.

    """

    def __init__(
        self,
        simulation: Simulation,
        recording: Recording,
        contacts: Contacts,
        monitor: ContactMonitor,
    ) -> None:
        self._simulation = simulation
        self._table = Recording(recording.units, drawable(recording.values))
        self._contacts = contacts
        self._title = ' · '.join(title_parts(simulation, monitor))
        self._time = self._table['time']
        spent = float(self._time[-1] - self._time[0])
        speed = max(1.0, spent / LONGEST)
        count = max(2, round(RATE * spent / speed) + 1)
        self._rows = np.unique(np.linspace(0, len(self._time) - 1, count).round().astype(int))
        speed = spent * RATE / max(1, len(self._rows) - 1)
        self.words = f'{len(self._rows)} frames, {speed:.3g} x real time'
        self._speed = f'{speed:.3g} x real time'
        sizes = [float(np.abs(forces).max()) for _, forces in contacts if len(forces)]
        self._largest = max(sizes, default=0.0)
        panels = Panels(simulation, self._table, monitor, 80)
        planar = simulation.model.dimension == 2
        self._view: _Plane | _Space = (
            _Plane(simulation, self._table, panels)
            if planar
            else _Space(simulation, self._table, panels)
        )

    def write(self, path: Path) -> None:
        """Write a .gif or .mp4 file, whole or not at all."""
        write_file(path, self._film() if path.suffix == '.mp4' else self._gif())

    def _frames(self) -> Iterator[Any]:
        """Yield pictures as arrays of red, green, blue."""
        from matplotlib import rc_context
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        high = self._view.height + 1.0
        size = WIDTH, 2.0 * round(0.5 * DPI * high) / DPI  # films have even numbers of dots
        with rc_context({'font.size': 8.0, 'svg.hashsalt': 'symcontact'}):
            figure = Figure(figsize=size, dpi=DPI)
            canvas = FigureCanvasAgg(figure)
            before = -1
            for row in self._rows:
                figure.clear()
                place = (0.09, 0.62 / size[1], 0.89, self._view.height / size[1])
                axes = figure.add_axes(place)
                self._draw(figure, axes, int(row), self._strongest(before, int(row)))
                before = int(row)
                canvas.draw()  # type: ignore[no-untyped-call]
                dots = np.asarray(canvas.buffer_rgba())  # type: ignore[no-untyped-call]
                yield dots[:, :, :3].copy()

    def _strongest(self, before: int, row: int) -> int:
        """Return the row since the last frame with the largest force: impacts are short."""
        rows = range(before + 1, row + 1)
        return max(rows, key=lambda i: float(np.abs(self._contacts[i][1]).sum()), default=row)

    def _draw(self, figure: Any, axes: Axes, row: int, contact_row: int) -> None:
        self._view.draw(axes, row)
        points, forces = self._contacts[contact_row]
        if len(points) and self._largest > 0.0:
            length = ARROW * float(np.ptp(axes.get_xlim())) / self._largest
            starts = self._view.project(points)
            heads = self._view.project(points + length * forces)
            steps = heads - starts
            axes.quiver(
                *(*starts.T, *steps.T),
                angles='xy',
                scale_units='xy',
                scale=1.0,
                color=RED,
                width=0.005,
                zorder=7,
            )
            axes.plot(*starts.T, 'o', ms=4, color=DOT, mec='black', mew=0.5, zorder=8)
        top = 1.0 - 0.1 / figure.get_figheight()
        bold = {'fontweight': 'bold', 'va': 'top', 'fontsize': 10}
        figure.text(0.02, top, self._simulation.model.name, **bold)
        clock = f't = {self._time[row]:.2f} s   ({self._speed})'
        figure.text(0.98, top, clock, ha='right', va='top', fontsize=9)
        figure.text(0.02, 0.06 / figure.get_figheight(), self._title, fontsize=6, color='#555555')

    def _gif(self) -> bytes:
        """Return a GIF that repeats, with one set of colours for all frames."""
        import io

        from PIL import Image

        pictures = [Image.fromarray(frame) for frame in self._frames()]
        # The colours of the first, the last and the strongest contact are those of all.
        wide, high = pictures[0].size
        forces = [float(np.abs(self._contacts[row][1]).sum()) for row in self._rows]
        chosen = [pictures[0], pictures[int(np.argmax(forces))], pictures[-1]]
        both = Image.new('RGB', (wide, high * len(chosen)))
        for i, picture in enumerate(chosen):
            both.paste(picture, (0, i * high))
        palette = both.quantize(colors=128)
        colours = np.array(palette.getpalette()).reshape(-1, 3)
        colours[colours.sum(axis=1).argmax()] = 255  # what is white stays white
        palette.putpalette(colours.reshape(-1).tolist())
        frames = [p.quantize(palette=palette, dither=Image.Dither.NONE) for p in pictures]
        buffer = io.BytesIO()
        pause = [1000 // RATE] * (len(frames) - 1) + [1000]  # [ms]; the end stays for a second
        frames[0].save(
            buffer,
            format='GIF',
            save_all=True,
            append_images=frames[1:],
            duration=pause,
            loop=0,
            optimize=False,
        )
        return buffer.getvalue()

    def _film(self) -> bytes:
        """Return an MP4 (H.264), as ffmpeg makes it."""
        frames = self._frames()
        first = next(frames)
        high, wide, _ = first.shape
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / 'film.mp4'
            words = [ffmpeg(), '-loglevel', 'error', '-y', '-f', 'rawvideo', '-pix_fmt', 'rgb24']
            words += ['-s', f'{wide}x{high}', '-r', str(RATE), '-i', '-', '-an']
            words += ['-vcodec', 'libx264', '-crf', '20', '-pix_fmt', 'yuv420p', str(out)]
            raw = first.tobytes() + b''.join(frame.tobytes() for frame in frames)
            done = subprocess.run(words, input=raw, capture_output=True)
            if done.returncode != 0 or not out.is_file():
                reason = done.stderr.decode(errors='replace').strip().splitlines()[-1:]
                raise OSError(0, f'ffmpeg: {reason[0] if reason else "failed"}')
            return out.read_bytes()


class _Plane:
    """Bodies in the plane."""

    def __init__(self, simulation: Simulation, table: Recording, panels: Panels) -> None:
        wide = 0.9 * WIDTH
        self._panel = PlanePanel(simulation, table, panels.bodies, panels.colours, wide)
        self._panels = panels
        self.height = self._panel.height

    def draw(self, axes: Axes, row: int) -> None:
        """Draw the bodies at a row, and where they have been."""
        for body in self._panels.bodies:
            colour = self._panels.colours.get(body, GREY)
            path = self._panel.centre_path(body)[: row + 1]
            axes.plot(*path.T, color=colour, lw=0.8, alpha=0.6, zorder=3)
            self._panel.draw_body(axes, body, row, (colour, 1.0), (colour, 0.35))
        self._panel.set_limits(axes)
        self._panel.draw_fixed(axes)
        axes.set_xlabel('x [m]')
        axes.set_ylabel('y [m]')
        axes.grid(color='#E6E6E6', lw=0.6)
        axes.set_axisbelow(True)
        axes.spines[['top', 'right']].set_visible(False)

    def project(self, points: Vector) -> Vector:
        """Return x and y."""
        return points[:, :2]


class _Space:
    """Bodies in space."""

    def __init__(self, simulation: Simulation, table: Recording, panels: Panels) -> None:
        self._poses = RunPoses(simulation, table)
        self._view = SpaceView(simulation.model, simulation.parameters, panels.colours)
        self._view.look_at(self._poses)
        self._colours = panels.colours
        self.height = ASPECT * 0.9 * WIDTH
        self.project = self._view.project

    def draw(self, axes: Axes, row: int) -> None:
        """Draw the bodies at a row, and where they have been."""
        self._view.draw_grounds(axes, self._poses.still)
        self._view.draw(axes, {**self._poses.still, **self._poses.at(row)})
        for body in self._poses.moving:
            path = self._view.project(self._poses.path(body)[: row + 1])
            axes.plot(*path.T, color=self._colours.get(body, GREY), lw=0.8, zorder=1.5)
        self._view.finish(axes, ASPECT)
