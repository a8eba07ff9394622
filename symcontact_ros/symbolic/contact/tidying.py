"""Steps of contact equations as they are printed: short ones are put in their place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import sympy as sm

from symcontact_ros.symbolic.contact.steps import Steps
from symcontact_ros.symbolic.expansion import Assignments, needed

SHORT = 4  # operations of a step without a name that is written out wherever it is used
LONGEST = 40  # operations of one that is used once


@dataclass(frozen=True)
class Tidied:
    """Steps that are printed, and what stands for all others."""

    steps: Assignments
    meaning: dict[sm.Symbol, sm.Expr]

    def __call__(self, value: sm.Expr) -> sm.Expr:
        """Return an expression in terms of the steps that are printed."""
        return value.xreplace(self.meaning)

    def needed(self, values: Iterable[sm.Expr]) -> Assignments:
        """Return the steps that some expressions depend on."""
        return needed(self.steps, [self(value) for value in values])


def tidied(s: Steps, results: list[sm.Expr]) -> Tidied:
    """Return the steps of results; those without names get some if they stay."""
    assignments = needed(s.r.assignments, results)
    uses = Counter(
        symbol
        for value in (*(value for _, value in assignments), *results)
        for symbol in value.free_symbols
    )
    meaning: dict[sm.Symbol, sm.Expr] = {}
    steps: Assignments = []
    s.index, count = '', 0
    for symbol, value in assignments:
        whole = value.xreplace(meaning)
        size = whole.count_ops()
        if symbol in s.named:
            steps.append((symbol, whole))
        elif size <= SHORT or (uses[symbol] == 1 and size <= LONGEST):
            meaning[symbol] = whole
        else:
            count += 1
            meaning[symbol] = s.symbol(f'y_{count}')
            steps.append((meaning[symbol], whole))
    return Tidied(steps, meaning)
