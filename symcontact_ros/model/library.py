"""Loading of models: files of the package by name, or any file by path, with their options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from symcontact_ros.errors import Fault, ModelError, OptionError, suggestion
from symcontact_ros.model.building.plain_values import plain
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.description import Description
from symcontact_ros.model.file_kinds import ENDINGS, is_urdf, is_yaml
from symcontact_ros.model.including.include import configure_part, include, read_part
from symcontact_ros.model.including.placing import read_pose
from symcontact_ros.model.including.worlds import add_world, put_on_world
from symcontact_ros.model.installed_files import shipped_models, shipped_worlds
from symcontact_ros.model.model import Model
from symcontact_ros.model.option_checks import CheckedOptions
from symcontact_ros.model.progress import Progress, report_progress, told_to
from symcontact_ros.model.self_collision import SAFE
from symcontact_ros.types import Pose

Initial = Mapping[str, float]
Servo = str | Mapping[str, Any]


def load_model(  # noqa: PLR0917 - names and order are a contract
    path: str | Path,
    base: str = 'fixed',
    parameters: Mapping[str, float] | None = None,
    servo: Servo | None = None,
    initial: Initial | None = None,
    self_collision: str = SAFE,
    exclude: Sequence[Sequence[str]] = (),
    meshes: str | bool = 'hull',
    arguments: Mapping[str, object] | None = None,
    include_paths: str | Path | Sequence[str | Path] = (),
    allow_xacro: bool = False,
    world: str | Path | None = None,
    pose: Pose | Mapping[str, Any] | Sequence[float] | None = None,
    progress: Progress = report_progress,
    *,
    complete: bool = True,
) -> Model:
    """
    Return the model of a file, or of the shipped file of that name.

    Parameters
    ----------
    path
        A name that ``symcontact list`` shows, or the path of a .yaml, .urdf or .xacro file.
    base
        Joint of the root link of a URDF to the world: 'fixed' or 'free'.
    parameters
        Values that replace those of live symbols.
    servo
        Holds joints at their start: 'auto', gains such as ``{'kp': 100, 'kd': 10}``, or either by
        joint, globs allowed: ``{'finger*': 'auto'}``.
    initial
        Position of joints at the start, globs allowed [rad or m].
    self_collision
        Which bodies of a robot may touch each other: 'safe', 'all' or 'none'; 'safe' leaves it to
        the file, whose default it is.
    exclude
        Pairs of bodies that never touch, globs allowed.
    meshes
        Collision meshes of a URDF: 'hull', their convex hulls; 'decompose', convex pieces of
        them (needs coacd); 'exact', as they are, of links that cannot move; 'none', left out.
    arguments
        Arguments of a xacro file.
    include_paths
        Folders, or one, in which the file may include others, beside its own.
    allow_xacro
        Whether it may include xacro files, which are programs.
    world
        What surrounds the model: a name such as 'floor', or a model file.
    pose
        Where the model is: a ``Pose``, ``{'position': .., 'rpy': ..}``, or x, y, z and maybe roll,
        pitch, yaw [m, rad].
        Without, a free base in a world has its lowest point on the surface, and a fixed one is
        raised if what moves would be in the world.
    progress
        Called with progress messages.
    complete
        Whether a model in which nothing can move is a fault; worlds are such ones.

    Raises
    ------
    ModelError
        With every fault of the file.
    OptionError
        With every option that does not fit it.

    """
    file = model_file(path)
    options = CheckedOptions(file)
    given = {
        'servo': servo,
        'initial': initial,
        'self_collision': None if self_collision == SAFE else self_collision,
        'pose': options.pose(pose),
    }
    rights = options.permissions(include_paths, allow_xacro, meshes)
    with told_to(progress):
        description = read_part(file, options.base(base), options.arguments(arguments), rights)
        values = dict(parameters or {})
        include(description, values)
        faults = options.faults
        faults += _apply(given, description)
        own: frozenset[str] = frozenset()
        if (around := options.world(world)) is not None:
            try:
                # A URDF has no gravity or duration of its own.
                own = add_world(description, around, values, adopt=is_urdf(file))
            except OptionError as error:
                faults.append(str(error))
        if exclude:  # the world is there: its bodies may be named
            faults += _apply({'exclude': exclude}, description)
        if faults:
            raise OptionError('\n'.join(faults))
        if own and pose is None and not description.faults:
            note = put_on_world(description, own, values)
            description.notes += [note] if note else []
        return Model.from_description(description, parameters, complete)


def load_part(source: str | Path, **options: Any) -> Model:
    """
    Return the model of a file, or of the shipped model or world of a name; nothing need move.

    Options are those of `load_model`.
    """
    return load_model(source, complete=False, **options)


def load_scene(source: str | Path, **options: Any) -> Model:
    """
    Return the model of a file or a name, for a node: bodies may come later, by services.

    So a shipped world may be alone, in which nothing moves yet. Options are those of `load_model`.
    """
    is_world = model_file(source) in shipped_worlds().values()
    return load_model(source, complete=not is_world, **options)


def model_file(source: str | Path) -> Path:
    """Return the file of a name or a path; ModelError if there is none."""
    path = Path(source)
    if is_yaml(path) or is_urdf(path):
        return path
    if len(path.parts) > 1 or path.suffix:
        raise _no_model(source, f'is not a model file; its name must end in {ENDINGS}')
    names = shipped_models()
    for known in (names, shipped_worlds()):
        if str(source) in known:
            return known[str(source)]
    hint = suggestion(str(source), names, 'there are')
    raise _no_model(source, f'no model of this name; {hint} (a path ends in {ENDINGS})')


def _apply(given: dict[str, Any], description: Description) -> list[str]:
    """Apply options to a model; return the faults of those that do not fit."""
    if description.is_incomplete:
        return []  # joints and bodies may be missing: the reason is in its faults
    options = Description('', plain({k: v for k, v in given.items() if v is not None}))
    section = Section(options, '', options.data, {})
    configure_part(description, section, read_pose(section))
    section.close()
    return [f'{fault.key}: {fault.reason}' for fault in options.faults]


def _no_model(source: str | Path, reason: str) -> ModelError:
    return ModelError([Fault(str(source), None, '', reason)])
