"""
Cells: all numbers in memory that are formulas of live symbols, traced.

They are what `world.filling`, `Coordinates` and `initial_state` compute, without what needs a
choice: `symbol_kernels` has that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
import contextlib
import math
from typing import Any

from symcontact_ros.collision.convex_programs.options import Options
from symcontact_ros.collision.detection import Detection
from symcontact_ros.contact.custom import CONSTANTS
from symcontact_ros.contact.laws import law_named
from symcontact_ros.contact.material import Material
from symcontact_ros.expressions import Formula, Scalar
from symcontact_ros.kernels.records import Image, layout_of, Record
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import Body, WORLD
from symcontact_ros.placements import AT_ORIGIN, matrix, Placement, quaternion_of, Rotation
from symcontact_ros.shapes.base import Shape
from symcontact_ros.shapes.records import PlanarSolid, SpatialSolid
from symcontact_ros.shapes.table import core_of
from symcontact_ros.simulation.bodies.body import FIXED
from symcontact_ros.simulation.observing.motion_kernel import MotionRecord
from symcontact_ros.simulation.world.filling import ENDLESS
from symcontact_ros.simulation.world.layout import Layout
from symcontact_ros.simulation.world.solver_records import VelocityBlock
from symcontact_ros.simulation.world.world import AnyWorld
from symcontact_ros.web.engine_records import Engine
from symcontact_ros.web.shape_cells import Cells, shape_cells, shrunk_cells, UntraceableError
from symcontact_ros.web.tracing import length, Number, smaller, Traced, Tracer

Vector = tuple[Traced, Traced, Traced]
Matrix = Sequence[Sequence[Traced]]


class SymbolCells:
    """
    Numbers in memory that follow from live symbols.

    Attributes
    ----------
    cells
        By slot from the world; constants included.
    """

    def __init__(
        self,
        layout: Layout,
        detection: Detection,
        tracer: Tracer,
        world: Image[AnyWorld],
        motions: tuple[int, Image[MotionRecord]],
        engine: tuple[int, Image[Engine]],
    ) -> None:
        self.cells: dict[int, Traced] = {}
        self._layout = layout
        self._model: Model = layout.model
        self._detection = detection
        self._tracer = tracer
        self._world = world
        self._motions_at, self._motions = motions
        self._engine_at, self._engine = engine
        self._shapes()
        self._bodies()
        for i, (_, material) in enumerate(layout.materials):
            self._material(i, material)
        self._joints()
        self._groups()
        self._solver()
        self._sites()
        self._limits()
        self._initial()
        gravity = layout_of(layout.world_type).fields['gravity'].offset
        self._put(gravity, tracer.scalars(self._model.gravity))

    def _put(self, slot: int, numbers: Sequence[Number]) -> None:
        for i, number in enumerate(numbers):
            self.cells[slot + i] = self._tracer.number(number)

    def _put_engine(self, block: str, index: int, field: str, numbers: Sequence[Number]) -> None:
        self._put(self._engine_at + self._engine.slot(block, index, field), numbers)

    # Placements ---------------------------------------------------------------------------------

    def _quaternion(self, rotation: Rotation) -> Sequence[Traced]:
        """Return the unit quaternion of a rotation: see `Rotation.evaluated`."""
        scalars = rotation.rpy if rotation.quaternion is None else rotation.quaternion
        if not any(isinstance(scalar, Formula) for scalar in scalars):
            return tuple(map(self._tracer.number, rotation.evaluated({})))
        numbers = self._tracer.scalars(scalars)
        if rotation.quaternion is not None:
            size = length(numbers)
            return tuple(number / size for number in numbers)
        halves = [0.5 * angle for angle in numbers]
        cr, cp, cy = (half.function('cos') for half in halves)
        sr, sp, sy = (half.function('sin') for half in halves)
        return (
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
            cr * cp * cy + sr * sp * sy,
        )

    def _matrix(self, rotation: Rotation) -> Matrix:
        found: list[list[Traced]] = matrix(tuple(self._quaternion(rotation))).tolist()  # type: ignore[arg-type]
        return found

    def _ground_pose(self, body: Body) -> tuple[Matrix, Vector]:
        """Return rotation and position of a joint frame: see `initial_state.ground_pose`."""
        chain = [body]
        while chain[0].joint.parent != WORLD:
            parent = self._model.body(chain[0].joint.parent)
            if not parent.joint.kind.is_fixed:
                break
            chain.insert(0, parent)
        number = self._tracer.number
        rotation: Matrix = [[number(float(i == k)) for k in range(3)] for i in range(3)]
        position: Vector = (number(0.0), number(0.0), number(0.0))
        for link in chain:
            turn, shift = self._pose(link.joint.origin)
            position = plus(position, product(rotation, shift))
            columns = [product(rotation, (turn[0][k], turn[1][k], turn[2][k])) for k in range(3)]
            rotation = [[columns[k][i] for k in range(3)] for i in range(3)]
        return rotation, position

    def _pose(self, placement: Placement) -> tuple[Matrix, Vector]:
        x, y, z = self._tracer.scalars(placement.position)
        return self._matrix(placement.rotation), (x, y, z)

    def _frame(self, rotation: Matrix, origin: Sequence[Traced]) -> list[Traced]:
        if self._layout.is_planar:
            return [rotation[0][0], rotation[1][0], origin[0], origin[1]]
        return [*(rotation[i][k] for k in range(3) for i in range(3)), *origin]

    def _com(self, body: Body) -> Vector:
        if body.name in self._model.grounded:
            zero = self._tracer.number(0.0)
            return zero, zero, zero
        x, y, z = self._tracer.scalars(body.com)
        return x, y, z

    # Shapes and bodies --------------------------------------------------------------------------

    def _shapes(self) -> None:
        for i, (owner, placed) in enumerate(self._layout.placed):
            rotation, position = self._pose(placed.placement)
            offset = minus(position, self._com(self._model.bodies[owner]))
            slot = self._world.slot
            self._put(slot('shapes', i, 'frame'), self._frame(rotation, offset))
            start = int(self._world['shapes']['solid'][i])
            with contextlib.suppress(UntraceableError):  # such a symbol is not live here
                cells = self._solid(placed.shape, self._world.slot('solids') + start)
                if not placed.shape.is_bounded:
                    continue
                self._put(slot('shapes', i, 'reach'), [self._reach(cells, offset)])
                extent = 2.0 * self._tracer.number(
                    smaller(*self._tracer.scalars(placed.shape.scalars()))
                )
                self._put(slot('shapes', i, 'extent'), [smaller(ENDLESS, extent)])

    @staticmethod
    def _reach(cells: Cells, offset: Sequence[Traced]) -> Number:
        x, y, z = offset
        (own,) = cells['reach']
        return smaller(ENDLESS, (x * x + y * y + z * z).sqrt() + own)

    def _solid(self, shape: Shape, start: int) -> Cells:
        """Write the block of a shape at a slot; return its cells."""
        dimension, options = self._model.dimension, self._detection.options
        scalars = self._tracer.scalars(shape.scalars())
        if all(number.is_constant for number in scalars):
            return self._constant_head(start)
        cells = shape_cells(shape.kind, dimension, scalars)
        self._put_solid(start, cells)
        if self._detection.detector == 'co' and shape.is_bounded and options.is_shrinking:
            record = PlanarSolid if dimension == 2 else SpatialSolid
            at = start + int(self._ints(start + layout_of(record).fields['shrunk'].offset)[0])
            self._put_solid(at, self._shrunk(shape, scalars, options))
        return cells

    def _shrunk(self, shape: Shape, scalars: Sequence[Traced], options: Options) -> Cells:
        dimension = self._model.dimension
        if core_of(shape, dimension).is_rounded:
            return shape_cells(shape.kind, dimension, scalars)
        return shrunk_cells(shape.kind, dimension, scalars, options.margin)

    def _constant_head(self, start: int) -> Cells:
        """Return the reach of a shape that has no formulas, around its centre."""
        solid = PlanarSolid if self._layout.is_planar else SpatialSolid
        fields = layout_of(solid).fields
        centre = self._world.memory[start + fields['centre'].offset :][:3]
        if centre.any():
            raise UntraceableError('the frame of a shape with another centre depends on it')
        return {'reach': [float(self._world.memory[start + fields['reach'].offset])]}

    def _put_solid(self, start: int, cells: Cells) -> None:
        record: type[Record] = PlanarSolid if self._layout.is_planar else SpatialSolid
        fields = layout_of(record).fields
        for place, numbers in cells.items():
            if isinstance(place, str):
                self._put(start + fields[place].offset, numbers)
                continue
            block, index, name = place
            member = layout_of(fields[block].kind.member)
            first = start + int(self._ints(start + fields[block].offset)[0])
            self._put(first + index * member.slots + member.fields[name].offset, numbers)

    def _ints(self, slot: int) -> Any:
        return self._world.memory.view('i8')[slot : slot + 2]

    def _bodies(self) -> None:
        for i, body in enumerate(self._model.bodies):
            self._put_engine('bodies', i, 'mass', [self._tracer.scalar(body.mass)])
            self._put_engine('bodies', i, 'moments', self._tracer.scalars(body.inertia))
            self._put(self._motions_at + self._motions.slot('centres', i), self._com(body))
            if self._world['bodies']['kind'][i] == FIXED:
                frame = self._frame(*self._ground_pose(body))
                self._put(self._world.slot('bodies', i, 'frame'), frame)
        for i, body in enumerate(self._layout.floating):
            self._put_engine('floating', i, 'com', self._com(body))

    def _sites(self) -> None:
        placements = [site for body in self._model.bodies for site in body.sites.values()]
        for i, placement in enumerate(placements):
            rotation, position = self._pose(placement)
            slot = self._motions_at + self._motions.slot('sites', i, 'offset')
            self._put(slot, position)
            turn = [entry for row in rotation for entry in row]
            self._put(self._motions_at + self._motions.slot('sites', i, 'turn'), turn)

    # Materials, joints, groups ------------------------------------------------------------------

    def _material(self, number: int, material: Material) -> None:
        scalar = self._tracer.scalar
        static = material.static_friction
        slip = scalar(material.slip_speed)
        numbers = {
            'stiffness': scalar(material.stiffness),
            'damping': scalar(material.damping),
            'friction': scalar(material.friction),
            'half_inverse_slip': 0.5 / slip,
            'presliding': scalar(material.presliding or 0.0),
            'slip_speed': slip,
            'torsional_radius': scalar(material.torsional_radius),
            'static_friction': scalar(material.friction if static is None else static),
        }
        for name, value in numbers.items():
            self._put(self._world.slot('materials', number, name), [value])
        law = law_named(material.law)
        record = self._world.slot('materials', number)
        at = record + int(self._world['materials']['own'][number][0])
        if law.has_formulas:
            self._put(at, self._custom(material, law.own_names(material)))
        else:
            own = [material.own[name] for name in law.own_names(material)]
            self._put(at, self._tracer.scalars(own))

    def _custom(self, material: Material, names: Sequence[str]) -> list[Traced]:
        """Return the constants in the formulas of a law: its own, or live symbols."""
        own = {name: getattr(material, key) for name, key in CONSTANTS.items()}
        return [self._tracer.scalar(own.get(name, Formula.symbol(name))) for name in names]

    def _joints(self) -> None:
        model, row = self._model, 0
        for body in model.moving:
            joint = body.joint
            if not joint.kind.is_single:
                continue
            limits = joint.limits
            stops: tuple[Scalar, ...] = (-math.inf, math.inf, 0.0, 0.0)
            if limits is not None:
                stops = limits.lower, limits.upper, limits.stiffness, limits.damping
            fields = {
                'stiffness': joint.stiffness,
                'rest': joint.rest_position,
                'damping': joint.damping,
                'friction': joint.friction,
                'velocity_limit': joint.velocity_limit,
                **dict(zip(_STOPS, stops, strict=True)),
            }
            if joint.servo is None:
                fields['effort_limit'] = joint.effort_limit
            for name, scalar in fields.items():
                self._put(self._world.slot('joints', row, name), [self._tracer.scalar(scalar)])
            row += 1
        self._servos()
        for i, (_, factor) in enumerate(effort_places(model)):
            self._put_engine('efforts', i, 'factor', [self._tracer.scalar(factor)])

    def _servos(self) -> None:
        for i, body in enumerate(servo_bodies(self._model)):
            joint, servo = body.joint, body.joint.servo
            assert servo is not None
            kp, kd = self._layout.gains[joint.name]
            numbers = {
                'kp': kp,
                'kd': kd,
                'max_effort': servo.max_effort,
                'effort_limit': joint.effort_limit,
                'target': 0.0 if servo.target is None else servo.target,
            }
            for name, scalar in numbers.items():
                self._put_engine('servos', i, name, [self._tracer.scalar(scalar)])

    def _groups(self) -> None:
        start = 0
        for number in self._layout.groups:
            group = self._layout.dynamics.groups[number]
            scalars = (*group.slots, *self._model.gravity)
            at = self._engine_at + self._engine.slot('numbers', start)
            self._put(at, self._tracer.scalars(scalars))
            start += len(scalars)

    def _solver(self) -> None:
        at = self._world.slot('solvers') + int(self._world['solvers']['blocks'][0][0])
        block = layout_of(VelocityBlock)
        for i, body in enumerate(self._layout.floating):
            start = at + i * block.slots
            self._put(start + block.fields['mass'].offset, [self._tracer.scalar(body.mass)])
            moments = self._tracer.scalars(body.inertia)
            self._put(start + block.fields['moments'].offset, moments)

    def _limits(self) -> None:
        for i, limit in enumerate(self._model.limits):
            scalars = (limit.scalar, limit.above, limit.minimum, limit.at_least)
            self._put_engine('limits', i, 'number', self._tracer.scalars(scalars))

    # The start ----------------------------------------------------------------------------------

    def _initial(self) -> None:
        at = self._engine_at + self._engine.slot('initial')
        size = self._layout.space.STATE
        for i, body in enumerate(self._layout.floating):
            make = self._planar_start if self._layout.is_planar else self._free_start
            if self._stands_on_world(body):
                self._put(at + size * i, make(body))
        q = u = 0
        for body in self._model.moving:
            kind = body.joint.kind
            if kind.is_single:
                for places, index, given in (
                    (self._layout.state_of_q, q, body.initial.position),
                    (self._layout.state_of_u, u, body.initial.velocity),
                ):
                    self._put(at + places[index], self._tracer.scalars(given or (0.0,)))
            elif body.joint.type == 'free' and q in self._layout.state_of_q:
                self._free_joint(body, at + self._layout.state_of_q[q], at, u)
            q += kind.coordinates
            u += kind.speeds

    def _free_joint(self, body: Body, first: int, at: int, u: int) -> None:
        """Write position and speeds of a free body that carries others, unless it is turned."""
        rotation = body.initial.rotation
        scalars = (*rotation.rpy, *(rotation.quaternion or ()))
        if not self._stands_on_world(body) or any(isinstance(s, Formula) for s in scalars):
            return
        place, velocity, spin = self._given(body)
        self._put(first, place)
        self._put(at + self._layout.state_of_u[u], self._in_body(body, velocity))
        self._put(at + self._layout.state_of_u[u + 3], self._in_body(body, spin))

    @staticmethod
    def _stands_on_world(body: Body) -> bool:
        """Return whether the joint frame of a body is the world."""
        return body.joint.parent == WORLD and body.joint.origin == AT_ORIGIN

    def _given(self, body: Body) -> tuple[Vector, Vector, Vector]:
        """Return position, velocity and rate of turn at the start, world axes."""
        initial, number = body.initial, self._tracer.number
        none = number(0.0), number(0.0), number(0.0)
        if not initial.is_given:
            return none, none, none
        vectors = (initial.position, initial.velocity, initial.angular_velocity)
        place, velocity, spin = (self._tracer.scalars(v) or none for v in vectors)
        return place, velocity, spin  # type: ignore[return-value]

    def _planar_start(self, body: Body) -> list[Traced]:
        """Return the state of a planar body whose joint frame is the world."""
        place, velocity, spin = self._given(body)
        quaternion = self._quaternion(body.initial.rotation)
        angle = 2.0 * quaternion[2].atan2(quaternion[3])
        if quaternion[2].is_constant:
            _, _, z, w = body.initial.rotation.evaluated({})
            angle = self._tracer.number(2.0 * math.atan2(z, w))
        x, y, _ = self._com(body)
        cosine, sine = angle.function('cos'), angle.function('sin')
        arm = cosine * x - sine * y, sine * x + cosine * y
        rate = spin[2]
        return [
            place[0] + arm[0],
            place[1] + arm[1],
            angle,
            velocity[0] + rate * -arm[1],
            velocity[1] + rate * arm[0],
            rate,
        ]

    def _free_start(self, body: Body) -> list[Traced]:
        """Return the state of a free body whose joint frame is the world."""
        place, velocity, spin = self._given(body)
        own_velocity, own_spin = (self._in_body(body, vector) for vector in (velocity, spin))
        quaternion = self._start_quaternion(body)
        turn: Matrix = matrix(tuple(quaternion)).tolist()  # type: ignore[arg-type]
        com = self._com(body)
        xx, yy, zz, xy, xz, yz = self._tracer.scalars(body.inertia)
        inertia = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
        moving = plus(own_velocity, cross(own_spin, com))
        return [
            *plus(place, product(turn, com)),
            *quaternion,
            *product(turn, moving),
            *product(turn, product(inertia, own_spin)),
        ]

    def _in_body(self, body: Body, vector: Vector) -> Vector:
        """Return components in the body, as it is turned at the start."""
        turn = self._matrix(body.initial.rotation)
        return product([[turn[k][i] for k in range(3)] for i in range(3)], vector)

    def _start_quaternion(self, body: Body) -> Sequence[Traced]:
        """Return the attitude at the start; one that is constant as `quaternion_of` gives it."""
        given = self._quaternion(body.initial.rotation)
        if not all(number.is_constant for number in given):
            return given
        numbers = quaternion_of(matrix(tuple(number.value for number in given)))
        return tuple(map(self._tracer.number, numbers.tolist()))


_STOPS = ('lower', 'upper', 'limit_stiffness', 'limit_damping')


def servo_bodies(model: Model) -> list[Body]:
    """Return the bodies whose joints have a servo."""
    return [body for body in model.bodies if body.joint.servo is not None]


def effort_places(model: Model) -> Iterator[tuple[str, Scalar]]:
    """Yield the joint that an effort acts on, and its factor, of each joint that takes efforts."""
    for name in effort_names(model):
        mimic = model.followers.get(name)
        yield (name, 1.0) if mimic is None else (mimic.joint, mimic.multiplier)


def effort_names(model: Model) -> list[str]:
    """Return the joints that take efforts: those of one degree of freedom, and their followers."""
    return [*model.joint_names, *(name for name in model.followers)]


def plus(a: Vector, b: Vector) -> Vector:
    """Return a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a: Vector, b: Vector) -> Vector:
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def product(rows: Matrix, a: Sequence[Traced]) -> Vector:
    """Return a matrix times a vector."""
    x, y, z = (row[0] * a[0] + row[1] * a[1] + row[2] * a[2] for row in rows)
    return x, y, z


def cross(a: Vector, b: Vector) -> Vector:
    """Return the vector product."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )
