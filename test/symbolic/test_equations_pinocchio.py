"""The equations of motion of well-known robots, and of the oracle, against Pinocchio."""

import re
from xml.etree import ElementTree

from helpers.newton_euler import skew, Tree, turn, Z
from helpers.random_trees import assert_close, random_wrenches, trees
from helpers.robots import robots_folder, without_mimics
from hypothesis import given, settings
import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.model.joint_places import JointPlaces, multiplier_of

pin = pytest.importorskip('pinocchio', reason='Pinocchio is not installed (`pip install pin`)')

STATES = 100
AXES = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
# name: (file of example-robot-data, base)
ROBOTS = {
    'panda': ('panda_description/urdf/panda.urdf', 'fixed'),
    'ur5': ('ur_description/urdf/ur5_robot.urdf', 'fixed'),
    'kinova': ('kinova_description/robots/kinova.urdf', 'fixed'),
    'xarm7': ('xarm_description/urdf/xarm7.urdf', 'fixed'),
    'double_pendulum': ('double_pendulum_description/urdf/double_pendulum.urdf', 'fixed'),
    'tiago_pro': ('tiago_pro_description/robots/tiago_pro.urdf', 'fixed'),
    'solo12': ('solo_description/robots/solo12.urdf', 'free'),
    'go2': ('go2_description/urdf/go2.urdf', 'free'),
    'anymal': ('anymal_b_simple_description/robots/anymal.urdf', 'free'),
    'flying_arm': ('hextilt_description/urdf/hextilt_flying_arm_5.urdf', 'free'),
    'talos': ('talos_data/robots/talos_reduced.urdf', 'free'),
}


class Pinocchio:
    """Pinocchio's equations in our coordinates, with our names."""

    def __init__(self, path, base, joint_names):
        floating = [pin.JointModelFreeFlyer()] if base == 'free' else []
        self.model = pin.buildModelFromUrdf(str(path), *floating)
        self.data = self.model.createData()
        ids = {our_name(name): index for index, name in enumerate(self.model.names)}
        self.joints = [self.model.joints[ids[name]] for name in joint_names]
        self.first = 6 if base == 'free' else 0  # speeds before those of the joints
        assert self.model.nv == self.first + len(joint_names)
        # ours -> theirs: u_pin[order] = u
        self.order = [*range(self.first), *(joint.idx_v for joint in self.joints)]
        self.links = {
            our_name(link.get('name')): (link.get('name'), centre(link))
            for link in ElementTree.parse(path).iter('link')
            if link.find('inertial') is not None
        }

    def random_state(self, rng):
        """Return our q and u."""
        count = len(self.joints)
        q = rng.uniform(-2.0, 2.0, count + (7 if self.first else 0))
        if self.first:
            quaternion = rng.normal(size=4)
            q[3:7] = quaternion / np.linalg.norm(quaternion)
        return q, rng.uniform(-2.0, 2.0, self.first + count)

    def q(self, ours):
        """Return Pinocchio's q, where joints without limits are (cos, sin)."""
        theirs = np.zeros(self.model.nq)
        start = 7 if self.first else 0
        theirs[:start] = ours[:start]
        for joint, value in zip(self.joints, ours[start:], strict=True):
            own = [value] if joint.nq == 1 else [np.cos(value), np.sin(value)]
            theirs[joint.idx_q : joint.idx_q + joint.nq] = own
        return theirs

    def v(self, ours):
        """Return Pinocchio's v (or any other row of speeds, accelerations, efforts)."""
        theirs = np.zeros(self.model.nv)
        theirs[self.order] = ours
        return theirs

    def evaluate(self, q, u):
        """Return (mass matrix, bias) in our order."""
        upper = np.triu(pin.crba(self.model, self.data, self.q(q)))
        mass_matrix = upper + np.triu(upper, 1).T
        bias = pin.nonLinearEffects(self.model, self.data, self.q(q), self.v(u))
        return mass_matrix[np.ix_(self.order, self.order)], bias[self.order]

    def accelerations(self, q, u, effort, wrenches):
        """Return udot under joint efforts and wrenches on centres of mass, in world axes."""
        theirs = self.q(q)
        pin.framesForwardKinematics(self.model, self.data, theirs)
        external = [pin.Force.Zero() for _ in range(self.model.njoints)]
        for name, (force, torque) in wrenches.items():
            link, com = self.links[name]
            frame = self.model.getFrameId(link, pin.FrameType.BODY)
            joint = self.model.frames[frame].parentJoint
            arm = self.data.oMf[frame].act(com) - self.data.oMi[joint].translation
            turned = self.data.oMi[joint].rotation.T
            moment = torque + np.cross(arm, force)
            external[joint] += pin.Force(turned @ force, turned @ moment)
        force = self.v(np.append(np.zeros(self.first), effort))
        udot = pin.aba(self.model, self.data, theirs, self.v(u), force, external)
        return udot[self.order]

    def jacobian(self, name, q):
        """Return the 6 x nu Jacobian of a link's origin, in world axes."""
        link, _ = self.links[name]
        frame = self.model.getFrameId(link, pin.FrameType.BODY)
        whole = pin.computeFrameJacobian(self.model, self.data, self.q(q), frame, AXES)
        return whole[:, self.order]


def our_name(name):
    """Return a name of a URDF as our loader maps it."""
    return re.sub('_+', '_', re.sub('[^A-Za-z0-9]', '_', name)).strip('_')


def centre(link):
    """Return the centre of mass of a URDF's link, in the link's frame."""
    origin = link.find('inertial/origin')
    return np.array((origin.get('xyz', '0 0 0') if origin is not None else '0 0 0').split(), float)


@pytest.fixture(scope='module', params=ROBOTS)
def robot(request, tmp_path_factory):
    """Return (our equations, Pinocchio's, a generator of random numbers) of one robot."""
    file, base = ROBOTS[request.param]
    path = without_mimics(robots_folder() / file, tmp_path_factory.mktemp(request.param))
    model = sc.load_model(path, base=base, meshes=False)
    reference = Pinocchio(path, base, model.joint_names)
    return sc.equations_of_motion(model), reference, np.random.default_rng(1)


def test_mass_matrix_and_bias_are_pinocchios(robot):
    eom, reference, rng = robot
    for _ in range(STATES):
        q, u = reference.random_state(rng)
        mass_matrix, bias = reference.evaluate(q, u)
        result = eom.evaluate(q, u)
        assert_close(result.mass_matrix, mass_matrix)
        assert_close(result.bias, bias)


def test_accelerations_are_pinocchios(robot):
    eom, reference, rng = robot
    for _ in range(STATES):
        q, u = reference.random_state(rng)
        effort = rng.uniform(-20.0, 20.0, len(reference.joints))
        wrenches = random_wrenches(rng, rng.permutation(list(reference.links))[:3])
        # Pinocchio has neither damping nor springs.
        driven = effort - eom.passive_effort(q, u)[-len(effort) :]  # a free base comes first
        result = eom.evaluate(q, u, effort=driven, wrenches=wrenches)
        expected = reference.accelerations(q, u, effort, wrenches)
        assert_close(result.udot, expected)


def test_inverse_dynamics_and_gravity_are_pinocchios(robot):
    eom, reference, rng = robot
    model, data = reference.model, reference.data
    for _ in range(STATES):
        q, u = reference.random_state(rng)
        udot = rng.uniform(-5.0, 5.0, len(u))
        effort = pin.rnea(model, data, reference.q(q), reference.v(u), reference.v(udot))
        assert_close(eom.inverse_dynamics(q, u, udot), effort[reference.order])
        weight = pin.computeGeneralizedGravity(model, data, reference.q(q))
        assert_close(eom.gravity_effort(q), weight[reference.order])
        assert_close(eom.dynamics.gravity(q), weight[reference.order])  # of servos


def test_jacobians_of_links_are_pinocchios(robot):
    eom, reference, rng = robot
    for _ in range(STATES):
        q, _ = reference.random_state(rng)
        name = rng.choice(list(reference.links))
        # directions are unit vectors; those of a fixed base are 0
        assert_close(eom.jacobian(name, q), reference.jacobian(name, q), 1.0)


def test_joints_that_mimic_others_reduce_pinocchios_equations(tmp_path):
    path = robots_folder() / ROBOTS['panda'][0]
    model = sc.load_model(path, meshes=False)
    assert list(model.followers) == ['panda_finger_joint2']
    joints = [body.joint.name for body in model.jointed]
    reference = Pinocchio(without_mimics(path, tmp_path), 'fixed', joints)
    places, values = JointPlaces(model), model.parameters
    reduction = np.zeros((len(joints), model.speed_count))
    for row, body in enumerate(model.jointed):
        reduction[row, places.u[body.name]] = multiplier_of(body, values)
    eom, rng = sc.equations_of_motion(model), np.random.default_rng(1)
    for _ in range(STATES):
        q, u = rng.uniform(-1.0, 1.0, (2, model.speed_count))
        whole = [places.coordinates(body, q, values) for body in model.jointed]
        mass_matrix, bias = reference.evaluate(np.concatenate(whole), reduction @ u)
        result = eom.evaluate(q, u)
        assert_close(result.mass_matrix, reduction.T @ mass_matrix @ reduction)
        assert_close(result.bias, reduction.T @ bias)


# The oracle of test_equations_oracles.py, against Pinocchio, over the same random trees.


class PinocchioTree:
    """The plain data of a model, built with Pinocchio's own model interface."""

    def __init__(self, description):
        self.model = pin.Model()
        self.model.gravity.linear = np.array(description['gravity'], dtype=float)
        self.tree = Tree(description)
        self.frames = {'world': (0, pin.SE3.Identity())}  # body: (joint, placement in it)
        self.add_children('world')
        self.data = self.model.createData()

    def add_children(self, parent):
        """Add the bodies on a body, depth first: Pinocchio wants branches in one piece."""
        for body in self.tree.bodies:
            if body.parent == parent:
                self.add(body)
                self.add_children(body.name)

    def add(self, body):
        joint, placement = self.frames[body.parent]
        placement = placement * pin.SE3(body.tilt, body.origin)
        if body.kind != 'fixed':
            joint = self.model.addJoint(joint, joint_model(body), placement, body.name)
            placement = pin.SE3.Identity()
            self.model.armature[self.model.joints[joint].idx_v] = body.armature
        self.frames[body.name] = (joint, placement)
        inertia = pin.Inertia(body.mass, body.com, body.inertia)
        self.model.appendBodyToJoint(joint, inertia, placement)

    def joint_of(self, body):
        return self.model.joints[self.frames[body.name][0]]

    def convert(self, q, u):
        """Return Pinocchio's q, T and Tdot u, where v = T u (planar joints: in body axes)."""
        theirs, rate = np.zeros(self.model.nq), np.zeros(self.model.nv)
        transform = np.zeros((self.model.nv, len(u)))
        for body in self.tree.bodies:
            if body.kind == 'fixed':
                continue
            joint = self.joint_of(body)
            own_q, rows = q[body.q], slice(joint.idx_v, joint.idx_v + joint.nv)
            block = np.eye(joint.nv)
            if body.kind == 'planar':
                block = turn(Z, -own_q[2])
                rate[rows] = -u[body.u][2] * skew(Z) @ block @ [*u[body.u][:2], 0.0]
                own_q = [*own_q[:2], np.cos(own_q[2]), np.sin(own_q[2])]
            transform[rows, body.u] = block
            theirs[joint.idx_q : joint.idx_q + joint.nq] = own_q
        return theirs, transform, rate


def joint_model(body):
    """Return Pinocchio's joint for one of ours."""
    if body.kind == 'revolute':
        return pin.JointModelRevoluteUnaligned(body.axis)
    if body.kind == 'prismatic':
        return pin.JointModelPrismaticUnaligned(body.axis)
    kinds = {
        'planar': pin.JointModelPlanar,
        'free': pin.JointModelFreeFlyer,
        'spherical': pin.JointModelSpherical,
    }
    return kinds[body.kind]()


@settings(max_examples=200, deadline=None)
@given(example=trees(3))
def test_newton_and_euler_agree_with_pinocchio(example):
    description, seed = example
    theirs, tree = PinocchioTree(description), Tree(description)
    rng = np.random.default_rng(seed)
    q, u = tree.random_state(rng)
    expected = tree.evaluate(q, u)
    q_pin, transform, rate = theirs.convert(q, u)
    upper = np.triu(pin.crba(theirs.model, theirs.data, q_pin))
    mass_matrix = upper + np.triu(upper, 1).T
    bias = pin.nonLinearEffects(theirs.model, theirs.data, q_pin, transform @ u)
    assert_close(transform.T @ mass_matrix @ transform, expected.mass_matrix)
    assert_close(transform.T @ (bias + mass_matrix @ rate), expected.bias, expected.scale)
    for body in tree.bodies:
        joint, placement = theirs.frames[body.name]
        frame = pin.Frame(body.name, joint, 0, placement, pin.FrameType.OP_FRAME)
        index = theirs.model.addFrame(frame)
        data = theirs.model.createData()
        jacobian = pin.computeFrameJacobian(theirs.model, data, q_pin, index, AXES)
        jacobian = jacobian.reshape(6, -1)  # a single column comes as a row of numbers
        assert_close(jacobian @ transform, tree.jacobian(body.name, q))


@settings(max_examples=100, deadline=None)
@given(example=trees(3))
def test_the_oracles_qdot_is_the_rate_of_pinocchios_integration(example):
    description, seed = example
    theirs, tree = PinocchioTree(description), Tree(description)
    q, u = tree.random_state(np.random.default_rng(seed))
    start, transform, _ = theirs.convert(q, u)
    rate, h = tree.qdot(q, u), 1e-3
    ways = h * np.array([-2.0, -1.0, 1.0, 2.0])
    along = [theirs.convert(q + way * rate, u)[0] for way in ways]
    integrated = [pin.integrate(theirs.model, start, way * transform @ u) for way in ways]
    # Differences of fourth order: h^4, and rounding / h. Smaller steps will not do, as Pinocchio
    # turns planar joints by 1 - cos, which is 0 or the last digit where they turn slowly.
    slopes = [np.array([1.0, -8.0, 8.0, -1.0]) @ x / (6.0 * h) for x in (along, integrated)]
    np.testing.assert_allclose(*slopes, atol=1e-8)
