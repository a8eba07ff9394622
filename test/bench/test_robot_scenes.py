"""Scenes of benchmarks/robots.py: what both simulators are given is the same."""

import numpy as np
import pytest

pytest.importorskip('lxml', reason='the urdf extra is not installed')
pytest.importorskip('mujoco', reason='MuJoCo is not installed: make setup-dev')

from robot_scenes import robots_folder, Scene, SCENES, Shape, urdf
from robot_simulators import first_of, Mujoco, Ours
from robots import loose, phases

WALKER = """
<robot name="walker">
  <link name="trunk">
    <inertial><mass value="3"/>
      <inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.3 0.3 0.3"/></geometry></collision>
  </link>
  <link name="foot">
    <inertial><mass value="1"/>
      <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="slide" type="prismatic">
    <parent link="trunk"/><child link="foot"/><origin xyz="0 0 -0.3"/><axis xyz="0 0 1"/>
    <limit lower="-0.1" upper="0.1" effort="500" velocity="9"/>
  </joint>
</robot>
"""
FEET = tuple(Shape('foot', (0.02,), (x, y, 0.0)) for x in (-0.1, 0.1) for y in (-0.1, 0.1))
WEIGHT = 4.0 * 9.81  # [N]


@pytest.fixture
def walker(tmp_path):
    """Return a scene of a trunk on a foot with four spheres, and the folder of its file."""
    (tmp_path / 'walker.urdf').write_text(WALKER)
    return Scene('walker.urdf', FEET, {'slide': 4e4, '*': 1.0}, 0.03, {'slide': 0.01}), tmp_path


def test_the_file_keeps_the_shapes_of_the_scene_only(walker):
    robot = urdf(*walker)
    assert len(robot.findall('link/collision')) == 4
    assert robot.find("link[@name='trunk']/collision") is None


def test_both_carry_the_weight_at_the_same_place(walker):
    scene, folder = walker
    ours = Ours(scene, folder, folder, 'rk4')
    both = [ours, Mujoco(ours, ''), Mujoco(ours, 'elliptic')]
    starts = [one.place() for one in both]
    for one in both:
        one.run(1000)
    for one, start in zip(both, starts, strict=True):
        assert np.allclose(start, starts[0], atol=1e-9)
        assert one.facts()['contacts'] == 4
        assert one.facts()['normal'] == pytest.approx(WEIGHT, rel=1e-3)
        assert one.facts()['normal over weight'] == pytest.approx(1.0, rel=1e-3)
        # 29 N of the trunk bend a servo of 4e4 N/m by 0.7 mm; contacts by about 1 mm.
        assert np.allclose(one.place(), start, atol=3e-3)

    one.reset()
    assert np.allclose(one.place(), starts[0], atol=1e-9)


def test_another_robot_is_refused(walker):
    scene, folder = walker
    ours = Ours(scene, folder, folder, 'rk4')
    ours.robot.find("link[@name='trunk']/inertial/mass").set('value', '4')
    with pytest.raises(ValueError, match='ours: 7 and 39'):
        Mujoco(ours, '')


def test_the_first_glob_that_fits_decides():
    assert first_of({'leg_*': 2.0, '*': 1.0}, 'leg_1') == 2.0
    assert first_of({'leg_*': 2.0, '*': 1.0}, 'arm_1') == 1.0
    assert first_of({'leg_*': 2.0}, 'arm_1') == 0.0


def test_a_phase_is_the_mean_of_the_least_of_every_batch():
    quiet = [4.0] * 5 + [2.0] * 15 + [1.0] * 30
    busy = [value + (3.0 if batch % 2 else 0.0) for batch, value in enumerate(quiet)]
    found = phases([quiet, busy, busy])
    assert [least for least, _ in found.values()] == [4.0, 2.0, 1.0]
    assert found['at rest'][1] == 2.5  # every second batch of two runs of three is slower
    assert phases([quiet, quiet[:7]]) == {}  # a run that was stopped


def test_a_method_without_a_contact_is_named():
    assert list(loose({'a': {'least contacts': 0}, 'b': {'least contacts': 4}})) == ['a']


@pytest.mark.parametrize('name', SCENES)
def test_the_links_and_joints_of_a_scene_are_in_its_file(name):
    folder = robots_folder()
    if folder is None:
        pytest.skip('example-robot-data is not installed: make setup-dev')
    scene = SCENES[name]
    robot = urdf(scene, folder)  # KeyError for a link that is not there
    joints = [joint.get('name') for joint in robot.findall('joint')]
    for glob in (*scene.kp, *scene.start, *scene.push):
        assert any(first_of({glob: 1.0}, joint) for joint in joints), glob
