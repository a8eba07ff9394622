"""The pairs of features of two bodies: all of them, or those that are nearest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
import itertools

from numpy.typing import ArrayLike

from symcontact_ros.errors import no_such, OptionError
from symcontact_ros.expressions import Values
from symcontact_ros.model.model import Model
from symcontact_ros.model.parts import PlacedShape
from symcontact_ros.symbolic.contact.contact_feature import ContactFeature, live_values
from symcontact_ros.symbolic.contact.distances import has_closed_form
from symcontact_ros.symbolic.contact.feature_kinds import Feature, LINE
from symcontact_ros.symbolic.contact.feature_motions import Motions
from symcontact_ros.symbolic.contact.frames import frame_of
from symcontact_ros.symbolic.contact.nearest import nearest
from symcontact_ros.symbolic.contact.shape_features import features_of

MOST_PAIRS = 10_000  # of features that are listed


def contact_geometry(
    model: Model,
    body_a: str,
    body_b: str,
    q: ArrayLike | None = None,
    parameters: Mapping[str, float] | None = None,
) -> list[ContactFeature]:
    """
    Return distance, normal and Jacobian of two bodies in SymPy, one set per pair of features.

    Parameters
    ----------
    model
        The model.
    body_a, body_b
        Names of two bodies, in any order; in the results A < B by name.
    q
        Coordinates: of each pair of shapes, the features that are nearest there. Omitted: every
        pair of features that has a closed form.
    parameters
        Live symbols that differ from those of the model, such as ``sim.parameters``. They stay
        symbols: which features are nearest, and which vertices are corners, depends on them.

    Raises
    ------
    OptionError
        For bodies that are none or have no shapes, for a ``q`` that does not fit, for features
        without a closed form at ``q``, and for more than 10,000 pairs of features.
    """
    bodies = _bodies(model, body_a, body_b)
    motions = Motions(model)
    values = live_values(motions, parameters or {})
    features = features_of_bodies(motions, bodies, values)
    if q is not None:
        chosen = nearest(motions, bodies, features, values, q)
        return [ContactFeature(motions, bodies, pair) for pair in chosen]
    count = sum(len(a) * len(b) for a, b in itertools.product(*features))
    if count > MOST_PAIRS:
        raise OptionError(
            f'{" and ".join(bodies)} have {count} pairs of features: give q to have the nearest'
        )
    return [
        ContactFeature(motions, bodies, pair)
        for own, others in itertools.product(*features)
        for pair in pairs_of(own, others)
    ]


def features_of_bodies(
    motions: Motions, bodies: tuple[str, str], values: Values
) -> list[list[tuple[Feature, ...]]]:
    """Return the features of every shape of two bodies, in the frames of the bodies."""
    return [
        [_on_body(motions, placed, values) for placed in motions.model.body(body).shapes]
        for body in bodies
    ]


def pairs_of(
    own: tuple[Feature, ...], others: tuple[Feature, ...]
) -> Iterator[tuple[Feature, Feature]]:
    """Yield the pairs with a closed form; lines twice, as they may pass on either side."""
    for one, other in itertools.product(own, others):
        if has_closed_form(one, other):
            yield one, other
            if one.form == other.form == LINE:
                yield one, other.reversed()


def _on_body(motions: Motions, placed: PlacedShape, values: Values) -> tuple[Feature, ...]:
    live = motions.names.live
    frame = frame_of(placed.placement, live)
    own = features_of(placed.shape, motions.model.dimension, live, values)
    return tuple(feature.on_body(motions.recorder, frame) for feature in own)


def _bodies(model: Model, body_a: str, body_b: str) -> tuple[str, str]:
    """Return the names in order; OptionError lists all faults of them."""
    faults = []
    for name in dict.fromkeys((body_a, body_b)):
        if name not in model.body_names:
            faults.append(str(no_such('body', name, model.body_names)))
        elif not model.body(name).shapes:
            faults.append(f'body {name!r} has no shapes')
    if body_a == body_b:
        faults.append(f'two bodies are needed, got {body_a!r} twice')
    if faults:
        raise OptionError('; '.join(faults))
    first, second = sorted((body_a, body_b))
    return first, second
