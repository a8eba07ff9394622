"""Layout of the world's memory: the size of every block, and where everything is in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
import itertools
from typing import Any, NamedTuple

from symcontact_ros.collision.broad_phase import pair_number
from symcontact_ros.collision.detection import AnyPair, Table
from symcontact_ros.contact.laws import law_named
from symcontact_ros.errors import OptionError
from symcontact_ros.kernels.functions import compile_functions, Function
from symcontact_ros.model.model import Model
from symcontact_ros.model.servo_gains import servo_gains
from symcontact_ros.model.structure import Group as ModelGroup
from symcontact_ros.simulation.bodies import planar_body, spatial_body
from symcontact_ros.simulation.bodies.space import Space
from symcontact_ros.simulation.equations.dynamics import Dynamics
from symcontact_ros.simulation.world.shared_kernels import shared_kernels
from symcontact_ros.simulation.world.solver_layout import SolverLayout
from symcontact_ros.simulation.world.start_overlaps import body_pairs
from symcontact_ros.simulation.world.world import AnyWorld, PlanarWorld, SpatialWorld
from symcontact_ros.simulation.world.world_records import KINDS

# Blocks of a group in the scratch memory, in order.
_BLOCKS = (
    *('constants', 'zeros', 'effort', 'loads'),
    *('frames', 'centres', 'twists', 'rates', 'energies', 'weights'),
    *('mass_matrix', 'bias'),
)


def is_floating(model: Model, group: ModelGroup) -> bool:
    """Return whether a group is one floating body, whose equations are part of the step."""
    kind = group.structure.links[-1].kind
    return group.moving_count == 1 and kind.floating_in == model.dimension


def _law_programs(model: Model) -> Iterator[tuple[str, Function]]:
    """Yield the functions of the materials whose law is given by formulas, by name."""
    for name, material in model.materials.items():
        law = law_named(material.law)
        if law.state_slots:
            reason = f'law {law.name} needs state, which no step stores'
            raise OptionError(f'materials.{name}: {reason}')
        if law.has_formulas:
            (function,) = compile_functions([law.program_of(material)]).values()
            yield name, function


class GroupFunctions(NamedTuple):
    """Functions of a group, and how many numbers each of its blocks has."""

    kinematics: Function
    gravity: Function | None  # None: no joint compensates it
    energy: Function
    lengths: dict[str, int]


class Layout:
    """
    Layout of the world of a model; it depends on no live symbol, and never changes.

    Parameters
    ----------
    model, dynamics
        A model and its equations.
    table
        Every pair of shapes of its dimension.
    step_size
        [s]; gains of servos may depend on it.

    Attributes
    ----------
    floating
        Floating bodies, in the order of their states.
    groups
        Numbers of the articulated groups in `dynamics.groups`; their states follow.
    placed
        Number of the body and shape, of every shape; half-spaces come last: they have no box.
    body_pairs
        Names of the bodies that may touch.
    pairs
        Exact kernels of the pairs of kinds of shapes that the model has, by slot.
    materials
        Name and constants of every material; those whose stiffness differs by the pair follow.
    sticks
        Whether a pair of bodies has friction that sticks.
    gains
        kp and kd of the servos, by joint.
    law_programs
        Functions of the materials whose law is given by formulas, by name.
    kind_pairs, shape_pairs
        Slot and order of two kinds of shapes; material, row of the pair of bodies and order of the
        bodies of two shapes that may meet, by the number of their pair.
    state_of_q, state_of_u
        Index of a coordinate or speed of a group in the model -> index in the state.
    state_size
        How many numbers the state has, without the ledger.
    quaternions
        Where the quaternions of groups are in the state; `quaternion_places` has all.
    solver
        Tables of the implicit step.
    """

    def __init__(
        self,
        model: Model,
        dynamics: Dynamics,
        table: Table,
        step_size: float,
        kernels: Sequence[AnyPair] | None = None,
    ) -> None:
        self.model = model
        self.gains = servo_gains(model, step_size)
        self.is_planar = model.dimension == 2
        self.world_type: type[AnyWorld] = PlanarWorld if self.is_planar else SpatialWorld
        self.space: Space[Any, Any, Any] = planar_body if self.is_planar else spatial_body
        self.dynamics = dynamics
        self.index = {body.name: i for i, body in enumerate(model.bodies)}
        floating = [is_floating(model, group) for group in dynamics.groups]
        self.floating = [
            model.body(group.bodies[-1])
            for group, own in zip(dynamics.groups, floating, strict=True)
            if own
        ]
        self.groups = [i for i, own in enumerate(floating) if not own]
        self.functions = [self._functions_of(number) for number in self.groups]
        placed = [(self.index[body.name], p) for body in model.bodies for p in body.shapes]
        self.placed = sorted(placed, key=lambda entry: not entry[1].shape.is_bounded)
        self.body_pairs = body_pairs(model).pairs
        self.materials = list(model.materials.items())
        self._numbers = {name: number for number, name in enumerate(model.materials)}
        self._scaled: dict[tuple[str, float], int] = {}
        self.law_programs = dict(_law_programs(model))
        self.kinds = sorted({placed.shape.kind for _, placed in self.placed})
        self.pairs: list[AnyPair] = []
        self.kind_pairs: dict[int, tuple[int, bool]] = {}
        self.shape_pairs = self._find_pairs(table, kernels)
        of_pairs = {material for material, _, _ in self.shape_pairs.values()}
        self.sticks = any(self.materials[i][1].presliding is not None for i in of_pairs)
        self.state_of_q: dict[int, int] = {}
        self.state_of_u: dict[int, int] = {}
        self.state_size = self._place_states()
        self.quaternions = list(self._quaternions())
        self.solver = SolverLayout(self)

    @property
    def quaternion_places(self) -> list[int]:
        """Where the quaternions of floating bodies and of groups are in the state."""
        if self.is_planar:
            return list(self.quaternions)
        own = [self.space.STATE * i + spatial_body.ATTITUDE for i in range(len(self.floating))]
        return own + self.quaternions

    def explicit_functions(self) -> list[tuple[Function, Function]]:
        """Return rates of the state, and of coordinates alone, of every group."""
        return self._pairs_of_functions('dynamics', 'velocity')

    def implicit_functions(self) -> list[tuple[Function, Function]]:
        """Return mass matrix with bias, and rates of coordinates, of every group."""
        return self._pairs_of_functions('inertia', 'velocity')

    def _pairs_of_functions(self, one: str, other: str) -> list[tuple[Function, Function]]:
        functions = [self.dynamics.functions[number] for number in self.groups]
        return [(f.function('motion', one), f.function('motion', other)) for f in functions]

    def effort_place(self, u: int) -> tuple[int, int]:
        """Return in which group, and where there, the effort of a speed is."""
        for own, number in enumerate(self.groups):
            speeds = self.dynamics.groups[number].u
            if u in speeds:
                return own, speeds.index(u)
        raise KeyError(u)

    def owner(self, number: int) -> str:
        """Return the name of the body that a number of the state belongs to."""
        floating = self.space.STATE * len(self.floating)
        if number < floating:
            return str(self.floating[number // self.space.STATE].name)
        places = {**self.state_of_q, **{-1 - u: at for u, at in self.state_of_u.items()}}
        index = next(key for key, at in places.items() if at == number)
        kinds = [body.joint.kind for body in self.model.moving]
        at = index if index >= 0 else -1 - index
        counts = [kind.coordinates if index >= 0 else kind.speeds for kind in kinds]
        ends = itertools.accumulate(counts)
        return next(b.name for b, end in zip(self.model.moving, ends, strict=True) if at < end)

    # Groups -------------------------------------------------------------------------------------

    def _functions_of(self, number: int) -> GroupFunctions:
        functions = self.dynamics.functions[number]
        kinematics = functions.function('motion', 'kinematics')
        dynamics = functions.program('motion', 'dynamics')  # compiled for explicit steps alone
        energy = functions.function('motion', 'energy')
        gravity = functions.function('motion', 'gravity') if self._compensates(number) else None
        _, _, udot, effort, wrench, constants = kinematics.arguments.values()
        results = (*kinematics.results.values(), sum(map(len, dynamics.results.values())), 2)
        weights = 0 if gravity is None else effort
        lengths = (constants, max(udot, 1), effort, wrench, *results, weights, effort**2, effort)
        sizes = dict(zip(_BLOCKS, lengths, strict=True))
        return GroupFunctions(kinematics, gravity, energy, sizes)

    def _compensates(self, number: int) -> bool:
        """Return whether a servo in a group compensates gravity."""
        bodies = map(self.model.body, self.dynamics.groups[number].bodies)
        servos = [body.joint.servo for body in bodies]
        return any(servo is not None and servo.gravity_compensation for servo in servos)

    def _place_states(self) -> int:
        """Give every group its place in the state; return the size of the state."""
        at = self.space.STATE * len(self.floating)
        for number in self.groups:
            group = self.dynamics.groups[number]
            self.state_of_q |= {q: at + i for i, q in enumerate(group.q)}
            self.state_of_u |= {u: at + len(group.q) + i for i, u in enumerate(group.u)}
            at += len(group.q) + len(group.u)
        return at

    def _quaternions(self) -> Iterator[int]:
        """Yield where the quaternions of groups are in the state."""
        at = self.space.STATE * len(self.floating)
        for number in self.groups:
            group = self.dynamics.groups[number]
            here = at
            for link in group.structure.links:
                if link.kind.quaternion_at is not None:
                    yield here + link.kind.quaternion_at
                here += link.coordinates
            at += len(group.q) + len(group.u)

    # Pairs --------------------------------------------------------------------------------------

    def _find_pairs(
        self, table: Table, kernels: Sequence[AnyPair] | None
    ) -> dict[int, tuple[int, int, bool]]:
        """Return material, row of the bodies and their order of the shape pairs that may meet."""
        by_body: dict[int, list[int]] = {}
        for shape, (body, _) in enumerate(self.placed):
            by_body.setdefault(body, []).append(shape)
        found = {}
        kinds = [placed.shape.kind for _, placed in self.placed]
        chosen: set[tuple[str, str]] = set()
        for row, (a, b) in enumerate(self.body_pairs):
            material = self._material_of((a, b))
            for one, other in itertools.product(by_body[self.index[a]], by_body[self.index[b]]):
                first, second = sorted((one, other))
                number = pair_number(first, second, len(self.placed))
                found[number] = material, row, first == other  # A comes before B by name
                if (both := (kinds[first], kinds[second])) not in chosen:
                    chosen.add(both)
                    self._choose_kernels(first, second, table)
        if kernels is not None:
            self._share(shared_kernels(self.pairs, kernels, self.model, table))
        return found

    def _share(self, kernels: list[AnyPair]) -> None:
        """Take kernels in other slots, among them all that the pairs need."""
        places = [kernels.index(pair) for pair in self.pairs]
        kinds = self.kind_pairs.items()
        self.kind_pairs = {place: (places[slot], swapped) for place, (slot, swapped) in kinds}
        self.pairs = kernels

    def _material_of(self, pair: tuple[str, str]) -> int:
        """Return the number of the material of two bodies; pairs of equal stiffness share it."""
        model = self.model
        name = model.pair_materials.get(pair, 'default')
        ratio = model.stiffness_ratios.get(pair, 1.0)
        if ratio == 1.0:
            return self._numbers[name]
        if (name, ratio) not in self._scaled:
            self._scaled[name, ratio] = len(self.materials)
            self.materials.append((name, model.materials[name].scaled(ratio)))
        return self._scaled[name, ratio]

    def _choose_kernels(self, first: int, second: int, table: Table) -> None:
        """Give the pair of kinds of two shapes a slot."""
        kinds = (self.placed[first][1].shape.kind, self.placed[second][1].shape.kind)
        known = table.PAIRS
        swapped = kinds not in known
        pair = known.get((kinds[1], kinds[0]) if swapped else kinds)
        if pair is None:
            names = [self.model.bodies[self.placed[s][0]].name for s in (first, second)]
            raise OptionError(f'{" and ".join(names)}: {" and ".join(kinds)} cannot touch')
        if pair not in self.pairs:
            self.pairs.append(pair)
        place = KINDS * self.kinds.index(kinds[0]) + self.kinds.index(kinds[1])
        self.kind_pairs[place] = self.pairs.index(pair), swapped
