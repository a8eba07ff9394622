"""Figures and moving pictures of runs: their contents, not their beauty."""

import re
import struct
import subprocess
import sys

from helpers.places import ROOT
import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.cli.animation import Animation
from symcontact_ros.cli.contact_monitor import ContactMonitor
from symcontact_ros.cli.main import main
from symcontact_ros.cli.recording import Recorder
from symcontact_ros.cli.run_panels import Panels

pytest.importorskip('matplotlib')

SLIDING = """\
gravity: [0, -10, 0]
dimension: 2
materials: {default: {stiffness: 1e6, damping: 0.1, friction: 0.5, slip_speed: 0.001}}
bodies:
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 1, 0]}]}
  brick: {mass: 2, shapes: [{type: rectangle, half_extents: [0.2, 0.1]}],
          initial: {position: [0, 0.1, 0], velocity: [5, 0, 0]}}
"""


def simulate(*words):
    return main(['simulate', *map(str, words)])


def test_a_title_has_all_that_makes_a_run_again(tmp_path):
    file = tmp_path / 'run.svg'
    assert simulate('bouncing_circle', '--plot', file, '--width', 'column') == 0
    texts = re.findall(r'<!-- (.*?) -->', file.read_text(), re.S)
    title = ' '.join(texts)
    assert r'bouncing\_circle' in title
    for words in ('elastic-plastic', 'k = ', 'c = 0.2 s/m', 'detector sat', 'rk4', '1 ms'):
        assert words in title, title
    assert f'symcontact_ros {sc.__version__}' in title
    for words in ('Normal force', 'Friction', 'Depth of contacts', 'Energy', 'ball - floor'):
        assert any(words in text for text in texts), words


@pytest.mark.parametrize(('width', 'dots'), [('column', 1050), ('page', 2148)])
def test_widths_are_those_of_journals(tmp_path, width, dots):
    file = tmp_path / 'run.png'
    panels = ['scene', 'z', 'speed', 'spin', 'distance', 'residual']
    words = ['sphere_cuboid', '--duration', 0.5, '--width', width, '--plot', file, '--panels']
    assert simulate(*words, *panels) == 0
    assert struct.unpack('>I', file.read_bytes()[16:20]) == (dots,)  # 3.5 and 7.16 in at 300 dpi


def test_panels_that_there_are_not_are_refused_before_the_run(tmp_path, capsys):
    file = tmp_path / 'run.png'
    assert simulate('bouncing_circle', '--plot', file, '--panels', 'forces') == 2
    assert '--panels must be one of scene, x, y, z, angle' in capsys.readouterr().err
    assert simulate('bouncing_circle', '--plot', file, '--panels', 'scene', 'z') == 2
    assert '--panels z: this model has scene, x, y, angle' in capsys.readouterr().err
    assert not file.exists()


def sampled(simulation, stride, count):
    """Run as the command does; return samples and monitor."""
    recorder, monitor = Recorder(simulation, True), ContactMonitor(simulation, stride, True)
    recorder.sample()
    for _ in range(count // stride):
        end = simulation.steps + stride
        while simulation.steps < end:
            simulation.step(min(monitor.stride, end - simulation.steps))
            monitor.sample()
        recorder.sample()
        monitor.sample_distances()
    return recorder, monitor


def test_no_peak_is_missed_between_the_samples():
    simulation = sc.Simulation(sc.load_model('circle_circle'), step_size=1e-4)
    _, monitor = sampled(simulation, 100, 15_000)
    simulation.reset()
    largest = 0.0
    for _ in range(15_000):
        simulation.step()
        forces = [float(np.linalg.norm(c.force)) for c in simulation.contacts()]
        largest = max(largest, *forces, 0.0)
    peak = monitor.peaks['left', 'right']
    assert peak.force == pytest.approx(largest, rel=1e-12)
    rows = np.array(monitor.histories['left', 'right'].contacts)
    assert np.hypot(rows[:, 1], rows[:, 2]).max() == pytest.approx(largest, rel=1e-12)


def test_normal_force_and_friction_have_their_signs(write_model):
    simulation = sc.Simulation(sc.load_model(write_model(SLIDING)))
    _, monitor = sampled(simulation, 10, 200)
    rows = np.array(monitor.histories['brick', 'floor'].contacts)
    pressed = rows[rows[:, 3] > 0.0]
    assert len(pressed) > 50
    assert (pressed[:, 1] >= 0.0).all()  # the floor, B, is pushed away
    # It is dragged along x, which is to the left of the normal, down: mu F_N.
    assert pressed[:, 2] == pytest.approx(0.5 * pressed[:, 1], rel=1e-6)


def test_lines_are_the_energies_of_the_summary():
    from matplotlib.figure import Figure

    simulation = sc.Simulation(sc.load_model('bouncing_circle'))
    recorder, monitor = sampled(simulation, 10, 1000)
    axes = Figure().add_subplot()
    Panels(simulation, recorder.recording(), monitor, 80).draw('energy', axes, last=True)
    ends = {line.get_label(): line.get_ydata()[-1] for line in axes.get_lines()}
    energy = simulation.energy()
    for name in ('kinetic', 'potential', 'dissipated', 'mechanical'):
        assert ends[name] == pytest.approx(getattr(energy, name), rel=1e-12)
    assert ends['balance'] == pytest.approx(energy.mechanical - energy.residual, rel=1e-12)


@pytest.mark.parametrize('model', ['bouncing_circle', 'sphere_cuboid'])
def test_a_moving_picture_moves(tmp_path, model):
    from PIL import Image

    file = tmp_path / 'run.gif'
    assert simulate(model, '--duration', 0.4, '--animate', file) == 0
    with Image.open(file) as picture:
        assert picture.n_frames == 11  # 25 a second
        assert picture.info['loop'] == 0
        places = []
        for frame in range(11):
            picture.seek(frame)
            dots = np.asarray(picture.convert('RGB')).astype(int)
            coloured = dots.max(axis=2) - dots.min(axis=2) > 60
            places.append(np.argwhere(coloured).mean(axis=0))
    rows, columns = np.array(places).T
    assert columns[-1] > columns[0] + 5  # to the right
    if model == 'bouncing_circle':
        assert rows[-1] > rows[0] + 50  # and down


def test_a_film_is_made_by_ffmpeg(tmp_path):
    imageio_ffmpeg = pytest.importorskip('imageio_ffmpeg')
    file = tmp_path / 'run.mp4'
    assert simulate('bouncing_circle', '--duration', 0.2, '--animate', file) == 0
    frames = imageio_ffmpeg.read_frames(str(file))
    about = next(frames)
    assert about['codec'].startswith('h264') and about['fps'] == 25.0
    assert sum(1 for _ in frames) == 6


def test_without_ffmpeg_a_film_is_refused_with_a_way_out(tmp_path):
    code = (
        'import os, sys\n'
        "os.environ['PATH'] = ''\n"
        "sys.modules['imageio_ffmpeg'] = None\n"
        'from symcontact_ros.cli.main import main\n'
        f"sys.exit(main(['simulate', 'cart_pole', '--animate', {str(tmp_path / 'a.mp4')!r}]))"
    )
    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)
    assert done.returncode == 2
    assert 'apt install ffmpeg' in done.stderr and '.gif' in done.stderr


def test_impacts_between_frames_are_shown():
    simulation = sc.Simulation(sc.load_model('circle_circle'))
    recorder, monitor = sampled(simulation, 10, 2000)
    film = Animation(simulation, recorder.recording(), recorder.contact_points, monitor)
    assert '51 frames, 1 x real time' in film.words


def test_every_picture_of_the_pages_is_made_by_a_command():
    sys.path.insert(0, str(ROOT / 'tools'))
    import pictures

    made = {*pictures.sources(), *pictures.BY_HAND}
    used = set()
    for page in (ROOT / 'README.md', *(ROOT / 'docs').rglob('*.md')):
        used |= set(re.findall(r'\]\((?:docs/|\.\./)?images/([\w.]+)\)', page.read_text()))
    there = {path.name for path in (ROOT / 'docs' / 'images').iterdir()}
    assert used == made == there - {'pictures.json'}


def test_check_draws_every_shape_in_a_colour(tmp_path, capsys):
    file = tmp_path / 'shapes.svg'
    (tmp_path / 'model.yaml').write_text(
        'dimension: 3\nbodies:\n  ground: {fixed: true, shapes: ['
        '{type: height_field, heights: [[0, 0], [0, 0]], size: [2, 2]}]}\n'
        '  dumbbell: {mass: 1, joint: {type: free}, initial: {position: [0, 0, 1]}, shapes: ['
        '{type: sphere, radius: 0.2}, {type: box, half_extents: [0.3, 0.1, 0.1]}]}\n'
    )
    assert main(['check', str(tmp_path / 'model.yaml'), '--plot', str(file)]) == 0
    assert f'shapes in {file}' in capsys.readouterr().out
    text = file.read_text()
    assert ': 3 shapes' in re.findall(r'<!-- (.*?) -->', text, re.S)[-1]
    shades = {tuple(bytes.fromhex(c)) for c in re.findall(r'fill: #([0-9a-f]{6})', text)}
    assert any(r > 1.5 * b and r > g for r, g, b in shades)  # the second colour is orange
    assert any(b > 1.5 * r for r, _, b in shades)  # the first is blue
    assert main(['check', 'bouncing_circle', '--plot', str(tmp_path / 'x.gif')]) == 2
    assert main(['check', 'bouncing_circle', '--plot', str(tmp_path / 'plane.png')]) == 0
