"""The root link of a URDF: fixed in the world, free, or the world itself."""

from __future__ import annotations

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
