"""
Distance and contact points of two polygons in the plane: one source for several compilers.

These are the kernels of `collision.planar` in one file, with shapes as blocks of floats and
without records, so that others than our compiler can be given them as they stand.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from symcontact_ros.kernels.language import separate
from symcontact_ros.kernels.memory import Floats

Vector: TypeAlias = tuple[float, float]
Frame: TypeAlias = tuple[Vector, Vector]  # (cos, sin) of its angle; its origin [m]
Result: TypeAlias = tuple[float, Vector, Vector, Vector]  # distance, normal, points of A and B
Distance: TypeAlias = tuple[float, Vector, Vector]  # distance, normal, point of A

# A shape: radius, reach, centre, counts of vertices and edges, where its edges start; vertices
# (x, y); edges (two vertices, normal).
RADIUS, REACH, CENTRE, VERTEX_COUNT, EDGE_COUNT, EDGES_START, VERTICES = 0, 1, 2, 4, 5, 6, 7
EDGE = 4  # numbers of an edge
FRAME = 4  # numbers of a frame
DISTANCE, POINT, FEATURE = 0, 1, 3  # of a contact point
CONTACT = 4  # numbers of a contact point
VERTEX_A, VERTEX_B = 2, 3  # of a row of the simplex, after its point
ROW = 4  # numbers of a row of the simplex
NEW = 2  # the row of a vertex that joins
CORNER = -1  # instead of an edge
RECORD = 10 + 2 * CONTACT  # distance, normal, points, count, contact normal, contact points
WORK = 16  # numbers of memory to work in

ANY = 1e300  # a margin that no axis exceeds
TIE = 1e-7  # of the size: an edge of B is the reference only if it is better by this
EXACT = 1e-12  # of the size: what rounding can make of two equal distances
EXPLAINED = 0.9  # part of the depth that the deepest contact point must have
UPRIGHT = 1e-9  # sine of the angle to the upright below which an edge counts as such
TOLERANCE = 1e-14  # of the size: how far the bounds of a distance may be apart
MEETING = 1e-14  # of the size: nearer cores meet
STEPS = 60


def measure(
    count: int,
    a: Floats,
    frames_a: Floats,
    b: Floats,
    frames_b: Floats,
    work: Floats,
    out: Floats,
) -> None:
    """Write distances and contact points of a pair of polygons at many poses."""
    for i in range(count):
        frame_a = frame_at(frames_a, FRAME * i)
        frame_b = frame_at(frames_b, FRAME * i)
        record = out[RECORD * i :]
        distance, normal, point_a, point_b = polygons_gap(a, frame_a, b, frame_b, work)
        record[0] = distance
        record[1], record[2] = normal[0], normal[1]
        record[3], record[4] = point_a[0], point_a[1]
        record[5], record[6] = point_b[0], point_b[1]
        record[7] = 0.0
        if distance < 0.0:
            _, feature = polygons_look(a, frame_a, b, frame_b, ANY, work)
            rows = record[10:]
            number, direction = polygons_contacts(a, frame_a, b, frame_b, feature, rows, work)
            record[7] = float(number)
            record[8], record[9] = direction[0], direction[1]


# Vectors and frames ------------------------------------------------------------------------------


def frame_at(memory: Floats, start: int) -> Frame:
    """Return the frame that is kept at an index."""
    return (memory[start], memory[start + 1]), (memory[start + 2], memory[start + 3])


def minus(a: Vector, b: Vector) -> Vector:
    """Return a - b."""
    return a[0] - b[0], a[1] - b[1]


def along(a: Vector, length: float, b: Vector) -> Vector:
    """Return a + length b."""
    return a[0] + length * b[0], a[1] + length * b[1]


def opposite(a: Vector) -> Vector:
    """Return -a."""
    return -a[0], -a[1]


def dot(a: Vector, b: Vector) -> float:
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1]


def norm(a: Vector) -> float:
    """Return the length."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1])


def turned(frame: Frame, a: Vector) -> Vector:
    """Return the world components of a direction in a frame."""
    (c, s), _ = frame
    return c * a[0] - s * a[1], s * a[0] + c * a[1]


def placed(frame: Frame, a: Vector) -> Vector:
    """Return where a point of a frame is in the world."""
    (c, s), (x, y) = frame
    return x + (c * a[0] - s * a[1]), y + (s * a[0] + c * a[1])


def direction_in(frame: Frame, a: Vector) -> Vector:
    """Return the components in a frame of a direction in the world."""
    (c, s), _ = frame
    return c * a[0] + s * a[1], c * a[1] - s * a[0]


def point_in(frame: Frame, a: Vector) -> Vector:
    """Return a point of the world as a frame has it."""
    return direction_in(frame, minus(a, frame[1]))


def between(frame: Frame, other: Frame) -> Frame:
    """Return another frame as a frame has it."""
    (c, s), _ = frame
    (d, e), origin = other
    return (c * d + s * e, c * e - s * d), point_in(frame, origin)


# Contact points in memory ------------------------------------------------------------------------


def write_row(rows: Floats, number: int, distance: float, point: Vector, feature: float) -> None:
    """Write a contact point."""
    start = CONTACT * number
    rows[start + DISTANCE] = distance
    rows[start + POINT] = point[0]
    rows[start + POINT + 1] = point[1]
    rows[start + FEATURE] = feature


def deepest_row(rows: Floats, count: int) -> int:
    """Return the row with the least distance; of equal ones the first."""
    chosen = 0
    for number in range(1, count):
        if rows[CONTACT * number + DISTANCE] < rows[CONTACT * chosen + DISTANCE]:
            chosen = number
    return chosen


def are_as_deep(rows: Floats, count: int, distance: float) -> bool:
    """Return whether contact points are about as deep as their shapes, at this distance < 0."""
    return (
        count > 0 and rows[CONTACT * deepest_row(rows, count) + DISTANCE] <= EXPLAINED * distance
    )


# Separating axes ---------------------------------------------------------------------------------


@separate
def edges_separation(a: Floats, frame_b: Frame, b: Floats, margin: float) -> tuple[float, int]:
    """
    Return how far B lies beyond the edge of A that separates best, and that edge.

    The search stops at an edge that separates by more than the margin. Cores only; ``frame_b`` is
    that of B as A has it. From edge to edge the lowest vertex of B is found by walking on from the
    last one: the height of the vertices around a convex polygon has one valley.
    """
    best = -1e300
    chosen = 0
    lowest = 0
    for edge in range(int(a[EDGE_COUNT])):
        start = int(a[EDGES_START]) + EDGE * edge
        normal = (a[start + 2], a[start + 3])
        lowest, depth = downhill(b, direction_in(frame_b, normal), lowest)
        beyond = depth + dot(normal, minus(frame_b[1], vertex_of(a, int(a[start]))))
        if beyond > best:
            best = beyond
            chosen = edge
            if best > margin:
                break
    return best, chosen


def downhill(shape: Floats, direction: Vector, start: int) -> tuple[int, float]:
    """Return the vertex farthest against a direction, walking from another one, and its height."""
    count = int(shape[VERTEX_COUNT])
    vertex = start
    height = dot(direction, vertex_of(shape, vertex))
    for way in range(2):
        for _ in range(count):
            following = following_vertex(vertex, count, way)
            next_height = dot(direction, vertex_of(shape, following))
            if next_height >= height:
                break
            vertex = following
            height = next_height
        if vertex != start:  # on a slope that has ended
            break
    return vertex, height


def following_vertex(vertex: int, count: int, way: int) -> int:
    """Return the next vertex around a polygon: counter-clockwise (way 0) or clockwise (1)."""
    if way == 0:
        return vertex + 1 if vertex + 1 < count else 0
    return vertex - 1 if vertex > 0 else count - 1


def find_edge(
    a: Floats, frame_a: Frame, b: Floats, frame_b: Frame, margin: float
) -> tuple[float, int, int]:
    """
    Return the separation of two polygons, the edge that attains it, and the reference edge.

    In overlap the separation is minus the depth. Apart it is a lower bound of the distance, and
    exact for cores that overlap; the search stops at an axis that separates by more than the
    margin.
    """
    radii = a[RADIUS] + b[RADIUS]
    count = int(a[EDGE_COUNT])
    between_centres = centre_line(a, frame_a, b, frame_b) - radii
    if between_centres > margin:  # the cheapest axis, and often enough; no edge goes with it
        return between_centres, CORNER, CORNER
    first, edge_a = edges_separation(a, between(frame_a, frame_b), b, margin + radii)
    if first - radii > margin:
        return first - radii, edge_a, edge_a
    second, edge_b = edges_separation(b, between(frame_b, frame_a), a, margin + radii)
    exact, reference = edge_a, edge_a
    if second > first:
        exact = count + edge_b
    if second > first + TIE * (a[REACH] + b[REACH]):
        reference = count + edge_b
    return max(first, second) - radii, exact, reference


def centre_line(a: Floats, frame_a: Frame, b: Floats, frame_b: Frame) -> float:
    """Return the separation of two cores along the line from centre to centre."""
    centre_a = placed(frame_a, (a[CENTRE], a[CENTRE + 1]))
    way = minus(placed(frame_b, (b[CENTRE], b[CENTRE + 1])), centre_a)
    length = norm(way)
    if length == 0.0:
        return -1e300
    direction = (way[0] / length, way[1] / length)
    against = direction_in(frame_a, (-direction[0], -direction[1]))
    _, top = downhill(a, against, 0)
    _, bottom = downhill(b, direction_in(frame_b, direction), 0)
    return bottom + top + dot(direction, minus(frame_b[1], frame_a[1]))


def lowest_vertex(shape: Floats, direction: Vector) -> int:
    """Return the vertex that is farthest against a direction."""
    vertex, _ = downhill(shape, direction, 0)
    return vertex


def vertex_of(shape: Floats, vertex: int) -> Vector:
    """Return a vertex in the frame of its shape."""
    return shape[VERTICES + 2 * vertex], shape[VERTICES + 2 * vertex + 1]


# Contact points of an edge -----------------------------------------------------------------------


def edge_contacts(
    a: Floats, frame_a: Frame, b: Floats, frame_b: Frame, edge: int, rows: Floats
) -> tuple[int, Vector]:
    """Write the contact points of a reference edge; return their number and the normal A to B."""
    count = int(a[EDGE_COUNT])
    if edge < count:
        return contacts_on(a, frame_a, b, frame_b, edge, rows)
    number, normal = contacts_on(b, frame_b, a, frame_a, edge - count, rows)
    return number, opposite(normal)


def contacts_on(
    a: Floats, frame_a: Frame, b: Floats, frame_b: Frame, edge: int, rows: Floats
) -> tuple[int, Vector]:
    """Write the contact points on an edge of A; return their number and its outward normal."""
    start = int(a[EDGES_START]) + EDGE * edge
    normal = turned(frame_a, (a[start + 2], a[start + 3]))
    first = placed(frame_a, vertex_of(a, int(a[start])))
    span = minus(placed(frame_a, vertex_of(a, int(a[start + 1]))), first)
    tangent = (-normal[1], normal[0])
    incident = facing_edge(b, direction_in(frame_b, normal))
    first_b, last_b = edge_ends(b, incident)
    near = placed(frame_b, vertex_of(b, first_b))
    far = placed(frame_b, vertex_of(b, last_b))
    low, high = overlap(
        dot(tangent, span),
        dot(tangent, minus(near, first)),
        dot(tangent, minus(far, first)),
        norm(minus(far, near)),
    )
    radii = a[RADIUS] + b[RADIUS]
    base = float(64 * edge)
    for number in range(2):
        part = low if number == 0 else high
        point = along(near, part, minus(far, near))
        distance = dot(normal, minus(point, first)) - radii
        middle = along(point, -b[RADIUS] - 0.5 * distance, normal)
        feature = base + float(first_b if number == 0 else last_b)
        write_row(rows, number, distance, middle, feature)
    return 2, normal


def overlap(length: float, start: float, end: float, span: float) -> tuple[float, float]:
    """
    Return which part of the way from start to end lies in [0, length], all along one line.

    If none does, the end that is nearest stands for both. ``span`` is how long the way is in the
    plane: one that stands upright on the line is taken whole.
    """
    way = end - start
    if abs(way) <= UPRIGHT * span:
        return 0.0, 1.0
    at_first, at_last = -start / way, (length - start) / way
    low, high = min(at_first, at_last), max(at_first, at_last)
    if high <= 0.0:
        return 0.0, 0.0
    if low >= 1.0:
        return 1.0, 1.0
    return max(low, 0.0), min(high, 1.0)


def facing_edge(shape: Floats, direction: Vector) -> int:
    """Return the edge whose normal is most opposed to a direction; ends of segments do not."""
    lowest = 1e300
    chosen = 0
    for edge in range(int(shape[VERTEX_COUNT])):
        start = int(shape[EDGES_START]) + EDGE * edge
        facing = direction[0] * shape[start + 2] + direction[1] * shape[start + 3]
        if facing < lowest:
            lowest = facing
            chosen = edge
    return chosen


def edge_ends(shape: Floats, edge: int) -> tuple[int, int]:
    """Return the vertices of an edge."""
    start = int(shape[EDGES_START]) + EDGE * edge
    return int(shape[start]), int(shape[start + 1])


# The difference of two cores ---------------------------------------------------------------------


def row_point(work: Floats, row: int) -> Vector:
    """Return the vertex of the difference in a row."""
    return work[ROW * row], work[ROW * row + 1]


def place_row(a: Floats, b: Floats, frame: Frame, work: Floats, row: int) -> Vector:
    """Compute the vertex of a row from those of A and of B, and return it."""
    first = vertex_of(a, int(work[ROW * row + VERTEX_A]))
    second = vertex_of(b, int(work[ROW * row + VERTEX_B]))
    point = minus(placed(frame, second), first)
    work[ROW * row] = point[0]
    work[ROW * row + 1] = point[1]
    return point


def farthest_row(
    a: Floats, b: Floats, frame: Frame, work: Floats, direction: Vector, row: int
) -> Vector:
    """Return the vertex of the difference that is farthest along a direction; keep its row."""
    work[ROW * row + VERTEX_A] = float(lowest_vertex(a, direction))
    against = direction_in(frame, opposite(direction))
    work[ROW * row + VERTEX_B] = float(lowest_vertex(b, against))
    return place_row(a, b, frame, work, row)


def copy_row(work: Floats, source: int, target: int) -> None:
    """Copy a row onto another."""
    for column in range(ROW):
        work[ROW * target + column] = work[ROW * source + column]


def point_of_a(a: Floats, work: Floats, count: int, share: float) -> Vector:
    """Return the point of A that goes with a point of the first row, or between the first two."""
    first = vertex_of(a, int(work[VERTEX_A]))
    if count == 1:
        return first
    return along(first, share, minus(vertex_of(a, int(work[ROW + VERTEX_A])), first))


# Distance apart, by GJK --------------------------------------------------------------------------


@separate
def core_distance(a: Floats, b: Floats, frame_b_in_a: Frame, work: Floats) -> Distance:
    """Return the distance of two cores, 0 if they meet."""
    size = a[REACH] - a[RADIUS] + b[REACH] - b[RADIUS]
    count = _start(a, b, frame_b_in_a, work)
    distance, lower, best = 0.0, -1e300, 1e300
    normal = (0.0, 1.0)
    for _ in range(STEPS):
        share, nearest, towards = _nearest(work, count)
        if share <= 0.0 or share >= 1.0:  # an end of the two alone
            if share >= 1.0:
                copy_row(work, 1, 0)
            count = 1
        distance = dot(nearest, towards)
        if distance <= MEETING * size:
            return 0.0, normal, frame_b_in_a[1]
        stalled = distance >= best
        best = min(best, distance)
        point = farthest_row(a, b, frame_b_in_a, work, opposite(towards), NEW)
        bound = dot(point, towards)
        if bound > lower:
            lower, normal = bound, towards
        if stalled or distance - lower <= TOLERANCE * size or _is_kept(work, count):
            break
        if count == 1:
            copy_row(work, NEW, 1)
            count = 2
        elif _replace(work):
            return 0.0, normal, frame_b_in_a[1]
    share, _, _ = _nearest(work, count)
    return distance, normal, point_of_a(a, work, count, share)


def _start(a: Floats, b: Floats, frame: Frame, work: Floats) -> int:
    """Make the first rows, return how many there are."""
    centre = (a[CENTRE], a[CENTRE + 1])
    way = minus(placed(frame, (b[CENTRE], b[CENTRE + 1])), centre)
    farthest_row(a, b, frame, work, opposite(way), 0)
    return 1


def _nearest(work: Floats, count: int) -> tuple[float, Vector, Vector]:
    """Return where between the rows the nearest point is, the point, and the way to it."""
    first = row_point(work, 0)
    share, nearest = 0.0, first
    if count == 2:
        edge = minus(row_point(work, 1), first)
        square = dot(edge, edge)
        share = -dot(first, edge) / square if square > 0.0 else 0.0
        if 0.0 < share < 1.0:
            # At right angles to the edge: exact however near the origin is.
            length = norm(edge)
            across = (edge[1] / length, -edge[0] / length)
            if dot(across, first) < 0.0:
                across = opposite(across)
            return share, along(first, share, edge), across
        nearest = row_point(work, 1) if share >= 1.0 else first
    length = norm(nearest)
    if length <= 0.0:
        return share, nearest, (0.0, 1.0)
    return share, nearest, (nearest[0] / length, nearest[1] / length)


def _is_kept(work: Floats, count: int) -> bool:
    """Return whether the new vertex is in the rows already."""
    for row in range(count):
        same_a = work[ROW * row + VERTEX_A] == work[ROW * NEW + VERTEX_A]
        if same_a and work[ROW * row + VERTEX_B] == work[ROW * NEW + VERTEX_B]:
            return True
    return False


def _replace(work: Floats) -> bool:
    """Let a third vertex take the place of one of two; return whether they enclose the origin."""
    first, second, new = row_point(work, 0), row_point(work, 1), row_point(work, NEW)
    one, two = _turn(first, second), _turn(second, new)
    three = _turn(new, first)
    if min(one, two, three) >= 0.0 or max(one, two, three) <= 0.0:
        return True
    if _from_origin(first, new) <= _from_origin(second, new):
        copy_row(work, NEW, 1)
    else:
        copy_row(work, NEW, 0)
    return False


def _turn(a: Vector, b: Vector) -> float:
    return a[0] * b[1] - a[1] * b[0]


def _from_origin(start: Vector, end: Vector) -> float:
    """Return the squared distance of a segment from the origin."""
    edge = minus(end, start)
    square = dot(edge, edge)
    share = -dot(start, edge) / square if square > 0.0 else 0.0
    nearest = along(start, max(0.0, min(1.0, share)), edge)
    return dot(nearest, nearest)


# Result of a query -------------------------------------------------------------------------------


@separate
def polygons_gap(a: Floats, frame_a: Frame, b: Floats, frame_b: Frame, work: Floats) -> Result:
    """Return the gap of two polygons with or without radii."""
    separation, edge, _ = find_edge(a, frame_a, b, frame_b, ANY)
    radii = a[RADIUS] + b[RADIUS]
    apart = separation + radii
    distance = 0.0
    normal, core = frame_a
    if apart > 0.0:
        distance, normal, core = core_distance(a, b, between(frame_a, frame_b), work)
    if distance > 0.0:
        normal = turned(frame_a, normal)
        core = placed(frame_a, core)
        if distance <= apart + EXACT * (a[REACH] + b[REACH]):  # not of two vertices
            distance, normal = apart, edge_normal(a, frame_a, b, frame_b, edge)
        return (
            distance - radii,
            normal,
            along(core, a[RADIUS], normal),
            along(core, distance - b[RADIUS], normal),
        )
    count, normal = edge_contacts(a, frame_a, b, frame_b, edge, work)
    middle = middle_of(work, deepest_row(work, count))
    return (
        separation,
        normal,
        along(middle, -0.5 * separation, normal),
        along(middle, 0.5 * separation, normal),
    )


def edge_normal(a: Floats, frame_a: Frame, b: Floats, frame_b: Frame, edge: int) -> Vector:
    """Return the normal from A to B that belongs to an edge of either."""
    count = int(a[EDGE_COUNT])
    if edge < count:
        start = int(a[EDGES_START]) + EDGE * edge
        return turned(frame_a, (a[start + 2], a[start + 3]))
    start = int(b[EDGES_START]) + EDGE * (edge - count)
    return opposite(turned(frame_b, (b[start + 2], b[start + 3])))


def polygons_look(
    a: Floats,
    frame_a: Frame,
    b: Floats,
    frame_b: Frame,
    margin: float,
    work: Floats,
) -> tuple[float, int]:
    """Return separation and reference edge of two polygons."""
    separation, _, reference = find_edge(a, frame_a, b, frame_b, margin)
    radii = a[RADIUS] + b[RADIUS]
    if separation <= margin and radii > 0.0 and separation + radii > 0.0:
        distance, _, _ = core_distance(a, b, between(frame_a, frame_b), work)
        if distance - radii > separation + EXACT * (a[REACH] + b[REACH]):
            return distance - radii, CORNER
    if radii > 0.0 and separation < 0.0:  # a capsule may stand on the very end of an edge
        count, _ = edge_contacts(a, frame_a, b, frame_b, reference, work)
        if not are_as_deep(work, count, separation):
            return separation, CORNER
    return separation, reference


def polygons_contacts(
    a: Floats,
    frame_a: Frame,
    b: Floats,
    frame_b: Frame,
    feature: int,
    rows: Floats,
    work: Floats,
) -> tuple[int, Vector]:
    """Write the contact points of two polygons for a reference edge."""
    if feature == CORNER:
        distance, normal, point_a, _ = polygons_gap(a, frame_a, b, frame_b, work)
        middle = along(point_a, 0.5 * distance, normal)
        write_row(rows, 0, distance, middle, float(CORNER))
        return 1, normal
    return edge_contacts(a, frame_a, b, frame_b, feature, rows)


def middle_of(rows: Floats, number: int) -> Vector:
    """Return the point of a row."""
    start = CONTACT * number + POINT
    return rows[start], rows[start + 1]
