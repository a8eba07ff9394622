"""What takes its time is told to those who wait."""

import os
import pty
import subprocess
import sys

import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.simulation.equations.dynamics import Dynamics

CODE = "import symcontact_ros as sc; sc.Simulation(sc.load_model('cart_pole')).step()"


def test_a_derivation_is_announced_once():
    said = []
    dynamics = Dynamics(sc.load_model('cart_pole'), progress=said.append)
    for _ in range(2):
        dynamics.energy(np.zeros(2), np.zeros(2))
    assert said == ['deriving equations of motion']


def test_what_takes_long_is_announced_with_its_time():
    """It is announced before it begins, so that one who has heard it can leave."""

    class Heard(Exception):  # noqa: N818 - a signal, not an error
        pass

    def hear(text):
        raise Heard(text)

    model = sc.Model(dimension=3)
    link = {'mass': 1.0, 'inertia': {'ixx': 1, 'iyy': 1, 'izz': 1}}
    parents = {f'b{i}': f'b{i - 1}' if i else 'world' for i in range(100)}
    joints = {n: {'type': 'revolute', 'axis': [0, 1, 0], 'parent': p} for n, p in parents.items()}
    model.set(bodies={name: {**link, 'joint': joint} for name, joint in joints.items()})
    with pytest.raises(Heard, match='deriving equations of motion, about 65 s'):
        Dynamics(model, progress=hear).energy(np.zeros(100), np.zeros(100))


def test_a_person_at_a_terminal_is_told_and_a_pipe_is_not(tmp_path):
    environment = {**os.environ, 'SYMCONTACT_CACHE_DIR': str(tmp_path)}
    leader, follower = pty.openpty()
    subprocess.run([sys.executable, '-c', CODE], env=environment, stderr=follower, check=True)
    os.close(follower)
    told = os.read(leader, 1000).decode().splitlines()
    assert told == [
        'symcontact: deriving equations of motion ...',
        'symcontact: compiling the step ...',
    ]
    os.close(leader)
    environment['SYMCONTACT_CACHE_DIR'] = str(tmp_path / 'other')
    quiet = subprocess.run([sys.executable, '-c', CODE], env=environment, capture_output=True)
    assert quiet.stderr == b''
