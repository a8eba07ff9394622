"""Simulations and controllers as processes of their own, whose output can be read as it comes."""

import contextlib
import subprocess
import sys
import time

SIMULATION = 'from symcontact_ros.ros.executable import main; sys.exit(main())'
READY = 'degrees of freedom'  # is in the line with which it begins
CONTROLLER = 'from symcontact_ros.examples.running import {0}; sys.exit({0}())'

LONG = 100.0  # [s wall] to wait for what must come: compiled first, on a loaded machine


def end(process):
    """End a process by its id: kindly, so that DDS leaves nothing behind, then by force."""
    given_up = time.monotonic() + LONG
    while time.monotonic() < given_up:
        if process.poll() is None:
            process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=1.0)  # rclpy.spin misses a signal now and then
    process.kill()
    return process.communicate()


class Process:
    """A running process; `log` has what it said so far."""

    def __init__(self, code, words, environment, file):
        self._file = file
        self._process = subprocess.Popen(
            [sys.executable, '-c', f'import sys; {code}', *words],
            env=environment,
            stdout=file.open('w'),
            stderr=subprocess.STDOUT,
        )

    @property
    def log(self):
        return self._file.read_text()

    def send(self, signal):
        self._process.send_signal(signal)

    def ended(self):
        return self._process.poll() is not None

    def wait(self):
        """Return the exit code."""
        return self._process.wait(timeout=LONG)

    def kill(self):
        self._process.kill()
        self._process.wait()

    def end(self):
        """End it kindly, so that DDS leaves nothing behind, then by force."""
        end(self._process)


@contextlib.contextmanager
def simulating(model, environment, folder, **parameters):
    """Start the node on a model, which may be compiled first; end it when the block ends."""
    words = ['--ros-args', '-p', f'model:={model}']
    for name, value in parameters.items():
        words += ['-p', f'{name}:={value}']
    process = Process(SIMULATION, words, environment, folder / 'simulation.log')
    try:
        end = time.monotonic() + LONG
        while READY not in process.log and not process.ended() and time.monotonic() < end:
            time.sleep(0.02)
        yield process
    finally:
        process.end()


@contextlib.contextmanager
def controlling(name, environment, folder, *words):
    """Start a controller; end it when the block ends."""
    process = Process(CONTROLLER.format(name), words, environment, folder / f'{name}.log')
    try:
        yield process
    finally:
        process.end()
