"""Measures of a run of a sweep: one row for each in `MEASURES`."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
import math
from typing import Any, Protocol

import numpy as np

from symcontact_ros.errors import no_such, OptionError
from symcontact_ros.model.model import Model
from symcontact_ros.simulation.observing.instant import Instant
from symcontact_ros.simulation.simulation import Simulation

# When a measure must be read: after the last step; at samples while bodies are near; at all.
END, NEAR, ALWAYS = range(3)
APART: frozenset[Hashable] = frozenset()


class Now:
    """A simulation at one instant, as measures read it; found once, when first asked for."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.observer = simulation.observer()
        self._instant: Instant | None = None

    def renew(self) -> None:
        """Forget the instant before."""
        self._instant = None

    @property
    def instant(self) -> Instant:
        """All about now, but distances."""
        if self._instant is None:
            self._instant = self.observer.observe(0.0)
        return self._instant

    @property
    def is_touching(self) -> bool:
        """Whether anything touches; most of the time nothing does, and nothing else is found."""
        return len(self.instant.contacts.rows) > 0

    def touching(self) -> frozenset[Hashable]:
        """Return the pairs of bodies that touch."""
        return frozenset(self.instant.contacts.pair.tolist()) if self.is_touching else APART

    def force(self) -> float:
        """Return the largest net contact force of a pair of bodies [N]."""
        return float(self._forces().max()) if self.is_touching else 0.0

    def total_force(self) -> float:
        """Return the sum of the net contact forces of all pairs of bodies [N]."""
        return float(self._forces().sum()) if self.is_touching else 0.0

    def _forces(self) -> Any:
        return _lengths(self.instant.pair_wrench[:, :3])

    def depth(self) -> float:
        """Return the largest depth [m]."""
        return float(-self.instant.contacts.distance.min()) if self.is_touching else 0.0

    def largest_twist(self, at: int) -> float:
        """Return the largest speed [m/s] (at 0) or angular speed [rad/s] (at 3) of a body."""
        return float(_lengths(self.simulation.body_twists[:, at : at + 3]).max(initial=0.0))

    def distance(self) -> float:
        """Return the least signed distance of pairs that are near [m]; inf: none is."""
        return float(self.observer.proximities().distance.min(initial=math.inf))


def _lengths(rows: Any) -> Any:
    return np.sqrt(np.einsum('ni,ni->n', rows, rows))


class Gathered(Protocol):
    """What becomes of the readings of a run."""

    def add(self, reading: Any, steps: int) -> None:
        """Add a reading, which stands for some steps; at the start for none."""

    def result(self, step_size: float) -> float:
        """Return the value of the measure; steps have a size [s]."""


class Best:
    """The best of all readings, by `max` or `min`, or the last one."""

    def __init__(self, choose: Callable[[float, float], float], start: float) -> None:
        self._choose, self._value = choose, start

    def add(self, reading: float, steps: int) -> None:
        """Take the better one."""
        self._value = self._choose(self._value, reading)

    def result(self, step_size: float) -> float:
        """Return the best one."""
        return self._value


class Integral:
    """The integral of the readings over time."""

    def __init__(self) -> None:
        self._sum = 0.0

    def add(self, reading: float, steps: int) -> None:
        """Add reading times steps."""
        self._sum += reading * steps

    def result(self, step_size: float) -> float:
        """Return the integral."""
        return self._sum * step_size


class Entries:
    """How often something came into a set that was not in it at the sample before."""

    def __init__(self) -> None:
        self._count = 0
        self._before: frozenset[Hashable] = frozenset()

    def add(self, reading: frozenset[Hashable], steps: int) -> None:
        """Count what is new."""
        self._count += len(reading - self._before)
        self._before = reading

    def result(self, step_size: float) -> float:
        """Return the number."""
        return float(self._count)


largest = partial(Best, max, -math.inf)
least = partial(Best, min, math.inf)
last = partial(Best, lambda before, now: now, math.nan)


@dataclass(frozen=True)
class Measure:
    """A number that says something of a run: read at some instants, and gathered."""

    unit: str
    definition: str
    when: int
    gather: Callable[[], Gathered]
    read: Callable[[Now], Any]


# To add a measure: one row.
MEASURES = {
    'max_force': Measure(
        'N', 'largest net contact force between two bodies', NEAR, largest,
        Now.force,
    ),
    'max_depth': Measure('m', 'largest depth of a contact', NEAR, largest, Now.depth),
    'contact_time': Measure(
        's', 'time in which anything touches', NEAR, Integral,
        lambda now: float(now.is_touching),
    ),
    'impacts': Measure(
        '-', 'how often a pair of bodies came into contact', NEAR, Entries,
        Now.touching,
    ),
    'impulse': Measure(
        'N s', 'integral of the net contact forces of all pairs', NEAR, Integral,
        Now.total_force,
    ),
    'min_distance': Measure(
        'm', 'least signed distance of two bodies; empty if none are ever nearer than 0.5 m',
        ALWAYS, least, Now.distance,
    ),
    'max_speed': Measure(
        'm/s', 'largest speed of a centre of mass', ALWAYS, largest,
        lambda now: now.largest_twist(0),
    ),
    'max_spin': Measure(
        'rad/s', 'largest angular speed of a body', ALWAYS, largest,
        lambda now: now.largest_twist(3),
    ),
    'final_kinetic': Measure(
        'J', 'kinetic energy at the end', END, last, lambda now: now.simulation.energy().kinetic
    ),
    'final_energy': Measure(
        'J', 'mechanical energy at the end', END, last,
        lambda now: now.simulation.energy().mechanical,
    ),
    'dissipated': Measure(
        'J', 'energy lost in contacts, friction and dampers', END, last,
        lambda now: now.simulation.energy().dissipated,
    ),
    'work_in': Measure(
        'J', 'work of servos, efforts and wrenches', END, last,
        lambda now: now.simulation.energy().work_in,
    ),
    'residual': Measure(
        'J', 'error of the integration: what the energy balance leaves open at the end', END, last,
        lambda now: now.simulation.energy().residual,
    ),
    'substeps': Measure(
        '-', 'substeps beyond the first of every step', END, last,
        lambda now: now.simulation.counters['substeps'],
    ),
}  # fmt: skip
FAMILIES = {
    'final_': ('at the end', END, last),
    'max_': ('largest value', ALWAYS, largest),
    'min_': ('least value', ALWAYS, least),
}


def measure_named(model: Model, name: str) -> Measure:
    """Return a measure of the table, or one of a coordinate of the model."""
    if name in MEASURES:
        return MEASURES[name]
    known = coordinates(model)
    for prefix, (words, when, gather) in FAMILIES.items():
        coordinate = name.removeprefix(prefix)
        if coordinate != name and coordinate in known:
            kind, at, unit = known[coordinate]
            return Measure(unit, f'{coordinate}, {words}', when, gather, partial(_read, kind, at))
    every = [*MEASURES, *(f'{prefix}{name}' for prefix in FAMILIES for name in known)]
    raise no_such('measure', name, every)


def measures_of(model: Model, names: Any, faults: list[str]) -> dict[str, Measure]:
    """Return measures by name, in their order; add what is wrong to the faults."""
    found: dict[str, Measure] = {}
    for name in [names] if isinstance(names, str) else names:
        try:
            if name in found:
                raise OptionError(f'measure {name} is there twice')
            found[name] = measure_named(model, name)
        except OptionError as error:
            faults.append(str(error))
    if not found and not faults:
        faults.append('measures: one at least')
    return found


def coordinates(model: Model) -> dict[str, tuple[str, int, str]]:
    """
    Return where coordinates and speeds are: 'q' or 'u', the place in it, and the unit.

    Their names are those of joints with `.position` and `.velocity`, or with the name that a
    coordinate or speed of a joint of several has: `disc.x`, `disc.theta`, `disc.vx`.
    """
    found: dict[str, tuple[str, int, str]] = {}
    places = {'q': 0, 'u': 0}
    for body in model.moving:
        kind = body.joint.kind
        for letter, names in (('q', kind.coordinate_names), ('u', kind.speed_names)):
            for word in names:
                name, unit = word, _unit(word)
                if kind.is_single:
                    name = 'position' if letter == 'q' else 'velocity'
                    unit = kind.unit if letter == 'q' else f'{kind.unit}/s'
                found[f'{body.joint.name}.{name}'] = letter, places[letter], unit
                places[letter] += 1
    return found


def _unit(word: str) -> str:
    """Return the unit of a coordinate or speed of a joint that has several."""
    units = {**dict.fromkeys('xyz', 'm'), **dict.fromkeys(('vx', 'vy', 'vz'), 'm/s')}
    units |= {'theta': 'rad', **dict.fromkeys(('w', 'wx', 'wy', 'wz'), 'rad/s')}
    return units.get(word, '-')


def _read(letter: str, at: int, now: Now) -> float:
    return float(getattr(now.simulation, letter)[at])
