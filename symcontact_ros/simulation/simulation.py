"""A model in motion."""

from __future__ import annotations

import math

import numpy as np

from symcontact_ros.collision.query import as_proximity, check_detector
from symcontact_ros.errors import DivergenceError, OptionError
from symcontact_ros.model.model import Model
from symcontact_ros.simulation.dynamics import Dynamics, Motion
from symcontact_ros.simulation.guards import needed_parts
from symcontact_ros.simulation.integrators import INTEGRATORS, State
from symcontact_ros.simulation.interaction import add_force, Interaction, Touch
from symcontact_ros.types import (
    Contact,
    PairState,
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

    """

    def __init__(
        self,
        model: Model,
        detector: str = 'sat',
        integrator: str = 'rk4',
        step_size: float = 1e-3,
        max_substeps: int = 64,
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
        self._dynamics = Dynamics(model)
        self._interaction = Interaction(model)
        self._integrate = INTEGRATORS[integrator]
        self._nq = 3 * len(model.moving)
        self._state = self._initial_state()

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.steps * self.step_size

    @property
    def q(self) -> Vector:
        """Coordinates: x, y [m], angle [rad] of each moving body's origin."""
        return vector(self._state[: self._nq])

    @property
    def u(self) -> Vector:
        """Speeds: vx, vy [m/s], rate of turn [rad/s] of each moving body's origin."""
        return vector(self._state[self._nq :])

    def reset(self) -> None:
        """Go back to the initial state and to time 0."""
        self.steps = 0
        self._state = self._initial_state()

    def step(self, count: int = 1) -> None:
        """Advance by count steps; DivergenceError leaves the state before the bad one."""
        for _ in range(count):
            state = self._state
            try:
                parts = self._substeps(state)
                for _ in range(parts):
                    state = self._integrate(self._rates, state, self.step_size / parts)
            except OverflowError:
                state = [math.nan] * len(state)
            if not all(map(math.isfinite, state)):
                raise self._divergence(state)
            self._state = state
            self.steps += 1

    def snapshot(self) -> Snapshot:
        """Return everything about this instant."""
        motions = self._motions(self._state)
        touching: dict[tuple[str, str], list[Touch]] = {p: [] for p in self._interaction.pairs}
        for a, b, touch in self._interaction.touches(motions):
            touching[a, b].append(touch)
        return Snapshot(
            self.time,
            {name: _pose(motion) for name, motion in motions.items()},
            {name: vector([*motion.com, 0.0]) for name, motion in motions.items()},
            {name: _twist(motion) for name, motion in motions.items()},
            tuple(_pair_state(a, b, touches) for (a, b), touches in touching.items()),
        )

    def poses(self) -> dict[str, Pose]:
        """Return the pose of every body's origin by name."""
        return self.snapshot().poses

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

    def _rates(self, state: State) -> State:
        """Return the time derivative of the state: the whole physics of the model."""
        q, u = state[: self._nq], state[self._nq :]
        motions = self._dynamics.motions(q, u)
        wrenches = {name: [0.0, 0.0, 0.0] for name in motions}
        for a, b, touch in self._interaction.touches(motions):
            if touch.gap[0] < 0.0:
                add_force(wrenches[b], motions[b], touch.point, touch.fx, touch.fy)
                add_force(wrenches[a], motions[a], touch.point, -touch.fx, -touch.fy)
        qdot, udot = self._dynamics.rates(q, u, wrenches)
        return qdot + udot

    def _substeps(self, state: State) -> int:
        """Return into how many parts the next step is cut, from the contacts at its start."""
        motions = self._motions(state)
        parts = [
            needed_parts(touch, self.model.material, motions[a], motions[b], self.step_size)
            for a, b, touch in self._interaction.touches(motions)
        ]
        needed = max(parts, default=1.0)
        return math.ceil(max(1.0, needed)) if needed < self.max_substeps else self.max_substeps

    def _divergence(self, state: State) -> DivergenceError:
        """Return the error for a state with numbers that are not finite."""
        bad = next(i for i, value in enumerate(state) if not math.isfinite(value))
        name = self.model.moving[bad % self._nq // 3].name
        return DivergenceError(
            f'body {name!r} left the finite numbers at {self.time:.6g} s; the state is that '
            'before the step: make step_size smaller or the stiffness lower'
        )

    def _motions(self, state: State) -> dict[str, Motion]:
        return self._dynamics.motions(state[: self._nq], state[self._nq :])

    def _initial_state(self) -> State:
        starts = [body.initial for body in self.model.moving]
        q = [x for start in starts for x in (*start.position[:2], start.angle)]
        u = [x for start in starts for x in (*start.velocity[:2], start.angular_velocity)]
        return q + u


def _pose(motion: Motion) -> Pose:
    x, y, cos, sin = motion.frame
    half = 0.5 * math.atan2(sin, cos)
    return Pose(vector([x, y, 0.0]), vector([0.0, 0.0, math.sin(half), math.cos(half)]))


def _twist(motion: Motion) -> Twist:
    vx, vy, rate = motion.twist
    return Twist(vector([vx, vy, 0.0]), vector([0.0, 0.0, rate]))


def _pair_state(body_a: str, body_b: str, touches: list[Touch]) -> PairState:
    proximities = tuple(as_proximity(touch.gap) for touch in touches)
    contacts = tuple(
        Contact(body_a, body_b, p.point, p.normal, p.distance, vector([touch.fx, touch.fy, 0.0]))
        for p, touch in zip(proximities, touches, strict=True)
        if p.distance < 0.0
    )
    nearest = min(proximities, key=lambda p: p.distance)
    point: Vector = nearest.point
    force: Vector = np.zeros(3)
    torque: Vector = np.zeros(3)
    weights = [float(np.linalg.norm(contact.force)) for contact in contacts]
    if sum(weights) > 0.0:
        point = np.average([contact.point for contact in contacts], axis=0, weights=weights)
    for contact in contacts:
        force = force + contact.force
        torque = torque + np.cross(contact.point - point, contact.force)
    return PairState(body_a, body_b, proximities, contacts, point, Wrench(force, torque))
