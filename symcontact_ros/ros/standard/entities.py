"""Bodies as the entities of simulation_interfaces: found, described, measured, put somewhere."""

from __future__ import annotations

from importlib import import_module
import re
from typing import Any

from geometry_msgs.msg import Vector3

from symcontact_ros.errors import OptionError
from symcontact_ros.expressions import evaluate
from symcontact_ros.model.description import URDF
from symcontact_ros.ros.conversions import read_vector, stamp, write_rotation, write_vector
from symcontact_ros.ros.standard.bodies import body_state, place_body, PoseError
from symcontact_ros.ros.standard.regions import (
    BOX,
    box_around,
    CONVEX_HULL,
    reaches,
    region,
    SPHERE,
)
from symcontact_ros.ros.standard.results import (
    answered,
    FAILED,
    INVALID_POSE,
    NOT_FOUND,
    OK,
    UNSUPPORTED,
)
from symcontact_ros.ros.stepping.stepper import Stepper
from symcontact_ros.simulation.observing.observer import Observer
from symcontact_ros.types import Pose

ROBOT, DYNAMIC_OBJECT, STATIC_OBJECT = 1, 4, 5  # of simulation_interfaces/msg/EntityCategory
# Filters are regular expressions of POSIX; of its classes, those that names here can have.
CLASSES = {'alpha': 'A-Za-z', 'digit': '0-9', 'alnum': 'A-Za-z0-9', 'upper': 'A-Z', 'lower': 'a-z'}
MOST_REPEATS = 4  # in a filter: with more there may be very many ways to try


class UnsupportedError(OptionError):
    """A question that is not answered here."""


class EntityServices:
    """Answers about bodies, in the world and at the present instant."""

    def __init__(self, stepper: Stepper, observer: Observer, world: str) -> None:
        self._stepper = stepper
        self._observer = observer
        self._model = stepper.simulation.model
        self._world = world

    def get_entities(self, request: Any, response: Any) -> Any:
        """Tell the names of bodies that pass filters."""
        try:
            response.entities = self._matching(request.filters)
        except OptionError as error:
            code = UNSUPPORTED if isinstance(error, UnsupportedError) else FAILED
            return answered(response, code, str(error))
        return answered(response, OK)

    def get_entities_states(self, request: Any, response: Any) -> Any:
        """Tell poses and twists of the bodies that pass filters."""
        self.get_entities(request, response)
        kind = import_module('simulation_interfaces.msg').EntityState
        response.states = [kind() for _ in response.entities]
        for name, state in zip(response.entities, response.states, strict=True):
            self._tell(name, state)
        return response

    def get_entity_info(self, request: Any, response: Any) -> Any:
        """Tell the category of a body, and what it is in words."""
        if request.entity not in self._model.body_names:
            return answered(response, NOT_FOUND, self._known())
        body = self._model.body(request.entity)
        mass = evaluate(body.mass, self._stepper.simulation.parameters)
        kinds = [placed.shape.kind for placed in body.shapes] or ['no shapes']
        response.info.category.category = self._category(body.name)
        response.info.description = (
            f'{body.joint.type} joint on {body.joint.parent}, {mass:g} kg, {", ".join(kinds)}'
        )
        return answered(response, OK)

    def get_entity_bounds(self, request: Any, response: Any) -> Any:
        """Tell the box around a body, in its own axes; a body without end has no bounds."""
        if request.entity not in self._model.body_names:
            return answered(response, NOT_FOUND, self._known())
        model = self._model
        try:
            box = box_around(
                model.body(request.entity), self._stepper.simulation.parameters, model.dimension
            )
        except OptionError as error:
            return answered(response, FAILED, str(error))
        if box is not None:
            response.bounds.type = BOX
            response.bounds.points = [Vector3(), Vector3()]
            for point, corner in zip(response.bounds.points, reversed(box), strict=True):
                write_vector(point, corner.tolist())
        return answered(response, OK)

    def get_entity_state(self, request: Any, response: Any) -> Any:
        """Tell pose and twist of a body's origin, in the world."""
        if request.entity not in self._model.body_names:
            return answered(response, NOT_FOUND, self._known())
        self._tell(request.entity, response.state)
        return answered(response, OK)

    def set_entity_state(self, request: Any, response: Any) -> Any:
        """Put a body that moves by itself somewhere, in motion."""
        if request.entity not in self._model.body_names:
            return answered(response, NOT_FOUND, self._known())
        if request.state.header.frame_id not in ('', self._world):
            return answered(response, UNSUPPORTED, f'states are given in {self._world}')
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
            return answered(response, INVALID_POSE, str(error))
        except OptionError as error:
            return answered(response, FAILED, str(error))
        if self._stepper.paused:
            self._stepper.show()
        return answered(response, OK)

    def _matching(self, filters: Any) -> list[str]:
        """Return the bodies that pass filters; OptionError tells what is wrong with these."""
        if filters.tags.tags:
            raise UnsupportedError('bodies have no tags')
        pattern = _pattern(filters.filter)
        categories = {wanted.category for wanted in filters.categories}
        return [
            name
            for name in self._inside(filters.bounds)
            if pattern.search(name) and (not categories or self._category(name) in categories)
        ]

    def _inside(self, bounds: Any) -> tuple[str, ...] | list[str]:
        """Return the bodies that reach into bounds; all of them if there are none."""
        model, kind = self._model, bounds.type
        if not kind:
            return model.body_names
        if kind not in (BOX, CONVEX_HULL, SPHERE) or (kind, model.dimension) == (CONVEX_HULL, 2):
            raise UnsupportedError(f'no bounds of type {kind} in {model.dimension} dimensions')
        place = region(kind, [read_vector(p) for p in bounds.points], model.dimension)
        values, now = self._stepper.simulation.parameters, self._observer.observe()
        poses = map(Pose, now.position, now.quaternion)
        found = zip(model.bodies, poses, strict=True)
        return [body.name for body, pose in found if reaches(body, values, pose, place)]

    def _category(self, name: str) -> int:
        """Return robot for what a URDF describes; else whether it can move tells."""
        description = self._model.description
        if URDF.search(description.sources.get(f'bodies.{name}', description.source)):
            return ROBOT
        return STATIC_OBJECT if name in self._model.grounded else DYNAMIC_OBJECT

    def _tell(self, name: str, state: Any) -> None:
        """Write pose and twist of a body's origin, in the world."""
        position, quaternion, velocity, rate = body_state(
            self._observer.observe(), self._model.body_names.index(name)
        )
        state.header.frame_id = self._world
        state.header.stamp = stamp(self._stepper.nanoseconds)
        write_vector(state.pose.position, position.tolist())
        write_rotation(state.pose.orientation, quaternion.tolist())
        write_vector(state.twist.linear, velocity.tolist())
        write_vector(state.twist.angular, rate.tolist())

    def _known(self) -> str:
        return f'entities are {", ".join(self._model.body_names)}'


def _pattern(text: str) -> re.Pattern[str]:
    """Return a filter of names, compiled; OptionError if it is none, or could take for ever."""
    if re.search(r'\)[*+{]', text) or len(re.findall(r'[*+{]', text)) > MOST_REPEATS:
        raise OptionError(f'filter: at most {MOST_REPEATS} repetitions, and none of a group')
    try:
        return re.compile(re.sub(r'\[:(\w+):\]', _class_of_posix, text))
    except re.error as error:
        raise OptionError(f'filter: {error}') from error


def _class_of_posix(found: re.Match[str]) -> str:
    if found[1] not in CLASSES:
        raise re.error(f'no class {found[0]}: there are {", ".join(CLASSES)}')
    return CLASSES[found[1]]
