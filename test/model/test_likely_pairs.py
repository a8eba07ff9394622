"""The order of pairs: what a robot grasps and stands on comes before its own links."""

import symcontact_ros as sc
from symcontact_ros.model.likely_pairs import likely_first
from symcontact_ros.simulation.world.start_overlaps import body_pairs

LIMB = """\
  {n}_base:
    {{mass: 1, shapes: [&ball {{type: circle, radius: 0.1}}], initial: {{position: [{x}, 2, 0]}}}}
  {n}_shin:
    mass: 1
    shapes: [*ball]
    joint: {{type: revolute, parent: {n}_base, origin: {{xyz: [0, 0.4, 0]}}}}
  {n}_foot:
    mass: 1
    shapes: [*ball]
    joint: {{type: revolute, parent: {n}_shin, origin: {{xyz: [0, 0.4, 0]}}}}
  {n}_pad:
    mass: 1
    shapes: [*ball]
    joint: {{type: fixed, parent: {n}_foot, origin: {{xyz: [0, 0.1, 0]}}}}
"""
TWO = """\
dimension: 2
bodies:
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 1, 0]}]}
""" + ''.join(LIMB.format(n=name, x=x) for name, x in (('a', 0), ('b', 3)))


def ordered(model):
    pairs = body_pairs(model).pairs
    return [pairs[number] for number in likely_first(model, pairs)]


def test_links_of_one_robot_come_last_and_ends_of_limbs_first(write_model):
    found = ordered(sc.load_model(write_model(TWO)))
    ends = {'a_foot', 'a_pad', 'b_foot', 'b_pad', 'floor'}
    within = [a[0] == b[0] and 'floor' not in (a, b) for a, b in found]
    assert within == sorted(within)
    assert any(within)
    between = [pair for pair, own in zip(found, within, strict=True) if not own]
    inner = [sum(name not in ends for name in pair) for pair in between]
    assert inner == sorted(inner)
    assert set(inner) == {0, 1, 2}


def test_a_fixed_base_and_what_is_screwed_on_are_of_the_robot(write_model):
    found = ordered(sc.load_model('panda_table'))
    fingers = {('block', 'panda_leftfinger'), ('block', 'panda_rightfinger'), ('block', 'table')}
    assert fingers <= set(found[:8])
    links = [all(name.startswith('panda_') for name in pair) for pair in found]
    assert links == sorted(links), 'panda_link0, which is fixed to the world, is one of them'
    assert len(found) > 64 > links.index(True)
