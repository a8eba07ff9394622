"""Go2Stand: stay up on four legs, pushed at the start."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from symcontact_ros.gym.task import Flags, Task, Worlds
from symcontact_ros.model.library import load_model
from symcontact_ros.model.model import Model
from symcontact_ros.optional_packages import missing
from symcontact_ros.types import Vector

PACKAGE = 'example-robot-data'
FILE = 'go2_description/urdf/go2.urdf'
LEGS = ('FL', 'FR', 'RL', 'RR')
STANCE = {'*_hip_joint': 0.0, '*_thigh_joint': 0.8, '*_calf_joint': -1.6}  # [rad]
GAINS = {'kp': 60.0, 'kd': 2.0}  # [N m/rad, N m s/rad]
FOOT = 0.022  # radius [m]
TRUNK = [0.188, 0.047, 0.057]  # for pictures alone [m]
HEIGHT = 0.3  # of the trunk, standing [m]
START = 0.335  # the same at the start: no foot is in the floor yet [m]
STROKE = 0.4  # of targets from the stance at an action of 1 [rad]
LOW, TILT = 0.16, 0.5  # height [m] and cosine of the tilt below which it has fallen
PUSH = 0.6  # speed of the trunk at the start [m/s], in any direction
TURN = 0.6  # rate of the trunk at the start [rad/s]
SPREAD = 0.1  # of joints at the start [rad]
FASTEST = 30.0  # of observed rates [m/s, rad/s]


class Go2Stand(Task):
    """
    Stand on four legs, after a push at the start: a Unitree Go2 on a floor.

    An action of 20 ms are positions that the servos of the 12 joints follow (60 N m/rad), -1 to 1
    times 0.4 rad from the stance. Observations are the height of the trunk [m], the direction of
    gravity, velocity and rate of the trunk in its own axes (9 numbers), joint angles from the
    stance [rad] and their rates. An action is worth up to 1, for a trunk that is upright, at
    0.30 m and at rest, less a hundredth of the sum of its squares. The episode ends with the trunk
    below 0.16 m or tilted by 60 degrees.

    Parameters
    ----------
    urdf
        The robot: a file with the joints of Unitree's; None: that of the package
        example-robot-data. Of its shapes none is used: its feet are spheres of 22 mm.
    """

    options: ClassVar[Mapping[str, Any]] = {'integrator': 'implicit', 'step_size': 2e-3}
    steps: ClassVar[int] = 10

    def __init__(self, urdf: str | Path | None = None) -> None:
        limit = np.ones(12)
        most = np.full(34, np.inf)
        most[1:4] = 1.0
        most[4:10] = most[22:] = FASTEST
        super().__init__(go2(urdf), (-limit, limit), (-most, most))
        self._stance = np.tile([0.0, 0.8, -1.6], 4)

    def start(self, q: Vector, u: Vector, random: np.random.Generator) -> None:
        """Start in the stance, a little off, and pushed."""
        q[7:] += random.uniform(-SPREAD, SPREAD, 12)
        u[:2] = random.uniform(-PUSH, PUSH, 2)
        u[3:6] = random.uniform(-TURN, TURN, 3)

    def act(self, worlds: Worlds, actions: Vector) -> None:
        """Move the positions that the servos follow."""
        worlds.target[:] = self._stance + STROKE * actions

    def observe(self, worlds: Worlds) -> Vector:
        """Return the trunk as its own sensors see it, and the joints."""
        q, u = worlds.q, np.minimum(np.maximum(worlds.u, -FASTEST), FASTEST)
        x, y, z, w = q[:, 3:7].T
        axes = np.array(  # of the world, seen from the trunk
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
                [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
                [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        down = -axes[:, 2]
        # Written out: sums of einsum are not the same in one world and in many.
        velocity = axes[:, 0] * u[:, 0] + axes[:, 1] * u[:, 1] + axes[:, 2] * u[:, 2]
        return np.concatenate(
            [q[:, 2:3], down.T, velocity.T, u[:, 3:6], q[:, 7:] - self._stance, u[:, 6:]], axis=1
        )

    def judge(self, worlds: Worlds, observations: Vector, actions: Vector) -> tuple[Vector, Flags]:
        """Give 1 for a trunk upright, at its height, at rest."""
        height, down = observations[:, 0], observations[:, 3]
        over = (height < LOW) | (down > -TILT)
        speed = np.square(observations[:, 4:10]).sum(axis=1)
        good = np.exp(-(((height - HEIGHT) / 0.05) ** 2) - 4.0 * (1.0 + down) - 0.5 * speed)
        reward = good - 1e-2 * np.square(actions).sum(axis=1)
        return np.where(over, 0.0, reward), over


def go2(urdf: str | Path | None) -> Model:
    """Return the robot on a floor, which only its feet touch."""
    model = load_model(
        _file() if urdf is None else urdf,
        base='free',
        servo={'*': {**GAINS, 'target': 'start'}},
        initial=STANCE,
        self_collision='none',
        meshes='none',
        world='floor',
        pose=[0.0, 0.0, START, 0.0, 0.0, 0.0],
    )
    for leg in LEGS:
        sphere = {'type': 'sphere', 'radius': FOOT}
        joint = {'type': 'fixed', 'parent': f'{leg}_foot'}
        model.add_body(f'{leg}_pad', shapes=[sphere], joint=joint)
    trunk = {'type': 'box', 'half_extents': TRUNK}
    model.add_body('trunk', shapes=[trunk], joint={'type': 'fixed', 'parent': 'base'})
    model.set(collide=[[f'{leg}_pad', 'floor'] for leg in LEGS])
    return model


def _file() -> Path:
    """Return the URDF of the package that has it."""
    try:
        files = metadata.distribution(PACKAGE).files or []
    except metadata.PackageNotFoundError:
        files = []
    for own in files:
        if own.as_posix().endswith(FILE):
            return Path(str(own.locate()))
    raise missing('symcontact/Go2Stand-v0 without `urdf=`', PACKAGE)
