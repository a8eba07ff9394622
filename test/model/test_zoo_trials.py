"""Trials of the zoo: what holds, stands and lands passes, and what does not is told so."""

import sys
from types import SimpleNamespace

from helpers.places import ROOT
import numpy as np
import pytest

pytest.importorskip('lxml', reason='the urdf extra is not installed')
sys.path.insert(0, str(ROOT / 'tools'))

import zoo
from zoo_joints import known, too_weak
from zoo_page import page
from zoo_stances import read_state, Stance, STANCES
from zoo_trials import balance, fallen, Foot, judged, open_balance, TRIALS

from symcontact_ros import load_model
from symcontact_ros.types import Pose

STOOL = """
<robot name="stool">
  <link name="seat">
    <inertial><origin xyz="{shift} 0 0"/><mass value="3"/>
      <inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.1 0.1 0.02"/></geometry></collision>
  </link>
  <link name="foot">
    <inertial><origin xyz="{lever} 0 0"/><mass value="1"/>
      <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.2 0.2 0.02"/></geometry></collision>
  </link>
  <joint name="leg" type="revolute">
    <parent link="seat"/><child link="foot"/><origin xyz="0 0 -0.3"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="{effort}" velocity="99"/>
  </joint>
</robot>
"""
SOUND = {'height': 1.0, 'sinks': 0.01, 'tilt': 0.01, 'carried': 1.001, 'slip': 1e-4}


def tried(part, folder, **numbers):
    """Return what a trial finds out about a stool: a seat on a foot, with a joint between."""
    path = folder / 'stool.urdf'
    path.write_text(STOOL.format(**{'shift': 0.0, 'lever': 0.0, 'effort': 50.0, **numbers}))
    facts = {'stage': 'load'}
    for _ in TRIALS[part](path, 'stool.urdf', folder, 'implicit', facts):
        pass
    return facts


@pytest.fixture
def stance(monkeypatch):
    """Let the stool be one of the robots that stand."""
    monkeypatch.setitem(STANCES, 'stool.urdf', Stance(1, angles=(('leg', 0.0),)))


def test_a_joint_that_its_servo_can_hold_holds(tmp_path):
    facts = tried('hold', tmp_path, lever=0.1)
    assert facts['verdict'] == 'holds'
    assert facts['error'] < 1e-3  # gravity is compensated
    assert abs(facts['open']) < 1e-6
    assert facts['reached'] == pytest.approx(2.0)


def test_a_joint_that_its_actuator_cannot_hold_is_weak(tmp_path):
    facts = tried('hold', tmp_path, lever=0.1, effort=0.1)
    assert facts['verdict'] == 'weak'
    assert facts['error'] > 0.2
    assert facts['reason'].startswith('leg is')
    assert 'at its effort limit of 0.1' in facts['reason']
    assert facts['reason'].endswith('leg needs 0.981 and has 0.1')


@pytest.mark.parametrize(('effort', 'is_weak'), [(0.97, True), (0.99, False)])
def test_what_gravity_needs_decides_who_is_weak(tmp_path, effort, is_weak):
    path = tmp_path / 'stool.urdf'
    path.write_text(STOOL.format(shift=0.0, lever=0.1, effort=effort))  # 1 kg, 0.1 m: 0.981 N m
    assert bool(too_weak(load_model(path))) == is_weak


def test_a_finding_is_a_failure():
    assert judged('hold', []) == {'verdict': 'holds'}
    assert judged('hold', ['a', 'b']) == {'verdict': 'fails', 'reason': 'a; b'}


def test_a_stool_stands(tmp_path, stance):
    facts = tried('stand', tmp_path)
    assert facts['verdict'] == 'stands'
    assert facts['carried'] == pytest.approx(1.0, abs=1e-3)
    assert facts['feet'] == ['foot']
    assert facts['height'] == pytest.approx(0.31, abs=1e-4)


def test_a_stool_that_is_heavy_on_one_side_falls(tmp_path, stance):
    facts = tried('stand', tmp_path, shift=0.3)
    assert facts['verdict'] == 'fails'
    assert 'falls: base' in facts['reason']


def test_a_robot_without_a_stance_is_not_tried(tmp_path):
    assert tried('stand', tmp_path)['verdict'] == '-'


def test_a_stool_lands(tmp_path):
    facts = tried('drop', tmp_path)
    assert facts['verdict'] == 'lands'
    assert facts['reached'] == pytest.approx(2.0)


@pytest.mark.parametrize(
    ('changed', 'reason'),
    [
        ({}, ''),
        ({'sinks': 0.21}, 'falls: base 210 mm lower'),
        ({'tilt': 0.4}, 'tilted by 0.4 rad'),
        ({'carried': 0.98}, '98.0 % of the weight'),
        ({'slip': 2e-3}, 'slips by 2 mm'),
        ({'slip': np.nan}, 'slips by nan mm'),
    ],
)
def test_what_does_not_stand_is_told_why(changed, reason):
    found = '; '.join(fallen({**SOUND, **changed}))
    assert reason in found
    assert bool(found) == bool(reason)


@pytest.mark.parametrize(('share', 'is_open'), [(9e-4, False), (-2e-3, True), (np.nan, True)])
def test_an_open_energy_balance_is_a_finding(share, is_open):
    assert bool(list(open_balance({'open': share}))) == is_open


@pytest.mark.parametrize(('throughput', 'share'), [(2.0, 0.5), (1e-28, 1e6), (0.0, 1e6)])
def test_the_balance_of_what_is_at_rest_is_no_quotient_of_rounding(throughput, share):
    energy = SimpleNamespace(residual=1.0, throughput=throughput)
    found = balance(SimpleNamespace(energy=lambda: energy))
    assert found == pytest.approx({'open': share, 'integration': 0.0})


def test_a_foot_slips_by_what_its_point_moves_along_the_floor():
    foot = Foot('foot', np.array([1.0, 0.0, 0.0]), Pose(np.array([1.0, 0.0, 0.1]), (0, 0, 0, 1)))
    assert foot.moved(Pose(np.array([1.0, 0.0, 0.2]), (0, 0, 0, 1))) == 0.0
    assert foot.moved(Pose(np.array([1.003, 0.004, 0.1]), (0, 0, 0, 1))) == pytest.approx(5e-3)
    # Turned about its contact point, the point stays.
    half = np.sqrt(0.5)
    assert foot.moved(Pose(np.array([1.1, 0.0, 0.0]), (0, half, 0, half))) == pytest.approx(0.0)


@pytest.mark.parametrize(
    ('facts', 'is_bad'),
    [
        ({'verdict': 'warning', 'freedom': 1, 'hold': {'verdict': 'holds'}}, False),
        ({'verdict': 'warning', 'freedom': 1, 'hold': {'verdict': 'fails'}}, True),
        ({'verdict': 'good', 'freedom': 1, 'hold': {'verdict': 'stopped'}}, True),
        ({'verdict': 'good', 'freedom': 1, 'hold': {'verdict': 'weak'}}, False),
        ({'verdict': 'good', 'freedom': 1, 'hold': {'verdict': 'refused'}}, True),
        ({'verdict': 'good', 'freedom': 0, 'hold': {'verdict': '-'}}, False),
        ({'verdict': 'good', 'freedom': 0, 'drop': {'verdict': 'refused'}}, False),  # scenery
        ({'verdict': 'good', 'freedom': 0, 'drop': {'verdict': 'nonsense'}}, True),
        ({'stand': {'verdict': 'refused'}}, True),
        ({'verdict': 'nonsense'}, True),
        ({'verdict': 'refused'}, False),
    ],
)
def test_the_zoo_fails_where_a_file_that_loads_does_not_pass(facts, is_bad):
    assert zoo.failed(zoo.Animal('', ROOT, ROOT, facts)) == is_bad


def test_parts_are_chosen_by_name():
    assert zoo.parts('drop, hold') == ('hold', 'drop')
    with pytest.raises(zoo.argparse.ArgumentTypeError, match='no part jump'):
        zoo.parts('jump')


def test_a_state_of_an_srdf_has_joints_but_no_root(tmp_path):
    path = tmp_path / 'robot.srdf'
    path.write_text(
        '<robot><group_state name="up"><joint name="root_joint" value="0 0 1 0 0 0 1"/>'
        '<joint name="knee" value="0.5"/><joint name="wheel" value="0 1"/></group_state></robot>'
    )
    assert read_state(path, 'up') == pytest.approx({'knee': 0.5, 'wheel': np.pi / 2})
    with pytest.raises(KeyError, match='no group_state down'):
        read_state(path, 'down')


@pytest.mark.parametrize('name', STANCES)
def test_a_stance_is_of_joints_of_its_file(name):
    for folder in zoo.packages().values():
        if (folder / name).is_file():
            break
    else:
        pytest.skip('example-robot-data or pybullet is not installed: make setup-dev')
    initial = STANCES[name].initial(folder)
    found = known(load_model(folder / name, meshes='none'), initial)
    assert found.keys() >= dict(STANCES[name].angles).keys()
    assert len(found) >= 2


def test_a_page_has_what_the_workers_found(tmp_path, stance):
    (tmp_path / 'stool.urdf').write_text(STOOL.format(shift=0, lever=0.1, effort=0.1))
    animal = zoo.Animal('things', tmp_path, tmp_path / 'stool.urdf')
    zoo.examine(animal, ('hold',), 'rk4', str(tmp_path))
    assert animal.facts['hold']['verdict'] == 'weak'
    animal.facts['stand'] = {'verdict': 'stands', 'carried': 1.0, 'slip': 2e-6}
    text = page([animal], 'rk4', 60.0)
    assert '**1 of 1 stand**.' in text
    assert '| `stool.urdf` | 1 | stands | 1.000000 | 0.002 |' in text
    assert '- `stool.urdf`: weak: leg is ' in text
    assert str(tmp_path) not in text
