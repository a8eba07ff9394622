"""Batch: many worlds of one model, with arrays in and arrays out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import copy
import os
import time
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symcontact_ros.batch.batch_coordinates import BatchCoordinates
from symcontact_ros.batch.batch_loads import BatchLoads
from symcontact_ros.batch.batch_reports import BatchReports
from symcontact_ros.batch.distributions import Distribution
from symcontact_ros.batch.variants import Variants
from symcontact_ros.batch.world_rows import WorldRows
from symcontact_ros.batch.world_steps import WorldSteps
from symcontact_ros.errors import OptionError, shown_value
from symcontact_ros.model.initial_state import normalise
from symcontact_ros.model.model import Model
from symcontact_ros.model.progress import Progress, report_progress
from symcontact_ros.simulation.changes import check_magnitudes
from symcontact_ros.simulation.observing.trust import Trust, trust_of
from symcontact_ros.simulation.options import check_count
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.simulation.step.pieces import Pieces
from symcontact_ros.simulation.world.exclusive import alone, new_lock
from symcontact_ros.types import Vector, whole_number

MOST_WORLDS = 1 << 24
MOST_THREADS = 1024
ROUND = 0.05  # [s] of steps of all worlds between two looks for Ctrl-C


class Batch:
    """
    Many worlds of one model, each with a state and values of the live symbols of its own.

    One derivation and one compilation serve all of them, and every world is bit for bit what a
    `Simulation` with its values would be. Arrays that are returned are copies, of float64 and
    contiguous (``np.from_dlpack``, ``torch.from_dlpack`` take them); `effort`, `target` and
    `wrench` are arrays to write into, which the next steps read.

    Parameters
    ----------
    model
        What to simulate.
    n
        Number of worlds.
    parameters
        Values of live symbols by name: a number, one per world, or a distribution
        (``sc.Uniform(0.5, 2.0)``), which is drawn from by ``seed``.
    detector, integrator, step_size
        As for a `Simulation`.
    threads
        Number of threads; None: one per core.
    seed
        Of distributions.
    progress
        Called with progress messages.
    options
        All other options of a `Simulation`: ``max_substeps``, ``manifold`` and so on.

    Attributes
    ----------
    model, n, threads, seed
        As given.
    effort
        Efforts on the joints, ``(n, joints)`` [N m or N], in the order of ``model.joint_names``;
        zero at first. What is on a joint that mimics another one acts on that one, times its
        multiplier, in addition.
    target
        Positions that servos follow, ``(n, joints)`` [rad or m]; NaN: none.
    wrench
        Forces [N], then torques [N m] about the centres of mass, world axes, ``(n, bodies, 6)``.
    diverged
        Why each world has stopped: 0: it has not; 1: it would have become NaN or infinite, and
        is in its last good state; 2: a contact is too deep; 3: its steps are too long; 4: its
        energy balance is open; 5: an implicit step has found no velocities. `message` says more.
        A world that has stopped stays as it is
        until it is `reset`; all others go on.
    """

    def __init__(
        self,
        model: Model,
        n: int,
        parameters: Mapping[str, ArrayLike | Distribution] | None = None,
        detector: str | None = None,
        integrator: str | None = None,
        step_size: float | None = None,
        threads: int | None = None,
        seed: int = 0,
        *,
        progress: Progress = report_progress,
        **options: Any,
    ) -> None:
        self.n = whole_number('n', n, 1, MOST_WORLDS)
        wanted = cores() if threads is None else threads
        self.threads = min(self.n, whole_number('threads', wanted, 1, MOST_THREADS))
        self.seed = whole_number('seed', seed, 0, 2**63 - 1)
        self.model = model
        # An ordinary simulation, which worlds are loaded into for all that is rare.
        self._template = Simulation(
            model, detector, integrator, step_size, progress=progress, **options
        )
        if self._template.used_integrator == 'reference':
            raise OptionError("integrator: a batch has none of SciPy's: take 'rk4' instead")
        self.step_size = self._template.step_size
        self._lock = new_lock()
        live = self._template.parts.live
        self._rows = WorldRows(live.memory, self.n, self.threads)
        self._template.reset()
        self._variants = Variants(self._template, self._rows)
        self._steps = WorldSteps(self._template, self._rows, self._variants, self.threads)
        self._coordinates = BatchCoordinates(live.memory.layout)
        self._reports = BatchReports(self._template, self._rows, self._variants, self._steps)
        self._loads = BatchLoads(self._template, self._rows, self._variants, self.n)
        self.effort, self.target = self._loads.effort, self._loads.target
        self.wrench = self._loads.wrench
        self.diverged: NDArray[np.int64] = self._steps.diverged
        self._pieces = Pieces(ROUND)
        self._distributions: dict[str, Distribution] = {}
        self._draws = np.zeros(self.n, np.int64)
        self._take_all(parameters or {}, progress)

    def __repr__(self) -> str:
        return (
            f'<Batch of {self.n} worlds of {self.model.summary()}; {self.threads} threads, steps '
            f'of {1e3 * self.step_size:g} ms, {self._template.used_integrator}, '
            f'{self._rows.stride_bytes / 1024:.0f} kB per world>'
        )

    def __len__(self) -> int:
        return self.n

    # Live symbols -------------------------------------------------------------------------------

    def _take_all(self, parameters: Mapping[str, Any], progress: Progress) -> None:
        """Take the values of all worlds at the start."""
        arrays = {}
        for name, given in parameters.items():
            if isinstance(given, Distribution):
                self._distributions[name] = given
                arrays[name] = given.values(name, self.seed, 0, self.n)
            else:
                arrays[name] = self._per_world(name, given)
        self._variants.take(np.arange(self.n), arrays, progress)
        self._restart(np.arange(self.n))

    def _per_world(self, name: str, given: ArrayLike) -> Vector:
        """Return numbers that are given for all worlds, or one for each."""
        try:
            numbers = np.asarray(given, float)
        except (TypeError, ValueError, OverflowError) as error:
            got = shown_value(given)
            raise OptionError(f'{name}: numbers are needed, got {got}') from error
        if numbers.shape not in ((), (1,), (self.n,)):
            raise OptionError(f'{name}: one number, or {self.n}, needed; got {numbers.shape}')
        return np.broadcast_to(numbers, (self.n,))

    @property
    def parameters(self) -> dict[str, Vector]:
        """Values of all live symbols, ``(n,)`` each."""
        return self._variants.parameters()

    @alone
    def set_parameters(
        self, values: Mapping[str, ArrayLike], mask: ArrayLike | None = None
    ) -> None:
        """
        Change live symbols, of all worlds or of some; coordinates and speeds stay.

        OptionError changes nothing. It takes about a millisecond per world.
        """
        arrays = {name: self._per_world(name, given) for name, given in values.items()}
        worlds = self._worlds(mask)
        self._variants.check(worlds, arrays)
        self._loads.write()
        for world in worlds:
            self._load(world)
            self._template.set_parameters({name: own[world] for name, own in arrays.items()})
            self._rows.rows[world] = self._rows.stored()
        self._variants.take(worlds, arrays, report_progress)

    # State --------------------------------------------------------------------------------------

    @property
    def time(self) -> Vector:
        """Simulated time of every world [s]."""
        return np.asarray(self._steps.count * self.step_size, np.float64)

    @property
    @alone
    def q(self) -> Vector:
        """Coordinates, ``(n, nq)``, as `Simulation.q` has them."""
        return self._both()[0]

    @property
    @alone
    def u(self) -> Vector:
        """Speeds, ``(n, nu)``."""
        return self._both()[1]

    def _both(self) -> tuple[Vector, Vector]:
        states = self._rows.block('state', self._template.parts.live.memory.layout.state_size)
        own = self._variants
        return self._coordinates.of_states(states, own.of_world, own.values, own.renewals)

    @alone
    def set_state(
        self,
        q: ArrayLike | None = None,
        u: ArrayLike | None = None,
        mask: ArrayLike | None = None,
        keep_anchors: bool = False,
    ) -> None:
        """
        Set coordinates ``(n, nq)``, speeds ``(n, nu)`` or both, of all worlds or of some.

        One row may stand for all. ``keep_anchors`` as in `Simulation.set_state`. OptionError
        changes nothing.
        """
        worlds = self._worlds(mask)
        given = [
            None if numbers is None else self._table(name, numbers, own)
            for name, numbers, own in zip(('q', 'u'), (q, u), self._counts, strict=True)
        ]
        self._loads.write()
        for world in worlds:
            self._load(world)
            q_now, u_now = (None if own is None else own[world] for own in given)
            self._template.set_state(q_now, u_now, keep_anchors)
            self._rows.rows[world] = self._rows.stored()

    @property
    def _counts(self) -> tuple[int, int]:
        return self.model.coordinate_count, self.model.speed_count

    def _table(self, name: str, numbers: ArrayLike, width: int) -> Vector:
        """Return a row of finite numbers for every world."""
        try:
            table = np.asarray(numbers, float)
            rows = np.broadcast_to(table, (self.n, width))
        except (TypeError, ValueError, OverflowError) as error:
            raise OptionError(f'{name}: ({self.n}, {width}) numbers are needed') from error
        if not np.isfinite(rows).all():
            raise OptionError(f'{name}: finite numbers are needed')
        return rows

    @alone
    def reset(
        self,
        mask: ArrayLike | None = None,
        redraw: bool = False,
        parameters: Mapping[str, ArrayLike] | None = None,
        starts: tuple[ArrayLike | None, ArrayLike | None] | None = None,
    ) -> None:
        """
        Go back to the initial state and to time 0, in all worlds or in some; loads are cleared.

        OptionError changes nothing.

        Parameters
        ----------
        mask
            Which worlds, ``(n,)`` of bool; None: all.
        redraw
            Whether to draw new values from the distributions that the batch was made with.
        parameters
            New values of live symbols, one number or ``(n,)`` each: about a millisecond per world.
        starts
            Coordinates ``(n, nq)`` and speeds ``(n, nu)`` to start from, None: those of the model;
            as ``Simulation.reset(q, u)`` does, in some microseconds per world.
        """
        worlds = self._worlds(mask)
        q, u = self._start_tables(worlds, *(starts or (None, None)))
        new = self._redrawn(worlds) if redraw else {}
        for name, numbers in (parameters or {}).items():
            new[name] = self._per_world(name, numbers)
        if len(worlds):
            self._variants.take(worlds, new, report_progress)
            if redraw:
                self._draws[worlds] += 1
        self._restart(worlds)
        if len(worlds) and not (q is None and u is None):
            self._start_from(worlds, q, u)

    def _redrawn(self, worlds: NDArray[np.int64]) -> dict[str, Vector]:
        """Return new values of the symbols that have a distribution."""
        drawn = {}
        draws = self._draws[worlds] + 1
        for name, distribution in self._distributions.items():
            drawn[name] = self._variants.parameters()[name]
            for draw in np.unique(draws):
                values = distribution.values(name, self.seed, int(draw), self.n)
                own = worlds[draws == draw]
                drawn[name][own] = values[own]
        return drawn

    def _start_tables(
        self, worlds: NDArray[np.int64], q: ArrayLike | None, u: ArrayLike | None
    ) -> tuple[Vector | None, Vector | None]:
        """Return checked coordinates and speeds of worlds, quaternions made unit."""
        tables: list[Vector | None] = []
        for name, numbers, width in zip(('q', 'u'), (q, u), self._counts, strict=True):
            if numbers is None:
                tables.append(None)
                continue
            table = self._table(name, numbers, width)[worlds]
            check_magnitudes(name, table.reshape(-1))
            for world, row in zip(worlds, table if name == 'q' else (), strict=False):
                try:
                    normalise(self.model, row)
                except ValueError as error:
                    raise OptionError(f'world {world}: {error}') from error
            tables.append(table)
        return tables[0], tables[1]

    def _start_from(self, worlds: NDArray[np.int64], q: Vector | None, u: Vector | None) -> None:
        """Move worlds that are at their start to other coordinates and speeds."""
        model, live, known = self.model, self._template.parts.live, self._variants
        variants = known.of_world[worlds]
        if q is None or u is None:
            first_q, first_u = known.first_coordinates()
            q = first_q[variants] if q is None else q
            u = first_u[variants] if u is None else u
        states = self._coordinates.states(q, u, variants, known.values, known.renewals)
        for block in ('state', 'stage'):
            self._rows.block(block, states.shape[1])[worlds] = states
        if not live.memory.is_implicit and model.joint_names:
            mobilities = []
            for variant, *own in zip(variants, q, u, strict=True):
                self._variants.use(int(variant))
                mobilities.append(live.joint_mobilities(*own))
            self._rows.column('joints', 'mobility')[worlds] = mobilities

    def _restart(self, worlds: NDArray[np.int64]) -> None:
        self._variants.restart(worlds)
        self._steps.restart(worlds)
        self._loads.restart(worlds)

    def _worlds(self, mask: ArrayLike | None) -> NDArray[np.int64]:
        """Return the numbers of the worlds of a mask."""
        if mask is None:
            return np.arange(self.n)
        chosen = np.asarray(mask)
        if chosen.dtype != bool or chosen.shape != (self.n,):
            got = shown_value(mask)
            raise OptionError(f'mask: an array of {self.n} bool is needed, got {got}')
        return np.flatnonzero(chosen)

    def _load(self, world: int) -> None:
        """Let the template be a world."""
        self._variants.load(self._rows.rows[world], int(self._variants.of_world[world]))
        self._template.steps = int(self._steps.count[world])

    @alone
    def world(self, number: int) -> Simulation:
        """
        Return a world as a simulation of its own, in its state: for all that a batch has not.

        Contacts, plots, a page: whatever is done with it, the batch goes on without it.
        """
        number = whole_number('world', number, 0, self.n - 1)
        self._loads.write()
        self._load(number)
        return copy.copy(self._template)

    # Steps --------------------------------------------------------------------------------------

    @alone
    def step(self, count: int = 1) -> None:
        """
        Advance all worlds that have not stopped by a number of steps, on all threads.

        Compiled calls hold no lock. Ctrl-C ends it after whole steps, the same of all worlds.
        """
        left = check_count(count, int(self._steps.count.max()))
        self._loads.write()
        while left:
            piece = min(self._pieces.size, left)
            left -= piece
            began = time.perf_counter()
            self._steps.advance(piece, left > 0)
            self._pieces.observe(piece, time.perf_counter() - began)

    def message(self, world: int) -> str:
        """Return why a world has stopped, where, and what to change; '' where it has not."""
        return self._steps.messages.get(whole_number('world', world, 0, self.n - 1), '')

    # Reports ------------------------------------------------------------------------------------

    @alone
    def trust(self, world: int) -> Trust:
        """Return whether the results of a world are to be trusted: see `Simulation.trust`."""
        self._load(whole_number('world', world, 0, self.n - 1))
        return trust_of(self._template.parts.live.memory.world)

    @property
    def is_good(self) -> NDArray[np.bool_]:
        """Whether nothing is known against the results of each world, ``(n,)``: see `trust`."""
        return self._reports.is_good()

    @property
    @alone
    def body_poses(self) -> Vector:
        """Poses of all bodies, ``(n, bodies, 7)``: see `Simulation.body_poses`."""
        return self._reports.body_poses()

    @property
    @alone
    def body_twists(self) -> Vector:
        """Velocities of all bodies, ``(n, bodies, 6)``: see `Simulation.body_twists`."""
        return self._reports.body_twists()

    @alone
    def contact_force(self, pairs: Sequence[tuple[str, str]]) -> Vector:
        """
        Return the contact forces of pairs of bodies (a, b), ``(n, pairs, 3)``: on b [N].

        World axes, the sum of all contact points; zero where they do not touch.
        """
        return self._reports.contact_force(pairs)

    @alone
    def energies(self) -> dict[str, Vector]:
        """
        Return energies of all worlds [J], ``(n,)`` each.

        ``kinetic``, ``potential``, ``elastic``, ``dissipated`` and ``work_in``, as
        `Simulation.energy` has them, to rounding.
        """
        return self._reports.energies()

    @property
    def counters(self) -> dict[str, NDArray[np.int64]]:
        """
        Counters of all worlds, ``(n,)`` each: see `Simulation.counters`.

        ``substeps``, ``exceeded_steps``, ``queries``, ``not_converged``, ``unresolved_substeps``.
        """
        return self._reports.counters()

    @alone
    def state_hash(self, world: int) -> str:
        """Return the hash of time and state of a world: equal to that of its single run."""
        self._load(whole_number('world', world, 0, self.n - 1))
        return self._template.state_hash()

    @property
    def memory_per_world(self) -> int:
        """Memory that one more world takes [byte], without its start where values differ."""
        return self._rows.stride_bytes


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, 'sched_getaffinity'):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
