"""The physics validation with kernels that check every index and every number they read."""

import os
from pathlib import Path
import subprocess
import sys

import pytest

CASES = Path(__file__).with_name('test_validation.py')


@pytest.mark.deep
@pytest.mark.timeout(3600)
def test_the_whole_validation_stays_within_its_memory_and_reads_what_was_written():
    command = [sys.executable, '-m', 'pytest', '-q', '-n', '0', '-k', 'a_case_reaches', CASES]
    environment = {**os.environ, 'SYMCONTACT_KERNELS': 'debug'}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    assert ' passed' in done.stdout and 'failed' not in done.stdout
