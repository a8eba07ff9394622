"""Conversion of a URDF or xacro file to the keys of the model file."""

from __future__ import annotations

from collections.abc import Mapping
import math
import os
from pathlib import Path

from symcontact_ros.errors import not_one_of, OptionError, suggestion
from symcontact_ros.expressions import evaluate_all
from symcontact_ros.joints.table import FIXED, JOINT_TYPES, urdf_types
from symcontact_ros.model.urdf.elements import child, children, Element, number, UrdfDescription
from symcontact_ros.model.urdf.file import read_robot
from symcontact_ros.model.urdf.frames import Fields, frame
from symcontact_ros.model.urdf.geometry import inertial, MeshesOfFile, shapes
from symcontact_ros.model.urdf.initial_values import read_initial_values
from symcontact_ros.model.urdf.joint_axes import across, axis_of
from symcontact_ros.model.urdf.joint_limits import limits, resistance
from symcontact_ros.model.urdf.mesh_hulls import can_read_meshes, MeshReader
from symcontact_ros.model.urdf.mesh_modes import mesh_mode, NONE
from symcontact_ros.model.urdf.reports import report
from symcontact_ros.model.urdf.robot_tree import Joint, our_name, read_tree, Tree, WORLD
from symcontact_ros.model.urdf.root_link import freed_link
from symcontact_ros.model.urdf.srdf import read_srdf

BASES = {'fixed': 'fixed', 'free': 'free'}  # joint of the root link


def read_urdf(
    path: Path,
    base: str = 'fixed',
    mappings: Mapping[str, str] | None = None,
    meshes: str | bool = True,
) -> UrdfDescription:
    """
    Return the contents of a URDF, with its faults.

    Physics is not checked here (a moving link may have mass 0), and elements for other tools are
    ignored: visuals, materials, transmissions, Gazebo. What is left out though it matters is a
    warning, what a user may want to know a note. An SRDF beside the file says which links never
    collide.

    Parameters
    ----------
    path
        A ``.urdf``, or a ``.xacro``, which is a program and is run first, in a process of its
        own: pass only what you trust. Lines then are those of the expanded text, and the source
        of the description ends in ``(expanded)``.
    base
        Joint of the root link to the world: ``fixed`` or ``free``. A root link called ``world``
        is the world; then the base is the link below it, and free if its joint is fixed.
    mappings
        Arguments of a xacro file, as in ``name:=value``.
    meshes
        What shapes that are meshes become: `mesh_modes`. False or 'none': they are left out,
        which saves their loading where only the dynamics are needed.

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
        tree = read_tree(description, robot)
        file = Path(os.path.abspath(path))
        with MeshReader() as reader:
            mode = mesh_mode(meshes)
            found = None if mode == NONE else MeshesOfFile(file.parent, reader, mode)
            _read_bodies(description, tree, base, found)
        read_initial_values(description, robot, tree)
        read_srdf(description, tree, file)
        report(description, tree, base)
    description.faults.sort(key=lambda fault: fault.line or 0)
    return description


def _read_bodies(
    description: UrdfDescription, tree: Tree, base: str, meshes: MeshesOfFile | None
) -> None:
    robot = description.data['name']
    if meshes is not None and not can_read_meshes() and (mesh := _first_mesh(tree)) is not None:
        description.warn(mesh, 'bodies', 'meshes are left out: trimesh is not installed')
        meshes = None
    freed = freed_link(description, tree, base)
    still = {WORLD}  # our names of what cannot move
    for name in tree.order:
        link = tree.links[name]
        if tree.is_world(name):
            continue
        if link.name == WORLD:
            reason = f'{WORLD!r} is the inertial frame: only the root link may have this name'
            description.refuse(link.element, link.path, reason)
        fields = _attachment(description, tree, name, base, freed)
        joint = fields['joint']
        if joint['type'] == FIXED and joint.get('parent', WORLD) in still:
            still.add(link.name)
        is_still = link.name in still
        description.data['bodies'][link.name] = {
            'robot': robot,
            **inertial(description, link.element, link.path),
            'shapes': shapes(description, link.element, f'{link.path}.shapes', meshes, is_still),
            **fields,
        }


def _attachment(
    description: UrdfDescription, tree: Tree, name: str, base: str, freed: str | None
) -> Fields:
    """Return ``joint`` of a link, and ``initial`` where its place is given by it."""
    joint = tree.joints.get(name)
    path = f'{tree.links[name].path}.joint'
    if joint is None:
        return {'joint': {'type': FIXED if name == WORLD else BASES[base]}}
    if name == freed:
        place = frame(description, joint.element, f'{tree.links[name].path}.initial')
        description.mark(f'{path}.type', joint.element)
        return {'joint': {'name': joint.name, 'type': BASES['free']}, 'initial': place}
    return {'joint': _joint(description, joint, tree, path)}


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
    fields: Fields = {
        'name': joint.name,
        'type': kind.name,
        'parent': _parent_name(joint, tree),
        'origin': frame(description, element, f'{path}.origin', position='xyz'),
    }
    if kind.has_axis:
        fields['axis'] = axis_of(description, joint, path)
    if kind.is_single:
        fields['armature'] = 'auto'
        fields.update(resistance(description, joint, path))
        fields.update(limits(description, joint, kind, f'{path}.limits'))
        if (mimic := child(element, 'mimic')) is not None:
            fields['mimic'] = _mimic(description, mimic, tree, f'{path}.mimic')
    elif not kind.is_fixed:
        _report_left_out(description, joint, path)
    if kind.urdf_axis is None:
        return fields
    axis, wanted = axis_of(description, joint, path), evaluate_all(kind.urdf_axis, {})
    return fields if math.dist(axis, wanted) < 1e-9 else across(description, fields, axis, path)


def _mimic(description: UrdfDescription, mimic: Element, tree: Tree, path: str) -> Fields:
    """Return the leader, multiplier and offset of a joint that follows another one."""
    names = {joint.element.get('name').strip(): joint.name for joint in tree.joints.values()}
    leader = mimic.get('joint', '').strip()
    description.mark(path, mimic)
    return {
        'joint': names.get(leader, leader),
        'multiplier': number(description, mimic, 'multiplier', f'{path}.multiplier', default=1.0),
        'offset': number(description, mimic, 'offset', f'{path}.offset', default=0.0),
    }


def _parent_name(joint: Joint, tree: Tree) -> str:
    if joint.parent is None or tree.is_world(joint.parent):
        return WORLD
    return tree.links[joint.parent].name


def _report_left_out(description: UrdfDescription, joint: Joint, path: str) -> None:
    for tag in ('limit', 'dynamics', 'mimic'):
        element = child(joint.element, tag)
        if element is not None and element.attrib:
            text = f'<{tag}> of a {joint.element.get("type")} joint is left out'
            description.warn(element, path, text)
