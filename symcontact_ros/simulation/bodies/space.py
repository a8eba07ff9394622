"""Interface of a dimension: the modules `planar_body` and `spatial_body` are one each."""

from __future__ import annotations

from typing import Protocol

from symcontact_ros.collision.broad_phase import Box, HalfSpacePlane
from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.shapes.records import Triple


class Space(Protocol[S, F, V]):
    """Vectors, frames and bounds of a dimension; its functions are kernels."""

    IS_PLANAR: bool
    STATE: int  # numbers of the state of a floating body
    Solid: type[S]

    def dot(self, a: V, b: V, /) -> float:
        """Return the scalar product."""

    def norm(self, a: V, /) -> float:
        """Return the length."""

    def minus(self, a: V, b: V, /) -> V:
        """Return a - b."""

    def times(self, factor: float, a: V, /) -> V:
        """Return factor a."""

    def along(self, a: V, length: float, b: V, /) -> V:
        """Return a + length b."""

    def in_space(self, point: V, /) -> Triple:
        """Return a vector as three numbers."""

    def from_space(self, point: Triple, /) -> V:
        """Return three numbers as a vector."""

    def composed(self, body: F, shape: F, /) -> F:
        """Return where a frame that is fixed in a body is in the world."""

    def write_box(self, solid: S, frame: F, box: Box, /) -> None:
        """Write the box around a shape."""

    def write_plane(self, solid: S, frame: F, plane: HalfSpacePlane, /) -> None:
        """Write where a half-space is now."""
