"""Sections of docs/benchmarks.md: their studies, words and figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Section:
    """A part of the page: studies, with words before and after their tables."""

    title: str
    studies: tuple[str, ...]
    words: str
    pictures: Mapping[str, str] = field(default_factory=dict)
    after: str = ''


SECTIONS = (
    Section(
        'Contact',
        ('contact',),
        """\
The five scenarios of the paper, `rk4`, one contact point, no substeps. *in contact*: 2,000 steps
of 1 us from the deepest point of the first impact, MuJoCo from the same positions; *over its run*:
2,000 steps of 1 ms, most of them free flight. Contact laws and solvers are the defaults of each.
[The paper's page](paper.md) has the same beside PyBullet and the paper's own methods.
""",
    ),
    Section(
        'Detection',
        ('collision',),
        """\
One query of a pair of shapes at a new pose with its contact points, in a compiled loop over 2,000
random poses; coal (`collide` with its contact patch) and fcl (`collide`) are called from Python,
which is most of their smaller numbers. *apart*: bounding spheres overlap, the bodies do not;
*shallow*: 0.1 to 10 mm deep; *deep*: 0.1 m and more; *resting*: face on face.
""",
    ),
    Section(
        'Articulated',
        ('articulated', 'robots'),
        """\
Bodies on joints that touch nothing: cart-pole and double pendulum, and the Panda (9 degrees of
freedom) that falls from a pose of work for 0.2 s; guards and energy balance are on. Before the
kinematics of all bodies left the stages of a step these took 0.470, 0.565 and 1.88 us. With its
shapes and the pairs that self-collision has by default the Panda needs its kinematics and the
queries of near pairs: 2.4 us where servos hold it, 3.9 us as it falls.

Then robots of example-robot-data in contact, `implicit`: standing on a floor, pressing on a table,
and holding a box. MuJoCo has the same file, start, gains, targets, friction, effort limits and
armatures; of its two solvers the faster one is compared.
""",
    ),
    Section(
        'Bodies',
        ('boxes', 'heaps'),
        """\
Boxes of 0.2 m on a plane after 1,000 steps: side by side (*layer*), and fallen onto each other
(*pile*). Then balls in a box, `implicit`: one island, whose Hessian is factorised in each
iteration of Newton's method, by *profile* (row by row, each from its first number that is not
zero) or *sparse* (in panels, ordered by minimum degree); the first is used below 48 velocities.
""",
        {'benchmarks_bodies.svg': 'Time over the number of boxes, and of balls'},
        """\
*plan*: islands, order and panels, once per step; *assemble*: the Hessian; *factor and solution*:
once per iteration. In heaps of balls, boxes and an arm the sparse factor is faster from about 30
velocities on in the plane and 50 in space, by little below 60. Of 512 balls a step took 2,646 ms
with the one and 56 ms with the other. Depths of boxes are larger than in MuJoCo: the law is
compliant.
""",
    ),
    Section(
        'Links',
        ('links',),
        """\
A chain in space, its joints by turns across and upright, that falls for 0.5 s; semi-implicit
Euler, the same method in MuJoCo (positions agree to 1e-12 rad after 100 steps).
""",
        {'benchmarks_links.svg': 'Time over the number of links'},
    ),
    Section(
        'Equations',
        ('equations',),
        """\
The Panda and Talos (reduced, free base): all of qdot and udot by one call, with a wrench on every
body; `pin.aba` has none. Both include the overhead of a call from Python.
""",
    ),
    Section(
        'Worlds and cores',
        ('worlds',),
        """\
Many worlds at once (`sc.Batch`), each run from the start: steps of all worlds per second of the
clock. Robots stand on their feet, in turns with `mujoco.rollout` on as many threads, which also
writes every state that it passes.
""",
        {'benchmarks_worlds.svg': 'Steps per second over worlds, and over cores'},
    ),
    Section(
        'Start',
        ('startup',),
        """\
From the start of a process to its end after one step: with an empty cache (*first*), and when it
has the fast code, as a run of some seconds or `symcontact warm` leaves it (*later*), beside a
process that imports MuJoCo, reads the same scene and makes a step. On two cores, as a first start
has fast code made by another process meanwhile.
""",
    ),
    Section(
        'Python',
        ('python',),
        """\
A control loop in Python on the cart-pole: `step(1)`, `q`, `set_effort`; in MuJoCo `mj_step`,
`qpos`, `ctrl`. `benchmarks/from_python.py` has the other calls.
""",
    ),
    Section(
        'Node',
        ('node',),
        """\
The ROS 2 node with ten bodies, twenty pairs, 1 kHz steps and 100 Hz publishing: the whole process
with the threads of DDS. The latency of a wrench begins with the step; *arrival*: in another
process; *callback*: in Python there.
""",
    ),
    Section(
        'Gymnasium',
        ('gymnasium',),
        """\
Environments as a learner calls them: actions at random, and episodes that are over begin again.
One world by `gymnasium.make`; many by `make_vec`, which of MuJoCo's runs them one after the other
(`SyncVectorEnv`) or in a process each (`AsyncVectorEnv`). Beside ours is the nearest of MuJoCo's:

| | ours | action, steps | MuJoCo's | action, steps |
|---|---|---|---|---|
| pole on a cart | `CartPole-v0` | 20 ms, 2 | `InvertedPendulum-v5` | 40 ms, 2 |
| hopper | `Hopper-v0` | 8 ms, 4 | `Hopper-v5` | 8 ms, 4 |
| four legs | `Go2Stand-v0`: 12 servos | 20 ms, 10 | `Ant-v5`: 8 motors | 50 ms, 5 |
| pushing | `Push-v0`: a finger on slides | 40 ms, 20 | `Pusher-v5`: an arm | 50 ms, 5 |

Only the hoppers do the same. As actions differ in length, *actions* are what a learner sees, and
*simulated time*, of all worlds, is what was computed.
""",
    ),
)
