"""A node in a process of its own, and a person beside it who listens, asks and commands."""

import contextlib
import subprocess
import sys

from helpers.listener import Listener, seconds
from helpers.processes import end, LONG
from rcl_interfaces.msg import Parameter as ParameterMessage
from rcl_interfaces.srv import DescribeParameters, GetParameters, SetParametersAtomically
from rclpy.duration import Duration
from rclpy.parameter import Parameter
from std_srvs.srv import SetBool, Trigger

EXECUTABLE = [
    sys.executable,
    '-c',
    'import sys; from symcontact_ros.ros.executable import main; sys.exit(main())',
]


@contextlib.contextmanager
def running(arguments, environment):
    """Start a process; end it by its id when the block ends."""
    process = subprocess.Popen(
        arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        end(process)


def node_command(model, *assignments, ros=(), **parameters):
    """Return the command that starts the node with parameters; `ros`: other ROS arguments."""
    given = [f'model:={model}', *(f'{name}:={value}' for name, value in parameters.items())]
    options = [part for item in (*given, *assignments) for part in ('-p', item)]
    return [*EXECUTABLE, '--ros-args', *options, *ros]


class Laboratory(Listener):
    """Listens to topics, calls services, sets parameters and publishes commands."""

    def __init__(self, domain, topics, latched=(), name='/symcontact'):
        super().__init__(domain, topics, latched)
        self.name = name
        self.process = None
        self._clients = {}
        self._senders = {}

    def full(self, name):
        """Return the full name of a topic or service of the node; others begin with a slash."""
        return name if name.startswith('/') else f'{self.name}/{name}'

    def ask(self, kind, service, **fields):
        """Call a service of the node; return its answer."""
        service = self.full(service)
        if service not in self._clients:
            self._clients[service] = self.node.create_client(kind, service)
        client = self._clients[service]
        assert self.spin_until(client.service_is_ready), f'no service {service}'
        future = client.call_async(kind.Request(**fields))
        assert self.spin_until(future.done), f'{service} does not answer'
        return future.result()

    def trigger(self, service):
        """Call a Trigger that must succeed; return its message."""
        answer = self.ask(Trigger, service)
        assert answer.success, answer.message
        return answer.message

    def pause(self, paused=True):
        """Pause the simulation, or let it go on; return its time [s]."""
        answer = self.ask(SetBool, 'pause', data=paused)
        assert answer.success, answer.message
        return time_told(answer.message)

    def set(self, **values):
        """Set parameters at once, `__` for dots; return why not, or nothing."""
        parameters = [
            Parameter(name.replace('__', '.'), value=value).to_parameter_msg()
            for name, value in values.items()
        ]
        assert all(isinstance(p, ParameterMessage) for p in parameters)
        answer = self.ask(
            SetParametersAtomically, 'set_parameters_atomically', parameters=parameters
        )
        return '' if answer.result.successful else answer.result.reason

    def get(self, name):
        """Return the value of a parameter."""
        (value,) = self.ask(GetParameters, 'get_parameters', names=[name]).values
        return Parameter.from_parameter_msg(ParameterMessage(name=name, value=value)).value

    def describe(self, name):
        """Return the descriptor of a parameter."""
        return self.ask(DescribeParameters, 'describe_parameters', names=[name]).descriptors[0]

    def send(self, topic, message):
        """Publish; the node has the message before it gets what is asked of it afterwards."""
        topic = self.full(topic)
        known = topic in self._senders
        if not known:
            self._senders[topic] = self.node.create_publisher(type(message), topic, 10)
        sender = self._senders[topic]
        assert self.spin_until(sender.get_subscription_count), f'nobody listens to {topic}'
        sender.publish(message)
        if not known:  # the other side may know a little later; from then on, all goes one way
            assert sender.wait_for_all_acked(Duration(seconds=LONG)), f'nobody got {topic}'

    def collect(self, topic, count=1, timeout=LONG):
        """Forget what has come on a topic, wait for more, and return it."""
        topic = self.full(topic)
        self.messages[topic].clear()
        arrived = self.spin_until(lambda: len(self.messages[topic]) >= count, timeout)
        assert arrived, f'{topic}: {len(self.messages[topic])} messages, {count} wanted'
        return list(self.messages[topic])

    def step(self, topic):
        """Step once while paused; return the message on a topic that belongs to the new time."""
        return self.at(topic, time_told(self.trigger('step')))

    def at(self, topic, now):
        """Return the message on a topic with a stamp, waiting for it."""
        topic = self.full(topic)

        def found():
            return [m for m in self.messages[topic] if abs(time_of(m) - now) < 1e-9]

        assert self.spin_until(found), f'{topic} has nothing stamped {now}'
        return found()[-1]

    def hear(self, *topics):
        """Wait until the node has noticed that somebody listens to its topics."""
        for topic in topics:
            topic = self.full(topic)
            assert self.spin_until(lambda topic=topic: self.messages[topic]), f'nothing: {topic}'


def time_told(answer):
    """Return the simulated time in the answer of a service [s]."""
    return float(answer.split()[-2])


def time_of(message):
    """Return the stamp of any message [s]."""
    if hasattr(message, 'transforms'):
        return seconds(message.transforms[0].header.stamp)
    return seconds(message.clock if hasattr(message, 'clock') else message.header.stamp)


@contextlib.contextmanager
def laboratory(domain, environment, command, topics=None, latched=(), name='/symcontact'):
    """Return a laboratory with a running node."""
    wanted = {
        topic if topic.startswith('/') else f'{name}/{topic}': kind
        for topic, kind in (topics or {}).items()
    }
    lab = Laboratory(domain, wanted, latched, name)
    try:
        with running(command, environment) as process:
            lab.process = process
            yield lab
    finally:
        lab.close()
