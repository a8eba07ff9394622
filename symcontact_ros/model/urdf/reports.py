"""Reports on a whole URDF file, in a line each: notes, and warnings of many joints."""

from __future__ import annotations

from symcontact_ros.errors import counted
from symcontact_ros.joints.table import urdf_types
from symcontact_ros.model.urdf.elements import child, UrdfDescription
from symcontact_ros.model.urdf.mesh_reading import MAXIMUM_VERTICES
from symcontact_ros.model.urdf.number_texts import read_number
from symcontact_ros.model.urdf.robot_tree import Tree, WORLD

MOST_NAMES = 6  # in a message


def report(description: UrdfDescription, tree: Tree, base: str) -> None:
    """Add the notes and warnings of a file whose bodies have been read."""
    _report_no_strength(description, tree)
    _report_contact(description, tree)
    _report_hulls(description)
    if base == 'fixed':
        _report_fixed_base(description, tree)


def _report_no_strength(description: UrdfDescription, tree: Tree) -> None:
    """Warn of the joints with ``effort="0"`` or ``velocity="0"``, which here is no limit."""
    for key in ('effort', 'velocity'):
        weak = [
            joint.element
            for joint in tree.joints.values()
            if joint.element.get('type') != 'fixed'
            and (element := child(joint.element, 'limit')) is not None
            and _is_zero(element.get(key))
        ]
        if weak:
            names = [str(element.get('name')) for element in weak[:MOST_NAMES]]
            more = [f'and {len(weak) - MOST_NAMES} more'] if len(weak) > MOST_NAMES else []
            text = f'<limit {key}="0"> is read as no limit: {", ".join([*names, *more])}'
            description.warn(weak[0], 'bodies', text)


def _is_zero(text: str | None) -> bool:
    try:
        return text is not None and read_number(text)[0] == 0.0
    except ValueError:
        return False


def _report_contact(description: UrdfDescription, tree: Tree) -> None:
    """Note the ``<contact>`` of Bullet, which here is said for pairs of bodies."""
    found = [link for link in tree.links.values() if child(link.element, 'contact') is not None]
    if found:
        links = counted(len(found), 'link')
        text = f'<contact> of {links} is not read: friction is given by `materials`'
        description.note(found[0].element, 'bodies', text)


def _report_hulls(description: UrdfDescription) -> None:
    """Note the hulls that do not have all corners of their meshes."""
    gaps = description.hull_gaps
    if gaps:
        path = max(gaps, key=lambda path: gaps[path])
        what = (
            'the hull of 1 mesh has' if len(gaps) == 1 else f'the hulls of {len(gaps)} meshes have'
        )
        text = (
            f'{what} been simplified to {MAXIMUM_VERTICES} vertices: this one lies up to '
            f'{1e3 * gaps[path]:.2g} mm inside the mesh, others less'
        )
        description.add_note(path, text)


def _report_fixed_base(description: UrdfDescription, tree: Tree) -> None:
    """Note that a base with a mass is fixed although the file does not say so."""
    if not tree.roots or WORLD in tree.roots:
        return
    root = tree.links[tree.roots[0]]
    fixed = [kind for kind, joint in urdf_types().items() if joint.is_fixed]
    welded = {tree.roots[0]}
    for name in tree.order:
        joint = tree.joints.get(name)
        if joint is not None and joint.parent in welded and joint.element.get('type') in fixed:
            welded.add(name)
    bodies = description.data['bodies']
    mass = sum(bodies[tree.links[name].name]['mass'] for name in welded)
    if mass > 0.0:
        text = (
            f'the base, {mass:g} kg, is fixed in the world, though nothing in the file says so: '
            '`base: free` (--base free) lets it move'
        )
        description.note(root.element, root.path, text)
