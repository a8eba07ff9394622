"""Joints that mimic another one: equations, loads and reports of the reduced coordinates."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.model.joint_places import JointPlaces, multiplier_of
from symcontact_ros.model.start_pose import StartPose

INERTIA = {'ixx': 0.03, 'iyy': 0.02, 'izz': 0.04, 'ixy': 0.001, 'ixz': -0.002, 'iyz': 0.003}
WRENCHES = {
    'right': ([1.0, -2.0, 3.0], [0.1, 0.2, -0.3]),
    'tip': ([0.5, 0.1, 0.2], [0.0, 0.1, 0.4]),
}
Q, U, EFFORT = [0.4, -0.3], [0.7, -1.1], [0.5, -0.8]


def spatial(order: str = 'leader first', apart: bool = False, **bond: object) -> sc.Model:
    """Return an arm with two fingers and a tip, of which right follows left, and tip right."""
    mimic = {'joint': 'left', 'multiplier': -0.7, 'offset': 0.3, **bond}
    base = 'base' if apart else 'arm'
    joints = {
        'arm': {'type': 'revolute', 'parent': 'base', 'axis': [0, 1, 0.3], 'armature': 0.01},
        'left': {'type': 'prismatic', 'parent': 'arm', 'axis': [1, 0.2, 0], 'armature': 0.02},
        'right': {'type': 'revolute', 'parent': base, 'axis': [0, 0.2, 1], 'armature': 0.03},
        'tip': {'type': 'revolute', 'parent': 'right', 'axis': [1, 1, 1]},
    }
    joints['right']['mimic'] = mimic
    joints['tip']['mimic'] = {'joint': 'right', 'multiplier': 2.0, 'offset': -0.1}
    names = ['arm', 'left', 'right', 'tip']
    if order == 'leader last':
        names = ['arm', 'right', 'tip', 'left']
    model = sc.Model('gripper', dimension=3)
    bodies = {'base': {'fixed': True}}
    for name in names:
        origin = {'xyz': [0.1, 0.2, 0.3], 'rpy': [0.1, -0.2, 0.3]}
        joint = {**joints[name], 'origin': origin}
        bodies[name] = {'mass': 0.8, 'com': [0.1, -0.2, 0.05], 'inertia': INERTIA, 'joint': joint}
    model.set(bodies=bodies, parameters={'ratio': 1.7})
    return model


def planar(**bond: object) -> sc.Model:
    """Return two links on the ground, each a tree of its own, of which b follows a."""
    model = sc.Model('wheels', dimension=2)
    joint = {'type': 'revolute', 'damping': 0.2, 'friction': 0.1, 'stiffness': 3.0}
    joint['rest_position'] = 0.4
    rod = {'mass': 1.0, 'com': [0.5, 0, 0], 'inertia': {'izz': 0.1}}
    model.add_body('a', **rod, joint={**joint, 'limits': {'lower': -1.0, 'upper': 2.0}})
    bond = {'joint': 'a', 'multiplier': -2.0, 'offset': 0.5, **bond}
    limits = {'lower': -2.0, 'upper': 1.0}
    model.add_body('b', **rod, joint={**joint, 'mimic': bond, 'limits': limits})
    return model


VARIANTS = {
    'leader last': {'order': 'leader last', 'multiplier': 'ratio', 'offset': '0.1 * ratio'},
    'trees apart': {'apart': True},
}


@pytest.mark.parametrize('variant', VARIANTS)
def test_equations_are_those_of_the_free_joints_reduced(variant: str) -> None:
    model = spatial(**VARIANTS[variant])
    assert model.joint_names == ('arm', 'left')
    data = model.contents.data
    bodies = {name: dict(body) for name, body in data['bodies'].items()}
    for body in bodies.values():
        if 'joint' in body:
            body['joint'] = {k: v for k, v in body['joint'].items() if k != 'mimic'}
    free = sc.Model('free', dimension=3)
    free.set(bodies=bodies)
    places, values = JointPlaces(model), model.parameters
    moving = model.jointed
    all_q, all_u = (
        np.concatenate([take(body, np.array(x), values) for body in moving])
        for take, x in ((places.coordinates, Q), (places.speeds, U))
    )
    reduction = np.zeros((len(moving), 2))
    for row, body in enumerate(moving):
        reduction[row, places.u[body.name]] = multiplier_of(body, values)
    whole = sc.equations_of_motion(free).evaluate(all_q, all_u)
    equations = sc.equations_of_motion(model)
    found = equations.evaluate(Q, U, EFFORT, WRENCHES)
    # Sums of some hundred products of numbers around one.
    expected = reduction.T @ whole.mass_matrix @ reduction
    np.testing.assert_allclose(found.mass_matrix, expected, atol=1e-13)
    np.testing.assert_allclose(found.bias, reduction.T @ whole.bias, atol=1e-12)
    pose = StartPose(model, q=np.array(Q))
    np.testing.assert_allclose(pose.mass_matrix, expected, atol=1e-13)
    inverse = equations.inverse_dynamics(Q, U, found.udot, WRENCHES)
    np.testing.assert_allclose(inverse, EFFORT, atol=1e-12)


def slider() -> sc.Model:
    """Return a rod on a slide, whose turn follows the slide: small enough for Kane's method."""
    model = sc.Model('slider', dimension=3)
    rod = {'mass': 0.8, 'com': [0.1, -0.2, 0.0], 'inertia': INERTIA}
    slide = {'type': 'prismatic', 'axis': [1, 0, 0], 'armature': 0.1}
    turn = {'type': 'revolute', 'axis': [0, 1, 0], 'armature': 0.2, 'origin': {'xyz': [0, 0, 0.3]}}
    turn['mimic'] = {'joint': 'slide', 'multiplier': 'ratio', 'offset': 0.2}
    swing = {'type': 'revolute', 'axis': [0, 0, 1], 'parent': 'turn'}
    bodies = {
        'turn': {**rod, 'joint': turn},
        'slide': {**rod, 'joint': slide},
        'swing': {**rod, 'joint': swing},
    }
    model.set(bodies=bodies, parameters={'ratio': 1.7})
    return model


def test_equations_are_those_of_kane_with_the_bond_substituted() -> None:
    model = slider()
    assert model.joint_names == ('slide', 'swing')
    forms = sc.equations_of_motion(model, method='kane').forms
    numbers = dict(zip([*forms.q, *forms.u, *forms.effort], [*Q, *U, *EFFORT], strict=True))
    numbers |= {forms.symbols[name]: value for name, value in model.parameters.items()}
    wrenches = {'turn': WRENCHES['right'], 'swing': WRENCHES['tip']}
    for body, (force, torque) in forms.wrench_symbols.items():
        given = wrenches.get(body, ([0.0] * 3, [0.0] * 3))
        numbers |= dict(zip([*force, *torque], [*given[0], *given[1]], strict=True))
    matrix, forcing = (
        np.array(part.xreplace(numbers).evalf().tolist(), dtype=float)
        for part in (forms.reduced_mass_matrix, forms.reduced_forcing)
    )
    found = sc.equations_of_motion(model).evaluate(Q, U, EFFORT, wrenches)
    np.testing.assert_allclose(found.mass_matrix, matrix, atol=1e-13)
    np.testing.assert_allclose(found.udot, np.linalg.solve(matrix, forcing[:, 0]), atol=1e-12)


def test_jacobians_of_followers_are_derivatives_of_their_poses() -> None:
    model = slider()
    equations = sc.equations_of_motion(model)
    found = equations.jacobian('swing', Q)
    symbolic = equations.jacobian('swing')
    numbers = dict(zip(equations.q, Q, strict=True))
    numbers |= {equations.symbols[name]: value for name, value in model.parameters.items()}
    np.testing.assert_allclose(np.array(symbolic.subs(numbers).tolist(), float), found, atol=1e-13)
    step = 1e-6  # error of the central difference: step^2
    for k in range(2):
        ahead, behind = (
            StartPose(model, q=np.array(Q) + sign * step * np.eye(2)[k]).frames['swing'][1]
            for sign in (1.0, -1.0)
        )
        np.testing.assert_allclose(found[:3, k], (ahead - behind) / (2 * step), atol=1e-9)


def test_energy_is_conserved() -> None:
    simulation = sc.Simulation(spatial(apart=True), integrator='rk4', step_size=1e-3)
    simulation.set_state(q=Q, u=U)
    before = simulation.energy().mechanical
    simulation.step(500)
    assert abs(simulation.u).max() > 1.0
    # Some parts in 1e9 of the energies that are exchanged, by the order of the integrator.
    assert simulation.energy().mechanical == pytest.approx(before, abs=1e-7)


def test_loads_of_a_follower_act_on_its_leader() -> None:
    model = planar()
    joint = model.body('a').joint
    number = model.number
    assert number(joint.damping) == pytest.approx(0.2 + 4.0 * 0.2)
    assert number(joint.friction) == pytest.approx(0.1 + 2.0 * 0.1)
    assert number(joint.stiffness) == pytest.approx(3.0 + 4.0 * 3.0)
    # 3 (q - 0.4) - 2 * 3 (-2 q + 0.5 - 0.4) = 0
    assert number(joint.rest_position) == pytest.approx((1.2 + 0.6) / 15.0)
    # -2 <= -2 q + 0.5 <= 1
    assert number(joint.limits.lower) == pytest.approx(-0.25)
    assert number(joint.limits.upper) == pytest.approx(1.25)
    simulation = sc.Simulation(model, integrator='rk4')
    simulation.set_state(q=[0.7], u=[2.0])
    simulation.step(300)
    assert abs(simulation.energy().residual) < 1e-6 * simulation.energy().throughput


def test_an_effort_on_a_follower_acts_on_its_leader() -> None:
    model = planar()
    simulation, other = sc.Simulation(model), sc.Simulation(model)
    simulation.set_effort('b', 1.5)
    other.set_effort('a', -3.0)
    simulation.step(10)
    other.step(10)
    assert simulation.state_hash() == other.state_hash()
    with pytest.raises(sc.OptionError, match='b mimics a: name that joint instead'):
        simulation.set_target('b', 0.0)


def test_a_multiplier_may_change_while_simulating() -> None:
    model = sc.Model('wheels', dimension=2)
    model.add_parameter('ratio', -2.0)
    rod = {'mass': 1.0, 'com': [0.5, 0, 0], 'inertia': {'izz': 0.1}}
    model.add_body('a', **rod, joint={'type': 'revolute'})
    mimic = {'joint': 'a', 'multiplier': 'ratio'}
    model.add_body('b', **rod, joint={'type': 'revolute', 'mimic': mimic})
    simulation = sc.Simulation(model)
    simulation.set_state(q=[0.3])
    simulation.set_parameters({'ratio': 1.0})
    poses = simulation.poses()
    np.testing.assert_allclose(poses['b'].quaternion, poses['a'].quaternion, atol=1e-15)
    text = sc.equations_of_motion(model).text()
    assert text.endswith('q_b = q_a*ratio')
    assert r'q_{b} &= q_{a} \mathrm{ratio}' in sc.equations_of_motion(model).latex()


@pytest.mark.parametrize('bond', [{'multiplier': 0.0}, {'joint': 'base', 'multiplier': 3.0}])
def test_a_follower_that_nothing_moves_is_fixed_at_its_offset(bond: dict[str, object]) -> None:
    model = spatial(**bond)
    assert 'right' not in model.followers
    assert any('right mimics' in note and 'stays at 0.3' in note for note in model.notes)
    joint = spatial().body('right')
    turn, _ = joint.joint.kind.pose([0.3], joint.joint.axis, ())
    frames = StartPose(model, q=np.zeros(2)).frames
    free = StartPose(spatial(offset=0.0), q=np.zeros(2)).frames
    np.testing.assert_allclose(frames['right'][0], free['right'][0] @ turn, atol=1e-15)


@pytest.mark.parametrize(
    ('bond', 'reason'),
    [
        ({'joint': 'lefd'}, "unknown joint 'lefd'; did you mean 'left'?"),
        ({'joint': 'tip'}, 'joints mimic each other in a loop: right -> tip -> right'),
        ({'joint': 'right'}, 'joints mimic each other in a loop: right -> right'),
        ({'joint': 5}, 'a word is needed'),
        ({'ratio': 5}, 'unknown key'),
        ({'multiplier': 'left'}, "'left'"),
    ],
)
def test_wrong_bonds_are_faults(bond: dict[str, object], reason: str) -> None:
    with pytest.raises(sc.ModelError) as error:
        spatial(**bond)
    (fault,) = error.value.faults
    assert fault.key.startswith('bodies.right.joint.mimic')
    assert reason in fault.reason


def test_limits_with_nothing_in_common_leave_the_leader_its_own() -> None:
    model = planar(offset=9.0)
    assert model.number(model.body('a').joint.limits.upper) == 2.0
    assert any('have nothing in common' in note for note in model.notes)
    assert sc.Model.from_description(model.contents).joint_names == ('a',)


def test_a_massless_leader_has_the_inertia_of_its_followers() -> None:
    model = sc.Model('pair', dimension=2)
    rod = {'mass': 1.0, 'com': [0.5, 0, 0], 'inertia': {'izz': 0.1}}
    bodies = {
        'a': {'mass': 0.0, 'joint': {'type': 'revolute'}},
        'b': {**rod, 'joint': {'type': 'revolute', 'mimic': {'joint': 'a', 'multiplier': 2.0}}},
    }
    model.set(bodies=bodies)
    matrix = sc.equations_of_motion(model).evaluate([0.0], [0.0]).mass_matrix
    np.testing.assert_allclose(matrix, [[4.0 * 0.35]])
    bodies['b']['joint']['mimic']['multiplier'] = 'ratio'
    model.set(bodies=bodies, parameters={'ratio': 2.0})
    simulation = sc.Simulation(model)
    with pytest.raises(sc.OptionError, match='needs a mass'):
        simulation.set_parameters({'ratio': 0.0})


GRIPPER = """<robot name="gripper">
  <link name="base"/>
  {links}
</robot>"""
FINGER = """<link name="{name}"><inertial><origin xyz="0 0 0.1"/><mass value="0.1"/>
    <inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="{name} joint" type="revolute"><parent link="{parent}"/><child link="{name}"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>{mimic}</joint>"""


def write_gripper(folder: Path, leader: str = 'left joint') -> Path:
    """Return a gripper whose right finger and both tips follow, by a chain, its left one."""
    fingers = [
        ('left tip', 'left', '<mimic joint="right tip joint" multiplier="-1"/>'),
        ('right', 'base', f'<mimic joint="{leader}" multiplier="-1"/>'),
        ('right tip', 'right', '<mimic joint="right joint" multiplier="-1" offset="0.1"/>'),
        ('left', 'base', ''),
    ]
    links = [FINGER.format(name=n, parent=p, mimic=m) for n, p, m in fingers]
    path = folder / 'gripper.urdf'
    path.write_text(GRIPPER.format(links='\n  '.join(links)))
    return path


def test_a_gripper_of_a_urdf_has_one_coordinate(tmp_path: Path) -> None:
    model = sc.load_model(write_gripper(tmp_path))
    assert model.joint_names == ('left_joint',)
    bonds = {name: (m.joint, m.multiplier, m.offset) for name, m in model.followers.items()}
    assert bonds == {
        'left_tip_joint': ('left_joint', -1.0, -0.1),
        'right_joint': ('left_joint', -1.0, 0.0),
        'right_tip_joint': ('left_joint', 1.0, 0.1),
    }
    limits = model.body('left').joint.limits
    assert limits is not None
    assert (model.number(limits.lower), model.number(limits.upper)) == (-1.0, pytest.approx(0.9))
    again = tmp_path / 'gripper.yaml'
    model.to_yaml(again)
    assert sc.load_model(again).bodies == model.bodies
    with pytest.raises(sc.ModelError, match='unknown joint') as error:
        sc.load_model(write_gripper(tmp_path, leader='lef joint'))
    assert error.value.faults[0].line == 10
    for option in ({'initial': {'left tip joint': 0.1}}, {'servo': {'right*': 'auto'}}):
        with pytest.raises(sc.OptionError, match=r'right_joint|left_tip_joint') as wrong:
            sc.load_model(write_gripper(tmp_path), **option)
        assert str(wrong.value).endswith('joint mimics left_joint: name that joint instead')
