"""Stiffness by the pair: weight, mass and size of the pair alone choose it."""

import pytest

import symcontact_ros as sc

G = 9.81
BALL = {'mass': 2, 'shapes': [{'type': 'sphere', 'radius': 0.1}]}
FLOOR = {'fixed': True, 'shapes': [{'type': 'half_space'}]}
INERTIA = {'ixx': 0.01, 'iyy': 0.01, 'izz': 0.01}


def model(materials=None, **bodies):
    made = sc.Model(dimension=3)
    made.set(bodies=bodies, **({} if materials is None else {'materials': materials}))
    return made


def stiffness(made, a, b):
    return made.number(made.material(a, b).stiffness)


def link(mass, parent=None, kind='revolute', radius=0.05):
    joint = {'type': kind} if parent is None else {'type': kind, 'parent': parent}
    shapes = [{'type': 'sphere', 'radius': radius}]
    return {'mass': mass, 'inertia': INERTIA, 'joint': joint, 'shapes': shapes}


def test_a_pair_does_not_depend_on_other_bodies():
    alone = model(ball=BALL, floor=FLOOR)
    expected = 2 * G / (0.005 * 0.2) ** 3
    assert stiffness(alone, 'ball', 'floor') == pytest.approx(expected)
    tiny = {'mass': 50, 'shapes': [{'type': 'box', 'size': [1, 1, 0.002]}]}
    more = model(ball=BALL, floor=FLOOR, plate=tiny)
    assert stiffness(more, 'ball', 'floor') == pytest.approx(expected, rel=1e-8)
    assert stiffness(more, 'floor', 'plate') > 10 * expected
    (note,) = [note for note in more.notes if 'materials.default' in note]
    assert '3 pairs by weight and size' in note
    assert 'ball - floor' in note


def test_a_foot_carries_the_whole_robot_and_an_arm_what_hangs_at_it():
    legs = {'trunk': link(10, kind='free'), 'leg': link(2, 'trunk'), 'foot': link(1, 'leg')}
    free = model({'default': {'rest_depth': 0.001}}, floor=FLOOR, **legs)
    assert stiffness(free, 'floor', 'foot') == pytest.approx(13 * G / 0.001**3)
    assert stiffness(free, 'foot', 'trunk') == pytest.approx(1 * G / 0.001**3)
    base = {'fixed': True}
    arm = {'base': base, 'upper': link(10, 'base'), 'lower': link(2, 'upper')}
    fixed = model({'default': {'rest_depth': 0.001}}, floor=FLOOR, **arm, hand=link(1, 'lower'))
    assert stiffness(fixed, 'floor', 'lower') == pytest.approx(3 * G / 0.001**3)


def test_light_bodies_under_large_weights_are_soft_enough_for_a_step():
    made = model(floor=FLOOR, trunk=link(50, kind='free'), toe=link(0.02, 'trunk', radius=0.01))
    k = stiffness(made, 'floor', 'toe')
    depth = (50.02 * G / k) ** (1 / 3)
    assert depth == pytest.approx(0.05 * 0.02)  # the softest
    made = model(floor=FLOOR, trunk=link(5, kind='free'), toe=link(0.5, 'trunk'))
    k = stiffness(made, 'floor', 'toe')
    depth = (5.5 * G / k) ** (1 / 3)
    assert (3 * k * depth**2 / 0.5) ** 0.5 <= 2000 * (1 + 1e-6)


def test_the_live_symbol_scales_all_pairs_and_survives_a_round_trip(tmp_path):
    made = model(ball=BALL, floor=FLOOR, small=link(0.1, kind='free'))
    before = {pair: stiffness(made, *pair) for pair in made.pairs}
    name = 'materials.default.stiffness'
    assert made.parameters[name] == before['ball', 'small']  # the largest weight, the stiffest
    path = tmp_path / 'model.yaml'
    made.to_yaml(path)
    double = sc.load_model(path, parameters={name: 2 * made.parameters[name]})
    again = tmp_path / 'again.yaml'
    double.to_yaml(again)
    for scaled in (double, sc.load_model(again)):
        for pair, k in before.items():
            assert stiffness(scaled, *pair) == pytest.approx(2 * k)
    simulation = sc.Simulation(made)
    world = simulation.parts.live.memory.world
    assert len(world.materials) == len({f'{k:.6g}' for k in before.values()})
    simulation.set_parameters({name: 2 * made.parameters[name]})
    stored = sorted(world.materials[i].stiffness for i in range(len(world.materials)))
    assert stored == pytest.approx(sorted({2 * float(f'{k:.12g}') for k in before.values()}))


def test_materials_of_pairs_take_patterns_and_exact_names_win():
    pairs = [
        {'bodies': ['*', 'floor'], 'material': 'soft'},
        {'bodies': ['b*', 'floor'], 'material': 'hard'},
        {'bodies': ['small', 'floor'], 'material': 'hard'},
    ]
    materials = {'soft': {'stiffness': 1e3}, 'hard': {'stiffness': 1e9}, 'pairs': pairs}
    made = model(materials, ball=BALL, floor=FLOOR, small=link(0.1, kind='free'))
    assert stiffness(made, 'ball', 'floor') == 1e3
    assert stiffness(made, 'floor', 'small') == 1e9
    with pytest.raises(sc.ModelError, match=r'pairs\[0\].bodies: no body matches'):
        model({'pairs': [{'bodies': ['x*', 'floor'], 'material': 'default'}]}, floor=FLOOR)


def test_a_light_body_is_as_heavy_as_what_it_is_welded_to_for_substeps():
    sensor = link(1e-6, 'hand', 'fixed', 0.02)
    made = model(floor=FLOOR, hand=link(2, kind='free'), sensor=sensor)
    simulation = sc.Simulation(made)
    rows = simulation.parts.live.memory.image['bodies']['weighty']
    names = list(made.body_names)
    assert names[rows[names.index('sensor')]] == 'hand'
    assert names[rows[names.index('floor')]] == 'floor'


def test_a_mass_next_to_nothing_is_a_fault_of_the_model():
    with pytest.raises(sc.ModelError, match=r'rest_depth: no stiffness rests 9\.81e-320 N'):
        model(ball={**BALL, 'mass': 1e-320, 'inertia': INERTIA}, floor=FLOOR)
