"""The multibody model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from symcontact_ros.contact.material import Material
from symcontact_ros.errors import Fault, ModelError, no_such, OptionError
from symcontact_ros.expressions import evaluate, Scalar
from symcontact_ros.model.building.builder import build, Parts, STANDARD_GRAVITY
from symcontact_ros.model.building.plain_values import plain, with_numbers, with_values
from symcontact_ros.model.description import Description
from symcontact_ros.model.joint_armatures import with_armatures
from symcontact_ros.model.joint_stops import moved_starts, with_stops
from symcontact_ros.model.pair_rules import PairList
from symcontact_ros.model.parts import Body, Mimic, WORLD
from symcontact_ros.model.run_settings import RunSettings
from symcontact_ros.model.words import without_words


def check_model(model: object) -> None:
    """Raise OptionError unless this is a model; a name or a path is loaded first."""
    if not isinstance(model, Model):
        hint = f': load_model({str(model)!r}) returns one' if isinstance(model, str | Path) else ''
        raise OptionError(f'model must be a Model, got {model!r:.60}{hint}')


class Model:
    """
    A tree of bodies, their shapes and materials, and gravity.

    Load one with ``load_model``, or build one::

        model = Model('pendulum', dimension=2)
        model.add_parameter('l', 1.0, unit='m')
        model.add_body('bob', mass=1.0, com=['l', 0, 0], inertia={'izz': 0.0},
                       joint={'type': 'revolute'})

    Every key of a model file is an argument here, with the same meaning. ModelError lists all
    faults at once.

    Parameters
    ----------
    name
        Name of the model.
    dimension
        2: planar, in the world's xy plane; 3: spatial.
    gravity
        In world axes [m/s^2]; default: 9.81 downwards, along -y in the plane and -z in space.

    """

    def __init__(
        self, name: str = 'model', dimension: int = 2, gravity: Sequence[Scalar] | None = None
    ) -> None:
        data = {'format_version': 1, 'name': name, 'dimension': dimension}
        given = {} if gravity is None else {'gravity': gravity}
        self._describe(Description(str(name), plain({**data, **given})), complete=False)

    @classmethod
    def from_description(
        cls,
        description: Description,
        overrides: Mapping[str, float] | None = None,
        complete: bool = True,
    ) -> Model:
        """
        Return the model of a description; ModelError with all its faults.

        ``complete``: a model in which nothing can move is one of them.
        """
        model = cls.__new__(cls)
        model._describe(description, overrides, complete)
        if overrides:
            gravity = STANDARD_GRAVITY[model.dimension]
            values = {name: model.parameters[name] for name in map(str, overrides)}
            data = with_values(description.data, values, gravity, model.bodies)
            model.contents = replace(description, data=data)
        return model

    def __getstate__(self) -> dict[str, Any]:
        """Return what `pickle` stores: the description, and what was said of it."""
        names = {field.name for field in fields(Description)} - {'faults', 'limits'}
        stored = {name: getattr(self.contents, name) for name in sorted(names)}
        return {'description': stored, 'warnings': self.warnings, 'notes': self.notes}

    def __setstate__(self, stored: Mapping[str, Any]) -> None:
        """Build the model anew from its description."""
        warnings, notes = (list(stored['description'][name]) for name in ('warnings', 'notes'))
        description = Description(**{**stored['description'], 'warnings': [], 'notes': []})
        self._describe(description, complete=False)
        # Some of it was found while a file was read, and is not found again.
        self.contents = replace(description, warnings=warnings, notes=notes)
        self.warnings, self.notes = tuple(stored['warnings']), tuple(stored['notes'])

    def __repr__(self) -> str:
        return f'<Model {self.summary()}>'

    def summary(self) -> str:
        """Return name, dimension, bodies and degrees of freedom in a few words."""
        bodies, freedom = len(self.bodies), self.speed_count
        return (
            f'{self.name}: {"planar" if self.dimension == 2 else "spatial"}, '
            f'{bodies} {"body" if bodies == 1 else "bodies"}, '
            f'{freedom} degree{"" if freedom == 1 else "s"} of freedom'
        )

    # Contents ------------------------------------------------------------------------------

    @property
    def description(self) -> str:
        """What the model is and what to see in it, in a sentence or two; '' where not said."""
        return self.words.description

    @property
    def topic(self) -> str:
        """Among which models `symcontact list` shows it, such as 'space'; '' where not said."""
        return self.words.topic

    @property
    def parameters(self) -> dict[str, float]:
        """The live symbols and their values at the start."""
        return {name: symbol.value for name, symbol in self.symbols.items()}

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of all bodies, parents before children."""
        return tuple(body.name for body in self.bodies)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """
        Names of the joints with one degree of freedom, in the order of q, u and effort.

        Joints that mimic another one have none of their own: see ``followers``.
        """
        return tuple(body.joint.name for body in self.bodies if body.joint.is_driven)

    @property
    def followers(self) -> dict[str, Mimic]:
        """The joints that follow another one, by name, in the order of the bodies."""
        joints = (body.joint for body in self.bodies)
        return {joint.name: joint.mimic for joint in joints if joint.mimic is not None}

    @property
    def moving(self) -> tuple[Body, ...]:
        """The bodies whose joints have coordinates of their own, in the order of q."""
        return tuple(body for body in self.bodies if body.joint.speeds)

    @property
    def jointed(self) -> tuple[Body, ...]:
        """The bodies whose joints move: those of ``moving``, and those that follow them."""
        return tuple(body for body in self.bodies if not body.joint.kind.is_fixed)

    @cached_property
    def grounded(self) -> frozenset[str]:
        """Names of the bodies that can never move."""
        still = {WORLD}
        for body in self.bodies:
            if body.joint.kind.is_fixed and body.joint.parent in still:
                still.add(body.name)
        return frozenset(still - {WORLD})

    @property
    def coordinate_count(self) -> int:
        """Length of q."""
        return sum(body.joint.coordinates for body in self.bodies)

    @property
    def speed_count(self) -> int:
        """Length of u."""
        return sum(body.joint.speeds for body in self.bodies)

    @property
    def collide(self) -> PairList | None:
        """The only pairs that may touch, as listed; None: all."""
        return self.pair_rules.collide

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """
        Names (a, b) of the bodies that may touch, a < b, in alphabetical order.

        A simulation leaves out those of a robot that overlap at the start: `Simulation.pairs`.
        """
        return self.pair_rules.pairs

    @property
    def detector(self) -> str | None:
        """Collision detection that the model is made for; None: it names none."""
        return self.own_settings.detector

    @property
    def integrator(self) -> str | None:
        """Integrator that the model is made for; None: it names none."""
        return self.own_settings.integrator

    @property
    def step_size(self) -> float | None:
        """Fixed step that the model is made for [s]; None: it names none."""
        return self.own_settings.step_size

    def run_settings(
        self,
        detector: str | None = None,
        integrator: str | None = None,
        step_size: float | None = None,
    ) -> RunSettings:
        """Return settings of a run: what is given, else the model's own, else the defaults."""
        return self.own_settings.completed(detector, integrator, step_size)

    def body(self, name: str) -> Body:
        """Return the body of that name; OptionError suggests a name if there is none."""
        if name not in self._body_of_name:
            raise no_such('body', name, self.body_names)
        return self._body_of_name[name]

    def material(self, a: str, b: str) -> Material:
        """Return the material of a pair of bodies."""
        for body in (a, b):
            self.body(body)
        pair = (min(a, b), max(a, b))
        material = self.materials[self.pair_materials.get(pair, 'default')]
        ratio = self.stiffness_ratios.get(pair, 1.0)
        return material if ratio == 1.0 else material.scaled(ratio)

    def number(self, scalar: Scalar) -> float:
        """Return a number or formula of the model as it is at the start."""
        return evaluate(scalar, self.parameters)

    # Building ----------------------------------------------------------------------------

    def add_parameter(self, name: str, value: float, **keys: Any) -> None:
        """Add a live symbol; keys: min, max, unit, description, latex."""
        self._add('parameters', name, {'value': value, **keys})

    def add_material(self, name: str, **keys: Any) -> None:
        """Add a material; keys as under ``materials:`` of a model file."""
        self._add('materials', name, keys)

    def add_body(self, name: str, **keys: Any) -> None:
        """Add a body; keys as under ``bodies:`` of a model file, shapes also as objects."""
        self._add('bodies', name, keys)

    def set(self, **keys: Any) -> None:
        """Set top-level keys of the model file, such as ``collide``, ``sensors``, ``duration``."""
        data = plain({**self.contents.data, **keys})
        self._describe(self._with(data), complete=False)

    def to_yaml(self, path: str | Path | None = None) -> str:
        """Return the model as the text of a model file; write it where a path is given."""
        text = _dumped(self.contents.data)
        if path is not None:
            Path(path).write_text(text, encoding='utf-8')
        return text

    def simulated_yaml(self) -> str:
        """Return the text of a model file without the words that change nothing in a run."""
        return _dumped(without_words(self.contents.data))

    def _add(self, table: str, name: str, keys: dict[str, Any]) -> None:
        data = plain(self.contents.data)
        entries = data.setdefault(table, {})
        if str(name) in entries:
            raise ModelError([Fault(self.name, None, f'{table}.{name}', 'already exists')])
        entries[str(name)] = plain(keys)
        self._describe(self._with(data), complete=False)

    def _with(self, data: dict[str, Any]) -> Description:
        """Return the description with other data; what was said of its file still holds."""
        said = self.contents.warnings, self.contents.notes
        changed = replace(self.contents, source=self.name, data=data, lines={}, sources={})
        return replace(changed, faults=[], limits=[], warnings=[*said[0]], notes=[*said[1]])

    def _describe(
        self,
        description: Description,
        overrides: Mapping[str, float] | None = None,
        complete: bool = True,
    ) -> None:
        parts: Parts = build(description, overrides, complete)
        self.contents = description
        self.name = parts.name
        self.dimension = parts.dimension
        self.gravity = parts.gravity
        self.symbols = parts.symbols
        self.bodies = parts.bodies
        self._body_of_name = {body.name: body for body in parts.bodies}
        self.materials, self.pair_materials, self.stiffness_ratios = parts.materials
        self.pair_rules = parts.pair_rules
        self.sensors = parts.sensors
        self.initial_overlap = parts.initial_overlap
        self.duration = parts.duration
        self.own_settings = parts.settings
        self.words = parts.words
        self.limits = parts.limits
        self.__dict__.pop('grounded', None)  # of the bodies before
        # What follows from where the model starts.
        self.bodies, warnings = with_armatures(self)
        self.bodies = with_stops(self)
        self._body_of_name = {body.name: body for body in self.bodies}
        self.warnings = (*parts.warnings, *warnings, *moved_starts(self))
        self.notes = (*self.warnings, *parts.notes)


def _dumped(data: dict[str, Any]) -> str:
    """Return the text of a model file with these data."""
    import yaml

    return str(yaml.safe_dump(with_numbers(plain(data)), sort_keys=False, allow_unicode=True))
