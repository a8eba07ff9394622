"""Shapes of bodies, in the frame of their body. Lengths in metres."""

from __future__ import annotations

from dataclasses import dataclass, field
import math
from typing import ClassVar


@dataclass(frozen=True)
class Circle:
    """A disc in the xy plane."""

    kind: ClassVar[str] = 'circle'
    dimension: ClassVar[int] = 2
    round: ClassVar[bool] = True

    radius: float  # > 0
    centre: tuple[float, float] = (0.0, 0.0)  # in the body frame

    def __post_init__(self) -> None:
        if not 0.0 < self.radius < math.inf:
            raise ValueError(f'radius must be > 0, got {self.radius:g}')

    @property
    def size(self) -> float:
        """Smallest extent [m]."""
        return 2.0 * self.radius

    def area(self) -> float:
        """Area [m^2]."""
        return math.pi * self.radius**2

    def unit_inertia(self) -> float:
        """Moment of inertia about the shape's own centre, per kilogram [m^2]."""
        return 0.5 * self.radius**2


@dataclass(frozen=True)
class HalfSpace:
    """The half of the world where ``normal . x < offset`` is solid."""

    kind: ClassVar[str] = 'half_space'
    dimension: ClassVar[None] = None  # fits planar and spatial models
    round: ClassVar[bool] = False

    normal: tuple[float, float, float] = field(default=(0.0, 0.0, 1.0))  # unit, out of the solid
    offset: float = 0.0  # of the surface from the body origin, along the normal

    def __post_init__(self) -> None:
        length = math.hypot(*self.normal)
        if not 0.0 < length < math.inf or not math.isfinite(self.offset):
            raise ValueError(
                f'normal must have a length and offset be finite, got {self.normal}, {self.offset}'
            )
        unit = tuple(component / length for component in self.normal)
        object.__setattr__(self, 'normal', unit)


Shape = Circle | HalfSpace
