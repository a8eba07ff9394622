"""The memory of the loop: how much of it there is, and where everything has its place."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.broad_phase import BOX, pair_number, PLANE
from symcontact_ros.collision.detection import Detection
from symcontact_ros.collision.pairs import KEPT, Pair
from symcontact_ros.collision.rows import MOST, ROW
from symcontact_ros.kernels.functions import Function
from symcontact_ros.errors import OptionError
from symcontact_ros.model.model import Model
from symcontact_ros.model.shapes import HalfSpace
from symcontact_ros.model.structure import Group
from symcontact_ros.simulation.dynamics import Dynamics
from symcontact_ros.simulation.loop import layout, planar, spatial
from symcontact_ros.simulation.loop.candidates import KINDS
from symcontact_ros.simulation.loop.world import PARTS

Array = NDArray[np.float64]

MOST_PAIRS = 100_000  # there is room for all pairs up to here,
PAIRS_PER_SHAPE = 64  # and for this many per shape beyond


def is_loose(model: Model, group: Group) -> bool:
    """Return whether a group is one body that moves by itself, and is built into the loop."""
    kind = 'planar' if model.dimension == 2 else 'free'
    return group.moving_count == 1 and group.structure.links[-1].type == kind


class Places:
    """
    All arrays of the loop, without what live symbols change.

    Attributes
    ----------
    arrays
        By the names of `loop.world.World`.
    pairs
        The exact kernels of the pairs of kinds of shapes that the model has, by slot.
    """

    def __init__(self, model: Model, dynamics: Dynamics, detection: Detection) -> None:
        self.model = model
        self.detection = detection
        self.space: Any = planar if model.dimension == 2 else spatial
        self.known_pairs: dict[tuple[str, str], Pair] = detection.table.PAIRS
        self._dynamics = dynamics
        index = {body.name: i for i, body in enumerate(model.bodies)}
        self.index = index
        loose = [is_loose(model, group) for group in dynamics.groups]
        self.loose = [
            model.body(g.bodies[-1]) for g, own in zip(dynamics.groups, loose, strict=True) if own
        ]
        self.groups = [i for i, own in enumerate(loose) if not own]  # of `dynamics.groups`
        placed = [(index[body.name], p) for body in model.bodies for p in body.shapes]
        # Half-spaces last: they have no box.
        self.placed = sorted(placed, key=lambda entry: isinstance(entry[1].shape, HalfSpace))
        self.arrays: dict[str, Array] = {}
        self.functions: list[Function] = []
        self.pairs: list[Pair] = []
        self._allocate()
        self._place_groups()
        self._place_bodies()
        self._place_pairs()

    # What does not change -----------------------------------------------------------------------

    def _allocate(self) -> None:
        model, space = self.model, self.space
        bodies, shapes = len(model.bodies), len(self.placed)
        planes = sum(isinstance(placed.shape, HalfSpace) for _, placed in self.placed)
        pairs = shapes * (shapes - 1) // 2
        groups = [self._dynamics.groups[i] for i in self.groups]
        grouped = sum(len(group.q) + len(group.u) for group in groups)
        self.state_size = space.STATE * len(self.loose) + grouped
        capacity = min(pairs, max(MOST_PAIRS, PAIRS_PER_SHAPE * shapes))
        lengths = {
            'options': layout.OPTIONS,
            'counters': layout.COUNTERS,
            'state': self.state_size + layout.LEDGER,
            'stage': self.state_size,
            'sums': self.state_size,
            'bodies': space.BODY * bodies,
            'motions': space.MOTION * bodies,
            'loads': space.LOAD * bodies,
            'applied': space.LOAD * bodies,
            'tracks': layout.TRACK * bodies,
            'shapes': layout.SHAPE * shapes,
            'boxes': BOX * shapes,
            'order': shapes - planes,
            'planes': PLANE * planes,
            'allowed': pairs,
            'found': capacity,
            'near': layout.NEAR * capacity,
            'pair_memory': layout.MEMORY * pairs,
            'slots': KINDS * KINDS,
            'pair_materials': pairs,
            'materials': layout.LAW_CONSTANTS * len(model.materials),
            'candidates': capacity,
            'groups': layout.GROUP * len(self.groups),
            'joints': layout.JOINT * len(model.joint_names),
            'law_input': 3,
            'law_output': 2,
            'rows': MOST * ROW,
            'work': KEPT + self.detection.table.WORK,
        }
        self.arrays = {name: np.zeros(length) for name, length in lengths.items()}
        self.arrays['order'].view(np.int64)[:] = np.arange(len(self.arrays['order']))
        self.sizes = {
            'bodies': bodies,
            'shapes': shapes,
            'bounded': shapes - planes,
            'planes': planes,
            'groups': len(self.groups),
            'joints': len(model.joint_names),
            'quaternions': 0,
            'state': self.state_size,
            'capacity': capacity,
            'least_candidates': 0 if self.groups else 1,
            'kept_stride': 0,
        }

    def _place_groups(self) -> None:
        """Give every group its place in the state and its blocks in the scratch memory."""
        at = self.space.STATE * len(self.loose)
        end = 0
        quaternions: list[int] = []
        rows = self.arrays['groups'].reshape(-1, layout.GROUP)
        self.state_of_q: dict[int, int] = {}  # index of q and of u in the model -> in the state
        self.state_of_u: dict[int, int] = {}
        for row, number in zip(rows, self.groups, strict=True):
            group = self._dynamics.groups[number]
            template = self._dynamics.templates[number]
            kinematics = template.function('motion', 'kinematics')
            dynamics = template.function('motion', 'dynamics')
            self.functions += [kinematics, dynamics]
            blocks = kinematics.arguments
            names = list(blocks)
            sizes = [
                blocks[names[5]],
                max(blocks[names[2]], 1),
                blocks[names[3]],
                blocks[names[4]],
                *kinematics.results.values(),
                sum(dynamics.results.values()),
            ]
            starts = list(itertools.accumulate(sizes, initial=end))
            first = len(PARTS) + 1 + len(self.functions) - 2
            row[:5] = (at, len(group.q), len(group.u), first, first + 1)
            row[5:13] = starts[:-1]
            row[13] = blocks[names[4]]
            self.state_of_q |= {q: at + i for i, q in enumerate(group.q)}
            self.state_of_u |= {u: at + len(group.q) + i for i, u in enumerate(group.u)}
            quaternions += self._quaternions(group, at)
            at += len(group.q) + len(group.u)
            end = starts[-1]
        self.arrays['scratch'] = np.zeros(end)
        self.arrays['quaternions'] = np.array(quaternions or [0], dtype=np.int64).view(float)
        self.sizes['quaternions'] = len(quaternions)

    @staticmethod
    def _quaternions(group: Group, at: int) -> list[int]:
        """Return where the quaternions of a group are in the state."""
        counts = {'free': (3, 7), 'spherical': (0, 4), 'planar': (0, 3), 'fixed': (0, 0)}
        found = []
        for link in group.structure.links:
            skipped, count = counts.get(link.type, (0, 1))
            if count in (4, 7):
                found.append(at + skipped)
            at += count
        return found

    def _place_bodies(self) -> None:
        """Write what moves each body, and where its state is."""
        rows = self.arrays['bodies'].reshape(-1, self.space.BODY)
        grounded = self.model.grounded
        for i, body in enumerate(self.loose):
            rows[self.index[body.name], : layout.LINK] = (layout.LOOSE, self.space.STATE * i)
        for own, number in enumerate(self.groups):
            for name in self._dynamics.groups[number].bodies:
                if name in grounded:
                    continue
                place = self._dynamics.places[name]
                rows[self.index[name], : layout.INVERSE_MASS] = (
                    layout.LINKED,
                    own,
                    place.index,
                    place.carrier,
                    place.moving,
                )

    def _place_pairs(self) -> None:
        """Write which shapes may meet, and with which kernels."""
        self._kinds = sorted({placed.shape.kind for _, placed in self.placed})
        by_body: dict[int, list[int]] = {}
        for shape, (body, placed) in enumerate(self.placed):
            row = self.arrays['shapes'][layout.SHAPE * shape :]
            row[layout.SHAPE_BODY] = body
            row[layout.SHAPE_KIND] = self._kinds.index(placed.shape.kind)
            by_body.setdefault(body, []).append(shape)
        names = list(self.model.materials)
        shapes = len(self.placed)
        for a, b in self.model.pairs:
            name = self.model.pair_materials.get((a, b), 'default')
            material = float(layout.LAW_CONSTANTS * names.index(name))
            for one, other in itertools.product(by_body[self.index[a]], by_body[self.index[b]]):
                first, second = sorted((one, other))
                number = pair_number(first, second, shapes)
                self.arrays['allowed'][number] = 1.0
                self.arrays['pair_materials'][number] = material
                self._choose_kernels(first, second)
        shares = [1.0 / pair.shares for pair in self.pairs]
        self.arrays['slot_shares'] = np.array(shares or [1.0])
        for i, row in enumerate(self.arrays['planes'].reshape(-1, PLANE)):
            row[0] = self.sizes['bounded'] + i

    def _choose_kernels(self, first: int, second: int) -> None:
        """Give the pair of kinds of two shapes a slot."""
        kinds = tuple(self.placed[shape][1].shape.kind for shape in (first, second))
        swapped = kinds not in self.known_pairs
        pair = self.known_pairs.get(kinds[::-1] if swapped else kinds)  # type: ignore[arg-type]
        if pair is None:
            names = [self.model.bodies[self.placed[s][0]].name for s in (first, second)]
            raise OptionError(f'{" and ".join(names)}: {" and ".join(kinds)} cannot touch')
        if pair not in self.pairs:
            self.pairs.append(pair)
        place = self._kinds.index(kinds[0]), self._kinds.index(kinds[1])
        slots = self.arrays['slots'].reshape(KINDS, KINDS)
        slots[place] = self.pairs.index(pair) + (0.5 if swapped else 0.0)
