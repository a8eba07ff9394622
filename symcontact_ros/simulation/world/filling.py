"""Values of the live symbols, written into the memory of a world."""

from __future__ import annotations

import itertools
import math
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.detection import Detection
from symcontact_ros.contact.laws import write_material
from symcontact_ros.expressions import evaluate, evaluate_all, Values
from symcontact_ros.kernels.records import Image
from symcontact_ros.model.initial_state import ground_pose
from symcontact_ros.model.parts import PlacedShape
from symcontact_ros.model.welds import weighty
from symcontact_ros.placements import matrix
from symcontact_ros.simulation.bodies.body import FIXED
from symcontact_ros.simulation.world.layout import Layout
from symcontact_ros.simulation.world.servos import write_actuator
from symcontact_ros.simulation.world.world import AnyWorld
from symcontact_ros.simulation.world.world_records import ENDLESS

Array = NDArray[np.float64]
WorldImage: TypeAlias = Image[AnyWorld]

SLOW = 0.1  # [m/s]: at less, the energy of a model is too little to judge its balance by
SKIN = 0.25  # of the middle reach: how far boxes may move before the broad phase runs again
# Substeps of a step in which a joint meets a stop that was chosen: its drag sets in with a jump.
ENTRY = 16.0
LEAST_MOMENT = 1e-14  # of the largest one: below, rounding decides whether there is an inverse


def shape_blocks(layout: Layout, detection: Detection, values: Values) -> list[Array]:
    """Return the numbers of every shape as a detection needs them; OptionError: it cannot."""
    return [detection.block(placed.shape.evaluated(values)) for _, placed in layout.placed]


def write_values(
    image: WorldImage,
    layout: Layout,
    detection: Detection,
    blocks: list[Array],
    values: Values,
) -> None:
    """Write everything that depends on live symbols; ValueError where they make no model."""
    starts = list(itertools.accumulate(map(len, blocks), initial=0))
    for shape, (solid, start) in enumerate(zip(blocks, starts, strict=False)):
        image['solids'][start : start + len(solid)] = solid
        _write_shape(image, layout, detection, shape, layout.placed[shape][1], solid, values)
        image['shapes']['solid'][shape] = start
    _write_bodies(image, layout, values)
    _write_materials(image, layout, values)
    _write_joints(image, layout, values)
    for own, number in enumerate(layout.groups):
        constants = layout.dynamics.constants(number, 'motion')
        block = image.record.groups[own].constants
        for i, constant in enumerate(constants):
            block[i] = constant
    layout.solver.write_values(image, values)
    x, y, z = evaluate_all(layout.model.gravity, values)
    image.record.gravity = (x, y, z)
    reaches = image['shapes']['reach']
    finite = sorted(reach for reach in reaches.tolist() if 0.0 < reach < ENDLESS)
    image.record.skin = SKIN * (_median(finite) if finite else 1.0)


def _write_shape(
    image: WorldImage,
    layout: Layout,
    detection: Detection,
    shape: int,
    placed: PlacedShape,
    solid: Array,
    values: Values,
) -> None:
    body = layout.model.bodies[layout.placed[shape][0]]
    row = image['shapes'][shape]
    fixed = body.name in layout.model.grounded
    com = np.zeros(3) if fixed else np.array(evaluate_all(body.com, values))
    offset = np.array(evaluate_all(placed.placement.position, values)) - com
    rotation = matrix(placed.placement.rotation.evaluated(values))
    head = detection.solid(solid)
    centre = rotation @ np.array(head.centre) + offset
    x, y, z = centre.tolist()  # not numpy's norm: its last bit depends on the machine
    row['reach'] = min(ENDLESS, math.sqrt(x * x + y * y + z * z) + head.reach)
    row['extent'] = min(ENDLESS, placed.shape.evaluated(values).smallest_extent())
    row['is_centred'] = not offset.any() and (rotation == np.eye(3)).all()
    row['frame'] = _frame(layout, rotation, offset)


def _frame(layout: Layout, rotation: Array, origin: Array) -> Array:
    if layout.is_planar:
        return np.array([rotation[0, 0], rotation[1, 0], origin[0], origin[1]])
    return np.concatenate([rotation.T.ravel(), origin])


def _write_bodies(image: WorldImage, layout: Layout, values: Values) -> None:
    reaches = image['shapes']['reach']
    masses = evaluate_all((body.mass for body in layout.model.bodies), values)
    moving = 0.0  # mass [kg]
    numbers = weighty(layout.model.bodies, masses)
    for i, body in enumerate(layout.model.bodies):
        row = image['bodies'][i]
        row['weighty'] = numbers[i]
        if row['kind'] != FIXED:
            moving += masses[i]
        own = [s for s, (owner, _) in enumerate(layout.placed) if owner == i]
        row['reach'] = max((reaches[s] for s in own), default=0.0)
        if row['kind'] == FIXED:
            row['frame'] = _frame(layout, *ground_pose(layout.model, body, values))
            continue
        mass = masses[i]
        row['inverse_mass'] = 1.0 / mass if mass > 0.0 else 0.0
        _write_inertia(layout, row, evaluate_all(body.inertia, values))
    image.record.guard.least = 0.5 * moving * SLOW**2


def _write_inertia(layout: Layout, row: Any, inertia: tuple[float, ...]) -> None:
    xx, yy, zz, xy, xz, yz = inertia
    if layout.is_planar:
        row['inverse_inertia'] = 1.0 / zz if zz > 0.0 else 0.0
        return
    full = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    moments = np.linalg.eigvalsh(full)
    if moments[0] <= LEAST_MOMENT * moments[-1]:
        return  # of a body that is part of another one, or that a joint keeps from turning
    inverse = np.linalg.inv(full)
    entries = [inverse[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    principal = np.linalg.eigvalsh(inverse)
    is_isotropic = principal[-1] - principal[0] <= 1e-14 * principal[-1]
    row['inertia'] = *entries, principal[-1], is_isotropic


def _write_materials(image: WorldImage, layout: Layout, values: Values) -> None:
    for i, (name, material) in enumerate(layout.materials):
        record = image.record.materials[i]
        write_material(record, material, values)
        if name in layout.law_programs:
            record.program = layout.law_programs[name].register()


def _write_joints(image: WorldImage, layout: Layout, values: Values) -> None:
    q = u = number = 0
    for body in layout.model.moving:
        joint = body.joint
        if joint.kind.is_single:
            row = image['joints'][number]
            number += 1
            row['q'], row['u'] = layout.state_of_q[q], layout.state_of_u[u]
            row['group'], row['index'] = layout.effort_place(u)
            row['stiffness'], row['rest'], row['damping'], row['friction'] = evaluate_all(
                (joint.stiffness, joint.rest_position, joint.damping, joint.friction), values
            )
            row['velocity_limit'] = evaluate(joint.velocity_limit, values)
            write_actuator(row, joint, layout.gains, values)
            limits = (-np.inf, np.inf, 0.0, 0.0)
            if (own := joint.limits) is not None:
                limits = evaluate_all(  # type: ignore[assignment]
                    (own.lower, own.upper, own.stiffness, own.damping), values
                )
            row['lower'], row['upper'] = limits[:2]
            row['limit_stiffness'], row['limit_damping'] = limits[2:]
            row['entry'] = ENTRY if own is not None and own.is_chosen else 1.0
        q += joint.kind.coordinates
        u += joint.kind.speeds


def _median(numbers: list[float]) -> float:
    """Return the middle of sorted numbers; numpy's would import its masked arrays, in 10 ms."""
    middle = len(numbers) // 2
    return numbers[middle] if len(numbers) % 2 else 0.5 * (numbers[middle - 1] + numbers[middle])
