"""Recordings are what others can read, and what the model does, bit for bit."""

import json
import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest

pytest.importorskip('rosbags', reason='reads recordings; `make test` brings it')
pytest.importorskip('mcap_ros2', reason='reads recordings; `make test` brings it')

from helpers.recordings import read_by_mcap, read_by_rosbags, recorded
from rosbags.typesys import get_typestore, Stores

import symcontact_ros as sc
from symcontact_ros.cli.main import main
from symcontact_ros.recording import mcap_reader, mcap_writer
from symcontact_ros.recording.cdr import deserialize, serialize
from symcontact_ros.recording.definitions import DEFINITIONS, fields_of
from symcontact_ros.recording.mcap_format import CHUNK, MAGIC, record, text
from symcontact_ros.recording.run_reader import RunReader
from symcontact_ros.recording.verifying import verify

ARM = """\
name: arm
dimension: 2
parameters: {m: {value: 1.0, min: 0.1, max: 10.0}}
bodies:
  upper: {mass: m, inertia: {izz: 0.5}, com: [0.3, 0, 0],
          joint: {type: revolute, name: shoulder, servo: {kp: 50.0, kd: 10.0}}}
  slider: {mass: 2.0, inertia: {izz: 0.1}, joint: {type: prismatic, axis: [1, 0, 0], name: rail}}
  ball: {mass: 1.0, shapes: [{type: circle, radius: 0.1}], initial: {position: [2, 0.15, 0]}}
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 1, 0]}]}
"""
WRENCH = '/symcontact/bodies/ball/contact_wrench/floor'


@pytest.fixture(scope='module')
def bouncing(tmp_path_factory):
    """Return the recording of a run by the command."""
    path = tmp_path_factory.mktemp('bouncing') / 'run.mcap'
    words = ['simulate', 'bouncing_circle', '--duration', '1', '--set', 'm=2', '--record', path]
    assert main([str(word) for word in words]) == 0
    return path


def busy(simulation, mark):
    """Give a simulation of ARM one input of every kind."""
    saved = simulation.save_state()
    simulation.step(10)
    simulation.set_wrench('ball', (1.0, 0.1, 0.0), point=(2.1, 0.2, 0.0))
    simulation.set_effort('rail', np.float64(0.3))
    simulation.step(7)
    mark()
    simulation.set_target('shoulder', 0.1 + 0.2, None)
    simulation.set_parameters({'m': 1.0 / 3.0})
    simulation.step(100)
    mark()
    simulation.clear_wrenches()
    simulation.release('shoulder')
    simulation.configure(detector='co')
    simulation.step(100)
    mark()
    q = simulation.q
    simulation.set_state(q=q + 0.01)
    simulation.step(50)
    mark()
    simulation.reset()
    simulation.step(20)
    mark()
    simulation.restore_state(saved)
    simulation.step(33)
    mark()


def plainly(message):
    """Return a message of either package as nested plain data."""
    if hasattr(message, '__slots__') or hasattr(message, '__dataclass_fields__'):
        names = getattr(message, '__dataclass_fields__', None) or message.__slots__
        return {n: plainly(getattr(message, n)) for n in names if n.islower() and n[0] != '_'}
    if isinstance(message, bytes | list | tuple | np.ndarray):
        return [plainly(part) for part in message]
    return message


def test_both_readers_of_others_find_the_same_messages(bouncing):
    by_mcap, by_rosbags = read_by_mcap(bouncing), read_by_rosbags(bouncing)
    assert set(by_mcap) == set(by_rosbags)
    for topic in ('/tf', '/tf_static', '/joint_states', WRENCH, '/symcontact/markers'):
        theirs = [(time, plainly(message)) for time, message in by_rosbags[topic]]
        assert len(by_mcap[topic]) == len(theirs) > 0
        for (time, message), (time_too, other) in zip(by_mcap[topic], theirs, strict=True):
            assert time == time_too
            for name, value in other.items():
                assert plainly(getattr(message, name)) == value, (topic, name)


def test_the_messages_are_the_run(bouncing):
    found = read_by_mcap(bouncing)
    simulation = sc.Simulation(sc.load_model('bouncing_circle', parameters={'m': 2.0}))
    touched = 0
    for (time, transforms), (_, wrench) in zip(found['/tf'], found[WRENCH], strict=True):
        simulation.step(round(1e-9 * time / simulation.step_size) - simulation.steps)
        ball = {t.child_frame_id: t for t in transforms.transforms}['ball']
        stamp = ball.header.stamp
        assert (stamp.sec * 10**9 + stamp.nanosec, ball.header.frame_id) == (time, 'world')
        place = ball.transform.translation
        assert (place.x, place.y, place.z) == tuple(simulation.poses()['ball'].position)
        force = simulation.contact_wrench('ball', 'floor').force
        assert (wrench.wrench.force.x, wrench.wrench.force.y) == tuple(force[:2])
        touched += bool(force.any())
    assert touched and simulation.steps == 1000
    assert [message.data for _, message in found['/symcontact/symbols/m']] == [2.0]


def test_definitions_are_those_of_ros():
    store = get_typestore(Stores.ROS2_JAZZY)
    for kind in DEFINITIONS:
        _, fields = store.fielddefs[kind]
        assert [name for name, _ in fields] == [field.name for field in fields_of(kind)], kind
        definition, _ = store.generate_msgdef(kind, ros_version=2)
        lines = [' '.join(line.split()) for line in definition.split('=' * 80)[0].splitlines()]
        theirs = [line for line in lines if line and '=' not in line]
        ours = DEFINITIONS[kind].splitlines()
        assert [line.replace('octet', 'byte') for line in theirs] == ours, kind


@pytest.mark.parametrize('kind', sorted(DEFINITIONS))
def test_a_message_is_read_back_as_it_was_written(kind):
    rng = np.random.default_rng(7)

    def value(field):
        if field.kind == 'string':
            return 'x' * int(rng.integers(0, 6))
        if field.kind in DEFINITIONS:
            return message(field.kind)
        return 1 if field.kind != 'float64' else float(rng.normal())

    def message(name):
        found = {}
        for field in fields_of(name):
            if field.count is None:
                found[field.name] = value(field)
            elif field.kind == 'float64':
                found[field.name] = tuple(rng.normal(size=max(field.count, 3)))
        return found

    store = get_typestore(Stores.ROS2_JAZZY)
    data = serialize(kind, flat(kind, message(kind)))
    theirs = store.deserialize_cdr(data, kind)
    assert bytes(store.serialize_cdr(theirs, kind)).rstrip(b'\0') == data.rstrip(b'\0')
    assert serialize(kind, deserialize(kind, data)) == data


def flat(kind, message):
    """Return a message with those parts that are doubles alone as sequences."""
    from symcontact_ros.recording.cdr import doubles_of

    found = {}
    for field in fields_of(kind):
        value = message.get(field.name)
        if isinstance(value, dict):
            inner = flat(field.kind, value)
            value = numbers(inner) if doubles_of(field.kind) else inner
        found[field.name] = value
    return found


def numbers(value):
    if isinstance(value, dict):
        return [number for part in value.values() for number in numbers(part)]
    return list(value) if isinstance(value, list | tuple) else [value]


@pytest.mark.parametrize('integrator', ['rk4', 'reference'])
def test_inputs_of_every_kind_are_made_again(tmp_path, write_model, integrator):
    file, model = tmp_path / 'run.mcap', sc.load_model(write_model(ARM))
    simulation = recorded(file, model, busy, integrator=integrator)
    result = verify(RunReader(file))
    assert result.is_equal, result
    assert result.hashes == 8  # six, and the first and the last
    assert result.equal_until == simulation.steps == 33


def test_a_wrong_input_is_found_at_the_first_state_that_differs(tmp_path, write_model, capsys):
    file, model = tmp_path / 'run.mcap', sc.load_model(write_model(ARM))

    def run(simulation, mark):
        for _ in range(5):
            simulation.step(10)
            mark()
        log, simulation.log = simulation.log, lambda *words: None
        simulation.set_effort('rail', 1e-12)  # nobody is told
        simulation.log = log
        simulation.step(1)
        mark()

    recorded(file, model, run, integrator='rk4')
    assert main(['replay', str(file), '--verify']) == 1
    error = capsys.readouterr().err
    assert 'differs at step 51' in error and 'equal until step 50' in error


def test_the_command_proves_its_own_recording(bouncing, capsys):
    assert main(['replay', str(bouncing), '--verify']) == 0
    assert 'equal bit for bit: 103 states of 1000 steps' in capsys.readouterr().out


def test_a_run_that_diverges_is_proven_too(tmp_path, write_model):
    model = write_model(
        'materials: {default: {stiffness: 1e30, damping: 1e30, friction: 0, slip_speed: 0.1}}\n'
        'bodies:\n'
        '  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 1, 0]}]}\n'
        '  ball: {mass: 1, shapes: [{type: circle, radius: 1}],\n'
        '         initial: {position: [0, 0.9, 0]}}\n'
    )
    file = tmp_path / 'run.mcap'
    words = ['simulate', model, '--integrator', 'rk4', '--max-substeps', 1, '--record', file]
    assert main([str(word) for word in words]) == 1
    result = verify(RunReader(file))
    assert result.is_equal, result


# Files without their end, and hostile ones --------------------------------------------------


def test_a_file_that_was_cut_is_read_as_far_as_it_goes(bouncing, tmp_path):
    whole, cut = bouncing.read_bytes(), tmp_path / 'cut.mcap'
    hashes = []
    for length in np.linspace(0, len(whole) - 100, 25).astype(int):
        cut.write_bytes(whole[:length])
        try:
            reader = RunReader(cut)
            entries = list(reader.entries())
        except sc.OptionError:
            continue
        assert not reader.is_whole or length > 0.8 * len(whole)  # its index alone is missing
        hashes.append(len(entries))
    assert hashes == sorted(hashes) and hashes[-1] == 103


@pytest.mark.parametrize('packed', [True, False])
def test_wrong_bytes_are_refused_in_words(bouncing, tmp_path, packed, monkeypatch):
    file = bouncing
    if not packed:
        monkeypatch.setattr(mcap_writer, '_compressor', lambda: lambda data: ('', data))
        file = tmp_path / 'plain.mcap'
        recorded(file, sc.load_model('bouncing_circle'), lambda s, mark: (s.step(5), mark()))
        assert verify(RunReader(file)).is_equal
    whole, rng, wrong = bytearray(file.read_bytes()), np.random.default_rng(1), 0
    changed = tmp_path / 'changed.mcap'
    for _ in range(60):
        data = bytearray(whole)
        for place in rng.integers(0, len(data), size=3):
            data[place] = rng.integers(0, 256)
        changed.write_bytes(data)
        try:
            for message in RunReader(changed).messages():
                deserialize(message.channel.kind, message.data)
        except (sc.OptionError, KeyError):  # a type that is none
            wrong += 1
    assert wrong


def bomb(compression, data, announced):
    sizes = struct.pack('<QQQI', 0, 0, announced, 0)
    chunk = sizes + text(compression) + struct.pack('<Q', len(data)) + data
    return MAGIC + record(1, text('ros2') + text('x')) + record(CHUNK, chunk)


def bombs():
    import lz4.frame
    import zstandard

    zeros = bytes(100 << 20)
    packed = zstandard.ZstdCompressor().compress(zeros)
    silent = zstandard.ZstdCompressor(write_content_size=False).compress(zeros)
    yield bomb('zstd', packed, len(zeros))
    yield bomb('zstd', packed, 1000)
    yield bomb('zstd', silent, 1000)
    yield bomb('lz4', lz4.frame.compress(zeros), 1000)
    yield bomb('gzip', zlib.compress(zeros), 1000)
    yield MAGIC + struct.pack('<BQ', 1, 2**63)
    yield MAGIC + struct.pack('<BQ', CHUNK, 2**40) + bytes(100)
    yield b'no such file'


def test_bombs_do_not_go_off(tmp_path):
    import tracemalloc

    file = tmp_path / 'bomb.mcap'
    for data in bombs():
        file.write_bytes(data)
        tracemalloc.start()
        with pytest.raises(sc.OptionError, match=r'at byte|no model'):
            list(mcap_reader.McapReader(file).items()) and RunReader(file)
            RunReader(file)
        assert tracemalloc.get_traced_memory()[1] < 70 << 20
        tracemalloc.stop()


HOSTILE = {
    'a method that is none': {'step': 0, 'do': '__init__', 'with': {}},
    'another method': {'step': 0, 'do': 'save_checkpoint', 'with': {'path': 'x'}},
    'arguments that there are not': {'step': 0, 'do': 'reset', 'with': {'now': 1}},
    'a text for a number': {
        'step': 0,
        'do': 'set_effort',
        'with': {'joint': 'rail', 'value': 'x'},
    },
    'no state': {'step': 0, 'do': 'restore_state', 'with': {'data': 'AAAA'}},
    'a body that is none': {'step': 0, 'do': 'set_wrench', 'with': {'body': 'x'}},
    'an option that is none': {'step': 0, 'do': 'configure', 'with': {'x': 1}},
    'a step far away': {'step': 2**52, 'hash': 'x'},
    'a step before': {'step': -1, 'hash': 'x'},
    'no number': {'step': True, 'hash': 'x'},
    'no mapping': [1],
    'deep': '[' * 100_000,
}


@pytest.mark.parametrize('entry', HOSTILE.values(), ids=HOSTILE)
def test_inputs_that_are_none_are_refused(tmp_path, write_model, entry, capsys):
    from symcontact_ros.recording.run_writer import RunWriter

    file = tmp_path / 'run.mcap'

    class Forger(RunWriter):
        def _write_entry(self, real):
            text = entry if isinstance(entry, str) else json.dumps(entry)
            self.write(self._replay, serialize('std_msgs/msg/String', {'data': text}))

    from symcontact_ros.recording.logged_simulation import LoggedSimulation

    Forger(file, LoggedSimulation(sc.load_model(write_model(ARM)))).close()
    assert main(['replay', str(file), '--verify']) == 2
    assert str(file) in capsys.readouterr().err


def test_a_file_of_somebody_else_is_refused_in_words(tmp_path, capsys):
    file = tmp_path / 'other.mcap'
    mcap_writer.McapWriter(file, 'ros2', 'somebody').close()
    assert main(['replay', str(file), '--verify']) == 2
    assert 'no model in it' in capsys.readouterr().err
    assert main(['replay', str(tmp_path / 'none.mcap')]) == 2
    assert 'No such file' in capsys.readouterr().err


def test_recording_needs_neither_ros_nor_a_package(tmp_path):
    code = (
        'import sys\n'
        "for name in ('rclpy', 'zstandard', 'lz4', 'mcap', 'matplotlib', 'std_msgs'):\n"
        '    sys.modules[name] = None\n'
        'from symcontact_ros.cli.main import main\n'
        f'file = {str(tmp_path / "run.mcap")!r}\n'
        "words = ['simulate', 'bouncing_circle', '--duration', '0.1', '--record', file]\n"
        'assert main(words) == 0\n'
        "sys.exit(main(['replay', file, '--verify']))\n"
    )
    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert 'equal bit for bit' in done.stdout
    assert len(read_by_rosbags(tmp_path / 'run.mcap')['/tf']) == 11
