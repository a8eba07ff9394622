"""
Messages of a run without ROS, on the topics that the node has.

/tf and /tf_static, joint_states, contact wrenches of bodies and pairs, markers, energies. Frames,
axes and signs are those of docs/ros.md.
"""

from __future__ import annotations

from typing import Any, Protocol

from symcontact_ros.expressions import evaluate_all
from symcontact_ros.model.likely_pairs import likely_first
from symcontact_ros.recording.cdr import serialize
from symcontact_ros.recording.joint_columns import JointColumns
from symcontact_ros.recording.marker_scene import (
    ForceArrows,
    OPACITY,
    POINT_SIZE,
    RED,
    ScenePieces,
    YELLOW,
)
from symcontact_ros.recording.run_writer import RunWriter
from symcontact_ros.shapes.drawing import CUBE, CYLINDER, SPHERE, TRIANGLES
from symcontact_ros.simulation.observing.instant import Instant
from symcontact_ros.simulation.simulation import Simulation

MOST_PAIRS = 64  # with topics of their own
MARKER_PERIOD = 1e9 / 30.0  # [ns] between two arrays of markers, at least
ARROW, SPHERE_LIST = 0, 7  # of visualization_msgs/msg/Marker
KINDS = {CUBE: 1, SPHERE: 2, CYLINDER: 3, TRIANGLES: 11}
ADD, DELETE = 0, 2
ENERGIES = (
    *('kinetic', 'potential', 'elastic', 'dissipated', 'work_in', 'manifold', 'integration'),
    *('mechanical', 'residual'),
)


class FrameNames(Protocol):
    """Names of the frames of a model."""

    @property
    def world(self) -> str:
        """The inertial frame."""

    def of(self, name: str) -> str:
        """Return the frame of a body or of a site."""

    def com(self, body: str) -> str:
        """Return the frame at the centre of mass of a body."""

    def contact(self, a: str, b: str) -> str:
        """Return the frame at the contact of two bodies."""


class SceneTopics:
    """Topics of a simulation in a recording."""

    def __init__(self, writer: RunWriter, simulation: Simulation, frames: FrameNames) -> None:
        model = simulation.model
        self._writer = writer
        self._simulation = simulation
        self._model = model
        self._frames = frames
        self._observer = simulation.observer(often=False)
        self._all_pairs = simulation.pairs
        self._pairs = sorted(likely_first(model, self._all_pairs)[:MOST_PAIRS])
        self._moving = [
            row for row, name in enumerate(model.body_names) if name not in model.grounded
        ]
        self._joints = JointColumns(model)
        self._arrows = ForceArrows()
        self._arrow_count = 0
        self._marked = -MARKER_PERIOD
        self._values: dict[str, float] = {}
        touching = {name for pair in self._all_pairs for name in pair}
        self._touching = [
            (row, name) for row, name in enumerate(model.body_names) if name in touching
        ]

    def record(self) -> None:
        """Record this instant, with the hash of its state."""
        instant = self._observer.observe(0.0)
        stamp = dict(zip(('sec', 'nanosec'), divmod(self._writer.clock(), 10**9), strict=True))
        values = self._simulation.parameters
        if values != self._values:
            self._values = values
            self._pieces = ScenePieces(self._model, values)
            self._joints.refresh(values)
            self._write_static(instant, stamp)
        self._write_transforms(instant, stamp)
        self._write_joints(instant, stamp)
        self._write_wrenches(instant, stamp)
        energy = self._simulation.energy()
        for term in ENERGIES:
            self._send(
                f'~/energy/{term}', 'std_msgs/msg/Float64', {'data': float(getattr(energy, term))}
            )
        if self._writer.clock() - self._marked >= MARKER_PERIOD:
            self._marked = self._writer.clock()
            self._write_markers(instant, stamp)
        self._writer.mark()

    def _send(self, topic: str, kind: str, message: Any, latched: bool = False) -> None:
        name = topic.replace('~', self._writer.node, 1)
        channel = self._writer.channel(name, kind, latched=latched)
        self._writer.write(channel, serialize(kind, message))

    def _transform(self, stamp: Any, parent: str, child: str, numbers: Any) -> dict[str, Any]:
        header = {'stamp': stamp, 'frame_id': parent}
        return {'header': header, 'child_frame_id': child, 'transform': numbers}

    def _write_static(self, instant: Instant, stamp: Any) -> None:
        frames, names = self._frames, self._model.body_names
        found = [
            self._transform(stamp, frames.world, frames.of(names[row]), instant.pose[row])
            for row in range(len(names))
            if row not in self._moving
        ]
        for body in self._model.bodies:
            for site, placement in body.sites.items():
                place = evaluate_all(placement.position, self._values)
                numbers = (*place, *placement.rotation.evaluated(self._values))
                parent = frames.of(body.name)
                found.append(self._transform(stamp, parent, frames.of(site), numbers))
        self._send('/tf_static', 'tf2_msgs/msg/TFMessage', {'transforms': found}, latched=True)

    def _write_transforms(self, instant: Instant, stamp: Any) -> None:
        frames, names, upright = self._frames, self._model.body_names, (0.0, 0.0, 0.0, 1.0)
        places = [(frames.of(names[row]), instant.pose[row]) for row in self._moving]
        places += [
            (frames.com(name), (*instant.com[row], *upright)) for row, name in enumerate(names)
        ]
        places += [
            (frames.contact(*self._all_pairs[pair]), (*instant.pair_point[pair], *upright))
            for pair in self._pairs
        ]
        found = [self._transform(stamp, frames.world, name, numbers) for name, numbers in places]
        self._send('/tf', 'tf2_msgs/msg/TFMessage', {'transforms': found})

    def _write_joints(self, instant: Instant, stamp: Any) -> None:
        position, velocity, effort = self._joints.of(instant.joints).reshape(3, -1)
        columns = {'position': position, 'velocity': velocity, 'effort': effort}
        message = {'header': {'stamp': stamp}, 'name': self._joints.names, **columns}
        self._send('/joint_states', 'sensor_msgs/msg/JointState', message)

    def _write_wrenches(self, instant: Instant, stamp: Any) -> None:
        def send(topic: str, frame: str, numbers: Any) -> None:
            message = {'header': {'stamp': stamp, 'frame_id': frame}, 'wrench': numbers}
            self._send(topic, 'geometry_msgs/msg/WrenchStamped', message)

        for row, name in self._touching:
            topic = f'~/bodies/{name}/contact_wrench'
            send(topic, self._frames.com(name), instant.wrench[row])
        for pair in self._pairs:
            a, b = self._all_pairs[pair]
            frame, on_b = self._frames.contact(a, b), instant.pair_wrench[pair]
            send(f'~/bodies/{a}/contact_wrench/{b}', frame, 0.0 - on_b)  # no negative zeros
            send(f'~/bodies/{b}/contact_wrench/{a}', frame, on_b)

    def _write_markers(self, instant: Instant, stamp: Any) -> None:
        header = {'stamp': stamp, 'frame_id': self._frames.world}

        def marker(name: str, number: int, kind: int, colour: Any, **rest: Any) -> dict[str, Any]:
            shade = dict(zip('rgba', (*colour, OPACITY), strict=True))
            whole = {'header': header, 'ns': name, 'id': number, 'type': kind, 'color': shade}
            return {**whole, 'pose': (0.0,) * 7, **rest}

        found = []
        for piece, place, turn in zip(
            self._pieces.pieces, *self._pieces.poses(instant), strict=True
        ):
            kind, drawn = KINDS[piece.piece.kind], piece.piece
            corners = [number for corner in drawn.corners for number in corner]
            rest = {'pose': (*place, *turn), 'scale': drawn.scale, 'points': corners}
            found.append(marker(piece.body, piece.number, kind, piece.colour, **rest))
        points, forces = instant.contacts.point, instant.contacts.force
        size = {'scale': (POINT_SIZE,) * 3, 'points': points.reshape(-1)}
        action = ADD if len(points) else DELETE
        found.append(marker('contacts', 0, SPHERE_LIST, YELLOW, action=action, **size))
        heads = self._arrows.ends(points, forces)
        self._arrow_count = max(self._arrow_count, len(heads))
        for i in range(self._arrow_count):
            head = heads[i] if i < len(heads) else None
            ends = (*points[i], *head) if head is not None else ()
            action = ADD if head is not None else DELETE
            scale = (0.5 * POINT_SIZE, POINT_SIZE, 0.0)
            arrow = marker('forces', i, ARROW, RED, scale=scale, points=ends, action=action)
            found.append(arrow)
        self._send('~/markers', 'visualization_msgs/msg/MarkerArray', {'markers': found})
