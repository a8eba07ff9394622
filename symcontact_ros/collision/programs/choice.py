"""Which convex program is exact for two shapes."""

from __future__ import annotations

from typing import Any

from symcontact_ros.collision.layout import BOX, CORE, CYLINDER, HULL
from symcontact_ros.memory import Memory, separate

# They stand for the programs of a dimension.
growth: Any = None
min_distance: Any = None


@separate
def exact_program(
    a: Memory, frame_a: Any, b: Memory, frame_b: Any, margin: float, kept: Memory, work: Memory
) -> Any:
    """Solve the program that is exact; growth, which is not, for two flat shapes in overlap."""
    if is_flat(a) and is_flat(b):
        answer = growth(a, frame_a, b, frame_b, margin, kept, work)
        # That they are apart is proven by any normal; their distance is not growth's to tell.
        if answer[0] <= 0.0 or answer[0] > margin:
            return answer
    return min_distance(a, frame_a, b, frame_b, margin, kept, work)


def is_flat(shape: Memory) -> bool:
    """Return whether a shape has an inside without its radius."""
    return int(shape[CORE]) in (BOX, HULL, CYLINDER)
