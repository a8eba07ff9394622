"""A model file becomes a Model: sections in, dataclasses out, all faults in one ModelError."""

from __future__ import annotations

from collections.abc import Callable, Mapping
import math
from pathlib import Path
from typing import cast

from symcontact_ros.errors import ModelError
from symcontact_ros.model.model import Body, InitialState, Material, Model, Triple
from symcontact_ros.model.reader import Document, parameter_values, Section
from symcontact_ros.model.shapes import Circle, HalfSpace, Shape

FORMAT_VERSION = 1
ORIGIN = (0.0, 0.0, 0.0)


def load_yaml(path: Path, parameters: Mapping[str, float] | None = None) -> Model:
    """Return the model of a file; ``parameters`` replaces values of its ``parameters:``."""
    document = Document(path)
    root = document.root()
    document.values = parameter_values(root.section('parameters'), parameters or {})
    fields = _fields(root, path.stem)
    root.close()
    if document.faults:
        raise ModelError(sorted(document.faults, key=lambda fault: fault.line or 0))
    try:
        return Model(**fields, parameters=document.values)  # type: ignore[arg-type]
    except ModelError as error:
        for fault in error.faults:
            document.fault(None, fault.key, fault.reason)
        raise ModelError(document.faults) from None


def _fields(root: Section, default_name: str) -> dict[str, object]:
    version = root.number('format_version', FORMAT_VERSION)
    if version != FORMAT_VERSION:
        root.fault('format_version', f'must be {FORMAT_VERSION}, got {version:g}')
    if root.number('dimension', 2) != 2:
        root.fault('dimension', 'must be 2: planar models are what this version simulates')
    everything = 'collide' not in root or root.says('collide', 'all')
    return {
        'name': root.text('name', default_name),
        'gravity': _triple(root, 'gravity'),
        'material': _material(root.section('materials')),
        'bodies': tuple(_body(n, section) for n, section in root.named_sections('bodies').items()),
        'collide': None if everything else tuple(root.name_pairs('collide')),
        'duration': root.number('duration', 5.0, above=0.0),
    }


def _triple(section: Section, key: str) -> Triple:
    return cast(Triple, section.numbers(key, 3, ORIGIN))


def _material(materials: Section) -> Material:
    section = materials.section('default')
    materials.close()
    section.text('law', 'elastic_plastic', choices=('elastic_plastic',))
    material = Material(
        stiffness=section.number('stiffness', above=0.0),
        damping=section.number('damping', minimum=0.0),
        friction=section.number('friction', minimum=0.0),
        slip_speed=section.number('slip_speed', above=0.0),
    )
    section.close()
    return material


def _body(name: str, section: Section) -> Body:
    fixed = section.flag('fixed', False)
    shapes = tuple(shape for item in section.items('shapes') if (shape := _shape(item)))
    if fixed:
        body = Body(name, shapes, fixed=True, initial=_initial(section))
        section.close()
        return body
    mass = section.number('mass', above=0.0)
    com = _triple(section, 'com')
    joint = section.section('joint')
    joint.text('type', 'planar', choices=('planar',))
    joint.close()
    body = Body(
        name,
        shapes,
        mass=mass,
        inertia=_inertia(section, mass, com, shapes),
        com=com,
        initial=_initial(section),
    )
    if any(isinstance(shape, HalfSpace) for shape in shapes):
        section.fault('shapes', 'a half_space fills half the world: its body must be fixed')
    section.close()
    return body


def _inertia(section: Section, mass: float, com: Triple, shapes: tuple[Shape, ...]) -> float:
    """Return izz about the centre of mass [kg m^2]: given, or of a disc of uniform density."""
    if 'inertia' in section and not section.says('inertia', 'auto'):
        inertia = section.section('inertia')
        izz = inertia.number('izz', above=0.0)
        inertia.close()
        return izz
    discs = [shape for shape in shapes if isinstance(shape, Circle)]
    if len(discs) != 1 or len(shapes) != 1:
        section.fault('inertia', '`auto` needs one circle; give `inertia: {izz: ...}`')
        return float('nan')
    return mass * (discs[0].unit_inertia() + math.dist(discs[0].centre, com[:2]) ** 2)


def _shape(section: Section) -> Shape | None:
    """Return a shape, or None with a fault noted."""
    known_faults = len(section.document.faults)
    kind = section.text('type', choices=tuple(_SHAPES))
    if kind not in _SHAPES:
        return None
    build, arguments = _SHAPES[kind](section)
    section.close()
    if len(section.document.faults) > known_faults:
        return None
    try:
        return build(*arguments)
    except ValueError as error:
        section.fault('', str(error))
        return None


def _circle(section: Section) -> tuple[Callable[..., Shape], tuple[object, ...]]:
    pose = section.section('pose')
    centre = pose.numbers('position', 3, ORIGIN)[:2]
    pose.number('angle', 0.0)  # a circle looks the same at every angle
    pose.close()
    return Circle, (section.number('radius', above=0.0), centre)


def _half_space(section: Section) -> tuple[Callable[..., Shape], tuple[object, ...]]:
    normal = section.numbers('normal', 3, (0.0, 1.0, 0.0))
    return HalfSpace, (normal, section.number('offset', 0.0))


_SHAPES = {'circle': _circle, 'half_space': _half_space}


def _initial(section: Section) -> InitialState:
    initial = section.section('initial')
    state = InitialState(
        position=_triple(initial, 'position'),
        angle=initial.number('angle', 0.0),
        velocity=_triple(initial, 'velocity'),
        angular_velocity=initial.number('angular_velocity', 0.0),
    )
    initial.close()
    return state
