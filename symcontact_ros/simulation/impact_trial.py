"""Restitution of the materials of a model: by their laws, and as an integrator simulates it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from symcontact_ros.contact.constants import restitution_for
from symcontact_ros.contact.laws import law_named
from symcontact_ros.model.building.pair_loads import Loads, PairLoad
from symcontact_ros.model.model import Model
from symcontact_ros.shapes.circle import Circle
from symcontact_ros.shapes.half_space import HalfSpace
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.simulation.world.start_overlaps import body_pairs

SPEED = 1.0  # [m/s] of the impact
FLIGHT = 0.01  # [s] before it
LONGEST = 2.0  # [s] after it


class Restitution(NamedTuple):
    """Restitution of a material at 1 m/s."""

    material: str
    pair: tuple[str, str]  # of bodies, the heaviest one with it
    asked: float  # by its law, without error
    obtained: float  # by the integrator


def restitutions(model: Model, integrator: str, step_size: float) -> Iterator[Restitution]:
    """
    Yield the restitution of every material that bodies may touch with, all but formulas.

    Each is tried with the pair that carries the largest weight.
    """
    loads = Loads(model.bodies, model.dimension, model.parameters)
    heaviest: dict[str, PairLoad] = {}
    for pair in body_pairs(model).pairs:
        name, load = model.pair_materials.get(pair, 'default'), loads.load(pair)
        heaviest[name] = max(heaviest.get(name, load), load, key=lambda one: one.weight)
    for name, load in heaviest.items():
        material = model.materials[name]
        if not law_named(material.law).has_formulas:
            asked = restitution_for(model.number(material.damping), SPEED)
            trial = impact(model, name, load)
            yield Restitution(name, load.pair, asked, rebound(trial, integrator, step_size))


def impact(model: Model, name: str, load: PairLoad) -> Model:
    """Return a circle with the reduced mass of a pair that hits a half-plane, nothing else."""
    material = model.materials[name]
    radius = 10.0 * SPEED * LONGEST  # nothing is too deep in it
    trial = Model('impact', dimension=2, gravity=[0.0, 0.0, 0.0])
    trial.add_material(
        'default',
        law=material.law,
        stiffness=model.stiffness_ratios.get(load.pair, 1.0) * model.number(material.stiffness),
        damping=model.number(material.damping),
        friction=0.0,
        slip_speed=1.0,
        **{key: model.number(value) for key, value in material.own.items()},
    )
    trial.add_body('wall', fixed=True, shapes=[HalfSpace((0.0, 1.0, 0.0), 0.0)])
    trial.add_body(
        'ball',
        mass=load.mass,
        shapes=[Circle(radius)],
        joint={'type': 'planar'},
        initial={
            'position': [0.0, radius + FLIGHT * SPEED, 0.0],
            'velocity': [0.0, -SPEED, 0.0],
        },
    )
    return trial


def rebound(trial: Model, integrator: str, step_size: float) -> float:
    """Return the speed after an impact over that before."""
    simulation = Simulation(trial, integrator=integrator, step_size=step_size, max_residual=0.0)
    while simulation.time < LONGEST:
        simulation.step(max(1, int(0.05 / step_size)))
        if simulation.u[1] > 0.0 and not simulation.contacts():
            break
    return max(0.0, float(simulation.u[1]) / SPEED)
