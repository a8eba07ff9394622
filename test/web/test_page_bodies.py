"""Pages of models in a browser: the bodies are there to be seen, in the run and at its end."""

from helpers.browser import browser, shown
from helpers.drawn_pixels import moving_pixels
import pytest

import symcontact_ros as sc
from symcontact_ros.model.installed_files import shipped_models
from symcontact_ros.web.page_file import page_text

pytestmark = pytest.mark.timeout(240)
# A ball on a line of ground, rods without shapes, solids in space.
USUAL = ('bouncing_circle', 'cart_pole', 'sphere_cuboid')
FEWEST = 500  # pixels: a disc of 25 in diameter
PHONE = {'width': 390, 'height': 760}

FAR_AND_FAST = """
name: apart
dimension: 3
gravity: [0, 0, -9.81]
duration: 20
bodies:
  hub: {mass: 10, shapes: [{type: box, half_extents: [0.5, 0.5, 0.5]}],
    initial: {position: [1.0e6, 2.0e6, 0]}}
  junk: {mass: 1, shapes: [{type: sphere, radius: 0.2}],
    initial: {position: [1.0e6, 2000002, 0], velocity: [7, 7, 1]}}
"""


@pytest.fixture(scope='module')
def running():
    with browser() as chromium:
        yield chromium


@pytest.fixture(scope='module')
def file_of(tmp_path_factory):
    """Return the page of a model, as a file; each is made once."""
    folder = tmp_path_factory.mktemp('pages')

    def made(model):
        path = folder / f'{model.name}.html'
        if not path.exists():
            path.write_text(page_text([sc.Simulation(model)]), 'utf-8')
        return path

    return made


def goes_to(page, time):
    page.run(
        """(time) => { const { source } = symcontact; source.pause(); source.isLooping = false;
        const end = Math.min(time, source.end) - source.stepSize / 2;
        const next = () => source.seek(Math.min(source.time + 0.1, time));
        while (source.time < end && !source.failure) next(); }""",
        time,
    )
    page.frames(3)


def sees_all(running, path, window):
    with shown(running, path, viewport=window) as page:
        page.run('() => symcontact.source.pause()')
        end = page.run('symcontact.source.end')
        for time in (0.0, min(2.0, end), end):
            goes_to(page, time)
            count, outside = moving_pixels(page)
            assert count >= FEWEST, f'{count} pixels at {time} s'
            assert outside == [], f'at {time} s'


@pytest.mark.parametrize('name', USUAL)
def test_the_bodies_of_a_model_are_seen_in_the_run_and_at_its_end(name, running, file_of):
    sees_all(running, file_of(sc.load_model(name)), {'width': 1100, 'height': 760})


@pytest.mark.deep
@pytest.mark.parametrize('window', [{'width': 1100, 'height': 760}, PHONE], ids=['wide', 'phone'])
@pytest.mark.parametrize('name', sorted(shipped_models()))
def test_the_bodies_of_every_model_are_seen(name, window, running, file_of):
    sees_all(running, file_of(sc.load_model(name)), window)


def test_bodies_that_fly_apart_far_from_the_origin_are_followed_and_pointed_to(
    running, file_of, tmp_path
):
    path = tmp_path / 'apart.yaml'
    path.write_text(FAR_AND_FAST)
    with shown(running, file_of(sc.load_model(str(path)))) as page:
        over = "document.getElementById('over').toDataURL()"
        goes_to(page, 15.0)  # junk is 150 m away from the hub, and both have fallen by a kilometre
        count, outside = moving_pixels(page)
        assert count >= FEWEST
        assert outside == ['junk']
        with_arrow = page.run(over)
        page.run(
            """() => { const { stage } = symcontact.app; stage.framing.reaches.delete(1);
            stage.isStale = true; }"""
        )
        page.frames()
        assert page.run(over) != with_arrow
