"""Options of the command line that decide how a model is loaded."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
import re
from typing import Any

from symcontact_ros.errors import OptionError
from symcontact_ros.model.load_options import (
    arguments_of,
    pairs_of,
    pose_of,
    positions_of,
    read_all,
    servo_of,
    world_of,
)
from symcontact_ros.model.self_collision import MODES, SAFE
from symcontact_ros.model.urdf.mesh_modes import HULL, MESHES

POSE = '--pose'
_NUMBERS = re.compile(r'(?=.*\d)[-+.,\s\d\[\]eE]+\Z')
_SPACE = re.compile(r'[\s,]+')


def add_model_options(command: argparse.ArgumentParser) -> None:
    """Add the group of options that `load_options` reads."""
    group = command.add_argument_group(
        'robots and worlds',
        'For robots of URDF or xacro files; for model files where it makes sense. '
        'Names of joints and bodies may be globs: docs/robots.md has examples.',
    )
    add = group.add_argument
    add(
        '--base',
        choices=('fixed', 'free'),
        default='fixed',
        help='joint of the root of a URDF to the world (default: fixed)',
    )
    add('--world', metavar='NAME', help='floor, table_top, ramp, shelf, hills, or a model file')
    add(
        POSE,
        type=_pose,
        metavar='X Y Z ROLL PITCH YAW',
        help='place of the model [m, rad], six words or one; default in a world: a free base '
        'stands on its surface, a fixed one is raised where moving links would be in it',
    )
    add(
        '--servo',
        metavar='TEXT',
        help='hold joints where they start: auto, or YAML such as "{kp: 100, kd: 10}" or '
        '"{finger*: auto}"',
    )
    add(
        '--initial',
        nargs='+',
        action='extend',
        metavar='JOINT=Q',
        help='positions of joints at the start [rad or m]',
    )
    add(
        '--self-collision',
        choices=MODES,
        default=SAFE,
        help='bodies of a robot that may touch each other: safe (default) leaves out those that '
        'overlap at the start',
    )
    add(
        '--exclude',
        nargs='+',
        action='extend',
        metavar='A,B',
        help='pairs of bodies that never touch',
    )
    add(
        '--argument',
        nargs='+',
        action='extend',
        metavar='NAME:=VALUE',
        help='arguments of a xacro file',
    )
    add(
        '--meshes',
        choices=MESHES,
        default=HULL,
        help='what collision meshes become: hull (default), decompose (convex pieces; needs '
        'coacd), exact (as they are, of links that cannot move), none',
    )
    add(
        '--include-path',
        action='append',
        metavar='FOLDER',
        help='folder in which the model may include files, beside its own',
    )
    add(
        '--allow-xacro',
        action='store_true',
        help='let the model include xacro files, which are programs',
    )


def joined_pose(words: Sequence[str]) -> list[str]:
    """Return a command line with the numbers after ``--pose`` as one word with it."""
    joined: list[str] = []
    for word in words:
        # Number by number: `-1e-3` by itself looks like an option.
        last = joined[-1] if joined else ''
        is_open = last == POSE or last.startswith(f'{POSE}=')
        if is_open and _NUMBERS.match(word) and len(_SPACE.split(last)) < 6:
            joined[-1] = f'{last} {word}' if '=' in last else f'{last}={word}'
        else:
            joined.append(word)
    return joined


def _pose(text: str) -> list[float] | None:
    try:
        return pose_of(text)
    except OptionError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def load_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of `load_model`."""
    texts: dict[str, tuple[Callable[[Any], Any], Any]] = {
        'servo': (servo_of, options.servo or ''),
        'initial': (positions_of, options.initial or ()),
        'exclude': (pairs_of, options.exclude or ()),
        'arguments': (arguments_of, options.argument or ()),
        'world': (world_of, options.world or ''),
    }
    return {
        **read_all(texts),
        'base': options.base,
        'self_collision': options.self_collision,
        'include_paths': options.include_path or [],
        'allow_xacro': options.allow_xacro,
        'meshes': options.meshes,
        'pose': options.pose,
    }


def node_parameters(options: argparse.Namespace) -> dict[str, object]:
    """Return the options that were given as parameters of the node."""
    given: dict[str, object] = {
        'world': options.world,
        'servo': options.servo,
        'initial_positions': options.initial,
        'exclude': [f'{a}/{b}' for a, b in pairs_of(options.exclude or ())],
        'xacro_arguments': options.argument,
        'include_paths': options.include_path,
        'pose': options.pose and ' '.join(map(repr, options.pose)),
        'allow_xacro': options.allow_xacro,
    }
    changed: dict[str, object] = {name: value for name, value in given.items() if value}
    if options.base != 'fixed':
        changed['base'] = options.base
    if options.meshes != HULL:
        changed['meshes'] = options.meshes
    if options.self_collision != SAFE:
        changed['self_collision'] = options.self_collision
    return changed
