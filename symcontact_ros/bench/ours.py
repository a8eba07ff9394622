"""The simulation of this package as a method of the benchmark."""

from __future__ import annotations

from collections.abc import Iterator
import contextlib
import os
import tempfile

import numpy as np

from symcontact_ros.bench.scenes import Scene
from symcontact_ros.model.model import Model
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector

CACHE = 'SYMCONTACT_CACHE_DIR'


@contextlib.contextmanager
def empty_cache() -> Iterator[None]:
    """Use an empty cache for simulations that are created in this context."""
    before = os.environ.get(CACHE)
    with tempfile.TemporaryDirectory(prefix='symcontact_bench_') as folder:
        os.environ[CACHE] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ[CACHE]
            else:
                os.environ[CACHE] = before


class Ours:
    """
    A scenario in the compiled loop of this package.

    Parameters
    ----------
    model, scene
        The scenario.
    integrator, step_size, detector, manifold
        Options of `Simulation`; steps have no substeps here.
    cached
        Whether derived equations and machine code come from the cache; False: derived and
        compiled.
    singly
        Whether each step is a call from Python.

    """

    most_runs = most_steps = 1_000_000

    def __init__(
        self,
        model: Model,
        scene: Scene,
        integrator: str,
        step_size: float,
        *,
        detector: str = 'sat',
        manifold: str = 'single',
        cached: bool = True,
        singly: bool = False,
    ) -> None:
        self._model = model
        self._options = {
            'detector': detector,
            'integrator': integrator,
            'step_size': step_size,
            'manifold': manifold,
        }
        self._count = len(scene.solids)
        self._dimension = scene.dimension
        self._cached = cached
        self._singly = singly
        notes = ['' if detector == 'sat' else detector]
        notes += ['' if manifold == 'single' else 'all contact points', '' if cached else 'new']
        notes.append('a call per step' if singly else '')
        self.title = ', '.join(['ours', integrator, *filter(None, notes)])
        self.loop = 'Python' if singly else 'compiled'
        self.warms_up = True
        self._simulation: Simulation | None = None

    @property
    def simulation(self) -> Simulation:
        """The simulation; `build` made it."""
        assert self._simulation is not None, 'build() comes first'
        return self._simulation

    def build(self) -> None:
        """Derive and compile, or load."""
        with contextlib.nullcontext() if self._cached else empty_cache():
            self._simulation = Simulation(
                self._model,
                max_substeps=1,
                progress=_quiet,
                **self._options,  # type: ignore[arg-type]
            )

    def reset(self) -> None:
        """Go back to the start."""
        self.simulation.reset()

    def run(self, steps: int) -> None:
        """Make steps."""
        if not self._singly:
            self.simulation.step(steps)
            return
        step = self.simulation.step
        for _ in range(steps):
            step(1)

    def end(self) -> Vector:
        """Return the positions of the solids [m]."""
        size = 3 if self._dimension == 2 else 7
        return self.simulation.q.reshape(self._count, size)[:, : self._dimension]

    def coordinates(self, steps: int) -> Vector:
        """Return q of every state from the start on."""
        simulation = self.simulation
        simulation.reset()
        rows = [simulation.q]
        for _ in range(steps):
            simulation.step(1)
            rows.append(simulation.q)
        return np.array(rows)


def _quiet(text: str) -> None:
    """Report no progress: the command itself does."""
