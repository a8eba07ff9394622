"""Table of all joint types: the only place where a type is registered."""

from __future__ import annotations

from symcontact_ros.joints.base import JointType
from symcontact_ros.joints.fixed import Fixed
from symcontact_ros.joints.free import Free
from symcontact_ros.joints.planar import Planar
from symcontact_ros.joints.prismatic import Prismatic
from symcontact_ros.joints.revolute import Revolute
from symcontact_ros.joints.spherical import Spherical

JOINT_TYPES: dict[str, JointType] = {
    kind.name: kind
    for kind in (
        Revolute(),
        Prismatic(),
        Fixed(),
        Free(),
        Planar(),
        Spherical(),
    )
}
FIXED = Fixed.name


def floating_type(dimension: int) -> JointType:
    """Return the type that holds nothing back: that of bodies without ``joint``."""
    return next(kind for kind in JOINT_TYPES.values() if kind.floating_in == dimension)


def types_in(dimension: int) -> tuple[str, ...]:
    """Return the names of the types of a model of a dimension, the floating one first."""
    first = floating_type(dimension)
    others = [kind for kind in JOINT_TYPES.values() if kind is not first]
    return tuple(kind.name for kind in (first, *others) if dimension in kind.dimensions)


def urdf_types() -> dict[str, JointType]:
    """Return the types by their names in URDF."""
    return {name: kind for kind in JOINT_TYPES.values() for name in kind.urdf_types}
