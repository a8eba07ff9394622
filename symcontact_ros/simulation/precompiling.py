"""
Deriving and compiling for a model in a process of its own, while others go on.

A thread would do it as well, but Python runs one thread at a time, and the compiler keeps the
others waiting for seconds. What the process makes is in the cache for whoever comes next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import json
import os
from pathlib import Path
import subprocess
import sys
import tempfile
from typing import Any

from symcontact_ros.collision.detection import AnyPair, detection_of
from symcontact_ros.errors import OptionError
from symcontact_ros.kernels.cache import NotStoredError, only_stored
from symcontact_ros.kernels.memory import MODE
from symcontact_ros.model.library import load_model
from symcontact_ros.model.model import Model
from symcontact_ros.simulation.observing.observer import Observer
from symcontact_ros.simulation.simulation import Simulation

PATIENT = 5  # by how much nicer than others the process is


def ready(
    simulation: Simulation, model: Model, kernels: Sequence[AnyPair] | None = None
) -> tuple[Simulation, Observer]:
    """Return a simulation of another model and its observer, with all kernels that they need."""
    prepared = simulation.prepared(model, lambda text: None, kernels)
    observer = prepared.observer()
    observer.observe()
    observer.proximities()
    prepared.energy()
    return prepared, observer


def _known(dimension: int, options: Mapping[str, Any]) -> list[AnyPair]:
    """Return all kernels of pairs; their numbers in it are the same in all processes."""
    return list(detection_of(dimension, options['detector'], options['co']).table.PAIRS.values())


class Precompiler:
    """Processes that fill the cache, one after the other."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._is_closed = False

    def ready(self, simulation: Simulation, model: Model) -> tuple[Simulation, Observer]:
        """Return the same as `ready`; what is not in the cache is made in a process."""
        try:
            with only_stored():
                return ready(simulation, model)
        except NotStoredError:
            self._run(model, simulation)
            return ready(simulation, model)

    def _run(self, model: Model, simulation: Simulation) -> None:
        """Derive and compile all that a model needs which takes the place of another one."""
        options = simulation.settings
        known = _known(model.dimension, options)
        numbers = [known.index(pair) for pair in simulation.kernels_for(model)]
        self._folder = tempfile.TemporaryDirectory(
            prefix='symcontact_', ignore_cleanup_errors=True
        )
        try:
            file = Path(self._folder.name, 'model.yaml')
            model.to_yaml(file)
            command = [sys.executable, '-m', 'symcontact_ros.simulation.precompiling', str(file)]
            self._process = subprocess.Popen(
                [*command, json.dumps(options), json.dumps(numbers)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,  # what fails here fails again where it is told
                env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)},
            )
            if not self._is_closed:
                self._process.wait()
        finally:
            self._end()
        if self._is_closed:
            raise OptionError('nothing is compiled any more: the simulation ends')

    def close(self) -> None:
        """Compile nothing any more; a process that does so is ended."""
        self._is_closed = True
        self._end()

    def _end(self) -> None:
        """End the process, and remove its files, if there are any."""
        process = self._process
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()
        if self._folder is not None:
            self._folder.cleanup()


def main(file: str, options: str, numbers: str) -> None:
    """Fill the cache."""
    os.nice(PATIENT)
    os.environ.setdefault(MODE, 'best')
    model = load_model(file, complete=False)
    given = json.loads(options)
    known = _known(model.dimension, given)
    base = Simulation(Model('nothing', model.dimension), **given)
    ready(base, model, [known[number] for number in json.loads(numbers)])


if __name__ == '__main__':
    main(*sys.argv[1:])
