"""Conversion of a URDF or xacro file to the keys of the model file."""

from __future__ import annotations

from collections.abc import Mapping
import math
import os
from pathlib import Path

from symcontact_ros.errors import not_one_of, OptionError, suggestion
from symcontact_ros.expressions import evaluate_all
from symcontact_ros.joints.base import JointType
from symcontact_ros.joints.table import FIXED, JOINT_TYPES, urdf_types
from symcontact_ros.model.urdf.elements import child, children, number, numbers, UrdfDescription
from symcontact_ros.model.urdf.file import read_robot
from symcontact_ros.model.urdf.geometry import Fields, frame, inertial, shapes
from symcontact_ros.model.urdf.mesh_hulls import can_read_meshes
from symcontact_ros.model.urdf.robot_tree import Joint, Link, our_name, read_tree, Tree
from symcontact_ros.placements import Triple

BASES = {'fixed': 'fixed', 'free': 'free'}  # joint of the root link
WORLD = 'world'  # our name of the inertial frame, and by convention a root link's


def read_urdf(
    path: Path,
    base: str = 'fixed',
    prefix: str = '',
    mappings: Mapping[str, str] | None = None,
    meshes: bool = True,
) -> UrdfDescription:
    """
    Return the contents of a URDF, with its faults.

    Physics is not checked here (a moving link may have mass 0), and elements for other tools are
    ignored: visuals, materials, transmissions, Gazebo, ros2_control, limits of speed and
    effort.

    Parameters
    ----------
    path
        A ``.urdf``, or a ``.xacro``, which is expanded first. xacro evaluates the ``${...}`` of
        such a file as Python expressions: pass only what you trust. Lines then are those of the
        expanded text, and the source of the description ends in ``(expanded)``.
    base
        Joint of the root link to the world: ``fixed`` or ``free``. A root link called ``world``,
        without inertia and shapes, is the world.
    prefix
        Prefix of the name of every body and joint.
    mappings
        Arguments of a xacro file, as in ``name:=value``.
    meshes
        False: shapes that are meshes are left out, which saves their loading where only the
        dynamics are needed.

    Raises
    ------
    MissingPackageError
        lxml, or for a ``.xacro`` xacro, is not installed.
    OptionError
        ``base`` is neither ``fixed`` nor ``free``.

    """
    if base not in BASES:
        raise OptionError(not_one_of('base', BASES, base))
    path = Path(path)
    description = UrdfDescription(
        str(path),
        {
            'format_version': 1,
            'name': our_name(path.name.partition('.')[0]),
            'dimension': 3,
            'gravity': [0.0, 0.0, -9.81],
            'bodies': {},
        },
    )
    robot = read_robot(description, path, mappings)
    if robot is not None:
        if robot.get('name'):
            description.data['name'] = our_name(robot.get('name'))
        for key in ('name', 'bodies'):
            description.mark(key, robot)
        tree = read_tree(description, robot, prefix)
        folder = Path(os.path.abspath(path)).parent
        own = our_name(f'{prefix}{description.data["name"]}')
        _read_bodies(description, tree, base, folder if meshes else None, own)
    description.faults.sort(key=lambda fault: fault.line or 0)
    return description


def _read_bodies(
    description: UrdfDescription, tree: Tree, base: str, folder: Path | None, robot: str
) -> None:
    if folder is not None and not can_read_meshes() and (mesh := _first_mesh(tree)) is not None:
        description.warn(mesh, 'bodies', 'meshes are left out: trimesh is not installed')
        folder = None
    for name in tree.order:
        link = tree.links[name]
        if name == WORLD and name in tree.roots:
            _check_world(description, link, base)
            continue
        if link.name == WORLD:
            reason = f'{WORLD!r} is the inertial frame: only the root link may have this name'
            description.refuse(link.element, link.path, reason)
        joint = tree.joints.get(name)
        description.data['bodies'][link.name] = {
            'robot': robot,
            **inertial(description, link.element, link.path),
            'shapes': shapes(description, link.element, f'{link.path}.shapes', folder),
            'joint': {'type': BASES[base]}
            if joint is None
            else _joint(description, joint, tree, f'{link.path}.joint'),
        }


def _first_mesh(tree: Tree) -> object | None:
    return next(
        (
            mesh
            for name in tree.order
            for collision in children(tree.links[name].element, 'collision')
            for geometry in children(collision, 'geometry')
            for mesh in children(geometry, 'mesh')
        ),
        None,
    )


def _check_world(description: UrdfDescription, link: Link, base: str) -> None:
    description.names.pop(WORLD, None)  # it keeps its name, with any prefix
    if base == 'free':
        reason = f'the root link {WORLD!r} is the inertial frame: its base cannot be free'
        description.refuse(link.element, link.path, reason)
    for tag in ('inertial', 'collision'):
        element = child(link.element, tag)
        if element is not None:
            reason = f'the root link {WORLD!r} is the inertial frame: it has no <{tag}>; rename it'
            description.refuse(element, link.path, reason)


def _joint(description: UrdfDescription, joint: Joint, tree: Tree, path: str) -> Fields:
    element = joint.element
    for key in ('name', 'type', 'origin'):
        description.mark(f'{path}.{key}', element)
    given = element.get('type', '')
    types = urdf_types()
    kind = types.get(given, JOINT_TYPES[FIXED])
    if given not in types:
        hint = suggestion(given, types, 'types are')
        reason = f'<joint type="{given}"> is unknown; {hint}'
        description.refuse(element, f'{path}.type', reason)
    mimic = child(element, 'mimic')
    if mimic is not None:
        reason = (
            f'joint {element.get("name")!r} mimics {mimic.get("joint", "")!r}: not supported; '
            'remove <mimic> or make it fixed'
        )
        description.refuse(mimic, path, reason)
    fields: Fields = {
        'name': joint.name,
        'type': kind.name,
        'parent': _parent_name(joint, tree),
        'origin': frame(description, element, f'{path}.origin', position='xyz'),
    }
    if kind.has_axis:
        fields['axis'] = _axis(description, joint, path)
    elif kind.urdf_axis is not None:
        _check_axis(description, joint, kind.urdf_axis, path)
    if kind.is_single:
        fields.update(_resistance(description, joint, path))
        if given != kind.urdf_unlimited:
            fields['limits'] = _limits(description, joint, kind, f'{path}.limits')
    return fields


def _parent_name(joint: Joint, tree: Tree) -> str:
    if joint.parent is None or (joint.parent == WORLD and joint.parent in tree.roots):
        return WORLD
    return tree.links[joint.parent].name


def _axis(description: UrdfDescription, joint: Joint, path: str) -> list[float]:
    """Return the unit axis in the frame of the joint; URDF's default is x."""
    default = (1.0, 0.0, 0.0)
    element = child(joint.element, 'axis')
    axis = numbers(description, element, 'xyz', f'{path}.axis', default=default)
    largest = max(map(abs, axis))
    if largest == 0.0:
        description.refuse(element, f'{path}.axis', '<axis xyz="0 0 0"> has no direction')
        return list(default)
    axis = [component / largest for component in axis]  # tiny components square to 0 otherwise
    length = math.hypot(*axis)
    return [component / length + 0.0 for component in axis]  # + 0.0: no negative zeros


def _check_axis(description: UrdfDescription, joint: Joint, supported: Triple, path: str) -> None:
    before = len(description.faults)
    axis = _axis(description, joint, path)
    if math.dist(axis, evaluate_all(supported, {})) > 1e-9 and len(description.faults) == before:
        given, needed = (' '.join(f'{x:g}' for x in triple) for triple in (axis, supported))
        reason = (
            f'{joint.element.get("type")} joint {joint.element.get("name")!r} has the axis '
            f'({given}); only <axis xyz="{needed}"> is supported: turn its <origin>'
        )
        description.fault(f'{path}.axis', reason)


def _resistance(description: UrdfDescription, joint: Joint, path: str) -> dict[str, float]:
    element = child(joint.element, 'dynamics')
    if element is None:
        return {}
    return {
        key: number(description, element, key, f'{path}.{key}', minimum=0.0)
        for key in ('damping', 'friction')
        if element.get(key) is not None
    }


def _limits(
    description: UrdfDescription, joint: Joint, kind: JointType, path: str
) -> dict[str, float]:
    """Return the range of the position [rad or m]; URDF's default for either end is 0."""
    element = child(joint.element, 'limit')
    if element is None:
        hint = f'; a joint without is `{kind.urdf_unlimited}`' if kind.urdf_unlimited else ''
        what = f'{joint.element.get("type")} joint {joint.element.get("name")!r}'
        reason = f'{what} needs <limit lower="" upper="">{hint}'
        description.refuse(joint.element, path, reason)
        return {'lower': 0.0, 'upper': 0.0}
    description.mark(path, element)
    if element.get('lower') is None and element.get('upper') is None:
        description.warn(element, path, '<limit> has no `lower` and `upper`: both are 0 in URDF')
    return {
        key: number(description, element, key, f'{path}.{key}', default=0.0)
        for key in ('lower', 'upper')
    }
