"""What is promised to the bit holds on processors that can do less than this one."""

import platform
import re

from helpers.lesser_processors import KINDS, run_tests
import pytest

pytestmark = pytest.mark.skipif(
    platform.machine() not in ('x86_64', 'AMD64'), reason='the kinds are those of x86-64'
)
TO_THE_BIT = ('test/batch/test_batch.py', 'test/gym', 'test/simulation/test_simulation.py')


def assert_passed(result):
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-3000:]
    assert int(re.findall(r'(\d+) passed', result.stdout)[-1]) > 30


@pytest.mark.parametrize('kind', KINDS)
def test_worlds_and_runs_are_equal_to_the_bit_on_a_processor_with_less(kind):
    assert_passed(run_tests(kind, *TO_THE_BIT))


@pytest.mark.deep
@pytest.mark.timeout(1800)
@pytest.mark.parametrize('kind', KINDS)
def test_all_quick_tests_pass_on_a_processor_with_less(kind):
    this = 'test/tools/test_other_processors.py'
    assert_passed(run_tests(kind, 'test', f'--ignore={this}', '-n', '2'))
