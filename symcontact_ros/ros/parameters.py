"""
Parameters of the node.

The same defaults stand in ``config/simulation.yaml`` and ``docs/ros.md``; tests keep them equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, Field, field, fields, replace
import difflib
import math
from typing import Any

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor
from rclpy.exceptions import InvalidParameterValueException
from rclpy.node import Node
from rclpy.parameter import Parameter

from symcontact_ros.collision.convex_programs.options import PROGRAMS, SOLVERS
from symcontact_ros.collision.detection import DETECTORS
from symcontact_ros.errors import LONGEST, MOST_NAMES, not_one_of, OptionError, shown, shown_value
from symcontact_ros.model.model import Model
from symcontact_ros.model.run_settings import INTEGRATORS
from symcontact_ros.model.self_collision import MODES, SAFE
from symcontact_ros.model.urdf.mesh_modes import HULL, MESHES
from symcontact_ros.ros.tf_frames import AXES
from symcontact_ros.ros.trajectories.tolerances import DefaultTolerances
from symcontact_ros.simulation.options import MANIFOLDS

GRIPPERS = ('auto', 'ParallelGripperCommand', 'GripperCommand')
TF_MODES = ('auto', 'bodies', 'tree', 'base', 'none')
RATES = ('control_rate', 'publish_rate', 'clock_rate')  # whose periods are whole numbers of steps
SLOWEST_TICKS, FASTEST_TICKS = 20.0, 1e4  # [1/s wall] that `control_rate` sets
SHORTEST_STEP, LONGEST_STEP = 1e-6, 0.1  # [s]
KINDS = {str: 'text', bool: 'true or false', int: 'a whole number', float: 'a number'}


def parameter(
    default: Any,
    description: str,
    low: float = 0.0,
    high: float = 0.0,
    *,
    live: bool = False,
    choices: tuple[str, ...] = (),
    optional: bool = False,
    name: str = '',
    numbers: bool = False,
) -> Any:
    """Return a field with the contents of its ROS descriptor; low < high makes a range."""
    metadata = {
        'description': description,
        'range': (low, high),
        'live': live,
        'choices': choices,
        'optional': optional,  # an empty text is none of the choices, and allowed
        'name': name,
        'numbers': numbers,  # a list of numbers stands for their text
    }
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class SimulationParameters:
    """The node's parameters; checked here, without ROS. Rates count in simulated time."""

    model: str = parameter(
        'bouncing_circle', 'Name of a shipped model or world, or path of a model file.'
    )
    base: str = parameter(
        'fixed', 'Joint of the root link of a URDF to the world.', choices=('fixed', 'free')
    )
    world: str = parameter(
        '',
        'World around the model: floor, table_top, ramp, shelf, hills or a model file; '
        'empty: none.',
    )
    pose: str = parameter(
        '',
        'Place of the model: x, y, z, roll, pitch, yaw [m, rad], as numbers or as a text; empty: '
        'on the world.',
        numbers=True,
    )
    servo: str = parameter(
        '', 'Servos that hold joints at their start: auto, or gains or globs of joints in YAML.'
    )
    initial_positions: tuple[str, ...] = parameter(
        ('',), 'Positions of joints at the start [rad or m]: `joint:=q`, globs allowed.'
    )
    self_collision: str = parameter(
        SAFE, 'Bodies of a robot that may touch each other.', choices=MODES
    )
    meshes: str = parameter(HULL, 'What collision meshes of a robot become.', choices=MESHES)
    exclude: tuple[str, ...] = parameter(
        ('',), 'Pairs of bodies that never touch: globs of `a/b`.'
    )
    xacro_arguments: tuple[str, ...] = parameter(
        ('',), 'Arguments of a xacro file: `name:=value`.'
    )
    include_paths: tuple[str, ...] = parameter(
        ('',), 'Folders in which the model may include files, beside its own.'
    )
    allow_xacro: bool = parameter(
        False, 'Whether the model may include xacro files, which are programs.'
    )
    spawn_base: str = parameter(
        'free',
        'Joint of the root link of a URDF that is spawned to the world.',
        live=True,
        choices=('fixed', 'free'),
    )
    spawn_servo: str = parameter(
        '', 'Servos of a URDF that is spawned, as servo has them for the model.', live=True
    )
    detector: str = parameter(
        '',
        'Collision detection: sat (exact) or co (convex optimisation); empty: that of the model, '
        'else sat.',
        live=True,
        choices=DETECTORS,
        optional=True,
    )
    co_program: str = parameter(
        'auto', 'Convex program of detector co.', live=True, choices=PROGRAMS, name='co.program'
    )
    co_solver: str = parameter(
        'builtin', 'Solver of that program.', live=True, choices=SOLVERS, name='co.solver'
    )
    co_core_radius: float = parameter(
        0.0,
        'Radius of the core of round shapes in min_distance [m].',
        0.0,
        1e6,
        live=True,
        name='co.core_radius',
    )
    co_margin: float = parameter(
        0.0,
        'Distance by which min_distance moves the sides of flat shapes inwards [m].',
        0.0,
        1e6,
        live=True,
        name='co.margin',
    )
    integrator: str = parameter(
        '',
        'Integrator; empty: that of the model, else auto.',
        live=True,
        choices=INTEGRATORS,
        optional=True,
    )
    manifold: str = parameter(
        'shared',
        'Distribution of the stiffness over contact points.',
        live=True,
        choices=MANIFOLDS,
    )
    step_size: float = parameter(
        0.0,
        'Fixed integration step [s], at least 1e-06; 0: that of the model, else 0.001.',
        0.0,
        LONGEST_STEP,
    )
    max_substeps: int = parameter(
        64, 'Largest number of substeps of a stiff step; 1: no substeps.', 1, 10_000, live=True
    )
    max_residual: float = parameter(
        0.01,
        'Part of the energy throughput by which the balance may be open (rk4); 0: any.',
        0.0,
        1e6,
        live=True,
    )
    max_depth_ratio: float = parameter(
        1.0, 'Depth of a contact over how thick the thinner body is; 0: any.', 0.0, 1e6, live=True
    )
    max_exceeded_steps: int = parameter(
        1000,
        'Steps in a row that may need more substeps than are stable; 0: any.',
        0,
        10**9,
        live=True,
    )
    exit_on_divergence: bool = parameter(
        False,
        'Whether the node ends, with exit code 1, when the simulation diverges; otherwise it '
        'stays, paused.',
        live=True,
    )
    real_time_factor: float = parameter(
        1.0, 'Simulated seconds per second; 0: as fast as possible.', 0.0, 100.0, live=True
    )
    control_rate: float = parameter(
        0.0,
        'Rate of a control loop [1/s simulated]: ticks, messages and reading of commands, '
        'instead of tick_rate and publish_rate; 0: these count.',
        0.0,
        1e4,
        live=True,
    )
    tick_rate: float = parameter(
        200.0, 'Rate at which the node steps and reads commands [1/s wall].', 1.0, 1e4, live=True
    )
    publish_rate: float = parameter(
        100.0, 'Messages per simulated second [1/s].', 0.1, 1e4, live=True
    )
    marker_rate: float = parameter(
        30.0, 'Markers per simulated second at most [1/s].', 0.1, 1e4, live=True
    )
    clock_rate: float = parameter(
        100.0, '/clock messages per simulated second [1/s].', 0.1, 1e4, live=True
    )
    publish_clock: bool = parameter(
        True, 'Whether this node publishes /clock: only one node in a domain may.'
    )
    tf_mode: str = parameter(
        'auto',
        'Frames on /tf: bodies (in the world), tree (in the parents of their joints), base (the '
        'rest by robot_state_publisher) or none; auto: base for URDF models, else bodies.',
        choices=TF_MODES,
    )
    world_frame: str = parameter('world', 'Name of the inertial frame.')
    frame_prefix: str = parameter('', 'Prefix of all frames except world_frame, e.g. `left/`.')
    wrench_axes: str = parameter('world', 'Axes of the frames <body>/com.', choices=AXES)
    proximity_range: float = parameter(
        0.5, 'Pairs whose bounding boxes are nearer are on ~/proximities [m].', 0.0, 1e6, live=True
    )
    max_pair_topics: int = parameter(
        64,
        'Most pairs whose wrench topics are advertised before anybody subscribes to them: those '
        'within one robot last.',
        0,
        10_000,
        live=True,
    )
    pair_topics: tuple[str, ...] = parameter(
        ('',), 'Pairs that are advertised, too: globs of `a/b`, a < b.', live=True
    )
    command_timeout: float = parameter(
        0.5, 'Time for which a command acts [s simulated]; 0: until replaced.', 0.0, 1e6, live=True
    )
    trajectory_path_tolerance: float = parameter(
        0.0,
        'Largest error of a joint on the way of a trajectory [rad or m]; 0: any.',
        0.0,
        1e6,
        live=True,
        name='trajectory.path_tolerance',
    )
    trajectory_goal_tolerance: float = parameter(
        0.0,
        'Largest error of a joint at the end of a trajectory [rad or m]; 0: any.',
        0.0,
        1e6,
        live=True,
        name='trajectory.goal_tolerance',
    )
    trajectory_stopped_velocity: float = parameter(
        0.01,
        'Largest velocity of a joint at the end of a trajectory [rad/s or m/s]; 0: any.',
        0.0,
        1e6,
        live=True,
        name='trajectory.stopped_velocity',
    )
    trajectory_goal_time: float = parameter(
        0.0,
        'Time after the last point in which its tolerances must be met [s simulated]; 0: any.',
        0.0,
        1e6,
        live=True,
        name='trajectory.goal_time',
    )
    trajectory_action: str = parameter(
        '~/follow_joint_trajectory',
        'Name of the action that follows trajectories.',
        name='trajectory.action',
    )
    gripper_action: str = parameter(
        '~/gripper_cmd', 'Name of the action that moves a gripper.', name='gripper.action'
    )
    gripper_type: str = parameter(
        'auto',
        'Its type in control_msgs; auto: ParallelGripperCommand, where that is installed.',
        choices=GRIPPERS,
        name='gripper.type',
    )
    gripper_joints: tuple[str, ...] = parameter(
        ('',), 'Joints of a gripper, for commands that name none: globs.', name='gripper.joints'
    )
    start_paused: bool = parameter(
        False, 'Whether to start paused, until ~/pause false or ~/step.'
    )
    step_count: int = parameter(
        1, 'Steps per call of ~/step, and per reply in lockstep.', 1, 10**9, live=True
    )
    lockstep: bool = parameter(False, 'Whether every instant waits for a command stamped with it.')
    lockstep_topic: str = parameter(
        '~/joint_commands',
        'Topic of that command: a command topic of this node with a header, or any topic of '
        'std_msgs/Header.',
    )
    lockstep_timeout: float = parameter(
        5.0, 'Time after which the instant is published again [s wall].', 0.01, 1e6, live=True
    )
    reset_time: bool = parameter(
        False, 'Whether ~/reset also sets time to 0; otherwise time continues.', live=True
    )
    repeat: bool = parameter(
        False,
        'Whether the run begins anew at the duration of the model, while time continues; the '
        'first command sets it to false.',
        live=True,
    )
    rewind_time: float = parameter(
        2.0, 'Time by which ~/rewind goes back [s simulated].', 0.0, 1e6, live=True
    )
    rewind_buffer: float = parameter(
        60.0,
        'Time for which states are kept for it, in 64 MB at most [s simulated]; 0: none.',
        0.0,
        1e6,
        live=True,
    )
    seed: int = parameter(0, 'Seed of the sensor noise.', 0, 2**62)
    cache_dir: str = parameter(
        '', "Folder of derived and compiled equations; empty: in the user's cache folder."
    )
    checkpoint_file: str = parameter(
        '', 'File of the saved state; if it exists at the start, it is resumed from; empty: none.'
    )
    checkpoint_period: float = parameter(
        10.0,
        'Interval between checkpoints [s simulated]; one is always written at the end.',
        1e-3,
        1e9,
        live=True,
    )
    record_file: str = parameter(
        '', 'File of the recording (.mcap) of all messages, commands and inputs; empty: none.'
    )

    def __post_init__(self) -> None:
        faults = [fault for entry in fields(self) if (fault := self._fault(entry))]
        faults = faults or self._combined_faults()
        if faults:
            raise OptionError('\n'.join(faults))

    def _fault(self, entry: Field[Any]) -> str:
        """Return the fault of one value by itself."""
        name, value = parameter_name(entry), getattr(self, entry.name)
        low, high = entry.metadata['range']
        choices = entry.metadata['choices']
        if isinstance(entry.default, tuple):
            texts = isinstance(value, tuple | list) and all(isinstance(t, str) for t in value)
            return '' if texts else f'{name} must be a list of texts, got {shown_value(value)}'
        kind = type(entry.default)
        allowed = (float, int) if kind is float else (kind,)
        if not isinstance(value, allowed) or (isinstance(value, bool) and kind is not bool):
            return f'{name} must be {KINDS[kind]}, got {shown_value(value)}'
        if low < high and not low <= value <= high:
            return f'{name} must be {low:g} to {high:g}, got {value:g}'
        if choices and value not in choices and (value or not entry.metadata['optional']):
            return not_one_of(name, choices, value)
        return ''

    def _combined_faults(self) -> list[str]:
        faults = [
            f'{name} must not start with / (rule of tf2), got {shown(getattr(self, name))}'
            for name in ('world_frame', 'frame_prefix')
            if getattr(self, name).startswith('/')
        ]
        if not self.world_frame:
            faults.append('world_frame must not be empty')
        if 0.0 < self.step_size < SHORTEST_STEP:
            faults.append(
                f'step_size must be {SHORTEST_STEP:g} to {LONGEST_STEP:g}, or 0: that of the '
                f'model, got {self.step_size:g}'
            )
        return faults + (self._rate_faults() if self.step_size else [])

    def _rate_faults(self) -> list[str]:
        """Return the rates whose periods are no whole numbers of steps."""
        faults = []
        for name in RATES:
            rate = getattr(self, name)
            if not rate or (name == 'publish_rate' and self.control_rate):
                continue  # not used
            ratio = 1.0 / (rate * self.step_size)
            if ratio < 0.5 or not math.isclose(ratio, round(ratio), rel_tol=1e-6):
                near = 1.0 / (max(1, round(ratio)) * self.step_size)
                faults.append(
                    f'{name} {rate:g} Hz is not a whole number of steps of {self.step_size:g} s; '
                    f'the nearest that is: {near:.9g} Hz'
                )
        return faults

    def changed(self, values: Mapping[str, Any]) -> SimulationParameters:
        """Return these parameters with other values, by ROS name; OptionError for wrong ones."""
        names = {parameter_name(entry): entry.name for entry in fields(self)}
        return replace(self, **{names[name]: value for name, value in values.items()})

    def for_model(self, model: Model) -> SimulationParameters:
        """Return these parameters with the model's own settings where none are given."""
        given = self.detector or None, self.integrator or None, self.step_size or None
        return replace(self, **asdict(model.run_settings(*given)))

    @property
    def tolerances(self) -> DefaultTolerances:
        """Tolerances of trajectories that have none of their own."""
        return DefaultTolerances(
            self.trajectory_path_tolerance,
            self.trajectory_goal_tolerance,
            self.trajectory_stopped_velocity,
            self.trajectory_goal_time,
        )

    @property
    def messages_per_second(self) -> float:
        """Rate of messages in force [1/s simulated]."""
        return self.control_rate or self.publish_rate

    @property
    def ticks_per_second(self) -> float:
        """Rate of ticks in force [1/s wall]."""
        if not self.control_rate:
            return self.tick_rate
        wanted = self.control_rate * (self.real_time_factor or 1.0)
        return min(max(wanted, SLOWEST_TICKS), FASTEST_TICKS)

    @property
    def steps_per_publish(self) -> int:
        """Number of steps between two messages."""
        return round(1.0 / (self.messages_per_second * self.step_size))

    @property
    def steps_per_reply(self) -> int:
        """Number of steps that a reply in lockstep makes: a control period, or step_count."""
        return self.steps_per_publish if self.control_rate else self.step_count

    @property
    def steps_per_clock(self) -> int:
        """Number of steps between two messages on /clock."""
        return round(1.0 / (self.clock_rate * self.step_size))


def parameter_name(entry: Field[Any]) -> str:
    """Return the name of a parameter in ROS."""
    return entry.metadata['name'] or entry.name


def unknown_parameters(node: Node, names: Iterable[str]) -> list[str]:
    """Return a line for each unknown parameter of a node, with a suggestion."""
    lines = []
    known = node.list_parameters([], 0).names
    unknown = [name for name in names if not node.has_parameter(name)]
    for name in unknown[:MOST_NAMES]:
        short = len(name) <= LONGEST
        close = difflib.get_close_matches(name, known, 1) if short else ()
        word = name if short and name.isprintable() else shown(name)
        lines.append(f'no parameter {word}' + (f': did you mean {close[0]}?' if close else ''))
    if len(unknown) > MOST_NAMES:
        lines.append(f'and {len(unknown) - MOST_NAMES} more that are unknown')
    return lines


def declare(node: Node) -> SimulationParameters:
    """Declare one parameter per field; return the values in force."""
    values: dict[str, Any] = {}
    for entry in fields(SimulationParameters):
        low, high = entry.metadata['range']
        descriptor = ParameterDescriptor(
            description=entry.metadata['description'],
            read_only=not entry.metadata['live'],
            dynamic_typing=True,  # `publish_rate:=50` is a number too; checked in the class
        )
        if entry.metadata['choices']:
            empty = ', or empty' if entry.metadata['optional'] else ''
            choices = ', '.join(entry.metadata['choices'])
            descriptor.additional_constraints = f'one of {choices}{empty}'
        if low < high and isinstance(entry.default, float):
            descriptor.floating_point_range = [FloatingPointRange(from_value=low, to_value=high)]
        elif low < high:
            descriptor.integer_range = [IntegerRange(from_value=int(low), to_value=int(high))]
        default = list(entry.default) if isinstance(entry.default, tuple) else entry.default
        name = parameter_name(entry)
        if isinstance(entry.default, float):
            _keep_double(node, name)
        try:
            value = node.declare_parameter(name, default, descriptor).value
        except InvalidParameterValueException:  # reported below, with all others
            value = node._parameter_overrides[name].value
        if entry.metadata['numbers'] and not isinstance(value, str):
            value = ' '.join(map(repr, value)) if hasattr(value, '__iter__') else repr(value)
        if isinstance(entry.default, tuple):
            value = (value,) if isinstance(value, str) else tuple(value)
        values[entry.name] = value
    return SimulationParameters(**values)


def _keep_double(node: Node, name: str) -> None:
    """Convert `publish_rate:=50` at the start to 50.0: readers of a double would read 0."""
    given = node._parameter_overrides.get(name)
    if given is not None and given.type_ == Parameter.Type.INTEGER:
        whole = Parameter(name, Parameter.Type.DOUBLE, float(given.value))
        node._parameter_overrides[name] = whole
