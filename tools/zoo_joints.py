"""Joints of a robot of the zoo: where they are, how far they went, whether they can be held."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

import numpy as np

AWAY = {'rad': 0.2, 'm': 0.1}  # the most that a joint may be from its start


def joint_positions(simulation: Any) -> dict[str, tuple[float, str]]:
    """Return position and unit of every joint of one degree of freedom, followers too."""
    from symcontact_ros.model.joint_places import JointPlaces

    model, q, values = simulation.model, simulation.q, simulation.parameters
    places = JointPlaces(model)
    return {
        body.joint.name: (float(places.coordinates(body, q, values)[0]), body.joint.kind.unit)
        for body in model.bodies
        if body.joint.kind.is_single
    }


def farthest(simulation: Any, start: dict[str, tuple[float, str]]) -> tuple[float, str, float]:
    """Return the largest part of AWAY by which a joint has left its start, joint and distance."""
    found = [(0.0, '', 0.0)]
    for name, (position, unit) in joint_positions(simulation).items():
        away = abs(position - start[name][0])
        found.append((away / AWAY[unit], name, away))
    return max(found)


def limits(simulation: Any, worst: tuple[float, str, float]) -> str:
    """Return a remark where the actuator of the worst joint was at its limit."""
    steps = simulation.joint_counters.get(worst[1], {}).get('saturated_steps', 0)
    if not steps:
        return ''
    body = next(b for b in simulation.model.bodies if b.joint.name == worst[1])
    most = simulation.model.number(body.joint.effort_limit)
    return f', {steps} steps at its effort limit of {most:g}'


def known(model: Any, initial: dict[str, float]) -> dict[str, float]:
    """Return the positions of joints that a model has: an SRDF serves several files."""
    names = [body.joint.name for body in model.bodies if body.joint.is_driven]
    return {
        key: value for key, value in initial.items() if any(fnmatchcase(n, key) for n in names)
    }


def too_weak(model: Any) -> str:
    """
    Return why a model cannot be held at its start; '' if it can.

    Gravity needs more than the effort limit of a joint, or joints have no servo.
    """
    from symcontact_ros.model.start_pose import StartPose

    pose = StartPose(model)
    gravity = np.array([model.number(part) for part in model.gravity])
    needed = np.zeros(model.speed_count)
    for body in model.bodies:
        turned, position = pose.frames[body.name]
        centre = position + turned @ np.array([model.number(part) for part in body.com])
        linear, _ = pose.jacobian(body.name, centre)
        needed -= linear.T @ (model.number(body.mass) * gravity)
    found = []
    for joint in (body.joint for body in model.bodies if body.joint.is_driven):
        effort = abs(float(needed[pose.speed(joint.name)]))
        most = model.number(joint.effort_limit)
        if effort > most + model.number(joint.friction):
            found.append(f'{joint.name} needs {effort:.3g} and has {most:g}')
    loose = [body.joint.name for body in model.moving if body.joint.type == 'spherical']
    if loose:
        found.append(f'{len(loose)} spherical joints, which no servo holds')
    return ', '.join(found)
