"""
Robots of the zoo that can stand, and the joint angles in which they do.

Most angles are those of a `group_state` in the SRDF file that comes with the robot; where there is
none, knees are bent alike so that the feet are below the hips.
"""

from __future__ import annotations

from dataclasses import dataclass
import math
from pathlib import Path
from xml.etree import ElementTree


@dataclass(frozen=True)
class Stance:
    """How a robot stands."""

    legs: int
    state: str = ''  # file and name of a `group_state`, from the folder of the package
    angles: tuple[tuple[str, float], ...] = ()  # by glob of joints; in addition to the state [rad]

    def initial(self, folder: Path) -> dict[str, float]:
        """Return the positions of joints at the start [rad or m]; folder: of the package."""
        file, _, name = self.state.partition('#')
        return {**(read_state(folder / file, name) if file else {}), **dict(self.angles)}


UNITREE = (('*_thigh_joint', 0.8), ('*_calf_joint', -1.6))
UPPER_LOWER = (('*_upper_joint', 0.8), ('*_lower_joint', -1.6))
LAIKAGO = (('*_upper_leg_2_hip_motor_joint', 0.0), ('*_lower_leg_2_upper_leg_joint', -0.7))
G1 = (('*_hip_pitch_joint', -0.2), ('*_knee_joint', 0.4), ('*_ankle_pitch_joint', -0.2))
# The soles of its collision meshes are 6 cm long: in its half_sitting the centre of mass is above
# an edge of them, here above their middle.
ICUB = Stance(
    2,
    'icub_description/srdf/icub.srdf#half_sitting',
    tuple(
        (f'{side}_{joint}', angle)
        for side in 'lr'
        for joint, angle in (('hip_pitch', 0.26), ('knee', -0.42), ('ankle_pitch', -0.16))
    ),
)
TALOS = 'talos_data/srdf/talos.srdf#half_sitting'
STANCES = {
    'a1_description/urdf/a1.urdf': Stance(4, 'a1_description/srdf/a1.srdf#standing'),
    'anymal_b_simple_description/robots/anymal-kinova.urdf': Stance(
        4, 'anymal_b_simple_description/srdf/anymal-kinova.srdf#standing_with_arm_up'
    ),
    'anymal_b_simple_description/robots/anymal.urdf': Stance(
        4, 'anymal_b_simple_description/srdf/anymal.srdf#standing'
    ),
    'anymal_c_simple_description/urdf/anymal.urdf': Stance(
        4, 'anymal_c_simple_description/srdf/anymal.srdf#standing'
    ),
    'b1_description/urdf/b1-z1.urdf': Stance(
        4, 'b1_description/srdf/b1-z1.srdf#standing_with_arm_home'
    ),
    'b1_description/urdf/b1.urdf': Stance(4, 'b1_description/srdf/b1.srdf#standing'),
    'g1_description/urdf/g1_29dof_rev_1_0.urdf': Stance(2, angles=G1),
    'g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf': Stance(2, angles=G1),
    'go1_description/urdf/go1.urdf': Stance(4, 'go1_description/srdf/go1.srdf#standing'),
    'go2_description/urdf/go2.urdf': Stance(4, 'go2_description/srdf/go2.srdf#standing'),
    'hyq_description/robots/hyq_no_sensors.urdf': Stance(
        4, 'hyq_description/srdf/hyq.srdf#standing'
    ),
    'icub_description/robots/icub.urdf': ICUB,
    'icub_description/robots/icub_reduced.urdf': ICUB,
    'laikago_description/urdf/laikago.urdf': Stance(4, angles=UNITREE),
    'quadruped_description/urdf/quadruped.urdf': Stance(
        4, angles=(('*_HFE', 0.8), ('*_KFE', -1.6))
    ),
    'romeo_description/urdf/romeo_small.urdf': Stance(
        2, 'romeo_description/srdf/romeo_small.srdf#half_sitting'
    ),
    'solo_description/robots/solo.urdf': Stance(4, 'solo_description/srdf/solo.srdf#standing'),
    'solo_description/robots/solo12.urdf': Stance(4, 'solo_description/srdf/solo.srdf#standing'),
    'talos_data/robots/talos_full_v2.urdf': Stance(2, TALOS),
    'talos_data/robots/talos_full_v2_box.urdf': Stance(2, TALOS),
    'talos_data/robots/talos_reduced.urdf': Stance(2, TALOS),
    'talos_data/robots/talos_reduced_box.urdf': Stance(2, TALOS),
    'talos_data/robots/talos_reduced_corrected.urdf': Stance(2, TALOS),
    'a1/a1.urdf': Stance(4, angles=UPPER_LOWER),
    'aliengo/aliengo.urdf': Stance(4, angles=UPPER_LOWER),
    'laikago/laikago_toes_zup.urdf': Stance(4, angles=LAIKAGO),
    'laikago/laikago_toes_zup_lores.urdf': Stance(4, angles=LAIKAGO),
    'mini_cheetah/mini_cheetah.urdf': Stance(
        4, angles=(('abduct_*_to_thigh_*', -0.8), ('thigh_*_to_knee_*', 1.6))
    ),
    'quadruped/spirit40newer.urdf': Stance(
        4, angles=(('*_upper_joint', -0.8), ('*_lower_joint', 1.6))
    ),
}


def read_state(path: Path, name: str) -> dict[str, float]:
    """
    Return the positions of a `group_state` of an SRDF file by joint [rad or m].

    Two numbers are cosine and sine of a continuous joint; more are the pose of the root, which is
    left out: it is put on the floor. KeyError if the file has no state of that name.
    """
    for state in ElementTree.parse(path).getroot().iter('group_state'):
        if state.get('name') == name:
            break
    else:
        raise KeyError(f'{path.name} has no group_state {name}')
    positions = {}
    for joint in state.iter('joint'):
        numbers = [float(word) for word in joint.get('value', '').split()]
        if len(numbers) == 1:
            positions[joint.get('name', '')] = numbers[0]
        elif len(numbers) == 2:
            positions[joint.get('name', '')] = math.atan2(numbers[1], numbers[0])
    return positions
