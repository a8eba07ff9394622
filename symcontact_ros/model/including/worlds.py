"""Worlds around a robot, and where the robot stands in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from symcontact_ros.errors import OptionError
from symcontact_ros.model.building.plain_values import plain
from symcontact_ros.model.description import Description
from symcontact_ros.model.file_kinds import is_yaml
from symcontact_ros.model.including.files import find_piece, NotFoundError
from symcontact_ros.model.including.include import include, is_planar, read_part
from symcontact_ros.model.including.merging import merge, SETTINGS
from symcontact_ros.model.including.placing import place_bodies, Pose
from symcontact_ros.model.including.renaming import add_prefix, TABLES
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import WORLD
from symcontact_ros.model.shape_boxes import box_around
from symcontact_ros.model.start_pose import StartPose
from symcontact_ros.placements import Placement, quaternion_of
from symcontact_ros.shapes.base import Shape
from symcontact_ros.types import Pose as ShapePose

PREFIX = 'world_'  # of the names of a world, where the robot has the same
CLEARANCE = 0.01  # [m] between a fixed robot and the world
HIGHEST = 100.0  # [m] above its place from which a robot is lowered
NEAR = 1e-6  # [m] at which it has arrived
MOST_STEPS = 200


def add_world(
    robot: Description, world: str | Path, overrides: Mapping[str, float], adopt: bool
) -> frozenset[str]:
    """
    Add a world to a robot, in place; return the bodies that are the robot's own.

    Parameters
    ----------
    robot
        The robot, or any model.
    world
        Name of a shipped piece, or a model file.
    overrides
        Values that replace those of live symbols, by their names in the whole.
    adopt
        Whether gravity, duration and other settings are those of the world, if it has them.

    """
    path = Path(world)
    try:
        file = path if is_yaml(path) else find_piece(str(world))
    except NotFoundError as error:
        raise OptionError(f'world: {error}') from None
    part = read_part(file, 'fixed', {}, robot.permissions)
    names = _names(robot, 'parameters')
    include(part, {str(k).removeprefix(PREFIX): v for k, v in overrides.items() if k not in names})
    if is_planar(part) != is_planar(robot):
        kinds = [('spatial', 'planar')[is_planar(one)] for one in (part, robot)]
        raise OptionError(f'world {world}: it is {kinds[0]}, and the model is {kinds[1]}')
    own = _names(robot, 'bodies')
    shared = [_names(robot, key) & _names(part, key) for key in TABLES]
    prefix = PREFIX if any(shared) else ''
    add_prefix(part, prefix)
    for key in SETTINGS if adopt else ():
        if key in part.data:
            robot.data.pop(key, None)

    def refuse(key: str, reason: str) -> None:
        robot.fault('', reason)

    merge(robot, part, refuse, prefix, is_world=True)
    return own


def _names(description: Description, key: str) -> frozenset[str]:
    table = description.data.get(key)
    return frozenset(table) - {'pairs'} if isinstance(table, dict) else frozenset()


def put_on_world(robot: Description, own: frozenset[str], overrides: Mapping[str, float]) -> str:
    """
    Put a robot that is at the origin onto its world, in place; return what was done.

    A free base is lowered vertically, from above, until a shape of the robot touches the world. A
    fixed one stays, or is raised until what moves is clear of the world.

    Parameters
    ----------
    robot
        Its description, with the world.
    own
        The bodies of the robot; the others are the world.
    overrides
        Values that replace those of live symbols.

    """
    trial = replace(robot, data=plain(robot.data), faults=list(robot.faults))
    trial.warnings, trial.notes, trial.limits = list(robot.warnings), list(robot.notes), []
    model = Model.from_description(trial, overrides)
    roots = [b for b in model.bodies if b.name in own and b.joint.parent == WORLD]
    moving = [b.name for b in model.bodies if b.name in own and b.name not in model.grounded]
    if len(roots) != 1 or not moving:
        return ''
    free = roots[0].joint.kind.floating_in == 3
    # What a fixed robot touches without ever moving is of no matter.
    pairs = list(_pairs(model, own if free else frozenset(moving), own))
    if free:
        height = _lowered(pairs)
        words = f'its lowest point is put on the world: z = {height:.4g} m'
    else:
        height = _raised(pairs)
        words = f'it is raised by {height:.4g} m, clear of the world; `pose` decides otherwise'
    if height == 0.0 or not np.isfinite(height):
        return ''
    _lift(robot, own, height)
    return f'{model.name}: {words}'


def _lift(robot: Description, own: frozenset[str], height: float) -> None:
    bodies = robot.data['bodies']
    part = replace(robot, data={**robot.data, 'bodies': {n: bodies[n] for n in own}})
    if reason := place_bodies(part, Pose(Placement((0.0, 0.0, height)), {})):
        raise OptionError(f'pose: the robot cannot be placed on the world: {reason}')
    robot.robots = part.robots


# Distances --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Pair:
    """A shape of the robot and one of the world."""

    shape: Shape
    pose: ShapePose
    other: Shape
    other_pose: ShapePose

    def at(self, height: float) -> tuple[float, float]:
        """Return distance [m] and downward part of the normal with the robot at a height."""
        from symcontact_ros.collision.proximity import proximity  # compiled: only where needed

        up = np.array([0.0, 0.0, height])
        pose = ShapePose(self.pose.position + up, self.pose.quaternion)
        if not self.other.is_convex:
            low, high = box_around(self.shape, pose)
            other_low, other_high = box_around(self.other, self.other_pose)
            if (low[:2] > other_high[:2]).any() or (other_low[:2] > high[:2]).any():
                return 1.0, 0.0  # beside it
            if (above := float(low[2] - other_high[2])) > NEAR:
                return above, 1.0
        found = proximity(self.shape, pose, self.other, self.other_pose, dimension=3)
        # No plane lies between a shape and a surface: it may be lowered by the distance alone.
        closing = -float(found.normal[2]) if self.other.is_convex else 1.0
        return float(found.distance), closing


def _pairs(model: Model, parts: frozenset[str], own: frozenset[str]) -> Iterator[_Pair]:
    start = StartPose(model)
    shapes = {
        name: [
            (shape, ShapePose(position, quaternion_of(rotation)))
            for shape, rotation, position in start.shapes(name)
        ]
        for name in model.body_names
    }
    for name in sorted(parts):
        for other in model.body_names:
            if other not in own:
                for shape, pose in shapes[name]:
                    if shape.is_bounded:
                        for shape_b, pose_b in shapes[other]:
                            yield _Pair(shape, pose, shape_b, pose_b)


def _lowered(pairs: list[_Pair]) -> float:
    """Return the greatest height at which something touches; -inf if nothing ever does."""
    best = -np.inf
    starts = sorted(((pair.at(HIGHEST)[0], i) for i, pair in enumerate(pairs)))
    for _, i in starts:
        best = max(best, _arrival(pairs[i], best))
    return float(best)


def _arrival(pair: _Pair, enough: float) -> float:
    """
    Return the height at which a lowered shape touches another; -inf if never.

    Conservative advancement: the plane between two convex shapes tells how far one can be lowered
    before they can touch. It ends below ``enough``, where others have touched.
    """
    height = HIGHEST
    for _ in range(MOST_STEPS):
        distance, closing = pair.at(height)
        if distance <= NEAR:
            return height
        if closing <= 1e-9:
            return -np.inf  # a plane stays between them
        height -= distance / closing
        if height < enough or height < -HIGHEST:
            return -np.inf
    return height


def _raised(pairs: list[_Pair]) -> float:
    """Return by how much a robot must be raised to be clear of the world, 0 if it is."""
    if all(pair.at(0.0)[0] > 0.0 for pair in pairs):
        return 0.0
    return float(_lowered(pairs)) + CLEARANCE
