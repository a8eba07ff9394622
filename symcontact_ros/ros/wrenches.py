"""
Contact wrenches: net per body, and per pair.

Rule for every WrenchStamped: force and torque are in the axes of ``frame_id``, the torque is about
its origin, and that frame is on /tf at the same stamp.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

from builtin_interfaces.msg import Time
import numpy as np

from symcontact_ros.model.model import Model
from symcontact_ros.ros.conversions import wrench, write_wrench
from symcontact_ros.ros.frames import Frames
from symcontact_ros.ros.topics import Topics
from symcontact_ros.simulation.instants import Instant


def pairs_with_topics(model: Model, most: int, globs: tuple[str, ...]) -> list[int]:
    """Return the rows of the pairs that have topics: all up to a number, else those that match."""
    names = [f'{a}/{b}' for a, b in model.pairs]
    if len(names) <= most:
        return list(range(len(names)))
    return [i for i, name in enumerate(names) if any(fnmatchcase(name, g) for g in globs if g)]


class ContactWrenches:
    """`~/bodies/<body>/contact_wrench`, net, and `.../<other>`, of one pair; on the body."""

    def __init__(self, topics: Topics, model: Model, frames: Frames, pairs: list[int]) -> None:
        rows = {name: row for row, name in enumerate(model.body_names)}
        self._in_body_axes = frames.axes == 'body'
        touching = sorted({name for pair in model.pairs for name in pair}, key=rows.__getitem__)
        self._net = [
            (rows[name], topics.add(wrench(frames.com(name)), f'~/bodies/{name}/contact_wrench'))
            for name in touching
        ]
        self._by = []
        for pair in pairs:
            a, b = model.pairs[pair]
            for body, other, sign in ((a, b, -1.0), (b, a, 1.0)):
                name = f'~/bodies/{body}/contact_wrench/{other}'
                topic = topics.add(wrench(frames.contact(a, b)), name)
                self._by.append((pair, sign, topic))

    def publish(self, instant: Instant, time: Time) -> None:
        """Send what somebody listens to."""
        for row, topic in self._net:
            if topic.listeners:
                force, torque = instant.force[row], instant.torque[row]
                if self._in_body_axes:
                    axes = instant.rotation[row].T
                    force, torque = axes @ force, axes @ torque
                write_wrench(topic.message, force.tolist(), torque.tolist(), time)
                topic.send()
        both = np.concatenate([instant.pair_force, instant.pair_torque], axis=1)
        signed = {1.0: both.tolist(), -1.0: (-both + 0.0).tolist()}  # + 0.0: no negative zeros
        for pair, sign, topic in self._by:
            if topic.listeners:
                numbers = signed[sign][pair]
                write_wrench(topic.message, numbers[:3], numbers[3:], time)
                topic.send()
