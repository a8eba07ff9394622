"""Page of the zoo: what was found out about every file, as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
import itertools
import re
from typing import Any, Protocol

import zoo_joints
from zoo_stances import STANCES
import zoo_trials
from zoo_trials import GOOD, NOTHING, WEAK
import zoo_worker

LONGEST = 300  # characters of a reason
MOST_KINDS = 25  # of warnings
MOST = 8  # excluded pairs that are named
INTRODUCTION = """\
# The zoo

Every URDF of example-robot-data and of pybullet_data (without `random_urdfs`): run limp, as
`load_model(path)` gives it; held by servos; dropped; and, of those that can, standing.
Nobody here wrote or changed these files. `make zoo` writes this page ({minutes}).

- Times are of the processor. *derives*: equations and machine code of a model never seen before
  [s]; *first step* [us]; *us/step*: mean over the run, called from Python.
- *pairs*: bodies that may touch; *excluded*: those that could but are left out, by an SRDF beside
  the file or because they overlap at the start. *stiffness*: the range over all pairs [N/m^3].
- *verdict* of the limp run after {limp:g} s of simulated time. **good**: all of the file is used.
  **warning**: something was left out or is doubtful, such as an energy balance that is open by
  more than 0.1 % of the throughput (`rk4`) or 5 % (`auto` and `implicit`, of order 1 while slow).
  **stopped**: a guard ended the run, with its text below.
  **nonsense**: finite, yet the balance is open without a warning, or a body is 100 m off, has
  1000 m/s, or is deeper in another one than its size. **error**: a traceback, a crash, or too much
  time or memory. **refused**: it does not load.
- *hold*: fixed base, `servo='auto'`, `integrator='{integrator}'`, {held:g} s. **holds**: every
  joint within {angle:g} rad or {length:g} m of its start (which is inside its limits), and the
  energy balance open by less than 0.1 % of the throughput. **weak**: it does not, and gravity
  needs more than the effort limits of the file, or it has spherical joints, which no servo
  holds; a dash: nothing to hold. *away*: the
  most that a joint was from its start [rad or m]; *open*: the error of the balance, *lost*: what
  the integrator took, both as a part of the throughput.
- *drop*: free base, limp, from {height:g} m above `world='floor'`, {dropped:g} s, the same
  integrator. **lands**: no guard stopped it, and no *nonsense* as above.
- *MuJoCo*: whether its loader takes the file **as it is**, with the **paths** of meshes made
  absolute, or only **without meshes**; a dash: in no way. Its options that repair a file, such as
  `balanceinertia`, are not used, as ours has none that a user must set.
"""
COLUMNS = (
    'file', 'freedom', 'derives', 'first step', 'us/step', 'pairs', 'excluded', 'stiffness',
    'verdict', 'hold', 'away', 'open', 'lost', 'us/step held', 'drop', 'MuJoCo',
)  # fmt: skip
STANDING = """\
## Standing

Free base on `world='floor'`, `servo='auto'`, `integrator='{integrator}'`, {stood:g} s from the
angles of the robot's SRDF or of `tools/zoo_stances.py`. **stands**: the floor carries the weight
within 1 % (*N/weight*, mean of the last {weighed:g} s), no point of a foot that touched the floor
at {settled:g} s moves along it by 1 mm until the end (*slip*), the base sinks by less than a fifth
of its height and tilts by less than {tilt:g} rad, and the energy balance is open by less than
0.1 % of the throughput.
"""
STANDING_COLUMNS = (
    'file', 'legs', 'verdict', 'N/weight', 'slip [mm]', 'sinks [mm]', 'tilt [mrad]', 'open',
    'lost', 'us/step',
)  # fmt: skip
WORDS = {'hold': 'hold their start', 'stand': 'stand', 'drop': 'land'}
MUJOCO = ('as it is', 'paths', 'without meshes', '-')


class Animal(Protocol):
    """A file of the zoo."""

    package: str
    facts: dict[str, Any]

    @property
    def name(self) -> str:
        """Its path in the package."""


def page(found: Sequence[Animal], integrator: str, seconds: float) -> str:
    """Return the page."""
    numbers = {
        'integrator': integrator,
        'minutes': f'{seconds / 60.0:.0f} minutes on two cores',
        'limp': zoo_worker.DURATION,
        'held': zoo_trials.HELD,
        'angle': zoo_joints.AWAY['rad'],
        'length': zoo_joints.AWAY['m'],
        'height': zoo_trials.HEIGHT,
        'dropped': zoo_trials.DROPPED,
        'stood': zoo_trials.STOOD,
        'weighed': zoo_trials.WEIGHED,
        'settled': zoo_trials.SETTLED,
        'tilt': zoo_trials.TILT,
    }
    parts = [INTRODUCTION.format(**numbers), summary(found), *standing(found, numbers)]
    for package, group in itertools.groupby(found, lambda animal: animal.package):
        parts.append(f'## {package}\n')
        for family, members in itertools.groupby(group, family_of):
            parts += [f'### {family}\n', '\n'.join(table(list(members))), '']
    parts += ['\n'.join(lines) for lines in (reasons(found), warnings(found), excluded(found))]
    return '\n'.join(parts).rstrip() + '\n'


def family_of(animal: Animal) -> str:
    """Return the robot that a file belongs to: its first folder."""
    folder, _, rest = animal.name.partition('/')
    return re.sub('_(description|data)$', '', folder) if rest else 'single files'


def summary(found: Sequence[Animal]) -> str:
    """Return how many files load, and the verdicts."""
    loads = sum(loaded(animal) for animal in found)
    verdicts = Counter(animal.facts.get('verdict', 'not run') for animal in found)
    counts = ', '.join(f'{number} {name}' for name, number in verdicts.most_common())
    ended = [animal for animal in found if animal.facts.get('stage') == 'done']
    again = sum(not animal.facts['reloads'] for animal in ended)
    ways = Counter(mujoco(animal) for animal in found)
    peers = ', '.join(f'{ways[name]} {name}' for name in MUJOCO[:3])
    tried = ', '.join(filter(None, (passed(found, part) for part in GOOD)))
    share = f'{100.0 * loads / max(len(found), 1):.1f} %'
    return (
        f'**{loads} of {len(found)} files load ({share}).** Verdicts: {counts}.\n'
        f'{tried or "No trials"}.\n'
        f'Of {len(ended)} models that ran to the end, {again} are the same after `to_yaml()` and '
        'loading again.\n'
        f"MuJoCo's loader: {peers}, {ways['-']} in no way.\n"
    )


def passed(found: Sequence[Animal], part: str) -> str:
    """Return how many of the files with a trial pass it; '' where there is none."""
    verdicts = [animal.facts[part]['verdict'] for animal in found if part in animal.facts]
    tried = [verdict for verdict in verdicts if verdict not in (NOTHING, 'refused', WEAK)]
    good = sum(verdict == GOOD[part] for verdict in tried)
    return f'**{good} of {len(tried)} {WORDS[part]}**' if tried else ''


def loaded(animal: Animal) -> bool:
    """Return whether the file became a model."""
    return 'freedom' in animal.facts


def mujoco(animal: Animal) -> str:
    """Return the way in which MuJoCo's loader takes a file; '' if it was not asked."""
    return MUJOCO[len(animal.facts['mujoco'])] if 'mujoco' in animal.facts else ''


def standing(found: Sequence[Animal], numbers: dict[str, Any]) -> Iterator[str]:
    """Yield the section about robots that stand."""
    stood = [a for a in found if a.facts.get('stand', {}).get('verdict', NOTHING) != NOTHING]
    if not stood:
        return
    yield STANDING.format(**numbers)
    rows = [STANDING_COLUMNS, ['---'] * len(STANDING_COLUMNS), *map(standing_cells, stood)]
    yield '\n'.join(f'| {" | ".join(row)} |' for row in rows) + '\n'


def standing_cells(animal: Animal) -> list[str]:
    """Return the cells of a row of the table of standing robots."""
    facts = animal.facts['stand']
    return [
        f'`{animal.name}`',
        str(STANCES[animal.name].legs),
        facts['verdict'],
        number(facts.get('carried'), '.6f'),
        number(facts.get('slip'), '.2g', 1e3),
        number(facts.get('sinks'), '.1f', 1e3),
        number(facts.get('tilt'), '.1f', 1e3),
        number(facts.get('open'), '.0e'),
        number(facts.get('integration'), '.0e'),
        number(facts.get('us_per_step'), '.1f'),
    ]


def table(members: Iterable[Animal]) -> Iterator[str]:
    """Yield the lines of the table of one family."""
    yield f'| {" | ".join(COLUMNS)} |'
    yield f'|{"---|" * len(COLUMNS)}'
    for animal in members:
        yield f'| {" | ".join(cells(animal))} |'


def cells(animal: Animal) -> list[str]:
    """Return the cells of a row."""
    facts = animal.facts
    name = animal.name if family_of(animal) == 'single files' else animal.name.partition('/')[2]
    held = facts.get('hold', {})
    low, high = facts.get('stiffness') or (None, None)
    same = low is None or f'{low:.1e}' == f'{high:.1e}'
    return [
        f'`{name}`',
        number(facts.get('freedom'), 'd'),
        number(facts.get('derives_in'), '.1f'),
        number(facts.get('first_step_in'), '.0f', 1e6),
        number(facts.get('us_per_step'), '.1f'),
        number(facts.get('pairs'), 'd'),
        number(len(facts['excluded']) if 'excluded' in facts else None, 'd'),
        number(low, '.1e') if same else f'{low:.1e} to {high:.1e}',
        facts.get('verdict', ''),
        held.get('verdict', ''),
        number(held.get('error'), '.1g'),
        number(held.get('open'), '.0e'),
        number(held.get('integration'), '.0e'),
        number(held.get('us_per_step'), '.1f'),
        facts.get('drop', {}).get('verdict', ''),
        mujoco(animal),
    ]


def number(value: float | None, form: str, factor: float = 1) -> str:
    """Return a number as the page shows it; nothing where there is none."""
    return '' if value is None else f'{factor * value:{form}}'


def reasons(found: Sequence[Animal]) -> Iterator[str]:
    """Yield a line for every file that does not load, does not run to the end, or not as told."""
    yield '## Reasons\n'
    for verdict in ('refused', 'stopped', 'nonsense', 'error'):
        members = [animal for animal in found if animal.facts.get('verdict') == verdict]
        if members:
            yield f'**{verdict}** ({len(members)})\n'
            yield from (f'- `{a.name}`: {in_a_line(a.facts["reason"], a.name)}' for a in members)
            yield ''
    for part, word in WORDS.items():
        members = [animal for animal in found if animal.facts.get(part, {}).get('reason')]
        if members:
            yield f'**not among those that {word}** ({len(members)})\n'
            for animal in members:
                facts = animal.facts[part]
                text = f'{facts["verdict"]}: {in_a_line(facts["reason"], animal.name)}'
                yield f'- `{animal.name}`: {text}'
            yield ''
    members = [animal for animal in found if animal.facts.get('reloads')]
    if members:
        yield f'**not the same after loading again** ({len(members)})\n'
        yield from (f'- `{a.name}`: {in_a_line(a.facts["reloads"], a.name)}' for a in members)
        yield ''
    members = [animal for animal in found if mujoco(animal) == MUJOCO[-1]]
    yield f'**not loaded by MuJoCo, even without meshes** ({len(members)})\n'
    yield from (f'- `{a.name}`: {in_a_line(a.facts["mujoco"][-1], a.name)}' for a in members)
    yield ''


def in_a_line(text: str, name: str) -> str:
    """Return the first line of a text, how many more there are, and no path of the file."""
    first, *more = text.replace(f'{name}:', '').strip().splitlines() or ['']
    first = first if len(first) <= LONGEST else f'{first[:LONGEST]} ...'
    first = first.replace('|', '\\|').replace('<', '&lt;')
    return f'{first} (and {len(more)} more)' if more else first


def warnings(found: Sequence[Animal]) -> Iterator[str]:
    """Yield the kinds of warnings, with how many files have them and an example."""
    kinds: dict[str, list[tuple[str, str]]] = {}
    for animal in found:
        for text in (*animal.facts.get('warnings', ()), *animal.facts.get('said', ())):
            kinds.setdefault(kind_of(text, animal.name), []).append((animal.name, text))
    yield '## Warnings\n'
    yield f'The {MOST_KINDS} most frequent kinds, with the number of files and an example.\n'
    by_files = sorted(kinds.values(), key=lambda said: -len({name for name, _ in said}))
    for said in by_files[:MOST_KINDS]:
        files = len({name for name, _ in said})
        yield f'- {files}: `{said[0][0]}`: {in_a_line(said[0][1], said[0][0])}'
    yield ''


def kind_of(text: str, name: str) -> str:
    """Return a warning without the places, names and numbers of its model."""
    reason = text.removeprefix(name)
    reason = re.sub(r'^(:\d+: )?\S*(bodies|joints)\S*: |^\S+: (?=\d)|joint \S+', '', reason)
    reason = re.sub(r"'[^']*'|<[^>]*>|[^\s.]*[._]\S*|[-+.\de]*\d", '', reason)
    return ' '.join(reason.replace('overlaps', 'overlap').replace('pairs', 'pair').split()[:4])


def excluded(found: Sequence[Animal]) -> Iterator[str]:
    """Yield the pairs that never touch though their shapes could."""
    yield '## Excluded pairs\n'
    for animal in found:
        pairs = animal.facts.get('excluded') or []
        if pairs:
            names = ', '.join(pairs[:MOST]) + (', ...' if len(pairs) > MOST else '')
            yield f'- `{animal.name}` ({len(pairs)}): {names}'
    yield ''
