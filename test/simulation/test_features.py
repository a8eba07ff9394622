"""Contact points of a simulation keep the ids of the features that meet there."""

import pytest

import symcontact_ros as sc

BOXES = """
dimension: 3
gravity: [0, 0, -9.81]
materials: {default: {stiffness: 1.0e6, damping: 1.0, friction: 0.5, slip_speed: 0.05}}
bodies:
  a_table: {fixed: true, shapes: [{type: box, half_extents: [0.5, 0.5, 0.1]}]}
  box: {mass: 1.0, shapes: [{type: box, half_extents: [0.1, 0.15, 0.2]}],
        initial: {position: [0, 0, 0.2995], rpy: [0, 0, 0.3]}}
"""
PLANKS = """
dimension: 2
gravity: [0, -9.81, 0]
materials: {default: {stiffness: 1.0e6, damping: 1.0, friction: 0.5, slip_speed: 0.05}}
bodies:
  table: {fixed: true, shapes: [{type: rectangle, half_extents: [0.5, 0.1]}]}
  plank: {mass: 1.0, shapes: [{type: polygon, vertices: [[-0.2, -0.1], [0.2, -0.1], [0, 0.2]]}],
          initial: {position: [0.1, 0.1995, 0]}}
"""


@pytest.mark.parametrize('detector', ['sat', 'co'])
@pytest.mark.parametrize('text', [BOXES, PLANKS], ids=['space', 'plane'])
def test_features_are_those_of_the_two_shapes_and_last_while_they_touch(
    text, detector, write_model
):
    model = sc.load_model(write_model(text))
    simulation = sc.Simulation(model, detector=detector)
    shapes = {body.name: body.shapes[0].shape for body in model.bodies}
    seen = set()
    for _ in range(5):
        simulation.step(20)
        poses = simulation.poses()
        (told,) = simulation.proximities()
        a, b = told.body_a, told.body_b
        alone = sc.proximity(shapes[a], poses[a], shapes[b], poses[b], detector)
        assert len(told.manifold) == (4 if model.dimension == 3 else 2)
        assert told.manifold.features.tolist() == alone.manifold.features.tolist()
        seen.add(tuple(told.manifold.features.tolist()))
    assert len(seen) == 1, 'it rests: the same corners meet the same face'
    assert len(set(seen.pop())) == len(told.manifold), 'each point has its own'
