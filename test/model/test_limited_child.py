"""Children with limits: whatever they do, an answer or one clear error comes in time."""

import os
import subprocess
import sys
import time

import pytest

from symcontact_ros.model import limited_child
from symcontact_ros.model.limited_child import LimitedChild
from symcontact_ros.model.limited_task import LimitReachedError, Limits, TaskFailedError

LIMITS = Limits(seconds=20.0, memory=200 * 2**20, answer=1000)
SHORT = Limits(seconds=0.7, memory=200 * 2**20, answer=1000)


@pytest.fixture(scope='module')
def child():
    with LimitedChild('helpers.child_tasks', LIMITS) as started:
        yield started


def is_alive(pid):
    """Return whether a process runs; one that nobody has waited for yet does not."""
    try:
        with open(f'/proc/{pid}/stat') as stream:
            return stream.read().rpartition(')')[2].split()[0] != 'Z'
    except FileNotFoundError:
        return False


def wait_until_dead(pid):
    while is_alive(pid):
        time.sleep(0.01)


def test_one_child_answers_all_requests(child):
    assert child.ask(b'echo a b') == b'a b'
    assert child.ask(b'pid') == child.ask(b'pid')
    with pytest.raises(TaskFailedError, match='division by zero'):
        child.ask(b'raise')
    with pytest.raises(TaskFailedError, match='nested too deep'):
        child.ask(b'deep')
    assert child.ask(b'echo still') == b'still'


def test_what_it_prints_is_no_answer(child):
    assert child.ask(b'print') == b'done'


@pytest.mark.parametrize('request_', [b'large 1001', b'lie'])
def test_an_answer_that_is_too_long_is_not_read(request_, child):
    with pytest.raises(LimitReachedError, match='became more than 1000 bytes'):
        child.ask(request_)
    assert child.ask(b'large 1000') == b'x' * 1000  # another one has been started


@pytest.mark.skipif(sys.platform != 'linux', reason='the limit of memory is one of Linux')
def test_memory_is_limited(child):
    assert child.ask(b'limits') == b'True True'
    assert child.ask(b'memory 100000000') is not None
    with pytest.raises(LimitReachedError, match='needs more than 200 MiB of memory'):
        child.ask(b'memory 300000000')


def test_it_writes_no_file(child, tmp_path):
    with pytest.raises(TaskFailedError, match='File too large'):
        child.ask(b'write ' + bytes(tmp_path / 'file'))
    assert (tmp_path / 'file').stat().st_size == 0


@pytest.mark.parametrize('request_', [b'sleep', b'burn'])
def test_time_is_limited(request_):
    with LimitedChild('helpers.child_tasks', SHORT) as child:
        began = time.monotonic()
        with pytest.raises(LimitReachedError, match=r'took longer than 0\.7 s'):
            child.ask(request_)
    assert time.monotonic() - began < 10.0  # and not 600


def test_a_child_without_limits_of_the_system_is_ended_in_time(monkeypatch, tmp_path):
    (tmp_path / 'resource.py').write_text('raise ImportError')
    monkeypatch.syspath_prepend(str(tmp_path))
    child = LimitedChild('helpers.child_tasks', SHORT)
    with child, pytest.raises(LimitReachedError, match='took longer'):
        child.ask(b'burn')


@pytest.mark.parametrize(
    ('request_', 'how'), [(b'exit 3', 'with code 3'), (b'crash', 'by signal')]
)
def test_the_end_of_a_child_is_told(request_, how, child):
    with pytest.raises(TaskFailedError, match=f'ended {how}.*may take 20 s and 200 MiB'):
        child.ask(request_)


def test_a_task_that_is_none_and_a_python_that_is_none_are_told(monkeypatch):
    child = LimitedChild('no_such_module', LIMITS)
    with child, pytest.raises(TaskFailedError, match='ended with code 1'):
        child.ask(b'')
    monkeypatch.setattr(limited_child.sys, 'executable', '/no/python')
    child = LimitedChild('helpers.child_tasks', LIMITS)
    with child, pytest.raises(TaskFailedError, match='no process can be started'):
        child.ask(b'')


def test_all_that_it_has_started_is_ended_with_it(tmp_path):
    with LimitedChild('helpers.child_tasks', LIMITS) as child:
        pids = [int(child.ask(b'pid')), int(child.ask(b'grandchild ' + bytes(tmp_path / 'up')))]
        while not (tmp_path / 'up').exists():
            time.sleep(0.01)
        assert all(map(is_alive, pids))
    for pid in pids:
        wait_until_dead(pid)


def test_a_child_ends_when_its_parent_is_killed():
    code = (
        'import os, signal\n'
        'from symcontact_ros.model.limited_child import LimitedChild, Limits\n'
        "child = LimitedChild('helpers.child_tasks', Limits(20.0, 2**28, 1000))\n"
        "print(child.ask(b'pid').decode(), flush=True)\n"
        'os.kill(os.getpid(), signal.SIGKILL)\n'
    )
    environment = {**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)}
    result = subprocess.run([sys.executable, '-c', code], capture_output=True, env=environment)
    wait_until_dead(int(result.stdout))
