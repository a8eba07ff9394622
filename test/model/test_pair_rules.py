"""Which bodies may touch: welds, neighbours, robots, exclude and collide."""

import pytest

import symcontact_ros as sc

CHAIN = """
dimension: 3
bodies:
  floor: {fixed: true, shapes: [{type: half_space}]}
  base: {robot: r, joint: {type: fixed}, shapes: [{type: sphere, radius: 0.1}]}
  cover: {robot: r, joint: {type: fixed, parent: base}, shapes: [{type: sphere, radius: 0.1}]}
  arm: &arm
    {robot: r, mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1},
     joint: {type: revolute, parent: cover, origin: {xyz: [0, 0, 1]}},
     shapes: [{type: sphere, radius: 0.1}]}
  hand:
    {robot: r, mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1},
     joint: {type: revolute, parent: arm, origin: {xyz: [0, 0, 1]}},
     shapes: [{type: sphere, radius: 0.1}]}
  camera: {robot: r, joint: {type: fixed, parent: hand}, shapes: [{type: sphere, radius: 0.1}]}
"""
WORLD_PAIRS = [('arm', 'floor'), ('camera', 'floor'), ('floor', 'hand')]
SELF_PAIRS = [('base', 'camera'), ('base', 'hand'), ('camera', 'cover'), ('cover', 'hand')]


def pairs(write_model, more=''):
    return list(sc.load_model(write_model(CHAIN + more)).pairs)


def test_welded_bodies_are_one_and_neighbours_never_touch(write_model):
    assert pairs(write_model) == sorted(WORLD_PAIRS + SELF_PAIRS)
    assert pairs(write_model, 'self_collision: all') == sorted(WORLD_PAIRS + SELF_PAIRS)


def test_a_robot_without_self_collision_touches_others_only(write_model):
    assert pairs(write_model, 'self_collision: none') == WORLD_PAIRS
    assert pairs(write_model, 'self_collision: {r: none}') == WORLD_PAIRS


def test_a_named_pair_of_neighbours_touches_but_never_a_welded_one(write_model):
    more = 'collide: [[hand, arm], [hand, camera], ["*", floor]]'
    assert pairs(write_model, more) == sorted([('arm', 'hand'), *WORLD_PAIRS])
    assert pairs(write_model, 'collide: [["*", arm]]') == [('arm', 'floor')]  # no neighbours


def test_exclude_takes_names_and_patterns(write_model):
    assert pairs(write_model, 'exclude: [[floor, arm], ["c*", "*"], [hand, "b?se"]]') == [
        ('floor', 'hand')
    ]


@pytest.mark.parametrize(
    ('more', 'reason'),
    [
        ('exclude: [["hnd*", floor]]', "exclude[0]: no body matches 'hnd*'; did you mean 'hand'"),
        ('exclude: [[hnd, floor]]', "exclude[0]: unknown body 'hnd'; did you mean 'hand'"),
        ('exclude: [["han?", hand]]', 'exclude[0]: two different bodies'),
        ('exclude: all', 'exclude: must be a list of pairs'),
        ('self_collision: sometimes', 'self_collision: must be one of safe, all, none'),
        ('self_collision: {robo: all}', 'self_collision.robo: no body has `robot: robo`'),
        ('self_collision: {r: some}', 'self_collision.r: must be one of safe, all, none'),
    ],
)
def test_rules_that_mean_nothing_are_faults(write_model, more, reason):
    with pytest.raises(sc.ModelError) as error:
        pairs(write_model, more)
    assert reason in str(error.value)


def test_bodies_without_a_robot_are_one_if_they_are_one_tree(write_model):
    text = CHAIN.replace('robot: r, ', '')
    model = sc.load_model(write_model(text + 'self_collision: none'))
    # The base does not move: without a robot it belongs to the world, like the floor.
    assert list(model.pairs) == sorted(WORLD_PAIRS + SELF_PAIRS)
    assert model.pair_rules.safe_pairs == ()
