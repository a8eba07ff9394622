"""``symcontact node``: the ROS 2 node with a live status line and a summary."""

from __future__ import annotations

import argparse
import math
import sys
import time
from typing import TYPE_CHECKING

from symcontact_ros.cli.beside import running_beside, view_command
from symcontact_ros.cli.model_options import load_options, node_parameters
from symcontact_ros.model.library import load_scene, model_file
from symcontact_ros.ros.executable import run as run_node
from symcontact_ros.ros.stop_signals import ignore_signals

if TYPE_CHECKING:
    from symcontact_ros.model.model import Model
    from symcontact_ros.ros.node import SimulationNode
    from symcontact_ros.simulation.observing.instant import Contacts

REFRESH = 0.2  # [s] between two updates of the status line on a terminal
MOST_TOPICS = 8  # in the list
DESCRIPTION = 'robot_description'  # ends the name of a topic
VIEW = argparse.Namespace(node='/symcontact', host='127.0.0.1', port=0, switch=[], open=False)
LOG_PERIOD = 1.0  # [s] between two status lines in a file or a pipe


def run(options: argparse.Namespace) -> int:
    """Run the node; faults of the model are reported before ROS is started."""
    # Meshes, which may take seconds, are read once: by the node.
    scene = load_scene(options.model, **{**load_options(options), 'meshes': 'none'})
    overrides: dict[str, object] = {'model': str(model_file(options.model))}
    overrides |= node_parameters(options)
    if not any('tf_mode' in word for word in options.ros_arguments):
        overrides['tf_mode'] = 'bodies'  # no robot_state_publisher is started for the links
    if options.detector is not None:
        overrides['detector'] = options.detector
    if options.rate is not None:
        overrides['real_time_factor'] = options.rate
    if options.exit_on_divergence:
        overrides['exit_on_divergence'] = True
    status = Status()
    # Whoever opens a page wants to play with it: it goes on until Ctrl-C.
    duration = math.inf if options.view and options.duration is None else options.duration
    if is_scene(scene, options):
        overrides['repeat'] = True
    with running_beside([view_command(VIEW)] if options.view else []):
        code = run_node(['symcontact', *options.ros_arguments], overrides, duration, status)
        ignore_signals()
        status.summary()
    return code


def is_scene(model: Model, options: argparse.Namespace) -> bool:
    """
    Return whether a run with a page begins anew at its end.

    Then there is something to be seen whenever the page is opened. It needs an end in the file of
    the model, and nothing that says otherwise: another end, or a state from which to go on.
    """
    others = ('repeat:=', 'checkpoint_file:=')
    is_told = any(other in word for word in options.ros_arguments for other in others)
    is_open = options.view and options.duration is None
    return is_open and 'duration' in model.contents.data and not is_told


class Status:
    """Status of the node on the terminal: one line, updated in place."""

    def __init__(self) -> None:
        self._live = sys.stdout.isatty()
        self._node: SimulationNode | None = None
        self._began = self._shown = time.monotonic()
        self._bounces = 0
        self._deepest = 0.0
        self._seen: Contacts | None = None  # the last ones counted
        self._touching = False

    def __call__(self, node: SimulationNode) -> None:
        """Update from the node; print at most every REFRESH or LOG_PERIOD seconds."""
        now = time.monotonic()
        if self._node is None:
            self._node = node
            self._introduce(node, now)
        self._observe(node)
        if now - self._shown >= (REFRESH if self._live else LOG_PERIOD):
            self._shown = now
            self._print(node, now)

    def summary(self) -> None:
        """Print totals of the run."""
        node = self._node
        if node is None:
            return
        wall = time.monotonic() - self._began
        if self._live:
            self._print(node, time.monotonic())
            print()
        simulated = 1e-9 * node.scheduler.nanoseconds
        print(
            f'simulated {simulated:.3f} s in {wall:.2f} s ({simulated / wall:.2f} x real time), '
            f'{node.scheduler.steps} steps of {1e3 * node.simulation.step_size:g} ms'
        )
        print(
            f'messages {node.topics.sent}, impacts {self._bounces}, '
            f'deepest overlap {1e3 * self._deepest:.2f} mm, '
            f'overruns {node.scheduler.pacer.overruns}'
        )

    def _introduce(self, node: SimulationNode, now: float) -> None:
        print(
            f'{node.model.name}: node {node.get_fully_qualified_name()}, ready after '
            f'{now - self._began:.2f} s; it publishes'
        )
        # What tools such as RViz ask for comes first.
        names = sorted(node.topics.names, key=lambda name: not name.endswith(DESCRIPTION))
        for topic in names[:MOST_TOPICS]:
            print(f'  {topic}')
        if len(names) > MOST_TOPICS:
            print(f'  ... and {len(names) - MOST_TOPICS} more; full list: docs/ros.md')
        until = (
            f'{node.scheduler.duration:g} s of simulated time'
            if node.scheduler.duration < 1e300
            else 'Ctrl-C'
        )
        print(f'running until {until} (Ctrl-C ends it)', flush=True)
        if node.scheduler.repeats:
            each = f'{node.model.duration:g} s'
            print(f'the scene begins anew every {each}, until a command comes', flush=True)
        self._began = self._shown = now

    def _observe(self, node: SimulationNode) -> None:
        contacts = node.publications.instant.contacts
        if contacts is self._seen:
            return
        self._seen = contacts
        touching = len(contacts.distance) > 0
        self._bounces += touching and not self._touching
        self._touching = touching
        if touching:
            self._deepest = max(self._deepest, -float(contacts.distance.min()))

    def _print(self, node: SimulationNode, now: float) -> None:
        simulated = 1e-9 * node.scheduler.nanoseconds
        factor = simulated / max(now - self._began, 1e-9)
        contacts = len(node.publications.instant.contacts.distance)
        line = (
            f't {simulated:7.2f} s   {factor:5.2f} x real time   '
            f'contacts {contacts}   messages {node.topics.sent}'
        )
        print(f'\r{line:<78}' if self._live else line, end='' if self._live else '\n', flush=True)
