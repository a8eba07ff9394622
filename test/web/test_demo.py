"""`make demo` over real DDS: sliders, a frozen gain, a fall at the wall, and the way back."""

import contextlib
import os
import signal

from helpers.browser import browser, CHROMIUM, Shown
import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')
pytest.importorskip('tornado', reason='serves the page; `make test` brings it')
pytest.importorskip('websockets', reason='the client; `make test` brings it')

from helpers.live_page import address_of, symcontact, watching

pytestmark = pytest.mark.timeout(240)

FREEZE = '/cart_pole_lqr:freeze_gain'
RESIDUAL, START, MECHANICAL = 9, 7, 8


def largest_angle(frames, pole):
    return max(abs(frame.angle(pole)) for frame in frames)


def test_the_pole_stays_up_until_the_gain_is_frozen_and_comes_back(ros_environment):
    with (
        symcontact(ros_environment, 'demo') as demo,
        watching(address := address_of(demo)) as page,
        shown_too(address) as shown,
    ):
        pole = page.body('pole')
        page.until(lambda: page.last.get('switches', {}).get('switches'), 'the switch')
        page.until(lambda: page.frames[-1].time > 1.0, 'it is in control')
        balances_other_poles(page, pole)
        page.slide(m=0.1, l=0.15)
        assert largest_angle(page.for_seconds(1.0), pole) < 0.5
        freeze(page, True)
        page.slide(m=5.0, l=1.0)  # whose gain is another one by far: it falls in 2 to 5 s
        page.send('speed', speed=2.0)
        fallen = []
        while not fallen or abs(fallen[-1].angle(pole)) < 1.0:
            fallen += page.for_seconds(0.5)[1:]
            assert len(fallen) < 3000, 'it falls within 30 s'
        assert any(len(frame.forces) for frame in fallen), 'it hits a wall'
        energies = np.array([frame.energies for frame in fallen])
        assert np.abs(energies[:, RESIDUAL]).max() < 1e-3 * np.abs(energies).max()
        # Two seconds back it stood, or was about to fall: the same state.
        seen = {frame.steps: frame for frame in fallen}
        last = fallen[-1].steps
        page.frames.clear()
        page.send('rewind', seconds=2.0)
        page.until(lambda: page.frames and page.frames[-1].steps < last, 'it goes back')
        back = next(frame for frame in page.frames if frame.steps < last)
        assert np.array_equal(back.motions, seen[back.steps].motions)
        if shown is not None:  # the run that was left
            assert shown.until('symcontact.app.stage.ghost.left.length', 'a ghost') > 10
            assert not shown.errors, '\n'.join(shown.errors)
        freeze(page, False)
        demo.send_signal(signal.SIGINT)
        assert demo.wait() == 0


def balances_other_poles(page, pole):
    """Slide mass and length: the regulator takes the new A and B, step by step and by leaps."""
    for m in np.geomspace(0.1, 5.0, 6):
        page.slide(m=m)
        assert largest_angle(page.for_seconds(0.15), pole) < 0.5
    for half in (0.15, 0.4, 1.0):
        page.slide(l=half)
        assert largest_angle(page.for_seconds(0.4), pole) < 0.5


@contextlib.contextmanager
def shown_too(address):
    """Yield the page in a browser, if there is one; where CI must have one, there is."""
    if not CHROMIUM and os.environ.get('CI') != 'true':
        yield None
        return
    with browser() as chromium:
        shown = Shown(chromium.new_context(viewport={'width': 900, 'height': 700}).new_page())
        shown.page.goto(address)
        shown.until('Boolean(window.symcontact?.app.perf.frames)', 'the page runs')
        yield shown


def freeze(page, value):
    """Tick the box, or not."""
    page.send('switch', name=FREEZE, value=value)
    page.until(lambda: page.last['switches']['switches'][0]['value'] is value, 'the switch')
