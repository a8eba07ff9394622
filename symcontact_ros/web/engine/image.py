"""Memory of an engine: the world, then inspection, motions and the engine itself."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from symcontact_ros.kernels import tape_python
from symcontact_ros.kernels.records import Image, layout_of
from symcontact_ros.model.welds import welds_of
from symcontact_ros.simulation.observing.inspection_kernel import InspectionRecord
from symcontact_ros.simulation.observing.motion_kernel import MotionRecord
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.simulation.world.world import AnyWorld
from symcontact_ros.web.engine.records import Engine, HAS_TARGET, HOLDS_START, OFF
from symcontact_ros.web.live.cells import (
    effort_names,
    effort_places,
    servo_bodies,
    SymbolCells,
)
from symcontact_ros.web.live.tracing import Tracer
from symcontact_ros.web.wasm_programs import OF_GROUPS, WasmPrograms

SEEN = 16  # pairs that an inspection has room for at first, if there are as many


class EngineImage:
    """
    Memory of an engine, for a simulation at its start.

    Attributes
    ----------
    memory
        All of it, as floats.
    starts
        Slot of the records ``world``, ``inspection``, ``motions`` and ``engine``.
    dependent
        Slots that the tape of live symbols writes.
    numbers
        Function that computes what goes there: symbols -> (cells,).
    """

    def __init__(self, sim: Simulation, programs: WasmPrograms) -> None:
        self._sim = sim
        live = sim.parts.live
        self._layout = live.memory.layout
        self.world: Image[AnyWorld] = live.memory.image.duplicate()
        model = self._layout.model
        self._write_addresses(programs)
        pairs = max(1, min(SEEN, len(self._layout.shape_pairs)))
        seen = dict.fromkeys(('found', 'candidates', 'records'), pairs)
        self.inspection = Image(InspectionRecord, seen)
        sites = [(i, site) for i, body in enumerate(model.bodies) for site in body.sites]
        bodies = len(model.bodies)
        self.motions = Image(
            MotionRecord, {'centres': bodies, 'bodies': bodies, 'sites': len(sites)}
        )
        for row, (body, _) in zip(self.motions['sites'], sites, strict=True):
            row['body'] = body
        self.starts: dict[str, int] = {}
        at = 0
        for name, image in (
            ('world', self.world),
            ('inspection', self.inspection),
            ('motions', self.motions),
        ):
            self.starts[name] = at
            at += len(image.memory)
        self.starts['engine'] = at
        self.engine: Image[Engine] = Image(Engine, self._counts())
        self._write_engine(programs)
        self._trace(programs)
        images: list[Image[Any]] = [self.world, self.inspection, self.motions, self.engine]
        self.memory = np.concatenate([image.memory.view(np.int64) for image in images])
        self.memory = self.memory.view(np.float64)
        self._int('free')[0] = len(self.memory)

    def _int(self, name: str) -> Any:
        """Return a number of the engine in all of the memory."""
        at = self.starts['engine'] + layout_of(Engine).fields[name].offset
        return self.memory.view(np.int64)[at : at + 1]

    def set_end(self, slots: int) -> None:
        """Write how much memory there is."""
        self._int('end')[0] = slots

    def _counts(self) -> dict[str, int]:
        layout, model = self._layout, self._layout.model
        gravity = len(model.gravity)
        groups = [layout.dynamics.groups[number] for number in layout.groups]
        return {
            'symbols': len(model.symbols),
            'bodies': len(model.bodies),
            'groups': len(groups),
            'numbers': sum(len(group.slots) + gravity for group in groups),
            'servos': len(servo_bodies(model)),
            'efforts': len(effort_names(model)),
            'floating': len(layout.floating),
            'limits': len(model.limits),
            'initial': layout.state_size,
            'reaches': len(layout.placed),
            'before': len(self.world['state']),
            'kept_anchors': len(self.world['anchors']),
            'cells': 0,
            'targets': 0,
        }

    def _write_addresses(self, programs: WasmPrograms) -> None:
        """Write addresses as WebAssembly has them."""
        rows = self.world['groups']
        for own, number in enumerate(self._layout.groups):
            for name in OF_GROUPS:
                if rows[name][own]:
                    rows[name][own] = programs.of_group(number, name)
        for i, (name, _) in enumerate(self._layout.materials):
            if name in self._layout.law_programs:
                self.world['materials']['program'][i] = programs.of_material(name)

    def _write_engine(self, programs: WasmPrograms) -> None:
        sim, layout, image = self._sim, self._layout, self.engine
        model = layout.model
        record = image.record
        record.record, record.inspection = self.starts['engine'], self.starts['inspection']
        record.is_implicit = sim.parts.live.memory.is_implicit
        record.has_pairs = bool(layout.pairs)
        record.start_energy, record.start_contact = copy.copy(sim).parts.energy.start
        image['symbols'][:] = [sim.parameters[name] for name in model.symbols]
        first = list(welds_of(model.bodies).values())
        image['bodies']['weld'] = [layout.index[name] for name in first]
        start = 0
        for own, number in enumerate(layout.groups):
            count = len(layout.dynamics.groups[number].slots) + len(model.gravity)
            image['groups']['prologue'][own] = programs.of_group(number, 'prologue')
            image.refer('groups', own, 'numbers', target='numbers', start=start, count=count)
            start += count
        rows = {name: i for i, name in enumerate(model.joint_names)}
        for i, body in enumerate(servo_bodies(model)):
            servo = body.joint.servo
            assert servo is not None
            row = image['servos'][i]
            row['joint'] = rows[body.joint.name]
            row['compensates'] = servo.gravity_compensation
            given = HOLDS_START if servo.target is None else HAS_TARGET
            row['start'] = given if servo.holds else OFF
        for i, (joint, _) in enumerate(effort_places(model)):
            image['efforts']['joint'][i] = rows[joint]
        image['floating']['body'] = [layout.index[body.name] for body in layout.floating]
        image['initial'][:] = sim.parts.live.start_state()

    def _trace(self, programs: WasmPrograms) -> None:
        """Write all numbers of the engine, and the program of those that live symbols change."""
        values = self._sim.parts.live.values
        symbols = {name: values[name] for name in self._layout.model.symbols}
        tracer = Tracer(symbols)
        found = SymbolCells(
            self._layout,
            self._sim.parts.live.memory.detection,
            tracer,
            world=self.world,
            motions=(self.starts['motions'], self.motions),
            engine=(self.starts['engine'], self.engine),
        )
        for slot, cell in found.cells.items():
            for name in ('motions', 'engine'):
                at = slot - self.starts[name]
                image: Image[Any] = getattr(self, name)
                if 0 <= at < len(image.memory) and not self._is_initial(slot):
                    image.memory[at] = cell.value
        cells = {slot: cell for slot, cell in found.cells.items() if not cell.is_constant}
        self.dependent = list(cells)
        program = tracer.program('prologue', list(cells.values()))
        self.numbers = tape_python.compile_function(program)
        self.engine = self.engine.resized(cells=len(cells), targets=len(cells))
        self.engine['targets'][:] = self.dependent
        self.engine.record.prologue = programs.add(program)

    def _is_initial(self, slot: int) -> bool:
        """Return whether a slot has a number of the state at the start, which is known."""
        at = slot - self.starts['engine'] - self.engine.slot('initial')
        return 0 <= at < len(self.engine['initial'])
