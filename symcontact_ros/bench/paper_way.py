"""
Baseline: the paper's method, NumPy with derived or hand-written equations.

`SymbolicSat`: KanesMethod, its matrices lambdified with common subexpressions, solved by NumPy at
every evaluation. `NumericSat`: Newton's and Euler's equations by hand. Both share detection, law
and integrator (classical RK4, one detection per stage) and compute the same as this package with
``manifold='single'``. Attitudes in space are body-fixed 123 angles, as in the paper.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
import math
from typing import ClassVar

import numpy as np

from symcontact_ros.bench.convex import convex_detectors
from symcontact_ros.bench.detection import Contact, cross, Place
from symcontact_ros.bench.kane import kane_matrices
from symcontact_ros.bench.scenes import Scene
from symcontact_ros.placements import matrix, quaternion_of
from symcontact_ros.types import Vector

Rates = Callable[[Vector], Vector]


def rk4_step(rates: Rates, x: Vector, h: float) -> Vector:
    """Return the state after a step of the classical method of Runge and Kutta."""
    first = rates(x)
    second = rates(x + 0.5 * h * first)
    third = rates(x + 0.5 * h * second)
    fourth = rates(x + h * third)
    return x + h / 6.0 * (first + 2.0 * second + 2.0 * third + fourth)


# States ------------------------------------------------------------------------------------------


def rotation_123(angles: Vector) -> Vector:
    """Return Rx(a) Ry(b) Rz(c), the rotation from body to world components."""
    a, b, c = angles.tolist()
    sa, ca, sb, cb, sc, cc = *_sine(a), *_sine(b), *_sine(c)
    return np.array(
        [
            [cb * cc, -cb * sc, sb],
            [ca * sc + sa * sb * cc, ca * cc - sa * sb * sc, -sa * cb],
            [sa * sc - ca * sb * cc, sa * cc + ca * sb * sc, ca * cb],
        ]
    )


def _sine(angle: float) -> tuple[float, float]:
    return math.sin(angle), math.cos(angle)


def angles_123(rotation: Vector) -> Vector:
    """Return the body-fixed 123 angles of a rotation matrix."""
    return np.array(
        [
            math.atan2(-rotation[1, 2], rotation[2, 2]),
            math.asin(rotation[0, 2]),
            math.atan2(-rotation[0, 1], rotation[0, 0]),
        ]
    )


def start_of(scene: Scene) -> Vector:
    """Return coordinates of all solids, then speeds: velocities in world, rates in body axes."""
    coordinates, speeds = [], []
    for solid in scene.solids:
        if scene.dimension == 2:
            coordinates.append(solid.q)
            speeds.append(solid.u)
        else:
            rotation = matrix(tuple(solid.q[3:]))
            coordinates.append(np.concatenate([solid.q[:3], angles_123(rotation)]))
            speeds.append(np.concatenate([rotation @ solid.u[:3], solid.u[3:]]))
    return np.concatenate(coordinates + speeds)


def planar_places(scene: Scene, x: Vector) -> list[Place]:
    """Return the poses of planar solids."""
    places = []
    half = len(x) // 2
    for i, solid in enumerate(scene.solids):
        at, to = 3 * i, half + 3 * i
        rotation = None
        if not solid.is_round:
            s, c = _sine(float(x[at + 2]))
            rotation = np.array([[c, -s], [s, c]])
        places.append(Place(x[at : at + 2], rotation, x[to : to + 2], float(x[to + 2])))
    return places


def spatial_places(scene: Scene, x: Vector) -> list[Place]:
    """Return the poses of free solids, with angular velocities in world axes."""
    places = []
    half = len(x) // 2
    for i in range(len(scene.solids)):
        at, to = 6 * i, half + 6 * i
        rotation = rotation_123(x[at + 3 : at + 6])
        spin = rotation @ x[to + 3 : to + 6]
        places.append(Place(x[at : at + 3], rotation, x[to : to + 3], spin))
    return places


# The methods -------------------------------------------------------------------------------------


class PaperWay(ABC):
    """A scene simulated by the paper's method; `track` has the states of the last run."""

    title: ClassVar[str]
    loop = 'Python'
    warms_up = False  # a run is long enough to be its own warm-up
    most_runs = most_steps = 1_000_000

    def __init__(self, scene: Scene, step_size: float) -> None:
        self._scene = scene
        self._h = step_size
        places = planar_places if scene.dimension == 2 else spatial_places
        self._places = partial(places, scene)
        self._rates: Rates | None = None
        self.track: Vector = start_of(scene)[None, :]

    def build(self) -> None:
        """Create the equations of motion and the detectors."""
        self._contact = self._detection()
        self._rates = self._equations()

    def _detection(self) -> Contact:
        return Contact(self._scene)

    def reset(self) -> None:
        """Go back to the start."""
        self.track = start_of(self._scene)[None, :]

    def run(self, steps: int) -> None:
        """Make steps from the end of the last run."""
        assert self._rates is not None, 'build() comes first'
        track: Vector = np.empty((steps + 1, self.track.shape[1]))
        track[0] = x = self.track[-1]
        for i in range(steps):
            track[i + 1] = x = rk4_step(self._rates, x, self._h)
        self.track = track

    def coordinates(self) -> Vector:
        """Return q of every state of the last run, as `Simulation.q` has it."""
        count = len(self._scene.solids)
        if self._scene.dimension == 2:
            return self.track[:, : 3 * count]
        rows = [
            np.concatenate([part for i in range(count) for part in _pose(x[6 * i : 6 * i + 6])])
            for x in self.track
        ]
        return np.array(rows)

    def end(self) -> Vector:
        """Return the positions of the solids [m]."""
        return np.array([place.position for place in self._places(self.track[-1])])

    @abstractmethod
    def _equations(self) -> Rates:
        """Return the right-hand side."""


def _pose(q: Vector) -> tuple[Vector, Vector]:
    return q[:3], quaternion_of(rotation_123(q[3:]))


class NumericSat(PaperWay):
    """Hand-written equations."""

    title = 'Numeric SAT'

    def _equations(self) -> Rates:
        if self._scene.dimension == 3:
            return self._spatial
        solids, gravity = self._scene.solids, self._scene.gravity
        inverse = [x for s in solids for x in (1 / s.mass, 1 / s.mass, 1 / s.inertia[2])]
        fall = [x for _ in solids for x in (gravity[0], gravity[1], 0.0)]
        return partial(self._planar, np.array(inverse), np.array(fall))

    def _planar(self, inverse: Vector, fall: Vector, x: Vector) -> Vector:
        half = len(x) // 2
        rates: Vector = np.empty(len(x))
        rates[:half] = x[half:]
        rates[half:] = fall + inverse * self._contact(self._places(x))
        return rates

    def _spatial(self, x: Vector) -> Vector:
        half = len(x) // 2
        rates: Vector = np.empty(len(x))
        places = self._places(x)
        loads = self._contact(places)
        for i, (solid, place) in enumerate(zip(self._scene.solids, places, strict=True)):
            assert place.rotation is not None
            at, to = 6 * i, half + 6 * i
            w = x[to + 3 : to + 6]  # body axes
            rates[at : at + 3] = x[to : to + 3]
            rates[at + 3 : at + 6] = _angle_rates(x[at + 3 : at + 6], w)
            rates[to : to + 3] = loads[at : at + 3] / solid.mass + self._scene.gravity
            torque = place.rotation.T @ loads[at + 3 : at + 6] - cross(w, solid.inertia * w)
            rates[to + 3 : to + 6] = torque / solid.inertia
        return rates


def _angle_rates(angles: Vector, w: Vector) -> tuple[float, float, float]:
    """Return the rates of body-fixed 123 angles at a rate of turn in body axes."""
    _, b, c = angles.tolist()
    x, y, z = w.tolist()
    (sb, cb), (sc, cc) = _sine(b), _sine(c)
    first = (x * cc - y * sc) / cb
    return first, x * sc + y * cc, z - first * sb


class SymbolicSat(PaperWay):
    """Equations of KanesMethod; contact loads and physical constants stay symbols in them."""

    title = 'Symbolic SAT'

    def _equations(self) -> Rates:
        system = kane_matrices(self._scene)
        constants = self._constants().tolist()
        half = len(start_of(self._scene)) // 2

        def rates(x: Vector) -> Vector:
            loads = self._contact(self._places(x)).tolist()
            numbers = x.tolist()  # plain floats: quicker in scalar code than NumPy's
            mass_matrix, forcing = system(numbers[:half], numbers[half:], loads, constants)
            solved: Vector = np.linalg.solve(mass_matrix, forcing[:, 0]).astype(float, copy=False)
            return solved

        return rates

    def _constants(self) -> Vector:
        scene = self._scene
        planar = scene.dimension == 2
        own = [
            (solid.mass, *(solid.inertia[2:] if planar else solid.inertia))
            for solid in scene.solids
        ]
        return np.concatenate([scene.gravity[: scene.dimension], *own])


class SymbolicCo(SymbolicSat):
    """The same with collision detection by CVXPY and ECOS: too slow to be run often."""

    title = 'Symbolic CO'
    most_runs = 1
    most_steps = 500

    def __init__(self, scene: Scene, step_size: float, most_steps: int = most_steps) -> None:
        super().__init__(scene, step_size)
        self.most_steps = most_steps

    def _detection(self) -> Contact:
        return Contact(self._scene, *convex_detectors(self._scene))
