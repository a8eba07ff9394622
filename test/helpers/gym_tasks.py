"""Tasks that tests of environments share."""

from importlib import metadata
from typing import ClassVar

import numpy as np
import pytest

from symcontact_ros import Model
from symcontact_ros.gym import Task
from symcontact_ros.gym.tasks.go2_stand import PACKAGE

GO2 = pytest.mark.skipif(
    not any(own.name == PACKAGE for own in metadata.distributions()),
    reason=f'the Go2 is in {PACKAGE}, which is not there',
)


class Hover(Task):
    """A ball of 1 kg over the ground, pushed up: what is pressed on the ground is a cost."""

    options: ClassVar = {'integrator': 'rk4', 'step_size': 2e-3}

    def __init__(self, strength=3 * 9.81):
        model = Model('hover', dimension=2, gravity=[0, -9.81, 0])
        model.add_body('ground', fixed=True, shapes=[{'type': 'half_space', 'normal': [0, 1, 0]}])
        model.add_material('default', stiffness=1e5, damping=2.0)  # [s/m]: it hardly bounces
        start = {'position': [0, 0.4, 0]}
        circle = {'type': 'circle', 'radius': 0.1}
        model.add_body('ball', mass=1.0, shapes=[circle], initial=start)
        super().__init__(model, ([0.0], [1.0]), ([-np.inf] * 2, [np.inf] * 2))
        self._strength = strength

    def start(self, q, u, random):
        q[1] = random.uniform(0.3, 0.4)

    def act(self, worlds, actions):
        worlds.wrench[:, 1, 1] = self._strength * actions[:, 0]

    def observe(self, worlds):
        return np.stack([worlds.body_poses[:, 1, 1], worlds.body_twists[:, 1, 1]], axis=1)

    def judge(self, worlds, observations, actions):
        pressed = worlds.contact_force([('ball', 'ground')])[:, 0, 1]
        return pressed, observations[:, 0] > 2.0
