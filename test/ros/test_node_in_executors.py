"""`SimulationNode` in executors of this process: alone, beside others, in several threads."""

from contextlib import contextmanager
import logging
import threading
import time

import pytest

rclpy = pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from helpers.places import URDF
from helpers.processes import LONG
from rclpy.context import Context
from rclpy.executors import MultiThreadedExecutor, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from std_srvs.srv import SetBool, Trigger

import symcontact_ros as sc
from symcontact_ros.errors import SymcontactError
from symcontact_ros.ros.node import SimulationNode

ARM = """\
name: arm
dimension: 2
gravity: [0, 0, 0]
bodies:
  upper: {mass: 1.0, inertia: {izz: 0.5}, joint: {type: revolute, name: shoulder}}
"""


@pytest.fixture
def context(domain):
    """Return a context of rclpy on this test's domain, and shut it down."""
    made = Context()
    rclpy.init(context=made, domain_id=domain)
    yield made
    made.try_shutdown()


@pytest.fixture
def arm(write_model):
    return str(write_model(ARM))


@contextmanager
def spinning(context, *nodes, kind=SingleThreadedExecutor):
    """Return an executor of these nodes, which are destroyed with it."""
    executor = kind(context=context)
    for node in nodes:
        executor.add_node(node)
    try:
        yield executor
    finally:
        for node in nodes:
            node.destroy_node()
        executor.shutdown()


def spin_until(executor, condition):
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end, 'it never came'
        executor.spin_once(timeout_sec=0.05)


def simulated(node):
    return 1e-9 * node.scheduler.nanoseconds


def call(executor, client, request):
    """Return the answer of a service, while the executor spins."""
    spin_until(executor, client.service_is_ready)
    future = client.call_async(request)
    spin_until(executor, future.done)
    return future.result()


def test_rclpy_spins_it_until_it_is_done(context, arm):
    given = {'model': arm, 'real_time_factor': 10}
    node = SimulationNode(parameter_overrides=given, context=context, duration=0.5)
    with spinning(context, node) as executor:
        executor.spin_until_future_complete(node.done, LONG)
        assert node.finished
        assert simulated(node) == pytest.approx(0.5)


def test_it_follows_the_wall_clock_on_a_timer_of_its_own(context, arm):
    given = [Parameter('model', value=arm), Parameter('use_sim_time', value=True)]
    node = SimulationNode(parameter_overrides=given, context=context)
    with spinning(context, node) as executor:
        spin_until(executor, lambda: simulated(node) > 0.0)
        began, start = time.monotonic(), simulated(node)
        spin_until(executor, lambda: simulated(node) > start + 0.3)
        passed = time.monotonic() - began
    # Never ahead but by a tick; stalls of a busy machine are not caught up.
    assert simulated(node) - start <= passed + 0.11
    assert node.scheduler.steps > 300


@pytest.mark.parametrize('kind', [SingleThreadedExecutor, MultiThreadedExecutor])
def test_several_nodes_run_in_one_process(context, arm, kind):
    left = SimulationNode(
        parameter_overrides={'model': arm, 'control_rate': 100}, namespace='left', context=context
    )
    right = SimulationNode(
        'sim2',
        parameter_overrides={'model': 'bouncing_circle', 'publish_clock': False},
        namespace='right',
        context=context,
    )
    other = Node('other', context=context)
    heard = []
    other.create_subscription(JointState, '/left/joint_states', heard.append, 10)
    sender = other.create_publisher(JointState, '/left/symcontact/joint_commands', 10)
    pause = other.create_client(SetBool, '/right/sim2/pause')
    step = other.create_client(Trigger, '/right/sim2/step')
    with spinning(context, left, right, other, kind=kind) as executor:
        assert call(executor, pause, SetBool.Request(data=True)).success
        before = right.scheduler.steps
        assert call(executor, step, Trigger.Request()).success
        assert right.scheduler.steps == before + 1
        spin_until(executor, lambda: sender.get_subscription_count() and heard)

        def moving():
            sender.publish(JointState(name=['shoulder'], effort=[1.0]))
            return heard[-1].velocity[0] > 0.01

        spin_until(executor, moving)
        assert right.scheduler.steps == before + 1
        left.set_parameters([Parameter('control_rate', value=50.0)])
        assert left.settings.ticks_per_second == 50.0


def test_two_clocks_are_told(context, arm, capfd):
    nodes = [
        SimulationNode(name, parameter_overrides={'model': arm}, context=context)
        for name in ('one', 'two')
    ]
    told = ''
    with spinning(context, *nodes) as executor:

        def both_have_told():
            nonlocal told
            told += capfd.readouterr().err
            return told.count('another node publishes /clock, too') == 2

        spin_until(executor, both_have_told)


def test_a_robot_with_servos_goes_where_it_is_sent_and_stays(context):
    given = {'model': str(URDF / 'arm.urdf'), 'servo': 'auto', 'real_time_factor': 20}
    node = SimulationNode(parameter_overrides=given, context=context)
    (joint,) = node.model.joint_names
    goal = float(node.simulation.q[0]) + 0.3
    other = Node('other', context=context)
    sender = other.create_publisher(JointState, '/symcontact/joint_commands', 10)
    with spinning(context, node, other) as executor:
        spin_until(executor, sender.get_subscription_count)
        sender.publish(JointState(name=[joint], position=[goal]))
        spin_until(executor, lambda: node.commands.taken == 1)
        there = simulated(node) + 3.0  # long after the timeout of the command
        spin_until(executor, lambda: simulated(node) > there)
        assert node.simulation.q[0] == pytest.approx(goal, abs=1e-3)


def test_lockstep_closes_through_the_executor_without_waiting_for_ticks(context, arm):
    given = {'model': arm, 'lockstep': True, 'real_time_factor': 0, 'tick_rate': 5}
    node = SimulationNode(parameter_overrides=given, context=context, duration=0.3)
    controller = Node('controller', context=context)
    sender = controller.create_publisher(JointState, '/symcontact/joint_commands', 10)

    def reply(state):
        answer = JointState(header=state.header, name=['shoulder'], effort=[0.5])
        sender.publish(answer)

    controller.create_subscription(JointState, '/joint_states', reply, 10)
    with spinning(context, node, controller) as executor:
        executor.spin_until_future_complete(node.done, LONG)
        assert simulated(node) == pytest.approx(0.3)
        # 300 replies at 5 ticks a second, and perhaps that to the end: taken as they came
        assert node.commands.taken in (300, 301)
        assert node.simulation.u[0] == pytest.approx(0.5 / 0.5 * 0.3)


def test_best_effort_publishers_are_taken(context, arm):
    node = SimulationNode(parameter_overrides={'model': arm}, context=context)
    other = Node('other', context=context)
    quality = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
    joints = other.create_publisher(JointState, '/symcontact/joint_commands', quality)
    with spinning(context, node, other) as executor:
        spin_until(executor, joints.get_subscription_count)

        def taken():
            joints.publish(JointState(name=['shoulder'], effort=[1.0]))
            return node.commands.taken > 0

        spin_until(executor, taken)
        # and a reliable one, which nothing was changed for
        efforts = other.create_publisher(Float64MultiArray, '/symcontact/joint_efforts', 10)
        spin_until(executor, efforts.get_subscription_count)
        other.destroy_publisher(joints)
        before = node.commands.taken
        efforts.publish(Float64MultiArray(data=[2.0]))
        spin_until(executor, lambda: node.commands.taken > before)


def test_a_reliable_publisher_at_1_khz_loses_nothing(context, arm):
    node = SimulationNode(parameter_overrides={'model': arm, 'tick_rate': 20}, context=context)
    other = Node('other', context=context)
    sender = other.create_publisher(JointState, '/symcontact/joint_commands', 100)
    with spinning(context, node, other) as executor:
        spin_until(executor, sender.get_subscription_count)
        sender.publish(JointState(name=['shoulder'], effort=[0.0]))
        spin_until(executor, lambda: node.commands.taken == 1)

        def send():
            for _ in range(300):
                sender.publish(JointState(name=['shoulder'], effort=[1.0]))
                time.sleep(1e-3)

        sending = threading.Thread(target=send)
        sending.start()
        spin_until(executor, lambda: node.commands.taken == 301)
        sending.join()


def test_what_is_destroyed_leaves_nothing_and_its_name_can_be_used_again(context, arm):
    other = Node('other', context=context)
    for _ in range(2):
        node = SimulationNode(parameter_overrides={'model': arm}, context=context)
        with spinning(context, node) as executor:
            spin_until(executor, lambda node=node: simulated(node) > 0.0)
        node.destroy_node()  # twice is no error
    assert logging.getLogger('symcontact_ros').handlers == []
    with spinning(context, other) as executor:
        spin_until(executor, lambda: not other.get_publishers_info_by_topic('/joint_states'))


def test_log_handlers_of_the_process_stay_and_hear_the_package(context, arm):
    log, heard = logging.getLogger('symcontact_ros'), []
    own = logging.Handler()
    own.emit = heard.append
    log.addHandler(own)
    try:
        names = 'first', 'second'
        nodes = [
            SimulationNode(name, parameter_overrides={'model': arm}, context=context)
            for name in names
        ]
        assert len(log.handlers) == 2
        assert log.handlers[0] is own
        assert not log.propagate
        log.getChild('anywhere').warning('something')
        assert heard[-1].getMessage() == 'something'
        for node in nodes:
            node.destroy_node()
        assert log.handlers == [own]
        assert log.propagate
    finally:
        log.removeHandler(own)


def test_a_node_that_cannot_be_made_is_taken_away_again(context, arm):
    with pytest.raises(SymcontactError, match='no model of this name'):
        SimulationNode(parameter_overrides={'model': 'nope'}, context=context)
    with pytest.raises(sc.OptionError, match='control_rate 300 Hz is not a whole number'):
        SimulationNode(parameter_overrides={'model': arm, 'control_rate': 300}, context=context)
    assert logging.getLogger('symcontact_ros').handlers == []
    SimulationNode(parameter_overrides={'model': arm}, context=context).destroy_node()


def test_mappings_are_taken_as_parameters_and_starts_beyond_limits_are_told_once(
    write_model, context, capfd
):
    limited = ARM.replace('name: shoulder', 'name: shoulder, limits: {lower: -1, upper: 1}')
    given = {
        'model': str(write_model(limited)),
        'servo': {'kp': 10.0, 'kd': 1.0},
        'initial_positions': {'shoulder': 2.0},
    }
    node = SimulationNode(parameter_overrides=given, context=context)
    try:
        assert node.simulation.servo_gains['shoulder'] == (10.0, 1.0)
        assert node.simulation.q[0] == pytest.approx(1.0)
        assert capfd.readouterr().err.count('beyond the limits') == 1
    finally:
        node.destroy_node()


def test_a_model_is_run_with_what_it_is_made_for_unless_parameters_say_otherwise(
    context, write_model
):
    made = str(write_model(f'{ARM}step_size: 2e-3\nintegrator: verlet\ndetector: co\n'))
    node = SimulationNode('a', context=context, parameter_overrides={'model': made})
    other = {'model': made, 'step_size': 1e-3, 'integrator': 'auto'}
    told = SimulationNode('b', context=context, parameter_overrides=other)
    with spinning(context, node, told):
        run = node.simulation
        assert (run.detector, run.integrator, run.step_size) == ('co', 'verlet', 2e-3)
        names = ('detector', 'integrator', 'step_size')
        assert [node.get_parameter(name).value for name in names] == ['', '', 0.0]
        assert node.settings.steps_per_publish == 5
        assert 'by co, steps of 2 ms by verlet' in node.greeting()
        assert 'steps of 1 ms by auto: rk4' in told.greeting()
        for value, used in (('auto', 'rk4'), ('', 'verlet')):
            changed = Parameter('integrator', Parameter.Type.STRING, value)
            assert node.set_parameters([changed])[0].successful
            assert run.used_integrator == used
            assert node.get_parameter('integrator').value == value
