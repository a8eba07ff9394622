"""A tenth of the zoo: real robots and things of two packages, one for every way to be odd."""

import sys

from helpers.places import ROOT
import pytest

pytest.importorskip('lxml', reason='the urdf extra is not installed')
sys.path.insert(0, str(ROOT / 'tools'))

import zoo
from zoo_worker import check_state, reloaded

from symcontact_ros import load_model, ModelError, Simulation

# A file, and words of every kind of warning that it gives.
LOADED = {
    'asr_twodof_description/urdf/TwoDofs.urdf': (),
    'finger_edu_description/robots/finger_edu.urdf': (),  # an SRDF beside it
    'human_description/robots/human.urdf': (),  # links without inertia between joints
    'panda_description/urdf/panda.urdf': ('beyond the limits',),  # mimic
    'TwoJointRobot_w_fixedJoints.urdf': ('triangle inequality',),
    'a1/a1.urdf': ('beyond the limits',),  # overlaps at the start
    'bicycle/bike.urdf': ('commas',),
    'biped/biped2d_pybullet.urdf': (  # its declaration is no first line
        "root link 'world' has a mass",
        'lower 1 is above upper -1',
        "ends in '.'",
        'no limit',
    ),
    'husky/husky.urdf': ('optenv',),
    'iris_description/robots/iris_simple.urdf': (),  # one link: scenery
    'plane.urdf': (),  # XML of version 0.0
    'plane_implicit.urdf': (),
    'spherical_joint_limit.urdf': ('spherical joint is left out', 'triangle inequality'),
    'toys/concave_box.urdf': ('<cdf> is not a shape',),
}
REFUSED = {
    'romeo_description/urdf/romeo_laas_small.urdf': 'l_gripper.mass.*needs a mass',
    'ur_description/urdf/ur3.urdf': 'has no <link>',
    'torus_deform.urdf': 'has no <link>',
}
STEPS = 50


def animal(name):
    """Return the path of a file of the zoo; skip where its package is not installed."""
    for folder in zoo.packages().values():
        if (folder / name).is_file():
            return folder / name
    return pytest.skip('example-robot-data or pybullet is not installed: make setup-dev')


@pytest.mark.parametrize('name', LOADED)
def test_it_loads_runs_and_is_the_same_when_written(name):
    model = load_model(animal(name))
    for text in LOADED[name]:
        assert any(text in warning for warning in model.warnings), text
    unexpected = [w for w in model.warnings if not any(text in w for text in LOADED[name])]
    assert unexpected == []

    simulation = Simulation(model)
    start = {body: pose.position for body, pose in simulation.poses().items()}
    simulation.step(STEPS)
    check_state(simulation, start)  # raises Nonsense

    assert reloaded(model, simulation) == ''


@pytest.mark.parametrize('name', REFUSED)
def test_it_is_refused_with_the_reason(name):
    with pytest.raises(ModelError, match=REFUSED[name]):
        load_model(animal(name))


def test_the_zoo_is_complete():
    if len(zoo.packages()) < 2:
        pytest.skip('example-robot-data or pybullet is not installed: make setup-dev')
    names = [animal.name for animal in zoo.animals()]
    assert len(names) > 160
    assert {*LOADED, *REFUSED} <= set(names)
