"""Equations of motion with contacts in SymPy: M udot = forcing + sum of J^T F."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
import itertools

import sympy as sm

from symcontact_ros.collision.detection import Detection
from symcontact_ros.errors import OptionError
from symcontact_ros.model.initial_state import initial_state
from symcontact_ros.model.model import Model
from symcontact_ros.symbolic.contact.contact_geometry import features_of_bodies
from symcontact_ros.symbolic.contact.contact_laws import SymbolicLaw
from symcontact_ros.symbolic.contact.contact_points import contact_point, ContactPoint, Touch
from symcontact_ros.symbolic.contact.distances import meeting
from symcontact_ros.symbolic.contact.feature_kinds import Feature
from symcontact_ros.symbolic.contact.feature_motions import Motions
from symcontact_ros.symbolic.contact.frames import frame_of
from symcontact_ros.symbolic.contact.nearest import nearest
from symcontact_ros.symbolic.contact.pair_forms import has_form, pair_form
from symcontact_ros.symbolic.contact.solids import PairForm, Solid, Spot
from symcontact_ros.symbolic.contact.steps import Steps
from symcontact_ros.symbolic.contact.tidying import Tidied, tidied
from symcontact_ros.symbolic.forms import forms_of
from symcontact_ros.symbolic.naming import NameMaker
from symcontact_ros.symbolic.typesetting import atom

MOST_PAIRS = 40  # of shapes
WORDS = (
    *('phi', 'rho', 'n', 'r', 'v', 'v_n', 'v_t'),
    *('F', 'F_n', 'F_t', 'N', 'z', 's', 'w', 'J', 'u'),
)

NamePair = tuple[str, str]
# By bodies and numbers of their shapes: the nearest features.
FeaturesAtStart = dict[tuple[NamePair, tuple[int, int]], tuple[Feature, Feature]]


@dataclass
class ContactPair:
    """
    Two shapes of two bodies that may touch, A < B by name, and their contact points.

    Attributes
    ----------
    bodies, kinds
        Names of the bodies, kinds of their shapes.
    law
        Number of its law, from 0.
    points
        Contact points. Empty: not in formulas.
    features
        '' where the formulas hold everywhere; else the features that they are of, nearest at the
        start: one contact point of those that the simulation may have.
    shares
        N: how many parts of the stiffness the points of this pair share.
    """

    bodies: NamePair
    kinds: tuple[str, str]
    law: int
    points: list[ContactPoint] = field(default_factory=list)
    features: str = ''
    shares: int = 1

    @property
    def is_everywhere(self) -> bool:
        """Whether its formulas hold in every state."""
        return bool(self.points) and not self.features


class ContactEquations:
    """
    Equations of motion of a model with the forces of its contacts, as they are simulated.

    ``text()``, ``latex()`` and ``source('python' | 'c')`` print them. The detector is ``sat``, the
    manifold ``shared``. A step of the simulation finds features once, at its start.

    Attributes
    ----------
    forms
        The equations without contacts: ``mass_matrix``, ``forcing``, ``qdot``, symbols.
    pairs
        Pairs of shapes that may touch.
    laws
        Contact laws of their materials.
    """

    def __init__(self, model: Model, pairs: Sequence[NamePair]) -> None:
        self.model = model
        self.forms = forms_of(model, 'recursive')
        self._motions = Motions(model)
        self._steps = Steps(self._motions)
        # What quantities of any contact point are called, past the names of the model.
        known = self._motions.names.latex
        words = NameMaker((name.name for name in known), known.values())
        self.words = {word: words.new(word, atom(word)) for word in WORDS}
        self._latex_of_words = words.latex
        self.laws: list[SymbolicLaw] = []
        shapes = [(pair, numbers) for pair in pairs for numbers in _shape_pairs(model, pair)]
        if len(shapes) > MOST_PAIRS:
            raise OptionError(
                f'{model.name} has {len(shapes)} pairs of shapes that may touch, more than the '
                f'{MOST_PAIRS} that are printed; name two bodies: --contact A B'
            )
        features = self._features_at_start(pairs)
        self.pairs = [
            self._pair(pair, numbers, str(count) if len(shapes) > 1 else '', features)
            for count, (pair, numbers) in enumerate(shapes, 1)
        ]

    @property
    def points(self) -> list[ContactPoint]:
        """All contact points."""
        return [point for pair in self.pairs for point in pair.points]

    @property
    def latex_names(self) -> dict[sm.Symbol, str]:
        """LaTeX of all symbols."""
        return self._latex_of_words | self._steps.names.latex | self.forms.names.latex

    @cached_property
    def tidied(self) -> Tidied:
        """The steps of all contact points, short ones put in their place."""
        results = [x for point in self.points for x in point.results()]
        return tidied(self._steps, results)

    def text(self, wrenches: bool = False) -> str:
        """Return the equations as plain text."""
        from symcontact_ros.symbolic.contact.contact_text import text

        return text(self, wrenches)

    def latex(self, wrenches: bool = False) -> str:
        """Return the equations as a LaTeX document, with a legend of all symbols."""
        from symcontact_ros.symbolic.contact.contact_latex import latex

        return latex(self, wrenches)

    def source(self, language: str) -> str:
        """Return functions in 'python' or 'c' that compute the simulation's accelerations."""
        from symcontact_ros.symbolic.contact.contact_sources import source

        return source(self, language)

    # How it is done -----------------------------------------------------------------------------

    def _pair(
        self,
        bodies: NamePair,
        numbers: tuple[int, int],
        index: str,
        features: FeaturesAtStart,
    ) -> ContactPair:
        motions, s = self._motions, self._steps
        solids = [self._solid(body, number) for body, number in zip(bodies, numbers, strict=True)]
        kinds = (solids[0].shape.kind, solids[1].shape.kind)
        pair = ContactPair(bodies, kinds, self._law(bodies))
        s.index = index
        chosen = features.get((bodies, numbers))
        if chosen is not None:
            pair.features = f'{chosen[0].name} of {bodies[0]}, {chosen[1].name} of {bodies[1]}'
            form = self._of_features(bodies, chosen, kinds)
        else:
            found = pair_form(s, solids[0], solids[1])
            if found is None:
                return pair
            form = found
        pair.shares = form.shares
        touch = Touch(bodies, form.normal, self.laws[pair.law], sm.Rational(1, form.shares))
        for count, spot in enumerate(form.spots):
            s.index = f'{index}{chr(97 + count)}' if len(form.spots) > 1 else index
            pair.points.append(contact_point(s, motions, touch, spot))
        return pair

    def _solid(self, body: str, number: int) -> Solid:
        motions = self._motions
        placed = self.model.body(body).shapes[number]
        live = motions.names.live
        frame = frame_of(placed.placement, live).within(motions.recorder, motions[body].frame)
        return Solid(placed.shape, frame, self.model.dimension, live)

    def _law(self, bodies: NamePair) -> int:
        law = SymbolicLaw(self.model.material(*bodies), self._motions.names.live)
        if law not in self.laws:
            self.laws.append(law)
        return self.laws.index(law)

    def _of_features(
        self, bodies: NamePair, chosen: tuple[Feature, Feature], kinds: tuple[str, str]
    ) -> PairForm:
        """Return the contact point of two features, which has one of the shares of its pair."""
        s, motions = self._steps, self._motions
        one, other = (
            feature.placed(s.r, motions[body].frame)
            for feature, body in zip(chosen, bodies, strict=True)
        )
        found = meeting(s.r, one, other)
        phi = s.call('phi', found.distance)
        normal = s.vector('n', found.normal)
        known = Detection(self.model.dimension).table.PAIRS
        shares = (known.get(kinds) or known[kinds[::-1]]).shares
        return PairForm(normal, [Spot(phi, found.point)], round(shares))

    def _features_at_start(self, pairs: Sequence[NamePair]) -> FeaturesAtStart:
        """Return the nearest features of the pairs of shapes that have no formula of their own."""
        motions, values = self._motions, self.model.parameters
        found: FeaturesAtStart = {}
        for pair in pairs:
            kinds = {
                numbers: tuple(
                    self.model.body(body).shapes[number].shape.kind
                    for body, number in zip(pair, numbers, strict=True)
                )
                for numbers in _shape_pairs(self.model, pair)
            }
            missing = [numbers for numbers, kind in kinds.items() if not has_form(kind)]
            if not missing:
                continue
            q, _ = initial_state(self.model, values)
            try:
                every = nearest(
                    motions, pair, features_of_bodies(motions, pair, values), values, q
                )
            except OptionError:
                continue
            found |= {
                (pair, numbers): features
                for numbers, features in zip(kinds, every, strict=True)
                if numbers in missing
            }
        return found


def _shape_pairs(model: Model, pair: NamePair) -> list[tuple[int, int]]:
    """Return the numbers of the shapes of two bodies, pair by pair."""
    first, second = (range(len(model.body(body).shapes)) for body in pair)
    return list(itertools.product(first, second))
