"""Files written whole or not at all, and what killed writers leave."""

import os
from pathlib import Path
import signal
import subprocess
import sys
import time

from helpers.processes import LONG
import pytest

from symcontact_ros.errors import OptionError
from symcontact_ros.simulation.saving import atomic_file
from symcontact_ros.simulation.saving.atomic_file import check_place, write_file

# It stops for good between the last byte and the rename, as if the disk were slow.
SLOW_WRITER = """\
import os, sys, time
os.fsync = lambda descriptor: (print('written', flush=True), time.sleep(1e6))
from symcontact_ros.simulation.saving.atomic_file import write_file
write_file(sys.argv[1], bytes(100_000))
"""


@pytest.fixture
def target(tmp_path):
    return tmp_path / 'run.state'


@pytest.fixture
def writer(target):
    """Return a process in the midst of writing a file."""
    with subprocess.Popen(
        [sys.executable, '-c', SLOW_WRITER, str(target)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == 'written\n'
        yield process
        process.kill()


def unfinished(target):
    return [name for name in os.listdir(target.parent) if name.startswith('.')]


def age(target):
    """Let what is beside a file be old: nothing needs to be waited for."""
    for name in unfinished(target):
        os.utime(target.parent / name, (0, 0))
    atomic_file._cleaned.clear()  # as in a new process


def test_what_a_killed_writer_left_is_removed_by_the_next_one(target, writer):
    assert len(unfinished(target)) == 1
    writer.send_signal(signal.SIGKILL)
    writer.wait(LONG)
    write_file(target, b'young')
    assert len(unfinished(target)) == 1, 'too young to be sure'
    age(target)
    write_file(target, b'whole')
    assert unfinished(target) == []
    assert target.read_bytes() == b'whole'


def test_what_a_living_writer_has_in_hand_is_left_to_it(target, writer):
    age(target)
    write_file(target, b'whole')
    assert len(unfinished(target)) == 1


@pytest.mark.parametrize('name', ['.run.state', '.run.state.x', '.other.abcd1234', 'run.state.1'])
def test_files_of_others_are_left_alone(target, name):
    other = target.with_name(name)
    other.write_bytes(b'not ours')
    os.utime(other, (0, 0))
    write_file(target, b'whole')
    assert other.exists()


def test_links_and_folders_with_such_a_name_are_left_alone(target, tmp_path):
    precious = tmp_path / 'precious'
    precious.write_bytes(b'kept')
    link, folder = target.with_name('.run.state.abcd1234'), target.with_name('.run.state.abcd1235')
    link.symlink_to(precious)
    folder.mkdir()
    time_of_link = time.time() - 1e6
    os.utime(link, (time_of_link, time_of_link), follow_symlinks=False)
    write_file(target, b'whole')
    assert precious.read_bytes() == b'kept'
    assert link.is_symlink()
    assert folder.is_dir()


def test_places_where_nothing_can_be_written_are_told(tmp_path):
    for path, reason in (
        (tmp_path, 'is a folder'),
        (tmp_path / 'no' / 'state', 'there is no folder'),
        (Path('/dev/null'), 'is not a file'),
        (tmp_path / 'a\x1b[31m\nb' / 'state', r'a\x1b[31m\nb'),
    ):
        with pytest.raises(OptionError) as caught:
            check_place(path, 'checkpoint_file')
        assert reason in str(caught.value)
        assert str(caught.value).isprintable()
    check_place(tmp_path / 'state', 'checkpoint_file')
