"""The page of a running node over real DDS, without a browser."""

import signal
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')
pytest.importorskip('tornado', reason='serves the page; `make test` brings it')
pytest.importorskip('websockets', reason='the client; `make test` brings it')

from helpers.laboratory import laboratory, node_command, running
from helpers.live_page import address_of, symcontact, watching
from helpers.processes import end

pytestmark = pytest.mark.timeout(240)


NAME = 'bouncing_circle'


def test_a_page_sees_controls_and_outlives_the_simulation(domain, ros_environment):
    command = node_command(NAME)
    with symcontact(ros_environment, 'view') as view:
        address = address_of(view)  # before there is a node
        with laboratory(domain, ros_environment, command) as lab, watching(address) as page:
            with watching(address) as idle:
                sees_what_the_node_has(page, lab)
                takes_sliders(page, lab)
                controls_time(page, lab)
                pulls(page)
                # One that reads nothing meanwhile misses instants and holds nobody up.
                assert len(page.for_seconds(0.5)) >= 50
                assert idle.last.keys() >= {'model', 'geometry', 'values', 'state'}
            first = page.run
            end(lab.process)
            page.until(lambda: 'waiting' in page.last.get('say', {}).get('text', ''), 'it is gone')
            page.last.pop('refused')
            page.send('pause')
            page.until(lambda: 'refused' in page.last, 'a refusal')
            with running(command, ros_environment) as second:
                page.until(lambda: page.run != first, 'another run')
                page.frames.clear()
                page.until(lambda: page.frames, 'its instants')
                page.slide(m=4.0)
                second.send_signal(signal.SIGKILL)
        view.send_signal(signal.SIGINT)
        assert view.wait() == 0


def sees_what_the_node_has(page, lab):
    description = page.last['model']['description']
    assert description['name'] == NAME
    assert [symbol['name'] for symbol in description['symbols']][:2]
    shapes = page.last['geometry']['geometry']['shapes']
    assert {shape['kind'] for shape in shapes} == {'half_space', 'circle'}
    frame = page.frames[-1]
    kinetic, potential, elastic, *_ = frame.energies
    assert frame.energies[8] == pytest.approx(kinetic + potential + elastic)
    assert frame.steps == pytest.approx(frame.time * 1000)


def takes_sliders(page, lab):
    page.slide(m=2.5)
    assert lab.get('symbols.m') == 2.5
    ball = page.body('ball')
    page.until(lambda: page.last['geometry']['geometry']['bodies'][ball]['mass'] == 2.5, 'it')
    page.send('set', values={'m': -1.0})
    page.until(lambda: 'refused' in page.last, 'a refusal')
    assert page.values['m'] == 2.5
    assert lab.get('symbols.m') == 2.5
    for wrong in ({'type': 'set', 'values': {'m': 'x'}}, {'type': 'what'}, {'type': 'set'}):
        page.last.pop('refused')
        page.send(**{'kind': wrong['type'], **{k: v for k, v in wrong.items() if k != 'type'}})
        page.until(lambda: 'refused' in page.last, f'a refusal of {wrong}')


def controls_time(page, lab):
    page.send('pause')
    page.until(lambda: not page.is_playing, 'a pause')
    kept = lab.trigger('state_hash')
    before = page.frames[-1].steps
    page.send('step')
    page.until(lambda: page.frames[-1].steps > before, 'a step')
    assert lab.trigger('state_hash') != kept
    page.send('speed', speed=2.0)
    page.until(lambda: page.last['state']['speed'] == 2.0, 'a speed')
    page.send('play')
    page.until(lambda: page.is_playing, 'it plays')
    seen = {frame.steps: frame for frame in page.for_seconds(1.5)}
    page.send('rewind', seconds=1.0)
    last = page.frames[-1].steps
    page.until(lambda: page.frames[-1].steps < last, 'it goes back')
    back = page.frames[-1]
    assert np.array_equal(back.motions, seen[back.steps].motions), 'the same state'
    page.send('reset')
    page.until(lambda: 'restart' in page.heard, 'a restart')
    page.send('speed', speed=1.0)


def pulls(page):
    page.send('reset')
    ball = page.body('ball')
    start = page.frames[-1].motions[ball, 0]
    for _ in range(20):
        place = page.frames[-1].motions[ball, :3]
        page.send('push', body='ball', force=[50.0, 0.0, 3.0], point=[*place[:2], 0.0])
        page.for_seconds(0.03)
    page.send('release')
    page.until(lambda: page.frames[-1].motions[ball, 0] > start + 0.05, 'it is pulled')
    page.last.pop('refused', None)
    page.send('push', body='floor', force=[1.0, 0.0, 0.0], point=[0.0, 0.0, 0.0])
    page.until(lambda: 'refused' in page.last, 'a refusal')
    assert 'floor' in page.last['refused']['reason']


def test_another_address_is_served_with_a_warning(ros_environment):
    command = [sys.executable, '-m', 'symcontact_ros', 'view', '--host', '0.0.0.0']
    process = subprocess.Popen(
        command, env=ros_environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert address_of(process).startswith('http://0.0.0.0:')
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert 'can control the simulation' in errors
    assert process.returncode == 0
