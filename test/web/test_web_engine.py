"""A model in WebAssembly has the bits of the native simulation."""

import random

from helpers.wasm_engine import NO_MEMORY, REFUSED, STOPPED, WasmEngine
from helpers.web_scenes import arm, slope
import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.model.library import load_model, shipped_models
from symcontact_ros.web.engine.image import EngineImage
from symcontact_ros.web.export import web_model
from symcontact_ros.web.live.refusals import find_refused
from symcontact_ros.web.wasm_programs import WasmPrograms

INTEGRATORS = ('rk4', 'verlet', 'semi_implicit', 'implicit', 'implicit2', 'auto')
SCENES = {'arm': arm, 'slope': slope}
FEW = (
    ('cart_pole_walls', 'sat', 'auto'),
    ('sphere_cuboid', 'co', 'rk4'),
    ('slope', 'sat', 'implicit'),
)
ALL = [
    (name, detector, integrator)
    for name in (*shipped_models(), 'arm', 'slope')
    for detector in ('sat', 'co')
    for integrator in INTEGRATORS
]


def both(name, detector=None, integrator=None, **options):
    """Return a simulation and its engine, both at the start."""
    model = SCENES[name]() if name in SCENES else load_model(name)
    native = sc.Simulation(model, detector, integrator, 1e-3, **options)
    return native, WasmEngine(web_model(native))


def changed_values(engine, seed):
    """Return other values of all live symbols."""
    some = random.Random(seed)
    values = {}
    for symbol in engine.about['symbols']:
        assert symbol['refused'] == ''
        value = symbol['value'] * some.uniform(0.9, 1.1) or some.uniform(0.0, 0.1)
        low, high = symbol['min'], symbol['max']
        value = value if low is None else max(value, low)
        values[symbol['name']] = value if high is None else min(value, high)
    return values


def check_bits(name, detector, integrator):
    """Compare hashes through steps, a change of all live symbols, and a reset."""
    # With verlet the hopper meets its stop too hard for it: its bits are compared all the same.
    native, engine = both(name, detector, integrator, max_residual=0)
    assert engine.state_hash() == native.state_hash() == engine.about['startHash']
    for count in (1, 499, 500):
        native.step(count)
        assert engine.step(count) == count
        assert engine.state_hash() == native.state_hash()
    native.reset()
    engine.reset()
    native.step(200)
    engine.step(200)
    values = changed_values(engine, 1)
    native.set_parameters(values)
    engine.set_parameters(values)
    assert engine.state_hash() == native.state_hash()
    native.step(300)
    engine.step(300)
    assert engine.state_hash() == native.state_hash()
    check_world(native, engine)
    native.reset()
    engine.reset()
    # Where a body is turned, numpy rounds its momenta in a way of its machine.
    assert np.allclose(engine.state, native.parts.live.memory.whole_state, rtol=1e-14, atol=1e-15)


def check_world(native, engine):
    """Compare what live symbols set in the memory of both worlds, bit for bit."""
    image = native.parts.live.memory.image
    own = np.array(engine.ints[: len(image.memory)])
    addresses = ('kinematics', 'dynamics', 'gravity', 'energy', 'inertia', 'velocity')
    for block in ('shapes', 'solids', 'materials', 'joints', 'law_constants', 'bodies'):
        array = image[block]
        start = image.slot(block)
        other = own[start : start + array.nbytes // 8].view(array.dtype)
        for field in array.dtype.names or ('',):
            if field in (*addresses, 'program'):
                continue
            theirs = array[field] if field else array
            ours = other[field] if field else other
            assert theirs.tobytes() == ours.tobytes(), (block, field)
    for name in ('gravity', 'skin'):
        at = engine.place('world', 'World', name)
        assert own[at] == image.memory.view('i8')[at]


@pytest.mark.parametrize(('name', 'detector', 'integrator'), FEW)
def test_bits_are_those_of_the_native_simulation(name, detector, integrator):
    check_bits(name, detector, integrator)


@pytest.mark.deep
@pytest.mark.parametrize(('name', 'detector', 'integrator'), ALL)
def test_bits_of_all_models_detectors_and_integrators_are_native(name, detector, integrator):
    check_bits(name, detector, integrator)


@pytest.fixture(scope='module')
def walls():
    return both('cart_pole_walls', 'sat', 'auto')


@pytest.fixture(autouse=True)
def _at_the_start(request):
    if 'walls' in request.fixturenames:
        native, engine = request.getfixturevalue('walls')
        native.reset()
        engine.reset()


def test_contacts_poses_and_energies_are_native(walls):
    native, engine = walls
    native.step(900)
    engine.step(900)
    engine.until_roomy('look', native.proximity_range)
    count = engine.number('count', 'inspection', 'InspectionRecord')
    width = engine.records['ProximityRecord']['slots']
    rows = engine.block('inspection', 'InspectionRecord', 'records', width).reshape(-1, width)
    at = engine.records['ProximityRecord']['fields']['distance'][0]
    assert rows[:count, at].tolist() == [p.distance for p in native.proximities()]
    engine.call('move', records=('world', 'motions'))
    width = engine.records['BodyMotion']['slots']
    motions = engine.block('motions', 'MotionRecord', 'bodies', width).reshape(-1, width)
    assert motions[:, :7].tolist() == native.body_poses.tolist()
    engine.until_roomy('weigh')
    at = engine.place('engine', 'Engine', 'energies')
    energy = native.energy()
    assert engine.floats[at : at + 2] == pytest.approx([energy.kinetic, energy.potential])


def test_loads_act_as_in_python(walls):
    native, engine = walls
    native.set_wrench('pole', [1.0, 2.0, 0.0], [0.0, 0.0, 0.1], [0.1, 0.2, 0.0])
    native.set_effort('rail', 3.0)
    names = [body['name'] for body in engine.about['bodies']]
    load = (1.0, 2.0, 0.0, 0.0, 0.0, 0.1, 0.1, 0.2, 0.0)
    engine.call('push', names.index('pole'), *load, records=('world', 'motions'))
    effort = engine.about['efforts'].index('rail')
    engine.call('set_effort', effort, 3.0, records=('world', 'engine'))
    native.step(100)
    engine.step(100)
    assert engine.state_hash() == native.state_hash()
    native.reset()
    engine.reset()
    assert engine.state_hash() == native.state_hash()


def test_values_that_make_no_model_are_refused_and_change_nothing(walls):
    _, engine = walls
    engine.step(50)
    before = engine.bytes()
    with pytest.raises(ValueError, match='refused'):
        engine.set_parameters({'m': -1.0})
    assert engine.bytes() == before
    assert engine.call('weigh') not in (NO_MEMORY, REFUSED)


def test_blocks_grow_with_the_contacts_and_keep_the_bits():
    native = sc.Simulation(slope(), 'sat', 'implicit', 1e-3)
    native.parts.live.memory.set_room(1)
    native.parts.live.memory.set_anchor_room(1)
    engine = WasmEngine(web_model(native))
    room = len(engine.block('world', 'World', 'candidates'))
    native.step(300)
    assert engine.step(300) == 300
    assert len(engine.block('world', 'World', 'candidates')) > room == 1
    assert len(engine.block('world', 'World', 'anchors')) > 1
    assert engine.state_hash() == native.state_hash()
    assert engine.number('anchor_count', 'world', 'World') == 8


def test_a_step_that_is_not_sound_stops_as_the_native_one_does(walls):
    native, engine = walls
    values = {'materials.default.stiffness': 1e-6, 'M': 100.0}
    native.set_parameters(values)
    engine.set_parameters(values)
    with pytest.raises(sc.DivergenceError):
        native.step(5000)
    made = engine.step(5000)
    assert engine.number('status') == STOPPED
    assert made + 1 == native.steps
    assert engine.state.tobytes() == native.parts.live.memory.whole_state.tobytes()
    shipped = {symbol['name']: symbol['value'] for symbol in engine.about['symbols']}
    native.set_parameters(shipped)
    engine.set_parameters(shipped)


@pytest.mark.parametrize(
    ('options', 'match'),
    [
        ({'integrator': 'reference'}, 'take rk4'),
        ({'detector': 'co', 'co': {'solver': 'ecos'}}, "take co.solver 'builtin'"),
    ],
)
def test_what_needs_python_is_refused_with_a_way_out(options, match):
    native = sc.Simulation(load_model('bouncing_circle'), **options)
    with pytest.raises(sc.OptionError, match=match):
        web_model(native)


def test_a_symbol_that_moves_corners_is_refused_with_a_reason():
    model = sc.Model('wedge', dimension=2, gravity=[0.0, -9.81, 0.0])
    model.add_parameter('h', 0.3, min=0.1, max=1.0)
    corners = [[0.0, 0.0], [0.5, 0.0], [0.0, 'h']]
    shape = {'type': 'polygon', 'vertices': corners}
    model.add_body('wedge', mass=1.0, joint={'type': 'planar'}, shapes=[shape])
    native = sc.Simulation(model)
    image = EngineImage(native, WasmPrograms(native.parts.live.memory.layout))
    refused = find_refused(native, image)
    assert list(refused) == ['h']
    assert 'Python' in refused['h']
