"""
Main loop of the executable: ticks at their rate, services and parameters in between.

An executor of rclpy needs about half a millisecond per wake-up. With a controller at the default
rates this loop needs 10 % of a core where `rclpy.spin` needs 15 %, at 1 kHz 29 % instead of 51 %.
It spins the executor 25 times a second, and continuously while requests arrive. Without it,
`SimulationNode` has a timer, for the executors of others.
"""

from __future__ import annotations

from collections.abc import Callable
import gc
import time

from rclpy.executors import SingleThreadedExecutor, TimeoutException

from symcontact_ros.ros.node import SimulationNode

SPIN_PERIOD = 0.04  # [s wall]
# Between two checks for a reply in lockstep [s wall]: while it is expected soon, and later.
SHORT_WAIT, LONG_WAIT = 1e-4, 5e-3
SOON = 0.2  # [s wall] after a step


def run_loop(
    node: SimulationNode, stop: Callable[[], bool], watch: Callable[[SimulationNode], None]
) -> None:
    """Tick a node until it has finished or stop() is true; call watch after every tick."""
    executor = SingleThreadedExecutor(context=node.context)
    executor.add_node(node)
    watch(node)
    # What was made so far stays: looking through all of it for garbage takes 20 to 40 ms, in
    # which there would be no tick.
    gc.collect()
    gc.freeze()
    due = spun = active = moved = time.monotonic()
    while not (stop() or node.finished):
        now = time.monotonic()
        if now - spun >= SPIN_PERIOD or now - active < SPIN_PERIOD:
            spun = now
            active = time.monotonic() if _spin_some(executor) else active
        if now >= due:
            steps = node.scheduler.steps
            node.tick()
            watch(node)
            now = time.monotonic()
            moved = now if node.scheduler.steps != steps else moved
            due = max(due + 1.0 / node.settings.ticks_per_second, now)  # late ticks are skipped
            if node.scheduler.waiting:
                due = now + (SHORT_WAIT if now - moved < SOON else LONG_WAIT)
        time.sleep(min(max(0.0, due - time.monotonic()), SPIN_PERIOD))
    gc.unfreeze()
    node.scheduler.pause(True)
    node.commands.following.end_all('the node ends')
    for _ in range(2):  # an action may have ended in it: its clients get the result
        _spin_some(executor)


def _spin_some(executor: SingleThreadedExecutor) -> bool:
    """Execute what is ready, for one period at most; return whether there was anything."""
    end = time.monotonic() + SPIN_PERIOD
    busy = False
    pending: set[int] = set()  # what has been continued and is not done
    while time.monotonic() < end:
        try:
            handler, _, _ = executor.wait_for_ready_callbacks(timeout_sec=0.0)
        except TimeoutException:
            # One request of each service per tick: a client reads its answers at leisure, and one
            # that did not ask for a longer queue loses what is more than 10 answers behind.
            break
        if id(handler) in pending:
            break  # it waits for something else than spins: for ticks, or for a thread
        handler()
        if handler.exception() is not None:
            raise handler.exception()
        if handler.done():
            busy = True
        else:
            pending.add(id(handler))
    return busy
