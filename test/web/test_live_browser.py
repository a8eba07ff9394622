"""The live page in a real browser: the same page as from a file, with a node behind it."""

import math

import pytest

pytest.importorskip('rclpy', reason='needs ROS 2; `make test` brings it')
pytest.importorskip('tornado', reason='serves the page; `make test` brings it')
pytest.importorskip('websockets', reason='the client; `make test` brings it')

from helpers.browser import browser, Shown
from helpers.drawn_pixels import moving_pixels
from helpers.laboratory import laboratory, node_command
from helpers.live_page import address_of, symcontact
from helpers.processes import LONG

import symcontact_ros as sc

pytestmark = pytest.mark.timeout(240)

BALL = "symcontact.source.description.bodies.findIndex(({ name }) => name === 'ball')"


def test_every_control_of_the_page_acts_on_the_node(domain, ros_environment):
    command = node_command('bouncing_circle')
    with (
        browser() as chromium,
        symcontact(ros_environment, 'view', '--switch', '/symcontact:reset_time') as view,
        laboratory(domain, ros_environment, command) as lab,
    ):
        address = address_of(view)
        page = Shown(chromium.new_context(viewport={'width': 1100, 'height': 760}).new_page())
        assert page.page.goto(address[:-1]).status == 403
        assert 'token' in page.page.inner_text('body')
        page.errors.clear()  # the status
        page.page.goto(address)
        page.until('Boolean(window.symcontact?.app.perf.frames)', 'the page runs')
        assert page.page.title() == 'Bouncing circle'
        shows_the_equations(page)
        slides_and_switches(page, lab)
        goes_through_time(page, lab)
        pulls_the_ball(page)
        page.page.close()
        assert not page.errors, '\n'.join(page.errors)
        own = address.split('?')[0]
        assert all(url.startswith((own, 'data:', 'about:')) for url in page.asked), page.asked


def shows_the_equations(page):
    page.until("document.querySelectorAll('#formulas [data-symbol=m]').length", 'the equations')
    page.run("() => { document.getElementById('equations').open = true; }")
    page.page.locator('#numbersOn').check()
    page.until("document.querySelector('#formulas [data-symbol=m]').textContent === '1.00'", 'm')
    hostile = '<p onclick="x()">a<script>b</script><img src=c></p><mi style="d">e</mi><a>f</a>'
    kept = page.run(
        """(text) => { const { app, source } = symcontact; const own = source.equations;
        source.equations = text; app.takeEquations();
        const kept = document.getElementById('formulas').innerHTML;
        source.equations = own; app.takeEquations(); return kept; }""",
        hostile,
    )
    assert kept == '<p>a</p><mi>e</mi>'
    page.frames()
    page.errors.clear()  # of the policy of the page, which says that it was hostile


def slides_and_switches(page, lab):
    number = page.page.locator('[data-symbol="m"] input[type=text]')
    number.fill('2.5')
    number.press('Enter')
    assert lab.spin_until(lambda: lab.get('symbols.m') == 2.5)
    lab.set(symbols__m=1.5)  # by somebody else
    page.until('symcontact.source.values.m === 1.5', 'the new mass')
    page.page.locator('#switchRows input').check()
    assert lab.spin_until(lambda: lab.get('reset_time') is True)


def goes_through_time(page, lab):
    page.page.locator('#play').click()
    page.until('!symcontact.source.isPlaying', 'a pause')
    before = lab.trigger('state_hash')
    page.page.locator('#step').click()
    assert lab.spin_until(lambda: lab.trigger('state_hash') != before)
    page.page.locator('#play').click()
    page.until('symcontact.source.isPlaying', 'it plays')
    page.until('symcontact.source.time > 3', 'some seconds')
    page.page.locator('#rewind').click()
    left = page.until('symcontact.app.stage.ghost.left.length', 'a ghost of the run that was left')
    assert left > 2
    page.page.locator('#reset').click()
    page.until('symcontact.source.time < 0.7', 'it begins anew, with reset_time')


def pulls_the_ball(page):
    page.run('symcontact.source.pause()')  # it would move on before it is held
    page.until('!symcontact.source.isPlaying', 'a pause')
    page.frames()
    x, y = page.run(f'symcontact.app.stage.camera.to(symcontact.app.stage.scene.com({BALL}))')[:2]
    lab = f'symcontact.source.instant.motions[13 * {BALL}]'
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.until('Boolean(symcontact.source.pull)', 'it is held')
    page.run('symcontact.source.play()')
    page.page.mouse.move(x + 120, y, steps=3)
    page.until(f'{lab} > 0.1', 'it follows the hand')
    page.page.mouse.up()
    page.until('!symcontact.source.pull', 'it is let go')


DISC = """\
name: disc
dimension: 2
bodies: {disc: {mass: 1, shapes: [{type: circle, radius: 0.2}], initial: {position: [1, 2, 0]}}}
"""
NAMES = 'symcontact.source.description.bodies.map(({ name }) => name)'
SHOWN = 'window.symcontact?.source.instant && symcontact.app.perf.frames > 3'


def loads_again(page):
    """Let the page load itself anew by the end of this context; asking it meanwhile would fail."""
    return page.page.expect_event('load', timeout=1e3 * LONG)


def test_an_open_page_follows_what_comes_and_goes(domain, ros_environment):
    kinds = pytest.importorskip('simulation_interfaces.srv')
    with (
        browser() as chromium,
        symcontact(ros_environment, 'view') as view,
        laboratory(domain, ros_environment, node_command('bouncing_circle')) as lab,
    ):
        page = Shown(chromium.new_context(viewport={'width': 1100, 'height': 760}).new_page())
        page.page.goto(address_of(view))
        page.until('Boolean(window.symcontact?.app.perf.frames)', 'the page runs')
        new = {'name': 'a', 'resource_string': DISC}
        with loads_again(page):
            assert lab.ask(kinds.SpawnEntity, 'spawn_entity', **new).result.result == 1
        page.until(f"{SHOWN} && {NAMES}.includes('a_disc')", 'the disc is shown')
        with loads_again(page):
            assert lab.ask(kinds.DeleteEntity, 'delete_entity', entity='a').result.result == 1
        page.until(f"{SHOWN} && !{NAMES}.includes('a_disc')", 'the ball alone is shown')
        page.page.close()
        assert not page.errors, '\n'.join(page.errors)


BALL_IS = f'symcontact.source.instant.motions[13 * {BALL}]'  # so far to the right [m]
FREE = 'symcontact.app.stage.camera.inset.scale'  # where the line of time begins [px]


def sees_ball_and_floor(page):
    """Check that a disc of the size of the ball is drawn, above a floor that is in the picture."""
    page.frames(3)
    count, outside = moving_pixels(page)
    scale = page.run('symcontact.app.stage.camera.scale')
    assert outside == []
    assert count > 0.9 * math.pi * (0.2 * scale) ** 2 > 1000
    assert 0 < page.run(f'symcontact.app.stage.camera.to([{BALL_IS}, 0])[1]') < page.run(FREE)


def test_a_page_opened_after_ten_minutes_shows_the_ball_and_what_it_does(
    ros_environment, tmp_path
):
    before = sc.Simulation(sc.load_model('bouncing_circle'))
    before.step(600_000)
    before.save_checkpoint(tmp_path / 'saved')
    resumed = ('-p', f'checkpoint_file:={tmp_path / "saved"}', '-p', 'repeat:=true')
    words = ('node', 'bouncing_circle', '--view', '--ros-args', *resumed)
    with browser() as chromium, symcontact(ros_environment, *words) as node:
        page = Shown(chromium.new_context(viewport={'width': 1100, 'height': 760}).new_page())
        page.page.goto(address_of(node))
        page.until(SHOWN, 'the page runs')
        page.until('symcontact.source.isLooping', 'the scene begins anew again and again')
        sees_ball_and_floor(page)
        page.run('symcontact.source.setSpeed(10)')
        page.until('symcontact.source.steps > 4500', 'the end of the scene')
        page.until('symcontact.source.steps < 4000', 'its start')
        sees_ball_and_floor(page)
        assert page.run('symcontact.source.time') > 600.0
        page.page.click('#loop')
        page.until(f'{BALL_IS} > 12', 'the ball rolls on')
        sees_ball_and_floor(page)
        moves_the_view_away_and_back(page)
        page.page.click('#loop')
        page.until(f'{BALL_IS} < 4', 'the start, as the end was passed')
        sees_ball_and_floor(page)
        page.run(PUSH)
        page.until('!symcontact.source.isLooping', 'whoever takes part is not interrupted')
        page.page.close()
        assert not page.errors, '\n'.join(page.errors)


PUSH = f"""() => symcontact.source.send('push', {{ body: 'ball', force: [1, 0, 0],
  point: [...symcontact.source.instant.motions.slice(13 * {BALL}, 13 * {BALL} + 3)] }})"""


def moves_the_view_away_and_back(page):
    """Drag the view: it stays there, whatever the ball does, until it is fitted again."""
    page.page.mouse.move(100, 150)
    page.page.mouse.down()
    page.page.mouse.move(600, 150, steps=4)
    page.page.mouse.up()
    page.frames(3)
    assert moving_pixels(page) == (0, ['ball'])
    page.page.keyboard.press('f')
    sees_ball_and_floor(page)
