"""A page of a planar model in a real browser: every control does what it says."""

from helpers.browser import browser, shown
import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.web.page_file import page_text

pytestmark = pytest.mark.timeout(240)

HOSTILE = (
    '#',
    '#x=',
    '#model=bouncing_circle',
    '#model=bouncing_circle&n=1&x=AAAA',
    '#model=bouncing_circle&n=1e999&x=',
    '#model=bouncing_circle&n=-4&p=m:1',
    '#model=bouncing_circle&n=3&p=m:1e400,m:NaN,__proto__:3,constructor:1,m:,R:-1',
    '#model=bouncing_circle&n=5&x=' + '_' * 4000,
    '#model=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&n=1',
    '#%E0%A4%A&model=bouncing_circle&n=%00',
    '#model=bouncing_circle&n=7&v=co.nothing&p=' + 'm:2,' * 5000,
    '#' + 'A' * 300_000,
)


@pytest.fixture(scope='module')
def page_file(tmp_path_factory):
    """Return the page of the bouncing circle, with two ways to simulate it."""
    model = sc.load_model('bouncing_circle')
    sims = [sc.Simulation(model, 'sat', 'rk4'), sc.Simulation(model, 'co', 'implicit2')]
    path = tmp_path_factory.mktemp('pages') / 'page.html'
    path.write_text(page_text(sims, '<b>"Ball"</b></script>&', 'it & <i>bounces</i>'), 'utf-8')
    return path


@pytest.fixture(scope='module')
def running():
    with browser() as chromium:
        yield chromium


@pytest.fixture(scope='module')
def ball(running, page_file):
    """Return the page in a browser; every test starts it again."""
    with shown(running, page_file) as page:
        yield page


@pytest.fixture(autouse=True)
def at_the_start(request):
    if 'ball' in request.fixturenames:
        page = request.getfixturevalue('ball')
        page.run("""() => { const s = symcontact.source; s.pause(); s.setPull(null);
          symcontact.app.sliders.restore(); s.isLooping = true; s.reset(); }""")
        page.frames()


def steps(page):
    return page.run('symcontact.source.steps')


def value(page, name):
    return page.run('(name) => symcontact.source.values[name]', name)


def test_its_run_equals_the_native_one_bit_for_bit_in_each_way(ball):
    for detector in ('sat', 'co'):
        ball.run('() => { symcontact.app.verified = null; }')
        ball.page.select_option('#detector', detector)
        found = ball.until('symcontact.app.verified', 'the comparison')
        assert found == {'isEqual': True, 'steps': 5000}
        # A comparison of before may have ended just then, and the one of now goes on.
        equal = "document.querySelector('#badge').innerText.startsWith('Equal to the native run')"
        ball.until(equal, 'the badge of the comparison')
    assert ball.run('symcontact.source.description.integrator') == 'implicit2'
    ball.page.select_option('#integrator', 'rk4')
    ball.until("symcontact.source.description.detector === 'sat'", 'the first way again')


def test_the_page_itself_makes_steps_with_the_bits_of_the_native_run(ball):
    native = sc.Simulation(sc.load_model('bouncing_circle'), 'sat', 'rk4')
    native.step(700)
    ball.run("""() => { const s = symcontact.source; s.seek(0.9); s.seek(0.35);
      while (s.steps < 700) s.seek(0.7); }""")  # on, back by a snapshot, and on again
    assert ball.run('symcontact.source.stateHash()') == native.state_hash()


def test_titles_and_texts_are_texts(ball):
    assert ball.page.inner_text('h1') == '<b>"Ball"</b></script>&'
    assert ball.page.inner_text('#text') == 'it & <i>bounces</i>'
    assert ball.page.title() == '<b>"Ball"</b></script>&'
    assert ball.run("document.querySelectorAll('h1 *, #text *').length") == 0


def test_it_plays_pauses_and_steps_by_buttons_and_keys(ball):
    ball.page.click('#play')
    ball.until('symcontact.source.steps > 20', 'it plays')
    assert ball.page.get_attribute('#play', 'aria-label') == 'Pause'
    ball.page.focus('#over')
    ball.page.keyboard.press('Space')
    before = steps(ball)
    ball.frames(3)
    assert steps(ball) == before
    ball.page.keyboard.press('ArrowRight')
    ball.page.click('#step')
    assert steps(ball) == before + 2
    ball.page.focus('#over')
    ball.page.keyboard.press('ArrowLeft')
    ball.page.click('#stepBack')
    assert steps(ball) == before
    ball.page.focus('#over')
    ball.page.keyboard.press('r')
    assert steps(ball) == 0


def test_time_goes_back_and_the_run_that_was_left_stays_as_a_ghost(ball):
    ball.run('() => { for (let t = 0; t <= 3; t += 0.05) symcontact.source.seek(t); }')
    ball.frames()
    ball.page.click('#rewind')
    assert ball.run('symcontact.source.time') == pytest.approx(1.0, abs=0.05)
    ball.frames()
    assert ball.run('symcontact.app.stage.ghost.at(symcontact.source.time + 0.1) !== null')
    ball.run("""() => { const line = document.getElementById('when'); line.value = 0.5;
      line.dispatchEvent(new Event('input')); }""")
    assert steps(ball) == 500
    rows = ball.run('symcontact.app.panel.history.rows.map((row) => row.time)')
    ball.frames()
    assert max(rows) <= 0.5 + 1e-9
    assert rows == sorted(rows)


def test_speed_goes_from_a_hundredth_to_ten_times(ball):
    for place, speed, told in (
        (-2, 0.01, '0.01\N{MULTIPLICATION SIGN}'),
        (1, 10, '10\N{MULTIPLICATION SIGN}'),
        (0, 1, '1\N{MULTIPLICATION SIGN}'),
    ):
        ball.run(
            """(at) => { const s = document.getElementById('speed'); s.value = at;
          s.dispatchEvent(new Event('input')); }""",
            place,
        )
        assert ball.run('symcontact.source.speed') == speed
        assert ball.page.inner_text('#speedOut') == told


def test_at_the_end_it_begins_anew_if_it_loops(ball):
    ball.run('() => { while (symcontact.source.time < 4.9) symcontact.source.seek(4.95); }')
    ball.page.click('#play')
    ball.until('symcontact.source.time < 4', 'the start again')
    ball.page.click('#loop')
    assert ball.page.get_attribute('#loop', 'aria-pressed') == 'false'


def test_a_slider_acts_at_the_next_step_and_goes_back(ball):
    row = ball.page.locator('.slider[data-symbol="m"]')
    row.locator('input[type=range]').focus()
    ball.page.keyboard.press('PageUp')
    assert value(ball, 'm') > 1.5
    assert 'changed' in row.get_attribute('class')
    native = sc.Simulation(sc.load_model('bouncing_circle'), 'sat', 'rk4')
    native.set_parameters({'m': value(ball, 'm')})
    native.step(40)
    ball.run('() => { symcontact.source.step(40); }')
    assert ball.run('symcontact.source.stateHash()') == native.state_hash()
    row.locator('.undo').click()
    assert value(ball, 'm') == 1.0


def test_numbers_can_be_typed_and_wrong_ones_are_refused(ball):
    field = ball.page.locator('.slider[data-symbol="R"] input[type=text]')
    field.fill('0.25')
    field.press('Enter')
    assert value(ball, 'R') == 0.25
    assert ball.run('symcontact.source.geometry.shapes[0].numbers') == [0.25]
    for wrong in ('77', 'a', '', '1e999'):
        field.fill(wrong)
        field.press('Enter')
        assert value(ball, 'R') == 0.25
    ball.page.click('#restore')
    assert value(ball, 'R') == 0.2
    assert ball.page.locator('#restore').is_hidden()


def test_every_live_symbol_has_a_slider(ball):
    names = set(sc.load_model('bouncing_circle').symbols)
    assert (
        set(ball.run("[...document.querySelectorAll('.slider')].map((s) => s.dataset.symbol)"))
        == names
    )


def centroid(page):
    """Return where the pixels of the ball are, and where its pose says [px of the canvas]."""
    return page.run("""() => {
      const { stage } = symcontact.app, canvas = document.getElementById('bodies');
      stage.isStale = true; stage.draw(performance.now());
      const pen = canvas.getContext('2d'), { width, height } = canvas;
      const { data } = pen.getImageData(0, 0, width, height);
      let [n, x, y] = [0, 0, 0];
      for (let i = 0; i < width * height; i++) {
        const [r, g, b] = data.subarray(4 * i, 4 * i + 3);
        if (b > r + 25) { n++; x += i % width; y += Math.floor(i / width); }
      }
      const body = stage.scene.bodies.findIndex(({ name }) => name === 'ball');
      const pose = stage.camera.to(stage.scene.com(body));
      return { pixels: [x / n + 0.5, y / n + 0.5], pose, n, scale: stage.camera.scale };
    }""")


def test_the_pixels_of_a_body_move_as_its_pose_does(ball):
    places = []
    for time in (0.0, 0.25, 0.7):
        ball.run('(t) => { symcontact.source.seek(t); }', time)
        ball.frames()
        found = centroid(ball)
        assert np.allclose(found['pixels'], found['pose'], atol=1.0)
        # Half of its outline, 2 px wide, is outside.
        assert found['n'] == pytest.approx(np.pi * (0.2 * found['scale'] + 1.0) ** 2, rel=0.06)
        places.append(found['pixels'])
    assert np.linalg.norm(np.subtract(places[0], places[2])) > 40


def test_dragging_a_body_pulls_it_by_a_spring_that_is_drawn(ball):
    x, y = centroid(ball)['pose']
    ball.page.mouse.move(x, y)
    ball.page.mouse.down()
    ball.page.mouse.move(x + 150, y - 40, steps=3)
    pulls = 'symcontact.source.pull && Math.hypot(...symcontact.source.pull.force)'
    assert ball.run(pulls) > 10.0
    ball.page.keyboard.press('Space')
    ball.until('symcontact.source.steps > 150', 'it moves')
    assert ball.run('symcontact.source.instant.energies.workIn') > 0.1
    ball.page.mouse.up()
    assert ball.run('symcontact.source.pull') is None
    assert ball.run('symcontact.source.isLooping') is False


def test_dragging_the_background_moves_the_view_and_the_wheel_zooms(ball):
    before = ball.run('({ ...symcontact.app.stage.camera })')
    ball.page.mouse.move(500, 150)
    ball.page.mouse.down()
    ball.page.mouse.move(560, 190)
    ball.page.mouse.up()
    ball.page.mouse.wheel(0, -300)
    ball.frames()
    after = ball.run('({ ...symcontact.app.stage.camera })')
    assert after['scale'] > 1.2 * before['scale']
    ball.page.focus('#over')
    ball.page.keyboard.press('f')
    assert ball.run('symcontact.app.stage.camera.scale') == pytest.approx(before['scale'])


def test_everything_that_is_shown_can_be_hidden(ball):
    ball.run('() => { while (symcontact.source.time < 0.43) symcontact.source.seek(0.43); }')
    ball.page.click('#show summary')
    for name in ball.run('Object.keys(symcontact.app.stage.shown)'):
        before = ball.run('(name) => symcontact.app.stage.shown[name]', name)
        ball.page.click(f'#show-{name}')
        ball.frames()
        assert ball.run('(name) => symcontact.app.stage.shown[name]', name) is not before
        ball.page.click(f'#show-{name}')
    ball.page.keyboard.press('Escape')
    assert not ball.run("document.getElementById('show').open")
    picture = "document.getElementById('over').toDataURL()"
    with_names = ball.run(picture)
    ball.page.focus('#over')
    ball.page.keyboard.press('n')
    ball.frames()
    assert ball.run(picture) != with_names
    ball.page.keyboard.press('n')


def test_dark_and_light_change(ball):
    before = ball.run('document.documentElement.dataset.theme')
    ball.page.click('#theme')
    assert ball.run('document.documentElement.dataset.theme') != before
    ball.page.click('#theme')
    assert ball.run('document.documentElement.dataset.theme') == before == 'light'


def test_a_link_brings_symbols_and_state_to_another_page(ball, running, page_file):
    ball.run('() => { symcontact.source.setParameters({ m: 2.5 }); symcontact.source.seek(0.3); }')
    ball.page.click('#share')
    fragment = ball.run('location.hash')
    wanted = ball.run('Array.from(symcontact.source.engine.state)')
    with shown(running, page_file, fragment) as other:
        assert other.run('Array.from(symcontact.source.engine.state)') == wanted
        assert other.run('symcontact.source.steps') == 300
        assert value(other, 'm') == 2.5
        assert other.run('symcontact.source.isPlaying') is False
    ball.run("() => { history.replaceState(null, '', location.pathname); }")


def test_no_fragment_breaks_the_page(running, page_file):
    with shown(running, page_file, HOSTILE[0]) as page:
        for fragment in HOSTILE:
            page.run('(hash) => { location.hash = hash; }', fragment)
            page.run('() => { symcontact.source.pause(); symcontact.source.step(1); }')
            page.frames()
            finite = 'Array.from(symcontact.source.engine.state).every(Number.isFinite)'
            assert page.run(finite), fragment
            assert page.page.locator('#failure').is_hidden()
            assert value(page, 'R') == 0.2


def test_a_run_that_diverges_is_told_kindly_and_starts_again(ball):
    ball.run("""() => { const { source } = symcontact;
      source.engine.setWrench('ball', [1e300, 0, 0]); source.step(5); }""")
    ball.frames()
    assert "body 'ball'" in ball.page.inner_text('#why')
    ball.page.click('#again')
    ball.until('symcontact.source.steps > 10', 'it plays again')
    assert ball.page.locator('#failure').is_hidden()


def test_plots_and_ledger_show_the_run(ball):
    empty = ball.run("document.getElementById('force').toDataURL()")
    ball.run('() => { while (symcontact.source.time < 1.2) symcontact.source.seek(1.2); }')
    ball.frames(6)
    assert ball.run("document.getElementById('force').toDataURL()") != empty
    words = ball.page.inner_text('#ledger')
    for name in ('Kinetic', 'Potential', 'Elastic', 'Dissipated', 'Work in', 'Residual'):
        assert name in words
    ledger = ball.run('symcontact.source.instant.energies')
    native = sc.Simulation(sc.load_model('bouncing_circle'), 'sat', 'rk4')
    native.step(1200)
    assert ledger['dissipated'] == pytest.approx(native.energy().dissipated, rel=1e-12)
    assert ledger['kinetic'] == pytest.approx(native.energy().kinetic, rel=1e-12)


def test_equations_have_the_numbers_of_now(ball):
    ball.page.click('#equations summary')
    assert ball.run("document.querySelectorAll('#formulas math').length") >= 5
    before = ball.page.inner_text('#formulas')
    ball.page.check('#numbersOn')
    assert '9.81' in ball.page.inner_text('#formulas')
    ball.page.uncheck('#numbersOn')
    assert ball.page.inner_text('#formulas') == before


def test_one_who_wants_no_motion_starts_it(running, page_file):
    with shown(running, page_file, reduced_motion='reduce') as page:
        page.frames(3)
        assert steps(page) == 0


def test_a_phone_shows_all_of_it_and_fingers_pull(running, page_file):
    phone = {'width': 390, 'height': 844}
    with shown(running, page_file, viewport=phone, has_touch=True, device_scale_factor=2) as page:
        assert page.run('document.documentElement.scrollWidth') <= 390
        assert page.run("document.getElementById('bodies').width") == 780  # crisp
        page.run('() => { symcontact.source.pause(); symcontact.source.reset(); }')
        page.frames()  # hits are those of what is drawn
        x, y = centroid(page)['pose']
        page.run(
            """([x, y]) => { const over = document.getElementById('over');
          over.setPointerCapture = () => {};
          const at = (type, dx) => over.dispatchEvent(new PointerEvent(type, { pointerId: 5,
            pointerType: 'touch', clientX: x + dx, clientY: y, button: 0, buttons: 1,
            bubbles: true }));
          at('pointerdown', 0); at('pointermove', 60); }""",
            [x, y],
        )
        assert page.run('symcontact.source.pull.force[0]') > 10.0
