"""`symcontact bench`: it runs, it says what it ran, and its baselines compute what ours does."""

from dataclasses import replace
import json
import subprocess
import sys

import numpy as np
import pytest

from symcontact_ros.bench import report
from symcontact_ros.bench.convex import convex_detectors
from symcontact_ros.bench.detection import DETECTORS
from symcontact_ros.bench.ours import Ours
from symcontact_ros.bench.paper_way import (
    angles_123,
    NumericSat,
    planar_places,
    rotation_123,
    spatial_places,
    start_of,
    SymbolicSat,
)
from symcontact_ros.bench.peers import missing_packages, PEERS
from symcontact_ros.bench.scenes import load_scene, SCENARIOS
from symcontact_ros.bench.table_one import difference, in_turns, Result, Row, Sample
from symcontact_ros.cli.main import main

FIRST_CONTACT = 480  # steps of 1 ms: all five scenarios have touched by then
ROUNDING = 1e-12  # [m, rad]: of 480 steps at 1 m, with room
# In space the two ways keep attitudes differently (angles, quaternions): both err by their order,
# measured 1.3e-7 rad at this step size and a sixteenth of it at half.
SPATIAL = 1e-6


@pytest.fixture(scope='module')
def bench(tmp_path_factory):
    """Return the outcome of a short run of the command, and what it wrote as JSON."""
    path = tmp_path_factory.mktemp('bench') / 'bench.json'
    words = ['bench', '--runs', '1', '--steps', '50', '--scenarios', 'bouncing_circle']
    done = subprocess.run(
        [sys.executable, '-m', 'symcontact_ros', *words, '--json', str(path)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done, json.loads(path.read_text())


def test_the_table_has_the_columns_and_methods(bench):
    out = bench[0].stdout
    for word in ('us per step', 'mean', 'min', 'whole s', 'x ours', 'difference', 'loop'):
        assert word in out
    for method in ('Symbolic SAT', 'Numeric SAT', 'ours, rk4'):
        assert method in out


def test_only_what_ran_is_told(bench):
    done, data = bench
    assert list(data['scenarios']) == ['bouncing_circle']
    assert 'circle_circle' not in done.stdout
    for peer in ('MuJoCo', 'PyBullet', 'pymunk'):  # they were not asked for
        assert peer.lower() not in done.stdout.lower()
        assert not any(peer in row['method'] for row in data['scenarios']['bouncing_circle'])


def test_the_json_has_every_number_of_the_table(bench):
    data = bench[1]
    assert data['format_version'] == report.FORMAT_VERSION
    assert (data['runs'], data['steps'], data['step_size']) == (1, 50, 1e-3)
    assert data['integrator'] == 'rk4'
    for row in data['scenarios']['bouncing_circle']:
        for key in ('step_us', 'wall_step_us', 'build_s', 'whole_s'):
            assert 0.0 <= row[key]['minimum'] <= row[key]['mean']
        assert row['whole_s']['minimum'] > 0.0
        assert row['loop'] in ('Python', 'compiled')
    rows = {row['method']: row for row in data['scenarios']['bouncing_circle']}
    assert rows['ours, rk4']['ratio'] == 1.0
    assert rows['Symbolic SAT']['difference']['position'] < ROUNDING
    assert rows['ours, rk4']['difference'] is None


@pytest.mark.parametrize('way', [SymbolicSat, NumericSat])
@pytest.mark.parametrize('name', SCENARIOS)
def test_the_way_of_the_paper_agrees_with_ours_over_the_first_contact(name, way):
    model, scene = load_scene(name)
    ours = Ours(model, scene, 'rk4', 1e-3)
    ours.build()
    baseline = way(scene, 1e-3)
    baseline.build()
    baseline.run(FIRST_CONTACT)
    assert touched(scene, baseline), 'they must have met for this to mean anything'
    apart = difference(scene.dimension, baseline.coordinates(), ours.coordinates(FIRST_CONTACT))
    assert apart.largest < (ROUNDING if scene.dimension == 2 else SPATIAL)


def touched(scene, baseline):
    """Return whether velocities are not those of free flight."""
    start, end = baseline.track[0], baseline.track[-1]
    half, size = len(start) // 2, 3 * (scene.dimension - 1)
    change = (end - start)[half : half + size][: scene.dimension]
    flight = scene.gravity[: scene.dimension] * FIRST_CONTACT * 1e-3
    return np.abs(change - flight).max() > 1e-2


def test_a_difference_is_seen_when_there_is_one():
    # A comparison that cannot fail shows nothing: the baseline gets a little more friction.
    model, scene = load_scene('rectangle_circle')
    ours = Ours(model, scene, 'rk4', 1e-3)
    ours.build()
    law = replace(scene.law, friction=1.001 * scene.law.friction)
    baseline = NumericSat(replace(scene, law=law), 1e-3)
    baseline.build()
    baseline.run(FIRST_CONTACT)
    apart = difference(2, baseline.coordinates(), ours.coordinates(FIRST_CONTACT))
    assert apart.largest > 1e3 * ROUNDING


def test_attitudes_differ_by_the_angle_between_them():
    half = 0.05
    turned = np.array([[0, 0, 0, 0, 0, np.sin(half), np.cos(half)]])
    straight = np.array([[0, 0, 3e-3, 0, 0, 0, -1.0]])  # q and -q are the same attitude
    apart = difference(3, turned, straight)
    assert apart.angle == pytest.approx(2 * half)
    assert apart.position == pytest.approx(3e-3)


def test_angles_and_rotations_are_inverse():
    angles = np.array([0.2, 0.3, 0.1])
    np.testing.assert_allclose(angles_123(rotation_123(angles)), angles, atol=1e-15)


@pytest.mark.parametrize('peer', PEERS, ids=lambda peer: peer.title)
@pytest.mark.parametrize('name', SCENARIOS)
def test_other_simulators_start_alike_and_collide(name, peer):
    if peer.package in missing_packages():
        pytest.skip(f'{peer.package} is not installed')
    _, scene = load_scene(name)
    if not peer.simulates(scene):
        pytest.skip(f'{peer.title} has no space')
    method = peer(scene, 1e-3)
    method.build()
    method.reset()
    method.run(100)
    start = np.array([solid.q[: scene.dimension] for solid in scene.solids])
    speed = np.array([velocity(scene, solid) for solid in scene.solids])
    gravity = scene.gravity[: scene.dimension]
    flight = start + 0.1 * speed + 0.5 * gravity * 0.1**2
    # Their integrators are of first order: g h t / 2 = 5e-4 m.
    np.testing.assert_allclose(method.end(), flight, atol=1e-3)
    method.run(900)
    free = start + speed + 0.5 * gravity
    assert np.abs(method.end() - free).max() > 0.05


def velocity(scene, solid):
    from symcontact_ros.placements import matrix

    u = solid.u[: scene.dimension]
    return u if scene.dimension == 2 else matrix(tuple(solid.q[3:])) @ u


def test_methods_take_turns():
    log = []

    class Counted:
        warms_up = False
        most_runs = most_steps = 1000

        def __init__(self, name):
            self.name = name

        def build(self):
            pass

        def reset(self):
            pass

        def run(self, steps):
            if steps == 100:
                log.append(self.name)

    times = in_turns([Counted('a'), Counted('b')], 3, 100)
    assert log == ['a', 'b'] * 3
    assert [len(own) for own in times] == [3, 3]


def result(**settings):
    sample = Sample(2.0, 1.0)
    row = Row('ours, rk4', 'compiled', 50, sample, sample, sample, sample, 1.0, None, [[0.0, 0.0]])
    return Result('a machine', {}, 1, 50, 'rk4', **settings, scenarios={'bouncing_circle': [row]})


def test_what_is_missing_is_named_with_the_way_to_get_it():
    assert 'pymunk (pip install pymunk)' in report.text(result(missing=['pymunk']))


def test_a_diagram_is_drawn(tmp_path):
    pytest.importorskip('matplotlib')
    path = tmp_path / 'bench.png'
    report.write_plot(result(missing=[]), path)
    assert path.read_bytes().startswith(b'\x89PNG')


@pytest.mark.parametrize(
    'words',
    [
        ['--scenarios', 'cart_pole'],
        ['--runs', '0'],
        ['--steps', 'many'],
        ['--integrator', 'reference'],
        ['--json', 'no/such/folder/bench.json'],
        ['--core', '4096'],
    ],
    ids=lambda words: ' '.join(words),
)
def test_bad_input_is_told_before_anything_is_measured(words, capsys):
    try:
        code = main(['bench', *words])
    except SystemExit as stop:
        code = stop.code
    assert code == 2
    captured = capsys.readouterr()
    assert captured.out == ''
    assert 'measuring' not in captured.err
    assert captured.err


@pytest.mark.parametrize('name', ['circle_circle', 'rectangle_circle', 'sphere_cuboid'])
def test_the_convex_programs_of_the_paper_find_what_its_formulas_do(name):
    pytest.importorskip('cvxpy')
    _, scene = load_scene(name)
    a, b = sorted(scene.solids, key=lambda solid: solid.is_round)
    exact = DETECTORS[a.kind, b.kind]
    convex, _ = convex_detectors(scene)
    places = planar_places if scene.dimension == 2 else spatial_places
    x = start_of(scene)
    checked = 0
    for part in np.linspace(0.0, 0.9, 40):  # of the way towards each other
        first, second = (places(scene, x)[scene.solids.index(solid)] for solid in (a, b))
        way = second.position - first.position
        first = first._replace(position=first.position + part * way)
        found = exact(a.size, first, b.size, second)
        if abs(found.distance) > 0.05:
            continue
        touch = convex(a.size, first, b.size, second)
        # ECOS stops at 1e-8 of a squared distance of tenths of a metre.
        assert touch.distance == pytest.approx(found.distance, abs=1e-6)
        assert touch.normal == pytest.approx(found.normal, abs=3e-4)  # the square root of that
        assert touch.point == pytest.approx(found.point, abs=1e-4)
        checked += found.distance < 0.0
    assert checked
