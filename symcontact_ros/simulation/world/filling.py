"""The memory of the loop, filled with values of the live symbols."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.collision.detection import Detection
from symcontact_ros.contact.law import Law
from symcontact_ros.contact.laws import law_named, write_record
from symcontact_ros.contact.material import Material
from symcontact_ros.errors import OptionError
from symcontact_ros.expressions import evaluate, evaluate_all, Values
from symcontact_ros.kernels.functions import compile_functions, Function
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import COORDINATES, Joint, PlacedShape, SPEEDS
from symcontact_ros.simulation.bodies.body import FIXED
from symcontact_ros.simulation.equations.dynamics import Dynamics
from symcontact_ros.simulation.equations.initial_state import ground_pose, matrix
from symcontact_ros.simulation.step.candidates import ALWAYS_LOOK
from symcontact_ros.simulation.world.layout import Places
from symcontact_ros.simulation.world.world import AnyWorld

Array = NDArray[np.float64]

ENDLESS = 1e6  # [m], the reach of a body with a half-space
SKIN = 0.25  # of the middle reach: how far boxes may move before the broad phase runs again


class Tables(Places):
    """All memory of the loop."""

    def __init__(self, model: Model, dynamics: Dynamics, detection: Detection) -> None:
        super().__init__(model, dynamics, detection)
        self._programs: dict[str, Function] = {}  # of materials whose law is given by formulas
        self._has_solids = False
        self.use_detection(detection, model.parameters)

    def use_detection(self, detection: Detection, values: Values) -> None:
        """
        Take a way to find collisions, and values of the live symbols.

        OptionError where it does not fit the shapes; then nothing has changed.
        """
        solids = self._solids(detection, values)
        if detection != self.detection or not self._has_solids:
            self.detection = detection
            self._has_solids = True
            pairs = len(self.image['allowed'])
            self._resize(warm_starts=1 + pairs if detection.keeps_warm_starts else 1)
            self.world.keeps_warm_starts = detection.keeps_warm_starts
        self._take(solids, values)

    def set_values(self, values: Values) -> None:
        """Take new values of the live symbols; ValueError where they make no model."""
        self._take(self._solids(self.detection, values), values)

    def _solids(self, detection: Detection, values: Values) -> list[Array]:
        return [detection.block(placed.shape.evaluated(values)) for _, placed in self.placed]

    def _take(self, solids: list[Array], values: Values) -> None:
        starts = list(itertools.accumulate(map(len, solids), initial=0))
        self._resize(solids=starts[-1])
        for shape, (solid, start) in enumerate(zip(solids, starts, strict=False)):
            self.image['solids'][start : start + len(solid)] = solid
            self._write_shape(shape, self.placed[shape][1], solid, values)
            self.image['shapes']['solid'][shape] = start
        self._write_bodies(values)
        self._write_materials(values)
        self._write_joints(values)
        for own, number in enumerate(self.groups):
            constants = self._dynamics.constants(number, 'motion')
            block = self.world.groups[own].constants
            for i, constant in enumerate(constants):
                block[i] = constant
        x, y, z = evaluate_all(self.model.gravity, values)
        self.world.gravity = (x, y, z)
        reaches = self.image['shapes']['reach']
        finite = sorted(reach for reach in reaches.tolist() if 0.0 < reach < ENDLESS)
        self.world.skin = SKIN * (_median(finite) if finite else 1.0)
        self.forget()
        self._clear_work()

    @property
    def world(self) -> AnyWorld:
        """The world as plain Python has it."""
        return self.image.record

    def make_room(self, pairs: int) -> None:
        """Make room for more near pairs."""
        self._resize(found=2 * pairs, near=2 * pairs, candidates=2 * pairs)
        self.forget()

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

    def clear_counters(self) -> None:
        """Count anew."""
        world = self.world
        world.substeps = world.exceeded = world.looks = world.rebuilds = 0
        world.largest_need = 0.0
        for note in range(len(world.notes)):
            world.notes[note] = 0

    def forget(self) -> None:
        """Forget what was found of pairs: everything is looked at anew in the next step."""
        self.image['pair_memory']['clear_until'] = ALWAYS_LOOK
        self.image['pair_memory']['feature'] = -1
        for name in ('travelled', 'reachable', 'is_active'):
            self.image['bodies'][name] = 0
        self.image['warm_starts'].view(np.int64)[:] = 0
        self.world.drift = np.inf

    # Shapes and bodies --------------------------------------------------------------------------

    def _write_shape(self, shape: int, placed: PlacedShape, solid: Array, values: Values) -> None:
        body = self.model.bodies[self.placed[shape][0]]
        row = self.image['shapes'][shape]
        fixed = body.name in self.model.grounded
        com = np.zeros(3) if fixed else np.array(evaluate_all(body.com, values))
        offset = np.array(evaluate_all(placed.placement.position, values)) - com
        rotation = matrix(placed.placement.rotation.evaluated(values))
        head = self.detection.solid(solid)
        centre = rotation @ np.array(head.centre) + offset
        row['reach'] = min(ENDLESS, float(np.linalg.norm(centre)) + head.reach)
        row['is_centred'] = not offset.any() and (rotation == np.eye(3)).all()
        row['frame'] = self._frame(rotation, offset)

    def _frame(self, rotation: Array, origin: Array) -> Array:
        if self.is_planar:
            return np.array([rotation[0, 0], rotation[1, 0], origin[0], origin[1]])
        return np.concatenate([rotation.T.ravel(), origin])

    def _write_bodies(self, values: Values) -> None:
        reaches = self.image['shapes']['reach']
        for i, body in enumerate(self.model.bodies):
            row = self.image['bodies'][i]
            own = [s for s, (owner, _) in enumerate(self.placed) if owner == i]
            row['reach'] = max((reaches[s] for s in own), default=0.0)
            if row['kind'] == FIXED:
                row['frame'] = self._frame(*ground_pose(self.model, body, values))
                continue
            mass = evaluate(body.mass, values)
            row['inverse_mass'] = 1.0 / mass if mass > 0.0 else 0.0
            self._write_inertia(row, evaluate_all(body.inertia, values))

    def _write_inertia(self, row: Any, inertia: tuple[float, ...]) -> None:
        xx, yy, zz, xy, xz, yz = inertia
        if self.is_planar:
            row['inverse_inertia'] = 1.0 / zz if zz > 0.0 else 0.0
            return
        full = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        if np.linalg.eigvalsh(full)[0] <= 0.0:
            return  # of a body that is part of another one
        inverse = np.linalg.inv(full)
        entries = [inverse[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        principal = np.linalg.eigvalsh(inverse)
        is_isotropic = principal[-1] - principal[0] <= 1e-14 * principal[-1]
        row['inertia'] = *entries, principal[-1], is_isotropic

    # Materials and joints -----------------------------------------------------------------------

    def _write_materials(self, values: Values) -> None:
        for i, (name, material) in enumerate(self.model.materials.items()):
            law, record = law_named(material.law), self.world.materials[i]
            if law.state_slots:
                raise OptionError(f'materials.{name}: no step keeps state of the law {law.name}')
            write_record(record, material, values)
            if law.has_formulas:
                record.program = self._program(name, law, material).register()

    def _program(self, name: str, law: Law, material: Material) -> Function:
        if name not in self._programs:
            (self._programs[name],) = compile_functions([law.program_of(material)]).values()
        return self._programs[name]

    def _write_joints(self, values: Values) -> None:
        q = u = number = 0
        for body in self.model.moving:
            joint = body.joint
            if SPEEDS[joint.type] == 1:
                row = self.image['joints'][number]
                number += 1
                row['q'], row['u'] = self.state_of_q[q], self.state_of_u[u]
                row['group'], row['index'] = self._effort_place(u)
                row['stiffness'], row['rest'], row['damping'], row['friction'] = evaluate_all(
                    (joint.stiffness, joint.rest_position, joint.damping, joint.friction), values
                )
                self.write_servo(row, joint, values)
                limits = (-np.inf, np.inf, 0.0, 0.0)
                if (own := joint.limits) is not None:
                    limits = evaluate_all(  # type: ignore[assignment]
                        (own.lower, own.upper, own.stiffness, own.damping), values
                    )
                row['lower'], row['upper'] = limits[:2]
                row['limit_stiffness'], row['limit_damping'] = limits[2:]
            q += COORDINATES[joint.type]
            u += SPEEDS[joint.type]

    @staticmethod
    def write_servo(row: Any, joint: Joint, values: Values) -> None:
        """Let a servo that is at work have the gains of now."""
        if joint.servo is not None:
            kp, kd = evaluate_all((joint.servo.kp, joint.servo.kd), values)
            row['kp'] = kp if row['holds'] else 0.0
            row['kd'] = kd if row['follows'] else 0.0

    def _effort_place(self, u: int) -> tuple[int, int]:
        """Return in which group, and where there, the effort of a speed is."""
        for own, number in enumerate(self.groups):
            speeds = self._dynamics.groups[number].u
            if u in speeds:
                return own, speeds.index(u)
        raise KeyError(u)


def _median(numbers: list[float]) -> float:
    """Return the middle of sorted numbers; numpy's would import its masked arrays, in 10 ms."""
    middle = len(numbers) // 2
    return numbers[middle] if len(numbers) % 2 else 0.5 * (numbers[middle - 1] + numbers[middle])
