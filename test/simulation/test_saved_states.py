"""Saved states that are damaged, forged or of something else: refused, and nothing changes."""

import copy
import math

from helpers.forging import arrays_of, forged, INTERESTING, mutated, sealed, with_field
import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.cli.main import main
from symcontact_ros.simulation.saving.state_arrays import OF_SOLVER, OF_WORLD
from symcontact_ros.simulation.saving.state_bytes import MAGIC, VERSION

# Shapes with vertices and faces, friction that sticks, a joint with a servo and one without.
SPACE = """
format_version: 1
name: space
dimension: 3
gravity: [0, 0, -9.81]
parameters: {m: {value: 1.0, min: 0.1, max: 9.0}}
materials: {default: {stiffness: 1.0e7, damping: 1.0, friction: 0.5}}
bodies:
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 0, 1]}]}
  box: {mass: m, shapes: [{type: box, half_extents: [0.2, 0.15, 0.1]}],
        initial: {position: [0, 0, 0.0999]}}
  roof: {mass: 0.5, shapes: [{type: convex_hull, vertices: [[0, 0, 0.1], [0.1, 0, -0.1],
         [-0.1, 0.1, -0.1], [-0.1, -0.1, -0.1], [0, 0.12, 0.05]]}],
         initial: {position: [0.05, 0, 0.2999]}}
  arm: {mass: 0.4, com: [0.2, 0, 0], shapes: [{type: box, half_extents: [0.2, 0.03, 0.03]}],
        joint: {type: revolute, axis: [0, 0, 1], origin: {xyz: [1, 0, 0.7]},
                servo: {kp: 5.0, kd: 0.1}}}
  hand: {mass: 0.1, inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01},
         joint: {type: prismatic, parent: arm, axis: [1, 0, 0], origin: {xyz: [0.4, 0, 0]}}}
"""
PLANE = """
format_version: 1
name: plane
dimension: 2
gravity: [0, -9.81, 0]
parameters: {m: {value: 1.0, min: 0.1, max: 9.0}}
materials: {default: {stiffness: 1.0e7, damping: 0.5, friction: 0.4}}
bodies:
  floor: {fixed: true, shapes: [{type: rectangle, half_extents: [2.0, 0.1]}]}
  plank: {mass: m, shapes: [{type: rectangle, half_extents: [0.4, 0.1]}],
          initial: {position: [0, 0.1999, 0]}}
  wedge: {mass: 0.5, shapes: [{type: polygon, vertices: [[-0.1, 0], [0.1, 0], [0, 0.2]]}],
          initial: {position: [0.1, 0.2998, 0]}}
  disc: {mass: 0.5, shapes: [{type: circle, radius: 0.15}], initial: {position: [0.9, 0.249, 0]}}
"""


KINDS = {
    'space-sat': (SPACE, 'sat'),
    'space-co': (SPACE, 'co'),
    'plane-sat': (PLANE, 'sat'),
    'plane-co': (PLANE, 'co'),
}


@pytest.fixture(scope='module')
def runs(tmp_path_factory):
    """Simulations in contact, of which every test takes copies."""
    found = {}
    for name, (text, detector) in KINDS.items():
        path = tmp_path_factory.mktemp('models') / f'{name}.yaml'
        path.write_text(text)
        found[name] = sc.Simulation(sc.load_model(path), detector, 'rk4')
        found[name].step(30)
        assert found[name].contacts(), 'nothing touched: the test is void'
    return found


@pytest.fixture(params=KINDS)
def simulation(request, runs):
    return copy.copy(runs[request.param])


@pytest.fixture
def space(runs):
    return copy.copy(runs['space-co'])


def assert_refused(simulation, data, reason='saved state'):
    saved, before = simulation.save_state(), simulation.state_hash()
    with pytest.raises(sc.OptionError, match=reason):
        simulation.restore_state(data)
    assert simulation.state_hash() == before
    assert simulation.save_state() == saved


# Whole, and of this model ------------------------------------------------------------------------


def test_what_is_no_saved_state_is_refused_and_changes_nothing(simulation):
    saved = simulation.save_state()
    rng = np.random.default_rng(3)
    for wrong in (b'', b'hello', saved[:100], saved[:-30], saved + bytes(2**22)):
        assert_refused(simulation, wrong)
    for _ in range(20):  # a bit flipped anywhere
        flipped = bytearray(saved)
        flipped[rng.integers(len(saved))] ^= 1 << rng.integers(8)
        assert_refused(simulation, bytes(flipped))
    simulation.restore_state(saved)
    assert simulation.save_state() == saved


def test_a_saved_state_is_of_its_model_and_step_size_alone(simulation):
    other = sc.Simulation(simulation.model, simulation.detector, 'rk4', step_size=2e-3)
    assert_refused(other, simulation.save_state(), 'of another model or step size')


@pytest.mark.parametrize('version', ['8', '1', '10', 'x', '9' * 5000, ''])
def test_other_versions_are_refused_with_both_numbers(space, version):
    payload = space.save_state()[len(MAGIC) + 32 :]
    _, _, rest = payload.partition(b' ')
    known = (
        f'of version {version}' if version.isdecimal() and len(version) < 9 else 'of no version'
    )
    data = sealed(version.encode() + b' ' + rest)
    assert_refused(space, data, f'{known}; this is version {VERSION}')


@pytest.mark.parametrize('length', ['', '-8', '7', '1e3', '9' * 5000, str(2**62)])
def test_a_table_with_lengths_that_are_none_is_refused(space, length):
    payload = space.save_state()[len(MAGIC) + 32 :]
    line, _, rest = payload.partition(b'\n')
    words = line.split(b' ')
    words[3] = length.encode()
    assert_refused(space, sealed(b' '.join(words) + b'\n' + rest))


@pytest.mark.parametrize(
    'change',
    [
        lambda arrays: arrays.pop('state'),
        lambda arrays: arrays.pop('run'),
        lambda arrays: arrays.update(shapes=np.zeros(3)),
        lambda arrays: arrays.update(groups=np.zeros(30, np.int64)),
        lambda arrays: arrays.update(state=arrays['state'][:-1]),
        lambda arrays: arrays.update(world=arrays['world'][:-1]),
        lambda arrays: arrays.update(statuses=np.zeros(99)),
        lambda arrays: arrays.update(values=np.zeros(99)),
        lambda arrays: arrays.update(joints=arrays['joints'][:-1]),
        lambda arrays: arrays.update(anchors=arrays['anchors'][:-1]),
        lambda arrays: arrays.update(warm_starts=arrays['warm_starts'][:-1]),
        lambda arrays: arrays.update(candidates=np.zeros(10**6, np.int64)),
    ],
)
def test_a_saved_state_that_is_not_whole_is_refused(change, space):
    arrays = arrays_of(space)
    change(arrays)
    assert_refused(space, forged(space, arrays))


def test_a_file_that_cannot_be_a_saved_state_is_not_even_read(space, tmp_path):
    (tmp_path / 'huge').touch()
    with (tmp_path / 'huge').open('wb') as huge:
        huge.truncate(2**40)  # without a byte on the disk
    for path, reason in (
        (tmp_path / 'huge', 'larger than'),
        (tmp_path, 'not an ordinary file|Is a directory'),
        ('/dev/zero', 'not an ordinary file'),
        (tmp_path / 'none', 'No such file'),
    ):
        with pytest.raises(sc.OptionError, match=reason):
            space.restore_checkpoint(path)


def test_a_run_does_not_resume_from_a_forged_checkpoint(space, tmp_path, capsys):
    model, point = tmp_path / 'model.yaml', tmp_path / 'point'
    space.model.to_yaml(model)
    point.write_bytes(with_field(space, 'pair_memory', 'feature', 10**6))
    words = ['simulate', str(model), '--detector', 'co', '--integrator', 'rk4']
    assert main([*words, '--duration', '0.01', '--resume', str(point)]) == 2
    assert 'saved state' in capsys.readouterr().err


# Numbers -----------------------------------------------------------------------------------------

FLOATS = {
    ('state', 0): (math.nan, math.inf, 1e200),
    ('run', 0): (-5.0, 2.5, math.nan, 1e300),
    ('run', 1): (math.nan,),
    ('world', 0): (math.nan, -1.0, 0.5, 1e300),
    ('world', OF_WORLD.index('active_count')): (1e6,),
    ('world', OF_WORLD.index('drift')): (math.nan,),
    ('values', 0): (math.nan, -1.0, 1e300),
}
INTS = {
    ('statuses', 0): (-1,),
    ('solver', OF_SOLVER.index('iterations')): (-1,),
    ('candidates', 0): (-1, 10**6, 2**62),
}


@pytest.mark.parametrize(('place', 'values'), [*FLOATS.items(), *INTS.items()], ids=str)
def test_numbers_that_no_run_has_are_refused(place, values, space):
    name, index = place
    for value in values:
        arrays = arrays_of(space)
        arrays[name].view(float if place in FLOATS else np.int64)[index] = value
        assert_refused(space, forged(space, arrays))


FIELDS = [
    ('bodies', 'applied_force', math.nan, 'NaN or infinite'),
    ('bodies', 'travelled', -1.0, 'below 0'),
    ('bodies', 'is_active', 2, 'neither 0 nor 1'),
    ('joints', 'target', math.inf, 'NaN or infinite'),
    ('joints', 'mobility', -1.0, 'below 0'),
    ('joints', 'holds', 1, 'servos that are not there'),
    ('joints', 'follows', 7, 'neither 0 nor 1'),
    ('joints', 'saturated', -3, 'below 0'),
    ('pair_memory', 'clear_until', math.nan, 'NaN or infinite'),
    ('pair_memory', 'clear_until', -2.0, 'less than no travel'),
    ('pair_memory', 'feature', 10**6, 'not there'),
    ('anchors', 'pair', 999, 'not there'),
    ('anchors', 'pair', -1, 'not there'),
    ('anchors', 'slides', 3, 'neither 0 nor 1'),
    ('anchors', 'normal_force', -1.0, 'below 0'),
    ('anchors', 'stretch', math.nan, 'NaN or infinite'),
    ('anchors', 'twist', math.inf, 'NaN or infinite'),
]


@pytest.mark.parametrize(('block', 'field', 'value', 'reason'), FIELDS)
def test_fields_that_no_run_has_are_refused(block, field, value, reason, space):
    row = 1 if block == 'joints' else 0  # the one without a servo
    assert_refused(space, with_field(space, block, field, value, row), reason)


def test_candidates_are_allowed_pairs_in_ascending_order(space):
    arrays = arrays_of(space)
    assert len(arrays['candidates']) > 1
    for wrong in (arrays['candidates'][::-1], np.repeat(arrays['candidates'][:1], 2)):
        assert_refused(space, forged(space, arrays | {'candidates': wrong.copy()}), 'not there')


def test_anchors_of_a_pair_are_few_and_together(space):
    arrays = arrays_of(space)
    assert len(arrays['anchors'])
    more = np.tile(arrays['anchors'], 3)
    assert_refused(space, forged(space, arrays | {'anchors': more}), 'more anchors')


def test_an_attitude_has_length_one(space):
    arrays = arrays_of(space)
    arrays['state'].view(float)[3:7] = 0.0
    assert_refused(space, forged(space, arrays), 'quaternion')


def test_hints_of_faces_that_a_pair_has_not_are_refused(simulation):
    arrays = arrays_of(simulation)
    features = arrays['pair_memory'].reshape(-1, 2)[:, 1]
    used = [
        i for i, allowed in enumerate(simulation.parts.live.memory.image['allowed']) if allowed
    ]
    for row in used:
        for wrong in (20, 2**40, 2**63 - 1):
            features[row], kept = wrong, features[row]
            assert_refused(simulation, forged(simulation, arrays), 'faces that are not there')
            features[row] = kept


def test_warm_starts_of_vertices_that_a_pair_has_not_are_refused(simulation):
    width = simulation.parts.live.memory.image['warm_starts'].dtype.itemsize // 8
    arrays = arrays_of(simulation)
    rows = len(arrays['warm_starts']) // width
    assert (rows > 0) == (simulation.detector == 'co')
    for row in range(rows):
        for program, count, vertex in ((1, 1, 9), (2, 2, -1), (1, 99, 0), (3, 0, 0), (1, -1, 0)):
            warm = arrays['warm_starts'].copy()
            warm[row * width : row * width + 3] = program, count, vertex
            assert_refused(simulation, forged(simulation, arrays | {'warm_starts': warm}))


def test_values_of_symbols_without_a_model_change_nothing(write_model):
    text = SPACE.replace('mass: 0.5', 'mass: 1 / (m - 2)')
    model = sc.load_model(write_model(text), parameters={'m': 3.0})
    simulation = sc.Simulation(model, integrator='rk4')
    simulation.step(5)
    arrays = arrays_of(simulation)
    for value in (2.0, 1.0):  # no value; a negative mass
        arrays['values'].view(float)[list(model.symbols).index('m')] = value
        assert_refused(simulation, forged(simulation, arrays))


# At random ---------------------------------------------------------------------------------------


def restore_mutated(simulation, count, seed):
    """Restore states that were changed at random: refused without a change, or it can go on."""
    rng = np.random.default_rng(seed)
    start = simulation.save_state()
    refused = 0
    for _ in range(count):
        try:
            simulation.restore_state(mutated(simulation, start, rng))
        except sc.OptionError:
            refused += 1
            continue
        try:
            simulation.step(3)
            simulation.contacts()
            simulation.energy()
        except sc.DivergenceError:
            pass
        simulation.restore_state(start)
        assert simulation.save_state() == start
    assert simulation.save_state() == start
    return refused


def test_mutated_states_raise_nothing_but_option_errors(simulation):
    assert 20 < restore_mutated(simulation, 100, seed=4) < 100


@pytest.mark.deep
@pytest.mark.timeout(1200)
@pytest.mark.parametrize('seed', range(4))
def test_thousands_of_mutated_states_raise_nothing_but_option_errors(simulation, seed):
    restore_mutated(simulation, 700, seed + 100)


def test_every_number_of_a_state_may_be_anything(simulation):
    """Each number once, by one that is likely to break something."""
    start, arrays = simulation.save_state(), arrays_of(simulation)
    rng = np.random.default_rng(5)
    for array in arrays.values():
        for index in range(0, len(array), 1 + len(array) // 40):
            kept, array[index] = array[index], rng.choice(INTERESTING)
            try:
                simulation.restore_state(forged(simulation, arrays))
                simulation.step(2)
            except (sc.OptionError, sc.DivergenceError):
                pass
            array[index] = kept
            simulation.restore_state(start)
    assert simulation.save_state() == start


# States from Python ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ('q', 'u'),
    [
        ([1e200] * 16, None),
        (None, [1e200] * 14),
        ([0.0] * 16, None),  # quaternions of length 0
        ([0, 0, 0, 0, 0, 0, 1e-200, *[0.1] * 9], None),
        ([1e149] * 16, [1e149] * 14),
    ],
)
def test_a_state_that_cannot_be_is_refused_and_changes_nothing(space, q, u):
    saved = space.save_state()
    with pytest.raises(sc.OptionError):
        space.set_state(q=q, u=u)
    assert space.save_state() == saved
    space.step(5)


def test_the_fastest_state_that_can_be_set_diverges_as_any_other(space):
    space.set_state(u=[1e149] * 14)
    with pytest.raises(sc.DivergenceError):
        space.step(5)
    space.reset()
    space.step(5)
