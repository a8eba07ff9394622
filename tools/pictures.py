"""
Pictures of README and docs, each by the command that makes it: `make pictures`.

Pictures of runs take seconds and come out the same every time. Those of measurements take ten
minutes, change with the machine, and bring the tables of their pages along.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
import subprocess
import sys
import tempfile

from picture_sources import digest, sources_of_commands, sources_of_run, stamp, stored

from symcontact_ros.bench.scenes import SCENARIOS

ROOT = Path(__file__).resolve().parents[1]
IMAGES = Path('docs') / 'images'
MODELS = Path('config') / 'models'
# Arguments of `symcontact simulate`, by picture.
RUNS = {
    'run_plane.png': 'rectangle_circle --width page --plot',
    'run_space.png': 'docking_probe_drogue --width page --panels scene joints normal depth --plot',
    'run_plane.gif': 'rectangle_circle --animate',
}
BENCHMARKS = tuple(f'benchmarks_{name}.svg' for name in ('bodies', 'links', 'overview', 'worlds'))
# Commands that draw without measuring, and the pictures that they make.
DRAWINGS = {
    ('tools/paper.py --fast',): (
        *(f'paper_{name}.png' for name in SCENARIOS),
        *('paper_formulas.png', 'paper_table.png'),
    ),
    ('tools/readme_picture.py',): ('readme.gif',),
    ('tools/benchmarks_page.py --fast',): BENCHMARKS,
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
    ('tools/explanation_figures.py',): (
        *('explain_implicit.svg', 'explain_laws.svg', 'explain_ledger.png', 'explain_sat.svg'),
        *('explain_substeps.svg', 'explain_tape.svg'),
    ),
    **{
        (f'tools/tutorials.py docs/tutorials/{page}.md --pictures {IMAGES}',): names
        for page, names in TUTORIALS.items()
    },
}
BY_HAND = ('house.svg',)
# What some pictures show beside what draws them: models, and numbers that are kept.
SHOWN = {
    **{f'paper_{name}.png': (f'{MODELS}/{name}.yaml',) for name in SCENARIOS},
    'paper_formulas.png': ('test/helpers/paper_formulas.py',),
    'paper_table.png': ('docs/paper.json',),
    **dict.fromkeys(BENCHMARKS, ('benchmarks/results.json',)),
    **{
        name: (f'docs/tutorials/{page}.md',) for page, names in TUTORIALS.items() for name in names
    },
    'readme.gif': tuple(
        f'{MODELS}/{name}.yaml' for name in ('walker_2d', 'panda_table', 'space_manipulator')
    ),
}


def sources() -> dict[str, list[Path]]:
    """Return the files that draw a picture, by picture that a command makes."""
    found = {name: sources_of_run(words) for name, words in RUNS.items()}
    for commands, names in {**DRAWINGS, **STUDIES}.items():
        own = sources_of_commands(commands, measures=commands in STUDIES)
        found |= {name: [*own, *(ROOT / path for path in SHOWN.get(name, ()))] for name in names}
    return found


def stale() -> dict[str, str]:
    """Return the pictures that are older than what draws them, with the command for each."""
    now, then = {name: digest(paths) for name, paths in sources().items()}, stored()
    old = [name for name in now if then.get(name) != now[name]]
    return {name: f'python tools/pictures.py {name}' for name in old}


def draw_run(name: str, folder: Path) -> None:
    """Make the picture of a run."""
    words = ['-m', 'symcontact_ros', 'simulate', *RUNS[name].split(), str(folder / name)]
    subprocess.run([sys.executable, *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def measure(commands: tuple[str, ...]) -> None:
    """Make the pictures of a study, or of a command that draws."""
    with tempfile.TemporaryDirectory() as folder:
        for command in commands:
            words = command.replace('FILE', f'{folder}/results.json').split()
            subprocess.run([sys.executable, *words], cwd=ROOT, check=True)


def make(wanted: Iterable[str]) -> None:
    """Make pictures, with all others of the same commands, and note what drew them."""
    wanted, made = set(wanted), []
    for name in [name for name in RUNS if name in wanted]:
        draw_run(name, ROOT / IMAGES)
        print(f'{IMAGES / name}: {(ROOT / IMAGES / name).stat().st_size / 1000:.0f} kB')
        made.append(name)
    for commands, names in {**DRAWINGS, **STUDIES}.items():
        if wanted & set(names):
            measure(commands)
            made += names
    note(made)


def note(made: Iterable[str]) -> None:
    """Store that pictures were drawn by what there is now."""
    every = sources()
    stamp({name: every[name] for name in made}, every)


def main() -> None:
    """Make all pictures, those of runs, or some."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument('pictures', nargs='*', metavar='PICTURE', help='default: all')
    parser.add_argument('--runs', action='store_true', help='those of runs alone: seconds')
    parser.add_argument('--stale', action='store_true', help='those older than what draws them')
    options = parser.parse_args()
    unknown = set(options.pictures) - set(sources())
    if unknown:
        parser.error(f'no command makes {", ".join(unknown)}; there are {", ".join(sources())}')
    quick = [*RUNS, *(name for names in DRAWINGS.values() for name in names)]
    chosen = options.pictures or (quick if options.runs else stale() if options.stale else None)
    make(sources() if chosen is None else chosen)


if __name__ == '__main__':
    main()
