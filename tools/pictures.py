"""
Pictures of README and docs, each by the command that makes it: `make pictures`.

Pictures of runs take seconds and come out the same every time. Those of measurements take ten
minutes, change with the machine, and bring the tables of their pages along.
"""

from __future__ import annotations

import argparse
from pathlib import Path
import subprocess
import sys
import tempfile

ROOT = Path(__file__).resolve().parents[1]
IMAGES = Path('docs') / 'images'
# Arguments of `symcontact simulate`, by picture.
RUNS = {
    'run_plane.png': 'rectangle_circle --width page --plot',
    'run_space.png': 'docking_probe_drogue --width page --panels scene joints normal depth --plot',
    'run_plane.gif': 'rectangle_circle --animate',
}
# Pages of tutorials, and the pictures that a reader of them makes.
TUTORIALS = {
    'contact_experiment': ('tutorial_contact_experiment.png',),
    'control_loop': ('tutorial_control_loop.png',),
    'feeling_contact': ('tutorial_feeling_contact.png',),
    'your_arm': ('tutorial_arm_on_table.png', 'tutorial_your_arm.png'),
}
# Commands with FILE for a temporary file, and the pictures that they make.
STUDIES = {
    ('benchmarks/co_vs_sat.py --write docs',): (
        *('co_accuracy.png', 'co_edges.png', 'co_faces.png', 'co_steps.png'),
    ),
    (
        'benchmarks/robots.py --json FILE',
        f'benchmarks/contact_study.py --robots FILE --figures {IMAGES}',
    ): (
        *('contact_creep.png', 'contact_friction.png', 'contact_ledger.png'),
        *('contact_restitution.png', 'contact_robots.png'),
    ),
    **{
        (f'tools/tutorials.py docs/tutorials/{page}.md --pictures {IMAGES}',): names
        for page, names in TUTORIALS.items()
    },
}
BY_HAND = ('house.svg',)


def draw_run(name: str, folder: Path) -> None:
    """Make the picture of a run."""
    words = ['-m', 'symcontact_ros', 'simulate', *RUNS[name].split(), str(folder / name)]
    subprocess.run([sys.executable, *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def measure(commands: tuple[str, ...]) -> None:
    """Make the pictures of a study."""
    with tempfile.TemporaryDirectory() as folder:
        for command in commands:
            words = command.replace('FILE', f'{folder}/results.json').split()
            subprocess.run([sys.executable, *words], cwd=ROOT, check=True)


def main() -> None:
    """Make all pictures, or those of runs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument('--runs', action='store_true', help='those of runs alone: seconds')
    options = parser.parse_args()
    for name in RUNS:
        draw_run(name, ROOT / IMAGES)
        print(f'{IMAGES / name}: {(ROOT / IMAGES / name).stat().st_size / 1000:.0f} kB')
    if not options.runs:
        for commands in STUDIES:
            measure(commands)


if __name__ == '__main__':
    main()
