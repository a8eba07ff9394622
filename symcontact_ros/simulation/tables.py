"""The memory of the loop, filled with values of the live symbols."""

from __future__ import annotations

from collections.abc import Callable
import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.detection import Detection
from symcontact_ros.collision.layout import CENTRE, REACH
from symcontact_ros.collision.pairs import KEPT
from symcontact_ros.kernels.functions import compile_functions, Function
from symcontact_ros.contact.laws import law_constants, law_program, LAWS
from symcontact_ros.kernels.transitional import Memory, memory_of
from symcontact_ros.model.expressions import evaluate, evaluate_all, Values
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import COORDINATES, Joint, PlacedShape, SPEEDS
from symcontact_ros.simulation.dynamics import Dynamics
from symcontact_ros.simulation.loop import layout
from symcontact_ros.simulation.loop.candidates import ALWAYS_LOOK
from symcontact_ros.simulation.loop.world import PARTS
from symcontact_ros.simulation.places import Places
from symcontact_ros.simulation.state import ground_pose, matrix

Array = NDArray[np.float64]

ENDLESS = 1e6  # [m], the reach of a body with a half-space
SKIN = 0.25  # of the middle reach: how far boxes may move before the broad phase runs again


class Tables(Places):
    """
    All arrays of the loop.

    Attributes
    ----------
    arrays
        By the names of `loop.world.World`.
    pairs
        The exact kernels of the pairs of kinds of shapes that the model has, by slot.
    """

    def __init__(self, model: Model, dynamics: Dynamics, detection: Detection) -> None:
        super().__init__(model, dynamics, detection)
        self.addresses = np.zeros(0, dtype=np.int64)
        self.use_detection(detection, model.parameters)

    def use_detection(self, detection: Detection, values: Values) -> None:
        """
        Take a way to find collisions, and values of the live symbols.

        OptionError where it does not fit the shapes; then nothing has changed.
        """
        blocks = self._blocks(detection, values)
        if detection != self.detection or 'kept' not in self.arrays:
            self.detection = detection
            self.sizes['kept_stride'] = detection.kept
            self.arrays['kept'] = np.zeros(KEPT + detection.kept * len(self.arrays['allowed']))
        self._take(blocks, values)

    def set_values(self, values: Values) -> None:
        """Take new values of the live symbols; ValueError where they make no model."""
        self._take(self._blocks(self.detection, values), values)

    def _blocks(self, detection: Detection, values: Values) -> list[Array]:
        return [detection.block(placed.shape.evaluated(values)) for _, placed in self.placed]

    def _take(self, blocks: list[Array], values: Values) -> None:
        starts = itertools.accumulate(map(len, blocks), initial=0)
        for shape, (block, start) in enumerate(zip(blocks, starts, strict=False)):
            self._write_shape(shape, self.placed[shape][1], block, values)
            self.arrays['shapes'][layout.SHAPE * shape + layout.SHAPE_BLOCK] = start
        self.arrays['blocks'] = np.concatenate(blocks) if blocks else np.zeros(1)
        self._write_bodies(values)
        self._write_materials(values)
        self._write_joints(values)
        for row, number in zip(
            self.arrays['groups'].reshape(-1, layout.GROUP), self.groups, strict=False
        ):
            constants = self._dynamics.constants(number, 'motion')
            start = int(row[layout.GROUP_CONSTANTS])
            self.arrays['scratch'][start : start + len(constants)] = constants
        gravity = evaluate_all(self.model.gravity, values)
        self.arrays['options'][layout.GRAVITY : layout.GRAVITY + 3] = gravity
        reaches = self.arrays['shapes'].reshape(-1, layout.SHAPE)[:, layout.SHAPE_REACH]
        finite = reaches[(reaches > 0.0) & (reaches < ENDLESS)]
        self.arrays['options'][layout.SKIN] = SKIN * (np.median(finite) if len(finite) else 1.0)
        self.forget()
        self._address()

    def make_room(self, pairs: int) -> None:
        """Make room for more near pairs."""
        capacity = 2 * pairs
        for name, width in (('found', 1), ('near', layout.NEAR), ('candidates', 1)):
            self.arrays[name] = np.zeros(width * capacity)
        self.sizes['capacity'] = capacity
        self.forget()
        self._address()

    def owner(self, number: int) -> str:
        """Return the body that a number of the state belongs to."""
        loose = self.space.STATE * len(self.loose)
        if number < loose:
            return str(self.loose[number // self.space.STATE].name)
        places = {**self.state_of_q, **{-1 - u: at for u, at in self.state_of_u.items()}}
        index = next(key for key, at in places.items() if at == number)
        counts = COORDINATES if index >= 0 else SPEEDS
        at = index if index >= 0 else -1 - index
        ends = itertools.accumulate(counts[body.joint.type] for body in self.model.moving)
        return next(b.name for b, end in zip(self.model.moving, ends, strict=True) if at < end)

    def forget(self) -> None:
        """Forget what was found of pairs: everything is looked at anew in the next step."""
        self.arrays['pair_memory'].reshape(-1, layout.MEMORY)[:] = (ALWAYS_LOOK, -1.0)
        self.arrays['tracks'][:] = 0.0
        self.arrays['kept'][:] = 0.0
        self.arrays['counters'][layout.DRIFT] = np.inf

    def _write_shape(self, shape: int, placed: PlacedShape, block: Array, values: Values) -> None:
        body = self.model.bodies[self.placed[shape][0]]
        row = self.arrays['shapes'][layout.SHAPE * shape : layout.SHAPE * (shape + 1)]
        fixed = body.name in self.model.grounded
        com = np.zeros(3) if fixed else np.array(evaluate_all(body.com, values))
        offset = np.array(evaluate_all(placed.placement.position, values)) - com
        rotation = matrix(placed.placement.rotation.evaluated(values))
        centre = rotation @ block[CENTRE : CENTRE + 3] + offset
        row[layout.SHAPE_REACH] = min(ENDLESS, float(np.linalg.norm(centre)) + block[REACH])
        plain = not offset.any() and (rotation == np.eye(3)).all()
        row[layout.SHAPE_CENTRED] = 1.0 if plain else 0.0
        row[layout.SHAPE_FRAME :] = 0.0
        frame = self._frame(rotation, offset)
        row[layout.SHAPE_FRAME : layout.SHAPE_FRAME + len(frame)] = frame

    def _frame(self, rotation: Array, origin: Array) -> Array:
        if self.model.dimension == 2:
            return np.array([rotation[0, 0], rotation[1, 0], origin[0], origin[1]])
        return np.concatenate([rotation.T.ravel(), origin])

    def _write_bodies(self, values: Values) -> None:
        shapes = self.arrays['shapes'].reshape(-1, layout.SHAPE)
        for i, body in enumerate(self.model.bodies):
            row = self.arrays['bodies'][self.space.BODY * i : self.space.BODY * (i + 1)]
            own = [s for s, (owner, _) in enumerate(self.placed) if owner == i]
            row[layout.REACH] = max((shapes[s, layout.SHAPE_REACH] for s in own), default=0.0)
            if row[layout.KIND] == layout.FIXED:
                frame = self._frame(*ground_pose(self.model, body, values))
                motion = self.arrays['motions'][self.space.MOTION * i :]
                motion[: len(frame)] = frame
                continue
            mass = evaluate(body.mass, values)
            row[layout.INVERSE_MASS] = 1.0 / mass if mass > 0.0 else 0.0
            self._write_inertia(row, evaluate_all(body.inertia, values))

    def _write_inertia(self, row: Array, inertia: tuple[float, ...]) -> None:
        xx, yy, zz, xy, xz, yz = inertia
        if self.model.dimension == 2:
            row[layout.INERTIA] = 1.0 / zz if zz > 0.0 else 0.0
            return
        full = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        if np.linalg.eigvalsh(full)[0] <= 0.0:
            return  # of a body that is part of another one
        inverse = np.linalg.inv(full)
        entries = [inverse[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        row[layout.INERTIA : layout.INERTIA + 6] = entries
        principal = np.linalg.eigvalsh(inverse)
        row[layout.INERTIA + 6] = principal[-1]
        row[layout.INERTIA + 7] = principal[-1] - principal[0] <= 1e-14 * principal[-1]

    def _write_materials(self, values: Values) -> None:
        rows = self.arrays['materials'].reshape(-1, layout.LAW_CONSTANTS)
        constants: list[float] = []
        own = 2 * len(self.groups)  # functions that come before those of laws
        del self.functions[own:]
        for row, material in zip(rows, self.model.materials.values(), strict=True):
            numbers = evaluate_all(
                (material.stiffness, material.damping, material.friction, material.slip_speed),
                values,
            )
            row[layout.LAW] = LAWS.index(material.law)
            row[layout.STIFFNESS : layout.HALF_INVERSE_SLIP] = numbers[:3]
            row[layout.HALF_INVERSE_SLIP] = 0.5 / numbers[3]
            if material.law == 'custom':
                row[layout.STIFFNESS] = len(PARTS) + 1 + len(self.functions)
                row[layout.DAMPING] = len(constants)
                row[layout.FRICTION] = 0.0
                program = law_program(material)
                self.functions += compile_functions([program]).values()
                constants += [*law_constants(material, values), 0.0]
        self.arrays['law_constants'] = np.array(constants or [0.0])

    def _write_joints(self, values: Values) -> None:
        rows = self.arrays['joints'].reshape(-1, layout.JOINT)
        q = u = joint_number = 0
        for body in self.model.moving:
            joint = body.joint
            if SPEEDS[joint.type] == 1:
                row = rows[joint_number]
                joint_number += 1
                row[layout.JOINT_Q], row[layout.JOINT_U] = self.state_of_q[q], self.state_of_u[u]
                row[layout.JOINT_EFFORT] = self._effort_place(u)
                row[layout.JOINT_STIFFNESS : layout.JOINT_LOWER] = evaluate_all(
                    (joint.stiffness, joint.rest_position, joint.damping, joint.friction), values
                )
                self.write_servo(row, joint, values)
                limits = joint.limits
                row[layout.JOINT_LOWER : layout.JOINT_KP] = (
                    (-np.inf, np.inf, 0.0, 0.0)
                    if limits is None
                    else evaluate_all(
                        (limits.lower, limits.upper, limits.stiffness, limits.damping), values
                    )
                )
            q += COORDINATES[joint.type]
            u += SPEEDS[joint.type]

    @staticmethod
    def write_servo(row: Array, joint: Joint, values: Values) -> None:
        """Let a servo that is at work have the gains of now."""
        if joint.servo is not None:
            kp, kd = evaluate_all((joint.servo.kp, joint.servo.kd), values)
            row[layout.JOINT_KP] = kp if row[layout.JOINT_HOLDS] == 1.0 else 0.0
            row[layout.JOINT_KD] = kd if row[layout.JOINT_FOLLOWS] == 1.0 else 0.0

    def _effort_place(self, u: int) -> int:
        """Return where the effort of a speed is in the scratch memory."""
        rows = self.arrays['groups'].reshape(-1, layout.GROUP)
        for row, number in zip(rows, self.groups, strict=True):
            own = self._dynamics.groups[number].u
            if u in own:
                return int(row[layout.GROUP_EFFORT]) + own.index(u)
        raise KeyError(u)

    # The table ----------------------------------------------------------------------------------

    def _address(self) -> None:
        """Make the tables that the kernels take: one of addresses, one of memories."""
        sizes = np.array(list(self.sizes.values()), float)
        parts = [sizes, *(self.arrays[name] for name in PARTS)]
        self._kept = parts
        addresses = [part.ctypes.data for part in parts]
        addresses += [function.address or 0 for function in self.functions]
        if len(self.addresses) == len(addresses):  # where kernels look for them stays
            self.addresses[:] = addresses
        else:
            self.addresses = np.array(addresses, dtype=np.int64)
        self.memories: list[Any] = [memory_of(part) for part in parts]
        self.memories += [_plain(function) for function in self.functions]


def _plain(function: Function) -> Callable[..., None]:
    """Return a function over blocks of memory, for kernels that run as plain Python."""
    counts = list(function.arguments.values())

    def call(*blocks: Memory) -> None:
        given = [list(block[:n]) for block, n in zip(blocks, counts, strict=False)]
        results = function(*given)
        for block, numbers in zip(blocks[len(counts) :], results, strict=True):
            for i, number in enumerate(numbers):
                block[i] = number

    return call
