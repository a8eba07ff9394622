"""A multibody model: constant while it is simulated, checked when it is built."""

from __future__ import annotations

from dataclasses import dataclass, field
import itertools

from symcontact_ros.errors import Fault, ModelError
from symcontact_ros.model.shapes import Shape

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Material:
    """Constants of the penalty law F = k rho^n (1 - c v_N) with smooth Coulomb friction."""

    stiffness: float  # k [N/m^3] of the cubic law
    damping: float  # c [s/m]
    friction: float  # mu [-]
    slip_speed: float  # vs [m/s]: friction reaches 46 % of mu F_N at this speed of slip


@dataclass(frozen=True)
class InitialState:
    """Where a body starts: its origin, in world axes."""

    position: Triple = (0.0, 0.0, 0.0)  # [m]
    angle: float = 0.0  # [rad], about world z
    velocity: Triple = (0.0, 0.0, 0.0)  # [m/s]
    angular_velocity: float = 0.0  # [rad/s], about world z


@dataclass(frozen=True)
class Body:
    """A rigid body; fixed to the world, or moving in the world's xy plane."""

    name: str
    shapes: tuple[Shape, ...]
    fixed: bool = False
    mass: float = 0.0  # [kg]; 0 for fixed bodies
    inertia: float = 0.0  # izz about the centre of mass [kg m^2]
    com: Triple = (0.0, 0.0, 0.0)  # centre of mass in the body frame [m]
    initial: InitialState = InitialState()


@dataclass(frozen=True)
class Model:
    """Bodies, what their surfaces are made of, and the field they move in."""

    name: str
    bodies: tuple[Body, ...]
    material: Material
    dimension: int = 2
    gravity: Triple = (0.0, 0.0, 0.0)  # [m/s^2]
    parameters: dict[str, float] = field(default_factory=dict)  # the live symbols
    collide: tuple[tuple[str, str], ...] | None = None  # None: every pair
    duration: float = 5.0  # [s], what `node` and `simulate` run when not told otherwise

    def __post_init__(self) -> None:
        faults = [Fault(self.name, None, '', reason) for reason in self._contradictions()]
        if faults:
            raise ModelError(faults)

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of all bodies, in the order of the file."""
        return tuple(body.name for body in self.bodies)

    @property
    def moving(self) -> tuple[Body, ...]:
        """The bodies that have coordinates, in the order of q."""
        return tuple(body for body in self.bodies if not body.fixed)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Names (a, b) of the bodies that may touch, a < b, in alphabetical order."""
        fixed = {body.name for body in self.bodies if body.fixed}
        shaped = sorted(body.name for body in self.bodies if body.shapes)
        allowed = None if self.collide is None else {tuple(sorted(p)) for p in self.collide}
        return tuple(
            (a, b)
            for a, b in itertools.combinations(shaped, 2)
            if not {a, b} <= fixed and (allowed is None or (a, b) in allowed)
        )

    def body(self, name: str) -> Body:
        """Return the body of that name; KeyError lists the names there are."""
        for body in self.bodies:
            if body.name == name:
                return body
        raise KeyError(f'no body {name!r}; bodies are: {", ".join(self.body_names)}')

    def _contradictions(self) -> list[str]:
        """Return what no single body can know is wrong."""
        faults = []
        names = self.body_names
        faults += [
            f'two bodies are called {n!r}' for n in {n for n in names if names.count(n) > 1}
        ]
        if not self.moving:
            faults.append('no body can move: at least one must not be `fixed: true`')
        for pair in self.collide or ():
            faults += [f'collide names the unknown body {n!r}' for n in pair if n not in names]
        return faults
