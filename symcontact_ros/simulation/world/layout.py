"""The memory of the loop: how much of it there is, and where everything has its place."""

from __future__ import annotations

from collections.abc import Iterator
import itertools
from typing import Any, NamedTuple

from symcontact_ros.collision.broad_phase import pair_number
from symcontact_ros.collision.detection import AnyPair, Detection
from symcontact_ros.collision.pairs import WARM_START
from symcontact_ros.contact.laws import law_named
from symcontact_ros.errors import OptionError
from symcontact_ros.kernels.functions import Function
from symcontact_ros.kernels.memory import is_debugging, UNWRITTEN
from symcontact_ros.kernels.records import Image, layout_of, slots_of
from symcontact_ros.model.model import Model
from symcontact_ros.model.shapes import HalfSpace
from symcontact_ros.model.structure import Group as ModelGroup
from symcontact_ros.simulation.bodies import planar_body as planar
from symcontact_ros.simulation.bodies import spatial_body as spatial
from symcontact_ros.simulation.bodies.body import LINKED, LOOSE
from symcontact_ros.simulation.bodies.space import Space
from symcontact_ros.simulation.equations.dynamics import Dynamics
from symcontact_ros.simulation.world.world import (
    AnyWorld,
    Group,
    KINDS,
    LEDGER,
    PlanarWorld,
    SpatialWorld,
)

MOST_PAIRS = 100_000  # there is room for all pairs up to here,
PAIRS_PER_SHAPE = 64  # and for this many per shape beyond
# Blocks of a group in the scratch memory, in order.
_BLOCKS = ('constants', 'zeros', 'effort', 'loads', 'frames', 'centres', 'twists', 'rates')


def is_loose(model: Model, group: ModelGroup) -> bool:
    """Return whether a group is one body that moves by itself, and is built into the loop."""
    kind = 'planar' if model.dimension == 2 else 'free'
    return group.moving_count == 1 and group.structure.links[-1].type == kind


class _GroupFunctions(NamedTuple):
    """What a group runs, and how many numbers its blocks have."""

    kinematics: Function
    dynamics: Function
    lengths: dict[str, int]


class Places:
    """
    All memory of the loop, without what live symbols change.

    Attributes
    ----------
    image
        A `World` with all its blocks.
    pairs
        The exact pairs of kinds of shapes that the model has, by slot.
    """

    def __init__(self, model: Model, dynamics: Dynamics, detection: Detection) -> None:
        self.model = model
        self.detection = detection
        self.is_planar = model.dimension == 2
        self.world_type: type[AnyWorld] = PlanarWorld if self.is_planar else SpatialWorld
        self.space: Space[Any, Any, Any] = planar if self.is_planar else spatial
        self._dynamics = dynamics
        self.index = {body.name: i for i, body in enumerate(model.bodies)}
        loose = [is_loose(model, group) for group in dynamics.groups]
        self.loose = [
            model.body(g.bodies[-1]) for g, own in zip(dynamics.groups, loose, strict=True) if own
        ]
        self.groups = [i for i, own in enumerate(loose) if not own]  # of `dynamics.groups`
        placed = [(self.index[body.name], p) for body in model.bodies for p in body.shapes]
        # Half-spaces last: they have no box.
        self.placed = sorted(placed, key=lambda entry: isinstance(entry[1].shape, HalfSpace))
        self._functions = [self._functions_of(number) for number in self.groups]
        self.pairs: list[AnyPair] = []
        self.image: Image[AnyWorld] = Image(self.world_type, self._counts())
        self.image['order'][:] = range(len(self.image['order']))
        self._place_groups()
        self._place_bodies()
        self._place_pairs()
        self._refer_materials()

    @property
    def state_size(self) -> int:
        """How many numbers the state has, without the ledger."""
        return len(self.image['stage'])

    def _counts(self) -> dict[str, int]:
        """Return how many members each block has at first."""
        model = self.model
        bodies, shapes = len(model.bodies), len(self.placed)
        planes = sum(isinstance(placed.shape, HalfSpace) for _, placed in self.placed)
        pairs = shapes * (shapes - 1) // 2
        groups = [self._dynamics.groups[i] for i in self.groups]
        grouped = sum(len(group.q) + len(group.u) for group in groups)
        state = self.space.STATE * len(self.loose) + grouped
        capacity = min(pairs, max(MOST_PAIRS, PAIRS_PER_SHAPE * shapes))
        return {
            'state': state + LEDGER,
            'stage': state,
            'sums': state,
            'bodies': bodies,
            'shapes': shapes,
            'solids': 0,
            'boxes': shapes - planes,
            'order': shapes - planes,
            'planes': planes,
            'allowed': pairs,
            'found': capacity,
            'near': capacity,
            'candidates': capacity,
            'shape_pairs': pairs,
            'pair_memory': pairs,
            'warm_starts': 1,
            'kinds': KINDS * KINDS,
            'materials': len(model.materials),
            'shares': 1,
            'law_constants': sum(self._own_counts()),
            'groups': len(groups),
            'scratch': sum(sum(own.lengths.values()) for own in self._functions),
            'joints': len(model.joint_names),
            'quaternions': len(list(self._quaternions())),
            'work': WARM_START + self.detection.table.WORK,
        }

    # Materials ----------------------------------------------------------------------------------

    def _own_counts(self) -> list[int]:
        """Return how many constants of its own the law of each material has."""
        materials = self.model.materials.values()
        return [len(law_named(material.law).own_names(material)) for material in materials]

    def _refer_materials(self) -> None:
        """Give every material its place among the constants of laws."""
        start = 0
        for i, count in enumerate(self._own_counts()):
            self.image.refer(
                'materials', i, 'own', target='law_constants', start=start, count=count
            )
            start += count

    # Groups -------------------------------------------------------------------------------------

    def _functions_of(self, number: int) -> _GroupFunctions:
        template = self._dynamics.templates[number]
        kinematics = template.function('motion', 'kinematics')
        dynamics = template.function('motion', 'dynamics')
        _, _, udot, effort, wrench, constants = kinematics.arguments.values()
        frames, centres, twists = kinematics.results.values()
        rates = sum(dynamics.results.values())
        lengths = (constants, max(udot, 1), effort, wrench, frames, centres, twists, rates)
        return _GroupFunctions(kinematics, dynamics, dict(zip(_BLOCKS, lengths, strict=True)))

    def _place_groups(self) -> None:
        """Give every group its place in the state and its blocks in the scratch memory."""
        at = self.space.STATE * len(self.loose)
        self.state_of_q: dict[int, int] = {}  # index of q and of u in the model -> in the state
        self.state_of_u: dict[int, int] = {}
        rows = self.image['groups']
        for own, (number, functions) in enumerate(zip(self.groups, self._functions, strict=True)):
            group = self._dynamics.groups[number]
            rows['state'][own] = at
            rows['q_count'][own], rows['u_count'][own] = len(group.q), len(group.u)
            rows['kinematics'][own] = functions.kinematics.register()
            rows['dynamics'][own] = functions.dynamics.register()
            self.state_of_q |= {q: at + i for i, q in enumerate(group.q)}
            self.state_of_u |= {u: at + len(group.q) + i for i, u in enumerate(group.u)}
            at += len(group.q) + len(group.u)
        self.image['quaternions'][:] = list(self._quaternions())
        self._refer_groups()

    def _refer_groups(self) -> None:
        """Tell every group where its blocks are."""
        fields = layout_of(Group).fields
        start = 0
        for own, functions in enumerate(self._functions):
            for name, length in functions.lengths.items():
                count = length // slots_of(fields[name].kind.member)
                self.image.refer('groups', own, name, target='scratch', start=start, count=count)
                start += length

    def _quaternions(self) -> Iterator[int]:
        """Yield where the quaternions of groups are in the state."""
        at = self.space.STATE * len(self.loose)
        counts = {'free': (3, 7), 'spherical': (0, 4), 'planar': (0, 3), 'fixed': (0, 0)}
        for number in self.groups:
            group = self._dynamics.groups[number]
            here = at
            for link in group.structure.links:
                skipped, count = counts.get(link.type, (0, 1))
                if count in (4, 7):
                    yield here + skipped
                here += count
            at += len(group.q) + len(group.u)

    def _resize(self, **counts: int) -> None:
        """Give blocks another size; what was in them is gone."""
        if counts.items() <= self.image.counts.items():
            return
        self.image = self.image.resized(**counts)
        self._refer_groups()
        self._refer_materials()

    # Bodies and pairs ---------------------------------------------------------------------------

    def _place_bodies(self) -> None:
        """Write what moves each body, and where its state is."""
        rows = self.image['bodies']
        for i, body in enumerate(self.loose):
            row = rows[self.index[body.name]]
            row['kind'], row['state'] = LOOSE, self.space.STATE * i
        for own, number in enumerate(self.groups):
            for name in self._dynamics.groups[number].bodies:
                if name in self.model.grounded:
                    continue
                place = self._dynamics.places[name]
                row = rows[self.index[name]]
                row['kind'], row['group'], row['link'] = LINKED, own, place.index
                row['carrier'], row['carrier_load'] = place.carrier, place.moving

    def _place_pairs(self) -> None:
        """Write which shapes may meet, and with which kernels."""
        self._kinds = sorted({placed.shape.kind for _, placed in self.placed})
        by_body: dict[int, list[int]] = {}
        for shape, (body, placed) in enumerate(self.placed):
            self.image['shapes'][shape]['body'] = body
            self.image['shapes'][shape]['kind'] = self._kinds.index(placed.shape.kind)
            by_body.setdefault(body, []).append(shape)
        self.image['shape_pairs']['bodies'] = -1
        names = list(self.model.materials)
        for row, (a, b) in enumerate(self.model.pairs):
            material = names.index(self.model.pair_materials.get((a, b), 'default'))
            for one, other in itertools.product(by_body[self.index[a]], by_body[self.index[b]]):
                first, second = sorted((one, other))
                number = pair_number(first, second, len(self.placed))
                self.image['allowed'][number] = 1
                # A comes before B by name.
                self.image['shape_pairs'][number] = material, row, first == other
                self._choose_kernels(first, second)
        self._resize(shares=max(1, len(self.pairs)))
        self.image['shares'][: len(self.pairs)] = [1.0 / pair.shares for pair in self.pairs]
        self.image['planes']['shape'] = range(len(self.image['boxes']), len(self.placed))

    def _choose_kernels(self, first: int, second: int) -> None:
        """Give the pair of kinds of two shapes a slot."""
        kinds = (self.placed[first][1].shape.kind, self.placed[second][1].shape.kind)
        known = self.detection.table.PAIRS
        swapped = kinds not in known
        pair = known.get((kinds[1], kinds[0]) if swapped else kinds)
        if pair is None:
            names = [self.model.bodies[self.placed[s][0]].name for s in (first, second)]
            raise OptionError(f'{" and ".join(names)}: {" and ".join(kinds)} cannot touch')
        if pair not in self.pairs:
            self.pairs.append(pair)
        place = KINDS * self._kinds.index(kinds[0]) + self._kinds.index(kinds[1])
        self.image['kinds'][place] = self.pairs.index(pair), swapped

    def _clear_work(self) -> None:
        """Let reading of work memory before it is written be found, when kernels are debugged."""
        if is_debugging():
            self.image['work'][:].view('i8')[:] = UNWRITTEN
