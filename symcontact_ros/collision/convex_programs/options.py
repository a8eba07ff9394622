"""Options of collision detection by convex optimisation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib.util import find_spec
import math

from symcontact_ros.errors import no_such, not_one_of, OptionError, shown_value
from symcontact_ros.optional_packages import way_to
from symcontact_ros.types import float_of

PROGRAMS = ('auto', 'min_distance', 'growth')
SOLVERS = ('builtin', 'ecos', 'cvxpy')
PACKAGES = {'ecos': ('ecos',), 'cvxpy': ('cvxpy', 'ecos')}  # that solvers need


@dataclass(frozen=True)
class Options:
    """
    Choice of program and solver.

    Attributes
    ----------
    program
        ``'min_distance'``: the least distance of shrunk shapes, to which what they were shrunk by
        is added. ``'growth'``: the least factor by which both must grow to touch. ``'auto'``: the
        one that is exact, and growth for two flat bodies in overlap, of which none is.
    solver
        ``'builtin'``: compiled, with proof; ``'ecos'``: ECOS called directly; ``'cvxpy'``: a
        problem of CVXPY with parameters, solved by ECOS. The last two run as plain Python.
    core_radius
        R* of the paper: what is left of the radius of a round shape in ``min_distance`` [m].
    margin
        How far the sides of a flat shape are moved inwards in ``min_distance`` [m]: its corners
        then count as rounded by this.
    """

    program: str = 'auto'
    solver: str = 'builtin'
    core_radius: float = 0.0
    margin: float = 0.0

    @property
    def is_shrinking(self) -> bool:
        """Whether shapes are shrunk by other than their radius."""
        return self.program == 'min_distance' and (self.core_radius > 0.0 or self.margin > 0.0)


def options_of(given: Mapping[str, object] | Options | None) -> Options:
    """Return options as they were given; OptionError names all that cannot be."""
    if isinstance(given, Options):
        return given
    faults = faults_of(given or {})
    if faults:
        raise OptionError('; '.join(faults))
    return Options(**(given or {}))  # type: ignore[arg-type]


def faults_of(given: Mapping[str, object]) -> list[str]:
    """Return all that is wrong with options."""
    known = [field.name for field in fields(Options)]
    faults = [str(no_such('option', f'co.{n}', known)) for n in given if n not in known]
    for name, choices in (('program', PROGRAMS), ('solver', SOLVERS)):
        if given.get(name, choices[0]) not in choices:
            faults.append(not_one_of(f'co.{name}', choices, given[name]))
    for name in ('core_radius', 'margin'):
        value = given.get(name, 0.0)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not 0.0 <= float_of(value) < math.inf:
            faults.append(f'co.{name} must be >= 0 metres, got {shown_value(value)}')
    missing = [p for p in PACKAGES.get(str(given.get('solver')), ()) if find_spec(p) is None]
    if missing:
        faults.append(
            f'co.solver {given["solver"]}: {", ".join(missing)} not installed: {way_to("ecos")}'
        )
    return faults
