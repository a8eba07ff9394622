"""The broad phase finds what trying all pairs finds."""

from itertools import combinations

import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.collision.batch_query import PlanarPlacement, SpatialPlacement
from symcontact_ros.collision.bounds import planar_box, spatial_box
from symcontact_ros.collision.broad_phase import Box, find_pairs, HalfSpacePlane, pair_number
from symcontact_ros.collision.detection import Detection
from symcontact_ros.collision.proximity import frames
from symcontact_ros.kernels.kernel import Kernel
from symcontact_ros.kernels.memory import floats_of, Ints, ints_of
from symcontact_ros.kernels.records import dtype_of, Rows, rows_of
from symcontact_ros.shapes.packing import packed


def entry(
    boxes: Rows[Box],
    order: Ints,
    planes: Rows[HalfSpacePlane],
    margin: float,
    allowed: Ints,
    pairs: Ints,
    number: Ints,
) -> None:
    number[0] = find_pairs(boxes, order, planes, margin, allowed, pairs)


ARGUMENTS = [Rows[Box], Ints, Rows[HalfSpacePlane], float, Ints, Ints, Ints]


@pytest.fixture(scope='module')
def compiled():
    return Kernel(entry, ARGUMENTS)


def plain(boxes, order, planes, margin, *others):
    entry(
        rows_of(Box, boxes),
        ints(order),
        rows_of(HalfSpacePlane, planes),
        margin,
        *map(ints, others),
    )


def ints(array):
    """Return an array of ints for plain Python."""
    return ints_of(floats_of(array.view(float)))


class Scene:
    """Boxes and half-spaces that move; the half-spaces are the last shapes."""

    def __init__(self, rng, boxes, planes=0, capacity=10_000):
        self.rng = rng
        self.count = boxes + planes
        self.bounded = boxes
        half = rng.uniform(0.02, 0.2, (boxes, 3))
        half[rng.random(boxes) < 0.05] *= 20.0  # a few huge ones
        self.half = half
        self.centres = rng.uniform(-2.0, 2.0, (boxes, 3))
        normals = rng.normal(size=(planes, 3))
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        self.planes = np.zeros(planes, dtype_of(HalfSpacePlane))
        self.planes['shape'] = np.arange(boxes, self.count)
        self.planes['normal'] = normals
        self.planes['offset'] = rng.uniform(-2.0, 2.0, planes)
        self.allowed = np.ones(self.count * (self.count - 1) // 2, dtype=np.int64)
        self.order = np.arange(boxes, dtype=np.int64)
        self.pairs = np.zeros(capacity, dtype=np.int64)

    @property
    def boxes(self):
        boxes = np.zeros(self.bounded, dtype_of(Box))
        boxes['lower'] = self.centres - self.half
        boxes['upper'] = self.centres + self.half
        return boxes

    def move(self):
        self.centres += self.rng.normal(scale=0.05, size=self.centres.shape)

    def found(self, run, margin):
        number = np.zeros(1, dtype=np.int64)
        run(self.boxes, self.order, self.planes, margin, self.allowed, self.pairs, number)
        keys = self.pairs[: number[0]]
        return int(number[0]), [divmod(int(key), self.count) for key in keys]

    def expected(self, margin):
        boxes = self.boxes
        pairs = []
        for a, b in combinations(range(self.count), 2):
            if not self.allowed[pair_number(a, b, self.count)] or a >= self.bounded:
                continue
            if b >= self.bounded:
                plane = self.planes[b - self.bounded]
                normal, offset = plane['normal'], plane['offset']
                lowest = normal @ self.centres[a] - np.abs(normal) @ self.half[a]
                near = lowest - offset <= margin
            else:
                one, other = boxes[a], boxes[b]
                near = (one['lower'] <= other['upper'] + margin).all() and (
                    other['lower'] <= one['upper'] + margin
                ).all()
            if near:
                pairs.append((a, b))
        return pairs


@pytest.mark.parametrize('planes', [0, 2])
@pytest.mark.parametrize('margin', [0.0, 0.5])
def test_the_sweep_finds_what_trying_all_pairs_finds_while_boxes_move(compiled, planes, margin):
    scene = Scene(np.random.default_rng(5), 120, planes)
    for _ in range(20):
        number, pairs = scene.found(compiled, margin)
        assert pairs == scene.expected(margin)
        assert number == len(pairs) > 0
        scene.move()


def test_machine_code_and_plain_python_find_the_same(compiled):
    for run in (compiled, plain):
        scene = Scene(np.random.default_rng(6), 40, 1)
        found = [scene.found(run, 0.1)]
        scene.move()
        found.append(scene.found(run, 0.1))
        if run is compiled:
            first = found
    assert first == found


def test_pairs_that_may_not_meet_are_left_out(compiled):
    rng = np.random.default_rng(7)
    scene = Scene(rng, 60, 1)
    scene.allowed = (rng.random(len(scene.allowed)) < 0.3).astype(np.int64)
    _, pairs = scene.found(compiled, 0.5)
    assert pairs == scene.expected(0.5)
    assert pairs


def test_too_little_room_is_told_and_nothing_is_written_beyond_it(compiled):
    scene = Scene(np.random.default_rng(8), 60, capacity=10)
    scene.pairs = np.full(12, -1, dtype=np.int64)[:10]
    number, pairs = scene.found(compiled, 0.5)
    assert number == len(scene.expected(0.5)) > 10
    assert len(pairs) == 10
    assert list(scene.pairs.base[10:]) == [-1, -1]


def test_one_shape_or_none_has_no_pairs(compiled):
    for count in (0, 1):
        scene = Scene(np.random.default_rng(9), count)
        scene.allowed = np.zeros(1, dtype=np.int64)
        assert scene.found(compiled, 1.0) == (0, [])


SHAPES = [
    (sc.Circle(0.3), 2),
    (sc.Rectangle((0.5, 0.2)), 2),
    (sc.Capsule(0.1, 0.4), 2),
    (sc.Polygon([(1.0, 1.0), (2.0, 1.1), (1.4, 1.9)]), 2),
    (sc.Sphere(0.3), 3),
    (sc.Box((0.5, 0.2, 0.1)), 3),
    (sc.Capsule(0.1, 0.4), 3),
    (sc.Cylinder(0.3, 0.4), 3),
    (sc.ConvexHull([(1, 0, 0), (2, 0, 0), (1, 1, 0), (1, 0, 1), (2, 1, 1)]), 3),
]


@pytest.mark.parametrize(('shape', 'dimension'), SHAPES, ids=lambda v: getattr(v, 'kind', v))
def test_a_box_touches_its_shape_on_all_six_sides(shape, dimension):
    rng = np.random.default_rng(10)
    for _ in range(20):
        quaternion = rng.normal(size=4)
        if dimension == 2:
            quaternion[:2] = 0.0
        pose = sc.Pose(rng.normal(size=3), quaternion / np.linalg.norm(quaternion))
        placement = PlanarPlacement if dimension == 2 else SpatialPlacement
        frame = placement.at(floats_of(frames('A', shape, pose, dimension))).frame
        box = np.zeros(6)
        write = planar_box if dimension == 2 else spatial_box
        solid = Detection(dimension).solid(packed(shape, dimension))
        write(solid, frame, Box.at(floats_of(box)))
        still = sc.Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
        for axis in range(dimension):
            for side, bound in ((-1.0, box[axis]), (1.0, -box[axis + 3])):
                # The half-space on that side, up to the box: it must just be touched.
                normal = -side * np.eye(3)[axis]
                touch = sc.proximity(
                    shape, pose, sc.HalfSpace(normal, bound), still, dimension=dimension
                )
                assert touch.distance == pytest.approx(0.0, abs=1e-12)
