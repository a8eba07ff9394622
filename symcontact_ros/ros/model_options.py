"""Parameters of the node that decide how its model is loaded."""

from __future__ import annotations

from typing import Any, TYPE_CHECKING

from symcontact_ros.model.load_options import (
    arguments_of,
    pairs_of,
    pose_of,
    positions_of,
    servo_of,
)

if TYPE_CHECKING:
    from symcontact_ros.ros.parameters import SimulationParameters


def load_options(settings: SimulationParameters) -> dict[str, Any]:
    """Return the arguments of `load_model`; OptionError for texts that mean nothing."""
    return {
        'base': settings.base,
        'servo': servo_of(settings.servo),
        'initial': positions_of(settings.initial_positions) or None,
        'self_collision': settings.self_collision,
        'exclude': pairs_of(settings.exclude),
        'arguments': arguments_of(settings.xacro_arguments) or None,
        'include_paths': [path for path in settings.include_paths if path],
        'allow_xacro': settings.allow_xacro,
        'world': settings.world or None,
        'pose': pose_of(settings.pose),
    }


def command_line(settings: SimulationParameters) -> list[str]:
    """Return the same as options of the `symcontact` command."""
    words = ['--base', settings.base, '--self-collision', settings.self_collision]
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
