"""A model in motion."""

from __future__ import annotations

from collections.abc import Mapping
import math

import numpy as np
from numpy.typing import ArrayLike

from symcontact_ros.collision.query import check_detector
from symcontact_ros.compiled.cache import Cache
from symcontact_ros.errors import DivergenceError, OptionError
from symcontact_ros.model.expressions import evaluate_all
from symcontact_ros.model.model import Model
from symcontact_ros.simulation.dynamics import Dynamics, Kinematics
from symcontact_ros.simulation.guards import needed_parts, Weight
from symcontact_ros.simulation.integrators import INTEGRATORS
from symcontact_ros.simulation.interaction import add_force, Interaction, Motion, still, Touch
from symcontact_ros.simulation.snapshots import pair_state, placed_on, pose_of
from symcontact_ros.simulation.state import (
    ground_pose,
    initial_state,
    normalise,
    owner_of,
    springs_of,
)
from symcontact_ros.simulation.templates import Progress, tell
from symcontact_ros.types import (
    Contact,
    Pose,
    Proximity,
    Snapshot,
    Twist,
    Vector,
    vector,
    Wrench,
)


class Simulation:
    """
    A model, its state, and the loop that advances it.

    Parameters
    ----------
    model
        What to simulate.
    detector
        Collision detection; ``'sat'``: separating axes and closed forms.
    integrator
        ``'rk4'``.
    step_size
        Fixed step [s].
    max_substeps
        Into how many parts a step may be cut while stiff contacts last.
    progress
        Called with a word on what takes its time.

    """

    def __init__(
        self,
        model: Model,
        detector: str = 'sat',
        integrator: str = 'rk4',
        step_size: float = 1e-3,
        *,
        max_substeps: int = 64,
        progress: Progress = tell,
    ) -> None:
        check_detector(detector)
        if integrator not in INTEGRATORS:
            raise OptionError(
                f'integrator must be one of {", ".join(INTEGRATORS)}, got {integrator!r}'
            )
        if not 0.0 < step_size < math.inf:
            raise OptionError(f'step_size must be > 0 seconds, got {step_size}')
        self.model = model
        self.detector = detector
        self.integrator = integrator
        self.step_size = step_size
        self.max_substeps = max_substeps
        self.steps = 0  # since the start
        self._dynamics = Dynamics(model, cache=Cache(), progress=progress)
        self._interaction = Interaction(model)
        self._integrate = INTEGRATORS[integrator]
        self._nq = model.coordinate_count
        self._values = dict(model.parameters)
        self._ground = {
            name: ground_pose(model, model.body(name), self._values) for name in model.grounded
        }
        self._springs = springs_of(model, self._values)
        self._weights = self._weigh()
        self._state = np.concatenate(initial_state(model, self._values))

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.steps * self.step_size

    @property
    def q(self) -> Vector:
        """Coordinates, joint by joint: see the README for their order."""
        return self._state[: self._nq].copy()

    @property
    def u(self) -> Vector:
        """Speeds, joint by joint."""
        return self._state[self._nq :].copy()

    @property
    def parameters(self) -> dict[str, float]:
        """The live symbols and their values now."""
        return dict(self._values)

    def set_parameters(self, values: Mapping[str, float]) -> None:
        """Change live symbols; the next step uses them. OptionError changes nothing."""
        self._check_values(values)
        changed = {**self._values, **{name: float(value) for name, value in values.items()}}
        try:
            self._use(changed)
        except ValueError as error:  # a formula without a value, a shape of no size
            self._use(self._values)
            raise OptionError(f'{", ".join(values)}: {error}') from error

    def set_state(self, q: ArrayLike | None = None, u: ArrayLike | None = None) -> None:
        """Set coordinates and speeds, or one of them; quaternions are made unit."""
        for name, values, part in (
            ('q', q, slice(0, self._nq)),
            ('u', u, slice(self._nq, len(self._state))),
        ):
            if values is not None:
                array = np.array(values, dtype=float)
                if array.shape != self._state[part].shape or not np.isfinite(array).all():
                    count = len(self._state[part])
                    raise OptionError(f'{name} must be {count} finite numbers')
                self._state[part] = array
        normalise(self.model, self._state[: self._nq])

    def reset(self) -> None:
        """Go back to the initial state and to time 0."""
        self.steps = 0
        self._state = np.concatenate(initial_state(self.model, self._values))

    def step(self, count: int = 1) -> None:
        """Advance by count steps; DivergenceError leaves the state before the bad one."""
        for _ in range(count):
            state = self._state
            with np.errstate(all='ignore'):
                try:
                    parts = self._substeps(state)
                    for _ in range(parts):
                        state = self._integrate(self._rates, state, self.step_size / parts)
                except (OverflowError, ZeroDivisionError):
                    state = np.full_like(state, np.nan)
            if not np.isfinite(state).all():
                raise self._divergence(state)
            normalise(self.model, state[: self._nq])
            self._state = state
            self.steps += 1

    def snapshot(self) -> Snapshot:
        """Return everything about this instant."""
        bodies = self._bodies(self._state)
        motions = self._motions(bodies)
        touching: dict[tuple[str, str], list[Touch]] = {p: [] for p in self._interaction.pairs}
        for a, b, touch in self._interaction.touches(motions):
            touching[a, b].append(touch)
        return Snapshot(
            self.time,
            {name: pose_of(body) for name, body in bodies.items()},
            {name: vector(body.com) for name, body in bodies.items()},
            {name: Twist(vector(b.twist[:3]), vector(b.twist[3:])) for name, b in bodies.items()},
            tuple(pair_state(a, b, touches) for (a, b), touches in touching.items()),
        )

    def poses(self) -> dict[str, Pose]:
        """Return the pose of every body's origin and of every site, by name."""
        poses = self.snapshot().poses
        for body in self.model.bodies:
            for site, placement in body.sites.items():
                poses[site] = placed_on(poses[body.name], placement, self._values)
        return poses

    def twists(self) -> dict[str, Twist]:
        """Return the velocity of every body's centre of mass by name."""
        return self.snapshot().twists

    def contacts(self) -> list[Contact]:
        """Return the points of contact with their forces on body B."""
        return list(self.snapshot().contacts)

    def proximities(self) -> list[Proximity]:
        """Return closest points and signed distance of every pair, apart or not."""
        return [p for pair in self.snapshot().pairs for p in pair.proximities]

    def contact_wrench(self, body: str, other: str | None = None) -> Wrench:
        """Return the wrench on a body by all others, or by one, about its centre of mass."""
        self.model.body(body)
        if other is not None:
            self.model.body(other)
        return self.snapshot().contact_wrench(body, other)

    def _rates(self, state: Vector) -> Vector:
        """Return the time derivative of the state: the whole physics of the model."""
        q, u = state[: self._nq], state[self._nq :]
        wrenches: dict[str, list[float]] = {}
        if self._interaction.pairs:
            motions = self._motions(self._bodies(state))
            for a, b, touch in self._interaction.touches(motions):
                if touch.gap[0] < 0.0:
                    for body, sign in ((a, -1.0), (b, 1.0)):
                        wrench = wrenches.setdefault(body, [0.0, 0.0, 0.0])
                        add_force(
                            wrench, motions[body], touch.point, sign * touch.fx, sign * touch.fy
                        )
        loads = {
            name: ((fx, fy, 0.0), (0.0, 0.0, torque))
            for name, (fx, fy, torque) in wrenches.items()
        }
        return np.concatenate(self._dynamics.rates(q, u, self._efforts(q, u), loads))

    def _efforts(self, q: Vector, u: Vector) -> Vector:
        """Return what springs and dampers of joints do, as generalised forces."""
        efforts = np.zeros(len(u))
        for i, j, k, rest, c in self._springs:
            efforts[j] = -k * (q[i] - rest) - c * u[j]
        return efforts

    def _substeps(self, state: Vector) -> int:
        """Return into how many parts the next step is cut, from the contacts at its start."""
        if not self._interaction.pairs:
            return 1
        motions = self._motions(self._bodies(state))
        parts = [
            needed_parts(
                touch,
                self._interaction.constants[a, b],
                [(motions[name], self._weights[name]) for name in (a, b)],
                self.step_size,
            )
            for a, b, touch in self._interaction.touches(motions)
        ]
        needed = max(parts, default=1.0)
        return math.ceil(max(1.0, needed)) if needed < self.max_substeps else self.max_substeps

    def _use(self, values: dict[str, float]) -> None:
        """Take values of the live symbols everywhere; ValueError where they make no model."""
        self._dynamics.set_values(values)
        self._interaction.set_values(values)
        self._springs = springs_of(self.model, values)
        self._values = values
        self._weights = self._weigh()

    def _weigh(self) -> dict[str, Weight]:
        """Return what every body opposes to a push, for the guards."""
        weights = {}
        for body in self.model.bodies:
            mass, inertia = evaluate_all((body.mass, body.inertia[2]), self._values)
            fixed = body.name in self._ground
            weights[body.name] = Weight(
                math.inf if fixed else mass, math.inf if fixed else inertia
            )
        return weights

    def _divergence(self, state: Vector) -> DivergenceError:
        """Return the error for a state with numbers that are not finite."""
        bad = int(np.flatnonzero(~np.isfinite(state))[0])
        name = owner_of(self.model, bad)
        return DivergenceError(
            f'body {name!r} left the finite numbers at {self.time:.6g} s; the state is that '
            'before the step: make step_size smaller or the stiffness lower'
        )

    def _check_values(self, values: Mapping[str, float]) -> None:
        for name, value in values.items():
            if name not in self.model.symbols:
                known = ', '.join(self.model.symbols)
                raise OptionError(f'no live symbol {name!r}; there are: {known}')
            symbol = self.model.symbols[name]
            if not symbol.minimum <= value <= symbol.maximum or not math.isfinite(value):
                raise OptionError(
                    f'{name} must be within [{symbol.minimum:g}, {symbol.maximum:g}], got {value}'
                )

    def _bodies(self, state: Vector) -> dict[str, Kinematics]:
        """Return where every body is and how it moves, fixed ones included."""
        found = self._dynamics.kinematics(state[: self._nq], state[self._nq :])
        for name, (rotation, position) in self._ground.items():
            if name not in found:
                place = tuple(position.tolist())
                found[name] = Kinematics(
                    tuple(rotation.ravel().tolist()), place, place, (0.0,) * 6
                )
        return {name: found[name] for name in self.model.body_names}

    def _motions(self, bodies: Mapping[str, Kinematics]) -> dict[str, Motion]:
        """Return the bodies as the planar collision tests want them."""
        motions = {}
        for name, body in bodies.items():
            frame = (body.position[0], body.position[1], body.rotation[0], body.rotation[3])
            motions[name] = (
                still(frame)
                if name in self._ground
                else Motion(frame, body.com[:2], (*body.twist[:2], body.twist[5]))
            )
        return motions
