"""The end of simulated time: stamps of ROS count seconds in 32 bits."""

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')

from helpers.schedulers import scheduler

from symcontact_ros.errors import OptionError
from symcontact_ros.ros.conversions import stamp
from symcontact_ros.ros.stepping.step_scheduler import check_times, LATEST


def test_a_run_that_would_outlast_all_stamps_is_refused_at_the_start():
    check_times(float('inf'), 0.0)
    check_times(LATEST, LATEST - 1)
    with pytest.raises(OptionError, match='duration must be at most 2147483647 s, got 1e'):
        check_times(1e12, 0.0)
    with pytest.raises(OptionError, match='the checkpoint is at 1e'):
        check_times(float('inf'), 1e12)


@pytest.mark.parametrize('way', ['ticks', 'steps'])
def test_time_stops_before_the_last_stamp_with_a_reason(way):
    run = scheduler(step_size=0.1, real_time_factor=0.0, publish_rate=10.0, clock_rate=10.0)
    run.simulation.steps = round(LATEST / 0.1) - 5
    if way == 'ticks':
        for _ in range(6):  # a tick has little time: one step at least
            run.tick()
    else:
        run.pause(True)
        for _ in range(6):
            run.step()
    assert 'stamps of ROS end at 2147483647 s' in str(run.failure)
    assert run.paused
    assert run.nanoseconds <= LATEST * 10**9
    stamp(run.nanoseconds)  # has one
