"""
Deriving and compiling for a model in a process of its own, while others go on.

A thread would do it as well, but Python runs one thread at a time, and the compiler keeps the
others waiting for seconds. What the process makes is in the cache for whoever comes next.
"""

from __future__ import annotations

from collections.abc import Mapping
import json
import os
from pathlib import Path
import subprocess
import sys
import tempfile
from typing import Any

from symcontact_ros.kernels.cache import NotStoredError, only_stored
from symcontact_ros.model.library import load_model
from symcontact_ros.model.model import Model
from symcontact_ros.simulation.observing.observer import Observer
from symcontact_ros.simulation.simulation import Simulation

PATIENT = 5  # by how much nicer than others the process is


def ready(simulation: Simulation, model: Model) -> tuple[Simulation, Observer]:
    """Return a simulation of another model and its observer, with all kernels that they need."""
    prepared = simulation.prepared(model, progress=lambda text: None)
    observer = prepared.observer()
    observer.observe()
    observer.proximities()
    prepared.energy()
    return prepared, observer


class Precompiler:
    """Processes that fill the cache, one after the other."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def ready(self, simulation: Simulation, model: Model) -> tuple[Simulation, Observer]:
        """Return the same as `ready`; what is not in the cache is made in a process."""
        try:
            with only_stored():
                return ready(simulation, model)
        except NotStoredError:
            self._run(model, simulation.settings)
            return ready(simulation, model)

    def _run(self, model: Model, options: Mapping[str, Any]) -> None:
        """Derive and compile all that a simulation of a model with some options needs."""
        with tempfile.TemporaryDirectory(prefix='symcontact_') as folder:
            file = Path(folder, 'model.yaml')
            model.to_yaml(file)
            command = [sys.executable, '-m', 'symcontact_ros.simulation.precompiling', str(file)]
            self._process = subprocess.Popen(
                [*command, json.dumps(dict(options))],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,  # what fails here fails again where it is told
                env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)},
            )
            try:
                self._process.wait()
            finally:
                self.close()

    def close(self) -> None:
        """End the process, if there is one."""
        process = self._process
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()


def main(file: str, options: str) -> None:
    """Fill the cache."""
    os.nice(PATIENT)
    model = load_model(file, complete=False)
    base = Simulation(Model('nothing', model.dimension), **json.loads(options))
    ready(base, model)


if __name__ == '__main__':
    main(*sys.argv[1:])
