"""``symcontact sweep``: exit codes, files, words."""

import os
import re

from helpers.places import page
import pytest

from symcontact_ros.cli.main import main
from symcontact_ros.sweeps import dispatch
from symcontact_ros.sweeps import sweep as sweeping
from symcontact_ros.sweeps.measures import MEASURES

WORDS = ['sweep', 'bouncing_circle', '--duration', '0.5', '--integrator', 'rk4']


def test_results_go_to_files_and_a_summary(tmp_path, capsys):
    out, plot = tmp_path / 'out.csv', tmp_path / 'out.svg'
    words = ['--param', 'm=1,2', '--measure', 'max_force, max_depth', '--measure', 'final_ball.x']
    assert main([*WORDS, *words, '--out', str(out), '--plot', str(plot)]) == 0
    said = capsys.readouterr().out
    assert '2 points in' in said and '2 good' in said and f'wrote {out}: 2 rows' in said
    head, *rows = out.read_text().splitlines()
    assert head == 'point,m [kg],status,max_force [N],max_depth [m],final_ball.x [m],message'
    assert [row.split(',')[1] for row in rows] == ['1.0', '2.0']
    assert '<svg' in plot.read_text()


@pytest.mark.parametrize(
    'words',
    [
        ['--param', 'm=0.5:1:8', '--param', 'damping=0:1:7'],
        ['--param', 'm=normal:1:0.7', '--param', 'stiffness=loguniform:1e5:1e6', '--samples', '9'],
        ['--param', 'm=1:2', '--param', 'damping=0,1', '--samples', '3'],
        ['--param', 'm=1'],
        ['--param', 'stiffness=1e6,1e13', '--max-substeps', '1'],
    ],
    ids=['map', 'samples', 'bands', 'one point', 'diverged'],
)
def test_every_kind_of_sweep_can_be_drawn(words, tmp_path):
    plot = tmp_path / 'out.png'
    assert main([*WORDS, *words, '--measure', 'dissipated', '--plot', str(plot)]) == 0
    assert plot.read_bytes().startswith(b'\x89PNG')


def test_all_that_is_wrong_is_told_at_once_and_nothing_is_written(tmp_path, capsys):
    out = tmp_path / 'out.csv'
    words = ['--param', 'm=1:2:x', '--param', 'stifness=1', '--measure', 'max_forc']
    words += ['--integrator', 'rk5', '--plot', str(tmp_path / 'out.txt'), '--out', str(out)]
    assert main([*WORDS, *words]) == 2
    captured = capsys.readouterr()
    for part in ("'x'", "'stiffness'", "'max_force'", "'rk4'", 'must end in .png'):
        assert part in captured.err
    assert captured.out == ''
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(SystemExit) as stop:
        main([*WORDS, '--param', 'm'])
    assert stop.value.code == 2


def test_a_stopped_sweep_keeps_its_journal_and_says_how_to_go_on(tmp_path, monkeypatch, capsys):
    out = tmp_path / 'out.csv'
    words = [*WORDS, '--param', 'm=1:2:5', '--measure', 'dissipated', '--out', str(out)]
    words += ['--cores', '1']
    run = sweeping.Runner.run

    def interrupted(self, point):
        if point == 3:
            raise KeyboardInterrupt
        return run(self, point)

    with monkeypatch.context() as patch:
        patch.setattr(sweeping.Runner, 'run', interrupted)
        assert main(words) == 1
    assert 'goes on where it was' in capsys.readouterr().err
    assert (tmp_path / 'out.csv.journal').read_text().count('\n') == 4
    assert main([*words, '--duration', '0.6']) == 2
    assert 'another way to run' in capsys.readouterr().err
    assert main(words) == 0
    assert len(out.read_text().splitlines()) == 6
    assert [path.name for path in tmp_path.iterdir()] == ['out.csv']


def test_workers_that_die_again_and_again_end_the_sweep(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sweeping, 'ALONE', 0.0)
    monkeypatch.setattr(dispatch, '_prepare_worker', os.abort)
    words = ['--param', 'm=1:2:20', '--measure', 'dissipated', '--cores', '2']
    assert main([*WORDS, *words, '--out', str(tmp_path / 'out.csv')]) == 1
    assert 'processes ended 3 times' in capsys.readouterr().err
    assert (tmp_path / 'out.csv.journal').exists()


def test_the_page_lists_all_measures(capsys):
    assert main(['sweep', 'bouncing_circle', '--measure', 'help']) == 0
    said = capsys.readouterr().out
    rows = re.findall(r'^\| `(\w+)` \| (.+?) \| (.+?) \|$', page('howto/sweeps.md'), re.M)
    listed = {name: (unit, text) for name, unit, text in rows if name in MEASURES}
    assert listed == {name: (m.unit, m.definition) for name, m in MEASURES.items()}
    assert all(name in said for name in MEASURES) and 'ball.theta [rad]' in said
