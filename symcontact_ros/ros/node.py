"""
The simulation as a ROS 2 node: its parts and their connections.

Data flows one way: messages -> `Inbox` -> `Commands` -> `StepScheduler` -> `Simulation` ->
`Observer` -> `Publications`. Parameters and services act between two ticks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
import functools
import math
import os
from pathlib import Path
import time
from typing import Any

from geometry_msgs.msg import WrenchStamped
from rcl_interfaces.msg import ParameterDescriptor, SetParametersResult
from rclpy.clock import Clock, ClockType
from rclpy.duration import Duration
from rclpy.parameter import Parameter
from rclpy.task import Future
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray, Header
from trajectory_msgs.msg import JointTrajectory

from symcontact_ros.errors import counted, one_line, OptionError, shown, SymcontactError
from symcontact_ros.model.joint_stops import moved_starts
from symcontact_ros.model.library import load_scene
from symcontact_ros.model.model import Model
from symcontact_ros.recording.logged_simulation import LoggedSimulation
from symcontact_ros.ros.checked_node import CheckedNode
from symcontact_ros.ros.frame_owners import FrameOwners
from symcontact_ros.ros.live_parameters import (
    declare_symbols,
    given_symbols,
    PREFIX,
    symbol_values,
)
from symcontact_ros.ros.log_handler import log_to, stop_logging
from symcontact_ros.ros.model_options import load_options
from symcontact_ros.ros.neighbours import Neighbours
from symcontact_ros.ros.node_recorder import NodeRecorder
from symcontact_ros.ros.node_services import Services
from symcontact_ros.ros.parameters import (
    declare,
    parameter_name,
    SimulationParameters,
    unknown_parameters,
)
from symcontact_ros.ros.publishing.diagnostics import Diagnostics
from symcontact_ros.ros.publishing.publications import Publications
from symcontact_ros.ros.publishing.topics import Topics
from symcontact_ros.ros.standard.standard_services import StandardServices
from symcontact_ros.ros.stepping.commands import Commands
from symcontact_ros.ros.stepping.inbox import Inbox
from symcontact_ros.ros.stepping.step_scheduler import check_times, StepScheduler
from symcontact_ros.ros.tf_frames import Frames
from symcontact_ros.ros.trajectories.motion_actions import MotionActions
from symcontact_ros.simulation.integrator_choice import integrator_words
from symcontact_ros.simulation.observing.observer import Observer
from symcontact_ros.simulation.saving.atomic_file import check_place, remove_abandoned
from symcontact_ros.simulation.saving.claims import Claim
from symcontact_ros.simulation.simulation import Simulation

NODE_NAME = 'symcontact'
UNSTAMPED = ('~/joint_efforts', '~/joint_trajectory')  # whose stamps, if any, are other times
LISTENERS_PERIOD = 0.1  # [s wall] between two counts of subscribers


class SimulationNode(CheckedNode):
    """
    Node that steps a model in simulated time and publishes its state.

    Any executor can spin it, alone or with other nodes: a wall timer of its own calls `tick`. The
    executable has a loop instead, `main_loop.run_loop`, which needs less processor time, the
    less the faster the ticks (measured in docs/ros.md).

    ::

        rclpy.init()
        node = SimulationNode(parameter_overrides={'model': 'bouncing_circle'})
        rclpy.spin(node)

    Parameters
    ----------
    node_name
        Name of the node.
    parameter_overrides
        Values that override those of ``--ros-args``: by name, or as `rclpy.node.Node` takes them.
    duration
        Simulated time at which to stop [s]; None: the model's own; inf: never.
    interrupted
        Returns whether to make no more steps.
    timer
        Whether the timer calls `tick`; False: the caller does.
    options
        Other arguments of `rclpy.node.Node`: ``namespace``, ``context``, ``cli_args``, ...

    Attributes
    ----------
    done
        Future that is done once the duration is over, or quitting was requested.

    """

    def __init__(
        self,
        node_name: str = NODE_NAME,
        *,
        parameter_overrides: Mapping[str, Any] | Iterable[Parameter] = (),
        duration: float | None = math.inf,
        interrupted: Callable[[], bool] = lambda: False,
        timer: bool = True,
        **options: Any,
    ) -> None:
        super().__init__(node_name, parameter_overrides, **options)
        self.done = Future()
        self._is_closed = False
        self._claims: list[Claim] = []
        self._log_handler = log_to(self.get_logger())
        try:
            self._assemble(duration, interrupted, timer)
        except BaseException:  # a model with faults, for example
            self._release()
            stop_logging(self._log_handler)
            super().destroy_node()
            raise

    # Set-up -------------------------------------------------------------------------------------

    def _assemble(
        self, duration: float | None, interrupted: Callable[[], bool], timer: bool
    ) -> None:
        given = declare(self)
        model = self.model = self._load(given)
        settings = self.settings = given.for_model(model)
        self._claim(settings)
        frames = self._frames(model)
        self.simulation = (LoggedSimulation if settings.record_file else Simulation)(
            model,
            step_size=settings.step_size,
            progress=self._tell,
            seed=settings.seed,
            **options_of(settings),
        )
        self._resume()
        self._first = model  # whose robots are those of robot_state_publisher
        self._declare_contents()
        self.observer = self.simulation.observer()
        self.recorder = self._new_recorder()
        self.topics = Topics(self, self.recorder)
        self.commands = Commands(self.simulation, self.observer, frames, settings.command_timeout)
        self.commands.adopt(self.simulation.steps)
        self.commands.tolerances = settings.tolerances
        self.publications = Publications(
            self.topics, self.simulation, self.observer, frames, settings
        )
        duration = model.duration if duration is None else duration
        check_times(duration, self.simulation.time)
        self.scheduler = StepScheduler(
            self.simulation,
            self.commands,
            settings,
            self.publications,
            duration,
            take_commands=self._take_commands,
            interrupted=interrupted,
        )
        self.inbox = self._subscribe(self._tick_on_time if timer else None)
        self.services_offered = Services(self, self.scheduler, self.observer)
        self.standard = StandardServices(self, self.scheduler, self.observer, frames.world, self)
        self.actions = MotionActions(self, self.scheduler, self.commands, settings)
        self.diagnostics = Diagnostics(
            self,
            self.topics,
            self.scheduler,
            self.commands,
            Neighbours(
                self,
                settings.publish_clock,
                self._frame_owners(),
                lambda: self.publications.pairs.unanswered(),
            ),
        )
        self.add_on_set_parameters_callback(self._set_parameters)
        self._counted = -math.inf  # of the last count of subscribers [s wall]
        self._has_reported = False  # of a failure
        self._greet()
        self.scheduler.show()
        self._timer = self._start_timer() if timer else None

    def _load(self, given: SimulationParameters) -> Model:
        """Return the model that parameters name, with the live symbols that they give."""
        if given.cache_dir:
            os.environ['SYMCONTACT_CACHE_DIR'] = given.cache_dir
        symbols = given_symbols(self)
        return load_scene(
            given.model, parameters=symbols, progress=self._tell, **load_options(given)
        )

    def _tell(self, text: str) -> None:
        """Log what takes a while."""
        self.get_logger().info(f'{one_line(text)} ...')

    def _start_timer(self) -> Any:
        """Return the timer of the ticks, on the wall clock: simulated time is made by them."""
        period = 1.0 / self.settings.ticks_per_second
        clock = Clock(clock_type=ClockType.STEADY_TIME)
        return self.create_timer(period, self._tick_on_time, clock=clock)

    def _claim(self, settings: SimulationParameters) -> None:
        """Claim the files that are written; OptionError if another run writes them."""
        owner = f'node {self.get_fully_qualified_name()}'
        for name in ('checkpoint_file', 'record_file'):
            if file := getattr(settings, name):
                self._claims.append(Claim(Path(file), name, owner))

    def _release(self) -> None:
        """Let others write these files."""
        while self._claims:
            self._claims.pop().release()

    def _resume(self) -> None:
        """Resume from the checkpoint, if there is one."""
        if not self.settings.checkpoint_file:
            return
        path = Path(self.settings.checkpoint_file)
        check_place(path, 'checkpoint_file')
        remove_abandoned(path)
        if path.exists():
            try:
                self.simulation.restore_checkpoint(path)
            except OSError as error:
                raise OptionError(f'checkpoint_file {path}: {error.strerror}') from error
            words = f'resumed at {self.simulation.time:g} s from {path}'
            self.get_logger().info(one_line(words))

    def _new_recorder(self) -> NodeRecorder | None:
        """Begin to record, if there is a file for it."""
        if not isinstance(self.simulation, LoggedSimulation):
            return None
        name = self.get_fully_qualified_name()
        return NodeRecorder(self.settings.record_file, self.simulation, name)

    def _frame_owners(self) -> FrameOwners:
        """Return who watches over the frames of this node, whichever model it has."""
        return FrameOwners(
            self,
            lambda: self.publications.parents,
            lambda frames: self.publications.leave(frames),
        )

    def _frames(self, model: Model) -> Frames:
        settings = self.settings
        return Frames(model, settings.world_frame, settings.frame_prefix, settings.wrench_axes)

    def _declare_contents(self) -> None:
        """Declare live symbols, and names of the model as read-only parameters."""
        self._is_declaring = True
        names = ('body_names', 'joint_names', 'pair_names')
        symbols = {PREFIX + name for name in self.model.symbols}
        declared = [name for name in self._parameters if name.startswith(PREFIX)]
        gone = [name for name in declared if name not in symbols]
        self.undeclare([*gone, *filter(self.has_parameter, names)])
        declare_symbols(self, self.model, self.simulation.parameters)
        pairs = [f'{a}/{b}' for a, b in self.simulation.pairs]
        for name, values, words in (
            (
                'body_names',
                list(self.model.body_names),
                'Bodies, by their numbers in clouds.',
            ),
            ('joint_names', list(self.model.joint_names), 'Joints, in the order of efforts.'),
            ('pair_names', pairs, 'Pairs of bodies that may touch.'),
        ):
            descriptor = ParameterDescriptor(description=words, read_only=True)
            value = Parameter(name, Parameter.Type.STRING_ARRAY, values).value
            self.declare_parameter(name, value or [''], descriptor, ignore_override=True)
        self._is_declaring = False

    def _subscribe(self, wake: Callable[[], None] | None) -> Inbox:
        try:
            lockstep_topic = self.resolve_topic_name(self.settings.lockstep_topic)
        except RuntimeError as error:  # of rcl
            wrong = self.settings.lockstep_topic
            raise OptionError(f'lockstep_topic {shown(wrong)} is not a name of a topic') from error
        inbox = Inbox(self, self.commands, self.scheduler.lockstep, lockstep_topic, wake)
        if self.recorder is not None:
            self.recorder.use_clock(lambda: self.scheduler.nanoseconds)
            self.publications.mark = self.recorder.mark
            inbox.record = self.recorder.write_command
        self._take_wrenches(inbox, _pushable(self.model))
        inbox.add(JointState, '~/joint_commands', self.commands.take_joints)
        inbox.add(Float64MultiArray, '~/joint_efforts', self.commands.take_efforts)
        inbox.add(
            JointTrajectory, '~/joint_trajectory', self.commands.take_trajectory, is_stamped=False
        )
        if self.scheduler.lockstep is not None:
            if lockstep_topic in map(self.resolve_topic_name, UNSTAMPED):
                raise OptionError(
                    f'lockstep_topic {lockstep_topic} has no stamps of the time of sending: use '
                    '~/joint_commands, a wrench_command, or another topic of std_msgs/Header'
                )
            if lockstep_topic not in inbox.topics:
                inbox.add(Header, self.settings.lockstep_topic, lambda message, steps: None)
        return inbox

    def _take_wrenches(self, inbox: Inbox, bodies: Iterable[str]) -> None:
        for body in bodies:
            take = functools.partial(self.commands.take_wrench, body)
            inbox.add(WrenchStamped, _wrench_topic(body), take)

    def _greet(self) -> None:
        later = self.publications.pairs.is_override
        names = [name for name in self._parameter_overrides if not later(name)]
        for line in unknown_parameters(self, names):
            self.get_logger().warning(line)
        told = moved_starts(self.model)  # by the simulation
        for warning in self.model.warnings:
            if warning not in told:
                self.get_logger().warning(one_line(warning))
        for note in self.model.notes[len(self.model.warnings) :]:
            self.get_logger().info(one_line(note))
        for given, ours in self.model.contents.names.items():
            self.get_logger().info(f'{shown(given)} of the URDF is {ours!r} here')
        pairs = len(self.simulation.pairs)
        if left_out := pairs - len(self.publications.pairs.rows):
            self.get_logger().info(
                f'{left_out} of {pairs} pairs have topics while somebody subscribes to them: the '
                'others are advertised (max_pair_topics, pair_topics)'
            )

    # Ticks --------------------------------------------------------------------------------------

    def _tick_on_time(self) -> None:
        """Tick, until the run is over; called by the executor."""
        if not self.finished:
            self.tick()
        if self.finished and not self.done.done():
            self.scheduler.pause(True)
            self.scheduler.save()
            if self._timer is not None:
                self._timer.cancel()
            self.done.set_result(None)

    def tick(self) -> None:
        """Read commands, step, publish; called at ``tick_rate``, and more often in lockstep."""
        with self.scheduler.lock:
            self._tick(self.scheduler)

    def _tick(self, scheduler: StepScheduler) -> None:
        now = time.monotonic()
        if now - self._counted >= LISTENERS_PERIOD:
            self._counted = now
            self.publications.look()
            still = scheduler.paused or scheduler.waiting
            if self.topics.count_listeners() and still:
                scheduler.show()  # for subscribers that join while it is paused
            self.inbox.adapt()
            for equations in self.publications.equations:
                equations.update()
            self.publications.view.update(scheduler)
            self.diagnostics.report()
        self._take_commands()
        allowance = self.topics.allowance
        allowance.active = scheduler.follows_clock
        scheduler.tick()
        allowance.active = False
        self.diagnostics.observe(self.publications.instant)
        if scheduler.failure is not None and not self._has_reported:
            failure = one_line(scheduler.failure)
            ends = self.settings.exit_on_divergence
            way = 'the node ends' if ends else 'call ~/reset or ~/rewind to continue'
            self.get_logger().error(f'paused: {failure}; {way}')
            if self.recorder is not None:
                self.recorder.write_divergence(scheduler.failure)
        if self.recorder is not None:
            self.recorder.flush_if_due()
        self._has_reported = scheduler.failure is not None

    def _take_commands(self) -> None:
        self.inbox.read(self.scheduler.nanoseconds, self.scheduler.steps)
        if self.scheduler.is_disturbed:
            self.get_logger().info('a command came: the run does not begin anew (repeat: false)')
            self.set_parameters([Parameter('repeat', value=False)])

    def greeting(self) -> str:
        """Return model and settings in one line."""
        settings, simulation = self.settings, self.simulation
        made = integrator_words(simulation.integrator, simulation.used_integrator)
        pace = f'{settings.real_time_factor:g} x real time'
        return (
            f'{self.model.name}: {self.model.speed_count} degrees of freedom, '
            f'{counted(len(simulation.pairs), "pair")} by {settings.detector}, '
            f'steps of {1e3 * settings.step_size:g} ms by {made}, '
            f'{settings.messages_per_second:g} messages per simulated second, '
            f'{pace if settings.real_time_factor else "as fast as possible"}'
            f'{", in lockstep" if settings.lockstep else ""}'
        )

    @property
    def finished(self) -> bool:
        """Whether the duration is over, or cannot be reached."""
        return self.scheduler.finished or self.standard.quitting

    def close(self, timeout: float = 0.3) -> None:
        """Save the state, and wait until reliable subscribers have received all messages."""
        if self._is_closed:
            return
        self._is_closed = True
        self.standard.end_preparation()
        self.scheduler.save()
        if self.recorder is not None:
            self.recorder.close()
        self._release()
        for equations in self.publications.equations:
            equations.close()
        stop_logging(self._log_handler)
        if not self.context.ok():  # shut down: nothing can be received any more
            return
        end = time.monotonic() + timeout
        for publisher in self.publishers:
            left = max(0.0, end - time.monotonic())
            publisher.wait_for_all_acked(Duration(nanoseconds=int(1e9 * left)))

    def destroy_node(self) -> None:
        """Close the node, and free all that it has; the name can then be used again."""
        with self.scheduler.lock:
            self.close()
            self.standard.close()
            self.actions.close()
            super().destroy_node()

    # Other bodies -------------------------------------------------------------------------------

    def take_model(self, prepared: Simulation, observer: Observer) -> None:
        """
        Go on with another model, between two ticks; OptionError changes nothing.

        What both models have goes on: states, commands, publishers, parameters. The rest of the
        old one ends, and that of the new one begins.
        """
        with self.scheduler.lock:
            frames = self._frames(prepared.model)
            self._take_commands()  # what was sent before is for the model of then
            self.simulation.exchange(prepared)
            self._follow(observer, frames)
            self.scheduler.take_part()
            self.scheduler.show()

    def begin_world(self, prepared: Simulation, observer: Observer) -> None:
        """Begin with another model, at time 0, paused; OptionError changes nothing."""
        with self.scheduler.lock:
            frames = self._frames(prepared.model)
            self.simulation.exchange(prepared, keep=False)
            self._first = prepared.model
            symbols = [name for name in self._parameters if name.startswith(PREFIX)]
            self.undeclare(symbols)  # those of the same name are others
            self._follow(observer, frames)
            self.scheduler.reset(time_too=True)
            self.standard.stop()

    def _follow(self, observer: Observer, frames: Frames) -> None:
        before, model = self.model, self.simulation.model
        self.model, self.observer = model, observer
        self.commands.follow(observer, frames)
        self._declare_contents()
        self.topics.renew(but=self.diagnostics.topic)
        publications = Publications(
            self.topics, self.simulation, observer, frames, self.settings, first=self._first
        )
        self.topics.end_others()
        publications.replace(self.publications)
        self.publications = publications
        if left := self.diagnostics.neighbours.owners.left:
            publications.leave(left)
        self.scheduler.follow(publications)
        old, new = _pushable(before), _pushable(model)
        self.inbox.end([_wrench_topic(body) for body in old if body not in new])
        self._take_wrenches(self.inbox, [body for body in new if body not in old])
        self.services_offered.follow(observer)
        self.standard.follow(observer)

    # Parameters ---------------------------------------------------------------------------------

    def _set_parameters(self, parameters: list[Parameter]) -> SetParametersResult:
        """Set parameters and live symbols, all or none, with a reason if none."""
        if self._is_declaring:
            return SetParametersResult(successful=True)
        values = {parameter.name: parameter.value for parameter in parameters}
        symbols = {name: v for name, v in values.items() if name.startswith(PREFIX)}
        names = {parameter_name(entry) for entry in fields(SimulationParameters)}
        own = {name: value for name, value in values.items() if name in names}
        try:
            with self.scheduler.lock:
                settings = self.settings.changed(own).for_model(self.model)
                numbers = symbol_values(symbols)
                self.simulation.configure(numbers, **options_of(settings))
                self._use(settings)
        except SymcontactError as error:
            return SetParametersResult(successful=False, reason=str(error))
        return SetParametersResult(successful=True)

    def _use(self, settings: SimulationParameters) -> None:
        self.settings = settings
        self.publications.configure(settings)
        self.commands.timeout = settings.command_timeout
        self.commands.tolerances = settings.tolerances
        self.scheduler.configure(settings)
        if self._timer is not None:
            self._timer.timer_period_ns = round(1e9 / settings.ticks_per_second)
        self.publications.show_static(self.scheduler.nanoseconds)
        if self.scheduler.paused:
            self.scheduler.show()  # the change is published at once


def _pushable(model: Model) -> list[str]:
    """Return the bodies that take wrenches: those that can move."""
    return [body for body in model.body_names if body not in model.grounded]


def _wrench_topic(body: str) -> str:
    return f'~/bodies/{body}/wrench_command'


def options_of(settings: SimulationParameters) -> dict[str, Any]:
    """Return the options of a simulation that can change while it runs."""
    return {
        'detector': settings.detector,
        'co': {
            'program': settings.co_program,
            'solver': settings.co_solver,
            'core_radius': settings.co_core_radius,
            'margin': settings.co_margin,
        },
        'integrator': settings.integrator,
        'max_substeps': settings.max_substeps,
        'manifold': settings.manifold,
        'proximity_range': settings.proximity_range,
        'max_residual': settings.max_residual,
        'max_depth_ratio': settings.max_depth_ratio,
        'max_exceeded_steps': settings.max_exceeded_steps,
    }
