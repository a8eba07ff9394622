"""The same equations by SymPy's own KanesMethod: slow, independent, for reference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sm

from symcontact_ros.model.parts import Body, COORDINATES, Placement, SPEEDS, WORLD
from symcontact_ros.symbolic.forms import SymbolicForms
from symcontact_ros.symbolic.naming import expression


@dataclass
class _Frame:
    """A body on its way into KanesMethod."""

    frame: Any  # me.ReferenceFrame
    origin: Any  # me.Point
    turn: sm.Matrix  # rotation in the world: body components to world components


class KaneForms(SymbolicForms):
    """The equations of a model by Kane's method, in the same symbols."""

    @cached_property
    def _reduced(
        self,
    ) -> tuple[list[tuple[sm.Symbol, sm.Expr]], sm.Matrix, sm.Matrix, sm.Matrix]:
        import sympy.physics.mechanics as me

        self._me = me
        self._world = me.ReferenceFrame('N')
        ground = me.Point('O')
        ground.set_vel(self._world, 0)
        self._frames: dict[str, _Frame] = {WORLD: _Frame(self._world, ground, sm.eye(3))}
        self._q = list(me.dynamicsymbols(' '.join(f'q{i}' for i in range(len(self.q) + 1))))[:-1]
        self._u = list(me.dynamicsymbols(' '.join(f'u{i}' for i in range(len(self.u) + 1))))[:-1]
        self._rates: list[sm.Expr] = []  # qdot in terms of q and u
        bodies, loads = [], []
        for body in self.model.bodies:
            self._add(body)
            if body.mass != 0.0 or any(entry != 0.0 for entry in body.inertia):
                rigid, load = self._rigid(body)
                bodies.append(rigid)
                loads += load
            elif body.name in self.wrench_symbols:
                loads += self._rigid(body)[1]
        return [], *self._equations(bodies, loads)

    def _equations(
        self, bodies: list[object], loads: list[tuple[object, object]]
    ) -> tuple[sm.Matrix, sm.Matrix, sm.Matrix]:
        me = self._me
        time = me.dynamicsymbols._t
        kinematic = [q.diff(time) - rate for q, rate in zip(self._q, self._rates, strict=True)]
        method = me.KanesMethod(self._world, self._q, self._u, kinematic)
        method.kanes_equations(bodies, loads)
        plain = dict(zip([*self._u, *self._q], [*self.u, *self.q], strict=True))
        matrix = me.msubs(method.mass_matrix, plain)
        forcing = me.msubs(method.forcing, plain) + sm.Matrix(self._joint_efforts())
        speed = 0
        for body in self.model.moving:
            if SPEEDS[body.joint.type] == 1:
                matrix[speed, speed] += expression(body.joint.armature, self.symbols)
            speed += SPEEDS[body.joint.type]
        return matrix, forcing, me.msubs(sm.Matrix(self._rates), plain)

    def _add(self, body: Body) -> None:
        """Place frame and origin of a body, and set their velocities."""
        me = self._me
        parent = self._frames[body.joint.parent]
        first_q, first_u = len(self._rates), self._first_speed(body)
        q = self._q[first_q : first_q + COORDINATES[body.joint.type]]
        u = self._u[first_u : first_u + SPEEDS[body.joint.type]]
        mount = me.ReferenceFrame(f'{body.name}_mount')
        turn, shift = self._pose(body.joint.origin)
        mount.orient_explicit(parent.frame, turn)
        frame = me.ReferenceFrame(f'{body.name}_frame')
        base = parent.origin.locatenew(f'{body.name}_base', _vector(parent.frame, shift))
        base.v2pt_theory(parent.origin, self._world, parent.frame)
        rotation, position, velocity, rate = self._joint(body, q, u)
        frame.orient_explicit(mount, rotation)
        frame.set_ang_vel(mount, _vector(frame, rate))
        origin = base.locatenew(f'{body.name}_origin', _vector(mount, position))
        arm = _vector(mount, position)
        carried = base.vel(self._world) + mount.ang_vel_in(self._world).cross(arm)
        origin.set_vel(self._world, carried + _vector(mount, velocity))
        self._frames[body.name] = _Frame(frame, origin, parent.turn * turn * rotation)

    def _first_speed(self, body: Body) -> int:
        before = self.model.bodies[: self.model.bodies.index(body)]
        return sum(SPEEDS[other.joint.type] for other in before)

    def _joint(
        self, body: Body, q: list[sm.Expr], u: list[sm.Expr]
    ) -> tuple[sm.Matrix, sm.Matrix, sm.Matrix, sm.Matrix]:
        """
        Return rotation and position in the mount, and velocities; note the rates of q.

        The velocity is that of the origin in the mount, in its axes; the rate in body axes.
        """
        none = sm.zeros(3, 1)
        kind = body.joint.type
        axis = sm.Matrix([expression(x, {}) for x in body.joint.axis])
        if kind == 'fixed':
            return sm.eye(3), none, none, none
        if kind in ('revolute', 'prismatic'):
            self._rates.append(u[0])
        if kind == 'revolute':
            return _about(axis, q[0]), none, none, axis * u[0]
        if kind == 'prismatic':
            return sm.eye(3), axis * q[0], axis * u[0], none
        if kind == 'planar':
            self._rates += u
            turn = _about(sm.Matrix([0, 0, 1]), q[2])
            return (
                turn,
                sm.Matrix([q[0], q[1], 0]),
                sm.Matrix([u[0], u[1], 0]),
                sm.Matrix([0, 0, u[2]]),
            )
        turn, rates = _quaternion(q[-4:], u[-3:])
        if kind == 'spherical':
            self._rates += rates
            return turn, none, none, sm.Matrix(u)
        velocity = turn * sm.Matrix(u[:3])
        self._rates += [*velocity, *rates]
        return turn, sm.Matrix(q[:3]), velocity, sm.Matrix(u[3:])

    def _rigid(self, body: Body) -> tuple[object, list[tuple[object, object]]]:
        """Return a body for KanesMethod, and what pushes it: gravity and its wrench."""
        me = self._me
        place = self._frames[body.name]
        live = self.symbols
        mass = expression(body.mass, live)
        com = place.origin.locatenew(
            f'{body.name}_com', _vector(place.frame, [expression(x, live) for x in body.com])
        )
        com.v2pt_theory(place.origin, self._world, place.frame)
        xx, yy, zz, xy, xz, yz = (expression(x, live) for x in body.inertia)
        inertia = me.inertia(place.frame, xx, yy, zz, xy, yz, xz)
        rigid = me.RigidBody(body.name, com, place.frame, mass, (inertia, com))
        gravity = [mass * expression(g, live) for g in self.model.gravity]
        force, torque = self.wrench_symbols.get(body.name, ([0] * 3, [0] * 3))
        push = [g + f for g, f in zip(gravity, force, strict=True)]
        return rigid, [
            (com, _vector(self._world, push)),
            (place.frame, _vector(self._world, torque)),
        ]

    def _pose(self, placement: Placement) -> tuple[sm.Matrix, list[sm.Expr]]:
        live = self.symbols
        roll, pitch, yaw = (expression(angle, live) for angle in placement.rotation.rpy)
        x, y, z = (sm.Matrix(sm.eye(3)[:, i]) for i in range(3))
        turn = _about(z, yaw) * _about(y, pitch) * _about(x, roll)
        if placement.rotation.quaternion is not None:
            numbers = [sm.Float(x) for x in placement.rotation.evaluated(self.model.parameters)]
            turn = _quaternion(numbers, [0, 0, 0])[0]
        return turn, [expression(x, live) for x in placement.position]


def _vector(frame: Any, components: Any) -> Any:
    x, y, z = components
    return x * frame.x + y * frame.y + z * frame.z


def _about(axis: sm.Matrix, angle: sm.Expr) -> sm.Matrix:
    """Return the rotation by an angle about a unit axis."""
    x, y, z = axis
    skew = sm.Matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return sm.cos(angle) * sm.eye(3) + sm.sin(angle) * skew + (1 - sm.cos(angle)) * axis * axis.T


def _quaternion(q: list[sm.Expr], rates: list[sm.Expr]) -> tuple[sm.Matrix, list[sm.Expr]]:
    """Return rotation, and rate at body rates, of a unit quaternion x, y, z, w."""
    x, y, z, w = q
    a, b, c = (sm.Rational(1, 2) * rate for rate in rates)
    rotation = sm.Matrix(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    return rotation, [
        w * a + y * c - z * b,
        w * b + z * a - x * c,
        w * c + x * b - y * a,
        -x * a - y * b - z * c,
    ]
