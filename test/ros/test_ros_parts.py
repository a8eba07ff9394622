"""Parts of the node without a network: instants, bytes, lockstep, commands, steps."""

import math
import os
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from geometry_msgs.msg import TransformStamped, WrenchStamped
from helpers.schedulers import scheduler
from rclpy.serialization import deserialize_message
from scipy.spatial.transform import Rotation
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

import symcontact_ros as sc
from symcontact_ros.placements import matrix
from symcontact_ros.recording.marker_scene import quaternion_product
from symcontact_ros.ros import fastdds
from symcontact_ros.ros.conversions import relative_poses
from symcontact_ros.ros.publishing.pair_topics import advertised_pairs
from symcontact_ros.ros.publishing.serialized import FEW, marks, Serialized, Sheet, xyz, xyzw
from symcontact_ros.ros.publishing.state_topics import JointStates
from symcontact_ros.ros.publishing.topics import Topics
from symcontact_ros.ros.stepping.commands import Rejected
from symcontact_ros.ros.stepping.lockstep import Lockstep
from symcontact_ros.ros.stepping.step_scheduler import LONGEST_CALL, LONGEST_TICK
from symcontact_ros.simulation.observing.motion_kernel import quaternion_of

CLOCK = 'symcontact_ros.ros.stepping.step_scheduler.time'
PILE = """\
dimension: 3
materials: {default: {law: linear, stiffness: 1.0e4, damping: 0.5, friction: 0.4, slip_speed: 0.1}}
bodies:
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 0, 1]}]}
  z_box: {mass: 1, com: [0.02, 0.01, 0], shapes: [{type: box, half_extents: [0.1, 0.2, 0.1]}],
          inertia: {ixx: 0.01, iyy: 0.02, izz: 0.01},
          initial: {position: [0, 0, 0.11], rpy: [0.1, 0.2, 2.9]}}
  a_ball: {mass: 2, shapes: [{type: sphere, radius: 0.1},
           {type: sphere, radius: 0.05, pose: {position: [0.1, 0, 0]}}],
           initial: {position: [0, 0, 0.305], rpy: [3.0, 0, 0], angular_velocity: [1, 2, 3]}}
"""

CART = """\
gravity: [0, 0, 0]
bodies:
  cart: {mass: 1, inertia: {izz: 0}, joint: {type: prismatic, axis: [1, 0, 0], name: rail}}
"""


def summed(pair):
    """Return point, force and torque of a pair from its contacts, or its closest shapes."""
    point = min(pair.proximities, key=lambda p: p.distance).point
    weights = [np.linalg.norm(contact.force) for contact in pair.contacts]
    if sum(weights) > 0.0:
        point = np.average([contact.point for contact in pair.contacts], axis=0, weights=weights)
    force = sum((contact.force for contact in pair.contacts), np.zeros(3))
    arms = [(contact.point - point, contact.force) for contact in pair.contacts]
    return point, force, sum((np.cross(*arm) for arm in arms), np.zeros(3))


@pytest.mark.parametrize(
    'name', ['pile', 'rectangle_rectangle', 'sphere_cuboid', 'cart_pole', 'double_pendulum']
)
def test_an_instant_tells_in_arrays_what_a_snapshot_tells_by_name(name, write_model):
    model = sc.load_model(write_model(PILE) if name == 'pile' else name)
    simulation = sc.Simulation(model)
    observer = simulation.observer()
    touched = 0
    for _ in range(12):
        simulation.step(40)
        snapshot, instant = simulation.snapshot(), observer.observe()
        touched += len(snapshot.contacts)
        for row, body in enumerate(model.body_names):
            pose, twist = snapshot.poses[body], snapshot.twists[body]
            wrench = snapshot.contact_wrench(body)
            for found, wanted in (
                (instant.position[row], pose.position),
                (instant.com[row], snapshot.coms[body]),
                (instant.velocity[row], twist.linear),
                (instant.rate[row], twist.angular),
                (instant.wrench[row, :3], wrench.force),
                (instant.wrench[row, 3:], wrench.torque),
            ):
                assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9)
            assert abs(instant.quaternion[row] @ pose.quaternion) == pytest.approx(1.0)
        for row, pair in enumerate(snapshot.pairs):
            point, force, torque = summed(pair)
            assert pair.point == pytest.approx(point, abs=1e-9)
            assert pair.wrench.force == pytest.approx(force, abs=1e-9)
            assert pair.wrench.torque == pytest.approx(torque, abs=1e-9)
            assert instant.pair_point[row] == pytest.approx(pair.point, abs=1e-9)
            assert instant.pair_wrench[row, :3] == pytest.approx(pair.wrench.force, abs=1e-9)
            assert instant.pair_wrench[row, 3:] == pytest.approx(pair.wrench.torque, abs=1e-9)
        near, known = observer.proximities(), simulation.proximities()
        for i, wanted in enumerate(known):
            assert model.body_names[near.body_a[i]] == wanted.body_a
            assert near.point_b[i] == pytest.approx(wanted.point_b)
            assert near.normal[i] == pytest.approx(wanted.normal)
        places = observer.frames()
        assert places[2] == pytest.approx(instant.position, abs=1e-12)
    assert touched > 0 or name in ('cart_pole', 'double_pendulum'), 'nothing touched'


@pytest.mark.parametrize('name', ['pile', 'rectangle_rectangle', 'cart_pole_walls'])
def test_an_instant_is_the_same_where_nothing_can_be_compiled(name, write_model, monkeypatch):
    model = sc.load_model(write_model(PILE) if name == 'pile' else name)
    simulation = sc.Simulation(model)
    simulation.step(300)
    compiled = simulation.observer().observe()
    monkeypatch.setattr('symcontact_ros.simulation.world.compiling.available', lambda: False)
    plain = simulation.observer().observe()
    for one, other in (
        (compiled.pose, plain.pose),
        (compiled.wrench, plain.wrench),
        (compiled.pair_wrench, plain.pair_wrench),
        (compiled.contacts.rows, plain.contacts.rows),
        (compiled.joints, plain.joints),
    ):
        assert np.array_equal(one, other)  # kernels are the same bit for bit


def test_quaternions_of_any_attitude_turn_as_their_matrices_do():
    rng = np.random.default_rng(7)
    turns = [*rng.normal(size=(50, 4)), *np.eye(4), *(np.eye(4) + 1e-9)]
    for turn in turns:
        wanted = turn / np.linalg.norm(turn)
        out = np.array(quaternion_of(tuple(matrix(tuple(wanted)).ravel().tolist())))
        assert out[3] >= 0.0
        # The matrix knows them to rounding.
        assert abs(out @ wanted) == pytest.approx(1.0, abs=1e-14)
        assert matrix(tuple(out)) == pytest.approx(matrix(tuple(wanted)), abs=1e-14)
        both = quaternion_product(out[None], wanted[None])[0]
        assert matrix(tuple(both)) == pytest.approx(
            matrix(tuple(out)) @ matrix(tuple(wanted)), abs=1e-14
        )


@pytest.mark.parametrize('count', [1, 2, 39])
def test_numbers_written_into_bytes_are_those_of_the_message(count):
    transforms = [TransformStamped(child_frame_id='b' * i) for i in range(count)]
    message = TFMessage(transforms=transforms)
    places = [
        place
        for t in transforms
        for place in (*xyz(t.transform.translation), *xyzw(t.transform.rotation))
    ]
    serialized = Serialized(message, places, [t.header.stamp for t in transforms])
    numbers = np.random.default_rng(1).normal(size=(count, 7))
    numbers[0, :3] = 0.0, -0.0, 1e-308
    serialized.write(numbers)
    serialized.stamp(2_000_000_123)
    found = deserialize_message(serialized.data, TFMessage)
    for i, (t, row) in enumerate(zip(found.transforms, numbers.tolist(), strict=True)):
        move, turn = t.transform.translation, t.transform.rotation
        assert [move.x, move.y, move.z, turn.x, turn.y, turn.z, turn.w] == row
        assert (t.header.stamp.sec, t.header.stamp.nanosec) == (2, 123)
        assert t.child_frame_id == 'b' * i


@pytest.mark.parametrize('count', [1, FEW, FEW + 1, 20])
def test_messages_on_one_sheet_are_those_written_one_by_one(count):
    def message(i):
        found = WrenchStamped()
        found.header.frame_id = 'f' * i  # of all lengths: doubles must stay where CDR has them
        places = [*xyz(found.wrench.force), *xyz(found.wrench.torque)]
        return Serialized(found, places, [found.header.stamp])

    alone = [message(i) for i in range(count)]
    sheet = Sheet([message(i) for i in range(count)])
    numbers = np.random.default_rng(2).normal(size=(count, 6))
    time = 2_147_483_646_999_999_999  # [ns], the latest of a stamp
    sheet.write(numbers)
    sheet.stamp(time)
    for one, row, (start, end) in zip(alone, numbers, sheet.parts, strict=True):
        one.write(row)
        one.stamp(time)
        both = [deserialize_message(d, WrenchStamped) for d in (sheet.data[start:end], one.data)]
        assert both[0] == both[1]  # not the bytes: what pads a text is left to chance


def test_lockstep_takes_the_first_answer_to_this_instant_alone():
    lockstep = Lockstep(timeout=5.0)
    lockstep.published(1000, now=0.0)
    lockstep.offer(999)
    assert not lockstep.answered
    assert not lockstep.overdue(4.9)
    assert lockstep.overdue(5.0)
    assert not lockstep.overdue(6.0), 'asked anew'
    lockstep.offer(1000)
    lockstep.published(1000, now=7.0)  # for a listener who came late
    assert lockstep.answered
    assert not lockstep.overdue(100.0)
    assert lockstep.timeouts == 1
    lockstep.published(2000, now=8.0)
    assert not lockstep.answered


def test_after_a_reset_an_instant_of_the_same_stamp_wants_its_own_answer():
    lockstep = Lockstep(timeout=5.0)
    lockstep.published(0, now=0.0)
    lockstep.offer(0)
    lockstep.renew()
    lockstep.published(0, now=1.0)
    assert not lockstep.answered


def test_pairs_are_advertised_up_to_a_limit_and_those_that_a_glob_matches(write_model):
    model = sc.load_model(write_model(PILE))
    assert advertised_pairs(model, 64, ('',)) == {0, 1, 2}
    assert advertised_pairs(model, 2, ('',)) == {0, 1}
    chosen = advertised_pairs(model, 0, ('a_*/z_box', '*/floor'))
    assert {model.pairs[i] for i in chosen} == {('a_ball', 'floor'), ('a_ball', 'z_box')}


def test_a_simulation_that_is_too_slow_slows_down_and_does_not_burst(monkeypatch):
    found = scheduler(real_time_factor=100.0, publish_rate=100.0)
    quick = found.simulation.step
    now = 0.0  # the clock on the wall, which goes on while steps are made
    for clock in ('monotonic', 'perf_counter'):
        monkeypatch.setattr(f'{CLOCK}.{clock}', lambda: now)

    def step(count):
        nonlocal now
        now += 1e-3 * count  # real time at best, a hundredth of what is asked for
        quick(count)

    found.simulation.step = step
    found.tick()
    now += 0.05  # 5000 steps are due
    found.tick()
    assert found.pacer.overruns == 1
    # what one tick's time allows, not what is due; and the rest of the last call
    assert LONGEST_TICK <= 1e-3 * found.steps <= LONGEST_TICK + LONGEST_CALL


def test_instants_come_at_whole_periods_however_the_ticks_fall():
    found = scheduler(real_time_factor=0.0, publish_rate=50.0, clock_rate=200.0, duration=0.1)
    while not found.finished:
        found.tick()
    audience = found._audience
    assert audience.instants == [20_000_000 * i for i in range(1, 6)]
    assert sorted(audience.clocks + audience.instants) == [5_000_000 * i for i in range(1, 21)]


def test_a_command_ends_in_mid_tick_to_the_step():
    found = scheduler(real_time_factor=0.0, command_timeout=0.013, duration=0.1)
    message = WrenchStamped()
    message.wrench.force.x = 10.0
    found._commands.take_wrench('ball', message, found.steps)
    while not found.finished:
        found.tick()
    # 1 m/s at the start, and 10 N on 1 kg for 13 ms
    assert found.simulation.u[0] == pytest.approx(1.0 + 0.13, abs=1e-9)


def test_a_control_loop_closes_with_a_delay_of_one_period(write_model):
    model = write_model(CART)
    found = scheduler(model, control_rate=200.0, real_time_factor=0.0, start_paused=True)
    shown = {}
    found._audience.show = lambda time: shown.setdefault(found.steps, found.simulation.u[0])

    def reply():
        """Push as soon as the state after 10 steps is seen."""
        effort = 1.0 if 10 in shown else 0.0
        found._commands.take_joints(JointState(name=['rail'], effort=[effort]), found.steps)

    found.take_commands = reply
    run = found.run(25)
    while not run.over:
        found.tick()
    assert list(shown) == [5, 10, 15, 20, 25]
    # one kilogram: it acts from the first step after 10, also where one tick makes them all
    assert list(shown.values()) == pytest.approx([0.0, 0.0, 5e-3, 10e-3, 15e-3], abs=1e-12)


def test_what_was_sent_before_a_step_acts_on_it_and_before_a_reset_never():
    found = scheduler(start_paused=True)
    push = WrenchStamped()
    push.wrench.force.x = 10.0
    found.take_commands = lambda: found._commands.take_wrench('ball', push, found.steps)
    found.step(10)
    # 1 m/s at the start, and 10 N on 1 kg for 10 ms
    assert found.simulation.u[0] == pytest.approx(1.0 + 0.1, abs=1e-9)
    found.reset()
    found.take_commands = lambda: None
    found.step(10)
    assert found.simulation.u[0] == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize(
    ('timeout', 'acts'),
    [(0.005, 0.01), (0.02, 0.02), (0.05, 0.05), (0.0, 0.1)],  # over already; later; never
)
@pytest.mark.parametrize('kind', ['wrench', 'joint'])
def test_a_new_timeout_counts_for_the_commands_that_act(kind, timeout, acts, write_model):
    found = scheduler(str(write_model(CART)), command_timeout=0.03)
    commands = found._commands
    if kind == 'wrench':
        message = WrenchStamped()
        message.wrench.force.x = 10.0
        commands.take_wrench('cart', message, found.steps)
    else:
        commands.take_joints(JointState(name=['rail'], effort=[10.0]), found.steps)
    found.step(10)
    commands.timeout = timeout
    found.step(90)
    # 10 N on 1 kg from rest
    assert found.simulation.u == pytest.approx([10.0 * acts], abs=1e-12)


@pytest.mark.parametrize('command', [{'position': [0.3]}, {'velocity': [0.5]}, {'effort': [9.0]}])
def test_a_joint_that_its_model_holds_is_held_after_the_timeout(command, write_model):
    arm = """\
dimension: 3
bodies:
  arm: {mass: 2, com: [0.5, 0, 0], inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1},
        joint: {type: revolute, axis: [0, 1, 0], servo: auto}}
"""
    found = scheduler(str(write_model(arm)), command_timeout=0.1)
    found._commands.take_joints(JointState(name=['arm'], **command), found.steps)
    found.step(100)
    expected = command.get('position', found.simulation.q)[0]
    assert abs(expected) > 0.01
    found.step(1000)
    assert found.simulation.q[0] == pytest.approx(expected, abs=1e-6)


def test_joint_states_keep_their_order_in_bytes():
    message = JointState(name=['b', 'a'])
    message.position, message.velocity, message.effort = [0.0] * 2, [0.0] * 2, [0.0] * 2
    columns = (message.position, message.velocity, message.effort)
    places = [(column, i) for column in columns for i in range(2)]
    serialized = Serialized(message, places, [message.header.stamp])
    serialized.write(np.arange(6.0))
    found = deserialize_message(serialized.data, JointState)
    assert list(found.position) == [0.0, 1.0]
    assert list(found.velocity) == [2.0, 3.0]
    assert list(found.effort) == [4.0, 5.0]
    assert list(found.name) == ['b', 'a']


GEARS = """\
gravity: [0, 0, 0]
parameters: {ratio: -2.0}
bodies:
  b: {mass: 1, inertia: {izz: 1}, joint: {type: revolute, name: driven,
      mimic: {joint: drive, multiplier: ratio, offset: 0.5}}}
  a: {mass: 1, inertia: {izz: 1}, initial: {position: 0.1, velocity: 3}, joint: {type: revolute,
      name: drive}}
"""


def test_joint_states_have_the_joints_that_mimic_others(write_model):
    simulation = sc.Simulation(sc.load_model(write_model(GEARS)))
    simulation.set_effort('driven', 4.0)
    sent = []
    publisher = SimpleNamespace(handle=SimpleNamespace(publish_raw=sent.append), topic_name='')
    node = SimpleNamespace(
        create_publisher=lambda *_, **__: publisher,
        resolve_topic_name=str,
        _parameter_overrides={},
    )
    states = JointStates(Topics(node), simulation.model)
    for ratio in (-2.0, 3.0):
        simulation.set_parameters({'ratio': ratio})
        states.refresh(simulation.parameters)
        states.publish(simulation.observer().observe(), 0)
        found = deserialize_message(sent[-1], JointState)
        assert found.name == ['drive', 'driven']
        np.testing.assert_allclose(found.position, [0.1, ratio * 0.1 + 0.5], rtol=1e-15)
        np.testing.assert_allclose(found.velocity, [3.0, ratio * 3.0], rtol=1e-15)
        assert list(found.effort) == [-8.0, 0.0]  # set when the ratio was -2


def test_commands_name_the_joint_that_leads(write_model):
    commands = scheduler(str(write_model(GEARS)))._commands
    with pytest.raises(Rejected, match='driven mimics drive') as rejected:
        commands.take_joints(JointState(name=['driven'], effort=[1.0]), 0)
    assert rejected.value.reason == 'follower'
    commands.take_joints(JointState(name=['drive'], effort=[1.0]), 0)


@pytest.mark.parametrize('how', ['reset', 'reset_time'])
def test_listeners_have_time_to_work_off_old_stamps_before_time_is_set_back(how, monkeypatch):
    found = scheduler(start_paused=True, reset_time=True)
    found.step(100)
    told = found._audience.instants
    waits = []
    monkeypatch.setattr(
        'symcontact_ros.ros.stepping.step_scheduler.time.sleep',
        lambda wait: waits.append((wait, told[-1])),
    )
    getattr(found, how)()
    assert told[-1] == 0
    ((wait, last),) = waits
    assert (wait > 0.0, last) == (True, 100_000_000)


def test_a_request_for_many_steps_ends_when_the_node_is_told_to_stop():
    found = scheduler(start_paused=True)
    found.interrupted = lambda: found.steps >= 2500
    found.step(10**9)
    assert 2500 <= found.steps <= 4000


def test_lockstep_without_an_answer_says_once_what_it_waits_for(caplog, monkeypatch):
    found = scheduler(lockstep=True, lockstep_timeout=1.0)
    for now in (0.0, 0.5, 1.5, 3.0, 4.5):
        with monkeypatch.context() as patched:
            patched.setattr(
                'symcontact_ros.ros.stepping.step_scheduler.time.monotonic', lambda now=now: now
            )
            found.tick() if now else found.show()
    assert found.lockstep.timeouts == 3
    (record,) = caplog.records
    assert 'no message on ~/joint_commands with stamp 0.000000000 s' in record.getMessage()


@pytest.mark.parametrize(
    ('rclpy', 'version', 'tags'),
    [
        ('7.1.6', 2, ('heartbeatPeriod', 'nackSupressionDuration')),
        ('9.1.2', 3, ('heartbeat_period', 'nack_supression_duration')),
    ],
)
def test_fast_dds_reads_our_profiles_unless_the_user_has_any(
    monkeypatch, tmp_path, rclpy, version, tags
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(fastdds.metadata, 'version', lambda package: rclpy)
    for name in fastdds.VARIABLES.values():
        monkeypatch.delenv(name, raising=False)
    with monkeypatch.context() as patch:
        patch.setenv(fastdds.VARIABLES[version], '')
        fastdds.use_profiles()
        ours = Path(os.environ[fastdds.VARIABLES[version]])
        times = ElementTree.parse(ours).find('.//{*}times')
        assert [part.tag.partition('}')[2] for part in times] == list(tags)
        assert [part[1].text for part in times] == ['100000000', '50000000']
    for name in fastdds.VARIABLES.values():
        with monkeypatch.context() as patch:
            patch.setenv(name, 'mine.xml')
            fastdds.use_profiles()
            given = [os.environ.get(known) for known in fastdds.VARIABLES.values()]
            assert sorted(map(str, given)) == ['None', 'mine.xml']
    (tmp_path / fastdds.BESIDE).write_text('<dds/>')
    fastdds.use_profiles()
    assert not any(name in os.environ for name in fastdds.VARIABLES.values())


def test_marks_differ_and_cannot_be_a_text_with_its_padding():
    # Behind the 0 of a text, padding is what the memory had before: seven bytes of another mark.
    found = marks(1000, b'abcde')
    assert len(set(found)) == 1000
    assert not any(0 in mark for mark in found)
    assert {len(mark) for mark in found} == {8}


def test_poses_in_their_parents_are_those_that_matrices_give():
    rng = np.random.default_rng(7)
    poses = rng.normal(size=(2, 20, 7))
    poses[..., 3:] /= np.linalg.norm(poses[..., 3:], axis=-1, keepdims=True)
    found = relative_poses(*poses)
    parents, children = (Rotation.from_quat(rows[:, 3:]) for rows in poses)
    placed = parents.inv().apply(poses[1, :, :3] - poses[0, :, :3])
    assert np.allclose(found[:, :3], placed, atol=1e-14)
    turned = (parents.inv() * children).as_matrix()
    assert np.allclose(Rotation.from_quat(found[:, 3:]).as_matrix(), turned, atol=1e-14)


def ticked(found, steps):
    """Tick as fast as it goes until so many steps are made; return those of every instant."""
    seen = []
    found._audience.show = lambda time: seen.append((found.steps, found.simulation.steps))
    while found.steps < steps:
        found.tick()
    return seen


def test_a_run_that_repeats_begins_anew_while_time_goes_on():
    found = scheduler('circle_circle', real_time_factor=0.0, repeat=True)  # 2 s long
    seen = ticked(found, 5000)
    assert [steps for steps, _ in seen] == list(range(10, 10 * len(seen) + 1, 10))  # each once
    assert all(own == (steps - 1) % 2000 + 1 for steps, own in seen)
    alone = sc.Simulation(sc.load_model('circle_circle'))
    alone.step(found.simulation.steps)
    assert found.simulation.state_hash() == alone.state_hash()


@pytest.mark.parametrize('how', ['wrench', 'effort', 'state'])
def test_a_run_that_is_taken_part_in_is_disturbed_until_it_is_asked_to_repeat_again(how):
    found = scheduler('cart_pole', repeat=True)
    commands, settings = found._commands, found._settings
    assert not found.is_disturbed
    if how == 'wrench':
        commands.take_wrench('cart', WrenchStamped(), 0)
    elif how == 'effort':
        commands.take_joints(JointState(name=['rail'], effort=[1.0]), 0)
    else:
        found.take_part()
    assert found.is_disturbed
    found.configure(settings)
    assert found.is_disturbed, 'another parameter has changed'
    found.configure(settings.changed({'repeat': False}))
    assert not found.is_disturbed
    assert found._steps_to_repeat() == math.inf
    found.configure(settings)
    assert not found.is_disturbed
    assert found._steps_to_repeat() == 5000
