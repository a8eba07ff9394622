"""The root link of a URDF: fixed in the world, free, or the world itself."""

from __future__ import annotations

from symcontact_ros.joints.table import urdf_types
from symcontact_ros.model.urdf.elements import UrdfDescription
from symcontact_ros.model.urdf.robot_tree import Tree, WORLD


def freed_link(description: UrdfDescription, tree: Tree, base: str) -> str | None:
    """
    Return the link below the root link ``world`` that a free base is, with its fixed joint free.

    None where the root link itself is the base, where it is fixed, or where nothing can be freed,
    which is a fault.
    """
    if base != 'free' or WORLD not in tree.roots:
        return None
    below = [name for name, joint in tree.joints.items() if joint.parent == WORLD]
    kinds = [str(tree.joints[name].element.get('type')) for name in below]
    if kinds == ['floating']:
        return None
    world = tree.links[WORLD]
    if kinds == ['fixed']:
        element = tree.joints[below[0]].element
        name = str(element.get('name')).strip()
        description.freed.append(name)
        text = f'free: its joint {name!r} to the root link {WORLD!r} is fixed in the file'
        description.note(element, tree.links[below[0]].path, text)
        return below[0]
    what = f'of type {kinds[0]!r}' if len(kinds) == 1 else f'one of {len(kinds)}'
    reason = (
        f'the root link {WORLD!r} is the inertial frame, and the joint below it is {what}: '
        'only a single fixed joint can be made free; use base: fixed'
    )
    description.refuse(world.element, world.path, reason)
    return None


def report_fixed_base(description: UrdfDescription, tree: Tree) -> None:
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
            'base: free lets it move'
        )
        description.note(root.element, root.path, text)
