"""The signed distance of two shapes, asked for one pair at a time."""

from __future__ import annotations

from symcontact_ros.collision.planar import Gap, PAIRS, place, size_of
from symcontact_ros.errors import OptionError
from symcontact_ros.model.shapes import Shape
from symcontact_ros.types import Pose, Proximity, vector

DETECTORS = ('sat',)


def proximity(
    shape_a: Shape, pose_a: Pose, shape_b: Shape, pose_b: Pose, detector: str = 'sat'
) -> Proximity:
    """Return closest points and signed distance of A and B; poses are those of their bodies."""
    check_detector(detector)
    pair = (shape_a.kind, shape_b.kind)
    if pair not in PAIRS:
        raise OptionError(f'no {detector} test for {shape_a.kind} and {shape_b.kind}')
    a, b = (
        place(shape.kind, size_of(shape), _frame(pose))
        for shape, pose in ((shape_a, pose_a), (shape_b, pose_b))
    )
    return as_proximity(PAIRS[pair](a, b))


def check_detector(detector: str) -> None:
    """Raise OptionError unless there is a detector of this name."""
    if detector not in DETECTORS:
        raise OptionError(f'detector must be one of {", ".join(DETECTORS)}, got {detector!r}')


def as_proximity(gap: Gap) -> Proximity:
    """Return a gap of the plane as what users see."""
    distance, nx, ny, ax, ay, bx, by = gap
    return Proximity(distance, vector([nx, ny, 0]), vector([ax, ay, 0]), vector([bx, by, 0]))


def _frame(pose: Pose) -> tuple[float, ...]:
    x, y, _ = pose.position
    _, _, qz, qw = pose.quaternion
    return float(x), float(y), float(1.0 - 2.0 * qz * qz), float(2.0 * qz * qw)
