"""Declaration of launch arguments, and the actions that use them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from launch import LaunchContext
from launch.actions import DeclareLaunchArgument, OpaqueFunction

from symcontact_ros.launching.arguments import Argument


@dataclass(frozen=True)
class Texts:
    """Arguments of a launch, as texts."""

    all: dict[str, str]  # defaults, too
    given: dict[str, str]


def with_arguments(
    arguments: Mapping[str, Argument], use: Callable[[LaunchContext, Texts], list[Any]]
) -> list[Any]:
    """
    Return actions that declare arguments, and then those that ``use`` returns.

    Launch does not say whether an argument was given or has its default. So a first action notes
    what is there before the declarations; defaults are removed afterwards, else the next launch
    file that is included would take them for given.
    """
    names: set[str] = set()

    def note(context: LaunchContext) -> None:
        names.clear()
        names.update(name for name in arguments if name in context.launch_configurations)

    def run(context: LaunchContext) -> list[Any]:
        values = context.launch_configurations
        texts = {name: values[name] for name in arguments}
        for name in set(arguments) - names:
            del values[name]
        return use(context, Texts(texts, {name: texts[name] for name in names}))

    declared = [
        DeclareLaunchArgument(
            name, default_value=argument.default, description=argument.description
        )
        for name, argument in arguments.items()
    ]
    return [OpaqueFunction(function=note), *declared, OpaqueFunction(function=run)]
