"""
The loop of the executable: ticks at their rate, and in between what services and parameters ask.

An executor of rclpy takes about half a millisecond to find out that nothing has happened. A timer
that it would call 200 times a second, with commands it would wake up for, costs a quarter of a
core before anything is simulated; this loop costs a tenth of that. It spins when it has time to:
25 times a second, and all the time while requests keep coming.
"""

from __future__ import annotations

from collections.abc import Callable
import time

from rclpy.executors import SingleThreadedExecutor, TimeoutException

from symcontact_ros.ros.node import SimulationNode

SPIN_PERIOD = 0.04  # [s wall]
# Between two looks for an answer in lockstep [s wall]: as long as it is expected soon, and later.
SHORT_WAIT, LONG_WAIT = 1e-4, 5e-3
SOON = 0.2  # [s wall] after a step


def run_loop(
    node: SimulationNode, stop: Callable[[], bool], watch: Callable[[SimulationNode], None]
) -> None:
    """Let a node work until it has finished, or stop() is true; watch after every tick."""
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    node.stepper.interrupted = stop
    watch(node)
    due = spun = active = moved = time.monotonic()
    while not (stop() or node.finished):
        now = time.monotonic()
        if now - spun >= SPIN_PERIOD or now - active < SPIN_PERIOD:
            spun = now
            active = time.monotonic() if _spin_some(executor) else active
        if now >= due:
            steps = node.stepper.steps
            node.tick()
            watch(node)
            now = time.monotonic()
            moved = now if node.stepper.steps != steps else moved
            due = max(due + 1.0 / node.settings.tick_rate, now)  # ticks that are late are lost
            if node.stepper.waiting:
                due = now + (SHORT_WAIT if now - moved < SOON else LONG_WAIT)
        time.sleep(min(max(0.0, due - time.monotonic()), SPIN_PERIOD))
    node.stepper.pause(True)
    for _ in range(2):  # an action ends with that; then whoever waits for it learns of its end
        _spin_some(executor)


def _spin_some(executor: SingleThreadedExecutor) -> bool:
    """Do what is ready, for one period at most; return whether there was anything."""
    end = time.monotonic() + SPIN_PERIOD
    busy = False
    while time.monotonic() < end:
        try:
            handler, _, _ = executor.wait_for_ready_callbacks(timeout_sec=0.0)
        except TimeoutException:
            break
        handler()
        if handler.exception() is not None:
            raise handler.exception()
        busy = busy or handler.done()  # an action that goes on waits for ticks, not for spins
    return busy
