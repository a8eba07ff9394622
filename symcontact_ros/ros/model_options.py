"""Parameters of the node that decide how its model is loaded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TYPE_CHECKING

from symcontact_ros.model.load_options import (
    arguments_of,
    pairs_of,
    pose_of,
    positions_of,
    read_all,
    servo_of,
    world_of,
)
from symcontact_ros.model.urdf.mesh_modes import HULL

if TYPE_CHECKING:
    from symcontact_ros.ros.parameters import SimulationParameters


def load_options(settings: SimulationParameters) -> dict[str, Any]:
    """Return the arguments of `load_model`; OptionError for texts that mean nothing."""
    texts: dict[str, tuple[Callable[[Any], Any], Any]] = {
        'servo': (servo_of, settings.servo),
        'initial': (positions_of, settings.initial_positions),
        'exclude': (pairs_of, settings.exclude),
        'arguments': (arguments_of, settings.xacro_arguments),
        'pose': (pose_of, settings.pose),
        'world': (world_of, settings.world),
    }
    return {
        **read_all(texts),
        'base': settings.base,
        'self_collision': settings.self_collision,
        'include_paths': [path for path in settings.include_paths if path],
        'allow_xacro': settings.allow_xacro,
        'meshes': settings.meshes,
    }


def command_line(settings: SimulationParameters) -> list[str]:
    """Return the same as options of the `symcontact` command."""
    words = ['--base', settings.base, '--self-collision', settings.self_collision]
    words += ['--meshes', settings.meshes] if settings.meshes != HULL else []
    for option, text in (('--servo', settings.servo), ('--world', settings.world)):
        words += [option, text] if text else []
    if (pose := pose_of(settings.pose)) is not None:
        words.append(f'--pose={" ".join(map(repr, pose))}')  # its signs are no options
    for option, texts in (
        ('--initial', settings.initial_positions),
        ('--exclude', settings.exclude),
        ('--argument', settings.xacro_arguments),
    ):
        given = [text for text in texts if text]
        words += [option, *given] if given else []
    for path in settings.include_paths:
        words += ['--include-path', path] if path else []
    return [*words, *(['--allow-xacro'] if settings.allow_xacro else [])]
