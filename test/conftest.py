"""What all tests share: environments for ROS processes, and model files made on the spot."""

import contextlib
import itertools
import os
import socket

from helpers.kept_cache import use_test_cache
from helpers.places import TEST
from helpers.random_cases import IS_DEEP, number_of_seed, SEED
from helpers.selection import is_quick
import pytest

WORKER = os.environ.get('PYTEST_XDIST_WORKER')  # gw0, gw1, ...

# Most tests run a few steps: code that is made in a tenth of the time suits them, and nothing is
# made beside them. All of them with the fast code, which has the same bits, is for the night.
os.environ.setdefault('SYMCONTACT_KERNELS', 'best' if IS_DEEP else 'quick')

# How long an example takes is up to the machine and what else it does.
with contextlib.suppress(ImportError):
    from hypothesis import HealthCheck, settings

    paces = [HealthCheck.too_slow]
    settings.register_profile('at any pace', deadline=None, suppress_health_check=paces)
    settings.load_profile('at any pace')

# Tests talk to this machine alone, each on a domain of its own.
os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
os.environ.setdefault('FASTRTPS_DEFAULT_PROFILES_FILE', str(TEST / 'discovery.xml'))
_domains = itertools.cycle(range(1, 100))

RESTING_BALL = """\
gravity: [0, -{gravity}, 0]
materials: {{default: {{stiffness: {stiffness}, damping: 0.2, friction: 0.3, slip_speed: 0.1}}}}
bodies:
  floor: {{fixed: true, shapes: [{{type: half_space, normal: [0, 1, 0]}}]}}
  ball:
    mass: {mass}
    shapes: [{{type: circle, radius: 0.2}}]
    initial: {{position: [0, 0.2 - ({mass} * {gravity} / {stiffness}) ** (1 / 3), 0]}}
"""


def pytest_addoption(parser):
    """Add what `make test COLD=1` asks for."""
    parser.addoption('--cold', action='store_true', help='begin with an empty compile cache')


@pytest.hookimpl(tryfirst=True)  # before Hypothesis looks for its seed
def pytest_configure(config):
    """Choose cache and seed, once: workers of one run share them."""
    if WORKER is None:
        use_test_cache(config.getoption('--cold'))
        os.environ['SYMCONTACT_TEST_SEED'] = SEED  # also after midnight
        if getattr(config.option, 'hypothesis_seed', SEED) is None:
            config.option.hypothesis_seed = str(number_of_seed())


def pytest_report_header():
    """Say how to have the same random cases again."""
    return f'random cases of SYMCONTACT_TEST_SEED={SEED}'


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Share the tests out in our way."""
    from helpers.scheduling import Scheduling

    config.option.loadscopereorder = False
    return Scheduling(config, log)


@pytest.hookimpl(tryfirst=True)  # before what -m leaves out
def pytest_collection_modifyitems(items):
    """Mark the quick tests, and order them all for workers."""
    for item in items:
        if is_quick(item.nodeid):
            item.add_marker('quick')
    if WORKER is not None:
        from helpers.scheduling import place

        items.sort(key=lambda item: place(item.nodeid))


@pytest.fixture
def domain():
    """Return a ROS_DOMAIN_ID that no other test has, also of other runs on this machine."""
    with socket.socket(socket.AF_UNIX) as claim:
        for number in _domains:
            try:
                claim.bind(f'\0symcontact_ros_test_domain_{number}')  # no file: it goes with us
            except OSError:  # somebody has it
                continue
            yield number
            break


@pytest.fixture
def ros_environment(domain, tmp_path):
    """Return the environment of a ROS process on this test's domain."""
    return {**os.environ, 'ROS_DOMAIN_ID': str(domain), 'ROS_LOG_DIR': str(tmp_path / 'log')}


@pytest.fixture
def write_model(tmp_path):
    """Return a function that writes a model file and returns its path."""

    def write(text, name='model.yaml'):
        path = tmp_path / name
        path.write_text(text, encoding='utf-8')
        return path

    return write


@pytest.fixture
def write_urdf(tmp_path):
    """Return a function that writes a URDF and returns its path."""

    def write(text, name='robot.urdf'):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.fixture
def resting_ball(write_model):
    """Return a model file of a ball of 2 kg that starts at its rest depth, and its weight [N]."""
    text = RESTING_BALL.format(mass=2.0, gravity=9.81, stiffness=1e7)
    return write_model(text, 'resting_ball.yaml'), 2.0 * 9.81
