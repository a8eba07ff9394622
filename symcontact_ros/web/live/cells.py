"""
Cells: all numbers in memory that are formulas of live symbols, traced.

They are what `world.filling` computes, and the state at the start, without what needs a choice:
`engine.symbols` has that.
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
from symcontact_ros.model.parts import Body
from symcontact_ros.shapes.base import Shape
from symcontact_ros.shapes.records import PlanarSolid, SpatialSolid
from symcontact_ros.shapes.table import core_of
from symcontact_ros.simulation.bodies.body import FIXED
from symcontact_ros.simulation.observing.motion_kernel import MotionRecord
from symcontact_ros.simulation.world.layout import Layout
from symcontact_ros.simulation.world.solver_records import VelocityBlock
from symcontact_ros.simulation.world.world import AnyWorld
from symcontact_ros.simulation.world.world_records import ENDLESS
from symcontact_ros.web.engine.records import Engine
from symcontact_ros.web.live.placing import minus, Placing
from symcontact_ros.web.live.shape_cells import Cells, shape_cells, shrunk_cells, UntraceableError
from symcontact_ros.web.live.start_cells import StartCells
from symcontact_ros.web.live.tracing import Number, smaller, Traced, Tracer


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
        *,
        world: Image[AnyWorld],
        motions: tuple[int, Image[MotionRecord]],
        engine: tuple[int, Image[Engine]],
    ) -> None:
        self.cells: dict[int, Traced] = {}
        self._layout = layout
        self._model: Model = layout.model
        self._detection = detection
        self._tracer = tracer
        self._placing = Placing(layout.model, tracer)
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
        at = self._engine_at + self._engine.slot('initial')
        for place, number in StartCells(layout, self._placing).cells.items():
            self._put(at + place, [number])
        gravity = layout_of(layout.world_type).fields['gravity'].offset
        self._put(gravity, tracer.scalars(self._model.gravity))

    def _put(self, slot: int, numbers: Sequence[Number]) -> None:
        for i, number in enumerate(numbers):
            self.cells[slot + i] = self._tracer.number(number)

    def _put_engine(self, block: str, index: int, field: str, numbers: Sequence[Number]) -> None:
        self._put(self._engine_at + self._engine.slot(block, index, field), numbers)

    # Shapes and bodies --------------------------------------------------------------------------

    def _shapes(self) -> None:
        for i, (owner, placed) in enumerate(self._layout.placed):
            rotation, position = self._placing.pose(placed.placement)
            offset = minus(position, self._placing.com(self._model.bodies[owner]))
            slot = self._world.slot
            self._put(slot('shapes', i, 'frame'), self._placing.frame(rotation, offset))
            start = int(self._world['shapes']['solid'][i])
            with contextlib.suppress(UntraceableError):  # such a symbol is not live here
                cells = self._solid(placed.shape, self._world.slot('solids') + start)
                if not placed.shape.is_bounded or not placed.shape.is_convex:
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
            self._put(self._motions_at + self._motions.slot('centres', i), self._placing.com(body))
            if self._world['bodies']['kind'][i] == FIXED:
                frame = self._placing.frame(*self._placing.ground_pose(body))
                self._put(self._world.slot('bodies', i, 'frame'), frame)
        for i, body in enumerate(self._layout.floating):
            self._put_engine('floating', i, 'com', self._placing.com(body))

    def _sites(self) -> None:
        placements = [site for body in self._model.bodies for site in body.sites.values()]
        for i, placement in enumerate(placements):
            rotation, position = self._placing.pose(placement)
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
