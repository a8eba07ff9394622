"""
The services of simulation_interfaces, which several simulators share, where it is installed.

Names are those of the package in snake case: `~/get_simulator_features` and so on. What its
version does not have is left out.
"""

from __future__ import annotations

from importlib import import_module
import re
from typing import Any

from rclpy.node import Node

from symcontact_ros.errors import OptionError
from symcontact_ros.ros.conversions import read_vector, stamp, write_rotation, write_vector
from symcontact_ros.ros.entities import body_state, place_body, PoseError
from symcontact_ros.ros.stepping import Stepper
from symcontact_ros.simulation.observer import Observer

# Of simulation_interfaces/msg/Result, and of its services.
UNSUPPORTED, OK, NOT_FOUND, INCORRECT_STATE, FAILED = range(5)
ALREADY, TRANSITION_ERROR = 101, 102
INVALID_POSE = 101
STOPPED, PLAYING, PAUSED, QUITTING = range(4)
SCOPE_TIME, SCOPE_STATE, SCOPE_ALL = 1, 2, 255
FEATURES = (10, 11, 20, 21, 22, 24, 25, 26, 31, 32)  # entity states, resets, states, steps
# Filters are regular expressions of POSIX; of its classes, those that names here can have.
CLASSES = {'alpha': 'A-Za-z', 'digit': '0-9', 'alnum': 'A-Za-z0-9', 'upper': 'A-Z', 'lower': 'a-z'}


class StandardServices:
    """
    Offers what there is of simulation_interfaces.

    Attributes
    ----------
    names
        Of the services that are offered; none without the package.
    quitting
        Whether somebody asked the simulator to quit.

    """

    def __init__(self, node: Node, stepper: Stepper, observer: Observer, world: str) -> None:
        self._stepper = stepper
        self._observer = observer
        self._model = stepper.simulation.model
        self._world = world
        self._stopped = False
        self.quitting = False
        self.names: list[str] = []
        try:
            kinds = import_module('simulation_interfaces.srv')
        except ImportError:
            return
        for handler in (
            self.get_simulator_features,
            self.get_simulation_state,
            self.set_simulation_state,
            self.reset_simulation,
            self.step_simulation,
            self.get_entities,
            self.get_entity_state,
            self.get_entities_states,
            self.set_entity_state,
        ):
            name = handler.__name__
            kind = getattr(kinds, name.title().replace('_', ''), None)
            if kind is None:
                node.get_logger().info(f'simulation_interfaces has no {name}: not offered')
                continue
            node.create_service(kind, f'~/{name}', handler)
            self.names.append(name)

    def get_simulator_features(self, request: Any, response: Any) -> Any:
        """Tell what is supported."""
        response.features.features = list(FEATURES)
        response.features.custom_info = 'symcontact_ros; see docs/ros.md'
        return response

    def get_simulation_state(self, request: Any, response: Any) -> Any:
        """Tell whether it runs."""
        response.state.state = self._state()
        return _answer(response, OK)

    def set_simulation_state(self, request: Any, response: Any) -> Any:
        """Play, pause, stop (pause and reset), or quit."""
        wanted = request.state.state
        if wanted == self._state():
            return _answer(response, ALREADY, 'already in that state')
        if wanted not in (STOPPED, PLAYING, PAUSED, QUITTING):
            return _answer(response, UNSUPPORTED, f'no state {wanted} here')
        self.quitting = wanted == QUITTING
        if wanted == STOPPED:
            self._stepper.reset(time_too=True)
        self._stepper.pause(wanted != PLAYING)
        self._stopped = wanted == STOPPED
        if wanted == PLAYING and self._stepper.paused:
            return _answer(response, TRANSITION_ERROR, f'{self._stepper.failure}; reset it first')
        return _answer(response, OK)

    def reset_simulation(self, request: Any, response: Any) -> Any:
        """Reset state, time, or both."""
        scope = request.scope or SCOPE_ALL
        if scope & SCOPE_STATE:
            self._stepper.reset(time_too=bool(scope & SCOPE_TIME))
        elif scope & SCOPE_TIME:
            self._stepper.reset_time()
        else:
            return _answer(response, UNSUPPORTED, 'nothing is spawned here')
        return _answer(response, OK)

    def step_simulation(self, request: Any, response: Any) -> Any:
        """Make steps while paused."""
        if not self._stepper.paused:
            return _answer(response, FAILED, 'it runs: pause it first')
        if self._stepper.failure is None:
            self._stepper.step(int(request.steps))
        failure = self._stepper.failure
        return _answer(response, OK if failure is None else FAILED, str(failure or ''))

    def get_entities(self, request: Any, response: Any) -> Any:
        """Tell the names of bodies that match a regular expression."""
        code, text, response.entities = self._matching(request.filters)
        return _answer(response, code, text)

    def get_entities_states(self, request: Any, response: Any) -> Any:
        """Tell poses and twists of the bodies that match a regular expression."""
        code, text, response.entities = self._matching(request.filters)
        kind = import_module('simulation_interfaces.msg').EntityState
        response.states = [kind() for _ in response.entities]
        for name, state in zip(response.entities, response.states, strict=True):
            self._tell(name, state)
        return _answer(response, code, text)

    def get_entity_state(self, request: Any, response: Any) -> Any:
        """Tell pose and twist of a body's origin, in the world."""
        if request.entity not in self._model.body_names:
            return _answer(response, NOT_FOUND, self._known())
        self._tell(request.entity, response.state)
        return _answer(response, OK)

    def set_entity_state(self, request: Any, response: Any) -> Any:
        """Put a body that moves by itself somewhere, in motion."""
        if request.entity not in self._model.body_names:
            return _answer(response, NOT_FOUND, self._known())
        if request.state.header.frame_id not in ('', self._world):
            return _answer(response, UNSUPPORTED, f'states are given in {self._world}')
        pose, twist = request.state.pose, request.state.twist
        turn = pose.orientation
        try:
            place_body(
                self._stepper.simulation,
                request.entity,
                # Older versions always set all.
                (read_vector(pose.position), (turn.x, turn.y, turn.z, turn.w))
                if getattr(request, 'set_pose', True)
                else None,
                (read_vector(twist.linear), read_vector(twist.angular))
                if getattr(request, 'set_twist', True)
                else None,
            )
        except PoseError as error:
            return _answer(response, INVALID_POSE, str(error))
        except OptionError as error:
            return _answer(response, FAILED, str(error))
        if self._stepper.paused:
            self._stepper.show()
        return _answer(response, OK)

    def _matching(self, filters: Any) -> tuple[int, str, list[str]]:
        """Return a result, its reason, and the bodies that pass a filter."""
        if filters.categories or filters.tags.tags or filters.bounds.type:
            return (
                UNSUPPORTED,
                'bodies are found by name alone, not by category, tag or bounds',
                [],
            )
        try:
            pattern = re.compile(re.sub(r'\[:(\w+):\]', _class_of_posix, filters.filter))
        except re.error as error:
            return FAILED, f'filter: {error}', []
        return OK, '', [name for name in self._model.body_names if pattern.search(name)]

    def _tell(self, name: str, state: Any) -> None:
        """Write pose and twist of a body's origin, in the world."""
        position, quaternion, velocity, rate = body_state(
            self._observer.look(), self._model.body_names.index(name)
        )
        state.header.frame_id = self._world
        state.header.stamp = stamp(self._stepper.nanoseconds)
        write_vector(state.pose.position, position.tolist())
        write_rotation(state.pose.orientation, quaternion.tolist())
        write_vector(state.twist.linear, velocity.tolist())
        write_vector(state.twist.angular, rate.tolist())

    def _state(self) -> int:
        if self.quitting:
            return QUITTING
        if not self._stepper.paused:
            self._stopped = False
            return PLAYING
        return STOPPED if self._stopped and self._stepper.steps == 0 else PAUSED

    def _known(self) -> str:
        return f'entities are {", ".join(self._model.body_names)}'


def _class_of_posix(found: re.Match[str]) -> str:
    if found[1] not in CLASSES:
        raise re.error(f'no class {found[0]}: there are {", ".join(CLASSES)}')
    return CLASSES[found[1]]


def _answer(response: Any, code: int, text: str = '') -> Any:
    response.result.result = code
    response.result.error_message = text
    return response
