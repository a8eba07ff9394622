"""
Bodies that move on height fields and triangle meshes.

Models have a ball and a box, so that they share their machine code.
"""

from helpers.surfaces import table
import numpy as np
import pytest

import symcontact_ros as sc

BALL = {'type': 'sphere', 'radius': 0.1}
BOX = {'type': 'box', 'half_extents': [0.15, 0.1, 0.08]}
PLANE = {'type': 'half_space'}
GRID = {'type': 'height_field', 'heights': np.zeros((81, 81)).tolist(), 'spacing': [0.1, 0.1]}


def model_of(ground, bodies, **material):
    """A model of ground and free bodies: shape and initial values of each."""
    model = sc.Model('terrain', dimension=3, gravity=(0.0, 0.0, -9.81))
    values = {'rest_depth': 5e-4, 'restitution': 0.3, 'friction': 0.5, 'presliding': 1e-4}
    model.add_material('default', **{**values, **material})
    model.add_body('ground', fixed=True, shapes=ground)
    for name, (shape, initial) in bodies.items():
        model.add_body(name, mass=1.0, shapes=[shape], joint={'type': 'free'}, initial=initial)
    model.set(collide=[['ground', name] for name in bodies])
    return model


def path_of(model, duration, every=0.05, integrator='implicit'):
    """Coordinates, speeds, and contact wrenches of all bodies over time."""
    sim = sc.Simulation(model, integrator=integrator)
    rows = []
    for _ in range(round(duration / every)):
        sim.step(round(every / sim.step_size))
        wrenches = [sim.contact_wrench(name) for name in sim.model.body_names]
        rows.append(np.concatenate([sim.q, sim.u, *(np.r_[w.force, w.torque] for w in wrenches)]))
    return np.array(rows), sim


@pytest.mark.parametrize('integrator', ['implicit', pytest.param('rk4', marks=pytest.mark.deep)])
def test_bodies_roll_and_slide_over_triangles_as_over_a_plane(integrator):
    # Across, along and askew to the sides of the triangles, over some 40 of them.
    bodies = {
        f'ball{i}': (
            BALL,
            {
                'position': [-1.513 + 0.3 * i, -1.021, 0.0995],
                'velocity': [np.cos(angle), np.sin(angle), 0.0],
                'angular_velocity': [-10.0 * np.sin(angle), 10.0 * np.cos(angle), 2.0],
            },
        )
        for i, angle in enumerate((0.0, 0.25 * np.pi, 1.0))
    }
    bodies['box'] = BOX, {'position': [0.7, 0.013, 0.0795], 'velocity': [1.5, 0.9, 0.0]}
    duration = 3.0 if integrator == 'implicit' else 0.5
    flat, sim = path_of(model_of([GRID], bodies), duration, integrator=integrator)
    plane, _ = path_of(model_of([PLANE], bodies), duration, integrator=integrator)
    assert np.abs(flat - plane).max() < 1e-6
    if integrator == 'implicit':
        assert sim.poses()['ball0'].position[0] > 1.4
        assert np.abs(sim.poses()['box'].position[:2] - (0.7, 0.013)).min() > 0.1  # it slid


def test_a_box_stays_or_slides_on_a_slope_of_triangles_as_on_a_plane():
    slope = np.tan(np.radians(25.0))
    x = 0.1 * (np.arange(61) - 30.0)
    ground = {**GRID, 'heights': np.tile(-slope * x, (21, 1)).tolist()}
    normal = {'type': 'half_space', 'normal': [slope, 0.0, 1.0]}
    turn = np.radians(25.0)
    up = 0.0795 * np.array([np.sin(turn), 0.0, np.cos(turn)])
    start = up + np.array([-1.5, 0.013, 1.5 * slope])
    beside = np.array([0.0, 0.6, 0.05])
    bodies = {
        'ball': (BALL, {'position': (start + beside).tolist()}),
        'box': (BOX, {'position': start.tolist(), 'rpy': [0.0, turn, 0.3]}),
    }
    for friction, moves in ((0.7, False), (0.2, True)):
        found, _ = path_of(model_of([ground], bodies, friction=friction), 1.0)
        plane, _ = path_of(model_of([normal], bodies, friction=friction), 1.0)
        assert np.abs(found - plane).max() < 1e-6
        assert (found[-1, 7] - start[0] > 0.1) == moves


def test_a_ball_comes_to_rest_in_a_valley_between_both_sides():
    slope = np.tan(np.radians(30.0))
    x = 0.1 * (np.arange(41) - 20.0)
    ground = {**GRID, 'heights': np.tile(slope * np.abs(x), (21, 1)).tolist()}
    bodies = {
        'ball': (BALL, {'position': [0.3, 0.02, 0.5]}),
        'box': (BOX, {'position': [0.3, 0.7, 0.5]}),
    }
    path, sim = path_of(model_of([ground], bodies, friction=0.1), 4.0)
    contacts = [
        contact for contact in sim.contacts() if 'ball' in (contact.body_a, contact.body_b)
    ]
    assert len(contacts) == 2
    assert abs(path[-1, 0]) < 1e-4
    total = sum(contact.force for contact in contacts)
    assert abs(total[2]) == pytest.approx(9.81, abs=1e-6)
    assert np.linalg.norm(path[-1, 14:17]) < 1e-6


def test_balls_fall_through_the_hole_of_a_table_and_rest_elsewhere():
    vertices, triangles = table()
    ground = {'type': 'mesh', 'vertices': vertices.tolist(), 'triangles': triangles.tolist()}
    bodies = {
        'through': (BALL, {'position': [0.05, 0.02, 0.4]}),
        'top': (BALL, {'position': [0.7, -0.2, 0.4]}),
        'rim': (BALL, {'position': [0.25, 0.0, 0.3]}),  # is pushed into the hole
    }
    _, sim = path_of(model_of([ground], bodies), 1.5)
    poses = sim.poses()
    assert poses['through'].position[2] < -5.0
    assert np.allclose(poses['top'].position, [0.7, -0.2, 0.0995], atol=1e-6)
    assert poses['rim'].position[2] < -1.0
    assert sim.energy().residual == pytest.approx(0.0, abs=1e-6)


def test_a_run_on_terrain_is_saved_and_continued_bit_for_bit():
    heights = 0.05 * np.random.default_rng(2).standard_normal((15, 15))
    ground = sc.HeightField(heights, (0.2, 0.2))
    bodies = {
        'ball': (BALL, {'position': [-0.6, 0.5, 0.4]}),
        'box': (BOX, {'position': [0.1, 0.0, 0.4], 'rpy': [0.2, 0.3, 0.1]}),
    }
    sim = sc.Simulation(model_of([ground], bodies), integrator='implicit')
    sim.step(400)
    saved = sim.save_state()
    sim.step(300)
    after = sim.state_hash()
    assert len(sim.contacts()) > 0
    sim.restore_state(saved)
    sim.step(300)
    assert sim.state_hash() == after
    again = sc.Simulation(model_of([ground], bodies), integrator='implicit')
    again.restore_state(saved)
    again.step(300)
    assert again.state_hash() == after
    assert sim.energy().mechanical < 0.5 * 0.8 * 9.81  # they have come down


def test_a_free_robot_is_lowered_until_it_touches_the_terrain(tmp_path):
    (tmp_path / 'hills.yaml').write_text(
        'format_version: 1\nname: hills\ndimension: 3\nbodies:\n  ground: {fixed: true, shapes: ['
        '{type: height_field, function: 0.3*x*x - 0.2*y, size: [4, 4], points: [41, 41]}]}\n'
    )
    (tmp_path / 'ball.urdf').write_text(
        '<robot name="ball"><link name="ball"><inertial><mass value="1"/><inertia ixx="0.1" '
        'iyy="0.1" izz="0.1"/></inertial><collision><geometry><sphere radius="0.2"/></geometry>'
        '</collision></link></robot>'
    )
    path = tmp_path / 'ball.urdf'
    model = sc.load_model(path, base='free', world=tmp_path / 'hills.yaml')
    (near,) = sc.Simulation(model).proximities()
    assert 0.0 <= near.distance < 1e-5


def test_pictures_of_a_large_field_have_fewer_triangles():
    field = sc.HeightField(np.zeros((400, 300)), (0.1, 0.1))
    (piece,) = field.marker_pieces(3)
    assert piece.kind == 'TRIANGLE_LIST'
    corners = np.array(piece.corners)
    assert len(corners) == 3 * 2 * 149 * 149
    assert np.allclose(corners.max(axis=0), [14.95, 19.95, 0.0])
