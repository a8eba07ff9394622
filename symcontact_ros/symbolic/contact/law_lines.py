"""A contact law in a few lines, as text and as LaTeX, in symbols of any contact point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sm

from symcontact_ros.contact.evaluation import NO_SLIP
from symcontact_ros.symbolic.contact.contact_laws import SymbolicLaw

SLIP = sm.Symbol('slip', positive=True)  # length of v_t; printed as such

TEXT = """\
{law}, of a point with one of {N} parts of the stiffness
  {rho} = max(0, -{phi}), {v} = {J} {u}, {v_n} = {n} . {v}, {v_t} = {v} - {v_n} {n}
  {F_n} = {normal}"""
SLIPS = """\
  {F} = {F_n} {n} - {F_t} {v_t}/|{v_t}|, {F_t} = {friction}; \
no {F_t} below |{v_t}| = {no_slip:g}"""
STICKS = """\
  {F} = {F_n} {n} - {mu} {F_n} {z}/max(1, |{z}|), {z} = {s}/{delta} + {v_t}/{vs}
  {s}, the stretch of an anchor, is part of the state: d/dt {s} = {v_t} + {w} ({n} x {s}), {w} the
  mean rate of turn of A and B about {n}. It is 0 when the point begins to touch, and after each
  step no longer than {delta}."""

TEX_HEAD = (
    r'<rho> &= \max(0, -<phi>), \quad \mathbf{v} = \mathbf{J} \mathbf{u}, \quad '
    r'<v_n> = \mathbf{n} \cdot \mathbf{v}, \quad \mathbf{v}_t = \mathbf{v} - <v_n> \mathbf{n}'
)
TEX_SLIPS = (
    r'\mathbf{F} &= <F_n> \mathbf{n} - <F_t> \frac{\mathbf{v}_t}{\left|\mathbf{v}_t\right|}, '
    r'\quad <F_t> = <friction>'
)
TEX_STICKS = (
    r'\mathbf{F} &= <F_n> \mathbf{n} - <mu> <F_n> '
    r'\frac{\mathbf{z}}{\max(1, \left|\mathbf{z}\right|)}, \quad '
    r'\mathbf{z} = \frac{\mathbf{s}}{<delta>} + \frac{\mathbf{v}_t}{<vs>}',
    r'\dot{\mathbf{s}} &= \mathbf{v}_t + \tfrac{1}{2} \left((\boldsymbol{\omega}_A + '
    r'\boldsymbol{\omega}_B) \cdot \mathbf{n}\right) \mathbf{n} \times \mathbf{s}, \quad '
    r'\left|\mathbf{s}\right| \le <delta>',
)


class LawLines:
    """
    Lines of a law.

    Parameters
    ----------
    law
        The law.
    words
        Symbols of a contact point, by name.
    show
        Prints an expression.
    """

    def __init__(
        self, law: SymbolicLaw, words: Mapping[str, sm.Symbol], show: Callable[[Any], str]
    ) -> None:
        self.law = law
        rho, v_n, f_n, count = (words[name] for name in ('rho', 'v_n', 'F_n', 'N'))
        # The part 1/N stands apart, as a factor.
        self.parts = {'normal': show(law.normal_force(rho, v_n, sm.Integer(1)) / count)}
        if law.sticks:
            material = law.material
            self.parts |= {
                'delta': show(law.constant(material.presliding)),
                'vs': show(law.constant(material.slip_speed)),
                'mu': show(law.constant(material.friction)),
            }
        else:
            self.parts['friction'] = show(law.friction(f_n, rho, v_n, SLIP, 1 / count))
        self.parts |= {name: show(word) for name, word in words.items()}

    def text(self, number: int) -> list[str]:
        """Return the lines as text; number 0: the only law."""
        said = self.law.material.law
        law = f'law {number} ({said})' if number else f'law ({said})'
        lines = TEXT + '\n' + (STICKS if self.law.sticks else SLIPS)
        friction = self.parts.get('friction', '').replace('slip', f'|{self.parts["v_t"]}|')
        parts = {**self.parts, 'friction': friction}
        return [lines.format(law=law, no_slip=NO_SLIP, **parts), *self._details()]

    def latex(self) -> list[str]:
        """Return the lines as LaTeX, of an environment align."""
        lines = [TEX_HEAD, '<F_n> &= <normal>']
        lines += TEX_STICKS if self.law.sticks else (TEX_SLIPS,)
        return [self._filled(line) for line in lines]

    def notes(self) -> str:
        """Return in words what the formulas in LaTeX leave unsaid."""
        if not self.law.sticks:
            return f'Below a slip of {NO_SLIP:g} m/s there is no friction.'
        begin = (
            'The stretch s of an anchor is part of the state, 0 when its point begins to touch.'
        )
        return ' '.join([begin, *(line.strip() for line in self._details())])

    def _filled(self, line: str) -> str:
        for name, value in self.parts.items():
            line = line.replace(f'<{name}>', value)
        return line

    def _details(self) -> list[str]:
        """Return what friction that sticks has beside its formula."""
        material, lines = self.law.material, []
        static, radius = material.static_friction, self.law.constant(material.torsional_radius)
        if not self.law.sticks:
            return []
        if static is not None and static != material.friction:
            said = self.law.constant(static)
            lines.append(f'  While the stretch is shorter, {said} stands in place of mu.')
        if radius != 0:
            lines.append(
                '  Of a pair with one point, stretch and slip have a component about n: '
                f'{radius} times angle and rate; its force times {radius} is a torque.'
            )
        return lines
