"""Every shipped model in a browser, with both detectors and all integrators: native hashes."""

from helpers.browser import browser, shown
import pytest

import symcontact_ros as sc
from symcontact_ros.model.installed_files import shipped_models
from symcontact_ros.web.page_file import page_text

INTEGRATORS = ('rk4', 'verlet', 'semi_implicit', 'implicit', 'implicit2', 'auto')


@pytest.fixture(scope='module')
def running():
    with browser() as chromium:
        yield chromium


@pytest.mark.deep
@pytest.mark.timeout(900)
@pytest.mark.parametrize('name', sorted(shipped_models()))
def test_a_page_equals_the_native_run_in_every_way(name, running, tmp_path):
    model = sc.load_model(name)
    ways = [(detector, way) for detector in ('sat', 'co') for way in INTEGRATORS]
    sims = [sc.Simulation(model, *way) for way in ways]
    path = tmp_path / 'page.html'
    path.write_text(page_text(sims), 'utf-8')
    with shown(running, path) as page:
        for number in range(len(ways)):
            page.run(
                """async (way) => { const { app, source } = symcontact; app.verified = null;
                source.pause(); await source.choose(way); app.check(); }""",
                number,
            )
            found = page.until('symcontact.app.verified', f'the comparison of {ways[number]}')
            assert found['isEqual'], ways[number]
