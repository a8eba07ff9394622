"""Lines of `symcontact check` about the integrator: which one, why, and how things bounce."""

from __future__ import annotations

from collections.abc import Iterator
import sys

from symcontact_ros.contact.constants import restitution_for
from symcontact_ros.contact.laws import law_named
from symcontact_ros.contact.material import Material
from symcontact_ros.errors import DivergenceError
from symcontact_ros.model.building.pair_loads import Loads, PairLoad
from symcontact_ros.model.model import Model
from symcontact_ros.shapes.circle import Circle
from symcontact_ros.shapes.half_space import HalfSpace
from symcontact_ros.simulation.integrator_choice import AUTO, Choice, chosen_integrator
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.simulation.step.integrators import MIXED
from symcontact_ros.simulation.world.start_overlaps import body_pairs

SPEED = 1.0  # [m/s] of the impact
FLIGHT = 0.01  # [s] before it
LONGEST = 2.0  # [s] after it
MOST_MATERIALS = 8


def integrator_lines(model: Model) -> Iterator[str]:
    """Yield the integrator that a model gets and why, then the restitution of its materials."""
    run = model.run_settings()
    choice = Choice(run.integrator, 'named by the model')
    if run.integrator == AUTO:
        choice = chosen_integrator(model, run.step_size)
    yield f'integrator {choice.words}, steps of {1e3 * run.step_size:g} ms: {choice.reason}'
    loads = Loads(model.bodies, model.dimension, model.parameters)
    heaviest: dict[str, PairLoad] = {}
    for pair in body_pairs(model).pairs:
        name, load = model.pair_materials.get(pair, 'default'), loads.load(pair)
        heaviest[name] = max(heaviest.get(name, load), load, key=lambda one: one.weight)
    if heaviest:
        print('trying how materials bounce ...', file=sys.stderr, flush=True)
    for name, load in list(heaviest.items())[:MOST_MATERIALS]:
        if not law_named(model.materials[name].law).has_formulas:
            yield _restitution(model, name, load, choice.name)
    if len(heaviest) > MOST_MATERIALS:
        yield f'... and {len(heaviest) - MOST_MATERIALS} more materials'


def _restitution(model: Model, name: str, load: PairLoad, integrator: str) -> str:
    """Return the restitution that a material is to have, and that it gets in an impact."""
    material = model.materials[name]
    used = 'implicit2' if integrator == MIXED else integrator
    asked = restitution_for(model.number(material.damping), SPEED)
    pair = ' - '.join(load.pair)
    told = f'material {name}: restitution {asked:.3g} at {SPEED:g} m/s by its law'
    try:
        step = model.run_settings().step_size
        found = obtained_restitution(model, material, load, used, step)
    except DivergenceError as error:
        return f'{told}; {used} fails ({pair}): {error}'
    return f'{told}, {found:.3g} by {used} ({pair})'


def obtained_restitution(
    model: Model, material: Material, load: PairLoad, integrator: str, step_size: float
) -> float:
    """
    Return the restitution of an impact of the reduced mass of a pair, as it is simulated.

    A circle hits a half-plane at 1 m/s, without gravity and friction.
    """
    radius = 10.0 * SPEED * LONGEST  # nothing is too deep in it
    place, velocity = [0.0, radius + FLIGHT * SPEED, 0.0], [0.0, -SPEED, 0.0]
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
        initial={'position': place, 'velocity': velocity},
    )
    simulation = Simulation(trial, integrator=integrator, step_size=step_size, max_residual=0.0)
    while simulation.time < LONGEST:
        simulation.step(max(1, int(0.05 / step_size)))
        if simulation.u[1] > 0.0 and not simulation.contacts():
            break
    return max(0.0, float(simulation.u[1]) / SPEED)
