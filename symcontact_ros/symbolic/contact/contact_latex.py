"""Equations with contacts as a LaTeX document: equations, laws, contact points, legend."""

from __future__ import annotations

import re
from typing import Any, TYPE_CHECKING

import sympy as sm

from symcontact_ros.symbolic.contact.contact_text import heading
from symcontact_ros.symbolic.contact.law_lines import LawLines, SLIP
from symcontact_ros.symbolic.contact.legend import left_out
from symcontact_ros.symbolic.printing import dotted_tex, parts_of, tex_of

if TYPE_CHECKING:
    from symcontact_ros.symbolic.contact.contact_equations import ContactEquations, ContactPair
    from symcontact_ros.symbolic.contact.contact_points import ContactPoint

PREAMBLE = r"""\documentclass{article}
\usepackage{amsmath}
\usepackage{longtable}
\usepackage[a3paper,landscape,margin=15mm]{geometry}
\setcounter{MaxMatrixCols}{64}
\allowdisplaybreaks
\setlength{\parindent}{0pt}
\begin{document}
"""
MOTION = r'\mathbf{M} \dot{\mathbf{u}} &= \mathbf{f} + \sum \mathbf{J}^{\top} \mathbf{F}'
INTRODUCTION = r"""SI units, world axes. In a contact of $A$ and $B$, <phi> is the distance,
$\mathbf{n}$ the normal from $A$ to $B$, $\mathbf{r}$ the point of contact, $\mathbf{J} \mathbf{u}$
the velocity of $B$ relative to $A$ there. The force $\mathbf{F}$ acts on $B$ at $\mathbf{r}$, its
opposite on $A$. Collision detection \texttt{sat}, manifold \texttt{shared}; $<N>$ is the number
of parts of the stiffness of a pair, of which a point has one.
"""
_SPECIAL = re.compile(r'([#$%&_{}])')


def latex(equations: ContactEquations, wrenches: bool) -> str:
    """Return a whole document."""
    words = equations.words
    names = equations.latex_names | {SLIP: r'\left|\mathbf{v}_t\right|'}

    def tex(value: Any) -> str:
        return tex_of(value, names)

    def tex_law(value: Any) -> str:
        return tex_of(value, names, 'rev-lex')  # 1 - c v

    title = f'{escaped(equations.model.name)}: equations of motion with contacts'
    introduction = INTRODUCTION.replace('<phi>', f'${tex(words["phi"])}$')
    parts = [
        rf'\section*{{{title}}}',
        _aligned(
            [r'\mathbf{M} \dot{\mathbf{u}} &= \mathbf{f} + \sum \mathbf{J}^{\top} \mathbf{F}']
        ),
        introduction.replace('<N>', tex(words['N'])),
        _aligned(_equations(equations, wrenches, tex)),
    ]
    for number, law in enumerate(equations.laws, 1):
        lines = LawLines(law, words, tex_law)
        count = f' {number}' if len(equations.laws) > 1 else ''
        parts += [rf'\subsection*{{Law{count}: {escaped(law.material.law)}}}']
        parts += [_aligned(lines.latex()), escaped(lines.notes())]
    written: set[sm.Symbol] = set()
    for pair in equations.pairs:
        told, _, region = heading(equations, pair).partition('; ')
        parts += [rf'\subsection*{{{escaped(told).replace(" - ", " -- ")}}}']
        parts.append(f'{escaped(region[:1].upper() + region[1:])}.')
        if pair.points:
            parts.append(_aligned(_points(equations, pair, written, tex)))
    parts += [f'{escaped(line[0].upper() + line[1:])}.' for line in left_out(equations.model)]
    parts += [r'\subsection*{Legend}', _legend(equations)]
    return PREAMBLE + '\n'.join(parts) + '\n\\end{document}\n'


def escaped(words: str) -> str:
    """Return plain words for LaTeX; what it cannot print becomes a question mark."""
    plain = re.sub(r'[^ -~]', '?', words).replace('\\', '/')
    plain = _SPECIAL.sub(r'\\\1', plain)
    return plain.replace('^', r'\^{}').replace('~', r'\~{}')


def _aligned(lines: list[str]) -> str:
    body = ' \\\\\n'.join(lines)
    return f'\\begin{{align*}}\n{body}\n\\end{{align*}}'


def _equations(equations: ContactEquations, wrenches: bool, tex: Any) -> list[str]:
    """Return q, u, M, f and the rates of q."""
    forms = equations.forms
    mass_matrix, forcing, qdot, steps = parts_of(forms, wrenches)
    lines = [f'{tex(symbol)} &= {tex(value)}' for symbol, value in steps]

    def row(symbols: list[str]) -> str:
        entries = ' & '.join(symbols)
        return rf'\begin{{bmatrix}} {entries} \end{{bmatrix}}^{{\top}}'

    lines += [
        rf'\mathbf{{q}} &= {row([tex(symbol) for symbol in forms.q])}',
        rf'\mathbf{{u}} &= {row([tex(symbol) for symbol in forms.u])}',
        rf'\mathbf{{M}} &= {tex(mass_matrix)}',
        rf'\mathbf{{f}} &= {tex(forcing)}',
    ]
    rates = [(dotted_tex(tex(q)), rate) for q, rate in zip(forms.q, qdot, strict=True)]
    lines += [f'{rate} &= {tex(value)}' for rate, value in rates]
    return lines + [f'{tex(position)} &= {tex(value)}' for position, value in forms.followers]


def _points(
    equations: ContactEquations, pair: ContactPair, written: set[sm.Symbol], tex: Any
) -> list[str]:
    """Return the steps of a pair, and of each point n, r and J."""
    tidy = equations.tidied
    lines = []
    for point in pair.points:
        for symbol, value in tidy.needed(point.geometry()):
            if symbol not in written:
                written.add(symbol)
                lines.append(f'{tex(symbol)} &= {tex(value)}')
        index = rf'_{{\mathrm{{{point.index}}}}}' if point.index else ''
        lines += [
            rf'\mathbf{{{name}}}{index} &= {tex(sm.Matrix([tidy(x) for x in vector]))}'
            for name, vector in (('n', point.normal), ('r', point.place))
        ]
        lines.append(rf'\mathbf{{J}}{index} \mathbf{{u}} &= {_velocity(equations, point, tex)}')
    return lines


def _velocity(equations: ContactEquations, point: ContactPoint, tex: Any) -> str:
    """Return the columns of J that are not 0, and their speeds."""
    tidy, moving = equations.tidied, list(point.columns)
    columns = [[tidy(point.columns[j][i]) for j in moving] for i in range(3)]
    speeds = sm.Matrix([equations.forms.u[j] for j in moving])
    return f'{tex(sm.Matrix(columns))} {tex(speeds)}'


def _legend(equations: ContactEquations) -> str:
    names, live = equations.forms.names.latex, equations.forms.names.live
    rows = [r'symbol & value & unit & meaning \\ \hline']
    for name, symbol in equations.model.symbols.items():
        said = escaped(symbol.description or name)
        unit = re.sub(r'\\\^\{\}(-?[\d.]+)', r'$^{\1}$', escaped(symbol.unit))
        rows.append(rf'${names[live[name]]}$ & {symbol.value:.12g} & {unit} & {said} \\')
    body = '\n'.join(rows)
    return f'\\begin{{longtable}}{{llll}}\n{body}\n\\end{{longtable}}'
