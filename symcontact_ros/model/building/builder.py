"""Building of a model from a description, with all its faults at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
import math
from typing import Any

from symcontact_ros.errors import ModelError, no_such, shown, suggestion
from symcontact_ros.expressions import is_nonzero
from symcontact_ros.model.building.bodies import build_body
from symcontact_ros.model.building.body_tree import in_order
from symcontact_ros.model.building.collision_rules import build_pair_rules
from symcontact_ros.model.building.fault_paths import by_line
from symcontact_ros.model.building.live_symbols import Symbols
from symcontact_ros.model.building.materials import build_materials, Materials
from symcontact_ros.model.building.mimics import bind
from symcontact_ros.model.building.pair_loads import Loads
from symcontact_ros.model.building.parameters import check_range, read_parameters
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.building.size_checks import check_body_count, check_freedoms, find_pairs
from symcontact_ros.model.description import Description
from symcontact_ros.model.including.include import include
from symcontact_ros.model.pair_rules import PairRules
from symcontact_ros.model.parts import Body, Limit, LiveSymbol, Sensor, WORLD
from symcontact_ros.model.run_settings import OwnSettings, read_settings
from symcontact_ros.model.words import read_words, Words
from symcontact_ros.placements import Triple

FORMAT_VERSION = 1
STANDARD_GRAVITY = {2: (0.0, -9.81, 0.0), 3: (0.0, 0.0, -9.81)}
# Quantities of a sensor, each with its noise.
NOISE = {
    'imu': ('acceleration', 'angular_velocity'),
    'force_torque': ('force', 'torque'),
    'ground_reaction': ('force', 'torque'),
}


@dataclass(frozen=True)
class Parts:
    """Parts of a model; see ``Model`` for their meaning."""

    name: str
    dimension: int
    gravity: Triple
    symbols: dict[str, LiveSymbol]
    bodies: tuple[Body, ...]
    materials: Materials
    pair_rules: PairRules
    sensors: tuple[Sensor, ...]
    initial_overlap: str
    duration: float
    settings: OwnSettings
    words: Words
    limits: tuple[Limit, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def build(
    description: Description, overrides: Mapping[str, float] | None = None, complete: bool = True
) -> Parts:
    """
    Return the parts of a model; ModelError lists all faults of the description.

    Parameters
    ----------
    description
        Contents of the model file.
    overrides
        Values that replace those of live symbols.
    complete
        Whether the model must be ready to simulate; models under construction are not.

    """
    include(description, overrides or {})
    check_body_count(description)
    symbols = Symbols({})
    root = Section(description, '', description.data, symbols.values)
    symbols.overrides = _overrides(root, overrides or {})
    dimension = _head(root)
    read_parameters(root, symbols)
    if any(fault.key == 'dimension' for fault in description.faults):
        raise ModelError(by_line(description.faults))  # all that follows depends on it
    gravity = _gravity(root, dimension, symbols)
    known = len(description.warnings), len(description.notes)  # from reading
    bodies = _bodies(root, dimension, symbols, complete)
    check_freedoms(root, bodies)
    pair_rules = build_pair_rules(root, bodies)
    find_pairs(root, pair_rules, bodies)
    loads = Loads(bodies, dimension, symbols.values)
    materials = build_materials(root.section('materials'), symbols, pair_rules.pairs, loads)
    chosen = (material.chosen for material in materials.by_name.values() if material.chosen)
    parts = Parts(
        name=root.name('name', 'model'),
        dimension=dimension,
        gravity=gravity,
        symbols=symbols.table,
        bodies=bodies,
        materials=materials,
        pair_rules=pair_rules,
        sensors=_sensors(root, bodies, dimension),
        initial_overlap=root.text('initial_overlap', 'allow', ('allow', 'refuse')),
        duration=root.value('duration', 5.0, above=0.0),
        settings=read_settings(root),
        words=read_words(root),
        limits=tuple(description.limits),
        warnings=tuple(description.warnings),
        notes=(*description.notes, *chosen),
    )
    root.offer('include')  # which was read before
    root.close()
    _check_overrides(root, symbols)
    if description.faults:
        raise ModelError(by_line(description.faults))
    # What building found it finds again when the model is built again, with another key say.
    del description.warnings[known[0] :], description.notes[known[1] :]
    return parts


def _head(root: Section) -> int:
    version = root.value('format_version', FORMAT_VERSION)
    if version != FORMAT_VERSION and not math.isnan(version):
        root.fault('format_version', f'must be {FORMAT_VERSION}, got {version:g}')
    dimension = root.value('dimension', 2)
    if dimension not in (2, 3) and not math.isnan(dimension):
        root.fault('dimension', f'must be 2 (planar) or 3 (spatial), got {dimension:g}')
    return 3 if dimension == 3 else 2


def _overrides(root: Section, given: Mapping[str, Any]) -> dict[str, float]:
    """Return values that replace those of live symbols, as plain numbers."""
    section = Section(
        root.description, 'parameters', {str(name): value for name, value in given.items()}, {}
    )
    return {name: section.value(name, math.nan) for name in section.names()}


def _check_overrides(root: Section, symbols: Symbols) -> None:
    section = Section(root.description, 'parameters', {}, {})
    for name, value in symbols.overrides.items():
        if name not in symbols.table:
            reason = f'override: {no_such("live symbol", name, symbols.table)}'
            section.add_unknown(section.path, reason)
        else:
            check_range(section, name, symbols.table[name], value)


def _gravity(root: Section, dimension: int, symbols: Symbols) -> Triple:
    given = root.triple('gravity', STANDARD_GRAVITY[dimension])
    x, y, z = (
        symbols.live(f'gravity.{axis}', component, 'm/s^2', f'gravity along {axis}')
        for axis, component in zip('xyz', given, strict=True)
    )
    if dimension == 2 and is_nonzero(given[2]):
        root.fault('gravity', 'must lie in the plane: its third number is 0 in a planar model')
    return x, y, z


def _bodies(root: Section, dimension: int, symbols: Symbols, complete: bool) -> tuple[Body, ...]:
    sections = root.named_sections('bodies')
    if WORLD in sections:
        sections.pop(WORLD).fault('', "'world' is the inertial frame: choose another name")
    bodies = [build_body(name, s, dimension, symbols) for name, s in sections.items()]
    ordered = in_order(bind(bodies, root), root)
    if not complete or root.description.faults:
        return ordered
    if not ordered:
        root.fault('bodies', 'no body can move: at least one is needed')
    elif all(body.joint.kind.is_fixed for body in ordered):
        root.description.notes.append('no body can move: this is fixed scenery')
    return ordered


def _sensors(root: Section, bodies: tuple[Body, ...], dimension: int) -> tuple[Sensor, ...]:
    places = {
        'imu': ('site', {name for body in bodies for name in body.sites}),
        'force_torque': ('joint', {body.joint.name for body in bodies}),
        'ground_reaction': ('body', {body.name for body in bodies}),
    }
    floating = {b.joint.name for b in bodies if b.joint.kind.floating_in == dimension}
    sensors: dict[str, Sensor] = {}
    for section in root.items('sensors'):
        kind = section.text('type', choices=tuple(NOISE))
        if kind not in NOISE:
            for key in ('site', 'joint', 'body', 'name', 'noise'):
                section.take(key)
            section.close()
            continue
        place_key, known = places[kind]
        place = section.text(place_key)
        if place and place not in known:
            hint = suggestion(place, known, 'there are')
            reason = f'unknown {place_key} {shown(place)}; {hint}'
            section.add_unknown(section.at(place_key), reason)
        if place_key == 'joint' and place in floating:
            section.fault(place_key, f'{place} has no constraints: it carries no load')
        name = section.name('name', place or 'sensor')
        if name in sensors:
            section.fault('name', f'another sensor has the name {shown(name)}')
        noise = section.section('noise')
        levels = {key: noise.value(key, 0.0, minimum=0.0) for key in NOISE[kind]}
        noise.close()
        section.close()
        sensors[name] = Sensor(name, kind, place, levels)
    return tuple(sensors.values())
