"""
Armatures that ``armature: auto`` leaves open: none, or enough to make the mass matrix regular.

Files of real robots have links without inertia about the axis that they turn about, and massless
links between two joints of one axis. Such a joint has no acceleration by itself: it gets a small
inertia of a rotor, and the model a warning.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from symcontact_ros.expressions import evaluate
from symcontact_ros.model.parts import Body
from symcontact_ros.model.start_pose import StartPose
from symcontact_ros.model.welds import trees_of
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.model.model import Model

NEGLIGIBLE = 1e-12  # of the largest inertia at a joint of the tree: rounding has as much
SINGULAR = 1e-10  # eigenvalue of the mass matrix with a diagonal of ones
SHARE = 1e-4  # of the largest inertia at a joint of the tree that an armature is
LEAST = 1e-9  # [kg m^2 or kg]
INVOLVED = 0.1  # of the largest entry of an eigenvector
UNITS = {'rad': 'kg m^2', 'm': 'kg'}


def with_armatures(model: Model) -> tuple[tuple[Body, ...], tuple[str, ...]]:
    """Return the bodies of a model with all armatures that it leaves open, and warnings."""
    open_bodies = [b for b in model.moving if b.joint.has_open_armature and b.joint.is_driven]
    if not open_bodies:
        return model.bodies, ()
    pose = StartPose(model)
    matrix = pose.mass_matrix.copy()
    sizes = {pose.speed(b.joint.name): _size(model, matrix, pose, b) for b in open_bodies}
    added: dict[int, float] = {}
    for _ in range(len(sizes)):
        weak = [speed for speed in _weak(matrix, sizes) if speed not in added]
        if not weak:
            break
        for speed in weak:
            added[speed] = max(LEAST, SHARE * sizes[speed])
            matrix[speed, speed] += added[speed]
    chosen = {b.name: added.get(pose.speed(b.joint.name), 0.0) for b in open_bodies}
    bodies = tuple(
        replace(body, joint=replace(body.joint, armature=chosen[body.name]))
        if chosen.get(body.name)
        else body
        for body in model.bodies
    )
    return bodies, _warnings([body for body in bodies if chosen.get(body.name)])


def _size(model: Model, matrix: Vector, pose: StartPose, body: Body) -> float:
    """
    Return the largest inertia at a joint of the same unit in the tree of a body.

    Where there is none, it is that of the mass of the tree, 1 m away.
    """
    trees = trees_of(model.bodies)
    tree = [b for b in model.bodies if trees.get(b.name) == trees[body.name]]
    alike = [
        b.joint for b in tree if b.joint.is_driven and b.joint.kind.unit == body.joint.kind.unit
    ]
    largest = max(float(matrix[pose.speed(j.name), pose.speed(j.name)]) for j in alike)
    return largest or sum(evaluate(b.mass, pose.values) for b in tree)


def _weak(matrix: Vector, sizes: dict[int, float]) -> list[int]:
    """Return which of some speeds have no acceleration of their own."""
    diagonal = np.diag(matrix).copy()
    found = [speed for speed, size in sizes.items() if diagonal[speed] <= NEGLIGIBLE * size]
    if found:
        return found
    scale = np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))
    eigenvalues, vectors = np.linalg.eigh(matrix / np.outer(scale, scale))
    for vector in np.abs(vectors.T[eigenvalues < SINGULAR]):
        found += [speed for speed in sizes if vector[speed] > INVOLVED * vector.max()]
    return sorted(set(found))


def _warnings(bodies: list[Body]) -> tuple[str, ...]:
    if not bodies:
        return ()
    listed = ', '.join(
        f'{b.joint.name} ({b.joint.armature:g} {UNITS[b.joint.kind.unit]})' for b in bodies
    )
    return (
        f'no inertia resists some joints, which get an armature: {listed}; give their links '
        'inertia, or the joints an armature',
    )
