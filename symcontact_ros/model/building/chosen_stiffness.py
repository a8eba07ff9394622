"""Stiffness that is chosen for the user, pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
import math
from typing import NamedTuple

from symcontact_ros.contact.base import Law
from symcontact_ros.model.building.pair_loads import PairLoad
from symcontact_ros.model.building.reader import LARGEST
from symcontact_ros.model.pair_rules import NamePair

SAME = 1e-9  # of a ratio: pairs that differ by rounding share their constants


class _Choice(NamedTuple):
    load: PairLoad
    depth: float  # [m]
    stiffness: float

    def words(self) -> str:
        """Return what the stiffness is good for."""
        return f'{self.load.weight:.4g} N at {1e3 * self.depth:.4g} mm'


class ChosenStiffness:
    """
    Stiffness of every pair of a material, at which its weight rests at a small depth.

    The value of the material is that of the pair with the largest weight, and of these the
    stiffest; other pairs have a constant ratio to it.

    Parameters
    ----------
    law
        Of the material.
    loads
        Of its pairs.
    default
        Load for a material that no pair has.
    depth
        At which all weights rest [m]; 0: each at a part of the size of its pair.
    """

    def __init__(
        self, law: Law, loads: Sequence[PairLoad], default: PairLoad, depth: float
    ) -> None:
        self._unit = law.stiffness_unit
        numbers: dict[tuple[float, ...], tuple[float, float]] = {}  # most pairs are alike
        self._choices = []
        for load in loads or [default]:
            if load[1:] not in numbers:
                numbers[load[1:]] = _depth_and_stiffness(law, load, depth)
            self._choices.append(_Choice(load, *numbers[load[1:]]))
        self._first = max(self._choices, key=lambda c: (c.load.weight, c.stiffness))

    @property
    def value(self) -> float:
        """Stiffness of the material."""
        return self._first.stiffness

    def fault(self) -> str:
        """Return why there is no stiffness; '' where there is one, or no depth."""
        for choice in self._choices:
            if not choice.stiffness <= LARGEST and not math.isnan(choice.depth):
                weight, depth = choice.load.weight, choice.depth
                return f'no stiffness rests {weight:.4g} N at {depth:.4g} m'
        return ''

    def ratios(self) -> dict[NamePair, float]:
        """Return the ratios of stiffness to that of the material, of pairs that have another."""
        ratios = {c.load.pair: c.stiffness / self.value for c in self._choices}
        return {
            pair: float(f'{ratio:.9g}')
            for pair, ratio in ratios.items()
            if abs(ratio - 1.0) > SAME
        }

    def explanation(self) -> str:
        """Return what was chosen, and from what."""
        first = self._first
        text = f'stiffness {first.stiffness:.4g} rests {first.words()}'
        by_size = sorted(self._choices, key=lambda choice: choice.stiffness)
        softest, stiffest = by_size[0], by_size[-1]
        if abs(stiffest.stiffness / softest.stiffness - 1.0) <= SAME:
            return text
        ends = ' to '.join(
            f'{end.stiffness:.4g} ({" - ".join(end.load.pair)}: {end.words()})'
            for end in (softest, stiffest)
        )
        pair = ' - '.join(first.load.pair)
        return f'{text} ({pair}); {len(by_size)} pairs by weight and size: {ends} {self._unit}'


def _depth_and_stiffness(law: Law, load: PairLoad, depth: float) -> tuple[float, float]:
    try:
        depth = depth if depth != 0.0 else load.rest_depth(law)
    except ArithmeticError:  # a mass next to nothing
        return 0.0, math.inf
    if not depth > 0.0:
        return depth, math.nan  # reported already
    try:
        return depth, law.rest_stiffness(depth, load.weight)
    except ArithmeticError:
        return depth, math.inf
