"""The launch files, run as `ros2 launch` runs them."""

from dataclasses import fields
import itertools
from pathlib import Path
import threading

from helpers.places import URDF
import pytest

# Not `launch`: without ROS the repository's own folder of that name would be imported.
pytest.importorskip(
    'launch_ros', reason='launch_ros comes with a ROS 2 distribution, there is no wheel of it'
)

from ament_index_python.packages import (
    get_package_share_directory,
    get_packages_with_prefixes,
    PackageNotFoundError,
)
from helpers.launch_files import SCENARIOS
from helpers.listener import listening, seconds
from helpers.processes import LONG
from launch import LaunchDescription, LaunchService
from launch.actions import (
    EmitEvent,
    IncludeLaunchDescription,
    RegisterEventHandler,
    SetLaunchConfiguration,
    TimerAction,
)
from launch.event_handlers import OnProcessExit, OnProcessIO
from launch.events import Shutdown
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.logging import get_logger
from tf2_msgs.msg import TFMessage

from symcontact_ros.launching.arguments import Argument, text_of
from symcontact_ros.launching.declaring import with_arguments
from symcontact_ros.launching.nodes import view_of
from symcontact_ros.model.library import load_model, load_scene
from symcontact_ros.ros.parameters import SimulationParameters

try:
    LAUNCH = Path(get_package_share_directory('symcontact_ros'), 'launch')
except (PackageNotFoundError, OSError):  # OSError: no AMENT_PREFIX_PATH at all
    pytest.skip('launch files are found once colcon has built them', allow_module_level=True)

MODELS = {name: said['model'] for name, said in SCENARIOS.items()}
MODELS['controller_demo.launch.py'] = 'cart_pole_walls'
# Of those that differ only in what model they name.
PLAIN = ('bouncing_circle.launch.py', 'space_manipulator.launch.py')
CONTROLLED = 'ros2_control.launch.py'
ARM = URDF / 'arm.urdf'
DEADLINE = LONG  # [s]: a launch that does not end by itself is shut down then


class Launched:
    """What became of a launch: codes of the service and of its process, output, stamps on /tf."""

    def __init__(self, name, domain, messages=0, shut_down=True, **arguments):
        self.codes, self.output, self.stamps = [], '', []
        self._shut_down = shut_down
        service = LaunchService(noninteractive=True)
        include = IncludeLaunchDescription(str(LAUNCH / name), launch_arguments=arguments.items())
        service.include_launch_description(
            LaunchDescription(
                [
                    RegisterEventHandler(OnProcessIO(on_stdout=self._read, on_stderr=self._read)),
                    TimerAction(period=DEADLINE, actions=[EmitEvent(event=Shutdown())]),
                    include,
                    # Handlers that come last are asked first, and a failure ends the asking.
                    RegisterEventHandler(OnProcessExit(on_exit=self._ended)),
                ]
            )
        )
        listener = threading.Thread(target=self._listen, args=(service, domain, messages))
        if messages:
            listener.start()
        self.code = service.run()
        if messages:
            listener.join()

    def _ended(self, event, context):
        self.codes.append(event.returncode)
        return [EmitEvent(event=Shutdown(reason='the process ended'))] if self._shut_down else []

    def _read(self, event):
        self.output += event.text.decode()

    def _listen(self, service, domain, messages):
        """Shut down, as Ctrl-C does, once enough messages have come."""
        with listening(domain, {'/tf': TFMessage}) as ears:
            ears.spin_until(lambda: len(ears.messages['/tf']) >= messages, DEADLINE)
            self.stamps = [seconds(m.transforms[0].header.stamp) for m in ears.messages['/tf']]
        service.shutdown()


@pytest.fixture(autouse=True)
def own_domain(domain, monkeypatch, tmp_path):
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))
    monkeypatch.setenv('ROS_LOG_DIR', str(tmp_path))


def kinds_of_launch_files():
    """Yield every launch file that is more than the name of a model, and two that are not."""
    for path in sorted(LAUNCH.glob('*.launch.py')):
        if path.name == CONTROLLED:
            continue  # it starts nodes of others, whose exit codes are theirs
        said = SCENARIOS.get(path.name, {'controller': None})
        is_plain = said.get('model') is not None and not said.keys() - {'model', 'rviz', 'wrench'}
        if not is_plain or path.name in PLAIN:
            yield path.name


@pytest.mark.parametrize('name', kinds_of_launch_files())
def test_a_launch_file_runs_until_it_is_shut_down(name, domain):
    model = MODELS.get(name) or 'bouncing_circle'
    needed = SCENARIOS.get(name, {}).get('needs')
    if needed is not None and needed not in get_packages_with_prefixes():
        pytest.skip(f'{needed} is not installed')
    more = {}
    if name == 'robot.launch.py':  # has no model of its own
        model, more = 'arm', {'model': str(ARM), 'tf_mode': 'bodies'}
    launched = Launched(name, domain, messages=20, publish_rate='50', namespace='lab', **more)
    assert (launched.code, set(launched.codes)) == (0, {0}), launched.output
    stamps = sorted(set(launched.stamps))  # after a pause or a reset an instant is told again
    if MODELS.get(name) == 'cart_pole_walls':  # whose controller pauses it, at any step
        stamps = [stamp for stamp in stamps if round(1000 * stamp) % 20 == 0]
    steps = [b - a for a, b in itertools.pairwise(stamps)]
    assert steps == pytest.approx([0.02] * len(steps), abs=1e-9)
    degrees = load_scene(more.get('model', model), meshes=False).speed_count
    assert f'{model}: {degrees} degrees of freedom' in launched.output


def test_the_parameter_file_counts_where_no_argument_is_given(domain, tmp_path):
    file = tmp_path / 'my.yaml'
    file.write_text('/**: {ros__parameters: {publish_rate: 20.0, real_time_factor: 2.0}}\n')
    launched = Launched(
        'simulation.launch.py', domain, messages=5, params_file=str(file), step_size='0.0005'
    )
    assert '20 messages per simulated second, 2 x real time' in launched.output
    assert 'steps of 0.5 ms' in launched.output


@pytest.mark.parametrize('name', ['simulation.launch.py', 'robot.launch.py'])
def test_a_page_is_served_where_one_is_asked_for(name, domain):
    model = {'model': str(ARM)} if name == 'robot.launch.py' else {}
    launched = Launched(name, domain, messages=100, view='true', tf_mode='bodies', **model)
    assert 'page: http://127.0.0.1:' in launched.output
    assert (launched.code, set(launched.codes)) == (0, {0}), launched.output


def test_a_wrong_model_ends_the_node_with_code_2_and_the_launch_with_1(domain, caplog):
    launched = Launched('simulation.launch.py', domain, model='nope')
    assert (launched.codes, launched.code) == ([2], 1)
    assert 'nope: no model of this name' in launched.output
    assert 'failed with exit code 2' in caplog.text


def test_a_launch_fails_as_a_whole_with_one_of_its_nodes(domain):
    launched = Launched('wall_push.launch.py', domain, shut_down=False, detector='nope')
    assert (sorted(launched.codes), launched.code) == ([0, 2], 1), launched.output


def test_a_wrong_number_is_told_by_the_name_of_its_argument(domain, caplog):
    launched = Launched('simulation.launch.py', domain, step_size='abc')
    assert launched.code == 1
    assert 'step_size:=abc is not a float' in caplog.text


@pytest.mark.parametrize(
    ('model', 'view', 'wrench'),
    [
        ('bouncing_circle', 'planar', 'ball'),
        ('docking_probe_drogue', 'spatial', 'chaser'),
        ('double_pendulum', 'planar', None),  # nothing touches
        (str(ARM), 'robot', None),
        ('nope', 'spatial', None),
    ],
)
def test_rviz_has_a_configuration_for_every_model(model, view, wrench):
    assert view_of({'model': model}) == (view, wrench)
    assert (LAUNCH.parent / 'config' / 'rviz' / f'{view}.rviz').is_file()


def test_launch_knows_where_the_node_puts_a_robot(monkeypatch):
    """A mesh decides how high, and a live symbol."""
    seen = {}

    def load(path, **options):
        seen.update(options)
        return load_model('bouncing_circle')

    monkeypatch.setattr('symcontact_ros.launching.nodes.load_scene', load)
    view_of({'model': 'a.urdf', 'world': 'floor', 'symbols.table_height': 2.0})
    assert (seen['meshes'], seen['parameters']) == ('hull', {'table_height': 2.0})
    view_of({'model': 'a.urdf', 'world': 'floor', 'pose': '0 0 1 0 0 0'})
    assert seen['meshes'] == 'none'


def test_a_parameter_file_that_is_missing_is_an_error(domain, caplog):
    launched = Launched('simulation.launch.py', domain, params_file='nope.yaml')
    assert (launched.code, launched.codes) == (1, [])
    assert 'params_file:=nope.yaml: there is no such file' in caplog.text


def arguments_of(name):
    """Return the arguments that ``--show-args`` shows, with their defaults as texts."""
    description = PythonLaunchDescriptionSource(
        str(LAUNCH / name)
    ).try_get_launch_description_without_context()
    return {
        argument.name: ''.join(part.text for part in argument.default_value or ())
        for argument in description.get_launch_arguments()
    }


@pytest.mark.parametrize('name', sorted(path.name for path in LAUNCH.glob('*.launch.py')))
def test_the_arguments_shown_are_those_that_act_with_their_defaults(name):
    shown = arguments_of(name)
    if name == CONTROLLED:  # which passes the others on
        assert shown == {'robot': 'panda', 'description': '', 'controllers_file': ''}
        return
    said = SCENARIOS.get(name, {})
    takes_models = name in ('simulation.launch.py', 'robot.launch.py')
    assert ('model' in shown) == ('robot_state_publisher' in shown) == takes_models
    for entry in fields(SimulationParameters):
        if entry.name != 'model':
            wanted = said.get(entry.name, text_of(entry.default))
            assert shown.pop(entry.name) == wanted
    others = {'params_file', 'namespace', 'rviz', 'rviz_config', 'view'}
    assert set(shown) - {'model', 'robot_state_publisher', 'demo'} == others


def test_a_scenario_keeps_its_model_and_says_so(domain, caplog, tmp_path):
    get_logger('launch.user').addHandler(caplog.handler)  # it does not pass messages on
    file = tmp_path / 'my.yaml'
    file.write_text('/**: {ros__parameters: {model: cart_pole, publish_rate: 50.0}}\n')
    launched = Launched(
        'bouncing_circle.launch.py',
        domain,
        messages=20,
        params_file=str(file),
        model='double_pendulum',
    )
    assert 'bouncing_circle: 3 degrees of freedom' in launched.output
    assert '50 messages per simulated second' in launched.output
    assert 'model:=double_pendulum is not used' in caplog.text


def test_the_second_of_two_includes_is_not_told_the_defaults_of_the_first():
    taken = []

    def use(context, texts):
        taken.append(texts.given)
        return []

    service = LaunchService(noninteractive=True)
    arguments = {'tick_rate': Argument('', '200.0'), 'model': Argument('', 'a')}
    actions = with_arguments(arguments, use) + with_arguments(arguments, use)
    service.include_launch_description(
        LaunchDescription([SetLaunchConfiguration('model', 'b'), *actions])
    )
    assert service.run() == 0
    assert taken == [{'model': 'b'}] * 2


def test_the_launch_file_of_robots_asks_for_one(domain, caplog):
    launched = Launched('robot.launch.py', domain)
    assert launched.code == 1
    assert "missing required argument 'model'" in caplog.text


@pytest.mark.parametrize(
    ('package', 'name', 'arguments'),
    [
        ('rviz2', 'simulation.launch.py', {'rviz': 'true'}),
        ('robot_state_publisher', 'simulation.launch.py', {'model': str(ARM)}),
        ('controller_manager', CONTROLLED, {'robot': 'panda'}),
        ('control_msgs', 'arm_trajectory.launch.py', {}),
    ],
)
def test_a_package_that_is_missing_is_told_before_anything_starts(
    package, name, arguments, domain, caplog
):
    if package in get_packages_with_prefixes():
        pytest.skip(f'{package} is installed')
    launched = Launched(name, domain, **arguments)
    assert launched.code == 1
    assert f'needs the package {package}' in caplog.text
    assert 'process started' not in caplog.text
