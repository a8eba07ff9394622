"""Compiled loops over poses: each method of detection alone, and whole detectors."""

from collections.abc import Callable
from functools import cache
import math
from typing import Any

import numpy as np

from co_study.bodies import Pair, Poses, STEPS
from symcontact_ros.collision.detection import Detection
from symcontact_ros.collision.layout import (
    EDGE,
    EDGE_COUNT,
    EDGES_START,
    FACE_COUNT,
    MESH_EDGE_COUNT,
    MESH_EDGES_START,
    MESH_VERTICES,
    PLANES_START,
    VERTEX_COUNT,
    VERTICES,
)
from symcontact_ros.collision.pairs import KEPT, TOUCHING
from symcontact_ros.collision.planar import vectors as planar_vectors
from symcontact_ros.collision.planar.polygons import find_edge
from symcontact_ros.collision.programs import planar as planar_programs
from symcontact_ros.collision.programs import spatial as spatial_programs
from symcontact_ros.collision.programs.options import Options
from symcontact_ros.collision.query import frames
from symcontact_ros.collision.spatial import vectors as spatial_vectors
from symcontact_ros.collision.spatial.boxes import boxes_axes
from symcontact_ros.collision.spatial.convex import convex_gap
from symcontact_ros.collision.spatial.hulls import hulls_axes
from symcontact_ros.collision.spatial.vectors import cross, dot, minus, placed, turned, vector_at
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.kernel import Kernel
from symcontact_ros.kernels.transitional import bound, Memory

RECORD = 5  # numbers that are told of a pose: signed distance, note, normal
DISTANCE, NOTE, NORMAL = 0, 1, 2
PARALLEL = 1e-12


def search(*arguments: Any) -> Any:
    """Stand for the kernel that a loop runs, and for what belongs to its dimension."""
    raise NotImplementedError


frame_at = in_space = remember = search
STRIDE = 0


def edges_loop(  # noqa: PLR0917
    count: int,
    warm: int,
    a: Memory,
    at_a: Memory,
    b: Memory,
    at_b: Memory,
    kept: Memory,
    work: Memory,
    out: Memory,
) -> None:
    """Try the edges of two polygons one by one; stop at one that separates them."""
    for i in range(count):
        separation, _, _ = search(
            a, frame_at(at_a, STRIDE * i), b, frame_at(at_b, STRIDE * i), -1, 0.0
        )
        out[RECORD * i] = separation


def faces_loop(  # noqa: PLR0917
    count: int,
    warm: int,
    a: Memory,
    at_a: Memory,
    b: Memory,
    at_b: Memory,
    kept: Memory,
    work: Memory,
    out: Memory,
) -> None:
    """Try the faces of two hulls, then their edges that may meet; stop at one that separates."""
    for i in range(count):
        separation, _, _ = search(
            a, frame_at(at_a, STRIDE * i), b, frame_at(at_b, STRIDE * i), 0.0
        )
        out[RECORD * i] = separation


def textbook_edges_loop(  # noqa: PLR0917
    count: int,
    warm: int,
    a: Memory,
    at_a: Memory,
    b: Memory,
    at_b: Memory,
    kept: Memory,
    work: Memory,
    out: Memory,
) -> None:
    """Project all vertices of both polygons onto the normal of every edge of both."""
    for i in range(count):
        axes_a, start_a = frame_at(at_a, STRIDE * i)
        axes_b, start_b = frame_at(at_b, STRIDE * i)
        best = -1e300
        for edge in range(int(a[EDGE_COUNT]) + int(b[EDGE_COUNT])):
            of_a = edge < int(a[EDGE_COUNT])
            own = edge if of_a else edge - int(a[EDGE_COUNT])
            row = int(a[EDGES_START]) + EDGE * own if of_a else int(b[EDGES_START]) + EDGE * own
            n = (a[row + 2], a[row + 3]) if of_a else (b[row + 2], b[row + 3])
            c, s = axes_a if of_a else axes_b
            x, y = c * n[0] - s * n[1], s * n[0] + c * n[1]
            low_a, high_a, low_b, high_b = 1e300, -1e300, 1e300, -1e300
            u, v = axes_a[0] * x + axes_a[1] * y, axes_a[0] * y - axes_a[1] * x
            for vertex in range(int(a[VERTEX_COUNT])):
                h = u * a[VERTICES + 2 * vertex] + v * a[VERTICES + 2 * vertex + 1]
                low_a, high_a = min(low_a, h), max(high_a, h)
            u, v = axes_b[0] * x + axes_b[1] * y, axes_b[0] * y - axes_b[1] * x
            for vertex in range(int(b[VERTEX_COUNT])):
                h = u * b[VERTICES + 2 * vertex] + v * b[VERTICES + 2 * vertex + 1]
                low_b, high_b = min(low_b, h), max(high_b, h)
            shift = x * (start_b[0] - start_a[0]) + y * (start_b[1] - start_a[1])
            best = max(best, low_b + shift - high_a, low_a - shift - high_b)
            if best > 0.0:
                break
        out[RECORD * i] = best


def textbook_faces_loop(  # noqa: PLR0917
    count: int,
    warm: int,
    a: Memory,
    at_a: Memory,
    b: Memory,
    at_b: Memory,
    kept: Memory,
    work: Memory,
    out: Memory,
) -> None:
    """Project all vertices of both hulls onto all normals and all products of two edges."""
    for i in range(count):
        frame = search(frame_at(at_a, STRIDE * i), frame_at(at_b, STRIDE * i))  # of B in A's
        faces_a, faces_b = int(a[FACE_COUNT]), int(b[FACE_COUNT])
        edges_b = int(b[MESH_EDGE_COUNT])
        best = -1e300
        for axis in range(faces_a + faces_b + int(a[MESH_EDGE_COUNT]) * edges_b):
            if axis < faces_a:
                n = vector_at(a, int(a[PLANES_START]) + 4 * axis)
            elif axis < faces_a + faces_b:
                n = turned(frame, vector_at(b, int(b[PLANES_START]) + 4 * (axis - faces_a)))
            else:
                number = axis - faces_a - faces_b
                row = int(a[MESH_EDGES_START]) + 4 * (number // edges_b)
                along_a = minus(
                    vector_at(a, MESH_VERTICES + 3 * int(a[row])),
                    vector_at(a, MESH_VERTICES + 3 * int(a[row + 1])),
                )
                row = int(b[MESH_EDGES_START]) + 4 * (number % edges_b)
                along_b = minus(
                    vector_at(b, MESH_VERTICES + 3 * int(b[row])),
                    vector_at(b, MESH_VERTICES + 3 * int(b[row + 1])),
                )
                n = cross(along_a, turned(frame, along_b))
            square = dot(n, n)
            if square <= PARALLEL:
                continue
            low_a, high_a, low_b, high_b = 1e300, -1e300, 1e300, -1e300
            for vertex in range(int(a[VERTEX_COUNT])):
                h = dot(n, vector_at(a, MESH_VERTICES + 3 * vertex))
                low_a, high_a = min(low_a, h), max(high_a, h)
            for vertex in range(int(b[VERTEX_COUNT])):
                h = dot(n, placed(frame, vector_at(b, MESH_VERTICES + 3 * vertex)))
                low_b, high_b = min(low_b, h), max(high_b, h)
            best = max(best, max(low_b - high_a, low_a - high_b) / math.sqrt(square))
            if best > 0.0:
                break
        out[RECORD * i] = best


def gap_loop(  # noqa: PLR0917
    count: int,
    warm: int,
    a: Memory,
    at_a: Memory,
    b: Memory,
    at_b: Memory,
    kept: Memory,
    work: Memory,
    out: Memory,
) -> None:
    """Measure the exact distance."""
    for i in range(count):
        distance, normal, _, _, note = search(
            a, frame_at(at_a, STRIDE * i), b, frame_at(at_b, STRIDE * i), work
        )
        out[RECORD * i] = distance + 0.0 * normal[0]
        out[RECORD * i + 1] = note


def solve_loop(  # noqa: PLR0917
    count: int,
    warm: int,
    a: Memory,
    at_a: Memory,
    b: Memory,
    at_b: Memory,
    kept: Memory,
    work: Memory,
    out: Memory,
) -> None:
    """Solve a convex program; warm: from the answer at the pose before."""
    for i in range(count):
        if warm == 0 or i % STEPS == 0:
            kept[0] = 0.0
        distance, normal, _, _, note, rows = search(
            a, frame_at(at_a, STRIDE * i), b, frame_at(at_b, STRIDE * i), 0.0, kept, work
        )
        remember(rows, kept, work)
        out[RECORD * i] = distance
        out[RECORD * i + 1] = note
        x, y, z = in_space(normal)
        out[RECORD * i + 2] = x
        out[RECORD * i + 3] = y
        out[RECORD * i + 4] = z


def hits_loop(  # noqa: PLR0917
    count: int,
    warm: int,
    a: Memory,
    at_a: Memory,
    b: Memory,
    at_b: Memory,
    kept: Memory,
    work: Memory,
    out: Memory,
) -> None:
    """Write 1 where the vertices that carried the last answer carry this one, 0 where not."""
    for i in range(count):
        if i % STEPS == 0:
            kept[0] = 0.0
        rows, first, second, third = kept[0], kept[1], kept[2], kept[3]
        _, _, _, _, _, found = search(
            a, frame_at(at_a, STRIDE * i), b, frame_at(at_b, STRIDE * i), 0.0, kept, work
        )
        remember(found, kept, work)
        same = rows != 0.0 and rows == kept[0] and first == kept[1]
        if abs(rows) >= 2.0:
            same = same and second == kept[2]
        if abs(rows) >= 3.0:
            same = same and third == kept[3]
        out[RECORD * i] = 1.0 if same else 0.0


def look_loop(  # noqa: PLR0917
    count: int,
    warm: int,
    a: Memory,
    at_a: Memory,
    b: Memory,
    at_b: Memory,
    kept: Memory,
    work: Memory,
    out: Memory,
) -> None:
    """Do what a step does to find a contact: distance, reference face; warm: with its memory."""
    hint = -1
    for i in range(count):
        if warm == 0 or i % STEPS == 0:
            kept[0] = 0.0
            hint = -1
        separation, feature, note = search(
            a, frame_at(at_a, STRIDE * i), b, frame_at(at_b, STRIDE * i), hint, 0.0, kept, work
        )
        hint = feature if separation > 0.0 else TOUCHING
        out[RECORD * i] = separation
        out[RECORD * i + 1] = note


@cache
def _kernel(loop: Callable[..., None], kernel: Any, dimension: int) -> Kernel:
    vectors: Any = planar_vectors if dimension == 2 else spatial_vectors
    programs: Any = planar_programs if dimension == 2 else spatial_programs
    function = bound(
        loop,
        search=kernel,
        frame_at=vectors.frame_at,
        in_space=Detection(dimension).table.in_space,
        remember=programs.remember,
        STRIDE=vectors.FRAME,
    )
    return Kernel(function, ['int', 'int'] + ['memory'] * 7, Cache())


class Compiled:
    """A loop over the poses of a pair: ``run(count)``, then `records`."""

    def __init__(
        self, loop: Callable[..., None], kernel: Any, pair: Pair, poses: Poses, warm: bool = False
    ) -> None:
        d = pair.dimension
        self.count = len(poses)
        self._warm = int(warm)
        self._kernel = _kernel(loop, kernel, d)
        self._out = np.zeros((self.count, RECORD))
        self._arrays = (
            pair.block(0),
            frames('A', pair.a, poses.a, d),
            pair.block(1),
            frames('B', pair.b, poses.b, d),
            np.zeros(KEPT),
            np.zeros(KEPT + Detection(d).table.WORK),
        )

    def run(self, count: int) -> None:
        """Go over the first poses."""
        self._kernel(count, self._warm, *self._arrays, self._out)

    @property
    def records(self) -> np.ndarray:
        """What is told of all poses: signed distance, note, normal."""
        self.run(self.count)
        return self._out


def exact_pair(pair: Pair) -> tuple[Any, bool]:
    """Return the exact kernels of two shapes, and whether they take B before A."""
    pairs = Detection(pair.dimension).table.PAIRS
    swapped = (pair.a.kind, pair.b.kind) not in pairs
    return pairs[(pair.b.kind, pair.a.kind) if swapped else (pair.a.kind, pair.b.kind)], swapped


def axes_by_axes(pair: Pair, poses: Poses) -> dict[str, Compiled]:
    """Return separating axes of two polytopes, as they are here and as textbooks have them."""
    if pair.dimension == 2:
        return {
            'SAT': Compiled(edges_loop, find_edge, pair, poses),
            'SAT, textbook': Compiled(textbook_edges_loop, None, pair, poses),
        }
    axes = boxes_axes if pair.a.kind == 'box' else hulls_axes
    return {
        'SAT': Compiled(faces_loop, axes, pair, poses),
        'SAT, textbook': Compiled(textbook_faces_loop, spatial_vectors.between, pair, poses),
        'GJK, EPA': Compiled(gap_loop, convex_gap, pair, poses),
    }


def detectors(pair: Pair, poses: Poses, program: str = 'auto') -> dict[str, Compiled]:
    """Return the program alone and both detectors as a step uses them, cold and warm."""
    d = pair.dimension
    exact, swapped = exact_pair(pair)
    assert not swapped, f'{pair.title}: name B first'
    detection = Detection(d, 'co', Options(program))
    solve = getattr(planar_programs if d == 2 else spatial_programs, program)
    look = detection.pair(exact).look
    found = {}
    for name, warm in (('cold', False), ('warm', True)):
        found[f'CO program, {name}'] = Compiled(solve_loop, solve, pair, poses, warm)
        found[f'exact detector, {name}'] = Compiled(look_loop, exact.look, pair, poses, warm)
        found[f'CO detector, {name}'] = Compiled(look_loop, look, pair, poses, warm)
    return found
