"""Entity services of simulation_interfaces: bodies listed, described, measured and placed."""

from __future__ import annotations

from importlib import import_module
import re
from typing import Any

from geometry_msgs.msg import Vector3

from symcontact_ros.errors import no_such, OptionError
from symcontact_ros.expressions import evaluate
from symcontact_ros.model.model import Model
from symcontact_ros.ros.conversions import read_vector, stamp, write_rotation, write_vector
from symcontact_ros.ros.standard.body_states import body_state, place_body, PoseError
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
from symcontact_ros.ros.stepping.step_scheduler import StepScheduler
from symcontact_ros.simulation.observing.observer import Observer
from symcontact_ros.types import Pose

ROBOT, DYNAMIC_OBJECT, STATIC_OBJECT = 1, 4, 5  # of simulation_interfaces/msg/EntityCategory
# Filters are POSIX regular expressions; these are the classes that occur in names.
CLASSES = {'alpha': 'A-Za-z', 'digit': '0-9', 'alnum': 'A-Za-z0-9', 'upper': 'A-Z', 'lower': 'a-z'}
_URDF = re.compile(r'\.(urdf|xacro)\b')  # in the name of a source
MOST_REPEATS = 4  # in a filter: more may take very long to match


class UnsupportedError(OptionError):
    """A request that is not supported."""


class EntityServices:
    """Services about bodies, in the world and at the present instant."""

    def __init__(self, scheduler: StepScheduler, observer: Observer, world: str) -> None:
        self._scheduler = scheduler
        self.observer = observer
        self._world = world
        self.spawned: dict[str, str] = {}  # root body of every spawned entity, by its name

    @property
    def _model(self) -> Model:
        return self._scheduler.simulation.model

    def _body(self, entity: str) -> str | None:
        """Return the body that an entity is, or that carries it; None: there is none."""
        body = self.spawned.get(entity, entity)
        return body if body in self._model.body_names else None

    def get_entities(self, request: Any, response: Any) -> Any:
        """Return the names of bodies that pass filters."""
        try:
            response.entities = self._matching(request.filters)
        except OptionError as error:
            code = UNSUPPORTED if isinstance(error, UnsupportedError) else FAILED
            return answered(response, code, str(error))
        return answered(response, OK)

    def get_entities_states(self, request: Any, response: Any) -> Any:
        """Return poses and twists of the bodies that pass filters."""
        self.get_entities(request, response)
        kind = import_module('simulation_interfaces.msg').EntityState
        response.states = [kind() for _ in response.entities]
        for name, state in zip(response.entities, response.states, strict=True):
            self._write_state(self.spawned.get(name, name), state)
        return response

    def get_entity_info(self, request: Any, response: Any) -> Any:
        """Return category and description of a body."""
        if (name := self._body(request.entity)) is None:
            return answered(response, NOT_FOUND, self.unknown(request.entity))
        body = self._model.body(name)
        mass = evaluate(body.mass, self._scheduler.simulation.parameters)
        kinds = [placed.shape.kind for placed in body.shapes] or ['no shapes']
        response.info.category.category = self._category(body.name)
        response.info.description = (
            f'{body.joint.type} joint on {body.joint.parent}, {mass:g} kg, {", ".join(kinds)}'
        )
        return answered(response, OK)

    def get_entity_bounds(self, request: Any, response: Any) -> Any:
        """Return the bounding box of a body, in its own axes; an infinite body has no bounds."""
        if (name := self._body(request.entity)) is None:
            return answered(response, NOT_FOUND, self.unknown(request.entity))
        model = self._model
        try:
            box = box_around(
                model.body(name), self._scheduler.simulation.parameters, model.dimension
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
        """Return pose and twist of a body's origin, in the world."""
        if (name := self._body(request.entity)) is None:
            return answered(response, NOT_FOUND, self.unknown(request.entity))
        self._write_state(name, response.state)
        return answered(response, OK)

    def set_entity_state(self, request: Any, response: Any) -> Any:
        """Set pose and twist of a floating body."""
        if (name := self._body(request.entity)) is None:
            return answered(response, NOT_FOUND, self.unknown(request.entity))
        if request.state.header.frame_id not in ('', self._world):
            return answered(response, UNSUPPORTED, f'the frame of a state must be {self._world}')
        pose, twist = request.state.pose, request.state.twist
        turn = pose.orientation
        try:
            place_body(
                self._scheduler.simulation,
                name,
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
        self._scheduler.take_part()
        if self._scheduler.paused:
            self._scheduler.show()
        return answered(response, OK)

    def _matching(self, filters: Any) -> list[str]:
        """Return the bodies that pass filters; OptionError if a filter is not valid."""
        if filters.tags.tags:
            raise UnsupportedError('bodies have no tags')
        pattern = _pattern(filters.filter)
        categories = {wanted.category for wanted in filters.categories}
        inside = list(self._inside(filters.bounds))
        names = dict(zip(inside, inside, strict=True))
        names |= {name: root for name, root in self.spawned.items() if root in inside}
        return [
            name
            for name, body in names.items()
            if pattern.search(name) and (not categories or self._category(body) in categories)
        ]

    def _inside(self, bounds: Any) -> tuple[str, ...] | list[str]:
        """Return the bodies that reach into bounds; all of them if there are none."""
        model, kind = self._model, bounds.type
        if not kind:
            return model.body_names
        if kind not in (BOX, CONVEX_HULL, SPHERE) or (kind, model.dimension) == (CONVEX_HULL, 2):
            raise UnsupportedError(f'no bounds of type {kind} in {model.dimension} dimensions')
        place = region(kind, [read_vector(p) for p in bounds.points], model.dimension)
        values, now = self._scheduler.simulation.parameters, self.observer.observe()
        poses = map(Pose, now.position, now.quaternion)
        found = zip(model.bodies, poses, strict=True)
        return [body.name for body, pose in found if reaches(body, values, pose, place)]

    def _category(self, name: str) -> int:
        """Return the category: robot for bodies of a URDF, else by whether they move."""
        description = self._model.contents
        if _URDF.search(description.sources.get(f'bodies.{name}', description.source)):
            return ROBOT
        return STATIC_OBJECT if name in self._model.grounded else DYNAMIC_OBJECT

    def _write_state(self, name: str, state: Any) -> None:
        """Write pose and twist of a body's origin, in the world."""
        position, quaternion, velocity, rate = body_state(
            self.observer.observe(), self._model.body_names.index(name)
        )
        state.header.frame_id = self._world
        state.header.stamp = stamp(self._scheduler.nanoseconds)
        write_vector(state.pose.position, position.tolist())
        write_rotation(state.pose.orientation, quaternion.tolist())
        write_vector(state.twist.linear, velocity.tolist())
        write_vector(state.twist.angular, rate.tolist())

    def unknown(self, name: str) -> str:
        """Return that there is no such entity, and a name that is like it."""
        return str(no_such('entity', name, (*self.spawned, *self._model.body_names)))


def _pattern(text: str) -> re.Pattern[str]:
    """Return a filter of names, compiled; OptionError if it is wrong or may take very long."""
    if re.search(r'\)[*+{]', text) or len(re.findall(r'[*+{]', text)) > MOST_REPEATS:
        raise OptionError(f'filter: at most {MOST_REPEATS} repetitions, and none of a group')
    try:
        return re.compile(re.sub(r'\[:(\w+):\]', _class_of_posix, text))
    except re.error as error:
        raise OptionError(f'filter: {error}') from error


def _class_of_posix(found: re.Match[str]) -> str:
    if found[1] not in CLASSES:
        raise re.error(f'no class {found[0]}; there are: {", ".join(CLASSES)}')
    return CLASSES[found[1]]
