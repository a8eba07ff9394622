"""The model's own equations as functions of the whole state."""

from __future__ import annotations

from collections.abc import Sequence
import math
from typing import NamedTuple

from symcontact_ros.compiled.python_backend import compile_function
from symcontact_ros.model.model import Body, Model
from symcontact_ros.tape import split

Numbers = Sequence[float]


class Motion(NamedTuple):
    """Where a body is and how it moves, in the plane and in world axes."""

    frame: tuple[float, ...]  # x, y [m], cos, sin of the body frame
    com: tuple[float, ...]  # x, y of the centre of mass [m]
    twist: tuple[float, ...]  # vx, vy of the centre of mass [m/s], rate of turn [rad/s]
    mass: float  # [kg], inf for fixed bodies
    inertia: float  # about the centre of mass [kg m^2], inf for fixed bodies


class Dynamics:
    """Kinematics and accelerations of all bodies of a model; q and u have 3 numbers a body."""

    def __init__(self, model: Model) -> None:
        # SymPy takes half a second to import: only here, where equations are derived.
        from symcontact_ros.symbolic import planar_body

        prologue, dynamics = split(planar_body.dynamics(), 'parameters')
        kinematic_prologue, kinematics = split(planar_body.kinematics(), 'parameters')
        self._accelerate = compile_function(dynamics)
        self._move = compile_function(kinematics)
        self.moving = model.moving
        parameters = [_parameters(body, model) for body in model.moving]
        self._constants = [compile_function(prologue)(p)[0] for p in parameters]
        self._kinematic_constants = [
            compile_function(kinematic_prologue)(p)[0] for p in parameters
        ]
        self._fixed = {body.name: _rest(body) for body in model.bodies if body.fixed}

    def motions(self, q: Numbers, u: Numbers) -> dict[str, Motion]:
        """Return pose and twist of every body by name."""
        motions = dict(self._fixed)
        for i, body in enumerate(self.moving):
            three = slice(3 * i, 3 * i + 3)
            frame, com, twist = self._move(q[three], u[three], self._kinematic_constants[i])
            motions[body.name] = Motion(frame, com, twist, body.mass, body.inertia)
        return motions

    def rates(
        self, q: Numbers, u: Numbers, wrenches: dict[str, list[float]]
    ) -> tuple[list[float], list[float]]:
        """Return qdot and udot under wrenches (fx, fy, torque about the centre of mass)."""
        qdot: list[float] = []
        udot: list[float] = []
        for i, body in enumerate(self.moving):
            three = slice(3 * i, 3 * i + 3)
            body_qdot, body_udot = self._accelerate(
                q[three], u[three], wrenches[body.name], self._constants[i]
            )
            qdot += body_qdot
            udot += body_udot
        return qdot, udot


def _parameters(body: Body, model: Model) -> tuple[float, ...]:
    """Return the constants of a body in the order of ``planar_body.PARAMETERS``."""
    return body.mass, body.inertia, *body.com[:2], *model.gravity[:2]


def _rest(body: Body) -> Motion:
    x, y, _ = body.initial.position
    frame = (x, y, math.cos(body.initial.angle), math.sin(body.initial.angle))
    return Motion(frame, (x, y), (0.0, 0.0, 0.0), math.inf, math.inf)
