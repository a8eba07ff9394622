"""
Anchors of contact points whose friction sticks: found, turned, projected, cut, listed anew.

An anchor is an elastic tie between the two bodies of a contact point. Its stretch s [m] is how far
B has moved relative to A in the tangent plane, its twist the same about the normal: the torsional
radius times the angle. Together they are never longer than the presliding delta: what goes beyond
is slip. Friction is mu F_N sat(s / delta + v_T / vs), against both.
"""

from __future__ import annotations

import math

from symcontact_ros.collision.contact_points import MOST
from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.vectors.spatial import along, cross, dot, norm, times
from symcontact_ros.shapes.records import Triple
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import Anchor

NO_ANCHOR = -1
FULL = 1.0 - 1e-9  # of the presliding: one that was cut to it is shorter by rounding


def find_anchor(world: World[S, F, V], pair: int, feature: int) -> int:
    """Return the number of the anchor of a contact point; NO_ANCHOR if it has none."""
    memory = world.pair_memory[pair]
    first = memory.anchor
    for i in range(first, first + memory.anchor_count):
        if world.anchors[i].feature == feature:
            return i
    return NO_ANCHOR


def turned_stretch(stretch: Triple, rate_a: Triple, rate_b: Triple, h: float) -> Triple:
    """Return a stretch [m] turned by h (wA + wB) / 2, h in s; its length stays."""
    half = 0.5 * h
    angle = (
        half * (rate_a[0] + rate_b[0]),
        half * (rate_a[1] + rate_b[1]),
        half * (rate_a[2] + rate_b[2]),
    )
    return of_length(along(stretch, 1.0, cross(angle, stretch)), norm(stretch))


def projected_stretch(stretch: Triple, normal: Triple) -> Triple:
    """Return a stretch [m] in the plane across a unit normal; its length stays."""
    lifted = dot(stretch, normal)
    if lifted == 0.0:
        return stretch
    return of_length(along(stretch, -lifted, normal), norm(stretch))


def of_length(vector: Triple, length: float) -> Triple:
    """Return a vector with another length; one of length 0 as it is."""
    present = norm(vector)
    return times(length / present, vector) if present > 0.0 else vector


def length_of(stretch: Triple, twist: float) -> float:
    """Return the length of stretch and twist together [m]."""
    return math.sqrt(dot(stretch, stretch) + twist * twist)


def cut_anchor(anchor: Anchor, presliding: float) -> None:
    """Cut stretch and twist to the presliding [m], and note whether that is what they have."""
    length = length_of(anchor.stretch, anchor.twist)
    anchor.slides = length >= FULL * presliding
    if length > presliding:
        part = presliding / length
        anchor.stretch = times(part, anchor.stretch)
        anchor.twist *= part


# Lists ------------------------------------------------------------------------------------------


def begin_list(world: World[S, F, V]) -> None:
    """Begin a new list of anchors; the present one can still be read."""
    world.new_anchor_count = 0


def listed_anchor(world: World[S, F, V], pair: int, feature: int) -> Anchor:
    """
    Return the next anchor of the new list, for a contact point that touches.

    It starts as the present one of this point or, of a point that is new, without any stretch. All
    points of a pair are listed one after the other. There is room: `lacks_room`.
    """
    new = world.new_anchors[world.new_anchor_count]
    world.new_anchor_count += 1
    new.pair = pair
    new.feature = feature
    new.stretch = (0.0, 0.0, 0.0)
    new.twist = 0.0
    new.normal_force = 0.0
    new.slides = False
    found = find_anchor(world, pair, feature)
    if found != NO_ANCHOR:
        old = world.anchors[found]
        new.stretch = old.stretch
        new.twist = old.twist
        new.normal_force = old.normal_force
        new.slides = old.slides
    return new


@separate
def take_list(world: World[S, F, V]) -> None:
    """Take the new list of anchors instead of the present one; points not in it have none."""
    for i in range(world.anchor_count):
        memory = world.pair_memory[world.anchors[i].pair]
        memory.anchor = 0
        memory.anchor_count = 0
    for i in range(world.new_anchor_count):
        anchor = world.anchors[i]
        copy_anchor(world.new_anchors[i], anchor)
        memory = world.pair_memory[anchor.pair]
        if memory.anchor_count == 0:
            memory.anchor = i
        memory.anchor_count += 1
    world.anchor_count = world.new_anchor_count


@separate
def settle_anchors(world: World[S, F, V], active: bool) -> None:
    """End a substep of active bodies: cut all anchors to the presliding of their materials."""
    if not active:
        return
    for i in range(world.anchor_count):
        anchor = world.anchors[i]
        cut_anchor(anchor, world.materials[anchor.material].presliding)
    world.anchors_are_listed = False
    world.anchor_lead = 0.0


def copy_anchor(source: Anchor, target: Anchor) -> None:
    """Write all of an anchor into another one; the sums of its rates begin anew."""
    target.pair = source.pair
    target.feature = source.feature
    target.stretch = source.stretch
    target.twist = source.twist
    target.normal_force = source.normal_force
    target.slides = source.slides
    target.body_a = source.body_a
    target.body_b = source.body_b
    target.material = source.material
    target.radius = source.radius
    target.point = source.point
    target.normal = source.normal
    target.start = source.start
    target.start_twist = source.start_twist
    target.rate = source.rate
    target.rate_of_twist = source.rate_of_twist
    target.sums = (0.0, 0.0, 0.0)
    target.sums_of_twist = 0.0


def lacks_room(world: World[S, F, V], active: int) -> bool:
    """Return whether the anchors of a number of active pairs may find no room."""
    return MOST * active > len(world.new_anchors)
