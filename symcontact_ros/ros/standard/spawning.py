"""
Entities that come and go: spawning, deleting, worlds that are loaded.

Another model is read, derived and compiled in a thread while this one goes on; between two steps
the node takes it, with the state of then. Requests wait for each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
import itertools
from pathlib import Path
import re
from typing import Any, Protocol

from symcontact_ros.errors import ModelError, OptionError, shown, SymcontactError
from symcontact_ros.model.including.regrouping import with_part, without_bodies
from symcontact_ros.model.installed_files import shipped_models, shipped_robots, shipped_worlds
from symcontact_ros.model.model import Model
from symcontact_ros.model.yaml_loader import read_yaml
from symcontact_ros.ros.conversions import read_vector
from symcontact_ros.ros.parameters import SimulationParameters
from symcontact_ros.ros.preparation import Preparation
from symcontact_ros.ros.standard.body_states import checked_pose, PoseError
from symcontact_ros.ros.standard.entities import EntityServices
from symcontact_ros.ros.standard.resources import (
    FormatError,
    NoFileError,
    NoResourceError,
    Resource,
)
from symcontact_ros.ros.standard.results import (
    answered,
    FAILED,
    NO_WORLD,
    NOT_FOUND,
    OK,
    SOME_FAILED,
    SPAWN,
    UNSUPPORTED,
    WORLD,
)
from symcontact_ros.simulation.observing.observer import Observer
from symcontact_ros.simulation.precompiling import Precompiler
from symcontact_ros.simulation.simulation import Simulation

_NAME = re.compile(r'[A-Za-z][A-Za-z0-9_]*\Z')
_OTHER = re.compile(r'[^A-Za-z0-9_]+')
MOST_NAME = 100  # characters


class NameTakenError(OptionError):
    """A name that another entity has."""


class BadNameError(OptionError):
    """A name that no entity can have."""


class Host(Protocol):
    """The node, whose simulation is given other bodies."""

    settings: SimulationParameters
    simulation: Simulation

    def take_model(self, prepared: Simulation, observer: Observer) -> None:
        """Go on with another model, between two steps; what both have keeps its state."""

    def begin_world(self, prepared: Simulation, observer: Observer) -> None:
        """Begin with another model, at time 0, paused."""


class SpawnServices:
    """Services that change which bodies there are."""

    def __init__(self, host: Host, entities: EntityServices, world: str) -> None:
        self._host = host
        self._entities = entities
        self._world = world
        self._precompiler = Precompiler()
        self.has_world = True

    async def spawn_entity(self, request: Any, response: Any) -> Any:
        """Add a model at a pose; its names get that of the entity as a prefix."""
        try:
            if request.entity_namespace:
                text = 'entity_namespace must be empty: names have that of the entity as prefix'
                return answered(response, UNSUPPORTED, text)
            pose = self._pose(request.initial_pose)
            resource = self._resource(getattr(request, 'entity_resource', request))
            name = str(request.name)
            prepared = await Preparation(
                lambda: self._with(resource, pose, name, request.allow_renaming)
            ).result()
            self._host.take_model(*prepared[:2])
        except SymcontactError as error:
            return answered(response, _code(error, SPAWN), str(error))
        name, root = prepared[2:]
        self._entities.spawned[name] = root
        response.entity_name = name
        return answered(response, OK)

    async def spawn_entities(self, request: Any, response: Any) -> Any:
        """Add models one after the other; what cannot be added is left out, and told."""
        kind = import_module('simulation_interfaces.msg').SpawnResult
        response.results = [await self.spawn_entity(one, kind()) for one in request.spawn_requests]
        codes = [one.result.result for one in response.results]
        failed = sum(code != OK for code in codes)
        text = f'{failed} of {len(codes)} were not spawned: see results' if failed else ''
        return answered(response, SOME_FAILED if failed else OK, text)

    async def delete_entity(self, request: Any, response: Any) -> Any:
        """Remove a spawned entity, or a body with what hangs on it."""
        entity = str(request.entity)
        spawned, model = self._entities.spawned, self._host.simulation.model
        if entity not in spawned and entity not in model.body_names:
            return answered(response, NOT_FOUND, self._entities.unknown(entity))
        try:
            await self._remove([self._all_of(entity)])
        except SymcontactError as error:
            return answered(response, FAILED, str(error))
        return answered(response, OK)

    async def delete_spawned(self) -> None:
        """Remove all entities that were spawned and are still there."""
        if self._entities.spawned:
            await self._remove([self._all_of(name) for name in self._entities.spawned])

    async def load_world(self, request: Any, response: Any) -> Any:
        """Replace the whole model, and stop at time 0."""
        try:
            resource = self._resource(getattr(request, 'world_resource', request))
            prepared = await Preparation(lambda: self._ready(resource.load)).result()
            self._host.begin_world(*prepared)
        except SymcontactError as error:
            return answered(response, _code(error, WORLD), str(error))
        self._entities.spawned.clear()
        self.has_world = True
        describe_world(response.world, self._host.simulation.model)
        return answered(response, OK)

    async def unload_world(self, request: Any, response: Any) -> Any:
        """Remove everything, and stop at time 0."""
        if not self.has_world:
            return answered(response, NO_WORLD, 'no world is loaded')
        model = self._host.simulation.model
        empty = Model('nothing', model.dimension)
        empty.contents.source = model.contents.source  # whose folder may be read as before
        try:
            self._host.begin_world(
                *(await Preparation(lambda: self._ready(lambda: empty)).result())
            )
        except SymcontactError as error:
            return answered(response, FAILED, str(error))
        self._entities.spawned.clear()
        self.has_world = False
        return answered(response, OK)

    def get_spawnables(self, request: Any, response: Any) -> Any:
        """Return what is shipped; files of other folders are not looked for."""
        kind = import_module('simulation_interfaces.msg').Spawnable
        dimension = self._host.simulation.model.dimension
        response.spawnables = []
        for name in _shipped(dimension):
            entry = kind()
            getattr(entry, 'entity_resource', entry).uri = name
            response.spawnables.append(entry)
        words = ', '.join(map(shown, request.sources))
        return answered(response, OK, f'sources are not searched: {words}' if words else '')

    def get_available_worlds(self, request: Any, response: Any) -> Any:
        """Return the shipped models and worlds."""
        if request.filter.tags:
            return answered(response, UNSUPPORTED, 'worlds have no tags')
        kind = import_module('simulation_interfaces.msg').WorldResource
        response.worlds = [kind(name=name) for name in (*shipped_models(), *shipped_worlds())]
        for entry in response.worlds:
            entry.world_resource.uri = entry.name
        return answered(response, OK)

    # Preparation --------------------------------------------------------------------------------

    def _resource(self, given: Any) -> Resource:
        folder = Path(self._host.simulation.model.contents.source).parent
        return Resource(given.uri, given.resource_string, self._host.settings, folder)

    def _with(
        self, resource: Resource, pose: dict[str, Any] | None, name: str, may_rename: bool
    ) -> tuple[Simulation, Observer, str, str]:
        """Return what is to be taken, the name of the entity and its root body."""
        part = resource.load()
        model = self._host.simulation.model
        given = self._unique(name or _OTHER.sub('_', part.name).strip('_'), may_rename)
        whole = with_part(model, part, pose, f'{given}_')
        root = whole.body_names[len(model.body_names)]
        return (*self._ready(lambda: whole), given, root)

    async def _remove(self, names: list[list[str]]) -> None:
        every = list(itertools.chain.from_iterable(names))
        model = self._host.simulation.model
        work = Preparation(lambda: self._ready(lambda: without_bodies(model, every)))
        self._host.take_model(*(await work.result()))
        left = self._host.simulation.model.body_names
        spawned = self._entities.spawned
        for name in [name for name, root in spawned.items() if root not in left]:
            del spawned[name]

    def _ready(self, make: Callable[[], Model]) -> tuple[Simulation, Observer]:
        """Return a simulation of a model, compiled, with its observer."""
        return self._precompiler.ready(self._host.simulation, make())

    def close(self) -> None:
        """End what is being compiled."""
        self._precompiler.close()

    def _all_of(self, entity: str) -> list[str]:
        """Return what to remove with an entity: a body, or the prefix of a spawned one."""
        return [f'{entity}_' if entity in self._entities.spawned else entity]

    def _unique(self, name: str, may_rename: bool) -> str:
        """Return a name that no entity has yet."""
        if not _NAME.match(name) or len(name) > MOST_NAME:
            needed = 'must be letters, digits and _, a letter first'
            raise BadNameError(f'name: {shown(name)} {needed}')
        for candidate in _candidates(name):
            if not self._is_taken(candidate):
                return candidate
            if not may_rename:
                raise NameTakenError(
                    f'name: there is {candidate} already: choose another one, or allow_renaming'
                )
        raise AssertionError

    def _is_taken(self, name: str) -> bool:
        bodies = self._host.simulation.model.body_names
        taken = any(body.startswith(f'{name}_') for body in bodies)
        return taken or name in bodies or name in self._entities.spawned

    def _pose(self, stamped: Any) -> dict[str, Any] | None:
        """Return where an entity is put, as models take it; None: at the origin."""
        frame, pose = stamped.header.frame_id, stamped.pose
        if frame not in ('', self._world):
            raise PoseError(f'the frame of a pose must be {self._world}, not {shown(frame)}')
        turn = (pose.orientation.x, pose.orientation.y, pose.orientation.z, pose.orientation.w)
        place, unit = checked_pose((read_vector(pose.position), turn))
        if not any(place) and unit == (0.0, 0.0, 0.0, 1.0):
            return None
        return {'position': list(place), 'quaternion': list(unit)}


def describe_world(message: Any, model: Model) -> None:
    """Write name and file of a model into a WorldResource."""
    message.name = model.name
    message.world_resource.uri = Path(model.contents.source).absolute().as_uri()
    message.description = model.description


def _candidates(name: str) -> Iterator[str]:
    yield name
    for number in itertools.count(2):
        yield f'{name}_{number}'


def _shipped(dimension: int) -> list[str]:
    """Return the shipped models and worlds of a dimension; robots are spatial."""
    models = {**shipped_models(), **shipped_worlds()}
    fitting = [
        name
        for name, path in models.items()
        if int(read_yaml(path).data.get('dimension', 2)) == dimension
    ]
    return fitting + list(shipped_robots()) * (dimension == 3)


def _code(error: SymcontactError, codes: dict[str, int]) -> int:
    """Return the code of an error for a service."""
    for kind, name in (
        (NoResourceError, 'NO_RESOURCE'),
        (FormatError, 'UNSUPPORTED_FORMAT'),
        (PoseError, 'INVALID_POSE'),
        (NameTakenError, 'NAME_NOT_UNIQUE'),
        (BadNameError, 'NAME_INVALID'),
        (ModelError, 'RESOURCE_PARSE_ERROR'),
    ):
        if isinstance(error, kind):
            return codes.get(name, FAILED)
    return NOT_FOUND if isinstance(error, NoFileError) else FAILED
