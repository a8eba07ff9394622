"""Signed distance of two shapes, for one pose or for many at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symcontact_ros.collision.batch_query import Array, batch_query
from symcontact_ros.collision.convex_programs.options import Options
from symcontact_ros.collision.detection import Detection, detection_of
from symcontact_ros.collision.shape_pair import FALLBACKS, NOT_OPTIMAL, UNPROVEN
from symcontact_ros.errors import OptionError, shown_value
from symcontact_ros.shapes.base import Shape
from symcontact_ros.types import Pose, Proximities, Proximity

FARTHEST = 1e12  # [m] of a position: beyond, squares of lengths lose all digits


def proximity(
    shape_a: Shape,
    pose_a: Pose,
    shape_b: Shape,
    pose_b: Pose,
    detector: str = 'sat',
    dimension: int | None = None,
    co: Mapping[str, object] | Options | None = None,
) -> Proximity:
    """
    Return signed distance, closest points and contact points of A and B.

    Parameters
    ----------
    shape_a, shape_b
        Shapes whose numbers are known.
    pose_a, pose_b
        Where their frames are in the world.
    detector
        'sat': exact; 'co': by convex programs, exact but for two flat shapes in overlap.
    dimension
        2 or 3; only needed for capsules and half-spaces among themselves, which are taken to be
        in space unless given.
    co
        Options of convex programs: ``program``, ``solver``, ``core_radius``, ``margin``.

    Raises
    ------
    OptionError
        For shapes that cannot meet, formulas without values, and poses that are none.
    """
    batch = proximities(shape_a, pose_a, shape_b, pose_b, detector, dimension, co)
    return batch[0]


def proximities(
    shape_a: Shape,
    poses_a: Pose,
    shape_b: Shape,
    poses_b: Pose,
    detector: str = 'sat',
    dimension: int | None = None,
    co: Mapping[str, object] | Options | None = None,
) -> Proximities:
    """
    Return what `proximity` does for many poses, in compiled code.

    Parameters
    ----------
    poses_a, poses_b
        Poses with arrays of shape (n, 3) and (n, 4); one pose for all may have (3,) and (4,).
    """
    _check_types('A', shape_a, poses_a)
    _check_types('B', shape_b, poses_b)
    dimension = _dimension(shape_a, shape_b, dimension)
    detection = detection_of(dimension, detector, co)
    found = batch_query(shape_a.kind, shape_b.kind, detection)
    if found is None:
        raise OptionError(f'no distance is defined of {shape_a.kind} and {shape_b.kind}')
    query, swapped = found
    sides = [
        (_block(name, shape, detection), frames(name, shape, pose, dimension))
        for name, shape, pose in (('A', shape_a, poses_a), ('B', shape_b, poses_b))
    ]
    lengths = [len(side[1]) for side in sides]
    if lengths[0] != lengths[1] and 1 not in lengths:
        raise OptionError(f'{lengths[0]} poses of A and {lengths[1]} of B: give as many, or one')
    (block_a, frames_a), (block_b, frames_b) = sides[::-1] if swapped else sides
    records = query(block_a, frames_a, block_b, frames_b)
    return _unpacked(records, swapped)


def frames(name: str, shape: Shape, pose: Pose, dimension: int) -> Array:
    """Return poses as frames of kernels; OptionError names the shape whose poses are none."""
    who = f'shape {name} ({shape.kind})'
    position = _rows(who, 'position', pose.position, 3)
    quaternion = _rows(who, 'quaternion', pose.quaternion, 4)
    count = max(len(position), len(quaternion))
    if {len(position), len(quaternion)} - {1, count}:
        raise OptionError(f'{who}: {len(position)} positions and {len(quaternion)} quaternions')
    lengths = np.linalg.norm(quaternion, axis=1)
    if np.abs(lengths - 1.0).max() > 1e-6:
        wrong = lengths[np.abs(lengths - 1.0).argmax()]
        raise OptionError(f'{who}: a quaternion must have length 1, got {wrong:g}')
    x, y, z, w = (quaternion / lengths[:, None]).T
    if dimension == 2:
        if np.abs(quaternion[:, :2]).max() > 1e-12:
            raise OptionError(f'{who}: a planar shape turns about z only')
        columns = [w * w - z * z, 2.0 * z * w, *position[:, :2].T]
    else:
        columns = [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y + z * w),
            2.0 * (x * z - y * w),
            2.0 * (x * y - z * w),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z + x * w),
            2.0 * (x * z + y * w),
            2.0 * (y * z - x * w),
            1.0 - 2.0 * (x * x + y * y),
            *position.T,
        ]
    found = np.empty((count, len(columns)))
    for number, column in enumerate(columns):
        found[:, number] = column
    return found


def _rows(who: str, what: str, values: ArrayLike, width: int) -> Array:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim not in (1, 2) or array.shape[-1] != width or array.size == 0:
        raise OptionError(
            f'{who}: {what} needs {width} numbers, or rows of them, got {array.shape}'
        )
    if not np.isfinite(array).all():
        raise OptionError(f'{who}: {what} must be finite, got {array.tolist()}'[:200])
    if np.abs(array).max() > FARTHEST:
        raise OptionError(f'{who}: {what} must be within {FARTHEST:g}')
    return np.atleast_2d(array)


def _block(name: str, shape: Shape, detection: Detection) -> Array:
    if any(not isinstance(scalar, float) for scalar in shape.scalars()):
        raise OptionError(f'shape {name} ({shape.kind}) has formulas: give it values first')
    if detection.dimension == 2 and shape.planar_fault():
        raise OptionError(f'shape {name} ({shape.kind}): {shape.planar_fault()}')
    return detection.block(shape)


def _check_types(name: str, shape: object, pose: object) -> None:
    if not isinstance(shape, Shape):
        raise OptionError(
            f'shape {name} must be a shape such as Circle(0.1), got {shown_value(shape)}'
        )
    if not isinstance(pose, Pose):
        raise OptionError(f'the pose of shape {name} must be a Pose, got {shown_value(pose)}')


def _dimension(shape_a: Shape, shape_b: Shape, wanted: int | None) -> int:
    """Return 2 or 3, whichever both shapes are made for."""
    common = [d for d in (2, 3) if shape_a.fits(d) and shape_b.fits(d)]
    if not common:
        raise OptionError(f'{shape_a.kind} and {shape_b.kind} are not of the same dimension')
    if wanted is None:
        return common[-1]
    if wanted not in common:
        raise OptionError(f'{shape_a.kind} and {shape_b.kind} have no pair in dimension {wanted}')
    return wanted


def _unpacked(records: NDArray[Any], swapped: bool) -> Proximities:
    if swapped:
        records['point_a'], records['point_b'] = records['point_b'], records['point_a'].copy()
        for vectors in (
            records['normal'],
            records['contact_normal'],
            records['contacts']['normal'],
        ):
            vectors *= -1.0
    return Proximities(records, records['status'] != UNPROVEN, _fallbacks(records['status']))


def _fallbacks(statuses: NDArray[np.int64]) -> tuple[str, ...]:
    if statuses.max() < NOT_OPTIMAL:
        return ('',) * len(statuses)
    return tuple(FALLBACKS.get(status, '') for status in statuses.tolist())
