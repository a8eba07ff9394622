"""Quickly made code runs first, and fast code with the same results takes its place."""

import logging
import os
from pathlib import Path
import subprocess
import sys
import threading
import time

from helpers.processes import LONG
import numpy as np
import pytest

from symcontact_ros.kernels import improving
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.improving import wait_for_fast_code
from symcontact_ros.kernels.kernel import Kernel
from symcontact_ros.kernels.memory import Floats

TYPES = [int, Floats]


def logistic(count, x):
    """Iterate a map that doubles every difference, so that a lost bit would be seen."""
    for _ in range(count):
        for i in range(len(x)):
            x[i] = 3.99 * x[i] * (1.0 - x[i])


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.delenv('SYMCONTACT_KERNELS')


def run(kernel):
    x = np.linspace(0.1, 0.9, 7)
    kernel(1000, x)
    return x.tobytes()


def test_fast_code_takes_the_place_of_quick_code_with_the_same_results(tmp_path):
    kernel = Kernel(logistic, TYPES, Cache(tmp_path), soon=True)
    function, first = kernel.function, kernel.address
    result = run(kernel)
    wait_for_fast_code()
    assert kernel.address != first
    assert kernel.function is function  # whoever holds it has the fast code
    assert run(kernel) == result == run(Kernel(logistic, TYPES))


def test_processes_that_compile_take_turns_and_leave_a_core(tmp_path, monkeypatch):
    monkeypatch.setattr(improving, '_turns', threading.BoundedSemaphore(1))
    kernels, first, most = [], [], 0
    for i in range(3):
        kernels.append(Kernel(logistic, TYPES, Cache(tmp_path / str(i)), soon=True))
        first.append(kernels[-1].address)  # before there can be another one
    while improving._running:
        processes = [own._process for own in tuple(improving._running)]
        most = max(most, sum(p is not None and p.poll() is None for p in processes))
        time.sleep(0.005)
    assert most <= 1
    assert all(kernel.address != was for kernel, was in zip(kernels, first, strict=True))


def test_fast_code_is_stored_and_nothing_is_made_after_it(tmp_path):
    Kernel(logistic, TYPES, Cache(tmp_path), soon=True)
    wait_for_fast_code()
    said = []
    again = Kernel(logistic, TYPES, Cache(tmp_path), said.append, soon=True)
    first = again.address
    wait_for_fast_code()
    assert not said
    assert again.address == first


def test_a_start_after_one_that_was_too_short_goes_on_with_its_quick_code(tmp_path, monkeypatch):
    with monkeypatch.context() as without:
        without.setattr(sys, 'executable', str(tmp_path / 'none'))
        Kernel(logistic, TYPES, Cache(tmp_path), soon=True)
        wait_for_fast_code()
    said = []
    kernel = Kernel(logistic, TYPES, Cache(tmp_path), said.append, soon=True)
    first = kernel.address
    wait_for_fast_code()
    assert not said
    assert kernel.address != first


def test_quick_code_stays_where_no_process_can_be_started(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(sys, 'executable', str(tmp_path / 'none'))
    with caplog.at_level(logging.WARNING):
        kernel = Kernel(logistic, TYPES, Cache(tmp_path), soon=True)
        wait_for_fast_code()
    assert 'nothing optimizes them' in caplog.text
    assert run(kernel) == run(Kernel(logistic, TYPES))


def test_fast_code_is_waited_for_where_that_is_wanted(tmp_path, monkeypatch):
    monkeypatch.setenv('SYMCONTACT_KERNELS', 'best')
    kernel = Kernel(logistic, TYPES, Cache(tmp_path), soon=True)
    first = kernel.address
    wait_for_fast_code()
    assert kernel.address == first
    assert {path.name for path in tmp_path.glob('*/*')} == {'kernel'}


def test_quick_code_stays_where_that_is_wanted(tmp_path, monkeypatch):
    monkeypatch.setenv('SYMCONTACT_KERNELS', 'quick')
    kernel = Kernel(logistic, TYPES, Cache(tmp_path))
    first = kernel.address
    wait_for_fast_code()
    assert kernel.address == first
    assert {path.name for path in tmp_path.glob('*/*')} == {'quick', 'ir'}
    result = run(kernel)
    monkeypatch.setenv('SYMCONTACT_KERNELS', 'best')
    assert run(Kernel(logistic, TYPES)) == result


PROGRAM = """
import symcontact_ros as sc
from symcontact_ros.kernels import improving
import time
improving._PROGRAM = 'import time; time.sleep(600)'  # it does not end by itself
sim = sc.Simulation(sc.load_model('rectangle_circle'))
(improvement,) = improving._running
while improvement._process is None:
    time.sleep(0.001)
print(improvement._process.pid)
sim.step()
"""


def test_no_process_outlives_the_one_that_has_started_it(tmp_path):
    done = subprocess.run(
        [sys.executable, '-c', PROGRAM],
        env={**os.environ, 'SYMCONTACT_CACHE_DIR': str(tmp_path / 'cache')},
        capture_output=True,
        text=True,
        timeout=LONG,
        check=True,
    )
    pid, end = int(done.stdout), time.monotonic() + LONG
    while is_running(pid):
        assert time.monotonic() < end
        time.sleep(0.01)


def is_running(pid):
    """Return whether a process runs; one that has ended may still be listed, as a zombie."""
    try:
        status = Path(f'/proc/{pid}/stat').read_text()
    except OSError:
        return False
    return status.rpartition(')')[2].split()[0] != 'Z'
