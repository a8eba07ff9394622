"""Materials of a description: constants given, or chosen from rest depth and restitution."""

from __future__ import annotations

import math

from symcontact_ros.contact import laws
from symcontact_ros.contact.base import Law
from symcontact_ros.contact.constants import damping_for
from symcontact_ros.contact.custom import CUSTOM, TRIAL
from symcontact_ros.contact.material import Material
from symcontact_ros.errors import shown, suggestion
from symcontact_ros.expressions import evaluate_all, Scalar
from symcontact_ros.model.building.live_symbols import SMALLEST, Symbols
from symcontact_ros.model.building.reader import LARGEST, NAME, NOT_A_NAME, Section
from symcontact_ros.model.parts import Body

DEFAULT = 'default'
DEFAULT_RESTITUTION = 0.5
DEFAULT_IMPACT_SPEED = 1.0  # [m/s]
DEFAULT_FRICTION = 0.3
DEFAULT_SLIP_SPEED = 0.05  # [m/s]
REST_DEPTH = 0.005  # of the smallest extent of any shape
STANDARD_GRAVITY = 9.81  # [m/s^2], where the model has none


def build_materials(
    section: Section, symbols: Symbols, bodies: tuple[Body, ...]
) -> tuple[dict[str, Material], dict[tuple[str, str], str]]:
    """Return materials by name, always with a default, and the names of those of pairs."""
    names = [name for name in section.names() if name != 'pairs']
    materials = {
        name: _material(name, section.section(name), symbols, bodies)
        for name in dict.fromkeys([*names, DEFAULT])
    }
    for name in names:
        if not NAME.match(name):
            section.fault(name, f'{shown(name)} {NOT_A_NAME}')
    pairs = _pairs(section, materials, {body.name for body in bodies})
    section.close()
    return materials, pairs


def _material(name: str, section: Section, symbols: Symbols, bodies: tuple[Body, ...]) -> Material:
    law, formulas = _law(section)
    stiffness, resting = _stiffness(section, law, bodies)
    damping, bouncing = _damping(section)
    chosen = '; '.join(filter(None, (resting, bouncing)))
    constants: dict[str, Scalar] = {
        'stiffness': stiffness,
        'damping': damping,
        'friction': section.number('friction', DEFAULT_FRICTION, minimum=0.0),
        'slip_speed': section.number('slip_speed', DEFAULT_SLIP_SPEED, above=0.0),
    }
    units = {
        'stiffness': law.stiffness_unit,
        'damping': 's/m',
        'friction': '',
        'slip_speed': 'm/s',
    }
    least = {'stiffness': SMALLEST, 'damping': 0.0, 'friction': 0.0, 'slip_speed': SMALLEST}
    for own in law.constants:
        constants[own.name] = section.number(own.name, own.default, own.above, own.minimum)
        units[own.name], least[own.name] = own.unit, max(own.minimum, own.above + SMALLEST)
    section.close()
    live = {
        key: symbols.live(
            f'materials.{name}.{key}', scalar, units[key], f'{key} of material {name}', least[key]
        )
        for key, scalar in constants.items()
    }
    own_values = {own.name: live.pop(own.name) for own in law.constants}
    chosen = f'materials.{name}: {chosen}' if chosen else ''
    material = Material(law.name, **live, **formulas, own=own_values, chosen=chosen)
    for keys, reason in law.faults(material, section.values):
        section.add_fault('.'.join((section.path, *keys)), reason)
    return material


def _law(section: Section) -> tuple[Law, dict[str, Scalar]]:
    """Return the law, and the formulas of a custom one."""
    if not section.is_section('law'):
        known = laws.names()
        name = section.text('law', laws.DEFAULT, known)
        return laws.law_named(name if name in known else laws.DEFAULT), {}
    entry = section.section('law')
    # A law's formulas may name its own variables and constants beside the parameters.
    entry.values = {**section.values, **TRIAL}
    formulas = {'normal': entry.number('normal'), 'tangent': entry.number('tangent', 0.0)}
    entry.close()
    return CUSTOM, formulas


def _stiffness(section: Section, law: Law, bodies: tuple[Body, ...]) -> tuple[Scalar, str]:
    """Return the stiffness, and how it was chosen."""
    if 'stiffness' in section and not section.has_keyword('stiffness', 'auto'):
        section.one_of('stiffness', 'rest_depth')
        return section.number('stiffness', above=0.0), ''
    depth = section.value('rest_depth', _automatic_depth(bodies, section), above=0.0)
    weight = _heaviest(bodies, section)
    if not depth > 0.0:
        return math.nan, ''  # reported already
    try:
        stiffness = law.rest_stiffness(depth, weight)
    except ArithmeticError:
        stiffness = math.inf
    if not stiffness <= LARGEST:
        section.fault('rest_depth', f'no stiffness rests {weight:.4g} N at {depth:.4g} m')
    return stiffness, f'stiffness {stiffness:.4g} rests {weight:.4g} N at {1e3 * depth:.4g} mm'


def _damping(section: Section) -> tuple[Scalar, str]:
    """Return the damping, and how it was chosen."""
    if 'damping' in section:
        for key in ('restitution', 'impact_speed'):
            section.one_of('damping', key)
        return section.number('damping', minimum=0.0), ''
    restitution = section.value('restitution', DEFAULT_RESTITUTION, above=0.0)
    speed = section.value('impact_speed', DEFAULT_IMPACT_SPEED, above=0.0)
    if not (restitution > 0.0 and speed > 0.0):
        return math.nan, ''  # reported already
    if restitution > 1.0:
        section.fault('restitution', f'must be <= 1, got {restitution:g}')
        return math.nan, ''
    damping = damping_for(restitution, speed)
    if not damping <= LARGEST:
        section.fault('restitution', f'no damping gives {restitution:g} at {speed:g} m/s')
    return damping, f'damping {damping:.4g} s/m gives restitution {restitution:g} at {speed:g} m/s'


def _automatic_depth(bodies: tuple[Body, ...], section: Section) -> float:
    sizes = [
        placed.shape.evaluated(section.values).smallest_extent()
        for body in bodies
        for placed in body.shapes
    ]
    finite = [size for size in sizes if size < math.inf]
    return REST_DEPTH * min(finite, default=1.0)


def _heaviest(bodies: tuple[Body, ...], section: Section) -> float:
    """Return the weight of the heaviest body [N]; on a model without gravity, as on Earth."""
    field = [section.values.get(f'gravity.{axis}', 0.0) for axis in 'xyz']
    gravity = math.hypot(*field) or STANDARD_GRAVITY
    masses = evaluate_all(tuple(body.mass for body in bodies), section.values)
    return (max((m for m in masses if m > 0.0), default=1.0)) * gravity


def _pairs(
    section: Section, materials: dict[str, Material], bodies: set[str]
) -> dict[tuple[str, str], str]:
    pairs = {}
    known = tuple(name for name in materials if NAME.match(name))
    for entry in section.items('pairs'):
        names = entry.take('bodies')
        material = entry.text('material', choices=known)
        if not isinstance(names, list | tuple) or len(names) != 2:
            entry.fault('bodies', 'a pair [a, b] of body names is needed')
        else:
            a, b = sorted(map(str, names))
            for name in {a, b} - bodies:
                hint = suggestion(name, bodies, 'bodies are')
                entry.fault('bodies', f'unknown body {shown(name)}; {hint}')
            if a == b or (a, b) in pairs:
                reason = 'touches itself' if a == b else f'and {shown(b)} have a material already'
                entry.fault('bodies', f'{shown(a)} {reason}')
            pairs[a, b] = material
        entry.close()
    return pairs
