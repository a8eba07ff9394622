"""What takes its time is told to those who wait."""

import os
import pty
import subprocess
import sys

import numpy as np

import symcontact_ros as sc
from symcontact_ros.simulation.equations.dynamics import Dynamics

CODE = "import symcontact_ros as sc; sc.Simulation(sc.load_model('cart_pole')).step()"


def test_a_derivation_is_announced_once():
    said = []
    dynamics = Dynamics(sc.load_model('cart_pole'), progress=said.append)
    for _ in range(2):
        dynamics.energy(np.zeros(2), np.zeros(2))
    assert said == ['deriving equations of motion']


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
