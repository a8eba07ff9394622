"""What imu and force_torque sensors measure, against closed forms, momenta and other equations."""

from helpers.newton_euler import Tree
import numpy as np
import pytest
import yaml

import symcontact_ros as sc

G = 9.81
PENDULUM = """\
dimension: {dimension}
gravity: {gravity}
bodies:
  bob:
    mass: 2
    com: [0.5, 0, 0]
    inertia: {inertia}
    sites: {{tip: {{position: [0.8, 0, 0]}}}}
    joint: {{type: revolute, axis: [0, 0, 1], name: pivot, damping: {damping}}}
    initial: {{position: {angle}, velocity: {rate}}}
sensors: [{{type: imu, site: tip}}, {{type: force_torque, joint: pivot}}]
"""
PLANE, SPACE = '{izz: 0.3}', '{ixx: 0.1, iyy: 0.3, izz: 0.3}'
# Every kind of joint, branches, fixed bodies on moving ones, springs, stops and servos.
TREE = """\
dimension: 3
gravity: [1, -2, -9]
bodies:
  base: {mass: 9, inertia: {ixx: 1, iyy: 1.4, izz: 1.2, ixy: 0.1}, com: [0.1, 0, 0.2],
         joint: {type: free}, initial: {rpy: [0.3, 0.2, 0.1], velocity: [1, 2, 3],
         angular_velocity: [2, -1, 0.5]}}
  arm: {mass: 2, com: [0.1, 0.3, 0], inertia: {ixx: 0.3, iyy: 0.4, izz: 0.5, ixz: 0.1},
        joint: {type: revolute, parent: base, axis: [1, 2, 3], origin: {xyz: [0, 1, 0],
        rpy: [0.4, 0, 0.2]}, stiffness: 3, damping: 0.2, armature: 0.05, friction: 0.1},
        initial: {position: 0.4, velocity: 2}}
  rod: {mass: 1, com: [0, 0, 0.3], inertia: {ixx: 0.1, iyy: 0.1, izz: 0.05},
        joint: {type: prismatic, parent: arm, axis: [0, 1, 1], origin: {xyz: [0.2, 0, 0]},
        limits: {lower: -1, upper: 0.1, stiffness: 50, damping: 1}},
        initial: {position: 0.1, velocity: 1}}
  hand: {mass: 0.5, com: [0, 0.1, 0], inertia: {ixx: 0.01, iyy: 0.02, izz: 0.02},
         joint: {type: fixed, parent: rod, name: wrist, origin: {xyz: [0, 0, 0.4],
         rpy: [0, 1, 0]}}, sites: {palm: {position: [0.1, 0.1, 0], rpy: [0.2, 0.1, 0.3]}}}
  ball: {mass: 0.7, com: [0.2, 0, 0], inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1},
         joint: {type: spherical, parent: base, origin: {xyz: [0, -1, 0]}},
         initial: {rpy: [0, 0, 1], angular_velocity: [1, 2, -1]}}
  disc: {mass: 0.4, com: [0.1, 0, 0], inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1},
         joint: {type: planar, parent: base, origin: {xyz: [1, 0, 0], rpy: [1, 0, 0]}},
         initial: {position: [0.2, 0.1, 0], velocity: [1, -1, 0], angular_velocity: 2},
         sites: {rim: {position: [0.3, 0, 0]}}}
sensors:
- {type: imu, site: palm}
- {type: imu, site: rim}
- {type: force_torque, joint: arm}
- {type: force_torque, joint: rod}
- {type: force_torque, joint: wrist}
- {type: force_torque, joint: ball}
- {type: force_torque, joint: disc}
"""


@pytest.fixture
def simulate(write_model):
    def make(text, **options):
        return sc.Simulation(sc.load_model(write_model(text)), **options)

    return make


@pytest.fixture
def pendulum(simulate):
    def make(dimension=2, gravity=(0, -G, 0), angle=0.0, rate=0.0, damping=0.0):
        inertia = PLANE if dimension == 2 else SPACE
        return simulate(
            PENDULUM.format(
                dimension=dimension,
                gravity=list(gravity),
                inertia=inertia,
                angle=angle,
                rate=rate,
                damping=damping,
            )
        )

    return make


def turned(simulation, name):
    """Return the rotation matrix of a body or site: its axes as columns."""
    x, y, z, w = simulation.poses()[name].quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


# imu --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(('dimension', 'shape'), [(2, 'circle'), (3, 'sphere')])
def test_free_fall_feels_nothing(simulate, dimension, shape):
    simulation = simulate(f"""\
dimension: {dimension}
bodies: {{ball: {{mass: 2, shapes: [{{type: {shape}, radius: 0.1}}],
          sites: {{top: {{position: [0, 0.1, 0]}}}}, initial: {{velocity: [1, 2, 0]}}}}}}
sensors: [{{type: imu, site: top}}]
""")
    simulation.step(200)
    reading = simulation.sensors()['top']
    assert (reading.site, reading.frame) == ('top', 'top')
    np.testing.assert_allclose(reading.specific_force, 0.0, atol=1e-14)  # rounding of g - g
    np.testing.assert_array_equal(reading.angular_velocity, 0.0)


def test_at_rest_it_feels_gravity_upwards_in_its_own_axes(resting_ball, write_model):
    text = resting_ball[0].read_text()
    site = 'sites: {label: {position: [0.1, 0, 0], rpy: [0, 0, 0.5]}}'
    text = text.replace('    mass', f'    {site}\n    mass')
    model = sc.load_model(write_model(f'{text}sensors: [{{type: imu, site: label}}]'))
    reading = sc.Simulation(model).sensors()['label']
    # The depth in the file is where weight and contact balance, to its rounding.
    expected = [G * np.sin(0.5), G * np.cos(0.5), 0.0]
    np.testing.assert_allclose(reading.specific_force, expected, atol=1e-9)
    np.testing.assert_allclose(reading.quaternion, [0, 0, np.sin(0.25), np.cos(0.25)], atol=1e-15)


@pytest.mark.parametrize('dimension', [2, 3])
def test_on_a_turning_arm_it_feels_the_pull_to_the_centre(pendulum, dimension):
    simulation = pendulum(dimension, gravity=(0, 0, 0), angle=0.7, rate=3.0)
    simulation.step(100)  # nothing brakes it
    reading = simulation.sensors()['tip']
    np.testing.assert_allclose(reading.specific_force, [-(3.0**2) * 0.8, 0, 0], atol=1e-12)
    np.testing.assert_allclose(reading.angular_velocity, [0, 0, 3.0], atol=1e-14)


def test_in_an_impact_it_feels_the_contact_force_alone(write_model):
    model = sc.load_model(
        write_model("""\
materials: {default: {stiffness: 1e7, damping: 0.2, friction: 0, slip_speed: 0.1}}
bodies:
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 1, 0]}]}
  ball: {mass: 2, shapes: [{type: circle, radius: 0.2}], sites: {centre: {position: [0, 0, 0]}},
         initial: {position: [0, 0.199, 0], velocity: [0, -1, 0]}}
sensors: [{type: imu, site: centre}]
""")
    )
    simulation = sc.Simulation(model)
    simulation.step(5)
    depth, speed = 0.2 - simulation.q[1], simulation.u[1]
    assert depth > 1e-3
    force = 1e7 * depth**3 * (1.0 - 0.2 * speed)
    felt = simulation.sensors()['centre'].specific_force
    np.testing.assert_allclose(felt, [0.0, force / 2.0, 0.0], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize('site', ['palm', 'rim'])
def test_it_agrees_with_the_velocities_of_the_site(simulate, site):
    """The change of a site's place over two small steps, whatever carries it."""
    step = 1e-4
    simulation = simulate(TREE, step_size=step)
    simulation.set_effort('arm', 2.0)
    simulation.set_wrench('hand', force=[1, 2, 3], torque=[0.1, 0.2, 0.3])
    places = [simulation.poses()[site].position]
    simulation.step(1)
    reading, axes = simulation.sensors()[site], turned(simulation, site)
    places.append(simulation.poses()[site].position)
    simulation.step(1)
    places.append(simulation.poses()[site].position)
    acceleration = (places[0] - 2.0 * places[1] + places[2]) / step**2
    # Differences: h^2 of the fourth derivative, and rounding of 1e-16 / h^2.
    expected = axes.T @ (acceleration - [1, -2, -9])
    np.testing.assert_allclose(reading.specific_force, expected, atol=2e-5)
    assert np.linalg.norm(reading.specific_force) > 1.0


# force_torque -----------------------------------------------------------------------------------


@pytest.mark.parametrize('dimension', [2, 3])
@pytest.mark.parametrize(('angle', 'rate'), [(0.4, 0.0), (-1.2, 2.0)])
def test_a_swinging_pendulum_pulls_at_its_pivot(pendulum, dimension, angle, rate):
    simulation = pendulum(dimension, angle=angle, rate=rate)
    reading = simulation.sensors()['pivot']
    assert (reading.joint, reading.frame) == ('pivot', 'bob')
    # About the pivot: I alpha = -m g r cos(angle); along the rod it is thrown outwards.
    alpha = -2.0 * G * 0.5 * np.cos(angle) / (0.3 + 2.0 * 0.5**2)
    along = 2.0 * (-G * np.sin(angle) + 0.5 * rate**2)
    across = 2.0 * (-G * np.cos(angle) - 0.5 * alpha)
    np.testing.assert_allclose(reading.force, [along, across, 0.0], atol=1e-12)
    np.testing.assert_allclose(reading.torque, 0.0, atol=1e-12)  # a free hinge


def test_what_brakes_a_joint_is_part_of_what_it_carries(pendulum):
    simulation = pendulum(angle=0.4, rate=2.0, damping=0.7)
    simulation.set_effort('pivot', 5.0)
    torque = simulation.sensors()['pivot'].torque
    np.testing.assert_allclose(torque, [0, 0, -(5.0 - 0.7 * 2.0)], atol=1e-12)  # on the parent


def test_a_wrist_that_holds_a_weight_reads_the_weight(simulate):
    simulation = simulate("""\
dimension: 3
bodies:
  arm: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1},
        joint: {type: revolute, axis: [1, 0, 0], stiffness: 100, rest_position: 0.3},
        initial: {position: 0.3}}
  hand: {mass: 3, com: [0, 0.2, 0], inertia: {ixx: 1, iyy: 1, izz: 1},
         joint: {type: fixed, parent: arm, name: wrist, origin: {xyz: [0, 1, 0]}}}
sensors: [{type: force_torque, joint: wrist}]
""")
    turning = 3 * G * 1.2 * np.cos(0.3)  # of the weight; balanced at the shoulder
    simulation.set_effort('arm', turning)
    reading = simulation.sensors()['wrist']
    weight = 3 * G * np.array([0.0, -np.sin(0.3), -np.cos(0.3)])
    np.testing.assert_allclose(reading.force, weight, atol=1e-12)
    np.testing.assert_allclose(reading.torque, np.cross([0, 0.2, 0], weight), atol=1e-12)


@pytest.mark.parametrize('joint', ['arm', 'rod', 'ball', 'disc'])
def test_it_agrees_with_the_symbolic_equations(simulate, joint):
    """`reactions`: derived in SymPy, in body axes, on the child; measured is on the parent."""
    simulation = simulate(TREE, integrator='rk4')
    simulation.step(50)
    simulation.set_effort('arm', 2.0)
    wrenches = {'hand': ([1.0, 2.0, 3.0], [0.1, 0.2, 0.3]), 'ball': ([0, 1.0, 0], [0.5, 0, 0])}
    for body, (force, torque) in wrenches.items():
        simulation.set_wrench(body, force=force, torque=torque)
    equations = sc.equations_of_motion(simulation.model)
    rod, (arm_rate, rod_rate) = simulation.q[8], simulation.u[6:8]
    # Spring and damping are in the equations.
    efforts = [2.0 - 0.1 * np.tanh(arm_rate / 0.1), 50.0 * (0.1 - rod) - rod_rate]
    assert rod > 0.1, 'it is not beyond its stop'
    assert efforts[1] < 0.0
    q, u = simulation.q, simulation.u
    udot = equations.evaluate(q, u, efforts, wrenches).udot
    force, torque = equations.reactions(q, u, udot, wrenches)[joint]
    reading = simulation.sensors()[joint]
    np.testing.assert_allclose(reading.force, -force, atol=1e-11)  # of forces of 1 to 100 N
    np.testing.assert_allclose(reading.torque, -torque, atol=1e-11)


def test_a_fixed_wrist_carries_what_changes_the_momentum_of_the_hand(simulate):
    step = 1e-4
    simulation = simulate(TREE, step_size=step)
    beyond = simulation.q
    beyond[8] = 0.2  # of its stop, whose force has no jump then
    simulation.set_state(q=beyond)
    push = np.array([1.0, 2.0, 3.0])
    simulation.set_wrench('hand', force=push)
    before = simulation.twists()['hand'].linear
    simulation.step(1)
    reading, axes = simulation.sensors()['wrist'], turned(simulation, 'hand')
    simulation.step(1)
    after = simulation.twists()['hand'].linear
    rate = 0.5 * (after - before) / (2 * step)  # mass 0.5 kg
    expected = axes.T @ (push + 0.5 * np.array([1, -2, -9]) - rate)
    np.testing.assert_allclose(reading.force, expected, atol=1e-5)  # h^2 of the differences


@pytest.mark.parametrize(('joint', 'child'), [('wrist', 'hand'), ('arm', 'arm'), ('disc', 'disc')])
def test_it_agrees_with_newton_and_euler(simulate, joint, child):
    """The oracle of the equations: Jacobians of every body, fixed ones too, in world axes."""
    simulation = simulate(TREE)
    simulation.step(20)
    push, turn = np.array([1.0, 2.0, 3.0]), np.array([0.1, 0.2, 0.3])
    simulation.set_wrench('hand', force=push, torque=turn)
    tree = Tree(yaml.safe_load(TREE), order=simulation.model.body_names)
    q, u = simulation.q, simulation.u
    terms = tree.evaluate(q, u)
    (arm, rod), (arm_rate, rod_rate) = q[7:9], u[6:8]
    efforts = [
        -3.0 * arm - 0.2 * arm_rate - 0.1 * np.tanh(arm_rate / 0.1),
        50.0 * (0.1 - rod) - rod_rate,
    ]
    forces = tree.generalized(q, efforts, {'hand': (push, turn)})
    udot = np.linalg.solve(terms.mass_matrix, forces - terms.bias)
    motions = tree.motions(q, u)
    hanging = {'wrist': ['hand'], 'arm': ['arm', 'rod', 'hand'], 'disc': ['disc']}[joint]
    force, torque = np.zeros(3), np.zeros(3)
    for body in (b for b in tree.bodies if b.name in hanging):
        motion = motions[body.name]
        lever = motion.rotation @ body.com
        jacobian, _, drift = motion.at(lever)
        inertia = motion.rotation @ body.inertia @ motion.rotation.T
        alpha = motion.angular @ udot + motion.angular_acceleration
        spin = inertia @ alpha + np.cross(motion.rates, inertia @ motion.rates)
        weight = body.mass * (tree.gravity - jacobian @ udot - drift)
        if body.name == 'hand':
            weight, spin = weight + push, spin - turn
        force += weight
        torque += np.cross(motion.position + lever - motions[child].position, weight) - spin
    axes = motions[child].rotation
    reading = simulation.sensors()[joint]
    np.testing.assert_allclose(reading.force, axes.T @ force, atol=1e-11)
    np.testing.assert_allclose(reading.torque, axes.T @ torque, atol=1e-11)


def test_a_hand_against_a_wall_reads_the_push_of_the_wall(simulate):
    simulation = simulate("""\
gravity: [0, 0, 0]
materials: {default: {stiffness: 1e7, damping: 0.2, friction: 0, slip_speed: 0.1}}
bodies:
  wall: {fixed: true, shapes: [{type: half_space, normal: [-1, 0, 0], offset: -1}]}
  slide: {mass: 1, inertia: {izz: 1}, joint: {type: prismatic, axis: [1, 0, 0], damping: 50}}
  tip: {mass: 0.1, shapes: [{type: circle, radius: 0.1}],
        joint: {type: fixed, parent: slide, name: wrist, origin: {xyz: [0.895, 0.2, 0]}}}
sensors: [{type: force_torque, joint: wrist}, {type: force_torque, joint: wall}]
""")
    simulation.set_effort('slide', 20.0)
    simulation.step(1000)
    reading = simulation.sensors()
    # The slide has come to rest: what is left of it decays like exp(-m k t / c), far below.
    np.testing.assert_allclose(reading['wrist'].force, [-20.0, 0, 0], rtol=1e-6)
    np.testing.assert_allclose(reading['wrist'].torque, 0.0, atol=1e-9)
    # What stands in the world is a force plate: about the origin, the lever is 0.2 m.
    np.testing.assert_allclose(reading['wall'].force, [20.0, 0, 0], rtol=1e-6)
    np.testing.assert_allclose(reading['wall'].torque, [0, 0, -0.2 * 20.0], rtol=1e-6)


def test_a_sensor_in_a_fixed_joint_of_a_urdf(write_model, simulate):
    write_model(
        """\
<robot name="arm">
<link name="base"/>
<link name="upper"><inertial><origin xyz="0 0 0.5"/><mass value="2"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="tool"><inertial><origin xyz="0.1 0 0"/><mass value="0.5"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/>
<axis xyz="0 0 1"/></joint>
<joint name="flange" type="fixed"><parent link="upper"/><child link="tool"/>
<origin xyz="0 0 1" rpy="0 0 0.3"/></joint>
</robot>
""",
        'arm.urdf',
    )
    simulation = simulate("""\
dimension: 3
include: [{urdf: arm.urdf, prefix: my_}]
sensors: [{type: force_torque, joint: my_flange}]
""")
    simulation.set_state(u=[4.0])
    reading = simulation.sensors()['my_flange']
    assert reading.frame == 'my_tool'
    thrown = 0.5 * 0.1 * 4.0**2  # outwards, along x of the tool
    np.testing.assert_allclose(reading.force, [thrown, 0, -0.5 * G], atol=1e-12)
    np.testing.assert_allclose(reading.torque, [0, 0.1 * 0.5 * G, 0], atol=1e-12)


def test_looking_changes_nothing(simulate, resting_ball):
    for make in (lambda: simulate(TREE), lambda: sc.Simulation(sc.load_model(resting_ball[0]))):
        watched, alone = make(), make()
        for _ in range(30):
            watched.step(1)
            watched.sensors()
        alone.step(30)
        assert watched.state_hash() == alone.state_hash()


def test_a_model_without_sensors_measures_nothing():
    assert sc.Simulation(sc.load_model('cart_pole')).sensors() == {}
