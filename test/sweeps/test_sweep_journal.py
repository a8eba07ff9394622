"""The journal of a sweep: torn, damaged, foreign, hostile, in use."""

import os
import random
import signal
import subprocess
import sys
import time
import zlib

from helpers.processes import LONG
import pytest

import symcontact_ros as sc
from symcontact_ros.sweeps.journal import Journal
from symcontact_ros.sweeps.runner import Row, Runner

MARKS = {'version': '1', 'model': 'abc'}
ROWS = [
    Row(0, 'good', (1.5, None)),
    Row(1, 'diverged', (None, None), 'why'),
    Row(2, 'good', (2.0, 3e-9)),
]


def opened(path, marks=MARKS, **options):
    return Journal(path, marks, 10, 2, **options)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / 'out.csv.journal'
    journal = opened(path)
    journal.add(ROWS)
    journal.close()
    return path


def read(path):
    journal = opened(path)
    rows = journal.rows
    journal.close()
    return rows


def test_rows_are_read_back_bit_for_bit(path):
    assert list(read(path).values()) == ROWS


def test_a_torn_last_line_is_dropped_wherever_it_was_torn(path):
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        journal = opened(path)
        lines = max(0, whole[:size].count(b'\n') - 1)
        assert list(journal.rows.values()) == ROWS[:lines]
        journal.add(ROWS[lines:])  # and it goes on as if nothing had been
        journal.close()
        assert path.read_bytes() == whole


def test_a_damaged_line_is_left_out_and_the_others_stay(path):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b''.join([*lines[:2], lines[2].replace(b'why', b'who'), lines[3]]))
    assert list(read(path)) == [0, 2]


@pytest.mark.parametrize(
    'text',
    [
        *(b'[10,"good",[1.0,2.0],""]', b'[-1,"good",[1.0,2.0],""]', b'[true,"good",[1.0,2.0],""]'),
        *(b'[3,"best",[1.0,2.0],""]', b'[3,["good"],[1.0,2.0],""]', b'[3,"good",[1.0],""]'),
        *(b'[3,"good",[1.0,NaN],""]', b'[3,"good",[1.0,1e999],""]', b'[3,"good",[1.0,"2"],""]'),
        *(b'[3,"good",[1.0,2.0],7]', b'{}', b'null', b'[' * 30_000, b'[1' + b'0' * 9000 + b']'),
    ],
)
def test_a_line_with_a_right_checksum_is_still_checked(path, text):
    with path.open('ab') as file:
        file.write(b'%08x %s\n' % (zlib.crc32(text), text))
    assert list(read(path).values()) == ROWS


def test_mutated_journals_raise_nothing_but_option_errors(path):
    whole, chance = path.read_bytes(), random.Random(1)
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 8)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        path.write_bytes(data)
        try:
            rows = read(path)
        except sc.OptionError:
            continue
        assert set(rows.values()) <= set(ROWS)


def test_the_journal_of_another_sweep_is_refused_and_kept(path):
    before = path.read_bytes()
    with pytest.raises(sc.OptionError, match=r'another model; .*--restart'):
        opened(path, {**MARKS, 'model': 'xyz'})
    assert path.read_bytes() == before
    journal = opened(path, {**MARKS, 'model': 'xyz'}, restart=True)
    assert journal.rows == {}
    journal.close()


def test_what_is_no_journal_is_refused_and_kept(tmp_path):
    path = tmp_path / 'file'
    for text in ('notes of mine\n', 'notes of mine', '00000000 {}\n'):
        path.write_text(text)
        with pytest.raises(sc.OptionError, match='no journal'):
            opened(path)
        assert path.read_text() == text
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(sc.OptionError, match='not an ordinary file'):
        opened(path)
    path.unlink()
    path.symlink_to(tmp_path / 'elsewhere')
    with pytest.raises(sc.OptionError, match='cannot be written'):
        opened(path)


def test_two_sweeps_do_not_share_a_journal(path):
    first = opened(path)
    with pytest.raises(sc.OptionError, match='another sweep is writing'):
        opened(path)
    first.close()


def test_a_sweep_that_was_killed_goes_on_with_nothing_twice_and_nothing_lost(
    tmp_path, monkeypatch
):
    out = tmp_path / 'out.csv'
    journal = tmp_path / 'out.csv.journal'
    words = ['rectangle_circle', '--param', 'damping=0:1:150', '--measure', 'dissipated']
    words += ['--duration', '0.8', '--out', str(out), '--cores', '2']
    process = subprocess.Popen(
        [sys.executable, '-m', 'symcontact_ros', 'sweep', *words], start_new_session=True
    )
    given_up = time.monotonic() + LONG
    while not (journal.exists() and journal.read_bytes().count(b'\n') > 10):
        assert process.poll() is None and time.monotonic() < given_up
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    while _alive(process.pid):  # its workers end by themselves
        assert time.monotonic() < given_up
        time.sleep(0.05)
    assert not out.exists()
    made = []
    run = Runner.run
    monkeypatch.setattr(
        Runner, 'run', lambda self, point: (made.append(point), run(self, point))[1]
    )
    done = {int(line.split(b'[')[1].split(b',')[0]) for line in _rows(journal)}
    assert 0 < len(done) < 150
    given = {'duration': 0.8, 'cores': 1}
    table = sc.sweep('rectangle_circle', {'damping': '0:1:150'}, ['dissipated'], out=out, **given)
    assert sorted([*made, *done]) == list(range(150))
    assert table.counts['good'] == 150
    chosen = [0, 75, 149]
    values = [table.points.values(point)['materials.default.damping'] for point in chosen]
    again = sc.sweep('rectangle_circle', {'damping': values}, ['dissipated'], **given)
    assert table['dissipated'][chosen].tobytes() == again['dissipated'].tobytes()
    assert not journal.exists()


def _rows(journal):
    return [line for line in journal.read_bytes().split(b'\n')[1:-1] if line]


def _alive(session):
    """Return whether any process of a session is left."""
    listed = subprocess.run(['ps', '-eo', 'sid='], capture_output=True, text=True).stdout
    return str(session) in listed.split()
