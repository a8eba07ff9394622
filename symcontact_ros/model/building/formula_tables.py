"""Values of a formula over a grid, all at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.expressions import Formula, FUNCTIONS, Scalar

_OPERATIONS: dict[str, Callable[..., Any]] = {
    'add': np.add,
    'sub': np.subtract,
    'mul': np.multiply,
    'div': np.divide,
    'pow': np.power,
    'neg': np.negative,
    **{name: getattr(np, name) for name in FUNCTIONS},
}


def evaluated_table(formula: Scalar, values: Mapping[str, Any]) -> NDArray[np.float64]:
    """
    Return the values of a formula of numbers and arrays, in the shape of all arrays together.

    ValueError where it has none.
    """
    with np.errstate(all='ignore'):
        found = np.asarray(_evaluated(formula, values), dtype=np.float64)
    shape = np.broadcast_shapes(*(np.shape(value) for value in values.values()))
    if not np.isfinite(found).all():
        raise ValueError('has no value at some of the points')
    return np.array(np.broadcast_to(found, shape))


def _evaluated(scalar: Any, values: Mapping[str, Any]) -> Any:
    if not isinstance(scalar, Formula):
        return float(scalar)
    if scalar.operation == 'name':
        return values[str(scalar.arguments[0])]
    if scalar.operation == 'number':
        return float(scalar.arguments[0])  # type: ignore[arg-type]
    return _OPERATIONS[scalar.operation](*(_evaluated(a, values) for a in scalar.arguments))
