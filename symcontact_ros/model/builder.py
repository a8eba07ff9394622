"""A description becomes the parts of a model: everything is checked, all faults at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
import math
from typing import Any

from symcontact_ros.errors import ModelError
from symcontact_ros.model.body_builder import build_body
from symcontact_ros.model.description import Description
from symcontact_ros.model.including import included
from symcontact_ros.model.material_builder import build_materials
from symcontact_ros.model.parts import Body, LiveSymbol, Material, Sensor, SPEEDS, WORLD
from symcontact_ros.model.reader import NAME, NOT_A_NAME, Section
from symcontact_ros.model.shapes import Triple
from symcontact_ros.model.symbols import Symbols
from symcontact_ros.model.tree import in_order

FORMAT_VERSION = 1
STANDARD_GRAVITY = {2: (0.0, -9.81, 0.0), 3: (0.0, 0.0, -9.81)}
BUILT_IN_CONSTANTS = ('pi',)


@dataclass(frozen=True)
class Parts:
    """What a model is made of; see ``Model`` for the meaning of each."""

    name: str
    dimension: int
    gravity: Triple
    symbols: dict[str, LiveSymbol]
    bodies: tuple[Body, ...]
    materials: dict[str, Material]
    pair_materials: dict[tuple[str, str], str]
    collide: tuple[tuple[str, str], ...] | None
    sensors: tuple[Sensor, ...]
    initial_overlap: str
    duration: float
    notes: tuple[str, ...] = field(default=())


def build(
    description: Description, overrides: Mapping[str, float] | None = None, complete: bool = True
) -> Parts:
    """
    Return the parts of a model; ModelError lists all faults of the description.

    Parameters
    ----------
    description
        What to build.
    overrides
        Values that replace those of live symbols.
    complete
        Whether the model must be ready to simulate; models under construction are not.

    """
    symbols = Symbols(dict(overrides or {}))
    root = Section(description, '', description.data, symbols.values)
    dimension = _head(root)
    _parameters(root, symbols)
    gravity = _gravity(root, dimension, symbols)
    notes = included(root)
    bodies = _bodies(root, dimension, symbols, complete)
    materials, pair_materials = build_materials(root.section('materials'), symbols, bodies)
    names = [body.name for body in bodies]
    parts = Parts(
        name=root.name('name', 'model'),
        dimension=dimension,
        gravity=gravity,
        symbols=symbols.table,
        bodies=bodies,
        materials=materials,
        pair_materials=pair_materials,
        collide=_collide(root, names),
        sensors=_sensors(root, bodies),
        initial_overlap=root.text('initial_overlap', 'allow', ('allow', 'refuse')),
        duration=root.value('duration', 5.0, above=0.0),
        notes=(*notes, *(m.chosen for m in materials.values() if m.chosen)),
    )
    root.close()
    for name in symbols.unused_overrides():
        description.fault(f'parameters.{name}', 'no such live symbol to override')
    if description.faults:
        raise ModelError(sorted(description.faults, key=lambda fault: fault.line or 0))
    return parts


def _head(root: Section) -> int:
    version = root.value('format_version', FORMAT_VERSION)
    if version != FORMAT_VERSION:
        root.fault('format_version', f'must be {FORMAT_VERSION}, got {version:g}')
    dimension = root.value('dimension', 2)
    if dimension not in (2, 3):
        root.fault('dimension', f'must be 2 (planar) or 3 (spatial), got {dimension:g}')
    return 3 if dimension == 3 else 2


def _parameters(root: Section, symbols: Symbols) -> None:
    """Read ``parameters:``, each a number or ``{value:, min:, max:, unit:, ...}``."""
    section = root.section('parameters')
    for name in section.names():
        if not NAME.match(name) or name in BUILT_IN_CONSTANTS:
            section.fault(name, f'{name!r} {NOT_A_NAME}')
            section.take(name)
        elif not section.is_section(name):
            symbols.add(name, LiveSymbol(section.value(name, math.nan)))
        else:
            entry = section.section(name)
            symbol = LiveSymbol(
                symbols.overrides.get(name, entry.value('value', math.nan)),
                entry.value('min', -math.inf) if 'min' in entry else -math.inf,
                entry.value('max', math.inf) if 'max' in entry else math.inf,
                *(entry.text(key, '') for key in ('unit', 'description', 'latex')),
            )
            for key in ('min', 'max'):
                entry.take(key)
            if 'value' not in entry:
                entry.fault('value', 'is missing: a number is needed')
            elif not symbol.minimum <= symbol.value <= symbol.maximum:
                section.fault(
                    name,
                    f'value {symbol.value:g} is outside [{symbol.minimum:g}, {symbol.maximum:g}]',
                )
            entry.close()
            symbols.add(name, symbol)


def _gravity(root: Section, dimension: int, symbols: Symbols) -> Triple:
    given = root.triple('gravity', STANDARD_GRAVITY[dimension])
    x, y, z = (
        symbols.live(f'gravity.{axis}', component, 'm/s^2', f'gravity along {axis}')
        for axis, component in zip('xyz', given, strict=True)
    )
    if dimension == 2 and given[2] != 0.0:
        root.fault('gravity', 'must lie in the plane: its third number is 0 in a planar model')
    return x, y, z


def _bodies(root: Section, dimension: int, symbols: Symbols, complete: bool) -> tuple[Body, ...]:
    sections = root.named_sections('bodies')
    if WORLD in sections:
        sections.pop(WORLD).fault('', "'world' is the frame that all bodies live in")
    bodies = [build_body(name, s, dimension, symbols) for name, s in sections.items()]
    ordered = in_order(bodies, root)
    moving = [body for body in ordered if body.joint.type != 'fixed']
    if complete and not moving and not root.description.faults:
        root.fault('bodies', 'no body can move: at least one needs a joint that is not fixed')
    return ordered


def _collide(root: Section, names: list[str]) -> tuple[tuple[str, str], ...] | None:
    """Return the listed pairs, each in alphabetical order; None for `all`."""
    listed = root.take('collide', 'all')
    if listed == 'all':
        return None
    if not isinstance(listed, list | tuple):
        root.fault('collide', 'must be `all` or a list of pairs [a, b] of body names')
        return ()
    return tuple(_pair(root, f'collide[{i}]', item, names) for i, item in enumerate(listed))


def _pair(root: Section, path: str, item: Any, names: list[str]) -> tuple[str, str]:
    if not isinstance(item, list | tuple) or len(item) != 2:
        root.description.fault(path, 'a pair [a, b] of body names is needed')
        return ('', '')
    for name in item:
        if name not in names:
            known = ', '.join(names)
            root.description.fault(path, f'unknown body {str(name)!r}; bodies are: {known}')
    if item[0] == item[1]:
        root.description.fault(path, 'a body does not collide with itself')
    a, b = sorted(map(str, item))
    return a, b


def _sensors(root: Section, bodies: tuple[Body, ...]) -> tuple[Sensor, ...]:
    sites = [name for body in bodies for name in body.sites]
    joints = [body.joint.name for body in bodies if SPEEDS[body.joint.type] or body.joint.parent]
    sensors: list[Sensor] = []
    for section in root.items('sensors'):
        kind = section.text('type', choices=('imu', 'force_torque'))
        place_key, known = ('site', sites) if kind == 'imu' else ('joint', joints)
        place = section.text(place_key)
        if place and place not in known:
            section.fault(
                place_key, f'unknown {place_key} {place!r}; there are: {", ".join(known)}'
            )
        name = section.name('name', place or 'sensor')
        if name in [sensor.name for sensor in sensors]:
            section.fault('name', f'another sensor is called {name!r}')
        noise = section.section('noise')
        levels = {key: noise.value(key, 0.0) for key in noise.names()}
        section.close()
        sensors.append(Sensor(name, kind, place, levels))
    return tuple(sensors)
