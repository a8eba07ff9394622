"""
Figures of docs/explanation, computed by the package itself.

They take seconds and come out the same every time. Colours are of middle brightness on nothing, so
that they read on light and on dark pages.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
import math
from pathlib import Path
import tempfile
from typing import Any

import matplotlib
from matplotlib.figure import Figure
import numpy as np
import sympy as sm

import symcontact_ros as sc
from symcontact_ros.contact.constants import restitution_for
from symcontact_ros.model.structure import groups_of
from symcontact_ros.symbolic.equation_tapes import programs_of

IMAGES = Path(__file__).resolve().parents[1] / 'docs' / 'images'
GREY, BLUE, ORANGE = '#808790', '#3b8bd1', '#e08a2e'
GREEN, RED, VIOLET = '#3fa66b', '#d1495b', '#8f6fd0'
STYLE = {
    'svg.fonttype': 'none',
    'svg.hashsalt': 'symcontact_ros',
    'font.family': 'sans-serif',
    'font.size': 9.0,
    'axes.edgecolor': GREY,
    'axes.labelcolor': GREY,
    'axes.titlecolor': GREY,
    'axes.titlesize': 9.0,
    'axes.spines.top': False,
    'axes.spines.right': False,
    'axes.grid': True,
    'grid.color': GREY,
    'grid.alpha': 0.25,
    'xtick.color': GREY,
    'ytick.color': GREY,
    'text.color': GREY,
    'lines.linewidth': 1.8,
    'legend.frameon': False,
    'legend.labelcolor': GREY,
    'figure.constrained_layout.use': True,
}
BALL = """\
dimension: 2
materials: {{default: {{{material}, friction: 0.5, slip_speed: 0.05}}}}
bodies:
  floor: {{fixed: true, shapes: [{{type: half_space, normal: [0, 1, 0]}}]}}
  ball: {{mass: 2.0, shapes: [{{type: circle, radius: 0.1}}],
         initial: {{position: [0, {height}, 0], velocity: [0, {speed}, 0]}}}}
"""
REST = 'rest_depth: 0.001, restitution: 0.5, impact_speed: 1.0'
LAWS = {'elastic_plastic': (3.0, BLUE), 'hunt_crossley': (1.5, ORANGE), 'linear': (1.0, GREEN)}


def ball(material: str, height: float, speed: float = 0.0, **options: Any) -> sc.Simulation:
    """Return a ball of 2 kg and 0.1 m above, or on, a floor."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'ball.yaml'
        path.write_text(BALL.format(material=material, height=height, speed=speed))
        return sc.Simulation(sc.load_model(path), **options)


# Equations by tape ------------------------------------------------------------------------------


def chain(count: int) -> sc.Model:
    """Return a planar chain of hinged rods, whose lengths are live symbols."""
    model = sc.Model('chain', dimension=2)
    for i in range(1, count + 1):
        model.add_parameter(f'l{i}', 1.0)
        model.add_body(
            f'rod{i}',
            mass=1.0,
            com=[f'l{i} / 2', 0, 0],
            inertia={'izz': 0.1},
            joint={
                'type': 'revolute',
                'parent': f'rod{i - 1}' if i > 1 else 'world',
                'origin': {'xyz': [f'l{i - 1}' if i > 1 else 0, 0, 0]},
            },
        )
    return model


def tape_operations(count: int) -> int:
    """Return the operations of the program that gives the accelerations of a chain."""
    (group,) = groups_of(chain(count))
    programs = {p.name: p for p in programs_of(group.structure, 'motion')}
    return programs['dynamics'].operations()


def written_out_operations(count: int) -> int:
    """Return the operations of M and forcing of a chain, written out in q, u and the symbols."""
    equations = sc.equations_of_motion(chain(count))
    return int(sm.count_ops(equations.mass_matrix) + sm.count_ops(equations.forcing))


def draw_tape(figure: Figure) -> None:
    """Draw operations over the number of joints."""
    axes = figure.subplots()
    few, many = range(1, 5), range(1, 9)
    written = [written_out_operations(n) for n in few]
    recorded = [tape_operations(n) for n in many]
    axes.semilogy(few, written, 'o-', color=ORANGE, label='M and forcing, written out')
    axes.semilogy(many, recorded, 'o-', color=BLUE, label='tape of the accelerations')
    for x, y in ((few[-1], written[-1]), (many[-1], recorded[-1])):
        axes.annotate(f'{y:,}', (x, y), (0, 6), textcoords='offset points', ha='center')
    axes.set(xlabel='hinged rods in a row', ylabel='operations', ylim=(10, 4e4))
    axes.legend(loc='lower right')


# SAT and CO -------------------------------------------------------------------------------------

HALF_A, HALF_B = np.array([0.5, 0.3]), np.array([0.35, 0.25])
CENTRE_B, ANGLE_B = np.array([0.7, 0.28]), 0.5


def corners(half: np.ndarray, centre: np.ndarray, angle: float, factor: float = 1.0) -> np.ndarray:
    """Return the corners of a rectangle that is scaled about its centre [m]."""
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    signs = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    return centre + factor * (signs * half) @ turn.T


def rectangles(factor: float = 1.0, **options: Any) -> sc.Proximity:
    """Return the proximity of both rectangles."""
    here = sc.Pose(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]))
    turn = np.array([0.0, 0.0, math.sin(ANGLE_B / 2), math.cos(ANGLE_B / 2)])
    there = sc.Pose(np.array([*CENTRE_B, 0.0]), turn)
    a, b = sc.Rectangle(tuple(factor * HALF_A)), sc.Rectangle(tuple(factor * HALF_B))
    return sc.proximity(a, here, b, there, **options)


def growth_factor() -> float:
    """Return the factor at which both rectangles, scaled about their centres, touch."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if rectangles(middle).distance > 0.0 else (low, middle)
    return low


def draw_sat(figure: Figure) -> None:
    """Draw the separation over all directions, and the growth of two rectangles."""
    left, right = figure.subplots(1, 2, width_ratios=(1.0, 1.25))
    found, factor = rectangles(), growth_factor()
    a, b = corners(HALF_A, np.zeros(2), 0.0), corners(HALF_B, CENTRE_B, ANGLE_B)
    for points, colour in ((a, BLUE), (b, ORANGE)):
        left.fill(*points.T, facecolor=colour, alpha=0.35, edgecolor=colour)
    for half, centre, angle, colour in (
        (HALF_A, np.zeros(2), 0.0, BLUE),
        (HALF_B, CENTRE_B, ANGLE_B, ORANGE),
    ):
        grown = corners(half, centre, angle, factor)
        left.fill(*grown.T, fill=False, edgecolor=colour, linestyle=':')
    start = found.point_b[:2]
    end = start - found.distance * found.normal[:2]
    left.annotate('', end, start, arrowprops={'arrowstyle': '-|>', 'color': RED, 'lw': 1.8})
    left.set(title=f'depth {-1e3 * found.distance:.0f} mm; dotted: scaled by {factor:.3f}')
    left.set_aspect('equal')
    left.set(xlabel='x [m]', ylabel='y [m]')
    angles = np.linspace(-math.pi, math.pi, 721)
    normals = np.column_stack([np.cos(angles), np.sin(angles)])
    separations = (b @ normals.T).min(axis=0) - (a @ normals.T).max(axis=0)
    right.plot(np.degrees(angles), separations, color=GREY)
    best = math.degrees(math.atan2(found.normal[1], found.normal[0]))
    faces = [0, 90, 180, -90, *(math.degrees(ANGLE_B) + k for k in (-180, -90, 0, 90))]
    at_faces = np.interp(faces, np.degrees(angles), separations)
    right.plot(faces, at_faces, 'o', color=VIOLET, label='normals of edges: all that SAT tries')
    right.plot(
        [best], [found.distance], 'o', color=RED, ms=8, label='greatest: the signed distance'
    )
    right.set(
        xlabel='direction n [degrees]', ylabel='separation s(n) [m]', xticks=range(-180, 181, 90)
    )
    right.legend(loc='lower center', fontsize=8)


# Laws -------------------------------------------------------------------------------------------


def impact(law: str) -> tuple[np.ndarray, np.ndarray]:
    """Return depth [m] and force [N] during an impact at 1 m/s."""
    sim = ball(f'law: {law}, {REST}', 0.1 + 1e-9, -1.0, step_size=1e-5, integrator='rk4')
    sim.set_parameters({'gravity.y': 0.0})
    rows = []
    while sim.u[1] < 0.0 or sim.contacts():
        sim.step(5)
        found = sim.contacts()
        rows += [(-found[0].distance, abs(found[0].force[1]))] if found else [(0.0, 0.0)]
    return tuple(np.array([(0.0, 0.0), *rows]).T)


def draw_laws(figure: Figure) -> None:
    """Draw the elastic force, an impact, and the restitution."""
    rest, loop, bounce = figure.subplots(1, 3)
    depths = np.linspace(0.0, 2e-3, 101)
    for name, (exponent, colour) in LAWS.items():
        k = sc.stiffness_for(1e-3, 19.62, exponent)
        rest.plot(1e3 * depths, k * depths**exponent, color=colour, label=name)
        rho, force = impact(name)
        loop.plot(1e3 * rho, force, color=colour)
    rest.plot([1.0], [19.62], 'o', color=RED)
    rest.set(
        xlabel='depth [mm]', ylabel='force at rest [N]', title='2 kg rest at 1 mm', ylim=(0, 110)
    )
    rest.legend(loc='upper left', fontsize=8)
    loop.set(xlabel='depth [mm]', ylabel='force [N]', title='impact at 1 m/s: area is lost')
    speeds = np.linspace(1e-3, 4.0, 200)
    bounce.plot(speeds, [restitution_for(1.0, x) for x in speeds], color=VIOLET)
    c = sc.damping_for(0.5, 1.0)
    bounce.plot([c], [0.5], 'o', color=RED)
    bounce.set(
        xlabel='c times impact speed', ylabel='restitution', title='of all three laws', ylim=(0, 1)
    )


# Implicit step ----------------------------------------------------------------------------------


def draw_implicit(figure: Figure) -> None:
    """Draw the balance of one implicit step, and the convex function that it minimises."""
    left, right = figure.subplots(1, 2)
    h, mass, depth, before = 1e-3, 2.0, 2e-3, -1.0
    sim = ball(REST, 0.1 - depth, before, integrator='implicit')
    k, c = (sim.parameters[f'materials.default.{name}'] for name in ('stiffness', 'damping'))
    sim.step(1)
    after = sim.u[1]
    v = np.linspace(-1.1, 0.3, 150)
    rho = np.maximum(0.0, depth - h * v)
    force = np.maximum(0.0, k * rho**3 * (1.0 - c * v))
    needed = mass * (v - before) / h + mass * 9.81
    left.plot(v, force, color=BLUE, label='contact force at the end of the step')
    left.plot(v, needed, color=ORANGE, label='force that changes the velocity so')
    left.plot([after], [mass * (after - before) / h + mass * 9.81], 'o', color=RED, ms=8)
    left.set(xlabel='velocity at the end [m/s]', ylabel='force [N]', ylim=(-100, 1800))
    left.legend(fontsize=8, loc='center right')
    free = before - 9.81 * h
    inertia = 0.5 * mass * (v - free) ** 2
    contact = -h * np.concatenate([[0.0], np.cumsum(0.5 * (force[1:] + force[:-1]) * np.diff(v))])
    contact -= contact[-1]
    right.plot(v, inertia, color=ORANGE, label='inertia: m (v - v free)² / 2')
    right.plot(v, contact, color=BLUE, label='contact: potential Φ(v)')
    right.plot(v, inertia + contact, color=GREY, label='sum')
    least = float(np.interp(after, v, inertia + contact))
    right.plot([after], [least], 'o', color=RED, ms=8, label='what the package computes')
    right.set(xlabel='velocity at the end [m/s]', ylabel='[J]', ylim=(0, 1.6))
    right.legend(fontsize=8, loc='upper left')


# Ledger and substeps ----------------------------------------------------------------------------


def energies(integrator: str) -> Iterator[tuple[float, ...]]:
    """Yield time and terms of the ledger of a ball that is dropped."""
    sim = ball(
        'rest_depth: 0.005, restitution: 0.8, impact_speed: 2.8', 0.5, integrator=integrator
    )
    for _ in range(300):
        e = sim.energy()
        floor = 2.0 * 9.81 * 0.095  # the potential of rest, which never comes out
        yield sim.time, e.kinetic, e.potential - floor, e.elastic, e.dissipated, e.integration
        sim.step(4)


def draw_ledger(figure: Figure) -> None:
    """Draw the ledger of a ball with two integrators."""
    names = ('kinetic', 'potential', 'elastic', 'dissipated', 'integration')
    for axes, integrator in zip(
        figure.subplots(1, 2, sharey=True), ('rk4', 'implicit'), strict=True
    ):
        time, *terms = np.array(list(energies(integrator))).T
        axes.stackplot(time, *terms, labels=names, colors=(BLUE, GREEN, ORANGE, GREY, RED))
        axes.axhline(sum(term[0] for term in terms), color=VIOLET, linestyle='--', lw=1.2)
        axes.set(xlabel='time [s]', title=integrator, xlim=(0, time[-1]))
    figure.axes[0].set(ylabel='energy [J]')
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc='outside lower center', ncols=5)


def draw_substeps(figure: Figure) -> None:
    """Draw depth and number of parts of every step of an impact."""
    above, below = figure.subplots(2, 1, sharex=True)
    for depth, colour in ((5e-3, GREEN), (1e-3, BLUE), (1e-4, ORANGE)):
        material = REST.replace('0.001', str(depth))
        sim = ball(material, 0.102, -1.0, integrator='rk4')
        rows = []
        while sim.time < 0.03:
            parts = sim.counters['substeps']
            sim.step(1)
            deep = max((-1e3 * c.distance for c in sim.contacts()), default=0.0)
            rows.append((1e3 * sim.time, deep, 1 + sim.counters['substeps'] - parts))
        time, deep, parts = np.array(rows).T
        above.plot(time, deep, '.-', color=colour, label=f'rests at {1e3 * depth:g} mm')
        below.step(time, parts, where='pre', color=colour)
    below.axhline(64, color=RED, linestyle='--', lw=1.2)
    above.set(ylabel='depth [mm]')
    above.legend(fontsize=8)
    below.set(xlabel='time [ms]', ylabel='parts of a step', yscale='log', yticks=(1, 4, 16, 64))
    below.set_yticklabels(['1', '4', '16', '64'])


FIGURES: dict[str, tuple[Callable[[Figure], None], tuple[float, float]]] = {
    'explain_tape.svg': (draw_tape, (5.0, 3.0)),
    'explain_sat.svg': (draw_sat, (8.0, 3.2)),
    'explain_laws.svg': (draw_laws, (8.4, 2.8)),
    'explain_implicit.svg': (draw_implicit, (8.0, 3.2)),
    'explain_ledger.png': (draw_ledger, (8.0, 3.3)),
    'explain_substeps.svg': (draw_substeps, (6.0, 3.8)),
}


def draw(name: str, folder: Path) -> None:
    """Draw a figure into a folder."""
    function, size = FIGURES[name]
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=size)
        function(figure)
        own = {'metadata': {'Date': None}} if name.endswith('.svg') else {'dpi': 130}
        figure.savefig(folder / name, transparent=True, **own)


def main() -> None:
    """Draw all figures, or those that are named."""
    parser = argparse.ArgumentParser(description='Draw the figures of docs/explanation.')
    parser.add_argument('names', nargs='*', help='such as explain_laws.svg; default: all')
    parser.add_argument('--folder', type=Path, default=IMAGES)
    options = parser.parse_args()
    for name in options.names or FIGURES:
        draw(name, options.folder)
        print(f'{name}: {(options.folder / name).stat().st_size / 1000:.0f} kB')


if __name__ == '__main__':
    main()
