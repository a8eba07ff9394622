"""Legs on which a floating robot stands where it starts, and the inertia that they carry."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from symcontact_ros.expressions import evaluate_all
from symcontact_ros.model.parts import Body
from symcontact_ros.model.shape_boxes import box_around
from symcontact_ros.model.start_pose import StartPose
from symcontact_ros.placements import quaternion_of
from symcontact_ros.shapes.base import Shape
from symcontact_ros.types import Pose

NEAR = 0.02  # [m] to what is fixed: a foot stands, or will after settling


def carried_inertias(pose: StartPose) -> dict[str, float]:
    """
    Return the inertia that every joint of a leg carries [kg m^2 or kg], by joint.

    A leg joins a floating root to a body that is near what is fixed. When its foot stands, its
    joints move the rest of the robot, not the foot: the inertia of that rest, at the start and
    about the joint, shared by the legs. A robot whose root itself is on the ground has no legs.
    """
    model = pose.model
    carried: dict[str, float] = {}
    for root in model.bodies:
        if root.joint.kind.floating_in != model.dimension:
            continue
        tree = _below(pose, root)
        if len(tree) == 1:
            continue
        ways = [_way(pose, foot, root) for foot in tree if _is_near_ground(pose, foot)]
        if not all(ways):
            continue  # it lies on its root
        legs = len({way[-1].name for way in ways})
        for body in {body.name: body for way in ways for body in way}.values():
            outer = {part.name for part in _below(pose, body)}
            rest = [part for part in tree if part.name not in outer]
            carried[body.joint.name] = sum(_about(pose, part, body) for part in rest) / legs
    return carried


def _below(pose: StartPose, root: Body) -> list[Body]:
    """Return a body with all that it carries."""
    names = {root.name}
    tree = [root]
    for body in pose.model.bodies:  # parents come first
        if body.joint.parent in names:
            names.add(body.name)
            tree.append(body)
    return tree


def _way(pose: StartPose, foot: Body, root: Body) -> list[Body]:
    """Return the bodies with joints of one degree of freedom from a foot up to the root."""
    way = []
    body = foot
    while body.name != root.name:
        if body.joint.kind.is_single:
            way.append(body)
        body = pose.model.body(body.joint.parent)
    return way


def _about(pose: StartPose, part: Body, body: Body) -> float:
    """Return the inertia of a part about the axis of a joint [kg m^2], or its mass [kg]."""
    mass, *com = evaluate_all((part.mass, *part.com), pose.values)
    if body.joint.kind.unit == 'm':
        return mass
    xx, yy, zz, xy, xz, yz = evaluate_all(part.inertia, pose.values)
    rotation, position = pose.frames[part.name]
    attitude, origin = pose.frames[body.name]
    axis = attitude @ np.array(evaluate_all(body.joint.axis, pose.values))
    arm = np.cross(axis, position + rotation @ np.array(com) - origin)
    local = rotation.T @ axis
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return float(mass * arm @ arm + local @ inertia @ local)


def _is_near_ground(pose: StartPose, body: Body) -> bool:
    model = pose.model
    fixed = [model.body(name) for name in sorted(model.grounded)]
    return any(
        _are_near(own, other, model.dimension)
        for own in _placed(pose, body)
        for ground in fixed
        for other in _placed(pose, ground)
    )


def _are_near(own: tuple[Shape, Pose], other: tuple[Shape, Pose], dimension: int) -> bool:
    from symcontact_ros.collision.proximity import proximity  # compiled: only where needed

    if not other[0].is_convex:  # the distance from a surface takes the longer the farther it is
        low, high = box_around(*own)
        least, most = box_around(*other)
        if (low > most + NEAR).any() or (high < least - NEAR).any():
            return False
    return proximity(*own, *other, dimension=dimension).distance < NEAR


def _placed(pose: StartPose, body: Body) -> Iterator[tuple[Shape, Pose]]:
    for shape, rotation, position in pose.shapes(body.name):
        yield shape, Pose(position, quaternion_of(rotation))
