"""Compiled loops over poses: each method of detection alone, and whole detectors."""

from collections.abc import Callable
from functools import cache
import math
from typing import Any

import numpy as np

from co_study.bodies import Pair, Poses, STEPS
from symcontact_ros.collision import shape_pair
from symcontact_ros.collision.batch_query import Placement, PlanarPlacement, SpatialPlacement
from symcontact_ros.collision.convex_programs import planar_programs, spatial_programs
from symcontact_ros.collision.convex_programs.options import Options
from symcontact_ros.collision.convex_programs.program import Dimension, Program
from symcontact_ros.collision.detection import Detection
from symcontact_ros.collision.planar.separating_axes import find_edge
from symcontact_ros.collision.proximity import frames
from symcontact_ros.collision.shape_pair import (
    CORNER,
    F,
    NO_PROGRAM,
    Result,
    S,
    TOUCHING,
    V,
    WARM_START,
    WarmStart,
)
from symcontact_ros.collision.spatial.box_axes import boxes_axes
from symcontact_ros.collision.spatial.convex_gap import convex_gap
from symcontact_ros.collision.spatial.hull_axes import hulls_axes
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.kernel import Kernel, static
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.kernels.records import dtype_of, Record, Rows
from symcontact_ros.kernels.vectors.spatial import (
    between,
    cross,
    dot,
    Frame,
    minus,
    placed,
    turned,
    Vector,
)
from symcontact_ros.shapes.packing import solid_type
from symcontact_ros.shapes.records import PlanarSolid, SpatialSolid, Triple

PARALLEL = 1e-12


class PoseResult(Record):
    """Result at one pose; a method writes the fields that it computes."""

    distance: float  # signed, or how far an axis separates [m]
    status: int
    normal: Triple
    is_hit: bool  # whether the vertices that carried the last answer carry this one


# Every loop takes a method and its dimension, known while it is compiled, then how many poses it
# is to go over, whether from the answers before, shapes and places of A and B, and memory.


def edges_loop(  # noqa: PLR0917
    search: Callable[..., tuple[float, int, int]],
    dimension: Dimension[S, F, V],
    count: int,
    is_warm: int,
    a: S,
    at_a: Rows[Placement[F]],
    b: S,
    at_b: Rows[Placement[F]],
    starts: Rows[WarmStart],
    work: Floats,
    out: Rows[PoseResult],
) -> None:
    """Test the edges of two polygons in turn; stop at a separating one."""
    for i in range(count):
        separation, _, _ = search(a, at_a[i].frame, b, at_b[i].frame, CORNER, 0.0)
        out[i].distance = separation


def faces_loop(  # noqa: PLR0917
    search: Callable[..., tuple[float, int, int]],
    dimension: Dimension[S, F, V],
    count: int,
    is_warm: int,
    a: S,
    at_a: Rows[Placement[F]],
    b: S,
    at_b: Rows[Placement[F]],
    starts: Rows[WarmStart],
    work: Floats,
    out: Rows[PoseResult],
) -> None:
    """Test the faces of two hulls, then pairs of edges that may meet; stop at a separating one."""
    for i in range(count):
        separation, _, _ = search(a, at_a[i].frame, b, at_b[i].frame, 0.0)
        out[i].distance = separation


def textbook_edges_loop(  # noqa: PLR0917
    search: None,
    dimension: Dimension[S, F, V],
    count: int,
    is_warm: int,
    a: PlanarSolid,
    at_a: Rows[PlanarPlacement],
    b: PlanarSolid,
    at_b: Rows[PlanarPlacement],
    starts: Rows[WarmStart],
    work: Floats,
    out: Rows[PoseResult],
) -> None:
    """Project all vertices of both polygons onto the normal of every edge of both."""
    for i in range(count):
        axes_a, start_a = at_a[i].frame
        axes_b, start_b = at_b[i].frame
        best = -1e300
        for edge in range(len(a.edges) + len(b.edges)):
            of_a = edge < len(a.edges)
            n = a.edges[edge].normal if of_a else b.edges[edge - len(a.edges)].normal
            c, s = axes_a if of_a else axes_b
            x, y = c * n[0] - s * n[1], s * n[0] + c * n[1]
            low_a, high_a, low_b, high_b = 1e300, -1e300, 1e300, -1e300
            u, v = axes_a[0] * x + axes_a[1] * y, axes_a[0] * y - axes_a[1] * x
            for vertex in range(len(a.vertices)):
                position = a.vertices[vertex].position
                h = u * position[0] + v * position[1]
                low_a, high_a = min(low_a, h), max(high_a, h)
            u, v = axes_b[0] * x + axes_b[1] * y, axes_b[0] * y - axes_b[1] * x
            for vertex in range(len(b.vertices)):
                position = b.vertices[vertex].position
                h = u * position[0] + v * position[1]
                low_b, high_b = min(low_b, h), max(high_b, h)
            shift = x * (start_b[0] - start_a[0]) + y * (start_b[1] - start_a[1])
            best = max(best, low_b + shift - high_a, low_a - shift - high_b)
            if best > 0.0:
                break
        out[i].distance = best


def textbook_faces_loop(  # noqa: PLR0917
    search: None,
    dimension: Dimension[S, F, V],
    count: int,
    is_warm: int,
    a: SpatialSolid,
    at_a: Rows[SpatialPlacement],
    b: SpatialSolid,
    at_b: Rows[SpatialPlacement],
    starts: Rows[WarmStart],
    work: Floats,
    out: Rows[PoseResult],
) -> None:
    """Project all vertices of both hulls onto all normals and all products of two edges."""
    for i in range(count):
        frame = between(at_a[i].frame, at_b[i].frame)  # of B in A's
        best = -1e300
        for axis in range(len(a.planes) + len(b.planes) + len(a.edges) * len(b.edges)):
            n = axis_of(a, b, frame, axis)
            square = dot(n, n)
            if square <= PARALLEL:
                continue
            low_a, high_a, low_b, high_b = 1e300, -1e300, 1e300, -1e300
            for vertex in range(len(a.vertices)):
                h = dot(n, a.vertices[vertex].position)
                low_a, high_a = min(low_a, h), max(high_a, h)
            for vertex in range(len(b.vertices)):
                h = dot(n, placed(frame, b.vertices[vertex].position))
                low_b, high_b = min(low_b, h), max(high_b, h)
            best = max(best, max(low_b - high_a, low_a - high_b) / math.sqrt(square))
            if best > 0.0:
                break
        out[i].distance = best


def axis_of(a: SpatialSolid, b: SpatialSolid, frame: Frame, axis: int) -> Vector:
    """Return an axis of two hulls: normals of A's faces, of B's, then products of two edges."""
    faces_a, faces_b, edges_b = len(a.planes), len(b.planes), len(b.edges)
    if axis < faces_a:
        return a.planes[axis].normal
    if axis < faces_a + faces_b:
        return turned(frame, b.planes[axis - faces_a].normal)
    number = axis - faces_a - faces_b
    along_a = edge_of(a, number // edges_b)
    return cross(along_a, turned(frame, edge_of(b, number % edges_b)))


def edge_of(shape: SpatialSolid, number: int) -> Vector:
    """Return the vector from the second vertex of an edge to the first."""
    edge = shape.edges[number]
    return minus(shape.vertices[edge.first].position, shape.vertices[edge.second].position)


def gap_loop(  # noqa: PLR0917
    search: Callable[..., Result[V]],
    dimension: Dimension[S, F, V],
    count: int,
    is_warm: int,
    a: S,
    at_a: Rows[Placement[F]],
    b: S,
    at_b: Rows[Placement[F]],
    starts: Rows[WarmStart],
    work: Floats,
    out: Rows[PoseResult],
) -> None:
    """Compute the exact distance."""
    for i in range(count):
        distance, normal, _, _, status = search(a, at_a[i].frame, b, at_b[i].frame, work)
        result = out[i]
        result.distance = distance + 0.0 * dimension.in_space(normal)[0]
        result.status = status


def solve_loop(  # noqa: PLR0917
    search: Program[S, F, V],
    dimension: Dimension[S, F, V],
    count: int,
    is_warm: int,
    a: S,
    at_a: Rows[Placement[F]],
    b: S,
    at_b: Rows[Placement[F]],
    starts: Rows[WarmStart],
    work: Floats,
    out: Rows[PoseResult],
) -> None:
    """Solve a convex program; warm: started from the previous pose."""
    start = starts[0]
    for i in range(count):
        if is_warm == 0 or i % STEPS == 0:
            start.program = NO_PROGRAM
        distance, normal, _, _, status, program, carriers = search.solve(
            a, at_a[i].frame, b, at_b[i].frame, 0.0, start, work
        )
        dimension.remember(program, carriers, start, work)
        result = out[i]
        result.distance = distance
        result.status = status
        result.normal = dimension.in_space(normal)


def hits_loop(  # noqa: PLR0917
    search: Program[S, F, V],
    dimension: Dimension[S, F, V],
    count: int,
    is_warm: int,
    a: S,
    at_a: Rows[Placement[F]],
    b: S,
    at_b: Rows[Placement[F]],
    starts: Rows[WarmStart],
    work: Floats,
    out: Rows[PoseResult],
) -> None:
    """Report the poses at which the vertices of the last result determine this one."""
    start, before = starts[0], starts[1]
    for i in range(count):
        if i % STEPS == 0:
            start.program = NO_PROGRAM
        copy(start, before)
        _, _, _, _, _, program, carriers = search.solve(
            a, at_a[i].frame, b, at_b[i].frame, 0.0, start, work
        )
        dimension.remember(program, carriers, start, work)
        out[i].is_hit = before.program != NO_PROGRAM and is_same(start, before)


def copy(source: WarmStart, target: WarmStart) -> None:
    """Copy a warm start."""
    target.program = source.program
    target.count = source.count
    for i in range(len(source.vertices_a)):
        target.vertices_a[i] = source.vertices_a[i]
        target.vertices_b[i] = source.vertices_b[i]


def is_same(one: WarmStart, other: WarmStart) -> bool:
    """Return whether two warm starts have the same vertices, of the same program."""
    if one.program != other.program or one.count != other.count:
        return False
    for i in range(one.count):
        same_a = one.vertices_a[i] == other.vertices_a[i]
        if not same_a or one.vertices_b[i] != other.vertices_b[i]:
            return False
    return True


def query_loop(  # noqa: PLR0917
    search: shape_pair.Pair[S, F, V],
    dimension: Dimension[S, F, V],
    count: int,
    is_warm: int,
    a: S,
    at_a: Rows[Placement[F]],
    b: S,
    at_b: Rows[Placement[F]],
    starts: Rows[WarmStart],
    work: Floats,
    out: Rows[PoseResult],
) -> None:
    """Make the query of a step: distance, reference face; warm: with a warm start."""
    start = starts[0]
    hint = CORNER
    for i in range(count):
        if is_warm == 0 or i % STEPS == 0:
            start.program = NO_PROGRAM
            hint = CORNER
        separation, feature, status = search.query(
            a, at_a[i].frame, b, at_b[i].frame, hint, 0.0, start, work
        )
        hint = feature if separation > 0.0 else TOUCHING
        result = out[i]
        result.distance = separation
        result.status = status


@cache
def _kernel(loop: Callable[..., None], method: Any, dimension: int) -> Kernel:
    programs: Any = planar_programs if dimension == 2 else spatial_programs
    placement = PlanarPlacement if dimension == 2 else SpatialPlacement
    statics = [static(method), static(programs.DIMENSION)]
    side = [solid_type(dimension), Rows[placement]]
    memory = [Rows[WarmStart], Floats, Rows[PoseResult]]
    return Kernel(loop, [*statics, int, int, *side, *side, *memory], Cache())


class Compiled:
    """A loop over the poses of a pair: ``run(count)``, then `records`."""

    def __init__(
        self, loop: Callable[..., None], method: Any, pair: Pair, poses: Poses, warm: bool = False
    ) -> None:
        d = pair.dimension
        self.count = len(poses)
        self._warm = int(warm)
        self._kernel = _kernel(loop, method, d)
        self._out = np.zeros(self.count, dtype_of(PoseResult))
        self._arrays = (
            pair.block(0),
            frames('A', pair.a, poses.a, d),
            pair.block(1),
            frames('B', pair.b, poses.b, d),
            np.zeros(2, dtype_of(WarmStart)),
            np.zeros(WARM_START + Detection(d).table.WORK),
        )

    def run(self, count: int) -> None:
        """Run the loop over the first poses."""
        self._kernel(count, self._warm, *self._arrays, self._out)

    @property
    def records(self) -> np.ndarray:
        """Results at all poses, as a structured array of `PoseResult`."""
        self.run(self.count)
        return self._out


def exact_pair(pair: Pair) -> tuple[Any, bool]:
    """Return the exact kernels of two shapes, and whether A and B are swapped."""
    known = Detection(pair.dimension).table.PAIRS
    swapped = (pair.a.kind, pair.b.kind) not in known
    return known[(pair.b.kind, pair.a.kind) if swapped else (pair.a.kind, pair.b.kind)], swapped


def axes_by_axes(pair: Pair, poses: Poses) -> dict[str, Compiled]:
    """Return separating axes of two polytopes, as in this package and as in textbooks."""
    if pair.dimension == 2:
        return {
            'SAT': Compiled(edges_loop, find_edge, pair, poses),
            'SAT, textbook': Compiled(textbook_edges_loop, None, pair, poses),
        }
    axes = boxes_axes if pair.a.kind == 'box' else hulls_axes
    return {
        'SAT': Compiled(faces_loop, axes, pair, poses),
        'SAT, textbook': Compiled(textbook_faces_loop, None, pair, poses),
        'GJK, EPA': Compiled(gap_loop, convex_gap, pair, poses),
    }


def detectors(pair: Pair, poses: Poses, program: str = 'auto') -> dict[str, Compiled]:
    """Return the program alone and both detectors as used by a step, cold and warm."""
    d = pair.dimension
    exact, swapped = exact_pair(pair)
    assert not swapped, f'{pair.title}: name B first'
    programs: Any = planar_programs if d == 2 else spatial_programs
    by_programs = Detection(d, 'co', Options(program)).pair(exact)
    found = {}
    for name, warm in (('cold', False), ('warm', True)):
        solved = Compiled(solve_loop, programs.PROGRAMS[program], pair, poses, warm)
        found[f'CO program, {name}'] = solved
        found[f'exact detector, {name}'] = Compiled(query_loop, exact, pair, poses, warm)
        found[f'CO detector, {name}'] = Compiled(query_loop, by_programs, pair, poses, warm)
    return found
