"""
Options of a robot: how it starts, how it is held, and what its joints resist.

They change the plain data of its description, so that a model file can say the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fnmatch import fnmatchcase
from typing import Any

from symcontact_ros.errors import shown, suggestion
from symcontact_ros.joints.table import FIXED, floating_type, JOINT_TYPES
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.description import Description
from symcontact_ros.model.self_collision import MODES

GAINS = ('kp', 'kd', 'max_effort')
SERVO_KEYS = (*GAINS, 'target', 'gravity_compensation')
RESISTANCES = ('damping', 'friction', 'armature')
OPTIONS = ('servo', 'initial', *RESISTANCES, 'material', 'self_collision', 'exclude')


class RobotOptions:
    """
    Options that an entry of ``include`` or the user gives, put into a description.

    Parameters
    ----------
    section
        Has the options; faults are reported to it.
    description
        The robot, with its prefix.
    prefix
        Prefix of its names; options may leave it out.

    Attributes
    ----------
    material_pairs
        Entries of ``materials: {pairs: ..}`` that give its bodies their material.

    """

    def __init__(
        self,
        section: Section,
        description: Description,
        prefix: str = '',
    ) -> None:
        self._section = section
        self._description = description
        self._prefix = prefix
        self._given = {ours: urdf for urdf, ours in description.names.items()}
        bodies = description.data.get('bodies')
        self._bodies: dict[str, dict[str, Any]] = {
            name: body
            for name, body in (bodies.items() if isinstance(bodies, dict) else ())
            if isinstance(body, dict) and isinstance(body.setdefault('joint', {}), dict)
        }
        self.material_pairs: list[dict[str, Any]] = []
        self._dimension = 2 if str(description.data.get('dimension', 2)).strip() == '2' else 3

    def apply(self) -> None:
        """Read all options and change the description; those not given change nothing."""
        self._set_servo()
        self._set_initial()
        for key in RESISTANCES:
            self._set_resistance(key)
        self._set_material()
        self._set_self_collision()
        self._set_exclude()

    # Joints -------------------------------------------------------------------------------------

    def _set_servo(self) -> None:
        given = self._section.take('servo')
        if given is None:
            return
        if given == 'auto' or (isinstance(given, dict) and given.keys() & set(SERVO_KEYS)):
            given = {'*': given}
        elif not isinstance(given, dict):
            reason = 'must be `auto`, gains {kp, kd, max_effort}, or {joint or glob: either}'
            self._fault('servo', f'{reason}, got {shown(given)}')
            return
        all_of_it = list(given) == ['*']
        for glob, servo in given.items():
            path = 'servo' if all_of_it else f'servo.{glob}'
            found = self._joints(path, glob, needed=not all_of_it)
            wanted = self._servo(path, servo)
            for body in found if wanted is not None else ():
                body['joint']['servo'] = dict(wanted) if isinstance(wanted, dict) else wanted

    def _servo(self, path: str, servo: Any) -> Any:
        """Return a servo as the model file has it; None and a fault for what is none."""
        if servo == 'auto':
            return servo
        if not isinstance(servo, dict):
            self._fault(path, f'must be `auto` or {{kp, kd}}, got {shown(servo)}')
            return None
        at = self._at(path)
        entry = Section(self._section.description, at, servo, self._section.values)
        for key in GAINS:
            if key in entry:
                entry.number(key, minimum=0.0)
        for key in SERVO_KEYS:
            entry.take(key)
        entry.close()
        return {'target': 'start', **servo}

    def _set_initial(self) -> None:
        section = self._section.section('initial')
        for glob in section.names():
            position = section.take(glob)
            section.scalar(position, section.at(glob))
            for body in self._joints(f'initial.{glob}', glob):
                initial = body.get('initial')
                start = initial if isinstance(initial, dict) else {}
                body['initial'] = {**start, 'position': position}

    def _set_resistance(self, key: str) -> None:
        given = self._section.take(key)
        if given is None:
            return
        by_glob = given if isinstance(given, dict) else {'*': given}
        for glob, number in by_glob.items():
            path = f'{key}.{glob}' if by_glob is given else key
            entry = Section(
                self._section.description, self._section.at(key), by_glob, self._section.values
            )
            entry.number(glob, minimum=0.0)
            for body in self._joints(path, glob, needed=by_glob is given, followers=True):
                body['joint'][key] = number

    def _joints(
        self, path: str, glob: str, needed: bool = True, followers: bool = False
    ) -> list[dict[str, Any]]:
        """Return the bodies whose joints fit a glob; a fault if there is none but must be."""
        single = {
            str(body['joint'].get('name', name)): body
            for name, body in self._bodies.items()
            if self._is_single(body) and (followers or 'mimic' not in body['joint'])
        }
        found = [single[name] for name in self._named(glob, single)]
        if needed and not found:
            known = [self._short(name) for name in single]
            hint = suggestion(glob, known, 'joints are')
            reason = f'no joint {shown(glob)} with one degree of freedom; {hint}'
            self._fault(path, self._bond(glob) or reason)
        return found

    def _bond(self, glob: str) -> str:
        """Return which joint moves the followers that fit a glob; '' if none does."""
        bonds = {
            str(body['joint'].get('name', name)): body['joint']['mimic']
            for name, body in self._bodies.items()
            if isinstance(body['joint'].get('mimic'), dict)
        }
        follower = next(self._named(glob, bonds), '')
        leader, way = follower, set[str]()
        while leader in bonds and leader not in way:
            way.add(leader)
            leader = str(bonds[leader].get('joint', ''))
        names = self._short(follower), self._short(leader)
        return 'joint {} mimics {}: name that joint instead'.format(*names) if follower else ''

    def _is_single(self, body: dict[str, Any]) -> bool:
        default = FIXED if body.get('fixed') is True else floating_type(self._dimension).name
        kind = JOINT_TYPES.get(str(body['joint'].get('type', default)))
        return kind is not None and kind.is_single

    # Contacts -----------------------------------------------------------------------------------

    def _set_material(self) -> None:
        if 'material' not in self._section:
            self._section.take('material')
            return
        material = self._section.text('material')
        own = [name for name, body in self._bodies.items() if body.get('shapes')]
        self.material_pairs = [{'bodies': [name, '*'], 'material': material} for name in own]

    def _set_self_collision(self) -> None:
        if 'self_collision' not in self._section:
            self._section.take('self_collision')
            return
        mode = self._section.text('self_collision', choices=MODES)
        if mode in MODES:
            self._description.data['self_collision'] = mode

    def _set_exclude(self) -> None:
        pairs = self._section.take('exclude', ())
        if not isinstance(pairs, list | tuple):
            self._fault('exclude', 'must be a list of pairs [a, b] of names or globs')
            return
        for i, pair in enumerate(pairs):
            path = f'exclude[{i}]'
            if not isinstance(pair, list | tuple) or len(pair) != 2:
                self._fault(path, 'a pair [a, b] of names or globs is needed')
                continue
            names = [self._excluded(path, str(glob)) for glob in pair]
            self._description.data.setdefault('exclude', []).append(names)

    def _excluded(self, path: str, glob: str) -> str:
        """Return a glob of bodies with the prefix; one that fits none is for other bodies."""
        found = list(self._named(glob, self._bodies))
        if not found and not self._prefix:
            hint = suggestion(glob, [self._short(name) for name in self._bodies], 'bodies are')
            self._fault(path, f'no body {shown(glob)}; {hint}')
        if len(found) == 1:
            return found[0]
        direct = [name for name in self._bodies if fnmatchcase(name, self._prefix + glob)]
        return self._prefix + glob if direct == found and found else glob

    # Faults -------------------------------------------------------------------------------------

    def _fault(self, path: str, reason: str) -> None:
        self._section.add_fault(self._at(path), reason)

    def _at(self, path: str) -> str:
        return f'{self._section.path}.{path}' if self._section.path else path

    # Names --------------------------------------------------------------------------------------

    def _named(self, glob: str, known: Collection[str]) -> Iterator[str]:
        """Yield the names that fit a glob: ours, without the prefix, or as in the URDF."""
        for name in known:
            short = self._short(name)
            called = (name, short, self._given.get(short, short))
            if any(fnmatchcase(one, glob) for one in called):
                yield name

    def _short(self, name: str) -> str:
        return name.removeprefix(self._prefix)
