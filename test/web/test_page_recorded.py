"""A page of a recorded run in a real browser: inputs act at their steps, bits are equal."""

from helpers.browser import browser, shown
import pytest

import symcontact_ros as sc
from symcontact_ros.cli.main import main
from symcontact_ros.recording.logged_simulation import LoggedSimulation
from symcontact_ros.recording.page_run import page_run
from symcontact_ros.recording.run_reader import RunReader
from symcontact_ros.recording.run_writer import RunWriter

pytestmark = pytest.mark.timeout(240)

ARM = """\
name: arm
dimension: 2
parameters: {m: {value: 1.0, min: 0.1, max: 10.0}}
bodies:
  upper: {mass: m, inertia: {izz: 0.5}, com: [0.3, 0, 0],
          joint: {type: revolute, name: shoulder, servo: {kp: 50.0, kd: 10.0}}}
  slider: {mass: 2.0, inertia: {izz: 0.1}, joint: {type: prismatic, axis: [1, 0, 0], name: rail}}
  ball: {mass: 1.0, shapes: [{type: circle, radius: 0.1}], initial: {position: [2, 0.15, 0]}}
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 1, 0]}]}
"""
HASH_AT = """async (steps) => {
  const { source } = symcontact;
  source.pause();
  for (let i = 0; i < 100 && source.steps !== steps; i++) source.seek(steps * source.stepSize);
  return [source.steps, source.stateHash(), source.values.m];
}"""


@pytest.fixture(scope='module')
def running():
    with browser() as chromium:
        yield chromium


@pytest.fixture(scope='module')
def file(tmp_path_factory):
    """Return a recording with inputs, and a reset at its end."""
    folder = tmp_path_factory.mktemp('recorded')
    (folder / 'arm.yaml').write_text(ARM)
    model = sc.load_model(folder / 'arm.yaml')
    simulation = LoggedSimulation(model, integrator='rk4')
    simulation.set_parameters({'m': 2.0})
    simulation.reset()
    writer = RunWriter(folder / 'run.mcap', simulation)
    simulation.set_effort('rail', 0.4)
    simulation.step(103)
    simulation.set_wrench('ball', (1.0, 0.1, 0.0), point=(2.1, 0.2, 0.0))
    simulation.set_target('shoulder', 0.3)
    simulation.step(250)
    writer.mark()
    simulation.set_parameters({'m': 0.7})
    simulation.clear_wrenches()
    simulation.release('rail')
    simulation.step(147)
    simulation.release('shoulder')
    simulation.step(200)
    writer.mark()
    simulation.reset()
    simulation.step(10)
    writer.close()
    return folder / 'run.mcap'


def test_the_browser_comes_to_the_recorded_states(file, running, tmp_path, capsys):
    page = tmp_path / 'page.html'
    assert main(['replay', str(file), '--verify', '--export', str(page)]) == 0
    assert 'it ends before reset at 0.7 s' in capsys.readouterr().out
    marks = {e.step: e.state_hash for e in RunReader(file).entries() if e.state_hash}
    with shown(running, page) as arm:
        assert arm.run('symcontact.source.end') == pytest.approx(0.7)
        for step, m in ((700, 0.7), (353, 2.0), (700, 0.7)):  # there, back and there again
            steps, found, value = arm.run(HASH_AT, step)
            assert (steps, value) == (step, m)
            assert found == marks[step]
        arm.run('symcontact.source.reset()')
        assert arm.run('symcontact.source.values.m') == 2.0
        assert arm.run(HASH_AT, 700)[1] == marks[700]


def test_a_run_that_starts_later_starts_there(running, tmp_path):
    state, page = tmp_path / 'half.state', tmp_path / 'page.html'
    words = ['simulate', 'bouncing_circle', '--duration', '0.3', '--checkpoint', str(state)]
    assert main(words) == 0
    words = ['simulate', 'bouncing_circle', '--duration', '0.2', '--resume', str(state)]
    assert main([*words, '--animate', str(page), '--record', str(tmp_path / 'run.mcap')]) == 0
    simulation, run, missing = page_run(RunReader(tmp_path / 'run.mcap'))
    assert (simulation.steps, run['start']['steps'], run['end'], missing) == (300, 300, 500, '')
    with shown(running, page) as ball:
        ball.run('() => { symcontact.source.pause(); symcontact.source.reset(); }')
        assert ball.run('symcontact.source.steps') == 300
        assert ball.run(HASH_AT, 500)[1] == run['hash']


def test_what_no_browser_can_run_is_refused_before_the_run(tmp_path, capsys):
    words = ['simulate', 'bouncing_circle', '--integrator', 'reference', '--animate']
    assert main([*words, str(tmp_path / 'page.html')]) == 2
    assert 'no browser has' in capsys.readouterr().err
