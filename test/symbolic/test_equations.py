"""The equations of motion: two methods agree, sources compute them, symbols stay live."""

import math
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest
import sympy as sm

import symcontact_ros as sc
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.model.installed_files import shipped_models
from symcontact_ros.model.structure import groups_of
from symcontact_ros.simulation.equations.dynamics import Dynamics
from symcontact_ros.symbolic.expansion import TooLargeError

SPATIAL = """\
dimension: 3
parameters: {a: 0.3, b: 0.0, one: 1.0}
bodies:
  base: {mass: 2, com: [0.1, a, 0.2], joint: {type: free},
         inertia: {ixx: 0.3, iyy: 0.4, izz: 0.5, ixy: 0.02, ixz: 0.01, iyz: -0.03}}
  arm: {mass: 1.5, com: [0, 0.2, b], inertia: {ixx: 0.1, iyy: 0.2, izz: 0.15},
        joint: {type: revolute, parent: base, axis: [0, 1, 2], armature: 0.07,
                origin: {xyz: [a, 0, one], rpy: [0, a, 0]}}}
"""
BALL = """\
dimension: 3
bodies:
  rod: {mass: 1.2, com: [0.3, 0, 0.1], inertia: {ixx: 0.1, iyy: 0.2, izz: 0.15},
        joint: {type: spherical, origin: {xyz: [0, 0.1, 0.2]}}}
  slide: {mass: 0.5, inertia: {ixx: 0.01, iyy: 0.02, izz: 0.015},
          joint: {type: prismatic, parent: rod, axis: [1, 1, 0]}}
  puck: {mass: 0.7, com: [0.1, 0.2, 0], inertia: {ixx: 0.01, iyy: 0.02, izz: 0.03},
         joint: {type: planar, origin: {rpy: [0.5, 0, 0]}}}
"""


def random_state(model, seed):
    """Return q with unit quaternions, u and efforts."""
    rng = np.random.default_rng(seed)
    q = []
    for body in model.moving:
        kind = body.joint.type
        if kind in ('free', 'spherical'):
            quaternion = rng.normal(size=4)
            place = rng.normal(size=3).tolist() if kind == 'free' else []
            q += [*place, *(quaternion / np.linalg.norm(quaternion))]
        else:
            q += rng.uniform(-2, 2, 3 if kind == 'planar' else 1).tolist()
    return np.array(q), rng.normal(size=model.speed_count), rng.normal(size=len(model.joint_names))


@pytest.fixture(scope='module')
def small_models(tmp_path_factory):
    """Return the shipped models and two spatial ones, small enough for KanesMethod."""
    folder = tmp_path_factory.mktemp('models')
    models = {name: sc.load_model(name) for name in shipped_models()}
    for name, text in {'spatial': SPATIAL, 'ball': BALL}.items():
        (folder / f'{name}.yaml').write_text(text)
        models[name] = sc.load_model(folder / f'{name}.yaml')
    return models


def numeric(eom, matrices, assignments=()):
    """Return f(q, u, effort, wrenches) -> the matrices in numbers; our own symbols, no input."""
    loads = [s for force, torque in eom.wrench_symbols.values() for s in (*force, *torque)]
    symbols = [*eom.q, *eom.u, *eom.effort, *loads, *eom.symbols.values()]
    named = (lambda expressions: (list(assignments), expressions)) if assignments else True
    function = sm.lambdify(symbols, list(matrices), cse=named)

    def evaluate(q, u, effort, wrenches=None):
        nothing = np.zeros((2, 3))
        pushes = [np.ravel((wrenches or {}).get(body, nothing)) for body in eom.wrench_symbols]
        numbers = np.concatenate([q, u, effort, *pushes, list(eom.model.parameters.values())])
        return [np.array(matrix, dtype=float) for matrix in function(*numbers)]

    return evaluate


def for_kane():
    """Yield the models that KanesMethod can derive: in a second, in a minute (deep), or not."""
    for name in (*sorted(shipped_models()), 'spatial', 'ball'):
        degrees = sc.load_model(name).speed_count if name in shipped_models() else 0
        if degrees <= 16:
            yield pytest.param(name, marks=[pytest.mark.deep] if degrees > 9 else [])


@pytest.mark.parametrize('name', for_kane())
def test_kanes_method_gives_the_same_equations(name, small_models):
    model = small_models[name]
    kane = sc.equations_of_motion(model, method='kane')
    ours = sc.equations_of_motion(model)
    reference = numeric(kane, [kane.reduced_mass_matrix, kane.reduced_forcing, kane.reduced_qdot])
    rng = np.random.default_rng(1)
    for seed in range(5):
        q, u, effort = random_state(model, seed)
        wrenches = {body.name: rng.normal(size=(2, 3)) for body in model.moving}
        if model.dimension == 2:  # the plane carries no other loads
            for wrench in wrenches.values():
                wrench[0, 2] = wrench[1, 0] = wrench[1, 1] = 0.0
        matrix, forcing, qdot = reference(q, u, effort, wrenches)
        result = ours.evaluate(q, u, effort, wrenches)
        scale = np.abs(forcing).max() + np.abs(matrix).max()
        assert result.mass_matrix == pytest.approx(matrix, abs=1e-12 * scale)
        assert result.mass_matrix @ result.udot == pytest.approx(
            forcing.ravel(), abs=1e-12 * scale
        )
        assert result.qdot == pytest.approx(qdot.ravel(), abs=1e-12 * scale)


@pytest.mark.parametrize('name', ['cart_pole', 'double_pendulum', 'ball'])
def test_what_is_written_out_is_what_runs(name, small_models):
    eom = sc.equations_of_motion(small_models[name])
    q, u, effort = random_state(eom.model, 3)
    result = eom.evaluate(q, u, effort)
    matrix, forcing = numeric(eom, [eom.mass_matrix, eom.forcing])(q, u, effort)
    assert matrix == pytest.approx(result.mass_matrix, rel=1e-12, abs=1e-12)
    assert forcing.ravel() == pytest.approx(matrix @ result.udot, rel=1e-11, abs=1e-11)


def test_exported_python_and_c_compute_the_running_model(small_models, tmp_path):
    for name in ('cart_pole', 'spatial'):
        eom = sc.equations_of_motion(small_models[name])
        q, u, effort = random_state(eom.model, 4)
        wrenches = {body: np.arange(6.0).reshape(2, 3) for body in eom.wrench_symbols}
        expected = eom.evaluate(q, u, effort, wrenches)
        right = expected.mass_matrix @ expected.udot
        loads = np.concatenate([w.ravel() for w in wrenches.values()])
        blocks = [q, u, effort, loads, list(eom.model.parameters.values())]

        scope = {}
        exec(eom.source('python'), scope)
        matrix, forcing, qdot = scope['equations'](*[list(map(float, b)) for b in blocks])
        count = len(u)
        assert np.reshape(matrix, (count, count)) == pytest.approx(expected.mass_matrix, abs=1e-13)
        assert forcing == pytest.approx(right, abs=1e-12)
        assert qdot == pytest.approx(expected.qdot, abs=1e-13)

        got = run_c(eom.source('c'), blocks, [count * count, count, len(q)], tmp_path / name)
        assert got[0] == pytest.approx(matrix, abs=1e-14)
        assert got[1] == pytest.approx(forcing, abs=1e-13)
        assert got[2] == pytest.approx(qdot, abs=1e-14)


def run_c(source, blocks, sizes, folder):
    """Compile a C function with all warnings as errors and call it."""
    import ctypes

    if shutil.which('gcc') is None:
        pytest.skip('gcc is not installed')
    folder.mkdir()
    (folder / 'equations.c').write_text(source)
    library = folder / 'equations.so'
    flags = ['-std=c99', '-Wall', '-Wextra', '-Werror', '-O1', '-shared', '-fPIC']
    subprocess.run(
        ['gcc', *flags, '-o', library, folder / 'equations.c', '-lm'],
        check=True,
    )
    results = [np.empty(size) for size in sizes]
    arrays = [np.array(block, dtype=float) for block in blocks]
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (*arrays, *results)]
    ctypes.CDLL(str(library)).equations(*pointers)
    return results


def test_the_latex_of_the_cart_pole_compiles(small_models, tmp_path):
    text = sc.equations_of_motion(small_models['cart_pole']).latex()
    assert r'\ell' in text  # the parameter's own LaTeX
    assert text.count('{') == text.count('}')
    if shutil.which('pdflatex') is None:
        pytest.skip('pdflatex is not installed')
    document = (
        '\\documentclass{article}\\usepackage{amsmath}\\begin{document}\\[%s\\]\\end{document}'
    )
    (tmp_path / 'a.tex').write_text(document % text)
    result = subprocess.run(
        ['pdflatex', '-halt-on-error', 'a.tex'], cwd=tmp_path, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout


def test_notebooks_show_the_equations(small_models):
    eom = sc.equations_of_motion(small_models['cart_pole'])
    assert eom._repr_latex_().startswith('$\\displaystyle \\begin{aligned}')
    with pytest.raises(AttributeError, match='has no attribute'):
        _ = eom.no_such_thing


def test_large_models_are_named_steps_and_never_an_endless_expansion(tmp_path):
    model = sc.Model('chain', dimension=3)
    for i in range(7):
        model.add_body(
            f'link{i}',
            mass=1.0,
            com=[0.1, 0.2, 0.3],
            inertia={'ixx': 0.1, 'iyy': 0.2, 'izz': 0.15},
            joint={
                'type': 'revolute',
                'axis': [1, i, 2],
                'parent': f'link{i - 1}' if i else 'world',
                'origin': {'xyz': [0.1, 0.2, 0.3], 'rpy': [0.1, 0.2, 0.3]},
            },
        )
    eom = sc.equations_of_motion(model)
    start = time.process_time()
    with pytest.raises(TooLargeError, match='use `assignments`'):
        _ = eom.mass_matrix
    text = eom.text()
    assert time.process_time() - start < 30.0
    assert text.startswith('z_')
    q, u, effort = random_state(model, 0)
    (matrix,) = numeric(eom, [eom.reduced_mass_matrix], eom.assignments)(q, u, effort)
    assert matrix == pytest.approx(eom.evaluate(q, u, effort).mass_matrix, rel=1e-10)


def test_two_hundred_free_bodies_share_one_derivation():
    model = sc.Model('swarm', dimension=3, gravity=[0, 0, 0])
    rng = np.random.default_rng(0)
    bodies = {
        f'body{i}': {
            'mass': float(rng.uniform(1, 2)),
            'com': [0, 0, 0],
            'inertia': {'ixx': 0.2, 'iyy': float(rng.uniform(0.2, 0.3)), 'izz': 0.3},
            'joint': {'type': 'free'},
        }
        for i in range(200)
    }
    model.set(bodies=bodies)
    assert len({group.structure for group in groups_of(model)}) == 1
    start = time.process_time()
    dynamics = Dynamics(model)
    q = np.tile([0, 0, 0, 0, 0, 0, 1.0], 200)
    u = rng.normal(size=1200)
    qdot, udot = dynamics.rates(q, u, np.zeros(1200), {'body7': ([1.0, 0, 0], [0, 0, 0])})
    assert time.process_time() - start < 5.0  # a second on a quiet machine; derived 200 times: 100
    mass = model.number(model.body('body7').mass)
    velocity, rate = u[42:45], u[45:48]
    assert udot[42:45] == pytest.approx([1 / mass, 0, 0] - np.cross(rate, velocity), abs=1e-12)
    assert qdot[49:52] == pytest.approx(velocity, abs=1e-15)  # upright: body axes are the world's
    assert np.isfinite(udot).all()


def test_live_symbols_act_without_a_new_derivation(small_models):
    model = small_models['spatial']
    dynamics = Dynamics(model)
    q, u, _ = random_state(model, 5)
    functions = list(dynamics.functions)
    dynamics.inertia(q, u)
    changed = {'a': 0.7, 'b': 0.4, 'one': 2.5, 'base.mass': 3.0, 'gravity.x': 1.0}
    dynamics.set_values({**model.parameters, **changed})
    matrix, bias = dynamics.inertia(q, u)
    assert dynamics.functions == functions
    fresh = sc.Model.from_description(model.contents.__class__('x', model.contents.data), changed)
    expected = sc.equations_of_motion(fresh).evaluate(q, u)
    assert matrix == pytest.approx(expected.mass_matrix, rel=1e-13, abs=1e-13)
    assert bias == pytest.approx(expected.bias, rel=1e-13, abs=1e-13)


def test_a_second_process_imports_no_sympy(tmp_path):
    code = (
        'import sys, symcontact_ros as sc\n'
        "s = sc.Simulation(sc.load_model('double_pendulum')); s.step(3)\n"
        "print('sympy' in sys.modules, s.q.tobytes().hex())"
    )
    environment = {'SYMCONTACT_CACHE_DIR': str(tmp_path), 'PATH': '', 'PYTHONHASHSEED': '5'}
    runs = [
        subprocess.run(
            [sys.executable, '-c', code], env=environment, capture_output=True, text=True
        )
        for _ in range(2)
    ]
    first, second = (run.stdout.split() for run in runs)
    assert first[0] == 'True', runs[0].stderr
    assert second[0] == 'False', runs[1].stderr
    assert first[1] == second[1], 'cached code must give the same bits'


def test_a_broken_cache_entry_is_made_anew(tmp_path):
    model = sc.load_model('cart_pole')
    q, u = np.array([0.1, 0.2]), np.array([0.3, 0.4])
    expected = Dynamics(model, cache=Cache(tmp_path)).rates(q, u, np.zeros(2), {})
    for file in tmp_path.rglob('*'):
        if file.is_file():
            file.write_bytes(file.read_bytes()[:-20] + b'x' * 20)
    again = Dynamics(model, cache=Cache(tmp_path)).rates(q, u, np.zeros(2), {})
    assert np.array_equal(again[1], expected[1])


def test_python_and_llvm_give_the_same_bits():
    model = sc.load_model('double_pendulum')
    q, u = np.array([0.7, -0.2]), np.array([1.3, 0.4])
    results = [
        Dynamics(model, backend=backend).rates(q, u, np.zeros(2), {})[1]
        for backend in ('python', 'llvm')
    ]
    assert np.array_equal(*results)


def test_linearisation_is_the_slope_of_the_motion(small_models):
    model = small_models['ball']
    eom = sc.equations_of_motion(model)
    q, u, effort = random_state(model, 8)
    linear = eom.linearize({'q': q, 'u': u, 'effort': effort})
    count, h = model.speed_count, 1e-6

    def tangent_step(direction, size):
        """Return q moved along its tangent: a small rotation in body axes, or plain."""
        moved = q.copy()
        quaternion = sm.Quaternion(q[3], *q[:3])
        turn = size * direction[:3]
        small = sm.Quaternion(1.0, *(0.5 * turn))
        product = quaternion * small
        moved[:4] = np.array([product.b, product.c, product.d, product.a], dtype=float)
        moved[:4] /= np.linalg.norm(moved[:4])
        moved[4:] += size * direction[3:]
        return moved

    for k in range(count):
        e = np.eye(count)[k]
        ahead = eom.evaluate(tangent_step(e, h), u, effort).udot
        behind = eom.evaluate(tangent_step(e, -h), u, effort).udot
        assert linear.A[count:, k] == pytest.approx((ahead - behind) / (2 * h), abs=1e-6)
        ahead, behind = (eom.evaluate(q, u + s * h * e, effort).udot for s in (1, -1))
        assert linear.A[count:, count + k] == pytest.approx((ahead - behind) / (2 * h), abs=1e-6)
    ahead, behind = (eom.evaluate(q, u, effort + s * h).udot for s in (1, -1))
    assert linear.B[count:, 0] == pytest.approx((ahead - behind) / (2 * h), abs=1e-6)
    assert linear.inputs == ['slide']
    assert linear.states[0] == 'rod.rx'


def test_joints_carry_what_hangs_on_them():
    model = sc.load_model('double_pendulum', parameters={'m': 2.0, 'g': 10.0})
    eom = sc.equations_of_motion(model)
    hanging = eom.reactions([0.0, 0.0], [0.0, 0.0], [0.0, 0.0])
    assert hanging['upper'][0] == pytest.approx([0.0, 40.0, 0.0])  # both rods, upwards
    assert hanging['lower'][0] == pytest.approx([0.0, 20.0, 0.0])
    assert hanging['lower'][1] == pytest.approx([0.0, 0.0, 0.0])
    # Held out sideways: the torque of the weight half a rod away, and the force in body axes.
    level = eom.reactions([math.pi / 2, 0.0], [0.0, 0.0], [0.0, 0.0])
    assert level['lower'][0] == pytest.approx([20.0, 0.0, 0.0], abs=1e-12)
    assert level['lower'][1] == pytest.approx([0.0, 0.0, 10.0])
    # Swinging: the centripetal force of both rods as well.
    swinging = eom.reactions([0.0, 0.0], [3.0, 0.0], [0.0, 0.0])
    assert swinging['upper'][0][1] == pytest.approx(40.0 + 2.0 * 9.0 * (0.5 + 1.5))


def test_wrong_sizes_and_names_are_told():
    eom = sc.equations_of_motion(sc.load_model('cart_pole'))
    with pytest.raises(sc.OptionError, match='q must be 2 finite numbers'):
        eom.evaluate([0.0], [0.0, 0.0])
    with pytest.raises(sc.OptionError, match='u must be 2 finite numbers'):
        eom.evaluate([0.0, 0.0], [math.nan, 0.0])
    with pytest.raises(sc.OptionError, match="no body 'pol'; did you mean 'pole'"):
        eom.evaluate([0, 0], [0, 0], wrenches={'pol': ([0] * 3, [0] * 3)})
    with pytest.raises(sc.OptionError, match='there are: cart, pole, tip'):
        eom.jacobian('wheel', [0, 0])
    with pytest.raises(sc.OptionError, match='method must be one of recursive, kane'):
        sc.equations_of_motion(eom.model, method='lagrange')
    with pytest.raises(sc.OptionError, match='language must be one of python, c'):
        eom.source('fortran')
    with pytest.raises(sc.OptionError, match="no entry of op_point 'x'; there are: effort, q, u"):
        eom.linearize({'x': [0.0]})
