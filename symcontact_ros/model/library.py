"""Loading of models: files of the package by name, or any file by path, with their options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import difflib
from pathlib import Path
from typing import Any

from symcontact_ros.errors import Fault, ModelError, not_one_of, OptionError
from symcontact_ros.model.building.plain_values import plain
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.description import Description, Permissions
from symcontact_ros.model.including.include import BASES, configure_part, include, read_part
from symcontact_ros.model.including.placing import read_pose
from symcontact_ros.model.including.worlds import add_world, put_on_world
from symcontact_ros.model.installed_files import shipped_models
from symcontact_ros.model.model import Model
from symcontact_ros.model.self_collision import SAFE

YAML = ('.yaml', '.yml')
URDF = ('.urdf', '.xacro')
MESHES = {'hull': True, 'none': False}

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
    include_paths: Sequence[str | Path] = (),
    allow_xacro: bool = False,
    world: str | Path | None = None,
    pose: Mapping[str, Any] | Sequence[float] | None = None,
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
        Collision meshes of a URDF: 'hull', their convex hulls, or 'none', left out.
    arguments
        Arguments of a xacro file.
    include_paths
        Folders in which the file may include others, beside its own.
    allow_xacro
        Whether it may include xacro files, which are programs.
    world
        What surrounds the model: a name such as 'floor', or a model file.
    pose
        Where the model is: ``{'position': .., 'rpy': ..}``, or x, y, z, roll, pitch, yaw [m, rad].
        Without, a free base in a world has its lowest point on the surface, and a fixed one is
        raised if what moves would be in the world.

    Raises
    ------
    ModelError
        With every fault of the file.
    OptionError
        With every option that does not fit it.

    """
    file = model_file(path)
    given = {
        'servo': servo,
        'initial': initial,
        'self_collision': None if self_collision == SAFE else self_collision,
        'pose': _as_mapping(pose),
    }
    _check_words(file, base, meshes, arguments)
    rights = Permissions(
        tuple(map(Path, include_paths)),
        allow_xacro,
        MESHES[meshes] if isinstance(meshes, str) else bool(meshes),
    )
    texts = {str(name): str(value) for name, value in (arguments or {}).items()}
    description = read_part(file, base, texts, rights)
    values = dict(parameters or {})
    include(description, values)
    faults = _apply({key: value for key, value in given.items() if value is not None}, description)
    own: frozenset[str] = frozenset()
    if world is not None:
        # A URDF has no gravity or duration of its own.
        own = add_world(description, world, values, adopt=file.suffix in URDF)
    if exclude:  # the world is there: its bodies may be named
        faults += _apply({'exclude': exclude}, description)
    if faults:
        raise OptionError('\n'.join(faults))
    if own and pose is None and not description.faults:
        note = put_on_world(description, own, values)
        description.notes += [note] if note else []
    return Model.from_description(description, parameters)


def model_file(source: str | Path) -> Path:
    """Return the file of a name or a path; ModelError if there is none."""
    path = Path(source)
    if path.suffix in YAML + URDF:
        return path
    if len(path.parts) > 1 or path.suffix:
        endings = ', '.join(YAML[:1] + URDF)
        raise _no_model(source, f'is not a model file; its name must end in {endings}')
    names = shipped_models()
    if str(source) in names:
        return names[str(source)]
    close = difflib.get_close_matches(str(source), names, 1)
    hint = f'did you mean {close[0]!r}?' if close else f'there are: {", ".join(names)};'
    raise _no_model(source, f'no model of this name; {hint} a path ends in {YAML[0]} or {URDF[0]}')


def _as_mapping(pose: Mapping[str, Any] | Sequence[float] | None) -> Mapping[str, Any] | None:
    if pose is None or isinstance(pose, Mapping):
        return pose
    numbers = plain(pose)
    if not isinstance(numbers, list) or len(numbers) != 6:
        raise OptionError(f'pose must be x, y, z, roll, pitch, yaw or a mapping, got {pose!r:.60}')
    return {'position': numbers[:3], 'rpy': numbers[3:]}


def _check_words(
    file: Path, base: str, meshes: str | bool, arguments: Mapping[str, object] | None
) -> None:
    """Raise OptionError for options that are none, or are none for this kind of file."""
    faults = []
    if base not in BASES:
        faults.append(not_one_of('base', BASES, base))
    elif base != BASES[0] and file.suffix in YAML:
        faults.append(
            f'base {base!r} is for URDF files: a model file has the joints of its bodies'
        )
    if isinstance(meshes, str) and meshes not in MESHES:
        faults.append(not_one_of('meshes', MESHES, meshes))
    if arguments and file.suffix != '.xacro':
        faults.append(f'arguments are for .xacro files, and this is {file.name}')
    if faults:
        raise OptionError('\n'.join(faults))


def _apply(given: dict[str, Any], description: Description) -> list[str]:
    """Apply options to a model; return the faults of those that do not fit."""
    options = Description('', plain(given))
    section = Section(options, '', options.data, {})
    configure_part(description, section, read_pose(section))
    section.close()
    return [f'{fault.key}: {fault.reason}' for fault in options.faults]


def _no_model(source: str | Path, reason: str) -> ModelError:
    return ModelError([Fault(str(source), None, '', reason)])
