"""The kernels of the pairs of shapes that a model has, by slot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from symcontact_ros.collision.contact_points import ContactPoint
from symcontact_ros.collision.proximity_record import ProximityRecord, write_proximity
from symcontact_ros.collision.shape_pair import (
    Contacts,
    F,
    Pair,
    QueryResult,
    S,
    V,
    WarmStart,
)
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import Rows
from symcontact_ros.simulation.bodies.space import Space


@dataclass(frozen=True)
class Pairs(Generic[S, F, V]):
    """Several pairs, selected by a number that only the running kernel has."""

    others: tuple[Pair[S, F, V], ...]  # slots 0, 1, ...
    last: Pair[S, F, V]
    own_normals: tuple[int, ...] = ()  # slots whose contact points have normals of their own
    have_own_normals: bool = False  # whether there are such slots

    def query(
        self,
        slot: int,
        a: S,
        frame_a: F,
        b: S,
        frame_b: F,
        hint: int,
        margin: float,
        warm: WarmStart,
        work: Floats,
    ) -> QueryResult:
        """Query two shapes; see `Pair`."""
        for number, pair in enumerate(self.others):
            if slot == number:
                return pair.query(a, frame_a, b, frame_b, hint, margin, warm, work)
        return self.last.query(a, frame_a, b, frame_b, hint, margin, warm, work)

    def contacts(
        self,
        slot: int,
        a: S,
        frame_a: F,
        b: S,
        frame_b: F,
        feature: int,
        points: Rows[ContactPoint],
        warm: WarmStart,
        work: Floats,
    ) -> Contacts[V]:
        """Write the contact points of two shapes; see `Pair`."""
        for number, pair in enumerate(self.others):
            if slot == number:
                return pair.contacts(a, frame_a, b, frame_b, feature, points, warm, work)
        return self.last.contacts(a, frame_a, b, frame_b, feature, points, warm, work)

    def separation(
        self, slot: int, a: S, frame_a: F, b: S, frame_b: F, work: Floats
    ) -> tuple[float, V]:
        """Return signed distance and normal of two shapes; see `Pair.gap`."""
        for number, pair in enumerate(self.others):
            if slot == number:
                distance, normal, _, _, _ = pair.gap(a, frame_a, b, frame_b, work)
                return distance, normal
        distance, normal, _, _, _ = self.last.gap(a, frame_a, b, frame_b, work)
        return distance, normal

    def write_proximity(
        self,
        slot: int,
        record: ProximityRecord,
        space: Space[S, F, V],
        a: S,
        frame_a: F,
        b: S,
        frame_b: F,
        points: Rows[ContactPoint],
        warm: WarmStart,
        work: Floats,
    ) -> None:
        """Write the record of two shapes."""
        for number, pair in enumerate(self.others):
            if slot == number:
                write_proximity(
                    record, pair, space.in_space, a, frame_a, b, frame_b, points, warm, work
                )
                return
        write_proximity(
            record, self.last, space.in_space, a, frame_a, b, frame_b, points, warm, work
        )


def pairs_of(pairs: tuple[Pair[S, F, V], ...]) -> Pairs[S, F, V]:
    """Return pairs whose slots are their positions in a tuple."""
    own = tuple(slot for slot, pair in enumerate(pairs) if pair.has_normals)
    return Pairs(pairs[:-1], pairs[-1], own, bool(own))
