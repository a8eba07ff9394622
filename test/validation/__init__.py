"""The physics validation: cases with closed forms, as rows of reached, expected, tolerance."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
import math
from typing import Any

import numpy as np

import symcontact_ros as sc

G = 9.81  # [m/s^2]
ROUND = {2: 'circle', 3: 'sphere'}
FLAT = {2: 'rectangle', 3: 'box'}


@dataclass(frozen=True)
class Row:
    """One number that a case reached, and what it should be."""

    what: str
    reached: float
    expected: float
    tolerance: float
    relative: bool = False

    @property
    def error(self) -> float:
        """How far off it is, as a part of the expected value where the tolerance is one."""
        difference = abs(float(self.reached) - float(self.expected))
        return difference / abs(float(self.expected)) if self.relative else difference

    @property
    def good(self) -> bool:
        """Whether the error is within the tolerance; a NaN never is."""
        return self.error <= self.tolerance

    def __str__(self) -> str:
        kind = 'relative' if self.relative else 'absolute'
        return (
            f'{self.what}: {self.reached:.12g}, expected {self.expected:.12g}, '
            f'{kind} error {self.error:.3g} (tolerance {self.tolerance:.3g})'
        )


@dataclass(frozen=True)
class Case:
    """A case: its number, what it is about, the formula in words, and the function."""

    number: str
    title: str
    formula: str
    function: Callable[[], Iterable[Row]]

    @property
    def rows(self) -> list[Row]:
        """Run it."""
        return list(self.function())


CASES: dict[str, Case] = {}
MODULES = (
    'normal_law',
    'fast_bodies',
    'friction',
    'momentum',
    'multibody',
    'ledger',
    'metamorphic',
    'joints',
)


def load_cases() -> dict[str, Case]:
    """Return all cases by number."""
    for name in MODULES:
        import_module(f'validation.{name}')
    return CASES


def case(number: str, title: str, formula: str) -> Callable[..., Callable[[], Iterable[Row]]]:
    """Enter a function that returns rows into the list of cases."""

    def enter(function: Callable[[], Iterable[Row]]) -> Callable[[], Iterable[Row]]:
        CASES[number] = Case(number, title, formula, function)
        return function

    return enter


def absolute(what: str, reached: float, expected: float, tolerance: float) -> Row:
    return Row(what, float(reached), float(expected), tolerance)


def relative(what: str, reached: float, expected: float, tolerance: float) -> Row:
    return Row(what, float(reached), float(expected), tolerance, relative=True)


def small(what: str, reached: float, tolerance: float) -> Row:
    """Return a row of a number that should be 0."""
    return Row(what, float(reached), 0.0, tolerance)


def at_most(what: str, reached: float, limit: float) -> Row:
    """Return a row of a number that may be anything up to a limit: only an excess is an error."""
    return Row(what, max(float(reached), limit), limit, 0.0)


def true(what: str, fact: bool) -> Row:
    return Row(what, float(bool(fact)), 1.0, 0.0)


# Scenes ------------------------------------------------------------------------------------------


def up(dimension: int) -> np.ndarray:
    """Return the direction against gravity: y in the plane, z in space."""
    return np.array([0.0, 1.0, 0.0] if dimension == 2 else [0.0, 0.0, 1.0])


def model(
    dimension: int,
    bodies: dict[str, dict[str, Any]],
    gravity: float | Iterable[float] = 0.0,
    material: dict[str, Any] | None = None,
    **keys: Any,
) -> sc.Model:
    """Return a model of bodies, without gravity and with a soft floorless world by default."""
    field = -gravity * up(dimension) if isinstance(gravity, float | int) else np.array(gravity)
    made = sc.Model('case', dimension=dimension, gravity=field.tolist())
    made.add_material('default', **{**MATERIAL, **(material or {})})
    for name, keys_of_body in bodies.items():
        made.add_body(name, **keys_of_body)
    if keys:
        made.set(**keys)
    return made


MATERIAL = {'stiffness': 1e5, 'damping': 0.5, 'friction': 0.0, 'slip_speed': 0.01}


def floor(dimension: int, tilt: float = 0.0) -> dict[str, Any]:
    """Return a half-space, tilted so that things slide down towards +x."""
    normal = math.sin(tilt) * np.array([1.0, 0.0, 0.0]) + math.cos(tilt) * up(dimension)
    return {'fixed': True, 'shapes': [{'type': 'half_space', 'normal': normal.tolist()}]}


def ball(dimension: int, radius: float, position: Any, **keys: Any) -> dict[str, Any]:
    """Return a circle or a sphere; `velocity` and `angular_velocity` are taken as its start."""
    return _body({'type': ROUND[dimension], 'radius': radius}, position, keys)


def block(dimension: int, half_extents: Any, position: Any, **keys: Any) -> dict[str, Any]:
    """Return a rectangle or a box; half extents: along x, (across,) up."""
    return _body(
        {'type': FLAT[dimension], 'half_extents': [float(x) for x in half_extents]},
        position,
        keys,
    )


def _body(shape: dict[str, Any], position: Any, keys: dict[str, Any]) -> dict[str, Any]:
    start = {'position': [float(x) for x in position]}
    for key in ('velocity', 'angular_velocity', 'angle', 'rpy', 'quaternion'):
        if key in keys:
            value = keys.pop(key)
            start[key] = np.asarray(value, dtype=float).tolist()
    return {'mass': 1.0, 'shapes': [shape], **keys, 'initial': start}


DETECTION: dict[str, Any] = {}  # what the simulations of cases find contacts with


def simulation(made: sc.Model, integrator: str = 'rk4', h: float = 1e-3, **keys: Any) -> Any:
    """Return a simulation of a model, silent."""
    options = {'integrator': integrator, 'step_size': h, **DETECTION, **keys}
    return sc.Simulation(made, progress=lambda text: None, **options)


def residual(simulated: Any) -> float:
    """Return what the energy ledger does not explain, as a part of what went through it."""
    energy = simulated.energy()
    return abs(energy.residual) / energy.throughput


def orders(errors: Iterable[float]) -> np.ndarray:
    """Return the order of convergence between errors at steps that were halved."""
    values = np.array(list(errors))
    return np.log2(values[:-1] / values[1:])


def recurrence(samples: np.ndarray, interval: float) -> tuple[float, float]:
    """
    Return decay rate and angular frequency of a damped oscillation about 0.

    Samples at equal intervals obey y2 = 2 r cos(w dt) y1 - r^2 y0 with r = exp(-decay dt).
    """
    left = np.column_stack([samples[1:-1], -samples[:-2]])
    (sum_of_roots, product), *_ = np.linalg.lstsq(left, samples[2:], rcond=None)
    r = math.sqrt(product)
    return -math.log(r) / interval, math.acos(0.5 * sum_of_roots / r) / interval
