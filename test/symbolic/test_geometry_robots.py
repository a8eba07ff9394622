"""Contact geometry of chains of joints and of robots, against differences of their distances."""

from helpers.feature_pairs import Pair, ROUNDING, SLOPE
from helpers.robots import robots_folder, without_mimics
import numpy as np
import pytest

import symcontact_ros as sc

PANDA = """\
dimension: 3
parameters: {r: 0.05}
include: [{urdf: panda.urdf}]
bodies:
  tip:
    mass: 0.1
    joint: {type: fixed, parent: panda_hand, origin: {xyz: [0, 0, 0.1]}}
    shapes: [{type: sphere, radius: r}]
  table:
    fixed: true
    shapes: [{type: box, half_extents: [0.4, 0.5, 0.1], pose: {position: [0.5, 0, -0.1]}}]
collide: [[table, tip]]
"""
# A crane on a moving base that reaches back to a box on that base: what the base does moves both.
CRANE = """\
dimension: 3
bodies:
  base: {mass: 5, shapes: [{type: box, size: [0.4, 0.3, 0.2]}]}
  tower:
    mass: 1
    inertia: {ixx: 1, iyy: 1, izz: 1}
    joint: {type: revolute, parent: base, axis: [0.6, 0, 0.8], origin: {xyz: [0.5, 0, 0.1],
            rpy: [0.3, 0.2, 0.1]}}
  jib: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, joint: {type: prismatic, parent: tower,
        axis: [1, 0, 0]}}
  wrist: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, joint: {type: spherical, parent: jib}}
  load:
    mass: 1
    joint: {type: fixed, parent: wrist, origin: {xyz: [0, 0, 0.2]}}
    shapes: [{type: capsule, radius: 0.05, half_length: 0.2}]
collide: [[base, load]]
"""
ARM = """\
dimension: 2
parameters: {l: 0.7, R: 0.15}
bodies:
  cart: {mass: 1, inertia: {izz: 1}, joint: {type: prismatic, axis: [1, 0, 0],
         origin: {xyz: [0, 0.2, 0], rpy: [0, 0, 0.3]}}}
  upper: {mass: 1, inertia: {izz: 1}, joint: {type: revolute, parent: cart}}
  lower:
    mass: 1
    joint: {type: revolute, parent: upper, origin: {xyz: [l, 0, 0]}}
    shapes: [{type: circle, radius: R, pose: {position: [l, 0, 0]}}]
  plate: {mass: 1, joint: {type: planar, origin: {rpy: [0, 0, 0.5]}},
          shapes: [{type: rectangle, half_extents: [0.4, 0.2]}]}
collide: [[lower, plate]]
"""


def random_q(model, rng):
    q = []
    for body in model.moving:
        turn = rng.normal(size=4)
        turn = list(turn / np.linalg.norm(turn))
        place = list(rng.uniform(-1.0, 1.0, 3))
        kinds = {'free': place + turn, 'spherical': turn, 'planar': place}
        q += kinds.get(body.joint.type, place[:1])
    return np.array(q)


@pytest.fixture(params=['panda', 'crane', 'arm', 'double_pendulum'])
def model(request, tmp_path):
    if request.param == 'double_pendulum':  # its links are hulls of meshes
        folder = robots_folder() / 'double_pendulum_description' / 'urdf'
        return sc.load_model(folder / 'double_pendulum.urdf')
    if request.param == 'panda':
        without_mimics(robots_folder() / 'panda_description' / 'urdf' / 'panda.urdf', tmp_path)
    path = tmp_path / 'model.yaml'
    path.write_text({'panda': PANDA, 'crane': CRANE, 'arm': ARM}[request.param])
    return sc.load_model(path)


def test_jacobians_are_slopes_of_the_distance(model):
    (bodies,) = model.pairs
    pair = Pair(model)
    rng = np.random.default_rng(1)
    for _ in range(4):
        q = random_q(model, rng)
        (feature,) = sc.contact_geometry(model, *bodies, q)
        found, told = pair.proximity(q), feature.evaluate(q)
        assert told.distance == pytest.approx(found.distance, abs=ROUNDING)
        assert told.normal == pytest.approx(found.normal, abs=ROUNDING)
        assert told.jacobian == pytest.approx(pair.slope(q), abs=SLOPE)
        assert told.jacobian == pytest.approx(found.jacobian, abs=ROUNDING)
        assert told.velocity_jacobian == pytest.approx(found.velocity_jacobian, abs=ROUNDING)


def test_what_moves_both_bodies_is_in_no_column(tmp_path):
    path = tmp_path / 'model.yaml'
    path.write_text(CRANE)
    model = sc.load_model(path)
    (feature, *_) = sc.contact_geometry(model, 'base', 'load')
    assert all(entry == 0 for entry in feature.reduced_jacobian[:6])
    assert any(entry != 0 for entry in feature.reduced_jacobian[6:])
