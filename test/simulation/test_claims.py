"""Claims on files: of two runs that write one file the second is refused, and told who has it."""

import multiprocessing
import os
import signal

from helpers.processes import LONG
import pytest

from symcontact_ros.errors import OptionError
from symcontact_ros.simulation.saving.claims import Claim


def test_the_second_claim_names_the_first_and_a_released_one_leaves_nothing(tmp_path):
    path = tmp_path / 'run.mcap'
    first = Claim(path, 'record_file', 'node /left')
    elsewhere = tmp_path / 'elsewhere'
    elsewhere.symlink_to(tmp_path)
    for same in (path, elsewhere / 'run.mcap'):
        with pytest.raises(OptionError, match=rf'^record_file {same}: node /left \(process \d+\)'):
            Claim(same, 'record_file', 'node /right')
    Claim(tmp_path / 'other.mcap', 'record_file', 'node /right').release()
    first.release()
    first.release()
    assert list(tmp_path.iterdir()) == [elsewhere]
    Claim(path, 'record_file', 'node /right').release()


def claim_for_ever(path, claimed):
    claim = Claim(path, 'record_file', 'node /killed')
    claimed.set()
    signal.pause()
    claim.release()


def test_a_claim_ends_with_a_process_that_is_killed(tmp_path):
    spawning = multiprocessing.get_context('spawn')
    path, claimed = tmp_path / 'run.state', spawning.Event()
    process = spawning.Process(target=claim_for_ever, args=(path, claimed))
    process.start()
    assert claimed.wait(LONG)
    with pytest.raises(OptionError, match=f'node /killed .process {process.pid}'):
        Claim(path, 'checkpoint_file', 'node /next')
    process.kill()
    process.join(LONG)
    Claim(path, 'checkpoint_file', 'node /next').release()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_left_to_whoever_writes(tmp_path):
    claim = Claim(tmp_path / 'missing' / 'run.state', 'checkpoint_file', 'node /next')
    claim.release()
    os.symlink('/nowhere/at/all', tmp_path / '.run.state.lock')
    Claim(tmp_path / 'run.state', 'checkpoint_file', 'node /next').release()
