"""Reference derivation of the same equations by SymPy's KanesMethod: independent and slow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sm

from symcontact_ros.joints.joint_motion import JointSymbols
from symcontact_ros.joints.kane_motion import turn_about, turn_by_quaternion
from symcontact_ros.model.joint_places import JointPlaces
from symcontact_ros.model.parts import Body, WORLD
from symcontact_ros.placements import Placement
from symcontact_ros.symbolic.forms import SymbolicForms
from symcontact_ros.symbolic.naming import expression


@dataclass
class _Frame:
    """Frame and origin of a body in sympy.physics.mechanics."""

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
        self._places = JointPlaces(self.model)
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
        forcing = me.msubs(method.forcing, plain) + sm.Matrix(self.effort_by_speed())
        forcing += sm.Matrix(self.passive_by_speed())
        for body in self.model.jointed:
            if body.joint.kind.is_single:
                speed, factor = self._places.u[body.name].start, self._bond(body)[0]
                armature = expression(body.joint.armature, self.symbols)
                matrix[speed, speed] += factor**2 * armature
        return matrix, forcing, me.msubs(sm.Matrix(self._rates), plain)

    def _add(self, body: Body) -> None:
        """Place frame and origin of a body, and set their velocities."""
        me = self._me
        parent = self._frames[body.joint.parent]
        q, u = self._q[self._places.q[body.name]], self._u[self._places.u[body.name]]
        if body.joint.mimic is not None:  # the bond is substituted: Kane's method never sees it
            factor, offset = self._bond(body)
            q, u = [factor * q[0] + offset], [factor * u[0]]
        mount = me.ReferenceFrame(f'{body.name}_mount')
        turn, shift = self._pose(body.joint.origin)
        mount.orient_explicit(parent.frame, turn)
        frame = me.ReferenceFrame(f'{body.name}_frame')
        base = parent.origin.locatenew(f'{body.name}_base', _vector(parent.frame, shift))
        base.v2pt_theory(parent.origin, self._world, parent.frame)
        axis = [expression(x, {}) for x in body.joint.axis]
        constants = [expression(x, self.symbols) for x in body.joint.constants]
        motion = body.joint.kind.reference_motion(JointSymbols(axis, constants, q, u))
        if body.joint.mimic is None:
            self._rates += motion.qdot
        frame.orient_explicit(mount, motion.rotation)
        frame.set_ang_vel(mount, _vector(frame, motion.rates))
        arm = _vector(mount, motion.position)
        origin = base.locatenew(f'{body.name}_origin', arm)
        carried = base.vel(self._world) + mount.ang_vel_in(self._world).cross(arm)
        origin.set_vel(self._world, carried + _vector(mount, motion.velocity))
        self._frames[body.name] = _Frame(frame, origin, parent.turn * turn * motion.rotation)

    def _bond(self, body: Body) -> tuple[sm.Expr, sm.Expr]:
        """Return multiplier and offset with which a joint follows; 1 and 0 of its own."""
        mimic = body.joint.mimic
        if mimic is None:
            return sm.S.One, sm.S.Zero
        offset = expression(mimic.offset, self.symbols)
        return expression(mimic.multiplier, self.symbols), offset

    def _rigid(self, body: Body) -> tuple[object, list[tuple[object, object]]]:
        """Return a body for KanesMethod, and its loads: gravity and the wrench on it."""
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
        turn = turn_about(z, yaw) * turn_about(y, pitch) * turn_about(x, roll)
        if placement.rotation.quaternion is not None:
            numbers = [sm.Float(x) for x in placement.rotation.evaluated(self.model.parameters)]
            turn = turn_by_quaternion(numbers, [0, 0, 0])[0]
        return turn, [expression(x, live) for x in placement.position]


def _vector(frame: Any, components: Any) -> Any:
    x, y, z = components
    return x * frame.x + y * frame.y + z * frame.z
