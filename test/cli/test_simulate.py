"""``symcontact simulate``: real runs, their files, and every way they can go wrong."""

import contextlib
import io
import os
import pty
import re
import resource
import signal
import struct
import subprocess
import sys
import time

from helpers.model_texts import RUINED
import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.cli.main import main
from symcontact_ros.cli.recording import PLANAR, SPATIAL

DIVERGING = """\
materials: {default: {stiffness: 1e30, damping: 1e30, friction: 0, slip_speed: 0.1}}
bodies:
  floor: {fixed: true, shapes: [{type: half_space, normal: [0, 1, 0]}]}
  ceiling: {fixed: true, shapes: [{type: half_space, normal: [0, -1, 0], offset: -1e29}]}
  ball: {mass: 1, shapes: [{type: circle, radius: 1}],
         initial: {position: [0, 3.5e28, 0], velocity: [0, -1e30, 0]}}
"""


def command(*words):
    return [sys.executable, '-m', 'symcontact_ros', 'simulate', *map(str, words)]


def simulate(*words, **settings):
    return subprocess.run(command(*words), capture_output=True, text=True, **settings)


def refused(*words):
    """Return what a bad command is told; nothing must have been printed as a result."""
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        try:
            code = main(['simulate', *map(str, words)])
        except SystemExit as stop:
            code = stop.code
    assert (code, out.getvalue()) == (2, ''), error.getvalue()
    return error.getvalue()


def read_csv(path):
    """Return names, units, and columns by name."""
    header, *rows = path.read_text().splitlines()
    heads = [re.fullmatch(r'(\S+) \[(\S+)\]', head).groups() for head in header.split(',')]
    values = np.array([[float(number) for number in row.split(',')] for row in rows])
    names, units = zip(*heads, strict=True)
    return dict(zip(names, units, strict=True)), dict(zip(names, values.T, strict=True))


def test_a_run_tells_what_happened():
    result = simulate('circle_circle')
    assert result.returncode == 0, result.stderr
    assert result.stderr == ''  # no terminal, no bar
    out = result.stdout
    assert 'circle_circle: 2000 steps of 1 ms with rk4' in out
    assert re.search(r'simulated 2 s in \S+ s \(\S+ x real time\)', out)
    depth, force = re.search(r'left - right  deepest +(\S+) mm .* force +(\S+) N', out).groups()
    assert float(depth) == pytest.approx(23.4, rel=0.05)
    assert float(force) == pytest.approx(1e7 * 0.0234**3, rel=0.2)  # k rho^3, and damping
    assert re.search(r'substeps \d+; steps that needed more than 64: 0', out)
    assert re.search(r'mechanical energy +0.6325\d* = kinetic', out)
    assert re.search(r'residual +\S+ = \d.\de-07 of the energy throughput', out)
    assert re.search(r'  left +-1.337\d+ +-0.626\d+ +1.480\d+', out)


def test_a_model_in_which_nothing_moves_runs(write_model, tmp_path, recwarn):
    text = 'dimension: 3\nbodies: {table: {fixed: true, shapes: [{type: box, size: [1, 1, 1]}]}}'
    files = ['--record', tmp_path / 'run.csv', '--plot', tmp_path / 'run.png']
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert (
            main(['simulate', str(write_model(text)), '--duration', '0.01', *map(str, files)]) == 0
        )
    assert 'no body moves' in out.getvalue()
    assert not [w for w in recwarn if 'No artists' in str(w.message)]


def test_options_reach_the_simulation():
    result = simulate(
        *('rectangle_rectangle', '--duration', 0.5, '--step-size', 5e-4, '--integrator', 'verlet'),
        *('--detector', 'sat', '--max-substeps', 7, '--manifold', 'single'),
        *('--set', 'm1=4', 'm2=2', '--set', 'materials.default.friction=0'),
    )
    assert result.returncode == 0, result.stderr
    assert '1000 steps of 0.5 ms with verlet' in result.stdout
    assert 'needed more than 7:' in result.stdout
    # Twice the mass, twice the energy, and nothing that worked on it to get there.
    assert 'start 2.29271 + work in 0 + manifold' in result.stdout


def test_what_a_model_is_made_for_is_used_unless_options_differ(write_model):
    made = (
        'dimension: 2\nstep_size: 2e-3\nintegrator: verlet\ndetector: co\nbodies: {a: {mass: 1}}\n'
    )
    model = write_model(made.replace('{mass: 1}', '{mass: 1, inertia: {izz: 1}}'))
    result = simulate(model, '--duration', 0.01)
    assert '5 steps of 2 ms with verlet and co,' in result.stdout
    options = ('--step-size', 1e-3, '--integrator', 'auto', '--detector', 'sat')
    result = simulate(model, '--duration', 0.01, *options)
    assert '10 steps of 1 ms with auto: rk4 and sat,' in result.stdout


def test_a_csv_file_holds_everything_with_units(tmp_path):
    path = tmp_path / 'run.csv'
    result = simulate('circle_circle', '--record', path, '--sample-rate', 500)
    assert result.returncode == 0, result.stderr
    assert f'wrote {path}: 1001 samples of 25 columns' in result.stdout
    units, columns = read_csv(path)
    assert list(units)[:7] == ['time', *(f'left.{k}' for k in PLANAR)]
    assert list(units.values())[:7] == ['s', 'm', 'm', 'rad', 'm/s', 'm/s', 'rad/s']
    assert units['left-right.fx'] == 'N'
    assert units['left-right.depth'] == 'm'
    assert units['energy.residual'] == 'J'
    assert columns['time'] == pytest.approx(np.linspace(0.0, 2.0, 1001), abs=1e-12)
    simulation = sc.Simulation(sc.load_model('circle_circle'))
    for row in (0, 161, 1000):  # 161: in contact
        simulation.reset()
        simulation.step(2 * row)
        assert [columns[f'right.{k}'][row] for k in ('x', 'y', 'angle')] == pytest.approx(
            simulation.q[3:], abs=1e-12
        )
        force = simulation.contact_wrench('right', 'left').force
        assert [columns[f'left-right.f{k}'][row] for k in 'xyz'] == pytest.approx(force)
        assert columns['energy.kinetic'][row] == simulation.energy().kinetic  # repr: all digits
    assert columns['left-right.depth'].max() == pytest.approx(0.0234, rel=0.05)
    assert [path.name for path in tmp_path.iterdir()] == ['run.csv']  # nothing else is left


def test_an_npz_file_holds_the_same_names_as_arrays(tmp_path):
    for name in ('run.csv', 'run.npz'):
        assert main(['simulate', 'cart_pole', '--record', str(tmp_path / name)]) == 0
    units, columns = read_csv(tmp_path / 'run.csv')
    with np.load(tmp_path / 'run.npz', allow_pickle=False) as arrays:
        assert arrays['names'].tolist() == list(units)
        assert arrays['units'].tolist() == list(units.values())
        for name, column in columns.items():
            assert np.array_equal(arrays[name], column)
    assert (units['rail.position'], units['hinge.position']) == ('m', 'rad')
    assert (units['rail.velocity'], units['hinge.velocity']) == ('m/s', 'rad/s')
    assert columns['hinge.position'][0] == pytest.approx(0.1)


def test_spatial_bodies_have_quaternions(tmp_path):
    path = tmp_path / 'run.csv'
    assert main(['simulate', 'sphere_cuboid', '--duration', '0.1', '--record', str(path)]) == 0
    units, columns = read_csv(path)
    own = [name.partition('.')[2] for name in units if name.startswith('cuboid.')]
    assert own == list(SPATIAL)
    norm = np.linalg.norm([columns[f'cuboid.{k}'] for k in ('qx', 'qy', 'qz', 'qw')], axis=0)
    assert norm == pytest.approx(np.ones(11), abs=1e-12)


def test_angles_are_recorded_without_jumps(tmp_path):
    path = tmp_path / 'run.csv'
    assert main(['simulate', 'bouncing_circle', '--record', str(path)]) == 0
    angle = read_csv(path)[1]['ball.angle']
    assert np.abs(np.diff(angle)).max() < 0.5
    assert angle[-1] < -np.pi  # it rolls for more than half a turn


@pytest.mark.parametrize('model', ['bouncing_circle', 'sphere_cuboid', 'double_pendulum'])
def test_a_plot_is_a_picture(model, tmp_path):
    path = tmp_path / 'run.png'
    result = simulate(model, '--plot', path)
    assert (result.returncode, result.stderr) == (0, '')
    data = path.read_bytes()
    assert data[:8] == b'\x89PNG\r\n\x1a\n'
    assert struct.unpack('>I', data[16:20]) == (1875,)
    assert len(data) > 50_000  # there is something on it


def test_a_plot_can_be_a_vector_picture_of_any_shape(tmp_path, write_model, capsys):
    shapes = [
        '{type: circle, radius: 0.2}',
        '{type: rectangle, half_extents: [0.2, 0.1]}',
        '{type: capsule, radius: 0.1, half_length: 0.2}',
        '{type: polygon, vertices: [[-0.2, -0.1], [0.2, -0.1], [0, 0.25]]}',
    ]
    text = (
        'bodies:\n'
        '  floor: {fixed: true, shapes: [{type: half_space, normal: [0.1, 1, 0]}]}\n'
        '  wall: {fixed: true, shapes: [{type: rectangle, half_extents: [0.1, 1]}],\n'
        '         joint: {type: fixed, origin: {xyz: [2, 0.5, 0]}}}\n'
    )
    for i in range(12):  # more than there are colours
        where = f'{{position: [{0.5 * (i % 4) - 1:g}, {1 + 0.7 * (i // 4):g}, 0]}}'
        text += f'  body{i}: {{mass: 1, shapes: [{shapes[i % 4]}], initial: {where}}}\n'
    path = tmp_path / 'run.svg'
    words = ['simulate', str(write_model(text)), '--duration', '0.6', '--plot', str(path)]
    assert main(words) == 0
    assert 'contacts (sampled at 100 Hz): a higher --sample-rate' in capsys.readouterr().out
    picture = path.read_text()
    assert picture.startswith('<?xml')
    for words in ('Energy', 'Normal force', 'x [m]', '(2 that move least not shown)'):
        assert f'<!-- {words} -->' in picture or words in picture, words


def test_a_body_at_rest_can_be_drawn(tmp_path, write_model):
    model = write_model('gravity: [0, 0, 0]\nbodies: {a: {mass: 1, inertia: {izz: 1}}}\n')
    path = tmp_path / 'run.pdf'
    assert main(['simulate', str(model), '--duration', '0.001', '--plot', str(path)]) == 0
    assert path.read_bytes().startswith(b'%PDF')


def test_a_resumed_run_is_the_uninterrupted_one_bit_for_bit(tmp_path):
    whole, half, both = (tmp_path / name for name in ('whole', 'half', 'both'))
    base = ('bouncing_circle', '--set', 'R=0.25')
    for words in (
        (*base, '--duration', 2, '--checkpoint', whole),
        (*base, '--duration', 0.42, '--checkpoint', half, '--record', tmp_path / 'a.csv'),
        ('bouncing_circle', '--duration', 1.58, '--resume', half, '--checkpoint', both),
    ):
        result = simulate(*words)
        assert result.returncode == 0, result.stderr
    assert 'simulated 1.58 s from 0.42 s on' in result.stdout
    hashes = []
    for path in (whole, both):
        simulation = sc.Simulation(sc.load_model('bouncing_circle'))
        simulation.restore_checkpoint(path)
        assert simulation.parameters['R'] == 0.25  # the values come with the state
        hashes.append(simulation.state_hash())
    assert hashes[0] == hashes[1]


def test_a_change_in_mid_motion_is_booked_as_work(tmp_path, capsys):
    state = str(tmp_path / 'state')
    assert main(['simulate', 'circle_circle', '--duration', '0.1', '--checkpoint', state]) == 0
    words = ['simulate', 'circle_circle', '--duration', '0.1', '--resume', state, '--set', 'm1=3']
    capsys.readouterr()
    assert main(words) == 0
    assert 'start 1 + work in 1 +' in capsys.readouterr().out  # 1/2 (3 - 1) kg (1 m/s)^2


def test_bad_words_are_told_before_anything_runs(tmp_path):
    assert refused('circle_circel').startswith(
        'circle_circel: no model of this name; did you mean'
    )
    assert 'the name must end in .csv or .npz' in refused('cart_pole', '--record', 'run.txt')
    assert 'the name must end in .png or' in refused('cart_pole', '--plot', tmp_path / 'a.jpg')
    assert 'No such file' in refused('cart_pole', '--record', tmp_path / 'no' / 'run.csv')
    assert 'cannot write in /proc' in refused('cart_pole', '--checkpoint', '/proc/state')
    (tmp_path / 'folder.csv').mkdir()
    assert 'is a folder' in refused('cart_pole', '--record', tmp_path / 'folder.csv')
    same = tmp_path / 'a.npz'
    assert 'same file' in refused('cart_pole', '--record', same, '--checkpoint', same)
    assert list(tmp_path.iterdir()) == [tmp_path / 'folder.csv']


def test_bad_values_are_told_before_anything_runs(tmp_path):
    assert "no live symbol 'mass'; there are: R1" in refused('circle_circle', '--set', 'mass=1')
    assert 'm1 must be within [0.001, 1000]' in refused('circle_circle', '--set', 'm1=-1')
    assert 'm1 must be within [0.001, 1000]' in refused('circle_circle', '--set', 'm1=nan')
    assert "must be NAME=NUMBER, got 'm1'" in refused('circle_circle', '--set', 'm1')
    assert 'integrator must be one of auto' in refused('cart_pole', '--integrator', 'euler')
    assert 'detector must be one of' in refused('cart_pole', '--detector', 'magic')
    assert 'manifold must be one of shared' in refused('cart_pole', '--manifold', 'none')
    assert 'max_substeps must be a whole number of 1' in refused('cart_pole', '--max-substeps', 0)
    assert '--duration must be finite' in refused('cart_pole', '--duration', 'inf')
    assert 'number of seconds > 0' in refused('cart_pole', '--step-size', 0)
    assert 'allow 1000 Hz at most' in refused('cart_pole', '--sample-rate', 2000)


def test_a_wrong_state_is_told_before_anything_runs(tmp_path):
    assert 'No such file' in refused('cart_pole', '--resume', tmp_path / 'none')
    state = tmp_path / 'state'
    assert main(['simulate', 'cart_pole', '--duration', '0.1', '--checkpoint', str(state)]) == 0
    assert 'another model' in refused('double_pendulum', '--resume', state)
    state.write_bytes(b'nothing like it')
    assert 'not a saved state' in refused('cart_pole', '--resume', state)


def test_without_matplotlib_a_plot_is_refused_and_says_how_to_get_it(tmp_path):
    code = (
        'import sys\n'
        "sys.modules['matplotlib'] = None\n"
        'from symcontact_ros.cli.main import main\n'
        f"sys.exit(main(['simulate', 'cart_pole', '--plot', {str(tmp_path / 'a.png')!r}]))"
    )
    result = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)
    assert result.returncode == 2
    assert "pip install 'symcontact_ros[record]'" in result.stderr
    assert result.stderr.count('\n') == 1


def test_a_run_that_diverges_keeps_what_was_reached(tmp_path, write_model):
    path, state = tmp_path / 'run.csv', tmp_path / 'state'
    result = simulate(
        *(write_model(DIVERGING), '--max-substeps', 1, '--sample-rate', 1000),
        *('--record', path, '--plot', tmp_path / 'run.png', '--checkpoint', state),
    )
    assert result.returncode == 1, result.stdout + result.stderr
    assert "body 'ball': the state became NaN or infinite at" in result.stderr
    assert 'Traceback' not in result.stderr
    time = read_csv(path)[1]['time']
    assert 2 <= len(time) < 5000
    assert f'{len(time) - 1} steps of 1 ms' in result.stdout
    assert state.is_file()
    assert (tmp_path / 'run.png').is_file()


def test_a_run_that_ends_in_ruins_fails_and_says_why(write_model, capsys):
    path = write_model(RUINED)
    words = ['simulate', str(path), '--duration', '0.012', '--integrator']
    assert main([*words, 'rk4']) == 1
    told = capsys.readouterr()
    assert 'the energy balance is open by' in told.err
    assert 'trust: stopped once by a guard' in told.out
    assert main([*words, 'implicit2']) == 0
    assert 'trust: nothing is known against it' in capsys.readouterr().out


def test_ctrl_c_writes_what_was_recorded_and_the_bar_is_shown_on_a_terminal(tmp_path):
    path, state = tmp_path / 'run.npz', tmp_path / 'state'
    master, terminal = pty.openpty()
    process = subprocess.Popen(
        command('bouncing_circle', '--duration', 1e5, '--record', path, '--checkpoint', state),
        stdout=subprocess.PIPE,
        stderr=terminal,
        text=True,
    )
    shown, deadline = '', time.monotonic() + 60.0
    while 'x real time' not in shown and time.monotonic() < deadline:
        shown += os.read(master, 4096).decode()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60.0)
    os.close(terminal)
    while chunk := _rest(master):
        shown += chunk
    os.close(master)
    assert process.returncode == 1
    assert re.search(r'\[#* *\] +\d+ %  \d+\.\d\d s simulated, ', shown)
    (end,) = re.findall(r'stopped at (\S+) s, \d+ of 100000000 steps made', shown)
    with np.load(path) as arrays:
        assert arrays['time'][-1] == pytest.approx(float(end), rel=1e-5)
        assert f'wrote {path}: {len(arrays["time"])} samples' in out
    assert state.is_file()


def _rest(descriptor):
    try:
        return os.read(descriptor, 4096).decode()
    except OSError:  # EIO: the other end is closed
        return ''


def test_a_file_that_does_not_fit_leaves_the_old_one_whole(tmp_path):
    path = tmp_path / 'run.csv'
    path.write_text('old')
    assert simulate('circle_circle').returncode == 0  # compiled and cached: nothing else to write

    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

    result = simulate('circle_circle', '--record', path, preexec_fn=small_files)
    assert result.returncode == 1
    assert f'{path}: not written: File too large' in result.stderr
    assert 'poses at the end' in result.stdout
    assert path.read_text() == 'old'
    assert list(tmp_path.iterdir()) == [path]


def test_a_run_of_five_seconds_is_quick():
    began = time.process_time()  # ours alone, whatever else the machine has to do
    assert main(['simulate', 'bouncing_circle']) == 0
    # 30 ms of steps and some 3000 looks at a contact; a slow machine has five times as long.
    assert time.process_time() - began < 5.0


def test_the_help_teaches(capsys):
    with pytest.raises(SystemExit) as stop:
        main(['simulate', '--help'])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert 'symcontact simulate circle_circle --plot run.png' in out
    assert 'without ROS' in out
    assert 'Exit codes: 0 good, 1 stopped or diverged' in out


def table_line(out, pair):
    """Return what the table of a cross-check has of a pair."""
    table = out[out.index('cross-check:') :]
    return next(line for line in table.splitlines() if line.startswith(f'  {pair}'))


def test_two_detectors_are_checked_against_each_other_in_words_and_drawn(tmp_path, capsys):
    plot = tmp_path / 'run.png'
    words = ['rectangle_rectangle', '--detector', 'co', '--cross-check', '--plot', str(plot)]
    assert main(['simulate', *words]) == 0
    out = capsys.readouterr().out
    assert 'cross-check: sat queried at 2000 states of the run with co' in out
    line = table_line(out, 'block - brick')
    numbers = [float(word) for word in re.findall(r'-?\d[\d.e+-]*', line)]
    distance, overlap, angle, force, largest, signs = numbers[:6]
    # Both are exact where they answer; the deepest states are the exact method's anyway.
    assert max(distance, overlap) < 1e-12
    assert angle < 1e-10
    assert force < 1e-9 < largest
    assert signs == 0
    assert 'answered by the exact method instead: 41 (41 too deep)' in out
    assert (tmp_path / 'run.cross-check.png').read_bytes().startswith(b'\x89PNG')


def test_a_cross_check_finds_what_growth_has_wrong_apart(capsys):
    words = ['sphere_cuboid', '--cross-check', '--co-program', 'growth', '--duration', '0.5']
    assert main(['simulate', *words]) == 0
    out = capsys.readouterr().out
    line = table_line(out, 'cuboid - sphere')
    assert float(line.split()[3]) > 0.001  # [m]: growth is a bound there


def test_options_of_convex_programs_are_checked():
    told = refused(
        'rectangle_circle', '--detector', 'co', '--co-program', 'x', '--co-margin', '-1'
    )
    assert 'co.program must be one of auto, min_distance, growth' in told
    assert 'co.margin must be >= 0 metres' in told
