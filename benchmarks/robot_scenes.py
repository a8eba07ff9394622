"""
Scenes of `robots.py`: URDF files whose only collision geometry is what touches.

Both simulators read the same text: all shapes of the file are taken away, and spheres or boxes
are added to the links that touch the ground, the table or the box. Mimic joints become joints of
their own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import util
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

Triple = tuple[float, float, float]
FRICTION = 0.8  # of everything
BOX = (0.05, 0.04, 0.06)  # edges of the box in the gripper [m]
BOX_MASS = 0.2  # [kg]


@dataclass(frozen=True)
class Shape:
    """A sphere (one number) or a box (its edges), on a link."""

    link: str
    size: tuple[float, ...]  # [m]
    position: Triple = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Scene:
    """A robot, what of it touches, and how it is held: of globs of joints the first that fits."""

    file: str  # from the folder of example-robot-data
    shapes: tuple[Shape, ...]
    kp: Mapping[str, float]  # gains [N m/rad or N/m]
    damping: float  # kd / kp [s]
    start: Mapping[str, float] = field(default_factory=dict)  # [rad or m]
    # Positions that servos hold, less their start [rad or m]; what they cannot reach is a force.
    push: Mapping[str, float] = field(default_factory=dict)
    free: bool = True
    box: Triple | None = None  # in the gripper: its place seen from the link `holder`
    holder: str = ''


def _corners(
    link: str, radius: float, x: Sequence[float], y: float, z: float
) -> tuple[Shape, ...]:
    return tuple(Shape(link, (radius,), (a, b, z)) for a in x for b in (-y, y))


def _feet(radius: float, *links: str) -> tuple[Shape, ...]:
    return tuple(Shape(link, (radius,)) for link in links)


LEGS = ('FL', 'FR', 'RL', 'RR')
UNITREE = {'*_thigh_joint': 0.8, '*_calf_joint': -1.6}
PANDA = {
    'panda_joint1': 0.0,
    'panda_joint2': 0.3,
    'panda_joint3': 0.0,
    'panda_joint4': -2.2,
    'panda_joint5': 0.0,
    'panda_joint6': 2.5,
    'panda_joint7': 0.785,
}
ARM = {'panda_joint[1-4]': 4000.0, 'panda_joint[5-7]': 1000.0, 'panda_finger*': 2000.0}
PAD = (0.02, 0.01, 0.02)  # of a finger [m]
SCENES = {
    'Go2': Scene(
        'go2_description/urdf/go2.urdf',
        _feet(0.022, *(f'{leg}_foot' for leg in LEGS)),
        {'*': 200.0},
        0.03,
        UNITREE,
    ),
    'A1': Scene(
        'a1_description/urdf/a1.urdf',
        _feet(0.02, *(f'{leg}_foot' for leg in LEGS)),
        {'*': 200.0},
        0.03,
        UNITREE,
    ),
    'Solo12': Scene(
        'solo_description/robots/solo12.urdf',
        _feet(0.016, *(f'{leg}_FOOT' for leg in ('FL', 'FR', 'HL', 'HR'))),
        {'*': 20.0},
        0.03,
        {'F*_HFE': 0.8, 'F*_KFE': -1.6, 'H*_HFE': -0.8, 'H*_KFE': 1.6},
    ),
    'G1': Scene(
        'g1_description/urdf/g1_29dof_rev_1_0.urdf',
        tuple(
            shape
            for side in ('left', 'right')
            for shape in _corners(f'{side}_ankle_roll_link', 0.005, (-0.05, 0.12), 0.03, -0.03)
        ),
        {'*_hip_*': 1000.0, '*_knee_*': 1000.0, '*_ankle_*': 600.0, 'waist_*': 1000.0, '*': 200.0},
        0.03,
        {'*_hip_pitch_joint': -0.2, '*_knee_joint': 0.4, '*_ankle_pitch_joint': -0.2},
    ),
    'Talos': Scene(
        'talos_data/robots/talos_reduced.urdf',
        (
            Shape('left_sole_link', (0.21, 0.13, 0.02), (0.0, 0.0, 0.01)),
            Shape('right_sole_link', (0.21, 0.13, 0.02), (0.0, 0.0, 0.01)),
        ),
        {'leg_*': 6000.0, 'torso_*': 6000.0, '*': 1000.0},
        0.03,
        {'leg_*_3_joint': -0.411, 'leg_*_4_joint': 0.859, 'leg_*_5_joint': -0.448},
    ),
    'Panda, table': Scene(
        'panda_description/urdf/panda.urdf',
        (Shape('panda_hand', (0.02,), (0.0, 0.0, 0.12)),),
        ARM,
        0.05,
        {**PANDA, 'panda_finger*': 0.02},
        push={'panda_joint2': 0.02},
        free=False,
    ),
    'UR5, table': Scene(
        'ur_description/urdf/ur5_robot.urdf',
        (Shape('ee_link', (0.03,)),),
        {'*': 4000.0},
        0.05,
        {
            'shoulder_lift_joint': -1.2,
            'elbow_joint': 1.8,
            'wrist_1_joint': -2.2,
            'wrist_2_joint': -1.57,
        },
        push={'shoulder_lift_joint': 0.02},
        free=False,
    ),
    'Panda, box': Scene(
        'panda_description/urdf/panda.urdf',
        (
            Shape('panda_leftfinger', PAD, (0.0, PAD[1] / 2, 0.045)),
            Shape('panda_rightfinger', PAD, (0.0, -PAD[1] / 2, 0.045)),
        ),
        ARM,
        0.05,
        {**PANDA, 'panda_finger*': BOX[1] / 2},
        push={'panda_finger*': -0.01},  # 20 N each
        free=False,
        box=(0.0, 0.0, 0.0584 + 0.045),
        holder='panda_hand',
    ),
}


def robots_folder() -> Path | None:
    """Return the folder of example-robot-data, which is in the prefix of Pinocchio."""
    found = util.find_spec('pinocchio')
    for folder in Path(found.origin).resolve().parents if found and found.origin else ():
        if (folder / 'share' / 'example-robot-data' / 'robots').is_dir():
            return folder / 'share' / 'example-robot-data' / 'robots'
    return None


def urdf(scene: Scene, folder: Path) -> ElementTree.Element:
    """Return the file of a scene with the shapes of the scene only."""
    robot = ElementTree.parse(folder / scene.file).getroot()
    links = {link.get('name'): link for link in robot.findall('link')}
    for link in links.values():
        for kind in ('visual', 'collision'):
            for part in link.findall(kind):
                link.remove(part)
    for joint in robot.findall('joint'):
        for mimic in joint.findall('mimic'):
            joint.remove(mimic)
    for kind in ('gazebo', 'transmission', 'material'):
        for part in robot.findall(kind):
            robot.remove(part)
    for shape in scene.shapes:
        collision = ElementTree.SubElement(links[shape.link], 'collision')
        ElementTree.SubElement(collision, 'origin', xyz=words(shape.position), rpy='0 0 0')
        geometry = ElementTree.SubElement(collision, 'geometry')
        if len(shape.size) == 1:
            ElementTree.SubElement(geometry, 'sphere', radius=words(shape.size))
        else:
            ElementTree.SubElement(geometry, 'box', size=words(shape.size))
    return robot


def words(numbers: Any) -> str:
    """Return numbers as XML has them."""
    return ' '.join(repr(float(number)) for number in numbers)
