"""The scenarios of Table I as plain numbers, read from their model files."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from symcontact_ros.errors import OptionError
from symcontact_ros.model.initial_state import initial_state
from symcontact_ros.model.library import load_model
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import Body
from symcontact_ros.shapes.base import numbers
from symcontact_ros.shapes.half_space import HalfSpace
from symcontact_ros.types import Vector

SCENARIOS = (
    'bouncing_circle',
    'circle_circle',
    'rectangle_circle',
    'rectangle_rectangle',
    'sphere_cuboid',
)
ROUND = ('circle', 'sphere')


@dataclass(frozen=True)
class Solid:
    """A floating body; its frame is at its centre of mass."""

    name: str
    kind: str  # circle, rectangle, sphere, box
    size: Vector  # radius, or half extents [m]
    mass: float  # [kg]
    inertia: Vector  # principal moments, about x, y, z of the body [kg m^2]
    q: Vector  # as in `Simulation.q`: x, y, angle; or position, quaternion x y z w
    u: Vector  # as in `Simulation.u`: free bodies in body axes

    @property
    def is_round(self) -> bool:
        """Whether its contacts depend on its position only."""
        return self.kind in ROUND


@dataclass(frozen=True)
class Law:
    """Constants of eq. 18."""

    stiffness: float  # [N/m^3]
    damping: float  # [s/m]
    friction: float  # [-]
    slip_speed: float  # [m/s]


@dataclass(frozen=True)
class Ground:
    """A half-space: solid where normal . x < offset."""

    normal: Vector
    offset: float  # [m]


@dataclass(frozen=True)
class Scene:
    """Two solids, or one solid and the ground."""

    name: str
    dimension: int
    gravity: Vector  # [m/s^2]
    solids: tuple[Solid, ...]
    ground: Ground | None
    law: Law

    @property
    def is_flat_on_flat(self) -> bool:
        """Whether both bodies are flat, so that their manifold may have several points."""
        return not any(solid.is_round for solid in self.solids)


def scene_of(model: Model) -> Scene:
    """Return the scene of a model of two floating bodies, or of one above a half-space."""
    q, u = initial_state(model, model.parameters)
    solids = []
    for body in model.moving:
        at, speeds = body.joint.kind.coordinates, body.joint.kind.speeds
        solids.append(_solid(model, body, q[:at], u[:speeds]))
        q, u = q[at:], u[speeds:]
    grounds = [model.body(name) for name in sorted(model.grounded)]
    if len(solids) + len(grounds) != 2:
        raise OptionError(f'{model.name}: a scenario of Table I has two bodies')
    material = model.material(*model.pairs[0])
    constants = (material.stiffness, material.damping, material.friction, material.slip_speed)
    return Scene(
        model.name,
        model.dimension,
        np.array([model.number(g) for g in model.gravity]),
        tuple(solids),
        _ground(model, grounds[0]) if grounds else None,
        Law(*map(model.number, constants)),
    )


def load_scene(name: str) -> tuple[Model, Scene]:
    """Return a scenario as a model and as plain numbers."""
    model = load_model(name)
    return model, scene_of(model)


def _solid(model: Model, body: Body, q: Vector, u: Vector) -> Solid:
    shape = body.shapes[0].shape.evaluated(model.parameters)
    size = getattr(shape, 'half_extents', None) or (getattr(shape, 'radius', 0.0),)
    return Solid(
        body.name,
        shape.kind,
        np.array(numbers(size)),
        model.number(body.mass),
        np.array([model.number(x) for x in body.inertia[:3]]),
        q,
        u,
    )


def _ground(model: Model, body: Body) -> Ground:
    shape = body.shapes[0].shape.evaluated(model.parameters)
    if not isinstance(shape, HalfSpace):
        raise OptionError(f'{model.name}: the ground of a scenario of Table I is a half-space')
    normal = np.array(numbers(shape.normal))
    length = float(np.linalg.norm(normal))
    return Ground(normal / length, float(numbers(shape.offset)[0]) / length)
