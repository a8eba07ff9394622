"""Choice of the integrator where none is named: what `auto` is for a model, and why."""

from __future__ import annotations

from collections.abc import Iterator
import math
from typing import NamedTuple

from symcontact_ros.contact.custom import CUSTOM
from symcontact_ros.contact.laws import law_named
from symcontact_ros.errors import OptionError
from symcontact_ros.model.building.pair_loads import Loads
from symcontact_ros.model.model import Model
from symcontact_ros.model.servo_gains import servo_gains
from symcontact_ros.model.start_pose import StartPose
from symcontact_ros.simulation.options import RATE_LIMITS, SPRING_LIMITS
from symcontact_ros.simulation.step.articulated import SLIP
from symcontact_ros.simulation.step.integrators import IMPLICIT, MIXED
from symcontact_ros.simulation.world.start_overlaps import body_pairs

AUTO = 'auto'
MOST_PARTS = 4.0  # of a step by rk4: beyond, implicit steps are better
MOST_ELASTIC_PARTS = 33.0  # of one in which nothing is lost: those of the softest that is chosen
SPRING_LIMIT, RATE_LIMIT = SPRING_LIMITS['rk4'], RATE_LIMITS['rk4']
# Mobility at a corner of a body, over that of its centre: it turns away, too.
CORNER = 2.5
MOST_FLOATING = 16  # bodies: the islands of more are too large for the factor of a small one
WORDS = {MIXED: 'implicit, with implicit2 in impacts and fast motion'}


class Choice(NamedTuple):
    """An integrator, and why."""

    name: str  # of the step
    reason: str

    @property
    def words(self) -> str:
        """What makes the steps."""
        return WORDS.get(self.name, self.name)


class Need(NamedTuple):
    """Parts into which rk4 would divide a step, and for what."""

    parts: float
    reason: str


def resolved_integrator(model: Model, integrator: str, step_size: float) -> str:
    """
    Return the integrator that makes the steps: the named one, or the one that `auto` chooses.

    Parameters
    ----------
    model
        What is simulated.
    integrator
        The name that was asked for.
    step_size
        Fixed step [s].

    """
    return chosen_integrator(model, step_size).name if integrator == AUTO else integrator


def integrator_words(integrator: str, used: str) -> str:
    """Return the name that was asked for, and after `auto` what it has chosen: `auto: rk4`."""
    return integrator if used == integrator else f'{integrator}: {WORDS.get(used, used)}'


def chosen_integrator(model: Model, step_size: float) -> Choice:
    """
    Return what `auto` is for a model.

    Implicit steps where there are joints or friction that sticks, and rk4 would divide its steps
    into more than four parts under the loads of rest; rk4 elsewhere, which is far more accurate,
    and where contacts dissipate nothing: what implicit steps lose would be all that is lost.
    """
    floating = [b for b in model.moving if b.joint.kind.floating_in == model.dimension]
    has_trees = len(floating) < len(model.moving)
    sticks = any(material.presliding is not None for material in model.materials.values())
    if not has_trees and not sticks:
        return Choice('rk4', 'no joints, and friction that does not stick')
    if not has_trees and len(floating) > MOST_FLOATING:
        return Choice('rk4', f'{len(floating)} floating bodies, and no joints')
    if rising := rising_law(model, step_size):
        return Choice('rk4', rising)
    needs = [*joint_needs(model, step_size), *pair_needs(model, step_size)]
    largest = max(needs, default=Need(0.0, ''))
    if is_elastic(model) and largest.parts <= MOST_ELASTIC_PARTS:
        return Choice('rk4', 'contacts dissipate nothing, and rk4 keeps their energy')
    if largest.parts > MOST_PARTS:
        return Choice(MIXED, f'rk4 would need {largest.parts:.3g} parts: {largest.reason}')
    parts = max(1.0, math.ceil(largest.parts))
    return Choice('rk4', f'{parts:g} parts of a step are enough')


def is_elastic(model: Model) -> bool:
    """Return whether shapes may touch, and every material gives back all that it takes."""
    names = {model.pair_materials.get(pair, 'default') for pair in body_pairs(model).pairs}
    used = [model.materials[name] for name in names]
    return bool(used) and all(
        material.law != CUSTOM.name and model.number(material.damping) == 0.0 for material in used
    )


def rising_law(model: Model, step_size: float) -> str:
    """Return the material whose normal force rises with the normal velocity, and where; or ''."""
    for name, material in model.materials.items():
        if where := law_named(material.law).rises(material, model.parameters, step_size):
            return f'materials.{name}.law.normal: {where}, which no implicit step can take'
    return ''


def check_integrator(model: Model, integrator: str, step_size: float) -> None:
    """Raise OptionError where an integrator cannot make the steps of a model."""
    if integrator in IMPLICIT and (rising := rising_law(model, step_size)):
        raise OptionError(f'integrator {integrator}: {rising}; use rk4, or a law that falls')


def pair_needs(model: Model, step_size: float) -> Iterator[Need]:
    """Yield what contacts need, each under the weight that it may carry."""
    loads = Loads(model.bodies, model.dimension, model.parameters)
    for pair in body_pairs(model).pairs:
        material = model.materials[model.pair_materials.get(pair, 'default')]
        load = loads.load(pair)
        exponent = law_named(material.law).exponent
        stiffness = model.number(material.stiffness) * model.stiffness_ratios.get(pair, 1.0)
        depth = (load.weight / stiffness) ** (1.0 / exponent)
        mobility = CORNER / load.mass
        cap = model.number(material.friction) * load.weight
        named = ' - '.join(pair)
        spring = mobility * exponent * load.weight / depth
        yield Need(math.sqrt(spring) * step_size / SPRING_LIMIT, f'stiffness of {named}')
        rate = mobility * cap / model.number(material.slip_speed)
        yield Need(rate * step_size / RATE_LIMIT, f'friction of {named}')
        if material.presliding is not None:
            spring = mobility * cap / model.number(material.presliding)
            yield Need(math.sqrt(spring) * step_size / SPRING_LIMIT, f'friction of {named}')


def joint_needs(model: Model, step_size: float) -> Iterator[Need]:
    """Yield what springs, stops, servos and losses of joints need."""
    singles = [body.joint for body in model.moving if body.joint.kind.is_single]
    if not singles:
        return
    pose, gains = StartPose(model), servo_gains(model, step_size)
    for joint in singles:
        inertia = pose.free_inertia_at(joint.name)
        if inertia <= 0.0:
            continue
        kp, kd = (model.number(gain) for gain in gains.get(joint.name, (0.0, 0.0)))
        springs = {'servo': kp, 'spring': model.number(joint.stiffness)}
        losses = {'servo': kd, 'damping': model.number(joint.damping)}
        if joint.limits is not None:
            springs['stop'] = model.number(joint.limits.stiffness)
            losses['stop'] = model.number(joint.limits.damping)
        for what, stiffness in springs.items():
            parts = math.sqrt(stiffness / inertia) * step_size / SPRING_LIMIT
            yield Need(parts, f'{what} of joint {joint.name}')
        for what, damping in losses.items():
            yield Need(damping / inertia * step_size / RATE_LIMIT, f'{what} of joint {joint.name}')
        dry = model.number(joint.friction) * (0.5 / SLIP)  # as steep as it gets
        yield Need(dry / inertia * step_size / RATE_LIMIT, f'friction of joint {joint.name}')
