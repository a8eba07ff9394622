"""A scene of `robots.py` in both simulators: the same file, start, gains and targets."""

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from robot_scenes import BOX, BOX_MASS, FRICTION, Scene, urdf, words
import yaml

STEP_SIZE = 1e-3  # [s]
COUNTERS = {
    'newton mean': 'newton_iterations',
    'newton largest': 'newton_largest',
    'not converged': 'not_converged',
}


class Ours:
    """
    Our simulation of a scene.

    Parameters
    ----------
    scene
        The scene.
    folder
        Of example-robot-data.
    place
        Where files may be written; they are read in the constructor only.
    integrator
        Of the simulation.

    """

    def __init__(self, scene: Scene, folder: Path, place: Path, integrator: str) -> None:
        import symcontact_ros as sc

        self.scene = scene
        self.robot = urdf(scene, folder)
        file, world = place / 'robot.urdf', place / 'surroundings.yaml'
        ElementTree.ElementTree(self.robot).write(file)
        options: dict[str, Any] = {'base': 'free' if scene.free else 'fixed'}
        if scene.start:
            options['initial'] = dict(scene.start)
        alone = sc.load_model(file, **options)
        self.surroundings = surroundings(scene, alone)
        world.write_text(yaml.safe_dump(self.surroundings))
        servos = {}
        for joint in (body.joint.name for body in alone.bodies if body.joint.is_driven):
            kp = first_of(scene.kp, joint)
            servos[joint] = {'kp': kp, 'kd': scene.damping * kp, 'target': 'start'}
        if not scene.free:
            options['pose'] = [0.0] * 6
        self.model = sc.load_model(
            file, servo=servos, self_collision='none', world=world, **options
        )
        self.simulation = sc.Simulation(self.model, integrator=integrator, step_size=STEP_SIZE)
        starts = self.joints()
        self.targets = {name: starts[name] + first_of(scene.push, name) for name in servos}
        self.reset()

    def joints(self) -> dict[str, float]:
        """Return the positions of joints of one degree of freedom."""
        from symcontact_ros.model.joint_places import JointPlaces

        places, q = JointPlaces(self.model).q, self.simulation.q
        driven = [body for body in self.model.bodies if body.joint.is_driven]
        return {body.joint.name: float(q[places[body.name]][0]) for body in driven}

    def reset(self) -> None:
        """Go back to the start, with all servos at their targets."""
        self.simulation.reset()
        for name, target in self.targets.items():
            self.simulation.set_target(name, target)

    def run(self, steps: int) -> None:
        """Make steps."""
        self.simulation.step(steps)

    def place(self) -> np.ndarray:
        """Return where the base is, or the box, or what presses [m]."""
        from symcontact_ros.placements import matrix

        poses = self.simulation.poses()
        if self.scene.box is not None:
            return np.array(poses['box'].position)
        if self.scene.free:
            return np.array(poses[self.root].position)
        shape = self.scene.shapes[0]
        pose = poses[shape.link]
        return np.array(pose.position + matrix(tuple(pose.quaternion)) @ shape.position)

    @property
    def root(self) -> str:
        """The body with the free joint."""
        return next(b.name for b in self.model.bodies if b.joint.kind.floating_in == 3)

    def contacts(self) -> int:
        """Return the number of contact points."""
        return len(self.simulation.contacts())

    def facts(self) -> dict[str, Any]:
        """Return counters and forces."""
        counters = self.simulation.counters
        found = {name: counters[key] for name, key in COUNTERS.items() if key in counters}
        if 'newton mean' in found:
            found['newton mean'] /= counters.get('newton_steps') or self.simulation.steps
        contacts = self.simulation.contacts()
        normal = sum(abs(float(c.force @ c.normal)) for c in contacts)
        found.update(contacts=len(contacts), normal=normal)
        if self.scene.free:
            found['normal over weight'] = normal / self.weight()
        return found

    def weight(self) -> float:
        """Return the weight of all that moves [N]."""
        gravity = np.linalg.norm(gravity_of(self.model))
        moving = [body for body in self.model.bodies if body.name not in self.model.grounded]
        return float(gravity * sum(self.model.number(body.mass) for body in moving))


class Mujoco:
    """
    MuJoCo with the scene of ours: its text, start, gains, targets, friction and armatures.

    Dampings of servos are those of joints, which its integrators take implicitly: as actuators
    they would be explicit in Euler, and not stable. ``kind``: '' for its defaults, 'elliptic'
    for `implicitfast` with elliptic cones.
    """

    def __init__(self, ours: Ours, kind: str) -> None:
        self._mujoco = import_module('mujoco')
        self._ours = ours
        text = ElementTree.tostring(rooted(ours), encoding='unicode')
        spec = self._mujoco.MjSpec.from_string(text)
        spec.option.timestep = STEP_SIZE
        spec.option.gravity = gravity_of(ours.model)
        if kind == 'elliptic':
            spec.option.integrator = self._mujoco.mjtIntegrator.mjINT_IMPLICITFAST
            spec.option.cone = self._mujoco.mjtCone.mjCONE_ELLIPTIC
        self._surround(spec)
        self._drive(spec)
        for geom in spec.geoms:
            world = geom.name in ('floor', 'box')
            geom.contype, geom.conaffinity = (2, 1) if world else (1, 2)
            geom.friction = [FRICTION, 0.005, 0.0001]
        self._model = spec.compile()
        self._data = self._mujoco.MjData(self._model)
        self._start = start_of(ours)
        self.reset()
        self._check()

    def rollout(self, worlds: int, threads: int) -> Callable[[int], object]:
        """Return steps of many worlds from the start, by MuJoCo's own `rollout` on threads."""
        rollout = import_module('mujoco.rollout')
        self.reset()
        full = self._mujoco.mjtState.mjSTATE_FULLPHYSICS
        state = np.zeros(self._mujoco.mj_stateSize(self._model, full))
        self._mujoco.mj_getState(self._model, self._data, state, full)
        control = np.array(self._data.ctrl)
        data = [self._mujoco.MjData(self._model) for _ in range(threads)]
        pool = rollout.Rollout(nthread=threads)
        states = np.tile(state, (worlds, 1))

        def run(steps: int) -> None:
            nonlocal states
            controls = np.broadcast_to(control, (worlds, steps, len(control)))
            found, _ = pool.rollout(self._model, data, states, np.ascontiguousarray(controls))
            states = found[:, -1].copy()

        return run

    def _surround(self, spec: Any) -> None:
        bodies, kinds = self._ours.surroundings['bodies'], self._mujoco.mjtGeom
        if 'floor' in bodies:
            spec.worldbody.add_geom(
                name='floor',
                type=kinds.mjGEOM_PLANE,
                size=[0, 0, 1],
                pos=[0, 0, bodies['floor']['shapes'][0]['offset']],
            )
        if 'box' in bodies:
            start = bodies['box']['initial']
            x, y, z, w = start['quaternion']
            body = spec.worldbody.add_body(name='box', pos=start['position'], quat=[w, x, y, z])
            body.add_freejoint(name='box')
            size = [edge / 2 for edge in BOX]
            body.add_geom(name='box', type=kinds.mjGEOM_BOX, size=size, mass=BOX_MASS)

    def _drive(self, spec: Any) -> None:
        joints = {body.joint.name: body.joint for body in self._ours.model.bodies}
        gains = self._ours.simulation.servo_gains
        for joint in spec.joints:
            if joint.name not in gains:
                continue
            kp, kd = gains[joint.name]
            most = self._ours.model.number(joints[joint.name].effort_limit)
            joint.damping = joint.damping + kd
            joint.armature = self._ours.model.number(joints[joint.name].armature)
            actuator = spec.add_actuator(
                name=joint.name,
                target=joint.name,
                trntype=self._mujoco.mjtTrn.mjTRN_JOINT,
                gainprm=[kp, *[0.0] * 9],
                biastype=self._mujoco.mjtBias.mjBIAS_AFFINE,
                biasprm=[0.0, -kp, *[0.0] * 8],
            )
            if np.isfinite(most):
                actuator.forcerange = [-most, most]
                actuator.forcelimited = self._mujoco.mjtLimited.mjLIMITED_TRUE

    def _check(self) -> None:
        """Raise where this is not the robot of ours: as many speeds, and its weight."""
        speeds = self._ours.model.speed_count
        gravity = np.linalg.norm(gravity_of(self._ours.model))
        weight = float(gravity * self._model.body_mass[1:].sum())
        if self._model.nv != speeds or (
            self._ours.scene.free and abs(weight / self._ours.weight() - 1.0) > 1e-6
        ):
            reason = f'{self._model.nv} speeds and {weight:.6g} N'
            raise ValueError(f'{reason}, ours: {speeds} and {self._ours.weight():.6g} N')

    def reset(self) -> None:
        """Go to the start of ours, with all servos at their targets."""
        model, data = self._model, self._data
        self._mujoco.mj_resetData(model, data)
        base, joints = self._start
        for name, position in joints.items():
            data.joint(name).qpos[0] = position
        if base is not None:
            data.joint('base').qpos[:] = base
        for name, target in self._ours.targets.items():
            data.actuator(name).ctrl[0] = target

    def run(self, steps: int) -> None:
        """Make steps."""
        self._mujoco.mj_step(self._model, self._data, steps)

    def place(self) -> np.ndarray:
        """Return where the base is, or the box, or what presses [m]."""
        self._mujoco.mj_kinematics(self._model, self._data)
        if self._ours.scene.box is not None:
            return np.array(self._data.body('box').xpos)
        if self._ours.scene.free:
            return np.array(self._data.joint('base').qpos[:3])
        own = [g for g in range(self._model.ngeom) if self._model.geom(g).name != 'floor']
        return np.array(self._data.geom_xpos[own[0]])

    def contacts(self) -> int:
        """Return the number of contact points."""
        return int(self._data.ncon)

    def facts(self) -> dict[str, Any]:
        """Return forces."""
        normal, force = 0.0, np.zeros(6)
        for number in range(self._data.ncon):
            self._mujoco.mj_contactForce(self._model, self._data, number, force)
            normal += float(force[0])
        found = {'contacts': int(self._data.ncon), 'normal': normal}
        if self._ours.scene.free:
            found['normal over weight'] = normal / self._ours.weight()
        return found


def surroundings(scene: Scene, robot: Any) -> dict[str, Any]:
    """Return the model around a robot: a floor or table that it touches, or a box it holds."""
    from symcontact_ros.model.start_pose import StartPose
    from symcontact_ros.placements import quaternion_of

    pose = StartPose(robot)
    if scene.box is not None:
        rotation, position = pose.frames[scene.holder]
        start = {
            'position': (position + rotation @ np.array(scene.box)).tolist(),
            'quaternion': [float(part) for part in quaternion_of(rotation)],
        }
        shape = {'type': 'box', 'size': list(BOX)}
        body: dict[str, Any] = {'mass': BOX_MASS, 'shapes': [shape], 'initial': start}
        bodies = {'box': body}
    else:
        height = 0.0  # a robot with a free base is put on it
        if not scene.free:
            shape_ = scene.shapes[0]
            rotation, position = pose.frames[shape_.link]
            height = float((position + rotation @ np.array(shape_.position))[2] - shape_.size[0])
        shape = {'type': 'half_space', 'normal': [0, 0, 1], 'offset': height}
        bodies = {'floor': {'fixed': True, 'shapes': [shape]}}
    return {
        'format_version': 1,
        'name': 'surroundings',
        'dimension': 3,
        'materials': {
            'surface': {'friction': FRICTION},
            'pairs': [{'bodies': [next(iter(bodies)), '*'], 'material': 'surface'}],
        },
        'bodies': bodies,
    }


def rooted(ours: Ours) -> ElementTree.Element:
    """Return the text of ours for MuJoCo: with a floating joint where the base is free."""
    robot = ElementTree.fromstring(ElementTree.tostring(ours.robot))
    extension = ElementTree.SubElement(robot, 'mujoco')
    ElementTree.SubElement(extension, 'compiler', fusestatic='true', balanceinertia='true')
    if ours.scene.free:
        children = {child.get('link') for child in robot.findall('joint/child')}
        links = [link.get('name') for link in robot.findall('link')]
        (root,) = (name for name in links if name not in children)
        ElementTree.SubElement(robot, 'link', name='ground_of_base')
        joint = ElementTree.SubElement(robot, 'joint', name='base', type='floating')
        ElementTree.SubElement(joint, 'parent', link='ground_of_base')
        ElementTree.SubElement(joint, 'child', link=str(root))
        ElementTree.SubElement(joint, 'origin', xyz=words([0, 0, 0]))
    return robot


def start_of(ours: Ours) -> tuple[np.ndarray | None, dict[str, float]]:
    """Return pose of the base in the order of MuJoCo, if it is free, and positions of joints."""
    from symcontact_ros.model.joint_places import JointPlaces

    if not ours.scene.free:
        return None, ours.joints()
    q = ours.simulation.q[JointPlaces(ours.model).q[ours.root]]
    return q[[0, 1, 2, 6, 3, 4, 5]], ours.joints()


def first_of(numbers: Mapping[str, float], joint: str) -> float:
    """Return the number of the first glob that fits a joint; 0 if none does."""
    return next((number for glob, number in numbers.items() if fnmatchcase(joint, glob)), 0.0)


def gravity_of(model: Any) -> list[float]:
    """Return the gravity of a model [m/s^2]."""
    return [float(model.number(part)) for part in model.gravity]
