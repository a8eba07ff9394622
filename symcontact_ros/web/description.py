"""Description of a model for a page: names, symbols, places in memory; of types that JSON has."""

from __future__ import annotations

from collections.abc import Mapping
import math
from typing import Any

from symcontact_ros import __version__
from symcontact_ros.collision.proximity_record import ContactRecord, ProximityRecord
from symcontact_ros.kernels.records import BlockKind, layout_of, Record, TupleKind
from symcontact_ros.shapes.records import PlanarSolid, SpatialSolid
from symcontact_ros.simulation.bodies.body import BodyMotion
from symcontact_ros.simulation.observing.inspection_kernel import InspectionRecord
from symcontact_ros.simulation.observing.motion_kernel import MotionRecord, SitePose
from symcontact_ros.simulation.saving.state_arrays import OF_ROWS
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.simulation.step.unsound import HARDER, SOFTER
from symcontact_ros.simulation.world.guard_records import Guard
from symcontact_ros.simulation.world.solver_records import Solver
from symcontact_ros.simulation.world.world_memory import MOST_KEPT
from symcontact_ros.simulation.world.world_records import (
    Anchor,
    Joint,
    Ledger,
    PlanarShape,
    ShapePair,
    SpatialShape,
)
from symcontact_ros.web.engine.image import EngineImage
from symcontact_ros.web.engine.records import Engine
from symcontact_ros.web.live.cells import effort_names, servo_bodies
from symcontact_ros.web.surfaces import drawn_surface

FORMAT = 1  # of descriptions; raised when a page for older ones could not use them


def described_model(sim: Simulation, refused: Mapping[str, str]) -> dict[str, Any]:
    """Return names and settings; ``refused`` symbols cannot be changed, for a reason."""
    model, layout = sim.model, sim.parts.live.memory.layout
    return {
        'format': FORMAT,
        'version': __version__,
        'name': model.name,
        'dimension': model.dimension,
        'duration': model.duration if math.isfinite(model.duration) else None,  # JSON has no inf
        'stepSize': sim.step_size,
        'integrator': sim.integrator,
        'usedIntegrator': sim.used_integrator,
        'detector': sim.detector,
        'maxSubsteps': sim.max_substeps,
        'proximityRange': sim.proximity_range,
        'symbols': _symbols(sim, refused),
        'bodies': _bodies(sim),
        'sites': [name for body in model.bodies for name in body.sites],
        'shapes': [
            {
                'body': body,
                'kind': placed.shape.kind,
                'isBounded': placed.shape.is_bounded,
                **drawn_surface(placed.shape),
            }
            for body, placed in layout.placed
        ],
        'pairs': [list(pair) for pair in layout.body_pairs],
        'joints': _joints(sim),
        'efforts': effort_names(model),
        'servos': [body.joint.name for body in servo_bodies(model)],
    }


def described(sim: Simulation, image: EngineImage, refused: Mapping[str, str]) -> dict[str, Any]:
    """Return the description of a model for its engine: also places in memory."""
    layout = sim.parts.live.memory.layout
    return {
        **described_model(sim, refused),
        'sticks': layout.sticks,
        'keepsStart': layout_size(image) <= MOST_KEPT,
        'startHash': sim.state_hash(),
        'limits': [limit.path for limit in sim.model.limits],
        'materials': [name for name, _ in layout.materials],
        'owners': [layout.owner(i) for i in range(layout.state_size)],
        'advice': {'softer': SOFTER, 'harder': HARDER},
        'starts': image.starts,
        'stateSize': layout.state_size,
        'records': _records(sim),
        'anchorSlots': _anchor_slots(),
    }


def layout_size(image: EngineImage) -> int:
    """Return the size of the memory of the world [byte]."""
    return image.world.memory.nbytes


def _symbols(sim: Simulation, refused: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {
            'name': name,
            'value': sim.parameters[name],
            'min': _finite(symbol.minimum),
            'max': _finite(symbol.maximum),
            'unit': symbol.unit,
            'description': symbol.description,
            'latex': symbol.latex,
            'refused': refused.get(name, ''),
        }
        for name, symbol in sim.model.symbols.items()
    ]


def _finite(number: float) -> float | None:
    """Return a limit; None where there is none."""
    return number if math.isfinite(number) else None


def _bodies(sim: Simulation) -> list[dict[str, Any]]:
    model, layout = sim.model, sim.parts.live.memory.layout
    floating = {body.name for body in layout.floating}
    return [
        {
            'name': body.name,
            'isFixed': body.name in model.grounded,
            'isFloating': body.name in floating,
            'joint': body.joint.name,
            'jointType': body.joint.type,
            'parent': body.joint.parent,
        }
        for body in model.bodies
    ]


def _joints(sim: Simulation) -> list[dict[str, Any]]:
    return [
        {'name': body.joint.name, 'type': body.joint.type, 'body': body.name}
        for body in sim.model.bodies
        if body.joint.is_driven
    ]


def _records(sim: Simulation) -> dict[str, Any]:
    """Return the layouts of the records that a page reads, by name."""
    is_planar = sim.model.dimension == 2
    layout = sim.parts.live.memory.layout
    records: dict[str, type[Record]] = {
        'World': layout.world_type,
        'Guard': Guard,
        'Ledger': Ledger,
        'Solver': Solver,
        'Anchor': Anchor,
        'Joint': Joint,
        'ShapePair': ShapePair,
        'Shape': PlanarShape if is_planar else SpatialShape,
        'Solid': PlanarSolid if is_planar else SpatialSolid,
        'Engine': Engine,
        'InspectionRecord': InspectionRecord,
        'ProximityRecord': ProximityRecord,
        'ContactRecord': ContactRecord,
        'MotionRecord': MotionRecord,
        'BodyMotion': BodyMotion,
        'SitePose': SitePose,
    }
    return {name: _record(record) for name, record in records.items()}


def _record(record: type[Record]) -> dict[str, Any]:
    """Return the slots of a record, and offset and kind of each of its fields."""
    own = layout_of(record)
    fields = {name: [field.offset, _kind(field.kind)] for name, field in own.fields.items()}
    return {'slots': own.slots, 'fields': fields}


def _kind(kind: Any) -> Any:
    """Return what a field is, as a page reads it."""
    if kind in (int, bool):
        return 'i' if kind is int else 'b'
    if kind is float:
        return 'f'
    if isinstance(kind, TupleKind):
        return 't'
    if isinstance(kind, BlockKind):
        return 'rows' if kind.length is None else 'embedded'
    return 'record'


def _anchor_slots() -> list[int]:
    """Return the slots of an anchor that are part of the state, in order."""
    fields = layout_of(Anchor).fields
    return [fields[n].offset + k for n in OF_ROWS['anchors'] for k in range(fields[n].slots)]
