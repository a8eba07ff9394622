"""
Collision detection and contact law of the paper, in NumPy, with corrected formulas.

Each detector returns the signed distance [m], the unit normal from A to B, and the point of
application of the force: midway between the two closest points. Vectors have two components in the
plane and three in space. docs/paper.md lists the faults of the printed equations.
"""

from __future__ import annotations

from collections.abc import Callable
import math
from typing import NamedTuple

import numpy as np

from symcontact_ros.bench.scenes import Ground, Law, Scene, Solid
from symcontact_ros.types import Vector


class Place(NamedTuple):
    """Pose and velocity of a solid, world axes."""

    position: Vector
    rotation: Vector | None  # from body to world components; None if round
    velocity: Vector
    spin: Vector | float  # [rad/s]


class Touch(NamedTuple):
    """Result of a detector."""

    distance: float
    normal: Vector
    point: Vector


Detector = Callable[[Vector, Place, Vector, Place], Touch]


def ground_ball(ground: Ground, size: Vector, place: Place) -> Touch:
    """Return the contact of a ball with the ground."""
    normal = ground.normal[: len(place.position)]
    distance = float(normal @ place.position - ground.offset - size[0])
    return Touch(distance, normal, place.position - (size[0] + 0.5 * distance) * normal)


def ball_ball(size_a: Vector, a: Place, size_b: Vector, b: Place) -> Touch:
    """Return the contact of two balls: on the line of their centres."""
    way = b.position - a.position
    length = math.sqrt(float(way @ way))
    normal = way / length
    distance = length - float(size_a[0]) - float(size_b[0])
    return Touch(distance, normal, a.position + (size_a[0] + 0.5 * distance) * normal)


def block_ball(size_a: Vector, a: Place, size_b: Vector, b: Place) -> Touch:
    """Return the contact of a rectangle or box with a ball: eqs. 4 to 13, corrected."""
    assert a.rotation is not None
    q = a.rotation.T @ (b.position - a.position)
    excess = np.abs(q) - size_a  # eq. 6: alpha, beta
    if excess.max() > 0.0:
        p = np.minimum(np.maximum(q, -size_a), size_a)
        way = q - p
        length = math.sqrt(float(way @ way))
        normal = way / length
    else:  # the centre is inside: the nearest face
        k = int(np.argmax(excess))
        p = q.copy()
        p[k] = math.copysign(size_a[k], q[k])
        normal = np.zeros(len(q))
        normal[k] = math.copysign(1.0, q[k])
        length = float(excess[k])
    distance = length - float(size_b[0])
    point = a.position + a.rotation @ (p + 0.5 * distance * normal)
    return Touch(distance, a.rotation @ normal, point)


def block_block(size_a: Vector, a: Place, size_b: Vector, b: Place) -> Touch:
    """Return the contact of two rectangles, on the face with the largest separation."""
    assert a.rotation is not None
    assert b.rotation is not None
    way = b.position - a.position
    turn = np.abs(a.rotation.T @ b.rotation)
    way_a, way_b = a.rotation.T @ way, b.rotation.T @ way
    gaps_a = np.abs(way_a) - size_a - turn @ size_b
    gaps_b = np.abs(way_b) - size_b - turn.T @ size_a
    i, k = int(np.argmax(gaps_a)), int(np.argmax(gaps_b))
    if gaps_a[i] >= gaps_b[k]:  # a face of A, the deepest corner of B
        distance = float(gaps_a[i])
        normal = math.copysign(1.0, way_a[i]) * a.rotation[:, i]
        corner = b.position - b.rotation @ np.copysign(size_b, b.rotation.T @ normal)
        return Touch(distance, normal, corner - 0.5 * distance * normal)
    distance = float(gaps_b[k])
    normal = math.copysign(1.0, way_b[k]) * b.rotation[:, k]
    corner = a.position + a.rotation @ np.copysign(size_a, a.rotation.T @ normal)
    return Touch(distance, normal, corner + 0.5 * distance * normal)


DETECTORS: dict[tuple[str, str], Detector] = {
    ('circle', 'circle'): ball_ball,
    ('rectangle', 'circle'): block_ball,
    ('rectangle', 'rectangle'): block_block,
    ('box', 'sphere'): block_ball,
}


def force_on_b(law: Law, touch: Touch, velocity: Vector) -> Vector:
    """Return the force on B by eq. 18; ``velocity``: of B relative to A at the point [m/s]."""
    approach = float(velocity @ touch.normal)  # negative while approaching
    # No tension: the printed force is negative for v_N > 1 / c.
    push = law.stiffness * (-touch.distance) ** 3 * max(0.0, 1.0 - law.damping * approach)
    slip = velocity - approach * touch.normal
    speed = math.sqrt(float(slip @ slip))
    force: Vector = push * touch.normal
    if speed > 0.0:
        grip = math.tanh(speed / (2.0 * law.slip_speed))
        force = force - law.friction * push * grip / speed * slip
    return force


def cross(a: Vector, b: Vector) -> Vector:
    """Return a x b of 3 components; takes a fifth of the time of ``numpy.cross``."""
    x, y, z = a.tolist()
    u, v, w = b.tolist()
    return np.array([y * w - z * v, z * u - x * w, x * v - y * u])


def planar_turn(spin: Vector | float, arm: Vector) -> Vector:
    """Return spin x arm in the plane."""
    return spin * np.array([-arm[1], arm[0]])


def planar_moment(arm: Vector, force: Vector) -> float:
    """Return arm x force in the plane."""
    return float(arm[0] * force[1] - arm[1] * force[0])


class Contact:
    """
    Contact loads of a scene: ``loads = contact(places)``.

    Parameters
    ----------
    scene
        Scene of the solids.
    detect, on_ground
        Detectors of two solids, and of a solid and the ground; default: the formulas above.
    """

    def __init__(
        self,
        scene: Scene,
        detect: Detector | None = None,
        on_ground: Callable[..., Touch] | None = None,
    ) -> None:
        self._scene = scene
        self._planar = scene.dimension == 2
        self._size = 3 if self._planar else 6
        solids: list[tuple[int, Solid]] = list(enumerate(scene.solids))
        solids.sort(key=lambda entry: entry[1].is_round)  # flat solids first, as A
        self._order = [index for index, _ in solids]
        kinds = tuple(solid.kind for _, solid in solids)
        known = DETECTORS.get((kinds[0], kinds[-1])) if len(kinds) == 2 else None
        self._detect = detect or known
        self._on_ground = on_ground or ground_ball
        self._sizes = [solid.size for _, solid in solids]
        if scene.ground is None and self._detect is None:
            raise ValueError(f'no detector for {kinds}')
        self._none: Vector = np.zeros(self._size * len(solids))
        self._none.flags.writeable = False

    def __call__(self, places: list[Place]) -> Vector:
        """Return force [N] and moment about the centre of mass [N m], world axes, by solid."""
        ground = self._scene.ground
        if ground is not None:
            touch = self._on_ground(ground, self._sizes[0], places[0])
            if touch.distance >= 0.0:
                return self._none
            velocity = self._velocity(places[0], touch.point)
            loads = self._none.copy()
            force = force_on_b(self._scene.law, touch, velocity)
            self._apply(loads, 0, places[0], touch.point, force)
            return loads
        assert self._detect is not None
        i, k = self._order
        a, b = places[i], places[k]
        touch = self._detect(self._sizes[0], a, self._sizes[1], b)
        if touch.distance >= 0.0:
            return self._none
        velocity = self._velocity(b, touch.point) - self._velocity(a, touch.point)
        loads = self._none.copy()
        force = force_on_b(self._scene.law, touch, velocity)
        self._apply(loads, i, a, touch.point, -force)
        self._apply(loads, k, b, touch.point, force)
        return loads

    def _velocity(self, place: Place, point: Vector) -> Vector:
        arm = point - place.position
        if self._planar:
            return place.velocity + planar_turn(place.spin, arm)
        assert isinstance(place.spin, np.ndarray)
        return place.velocity + cross(place.spin, arm)

    def _apply(
        self, loads: Vector, solid: int, place: Place, point: Vector, force: Vector
    ) -> None:
        arm, at = point - place.position, self._size * solid
        if self._planar:
            loads[at : at + 2] = force
            loads[at + 2] = planar_moment(arm, force)
        else:
            loads[at : at + 3] = force
            loads[at + 3 : at + 6] = cross(arm, force)
