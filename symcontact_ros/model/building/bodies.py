"""Reading of a body: joint, mass, inertia, shapes, sites and initial state."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
import math
from typing import cast

from symcontact_ros.expressions import Formula, Scalar
from symcontact_ros.joints.initial import Initial
from symcontact_ros.model.building.inertias import build_com_and_inertia
from symcontact_ros.model.building.joints import build_joint, check_structural
from symcontact_ros.model.building.live_symbols import SMALLEST, Symbols
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.building.shapes import build_placement, build_rotation, build_shapes
from symcontact_ros.model.parts import Body, Joint
from symcontact_ros.placements import Placement, Triple

# Of all types of joints together.
INITIAL_KEYS = ('position', 'angle', 'rpy', 'quaternion', 'velocity', 'angular_velocity')


def build_body(name: str, section: Section, dimension: int, symbols: Symbols) -> Body:
    """Return a body; numbers with a fault are NaN."""
    fixed = section.flag('fixed', False)
    joint, is_known = build_joint(name, section, dimension, fixed, symbols)
    shapes = build_shapes(section, dimension)
    mass = _mass(name, section, joint, symbols)
    com, inertia = build_com_and_inertia(section, dimension, mass, shapes)
    sites = _sites(section, dimension)
    if is_known:
        initial, joint = _initial(section, joint, dimension)
    else:
        initial = _unknown_initial(section)
    robot = section.name('robot', '')
    section.close()
    return Body(name, joint, mass, com, inertia, shapes, sites, initial, robot)


def _sites(section: Section, dimension: int) -> dict[str, Placement]:
    sites = {}
    for name, entry in section.named_sections('sites').items():
        sites[name] = build_placement(entry, dimension)
        entry.close()
    return sites


def _mass(name: str, section: Section, joint: Joint, symbols: Symbols) -> Scalar:
    if 'mass' not in section:
        section.take('mass')
        if not joint.kind.is_fixed:
            section.fault('mass', 'is missing: a number is needed')
            return math.nan
        return 0.0
    mass = section.number('mass', minimum=0.0)
    if mass == 0.0:
        return 0.0  # structure, not a value: such a body adds nothing to the equations
    if not isinstance(mass, Formula) and not mass > 0.0:
        return mass
    return symbols.live(f'{name}.mass', mass, 'kg', f'mass of {name}', SMALLEST)


def _initial(section: Section, joint: Joint, dimension: int) -> tuple[Initial, Joint]:
    """Return the initial state; of a fixed body it becomes the origin of the joint."""
    entry = section.section('initial')
    initial = joint.kind.read_initial(entry, dimension, partial(build_rotation, entry))
    entry.close()
    if not joint.kind.is_fixed:
        return replace(initial, is_given='initial' in section), joint
    return Initial(), _moved(
        section, joint, Placement(cast(Triple, initial.position), initial.rotation)
    )


def _unknown_initial(section: Section) -> Initial:
    """Check what does not depend on the type of the joint, which is not known."""
    entry = section.section('initial')
    entry.check_numbers(*INITIAL_KEYS)
    entry.close()
    return Initial()


def _moved(section: Section, joint: Joint, place: Placement) -> Joint:
    """Return the joint of a fixed body, moved to ``initial``."""
    if 'initial' not in section:
        return joint
    if joint.origin != Placement():
        section.fault(
            'initial',
            'a fixed body has `initial` or `joint: {origin: ..}`, not both',
        )
    check_structural(place.rotation, section, 'initial')
    return replace(joint, origin=place)
