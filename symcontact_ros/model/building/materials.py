"""Materials of a description: constants given, or chosen from rest depth and restitution."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
import math
from typing import NamedTuple

from symcontact_ros.contact import laws
from symcontact_ros.contact.base import Law
from symcontact_ros.contact.constants import damping_for
from symcontact_ros.contact.custom import CUSTOM, OF_FRICTION, TRIAL
from symcontact_ros.contact.material import Material
from symcontact_ros.errors import shown
from symcontact_ros.expressions import Scalar
from symcontact_ros.model.building.chosen_stiffness import ChosenStiffness
from symcontact_ros.model.building.frictions import limit_static_friction, read_friction
from symcontact_ros.model.building.live_symbols import SMALLEST, Symbols
from symcontact_ros.model.building.pair_loads import Loads
from symcontact_ros.model.building.pair_materials import read_pair_materials
from symcontact_ros.model.building.reader import LARGEST, NAME, NOT_A_NAME, Section
from symcontact_ros.model.pair_rules import NamePair

DEFAULT = 'default'
DEFAULT_RESTITUTION = 0.5
DEFAULT_IMPACT_SPEED = 1.0  # [m/s]
Chooser = Callable[[Law, float], ChosenStiffness]  # of a law and a rest depth [m], 0: none given


class Materials(NamedTuple):
    """Materials of a model, and which pair of bodies has which."""

    by_name: dict[str, Material]  # always with a default
    of_pairs: dict[NamePair, str]  # of pairs without an entry: the default
    # Stiffness of a pair over that of its material, where it was chosen and they differ.
    ratios: dict[NamePair, float]


def build_materials(
    section: Section, symbols: Symbols, pairs: Sequence[NamePair], loads: Loads
) -> Materials:
    """Return the materials of the pairs that may touch."""
    names = [name for name in section.names() if name != 'pairs']
    all_names = tuple(dict.fromkeys([*names, DEFAULT]))
    for name in names:
        if not NAME.match(name):
            section.fault(name, f'{shown(name)} {NOT_A_NAME}')
    known = tuple(name for name in all_names if NAME.match(name))
    of_pairs = read_pair_materials(section, known, pairs, loads.names)
    by_name: dict[str, Material] = {}
    ratios: dict[NamePair, float] = {}
    for name in all_names:
        own = [pair for pair in pairs if of_pairs.get(pair, DEFAULT) == name]
        choose = partial(_chosen, own, loads)
        by_name[name], other = _material(name, section.section(name), symbols, choose)
        ratios |= other
    section.close()
    return Materials(by_name, of_pairs, ratios)


def _chosen(pairs: Sequence[NamePair], loads: Loads, law: Law, depth: float) -> ChosenStiffness:
    return ChosenStiffness(law, [loads.load(pair) for pair in pairs], loads.default, depth)


def _material(
    name: str, section: Section, symbols: Symbols, choose: Chooser
) -> tuple[Material, dict[NamePair, float]]:
    law, formulas = _law(section)
    stiffness, resting, ratios = _stiffness(section, law, choose)
    damping, bouncing = _damping(section)
    chosen = '; '.join(filter(None, (resting, bouncing)))
    constants: dict[str, Scalar] = {
        'stiffness': stiffness,
        'damping': damping,
    }
    units = {'stiffness': law.stiffness_unit, 'damping': 's/m'}
    least = {'stiffness': SMALLEST, 'damping': 0.0}
    for key, constant in read_friction(section, law).items():
        constants[key], units[key], least[key] = constant
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
    if 'static_friction' in live:
        limit_static_friction(section, live['static_friction'], live['friction'])
    own_values = {own.name: live.pop(own.name) for own in law.constants}
    chosen = f'materials.{name}: {chosen}' if chosen else ''
    material = Material(law.name, **live, **formulas, own=own_values, chosen=chosen)
    for keys, reason in law.faults(material, section.values):
        section.add_fault('.'.join((section.path, *keys)), reason)
    return material, ratios


def _law(section: Section) -> tuple[Law, dict[str, Scalar]]:
    """Return the law, and the formulas of a custom one."""
    if not section.is_section('law'):
        known = laws.names()
        name = section.text('law', laws.DEFAULT, known)
        return laws.law_named(name if name in known else laws.DEFAULT), {}
    entry = section.section('law')
    # A law's formulas may name its own variables and constants beside the parameters.
    own = {name: value for name, value in TRIAL.items() if name not in OF_FRICTION}
    entry.values = {**section.values, **own}
    normal = entry.number('normal')
    entry.values = {**section.values, **TRIAL}
    formulas = {'normal': normal, 'tangent': entry.number('tangent', 0.0)}
    entry.close()
    return CUSTOM, formulas


def _stiffness(
    section: Section, law: Law, choose: Chooser
) -> tuple[Scalar, str, dict[NamePair, float]]:
    """Return the stiffness, how it was chosen, and the ratios of pairs that have another."""
    given = section.section('stiffness') if section.is_section('stiffness') else None
    if 'stiffness' in section and given is None and not section.has_keyword('stiffness', 'auto'):
        section.one_of('stiffness', 'rest_depth')
        return section.number('stiffness', above=0.0), '', {}
    depth = section.value('rest_depth', 0.0, above=0.0)
    chosen = choose(law, depth)
    stiffness = chosen.value
    if given is not None:  # the ratios are chosen, the value is not
        stiffness = given.value('auto', math.nan, above=0.0)
        given.close()
    if fault := chosen.fault():
        section.fault('rest_depth', fault)
    if fault or math.isnan(chosen.value):
        return math.nan, '', {}
    return stiffness, chosen.explanation(), chosen.ratios()


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
