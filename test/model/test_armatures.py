"""Armatures that joints get where no inertia resists them, and massless links."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.model.start_pose import StartPose

ARM = """<robot name="arm">
  <link name="base"/>
  <link name="upper">{upper}</link>
  <link name="lower">{lower}</link>
  <link name="tool"/>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/>
    <axis xyz="0 0 1"/>{elbow}</joint>
  <joint name="flange" type="fixed"><parent link="lower"/><child link="tool"/>
    <origin xyz="0 0 0.1"/></joint>
</robot>"""
SOLID = """<inertial><origin xyz="0.1 0 0"/><mass value="1"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>"""
POINT = """<inertial><mass value="1"/>
    <inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>"""
APART = '<origin xyz="0.3 0 0"/>'


@pytest.fixture
def load(tmp_path: Path):
    def load(upper: str, lower: str, elbow: str = APART) -> sc.Model:
        path = tmp_path / 'arm.urdf'
        path.write_text(ARM.format(upper=upper, lower=lower, elbow=elbow))
        return sc.load_model(path)

    return load


def armatures(model: sc.Model) -> dict[str, float]:
    return {b.joint.name: model.number(b.joint.armature) for b in model.moving}


def warned(model: sc.Model) -> list[str]:
    return [note for note in model.notes if 'armature' in note]


def test_sound_robots_get_none(load) -> None:
    model = load(SOLID, SOLID)
    assert armatures(model) == {'shoulder': 0.0, 'elbow': 0.0}
    assert warned(model) == []


def test_a_mass_on_its_axis_gets_one(load, tmp_path: Path) -> None:
    model = load(SOLID, POINT)
    # The shoulder moves the other link too: 0.02 + 0.3^2 kg m^2.
    assert armatures(model) == {'shoulder': 0.0, 'elbow': pytest.approx(0.11e-4)}
    assert warned(model) == [
        'no inertia resists some joints, which get an armature: elbow (1.1e-05 kg m^2); give '
        'their links inertia, or the joints an armature'
    ]
    model.to_yaml(tmp_path / 'arm.yaml')
    assert armatures(sc.load_model(tmp_path / 'arm.yaml')) == armatures(model)
    assert np.isfinite(sc.equations_of_motion(model).evaluate([0.1, 0.2], [1.0, 2.0]).udot).all()


def test_a_massless_link_between_two_joints_of_one_axis_gets_one(load) -> None:
    model = load('', SOLID, elbow='')
    matrix = StartPose(model).mass_matrix
    assert armatures(model) == {'shoulder': pytest.approx(2e-6), 'elbow': pytest.approx(2e-6)}
    assert np.linalg.cond(matrix) < 1e7
    assert len(warned(model)) == 1


def test_a_massless_link_that_carries_others_has_their_inertia(load) -> None:
    assert armatures(load('', SOLID)) == {'shoulder': 0.0, 'elbow': 0.0}


def test_massless_frames_stay_bodies_that_nothing_weighs(load) -> None:
    model = load(SOLID, SOLID)
    simulation = sc.Simulation(model)
    assert simulation.poses()['tool'].position == pytest.approx([0.3, 0.0, 0.1])
    assert sc.equations_of_motion(model).jacobian('tool', [0.0, 0.0]).shape == (6, 2)


def test_a_massless_link_at_the_end_is_a_fault_with_a_way_out(load) -> None:
    with pytest.raises(sc.ModelError, match='give it one, or make its joint fixed'):
        load(SOLID, '')


def test_model_files_may_ask_for_armatures() -> None:
    model = sc.Model('wheel', dimension=2)
    wheel = {'mass': 2.0, 'inertia': {'izz': 0.0}}
    with pytest.raises(sc.ModelError, match='must be > 0 about every axis'):
        model.add_body('wheel', **wheel, joint={'type': 'revolute'})
    model.add_body('wheel', **wheel, joint={'type': 'revolute', 'armature': 'auto'})
    # 2 kg at a distance of 1 cm.
    assert armatures(model) == {'wheel': pytest.approx(2e-4)}
