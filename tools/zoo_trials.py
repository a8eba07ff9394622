"""
Trials of a robot of the zoo: hold a pose, stand on a floor, drop limp.

Each is a generator that yields after every stage and adds what it finds to the facts: a verdict,
which is GOOD[part] where the robot passed, a reason where it did not, and numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
import time
from typing import Any

import numpy as np
from zoo_checks import check_state, Facts, Nonsense
from zoo_joints import farthest, joint_positions, known, limits, too_weak
from zoo_stances import STANCES

GOOD = {'hold': 'holds', 'stand': 'stands', 'drop': 'lands'}
NOTHING = '-'  # the verdict where there is nothing to try
WEAK = 'weak'  # where the actuators of the file cannot hold its weight, whoever simulates it
HELD = 2.0  # [s]
STOOD = 5.0
SETTLED = 1.0  # from then on feet must not slip [s]
WEIGHED = 0.5  # at the end, in which the forces of the floor are compared with the weight [s]
DROPPED = 2.0
HEIGHT = 0.3  # of a drop [m]
LOOK = 0.02  # between two looks at the state [s]
OPEN = 1e-3  # of the throughput: the most by which the energy balance may be open
LEAST = 1e-6  # throughput [J]: below, the balance of wheels at rest is rounding over rounding
WEIGHT = 0.01  # the most that the forces of the floor may differ from the weight
SLIP = 1e-3  # of a foot [m]
SUNK = 0.2  # of the height of the base at the start: more is a fall
TILT = 0.3  # of the base [rad]: more is a fall


def hold(path: Path, name: str, folder: Path, integrator: str, facts: Facts) -> Iterator[None]:
    """Hold the start with servos of their own choice, on a fixed base."""
    from symcontact_ros import load_model, Simulation

    model = load_model(path, servo='auto')
    facts['stage'] = 'derive'
    if not any(body.joint.is_driven for body in model.bodies):
        facts['verdict'] = NOTHING
        return
    yield
    simulation = Simulation(model, integrator=integrator)
    facts['stage'] = 'run'
    yield
    start = joint_positions(simulation)
    worst: tuple[float, str, float] = (0.0, '', 0.0)
    for _ in looks(simulation, HELD, facts):
        worst = max(worst, farthest(simulation, start))
        facts.update(joint=worst[1], error=worst[2])
        facts.update(balance(simulation))
    findings = []
    if not worst[0] <= 1.0:
        findings.append(f'{worst[1]} is {worst[2]:.3g} from its start{limits(simulation, worst)}')
    unbalanced = list(open_balance(facts))
    weak = too_weak(model) if findings or unbalanced else ''
    bad, more = (WEAK, [weak]) if weak else ('fails', [])
    facts.update(judged('hold', [*findings, *unbalanced, *more], bad))


def stand(path: Path, name: str, folder: Path, integrator: str, facts: Facts) -> Iterator[None]:
    """Stand on a floor with servos of their own choice."""
    from symcontact_ros import load_model, Simulation

    if name not in STANCES:
        facts['verdict'] = NOTHING
        return
    initial = known(load_model(path), STANCES[name].initial(folder))
    model = load_model(path, base='free', world='floor', servo='auto', initial=initial)
    facts['stage'] = 'derive'
    yield
    simulation = Simulation(model, integrator=integrator)
    facts['stage'] = 'run'
    yield
    floor, root = floor_of(model), root_of(model)
    weight = weight_of(model)
    start = simulation.poses()[root]
    feet: list[Foot] = []
    forces: list[float] = []
    slip = 0.0
    for _ in looks(simulation, STOOD, facts):
        poses = simulation.poses()
        if not feet and simulation.time > SETTLED - LOOK / 2:
            feet = feet_of(simulation, floor)
        slip = max([slip, *(foot.moved(poses[foot.body]) for foot in feet)])
        if simulation.time > STOOD - WEIGHED:
            forces.append(-float(simulation.contact_wrench(floor).force[2]))
        facts.update(
            height=float(start.position[2]),
            sinks=float(start.position[2] - poses[root].position[2]),
            tilt=turn(start.quaternion, poses[root].quaternion),
            slip=slip,
        )
        facts.update(balance(simulation))
    facts.update(carried=float(np.mean(forces)) / weight, feet=sorted({f.body for f in feet}))
    facts.update(judged('stand', [*fallen(facts), *open_balance(facts)]))


def drop(path: Path, name: str, folder: Path, integrator: str, facts: Facts) -> Iterator[None]:
    """Fall limp on a floor from HEIGHT; the state stays one that can be."""
    from symcontact_ros import load_model, Simulation

    model = load_model(path, base='free', world='floor')
    facts['stage'] = 'derive'
    if model.speed_count == 0:
        facts['verdict'] = NOTHING
        return
    yield
    simulation = Simulation(model, integrator=integrator)
    facts['stage'] = 'run'
    yield
    q = simulation.q
    for place in free_places(model):
        q[place.start + 2] += HEIGHT
    simulation.set_state(q=q)
    start = {body: np.array(pose.position) for body, pose in simulation.poses().items()}
    finding = ''
    for _ in looks(simulation, DROPPED, facts, every=0.1):
        facts.update(balance(simulation))
        try:
            check_state(simulation, start)
        except Nonsense as nonsense:
            finding = finding or str(nonsense)
    facts.update(judged('drop', [finding] if finding else [], 'nonsense'))


TRIALS = {'hold': hold, 'stand': stand, 'drop': drop}


def judged(part: str, findings: list[str], bad: str = 'fails') -> Facts:
    """Return verdict and reason."""
    if findings:
        return {'verdict': bad, 'reason': '; '.join(findings)}
    return {'verdict': GOOD[part]}


def looks(simulation: Any, duration: float, facts: Facts, every: float = LOOK) -> Iterator[None]:
    """Advance by a duration; yield after every part of it."""
    count, spent, made = round(every / simulation.step_size), 0.0, 0
    for _ in range(round(duration / every)):
        began = time.process_time()
        simulation.step(count)
        spent += time.process_time() - began
        made += count
        facts.update(us_per_step=1e6 * spent / made, reached=simulation.time)
        yield


def balance(simulation: Any) -> Facts:
    """Return the error of the energy balance and what the integrator took, of the throughput."""
    energy = simulation.energy()
    through = max(energy.throughput, LEAST)
    return {
        'open': energy.residual / through,
        'integration': getattr(energy, 'integration', 0.0) / through,
    }


def open_balance(facts: Facts) -> Iterator[str]:
    """Yield the finding that the energy balance is open."""
    if not abs(facts['open']) < OPEN:
        yield f'energy balance is open by {facts["open"]:.2g} of the throughput'


def fallen(facts: Facts) -> Iterator[str]:
    """Yield why a robot does not stand."""
    if not facts['sinks'] < SUNK * facts['height'] or not facts['tilt'] < TILT:
        sunk = f'base {1e3 * facts["sinks"]:.0f} mm lower'
        yield f'falls: {sunk}, tilted by {facts["tilt"]:.2g} rad'
    if not abs(facts['carried'] - 1.0) < WEIGHT:
        yield f'the floor carries {100.0 * facts["carried"]:.1f} % of the weight'
    if not facts['slip'] < SLIP:
        yield f'a foot slips by {1e3 * facts["slip"]:.2g} mm'


# Standing ------------------------------------------------------------------------------------


class Foot:
    """A point of a body that touched the floor when feet had settled."""

    def __init__(self, body: str, point: Any, pose: Any) -> None:
        self.body = body
        self._start = point
        self._local = rotation(pose.quaternion).T @ (point - pose.position)

    def moved(self, pose: Any) -> float:
        """Return how far it went along the floor [m]."""
        now = pose.position + rotation(pose.quaternion) @ self._local
        return float(np.linalg.norm((now - self._start)[:2]))


def feet_of(simulation: Any, floor: str) -> list[Foot]:
    """Return the points that touch the floor."""
    poses = simulation.poses()
    found = []
    for contact in simulation.contacts():
        if floor in (contact.body_a, contact.body_b):
            body = contact.body_b if contact.body_a == floor else contact.body_a
            found.append(Foot(body, np.array(contact.point), poses[body]))
    return found


def rotation(quaternion: Any) -> Any:
    """Return the matrix of a quaternion x, y, z, w."""
    from symcontact_ros.placements import matrix

    return matrix(tuple(quaternion))


def turn(first: Any, second: Any) -> float:
    """Return the angle between the vertical axes of two attitudes [rad]."""
    up = rotation(second) @ rotation(first).T[:, 2]
    return float(np.arccos(np.clip(up[2], -1.0, 1.0)))


def floor_of(model: Any) -> str:
    """Return the name of the floor; the robot may have one of that name."""
    return 'world_floor' if 'world_floor' in model.body_names else 'floor'


def root_of(model: Any) -> str:
    """Return the body with the free joint."""
    return str(next(b.name for b in model.bodies if b.joint.kind.floating_in == 3))


def free_places(model: Any) -> list[slice]:
    """Return where the coordinates of free bodies are in q."""
    from symcontact_ros.model.joint_places import JointPlaces

    places = JointPlaces(model).q
    return [places[body.name] for body in model.bodies if body.joint.kind.floating_in == 3]


def weight_of(model: Any) -> float:
    """Return the weight of all that moves [N]."""
    gravity = np.linalg.norm([model.number(g) for g in model.gravity])
    moving = [body for body in model.bodies if body.name not in model.grounded]
    return float(gravity * sum(model.number(body.mass) for body in moving))
