"""Time derivative of a state, for integrators of other packages."""

from __future__ import annotations

from symcontact_ros.collision.shape_pair import F, S, V
from symcontact_ros.kernels.memory import Floats
from symcontact_ros.simulation.bodies.body import FLOATING
from symcontact_ros.simulation.bodies.runge_kutta import Weights
from symcontact_ros.simulation.step.articulated import move_groups
from symcontact_ros.simulation.step.candidates import find_active_pairs
from symcontact_ros.simulation.step.loads import evaluate_loads
from symcontact_ros.simulation.step.motion import advance
from symcontact_ros.simulation.world.world import World
from symcontact_ros.simulation.world.world_records import Ledger

OF_ANCHOR = 4  # numbers: stretch and twist


def rates(world: World[S, F, V], out: Floats) -> None:
    """
    Write the time derivative of the state, of the ledger, and of the anchors.

    Stretch and twist of every anchor follow the ledger, where there is room for them. Where the
    anchors are not listed, this lists them.
    """
    size = len(world.stage)
    for i in range(size):
        world.stage[i] = world.state[i]
    world.drift = 1e300  # the broad phase runs each time: states come in any order
    for i in range(len(world.bodies)):
        world.bodies[i].travelled = 0.0
    if len(world.groups) > 0:
        move_groups(world)
    active = find_active_pairs(world)
    for i in range(len(world.bodies)):
        body = world.bodies[i]
        if body.kind == FLOATING:
            body.is_active = True
    world.is_pushed = True  # all bodies take part, whatever acts on them
    effect = evaluate_loads(world, active, False)
    advance(world, Weights(0.0, 0.0, 0.0, 1.0))  # of which the sums are the rates
    for i in range(size):
        out[i] = world.sums[i]
    ledger = Ledger.at(out, size)
    ledger.lost_in_contact = effect.lost
    ledger.lost_in_friction = effect.rubbed
    ledger.stored_in_contact = effect.stored
    ledger.lost_in_joints = world.joint_loss
    ledger.work_in = world.power_in
    at = len(world.state)
    if at + OF_ANCHOR * world.anchor_count <= len(out):
        for i in range(world.anchor_count):
            anchor = world.anchors[i]
            for k in range(3):
                out[at + OF_ANCHOR * i + k] = anchor.rate[k]
            out[at + OF_ANCHOR * i + 3] = anchor.rate_of_twist
