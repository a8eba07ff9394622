"""Articulated groups: motions of their bodies, efforts of their joints, rates of their states."""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.elementary import tanh
from symcontact_ros.kernels.language import call, separate
from symcontact_ros.simulation.bodies.body import ARTICULATED
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import Group, Joint

SLIP = 0.05  # [rad/s or m/s] at which dry friction has 46 % of its strength
DRY_PRESLIDING = 1e-4  # [rad or m] at which it slides, in implicit steps, where it sticks
DRY_SLIP_SPEED = 0.01  # [rad/s or m/s] at which it has its strength there without any stretch


@separate
def move_groups(world: World[S, F, V]) -> None:
    """Write the motions of all bodies of groups, from the stage."""
    for i in range(len(world.groups)):
        run_kinematics(world, world.groups[i])
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.kind == ARTICULATED:
            group = world.groups[body.group]
            link = body.link
            body.move_articulated(group.frames[link], group.centres[link], group.twists[link])


def run_kinematics(world: World[S, F, V], group: Group) -> None:
    """Write where the links of a group are and how they move, from the stage."""
    q = world.stage[group.state :]
    call(
        group.kinematics,
        q,
        q[group.q_count :],
        group.zeros,
        group.effort,
        group.loads,
        group.constants,
        group.frames,
        group.centres,
        group.twists,
    )


def run_dynamics(world: World[S, F, V], group: Group) -> None:
    """Write the rates of a group, from the stage, its efforts and its loads."""
    q = world.stage[group.state :]
    call(
        group.dynamics,
        q,
        q[group.q_count :],
        group.zeros,
        group.effort,
        group.loads,
        group.constants,
        group.rates,
        group.rates[group.q_count :],
    )


def run_velocity(world: World[S, F, V], group: Group) -> None:
    """Write the rates of the coordinates of a group, from the stage."""
    q = world.stage[group.state :]
    call(
        group.velocity,
        q,
        q[group.q_count :],
        group.zeros,
        group.effort,
        group.loads,
        group.constants,
        group.rates,
    )


def run_gravity(world: World[S, F, V], group: Group) -> None:
    """Write the efforts that hold a group at rest, from the stage."""
    q = world.stage[group.state :]
    call(
        group.gravity,
        q,
        q[group.q_count :],
        group.zeros,
        group.effort,
        group.loads,
        group.constants,
        group.weights,
    )


def run_energy(world: World[S, F, V], group: Group) -> tuple[float, float]:
    """Return kinetic energy of a group and that of gravity [J], from the stage."""
    q = world.stage[group.state :]
    call(
        group.energy,
        q,
        q[group.q_count :],
        group.zeros,
        group.effort,
        group.loads,
        group.constants,
        group.energies,
        group.energies[1:],
    )
    return group.energies[0], group.energies[1]


def joint_energy(world: World[S, F, V]) -> float:
    """Return the energy of the springs, stops and dry friction of all joints [J]."""
    total = 0.0
    for i in range(len(world.joints)):
        joint = world.joints[i]
        q = world.stage[joint.q]
        if joint.stiffness != 0.0:  # most joints have nothing of all this
            total += 0.5 * joint.stiffness * (q - joint.rest) * (q - joint.rest)
        beyond = max(joint.lower - q, q - joint.upper)
        if beyond > 0.0:
            total += 0.5 * joint.limit_stiffness * beyond * beyond
        if joint.friction != 0.0:
            stretch = world.dry_stretches[i]
            total += 0.5 * joint.friction * stretch * stretch / DRY_PRESLIDING
    return total


@separate
def accelerate_groups(world: World[S, F, V]) -> None:
    """Write the rates of all groups, under the loads on their bodies and the efforts of joints."""
    if world.has_loads:
        gather_loads(world)
    for i in range(len(world.groups)):
        run_dynamics(world, world.groups[i])


def clear_loads(group: Group) -> None:
    """Take the loads on the links of a group away."""
    for link in range(len(group.loads)):
        load = group.loads[link]
        load.force = (0.0, 0.0, 0.0)
        load.torque = (0.0, 0.0, 0.0)


def gather_loads(world: World[S, F, V]) -> None:
    """Write the loads on the links of all groups, from those on their bodies."""
    for i in range(len(world.groups)):
        clear_loads(world.groups[i])
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.kind == ARTICULATED and body.carrier >= 0:
            group = world.groups[body.group]
            body.load_carrier(group.centres[body.carrier], group.loads[body.carrier_load])


def meets_stop(joint: Joint, q: float, ahead: float) -> bool:
    """Return whether a joint comes to one of its stops on its way."""
    return (ahead < joint.lower and q >= joint.lower) or (ahead > joint.upper and q <= joint.upper)


@separate
def apply_joints(world: World[S, F, V]) -> tuple[float, float, float, float]:
    """
    Write the efforts of all joints.

    Returns
    -------
    The power lost and the power put in [W]; the square of the largest angular frequency of a joint
    [1/s^2] and its largest rate of decay [1/s], both by the inertia at the start; 0 in a stage
    that does not decide on the substeps.
    """
    lost, put_in, stiffness, rate = 0.0, 0.0, 0.0, 0.0
    weigh_groups(world)
    for i in range(len(world.joints)):
        joint = world.joints[i]
        q, u = world.stage[joint.q], world.stage[joint.u]
        stop, drag = limit_force(joint, q, u)
        loss = joint.damping * u + dry_friction(joint, u) + drag
        actuated = actuator_effort(world, joint, q, u)
        spring = -joint.stiffness * (q - joint.rest)
        world.groups[joint.group].effort[joint.index] = actuated + spring + stop - loss
        lost += loss * u
        put_in += actuated * u
        if world.is_guarded:
            square, decay = joint_rates(world, joint, stop != 0.0)
            stiffness, rate = max(stiffness, square), max(rate, decay)
    return lost, put_in, stiffness, rate


def joint_rates(world: World[S, F, V], joint: Joint, is_stopped: bool) -> tuple[float, float]:
    """Return the square of the angular frequency of a joint [1/s^2] and its decay [1/s]."""
    spring_rate = joint.stiffness + joint.kp
    drag_rate = joint.damping + joint.kd
    drag_rate += joint.friction * (0.5 / SLIP)
    entry = 0.0
    if is_stopped:
        spring_rate += joint.limit_stiffness
        drag_rate += joint.limit_damping
    elif joint.entry > 1.0:
        q, u = world.stage[joint.q], world.stage[joint.u]
        if meets_stop(joint, q, q + u * world.step_size):
            finest = world.rate_limit / world.step_size  # rate that needs one substep
            entry = min(joint.entry, float(world.max_substeps)) * finest
    return spring_rate * joint.mobility, max(entry, drag_rate * joint.mobility)


def dry_friction(joint: Joint, u: float) -> float:
    """Return the dry friction of a joint, regularised; most have none, and tanh takes a while."""
    if joint.friction == 0.0:
        return 0.0
    return joint.friction * tanh(u * (0.5 / SLIP))


def sticking_excess(world: World[S, F, V], number: int) -> float:
    """
    Return dry friction of a joint as implicit steps have it, less that of `apply_joints`.

    There it has an anchor and sticks; here it is regularised.
    """
    joint = world.joints[number]
    u = world.stage[joint.u]
    pull = world.dry_stretches[number] / DRY_PRESLIDING + u / DRY_SLIP_SPEED
    return joint.friction * (tanh(u * (0.5 / SLIP)) - min(max(pull, -1.0), 1.0))


def weigh_groups(world: World[S, F, V]) -> None:
    """Write the efforts that gravity needs in groups with a servo that adds them."""
    for i in range(len(world.groups)):
        if world.groups[i].compensates:
            run_gravity(world, world.groups[i])


def actuator_effort(world: World[S, F, V], joint: Joint, q: float, u: float) -> float:
    """Return the effort of the actuator of a joint, within its limit, and note if it is there."""
    wanted = joint.applied
    wanted += joint.kp * (joint.target - q)
    wanted += joint.kd * (joint.target_speed - u)
    if joint.compensates:
        wanted += world.groups[joint.group].weights[joint.index]
    effort = min(max(wanted, -joint.effort_limit), joint.effort_limit)
    joint.is_saturated = effort != wanted
    return effort


def count_limits(world: World[S, F, V]) -> None:
    """Count joints that are at the limit of their effort or above that of their speed."""
    saturated, overspeed = 0, 0
    for i in range(len(world.joints)):
        joint = world.joints[i]
        if joint.is_saturated:
            joint.saturated += 1
            saturated = 1
        if abs(world.stage[joint.u]) > joint.velocity_limit:
            if joint.overspeed == 0:
                world.alerts += 1
            joint.overspeed += 1
            overspeed = 1
    world.saturated += saturated
    world.overspeed += overspeed


def limit_force(joint: Joint, q: float, u: float) -> tuple[float, float]:
    """Return the elastic force of the stop that a joint is at, and the drag of it; none pulls."""
    beyond = 0.0
    if q < joint.lower:
        beyond = joint.lower - q
    elif q > joint.upper:
        beyond = joint.upper - q
    if beyond == 0.0:
        return 0.0, 0.0
    force = joint.limit_stiffness * beyond
    drag = joint.limit_damping * u
    # Together they never pull the joint back to the stop.
    if (force - drag) * beyond < 0.0:
        drag = force
    return force, drag
