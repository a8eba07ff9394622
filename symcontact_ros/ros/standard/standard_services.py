"""
Services of simulation_interfaces, where that package is installed.

Names are those of the package in snake case: `~/get_simulator_features` and so on. Services that
the installed version lacks are left out, also from the features.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.node import Node

from symcontact_ros.errors import SymcontactError
from symcontact_ros.model.model import Model
from symcontact_ros.ros.standard.entities import EntityServices
from symcontact_ros.ros.standard.resources import FORMATS
from symcontact_ros.ros.standard.results import (
    ALREADY,
    answered,
    FAILED,
    NO_WORLD,
    OK,
    TRANSITION_ERROR,
    UNSUPPORTED,
)
from symcontact_ros.ros.standard.spawning import describe_world, Host, SpawnServices
from symcontact_ros.ros.standard.steps import StepsAction
from symcontact_ros.ros.stepping.step_scheduler import StepScheduler
from symcontact_ros.simulation.observing.observer import Observer

STOPPED, PLAYING, PAUSED, QUITTING = range(4)
SCOPE_TIME, SCOPE_STATE, SCOPE_SPAWNED, SCOPE_ALL = 1, 2, 4, 255
BOUNDS_CONVEX = 7
# What each of them adds to simulation_interfaces/msg/SimulatorFeatures.
FEATURES = {
    'spawn_entity': (0, 9),  # from files and texts
    'spawn_entities': (50,),
    'delete_entity': (1,),
    'get_spawnables': (14,),
    'load_world': (40, 41),  # likewise
    'unload_world': (43,),
    'get_available_worlds': (45,),
    'get_entities': (6, BOUNDS_CONVEX, 8),  # filters: boxes, convex hulls, categories
    'get_entity_bounds': (5,),
    'get_entity_state': (10,),
    'set_entity_state': (11,),
    'get_entity_info': (12,),
    'reset_simulation': (20, 21, 22, 23),  # of time, of state, of what was spawned
    'get_simulation_state': (24,),
    'set_simulation_state': (25, 26),  # pausing, too
    'step_simulation': (31, 32),  # one step, or several
    'simulate_steps': (33,),
    'get_current_world': (44,),
}


class StandardServices:
    """
    Services and action of simulation_interfaces.

    Attributes
    ----------
    names
        Of services and action that are offered; none without the package.
    quitting
        Whether the simulator was requested to quit.

    """

    def __init__(
        self,
        node: Node,
        scheduler: StepScheduler,
        observer: Observer,
        world: str,
        host: Host | None = None,
    ) -> None:
        self._scheduler = scheduler
        self._stopped = False
        self.quitting = False
        self.names: list[str] = []
        self.entities = entities = EntityServices(scheduler, observer, world)
        spawning = self._spawning = SpawnServices(host or node, entities, world)
        changing = MutuallyExclusiveCallbackGroup()  # these wait for each other
        for handler in (
            self.get_simulator_features,
            self.get_simulation_state,
            self.set_simulation_state,
            self.step_simulation,
            self.get_current_world,
            entities.get_entities,
            entities.get_entity_info,
            entities.get_entity_bounds,
            entities.get_entity_state,
            entities.get_entities_states,
            entities.set_entity_state,
            spawning.get_spawnables,
            spawning.get_available_worlds,
        ):
            kind = self._kind(node, 'srv', handler.__name__)
            if kind is not None:
                node.create_service(kind, f'~/{handler.__name__}', handler)
        for handler in (
            self.reset_simulation,
            spawning.spawn_entity,
            spawning.spawn_entities,
            spawning.delete_entity,
            spawning.load_world,
            spawning.unload_world,
        ):
            kind = self._kind(node, 'srv', handler.__name__)
            if kind is not None:
                name = f'~/{handler.__name__}'
                node.create_service(kind, name, handler, callback_group=changing)
        action = self._kind(node, 'action', 'simulate_steps')
        self._action = None if action is None else StepsAction(node, action, scheduler)

    @property
    def _model(self) -> Model:
        return self._scheduler.simulation.model

    def follow(self, observer: Observer) -> None:
        """Take the model that the simulation has now."""
        self.entities.observer = observer

    def stop(self) -> None:
        """Be stopped: paused at time 0."""
        self._scheduler.pause(True)
        self._stopped = True

    def end_preparation(self) -> None:
        """End what is being compiled for another model; a process of its own does it."""
        self._spawning.close()

    def close(self) -> None:
        """End the action, which `destroy_node` of rclpy leaves; services end with the node."""
        action, self._action = self._action, None
        if action is not None:
            action.server.destroy()  # once: rclpy refuses a second time

    def _kind(self, node: Node, group: str, name: str) -> Any:
        """Return the type of a service or action, and add its name; None if it does not exist."""
        try:
            kinds = import_module(f'simulation_interfaces.{group}')
        except ImportError:
            return None
        kind = getattr(kinds, name.title().replace('_', ''), None)
        if kind is None:
            node.get_logger().info(f'simulation_interfaces has no {name}: not offered')
        else:
            self.names.append(name)
        return kind

    def get_simulator_features(self, request: Any, response: Any) -> Any:
        """Return the supported features."""
        features = {number for name in self.names for number in FEATURES.get(name, ())}
        if self._model.dimension == 2:
            features.discard(BOUNDS_CONVEX)
        response.features.features = sorted(features)
        if hasattr(response.features, 'spawn_formats'):
            response.features.spawn_formats = FORMATS if 0 in features else []
        response.features.custom_info = 'symcontact_ros; see docs/ros.md'
        return response

    def get_current_world(self, request: Any, response: Any) -> Any:
        """Return the model that is simulated."""
        if not self._spawning.has_world:
            return answered(response, NO_WORLD, 'no world is loaded')
        describe_world(response.world, self._model)
        return answered(response, OK)

    def get_simulation_state(self, request: Any, response: Any) -> Any:
        """Return the state of the simulation."""
        response.state.state = self._state()
        return answered(response, OK)

    def set_simulation_state(self, request: Any, response: Any) -> Any:
        """Play, pause, stop (pause and reset), or quit."""
        wanted = request.state.state
        if wanted == self._state():
            return answered(response, ALREADY, 'already in that state')
        if wanted not in (STOPPED, PLAYING, PAUSED, QUITTING):
            return answered(response, UNSUPPORTED, f'state {wanted} is not supported')
        self.quitting = wanted == QUITTING
        if wanted == STOPPED:
            self._scheduler.reset(time_too=True)
        self._scheduler.pause(wanted != PLAYING)
        self._stopped = wanted == STOPPED
        if wanted == PLAYING and self._scheduler.paused:
            return answered(
                response, TRANSITION_ERROR, f'{self._scheduler.failure}; reset it first'
            )
        return answered(response, OK)

    async def reset_simulation(self, request: Any, response: Any) -> Any:
        """Reset state, time, or both; remove what was spawned."""
        scope = request.scope or SCOPE_ALL
        if scope & SCOPE_SPAWNED:
            try:
                await self._spawning.delete_spawned()
            except SymcontactError as error:
                return answered(response, FAILED, str(error))
        if scope & SCOPE_STATE:
            self._scheduler.reset(time_too=bool(scope & SCOPE_TIME))
        elif scope & SCOPE_TIME:
            self._scheduler.reset_time()
        elif not scope & SCOPE_SPAWNED:
            return answered(response, UNSUPPORTED, f'scope {scope} is not supported')
        return answered(response, OK)

    def step_simulation(self, request: Any, response: Any) -> Any:
        """Make steps while paused."""
        if not self._scheduler.paused:
            return answered(response, FAILED, 'not paused: pause it first')
        if self._scheduler.failure is None:
            self._scheduler.step(int(request.steps))
        failure = self._scheduler.failure
        return answered(response, OK if failure is None else FAILED, str(failure or ''))

    def _state(self) -> int:
        if self.quitting:
            return QUITTING
        if not self._scheduler.paused:
            self._stopped = False
            return PLAYING
        return STOPPED if self._stopped and self._scheduler.steps == 0 else PAUSED
