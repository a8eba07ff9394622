"""What the ground does to a foot: forces, centres of pressure and free moments of closed forms."""

import numpy as np
import pytest

import symcontact_ros as sc

G = 9.81
FOOT = """\
dimension: 2
integrator: rk4
gravity: [0, -9.81, 0]
materials:
  default: {{law: hunt_crossley, stiffness: 1.0e6, damping: 20.0, friction: {friction}}}
bodies:
  floor: {{fixed: true, shapes: [{{type: half_space, normal: [{nx}, {ny}, 0]}}]}}
  foot:
    mass: 2.0
    com: [{com}, 0.05, 0]
    inertia: {{izz: 0.02}}
    shapes:
    - {{type: circle, radius: 0.03, pose: {{position: [-0.05, 0.03, 0]}}}}
    - {{type: circle, radius: 0.03, pose: {{position: [0.15, 0.03, 0]}}}}
    initial: {{angle: {angle}, velocity: [{speed}, 0, 0]}}
sensors: [{{type: ground_reaction, body: foot, name: plate}}]
"""
DISC = """\
dimension: 3
integrator: rk4
materials:
  default: {law: linear, stiffness: 1.0e5, damping: 1.0, friction: 0.4, slip_speed: 0.002}
bodies:
  floor: {fixed: true, shapes: [{type: half_space}]}
  disc:
    mass: 3.0
    shapes: [{type: cylinder, radius: 0.2, half_length: 0.02}]
    initial: {position: [1.0, 2.0, 0.0199], angular_velocity: [0, 0, 5]}
  lid: {mass: 1.0, shapes: [{type: box, half_extents: [0.1, 0.1, 0.1]}],
        initial: {position: [1.0, 2.0, 1.0]}}
"""


@pytest.fixture
def simulate(write_model):
    def make(text, **options):
        return sc.Simulation(sc.load_model(write_model(text)), **options)

    return make


def foot(com=0.0, angle=0.0, speed=0.0, friction=0.5):
    return FOOT.format(
        com=com, angle=angle, speed=speed, friction=friction, nx=-np.sin(angle), ny=np.cos(angle)
    )


def settled(simulation):
    simulation.step(1000)
    assert np.abs(simulation.u).max() < 1e-6
    return simulation


@pytest.mark.parametrize('com', [0.0, 0.05, 0.11])
def test_a_foot_at_rest_has_its_weight_below_its_centre_of_mass(com, simulate):
    simulation = settled(simulate(foot(com)))
    found = simulation.ground_reaction('foot')
    assert found.force == pytest.approx([0.0, 2.0 * G, 0.0], abs=1e-5)
    middle = simulation.snapshot().coms['foot']
    assert found.centre_of_pressure[0] == pytest.approx(middle[0], abs=1e-6)
    # By the law of the lever heel and toe carry their parts of the weight.
    forces = sorted((c.point[0], c.force[1]) for c in simulation.contacts())
    heel = (0.15 - com) / 0.2 * 2.0 * G
    assert abs(forces[0][1]) == pytest.approx(heel, rel=2e-3)  # the toe is deeper
    assert found.free_moment == 0.0
    assert found.normal == pytest.approx([0.0, 1.0, 0.0])


def test_on_a_ramp_the_centre_of_pressure_is_in_the_ramp_below_the_centre_of_mass(simulate):
    angle = 0.2
    simulation = settled(simulate(foot(0.05, angle)))
    found = simulation.ground_reaction('foot', 'floor')
    assert found.normal == pytest.approx([-np.sin(angle), np.cos(angle), 0.0])
    assert found.force == pytest.approx([0.0, 2.0 * G, 0.0], abs=1e-5)
    assert abs(found.centre_of_pressure @ found.normal) < 1e-3  # as deep as its points
    assert found.centre_of_pressure[0] == pytest.approx(
        simulation.snapshot().coms['foot'][0], abs=1e-6
    )


def test_the_force_of_a_sliding_foot_leans_back_by_the_angle_of_friction(simulate):
    friction, speed = 0.3, 2.0
    simulation = simulate(foot(0.05, speed=speed, friction=friction))
    simulation.step(400)
    assert simulation.twists()['foot'].linear[0] == pytest.approx(speed - friction * G * 0.4, 2e-2)
    found = simulation.ground_reaction('foot')
    assert found.force[0] == pytest.approx(-friction * found.force[1], rel=1e-6)
    # It passes through the centre of mass, as the foot does not tip over.
    to_com = simulation.snapshot().coms['foot'] - found.centre_of_pressure
    assert to_com[0] / to_com[1] == pytest.approx(-friction, abs=1e-2)


def test_the_free_moment_of_a_spinning_disc_is_what_slows_it_down(simulate):
    simulation = simulate(DISC, step_size=1e-4)
    simulation.step(500)
    inertia, h = 0.5 * 3.0 * 0.2**2, 1e-4
    found, before = simulation.ground_reaction('disc'), simulation.twists()['disc'].angular[2]
    simulation.step()
    after = simulation.twists()['disc'].angular[2]
    assert before > 1.0
    assert found.free_moment == pytest.approx(inertia * (after - before) / h, rel=1e-3)
    # Points at the rim, all of which slide: mu F_N R.
    assert found.free_moment == pytest.approx(-0.4 * found.force[2] * 0.2, rel=1e-3)
    assert found.torque == pytest.approx([0.0, 0.0, found.free_moment])
    assert found.centre_of_pressure[:2] == pytest.approx([1.0, 2.0], abs=1e-4)


def test_one_force_at_the_centre_and_the_free_moment_are_all_contacts_together(simulate):
    simulation = simulate(DISC.replace('angular_velocity: [0, 0, 5]', 'velocity: [1, 0.3, 0]'))
    for _ in range(5):
        simulation.step(20)
        found, com = simulation.ground_reaction('disc'), simulation.snapshot().coms['disc']
        wrench = simulation.contact_wrench('disc')
        torque = np.cross(found.centre_of_pressure - com, found.force) + found.torque
        assert found.force == pytest.approx(wrench.force, rel=1e-12)
        assert torque == pytest.approx(wrench.torque, abs=1e-12 * np.abs(found.force).max())


def test_what_does_not_touch_has_no_centre_of_pressure(simulate):
    found = simulate(DISC).ground_reaction('lid')
    assert (found.centre_of_pressure, found.normal, found.free_moment) == (None, None, 0.0)
    assert not found.force.any() and not found.torque.any()


def test_parts_of_a_foot_count_together_and_other_bodies_only_if_named(simulate):
    simulation = simulate(DISC.replace('[1.0, 2.0, 1.0]', '[1.0, 2.0, 0.1395]'))
    simulation.step(3000)
    alone, both = (simulation.ground_reaction(b) for b in ('disc', ['disc', 'lid']))
    assert both.force == pytest.approx([0.0, 0.0, 4.0 * G], abs=0.05)
    assert alone.force == pytest.approx(both.force)  # the lid touches no ground
    on_lid = simulation.ground_reaction('lid', ground='disc')
    assert on_lid.force == pytest.approx([0.0, 0.0, 1.0 * G], abs=0.02)
    assert simulation.ground_reaction('disc', ground='lid').force == pytest.approx(-on_lid.force)
    with pytest.raises(sc.OptionError, match="did you mean 'disc'"):
        simulation.ground_reaction('dics')


def test_a_sensor_reads_the_ground_reaction_of_its_body(simulate, write_model):
    simulation = settled(simulate(foot()))
    reading, exact = simulation.sensors()['plate'], simulation.ground_reaction('foot')
    np.testing.assert_array_equal(reading.force, exact.force)
    np.testing.assert_array_equal(reading.centre_of_pressure, exact.centre_of_pressure)
    noisy = simulate(foot().replace('name: plate', 'noise: {force: 2, torque: 0.5}'))
    readings = []
    for _ in range(300):
        noisy.step()
        readings.append(noisy.sensors()['foot'].force[2])  # 0 without noise
    assert np.std(readings) == pytest.approx(2.0, rel=0.15)
    with pytest.raises(sc.ModelError, match="unknown body 'foo'"):
        simulate(foot().replace('body: foot', 'body: foo'))
