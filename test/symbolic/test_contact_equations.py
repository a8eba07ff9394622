"""Equations with contacts: what is printed is what is simulated."""

import ctypes
import functools
import re
import subprocess

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import symcontact_ros as sc
from symcontact_ros.cli.main import main

SCENARIOS = ['bouncing_circle', 'circle_circle', 'rectangle_circle', 'rectangle_rectangle']
SCENARIOS += ['sphere_cuboid', 'cart_pole_walls']
IN_C = ['rectangle_rectangle', 'sphere_cuboid', 'cart_pole_walls']


@functools.cache
def scenario(name):
    """Return a simulation, equations with contacts, and states: apart, then touching."""
    model = sc.load_model(name)
    simulation = sc.Simulation(model)
    states = [(simulation.q, simulation.u)]
    while len(states) < 6:
        simulation.step(4)
        if any(np.linalg.norm(contact.force) > 1e-3 for contact in simulation.contacts()):
            states.append((simulation.q, simulation.u))
    return simulation, sc.contact_equations(model), states


def python_functions(equations):
    """Return the functions of the Python source."""
    scope = {}
    exec(equations.source('python'), scope)  # our own text, of our own models
    return scope


def compiled(folder):
    """Return the library of contacts.c in a folder."""
    flags = ['-std=c99', '-Wall', '-Wextra', '-Werror', '-O1', '-shared', '-fPIC']
    library = folder / 'contacts.so'
    subprocess.run(['gcc', *flags, '-o', library, folder / 'contacts.c', '-lm'], check=True)
    return ctypes.CDLL(str(library))


def c_functions(equations, folder):
    """Return a function as `acceleration` of the Python source, of the C source."""
    (folder / 'contacts.c').write_text(equations.source('c'))
    loaded = compiled(folder)
    sizes = len(equations.forms.q), len(equations.forms.u)

    def acceleration(*blocks):
        arrays = [np.array(block, dtype=float) for block in blocks]
        results = [np.empty(size) for size in sizes]
        loaded.acceleration(*(ctypes.c_void_p(a.ctypes.data) for a in (*arrays, *results)))
        return results

    return acceleration


def check_accelerations(simulation, states, acceleration):
    """Assert that a printed function gives what the simulation has, at some states."""
    model, eom = simulation.model, sc.equations_of_motion(simulation.model)
    effort, wrench = [0.0] * len(eom.effort), [0.0] * 6 * len(model.jointed)
    moving = [body.name for body in model.bodies if body.name not in model.grounded]
    forces = []
    for q, u in states:
        simulation.set_state(q=q, u=u)
        found = {name: simulation.contact_wrench(name) for name in moving}
        wrenches = {name: (wrench.force, wrench.torque) for name, wrench in found.items()}
        expected = eom.evaluate(q, u, wrenches=wrenches)
        qdot, udot = acceleration(q, u, effort, wrench, list(model.parameters.values()))
        scale = np.abs(expected.udot).max()
        np.testing.assert_allclose(udot, expected.udot, rtol=1e-12, atol=1e-12 * scale)
        np.testing.assert_allclose(qdot, expected.qdot, rtol=1e-12, atol=1e-15)
        forces.append(max(np.linalg.norm(force) for force, _ in wrenches.values()))
    assert forces[0] == 0.0
    assert min(forces[1:]) > 0.0


@pytest.mark.parametrize('name', SCENARIOS)
def test_printed_python_gives_the_accelerations_of_the_simulation(name):
    simulation, equations, states = scenario(name)
    check_accelerations(simulation, states, python_functions(equations)['acceleration'])


@pytest.mark.parametrize('name', IN_C)
def test_printed_c_gives_the_accelerations_of_the_simulation(name, tmp_path):
    simulation, equations, states = scenario(name)
    check_accelerations(simulation, states, c_functions(equations, tmp_path))


# Every pair of shapes that has formulas ---------------------------------------------------------

TILTED = {'position': [0.02, -0.03, 0], 'angle': 0.4}
PLANAR = {
    'block': {'type': 'rectangle', 'half_extents': [0.3, 0.2], 'pose': TILTED},
    'brick': {'type': 'rectangle', 'half_extents': [0.15, 0.25]},
    'disc': {'type': 'circle', 'radius': 0.2},
    'egg': {'type': 'ellipse', 'radii': [0.3, 0.1]},
    'puck': {'type': 'circle', 'radius': 0.15, 'pose': TILTED},
    'stick': {'type': 'capsule', 'radius': 0.1, 'half_length': 0.2, 'pose': TILTED},
}
TURNED = {'position': [0.02, -0.03, 0.01], 'rpy': [0.3, -0.2, 0.5]}
SPATIAL = {
    'ball': {'type': 'sphere', 'radius': 0.2},
    'bead': {'type': 'sphere', 'radius': 0.15, 'pose': TURNED},
    'cube': {'type': 'box', 'half_extents': [0.3, 0.2, 0.25], 'pose': TURNED},
    'egg': {'type': 'ellipsoid', 'radii': [0.3, 0.1, 0.2]},
    'stick': {'type': 'capsule', 'radius': 0.1, 'half_length': 0.2, 'pose': TURNED},
}
PAIRS = {
    2: 'block brick,block disc,brick puck,disc puck,disc stick,puck stick',
    3: 'ball bead,ball cube,bead cube,ball stick,bead stick',
}


@functools.cache
def zoo(dimension):
    """Return a model with every pair of shapes that has formulas, and its equations."""
    shapes = PLANAR if dimension == 2 else SPATIAL
    model = sc.Model('zoo', dimension=dimension)
    model.add_material('default', law='linear', stiffness=1e3, damping=0.3, slip_speed=0.1)
    place = {'xyz': [0.0, 0.0, -0.05], 'rpy': [0.1, 0.2, 0.3]}
    plane = {'type': 'half_space', 'normal': [0.6, 0, 0.8], 'offset': 0.05}
    if dimension == 2:
        place, plane = {'xyz': [0.0, -0.05, 0.0], 'rpy': [0.0, 0.0, 0.3]}, {**plane}
        plane['normal'] = [0.6, 0.8, 0]
    model.add_body('floor', shapes=[plane], joint={'type': 'fixed', 'origin': place})
    joint = {'type': 'planar' if dimension == 2 else 'free'}
    for name, shape in shapes.items():
        model.add_body(name, mass=1.0, shapes=[shape], joint=joint)
    pairs = [pair.split() for pair in PAIRS[dimension].split(',')]
    model.set(collide=[*pairs, *([name, 'floor'] for name in shapes)])
    equations = sc.contact_equations(model)
    return model, equations, python_functions(equations)['contacts']


def random_state(model, rng):
    """Return bodies near the origin and near the floor, in any attitude."""
    q = []
    for _ in model.moving:
        q += rng.uniform(-0.3, 0.3, model.dimension).tolist()
        if model.dimension == 2:
            q.append(rng.uniform(-4.0, 4.0))
        else:
            quaternion = rng.normal(size=4)
            q += (quaternion / np.linalg.norm(quaternion)).tolist()
    return q, rng.uniform(-0.5, 0.5, model.speed_count)


@pytest.mark.parametrize('dimension', [2, 3])
def test_every_pair_with_formulas_has_them_in_every_state(dimension):
    model, equations, contacts = zoo(dimension)
    simulation = sc.Simulation(model)
    rng = np.random.default_rng(7)
    touched = dict.fromkeys((pair.bodies for pair in equations.pairs), 0)
    for _ in range(24):
        q, u = random_state(model, rng)
        simulation.set_state(q=q, u=u)
        points, generalised = contacts(q, u, list(model.parameters.values()))
        expected = np.zeros(model.speed_count)
        forces = {}
        for contact in simulation.contacts():
            expected += contact.velocity_jacobian.T @ contact.force
            bodies = (contact.body_a, contact.body_b)
            forces[bodies] = forces.get(bodies, 0.0) + contact.force
        at = 0
        for pair in equations.pairs:
            own = np.array(points[at : at + len(pair.points)])
            at += len(pair.points)
            force = own[:, 7:].sum(axis=0)
            touched[pair.bodies] += bool(force.any())
            found = forces.get(pair.bodies, np.zeros(3))
            np.testing.assert_allclose(force, found, rtol=1e-9, atol=1e-9, err_msg=pair.bodies)
        np.testing.assert_allclose(generalised, expected, rtol=1e-9, atol=1e-9)
    assert min(touched.values()) >= 4, touched


# Laws -------------------------------------------------------------------------------------------


def sliding(names, material, shape, dimension=3):
    """Return the model of a body that slides on a floor."""
    body, floor = names
    up = [0, 1, 0] if dimension == 2 else [0, 0, 1]
    model = sc.Model('sliding', dimension=dimension)
    model.add_material('default', **material)
    model.add_body(floor, fixed=True, shapes=[{'type': 'half_space', 'normal': up}])
    model.add_body(
        body,
        mass=1.0,
        shapes=[shape],
        joint={'type': 'planar' if dimension == 2 else 'free'},
        initial={'position': [0.199 * x for x in up]},
    )
    return model


BALL = {'type': 'sphere', 'radius': 0.2}
SLAB = {'type': 'rectangle', 'half_extents': [0.4, 0.2]}
STICKS = {'law': 'hunt_crossley', 'stiffness': 1e5, 'damping': 0.3, 'friction': 0.4}
STICKS |= {'presliding': 1e-3}
SPINS = {**STICKS, 'torsional_radius': 0.02, 'static_friction': 0.6}


@pytest.mark.parametrize(
    ('names', 'material', 'shape', 'dimension', 'order'),
    [
        (('ball', 'floor'), SPINS, BALL, 3, {0: 0}),
        (('slab', 'floor'), STICKS, SLAB, 2, {1: 0, 0: 1}),
    ],
)
def test_friction_that_sticks_is_printed_with_its_anchors(
    names, material, shape, dimension, order
):
    model = sliding(names, material, shape, dimension)
    simulation = sc.Simulation(model, integrator='rk4', step_size=1e-4)
    simulation.set_state(u=[0.02, 0, 0] if dimension == 2 else [0.02, 0, 0, 0, 0, 1.5])
    equations = sc.contact_equations(model)
    contacts = python_functions(equations)['contacts']
    # Kernels take the body before the floor: a stretch of the other one relative to it.
    turn = 1.0 if names[0] < names[1] else -1.0
    lengths = []
    for _ in range(8):
        simulation.step(60)
        q, u = simulation.q, simulation.u
        rows = simulation.parts.live.memory.anchors
        count = len(equations.points)
        anchors = np.zeros((count, 4))
        for row in rows[:count]:
            anchors[order[int(row['feature'])]] = [*(turn * row['stretch']), row['twist']]
        _, generalised, rates = contacts(q, u, list(model.parameters.values()), anchors.ravel())
        wrench = simulation.contact_wrench(names[0])
        if dimension == 2:
            found, expected = generalised, [*wrench.force[:2], wrench.torque[2]]
        else:  # speeds of a free body are in its own axes
            turned = Rotation.from_quat(q[3:7])
            found = [*turned.apply(generalised[:3]), *turned.apply(generalised[3:])]
            expected = [*wrench.force, *wrench.torque]
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
        assert len(rates) == 4 * count
        lengths.append(np.abs(anchors).max())
    assert max(lengths) > 1e-5


def test_c_has_the_anchors_of_python(tmp_path):
    model = sliding(('slab', 'floor'), STICKS, SLAB, 2)
    equations = sc.contact_equations(model)
    anchors = np.linspace(-2e-4, 3e-4, 8)
    q, u = np.array([0.0, 0.199, 0.01]), np.array([0.02, 0.0, 0.1])
    values = np.array(list(model.parameters.values()))
    _, generalised, rates = python_functions(equations)['contacts'](q, u, values, anchors)
    (tmp_path / 'contacts.c').write_text(equations.source('c'))
    found = np.empty(20), np.empty(3), np.empty(8)
    blocks = (q, u, values, anchors, *found)
    compiled(tmp_path).contacts(*(ctypes.c_void_p(block.ctypes.data) for block in blocks))
    np.testing.assert_allclose(found[1], generalised, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found[2], rates, rtol=1e-12, atol=1e-15)
    assert np.abs(generalised[0]) > 0.1
    assert 'd/dt s = v_t + w (n x s)' in equations.text()
    assert r'\dot{\mathbf{s}} &= \mathbf{v}_t' in equations.latex()


def test_a_law_of_the_model_file_is_printed_as_it_is():
    law = {'normal': 'k * rho**2 * (1 - c * v_n) * stiff', 'tangent': 'mu * f_n * tanh(v_t / vs)'}
    material = {'law': law, 'stiffness': 1e6, 'damping': 0.2, 'friction': 0.5, 'slip_speed': 0.1}
    model = sc.Model('formulas', dimension=2)
    model.add_parameter('stiff', 1.5)
    model.add_material('default', **material)
    model.add_body('a', mass=1.0, shapes=[{'type': 'circle', 'radius': 0.2}])
    disc = [{'type': 'circle', 'radius': 0.2}]
    model.add_body('b', mass=1.0, shapes=disc, initial={'position': [0.39, 0.02, 0]})
    equations = sc.contact_equations(model)
    states = [([0, 0, 0, x, 0.02, 0.1], [0.3, 0, 1, -0.1, 0.2, 0]) for x in (0.5, 0.39, 0.3)]
    check_accelerations(sc.Simulation(model), states, python_functions(equations)['acceleration'])
    assert 'F_n = (max(0, k*rho**2*stiff*(1 - c*v_n)) if rho > 0 else 0)/N' in equations.text()


# What people read -------------------------------------------------------------------------------


def test_the_text_of_a_bouncing_ball_is_that_of_a_textbook(capsys):
    assert main(['equations', 'bouncing_circle', '--contacts']) == 0
    printed = capsys.readouterr().out
    for line in (
        'mass_matrix[vx_ball, vx_ball] = m',
        'F_n = max(0, k*rho**3*(1 - c*v_n))/N',
        'F_t = F_n*mu*tanh(|v_t|/(2*vs))',
        'ball - floor: circle and half_space; in every state',
        'phi = -R + y_ball',
        'n = (0, -1, 0)',
        'J[x, vx_ball] = -1',
        'R = 0.2 m, radius of the ball',
    ):
        assert line in printed


@pytest.mark.parametrize('name', IN_C)
def test_the_latex_is_a_whole_document(name):
    _, equations, _ = scenario(name)
    document = equations.latex()
    assert document.startswith(r'\documentclass{article}')
    assert document.endswith('\\end{document}\n')
    assert document.count('{') == document.count('}')
    assert document.count(r'\left') == document.count(r'\right')
    opened = []
    for what, environment in re.findall(r'\\(begin|end)\{(\w+\*?)\}', document):
        assert what == 'begin' or opened.pop() == environment
        opened += [environment] if what == 'begin' else []
    assert opened == []
    assert r'\mathbf{M} \dot{\mathbf{u}} &= \mathbf{f} + \sum' in document
    assert not re.search(r'[^ -~\n]', document)


def test_pairs_without_formulas_say_where_what_is_printed_holds(capsys):
    model = sc.Model('boxes', dimension=3)
    box = [{'type': 'box', 'half_extents': [0.1, 0.2, 0.3]}]
    model.add_body('a', mass=1.0, shapes=box)
    turned = {'position': [0.3, 0, 0], 'rpy': [0.2, 0.3, 0.4]}
    model.add_body('b', mass=1.0, shapes=box, initial=turned)
    rod = [{'type': 'cylinder', 'radius': 0.1, 'half_length': 0.2}]
    model.add_body('c', mass=1.0, shapes=rod, initial={**turned, 'position': [0, 0, 0.8]})
    equations = sc.contact_equations(model)
    text = equations.text()
    assert 'a - b: box and box, 4 parts of the stiffness; only while these features are' in text
    feature, *_ = (pair.features for pair in equations.pairs)
    assert re.fullmatch(r'\w+ \d+ of a, \w+ \d+ of b', feature)
    with pytest.raises(sc.OptionError, match=r'no c source: a - b \(box and box\)'):
        equations.source('c')
    assert len(sc.contact_equations(model, [('b', 'a')]).pairs) == 1
    with pytest.raises(sc.OptionError, match='language must be'):
        equations.source('fortran')


def test_the_features_at_the_start_have_the_force_of_the_simulation():
    model = sc.Model('corner', dimension=3, gravity=[0, 0, 0])
    model.add_material('default', law='linear', stiffness=1e4, damping=0.3, slip_speed=0.1)
    model.add_body('a', mass=1.0, shapes=[{'type': 'box', 'half_extents': [0.5, 0.5, 0.1]}])
    turned = {'position': [0.05, 0.02, 0.46], 'rpy': [0.7, 0.6, 0.0]}
    model.add_body(
        'b', mass=1.0, shapes=[{'type': 'box', 'half_extents': [0.2, 0.2, 0.2]}], initial=turned
    )
    equations = sc.contact_equations(model)
    (pair,) = equations.pairs
    assert re.fullmatch(r'face \d of a, vertex \d of b', pair.features)
    simulation = sc.Simulation(model)
    q, u = simulation.q, np.linspace(-0.1, 0.2, 12)
    q[9] -= simulation.proximities()[0].distance + 1e-3
    simulation.set_state(q=q, u=u)
    forms = equations.forms
    values = dict(zip([*forms.q, *forms.u], [*q, *u], strict=True))
    values |= {forms.symbols[name]: value for name, value in model.parameters.items()}
    for symbol, step in equations.tidied.steps:
        values[symbol] = step.xreplace(values).evalf()
    force = [float(equations.tidied(x).xreplace(values)) for x in pair.points[0].force]
    expected = simulation.contact_wrench('b').force
    assert np.linalg.norm(expected) == pytest.approx(1e4 * 1e-3 / 4, rel=0.2)
    np.testing.assert_allclose(force, expected, rtol=1e-10)


def test_names_and_words_of_a_model_do_no_harm(tmp_path):
    model = sc.Model('names', dimension=2)
    for name in ('phi', 'static', 'M_PI', 'rho', 'y', 'int', 'n', 'N', 'F_n'):
        hostile = 'a */ b /* c \n import os # \\ \u2028 %'
        model.add_parameter(name, 0.01, description=hostile, unit='m')
    radius = '0.2 + phi + static + M_PI + rho + y + int + n + N + F_n'
    model.add_body('floor', fixed=True, shapes=[{'type': 'half_space', 'normal': [0, 1, 0]}])
    model.add_material('default', slip_speed=0.1)
    model.add_body('ball', mass=1.0, shapes=[{'type': 'circle', 'radius': radius}])
    equations = sc.contact_equations(model)
    states = [([0, y, 0], [0.1, 0, 0]) for y in (1.0, 0.28, 0.27)]
    simulation = sc.Simulation(model)
    check_accelerations(simulation, states, python_functions(equations)['acceleration'])
    check_accelerations(simulation, states, c_functions(equations, tmp_path))
    assert 'rho_ = max(0, -phi_)' in equations.text()
    assert r'\rho_{2} &= \max(0, -\phi_{2})' in equations.latex()


def test_what_acts_beside_the_equations_is_named(tmp_path):
    model = sc.Model('hinge', dimension=2)
    limits = {'lower': -1.0, 'upper': 1.0}
    joint = {'type': 'revolute', 'name': 'knee', 'friction': 0.1, 'limits': limits}
    model.add_body('rod', mass=1.0, com=[0.5, 0, 0], inertia={'izz': 0.1}, joint=joint)
    equations = sc.contact_equations(model)
    line = 'not in these equations: stops of joint knee, dry friction of joint knee'
    assert line in equations.text()
    assert f'N{line[1:]}.' in equations.latex()
    assert f'# {line}' in equations.source('python')
    # Without contacts, sources are those of the equations alone.
    blocks = [0.3], [0.1], [0.0], [0.0] * 6, list(model.parameters.values())
    _, udot = python_functions(equations)['acceleration'](*blocks)
    assert c_functions(equations, tmp_path)(*blocks)[1] == pytest.approx(udot, rel=1e-14)
    assert udot == pytest.approx([-9.81 * 0.5 * np.cos(0.3) / 0.35], rel=1e-12)


def test_what_cannot_be_printed_is_refused_with_a_way_out(capsys):
    assert main(['equations', 'bouncing_circle', '--contacts', '--format', 'mathml']) == 2
    assert '--contacts needs --format text, latex, python or c' in capsys.readouterr().err
    assert main(['equations', 'cart_pole_walls', '--contacts', '--contact', 'cart', 'pole']) == 2
    assert 'cart and pole never touch in cart_pole_walls' in capsys.readouterr().err
    model = sc.Model('crowd', dimension=2)
    for number in range(10):
        disc = [{'type': 'circle', 'radius': 0.2}]
        place = {'position': [float(number), 0, 0]}
        model.add_body(f'disc_{number}', mass=1.0, shapes=disc, initial=place)
    with pytest.raises(sc.OptionError, match=r'45 pairs of shapes .* --contact A B'):
        sc.contact_equations(model)
    assert len(sc.contact_equations(model, [('disc_1', 'disc_0')]).points) == 1


def test_no_name_of_the_model_stands_for_something_else_too(write_model):
    words = ('M', 'mass_matrix', 'forcing', 'udot', 'J', 'F', 'u', 'phi', 'n', 'r', 'v', 'F_n')
    given = ', '.join(f'{word}: 1.5' for word in words)
    ball = f'mass: {" * ".join(words)}, shapes: [{{type: circle, radius: 0.1}}]'
    floor = 'fixed: true, shapes: [{type: half_space}]'
    bodies = f'{{ball: {{{ball}}}, floor: {{{floor}}}}}'
    path = write_model(f'parameters: {{{given}}}\nbodies: {bodies}')
    text, legend = sc.contact_equations(sc.load_model(path)).text().split('legend\n')
    defined = set(re.findall(r'^ *(\w+)(?:\[.*\])? = ', text, re.M))
    defined |= set(re.findall(r'[=,] (\w+) = ', text)) | set(re.findall(r'\((\w+) udot', text))
    assert {'mass_matrix_', 'forcing_', 'J_', 'F_', 'F_n_', 'n_', 'r_', 'v_'} <= defined
    assert not defined & set(words)
    assert {line.split()[0] for line in legend.splitlines()} > set(words)
