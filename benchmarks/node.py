"""
CPU time, memory and latency of the ROS 2 node: ten bodies, twenty pairs, 100 Hz publishing.

    python benchmarks/node.py [--seconds 20] [--json FILE]

The node runs on the last core, subscribers and publishers on the others. CPU time is that of the
whole process, including the threads of DDS; the real-time factor is that of /clock relative to
the wall clock; memory is the growth of the resident set. The cart-pole publishes /clock, /tf and
joint_states 1,000 times a second. Communication is local to this machine.

The latency of a wrench begins when /clock is published, which follows the step at once; it ends
when the wrench with the same stamp is in another process (as Fast DDS tells), and when it is in
the callback there (Python, rclpy). It is that of the first topic in the order of publishing, and
of the last one; while another process hears all topics, on the same cores, and alone.
"""

import argparse
from collections.abc import Callable
import contextlib
import json
import os
from pathlib import Path
import subprocess
import sys
import tempfile
import time

BODIES, PAIRS = 10, 20
DOMAIN = '87'
LISTENER = """
import sys, time
import rclpy
from rclpy.node import Node
from rosgraph_msgs.msg import Clock
from geometry_msgs.msg import WrenchStamped
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import qos_profile_sensor_data
from tf2_msgs.msg import TFMessage
from sensor_msgs.msg import JointState
from symcontact_ros.ros.stepping.inbox import Polled
seconds, wrenches = float(sys.argv[1]), sys.argv[2]
# What sensors are read with, and what a subscription has that says nothing.
qos = {'best effort': qos_profile_sensor_data, 'reliable': 10}.get(wrenches)
rclpy.init()
node = Node('listener')
stamps = []
heard = [0]
def tell(message):
    now = time.monotonic()
    stamps.append((now, message.clock.sec + 1e-9 * message.clock.nanosec))
def count(message):
    heard[0] += 1
node.create_subscription(Clock, '/clock', tell, 10)
for topic, kind in (('/tf', TFMessage), ('/joint_states', JointState)):
    node.create_subscription(kind, topic, count, 10)
# Wrenches are taken in by DDS, and left there: Python could not keep up with 5000 a second.
for name in sys.argv[3:] if qos else ():
    node.create_subscription(WrenchStamped, name, count, qos, callback_group=Polled())
executor = SingleThreadedExecutor()
executor.add_node(node)
end = time.monotonic() + seconds + 3.0
while time.monotonic() < end:
    executor.spin_once(timeout_sec=0.1)
good = [s for s in stamps if s[0] > end - seconds]
third = len(good) // 3
# Of each end the message that came with the least delay: this process may be late itself.
(w0, t0), (w1, t1) = (
    max(part, key=lambda s: s[1] - s[0]) for part in (good[:third], good[-third:])
)
print((t1 - t0) / (w1 - w0), heard[0])
"""
LATENCY = """
import sys, time
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from geometry_msgs.msg import WrenchStamped
from rosgraph_msgs.msg import Clock
seconds, names = float(sys.argv[1]), sys.argv[2:]
rclpy.init()
node = Node('latency')
made, heard = {}, []
def begin(message, info):
    made[message.clock.sec, message.clock.nanosec] = info['source_timestamp']
def end(message, info):
    stamp = message.header.stamp
    heard.append((info['received_timestamp'], time.time_ns(), (stamp.sec, stamp.nanosec)))
node.create_subscription(Clock, '/clock', begin, 10)
for name in names:
    node.create_subscription(WrenchStamped, name, end, 10)
executor = SingleThreadedExecutor()
executor.add_node(node)
stop = time.monotonic() + seconds
while time.monotonic() < stop:
    executor.spin_once(timeout_sec=0.1)
found = heard[100:]  # in the first second, both sides are still finding each other
for row in (0, 1):
    late = sorted(1e-6 * (at[row] - made[at[2]]) for at in found if at[2] in made)
    print(*(late[int(part * (len(late) - 1))] for part in (0.5, 0.99)))
"""
FLOOD = """
import sys, time
import rclpy
from rclpy.node import Node
from geometry_msgs.msg import WrenchStamped
seconds, rate = float(sys.argv[1]), float(sys.argv[2])
rclpy.init()
node = Node('flood')
sender = node.create_publisher(WrenchStamped, '/symcontact/bodies/b1/wrench_command', 10)
message = WrenchStamped()
message.wrench.force.x = 1e-3
while not sender.get_subscription_count():
    time.sleep(0.01)
began, sent = time.perf_counter(), 0
while (passed := time.perf_counter() - began) < seconds:
    while sent < passed * rate:
        sender.publish(message)
        sent += 1
    time.sleep(2e-4)
print(sent / seconds)
"""


def scene() -> str:
    """Return a floor with nine blocks and balls; some rest on it, some hover."""
    shapes = ('{type: box, half_extents: [0.1, 0.1, 0.1]}', '{type: sphere, radius: 0.1}')
    lines = ['dimension: 3', 'gravity: [0, 0, -9.81]', 'duration: 1000', 'bodies:']
    lines.append('  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 0, 1]}]}')
    names = [f'b{i}' for i in range(1, BODIES)]
    for i, name in enumerate(names):
        place = f'[{0.25 * (i % 3)}, {0.25 * (i // 3)}, 0.0999]'
        lines.append(
            f'  {name}: {{mass: 1.0, shapes: [{shapes[i % 2]}], initial: {{position: {place}}}}}'
        )
    pairs = [('floor', name) for name in names]
    pairs += [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    listed = ', '.join(f'[{a}, {b}]' for a, b in pairs[:PAIRS])
    return '\n'.join([*lines, f'collide: [{listed}]']) + '\n'


@contextlib.contextmanager
def scene_file():
    """Return the path of the scene, while the block runs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, 'scene.yaml')
        path.write_text(scene())
        yield str(path)


def wrench_topics() -> list[str]:
    """Return the wrench topics of the scene."""
    import symcontact_ros as sc

    with scene_file() as path:
        model = sc.load_model(path)
    start = '/symcontact/bodies'
    net = [f'{start}/{body}/contact_wrench' for body in model.body_names]
    by = [f'{start}/{a}/contact_wrench/{b}' for p in model.pairs for a, b in (p, p[::-1])]
    return net + by


def environment() -> dict[str, str]:
    """Return that of processes that talk to each other alone."""
    return {
        **os.environ,
        'ROS_DOMAIN_ID': DOMAIN,
        'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
        'PYTHONPATH': os.pathsep.join(sys.path),
    }


def cpu_time(pid: int) -> float:
    """Return the processor time of a process and its threads so far [s]."""
    fields = Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def memory(pid: int) -> float:
    """Return the resident set [MB]."""
    pages = int(Path(f'/proc/{pid}/statm').read_text().split()[1])
    return pages * os.sysconf('SC_PAGE_SIZE') / 1e6


@contextlib.contextmanager
def node(model: str, *parameters: str):
    """Run the node on the last core; interrupts are usually served by the first one."""
    code = 'import sys; from symcontact_ros.ros.executable import main; sys.exit(main())'
    core = max(os.sched_getaffinity(0))
    process = subprocess.Popen(
        [sys.executable, '-c', code, '--ros-args', '-p', f'model:={model}', *parameters],
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, {core}),
    )
    try:
        while 'degrees of freedom' not in process.stderr.readline():
            assert process.poll() is None, 'the node does not start'
        yield process.pid
    finally:
        process.terminate()
        process.communicate(timeout=10)


@contextlib.contextmanager
def starter():
    """Return a function that starts Python code on the other cores; it ends with the block."""
    cores = os.sched_getaffinity(0)
    others = cores - {max(cores)} or cores
    started = []

    def start(code, *words):
        started.append(
            subprocess.Popen(
                [sys.executable, '-c', code, *map(str, words)],
                env=environment(),
                stdout=subprocess.PIPE,
                text=True,
                preexec_fn=lambda: os.sched_setaffinity(0, others),
            )
        )
        return started[-1]

    try:
        yield start
    finally:
        for process in started:
            if process.poll() is None:
                process.kill()


def measure(
    title: str, seconds: float, listen: str, *parameters: str, rate: float = 0.0, model: str = ''
) -> dict[str, float]:
    """Return CPU time and memory of the node with subscribers, and commands at a rate."""
    with scene_file() as path, node(model or path, *parameters) as pid, starter() as start:
        listener = start(LISTENER, seconds, listen, *wrench_topics())
        flood = start(FLOOD, seconds + 2.0, rate) if rate else None
        time.sleep(3.0)
        before, began, size = cpu_time(pid), time.monotonic(), memory(pid)
        time.sleep(seconds - 1.0)
        cpu = (cpu_time(pid) - before) / (time.monotonic() - began)
        growth = memory(pid) - size
        factor, heard = map(float, listener.communicate(timeout=60)[0].split())
        sent = float(flood.communicate(timeout=60)[0]) if flood else 0.0
    found = {'cpu': cpu, 'real_time_factor': factor, 'memory_growth': growth, 'sent': sent}
    print(
        f'{title:44} {100 * cpu:6.1f} % of a core   {factor:7.4f} x real time   '
        f'{growth:+6.2f} MB{f"   {sent:.0f} commands/s" if sent else ""}',
        flush=True,
    )
    return {**found, 'heard': heard}


def latency(seconds: float, topics: list[str], alone: bool = False) -> dict[str, float]:
    """Return the latency of wrenches on some topics [ms], with subscribers to all, or alone."""
    with scene_file() as path, node(path), starter() as start:
        if not alone:
            start(LISTENER, seconds + 2.0, 'reliable', *wrench_topics())
        time.sleep(2.0)
        words = start(LATENCY, seconds, *topics).communicate(timeout=seconds + 30.0)[0].split()
    names = ('arrival p50', 'arrival p99', 'callback p50', 'callback p99')
    found = dict(zip(names, map(float, words), strict=True))
    how = 'alone' if alone else 'all heard'
    title = f'latency of {topics[0].removeprefix("/symcontact/bodies/")}, {how} [ms]'
    print(f'{title:44}', *(f'{name} {x:5.2f}  ' for name, x in found.items()), flush=True)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--seconds', type=float, default=20.0, help='of each measurement')
    parser.add_argument('--repeats', type=int, default=3, help='of each; the least is taken')
    parser.add_argument('--json', type=Path, help='write all numbers')
    options = parser.parse_args()
    print(f'{BODIES} bodies, {PAIRS} pairs, steps of 1 ms, 100 messages per second and topic')
    topics = wrench_topics()
    ticks = ('-p', 'publish_rate:=1000.0', '-p', 'clock_rate:=1000.0', '-p')
    seconds = options.seconds

    def cart_pole(rate: int) -> dict[str, float]:
        title, given = f'cart-pole, 1 kHz, {rate} ticks a second', f'tick_rate:={rate}.0'
        return measure(title, seconds, 'none', *ticks, given, model='cart_pole')

    def wrenches(qos: str) -> dict[str, float]:
        return measure(f'and {len(topics)} wrench topics, {qos}', seconds, qos)

    cases: dict[str, Callable[[], dict[str, float]]] = {
        'tf': lambda: measure('subscribers to /tf, /clock and joint_states', seconds, 'none'),
        'best effort': lambda: wrenches('best effort'),
        'reliable': lambda: wrenches('reliable'),
        'flood': lambda: measure('a flood of commands', min(10.0, seconds), 'none', rate=1e4),
        'cart_pole 200': lambda: cart_pole(200),
        'cart_pole 1000': lambda: cart_pole(1000),
        'first wrench': lambda: latency(seconds, topics[:1]),
        'last wrench': lambda: latency(seconds, topics[-1:]),
        'first wrench, alone': lambda: latency(seconds, topics[:1], alone=True),
        'last wrench, alone': lambda: latency(seconds, topics[-1:], alone=True),
    }
    results = {}
    for name, case in cases.items():
        runs = [case() for _ in range(options.repeats)]
        results[name] = min(runs, key=lambda run: run.get('cpu', run.get('arrival p99', 0.0)))
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + '\n')
    return 0


if __name__ == '__main__':
    sys.exit(main())
