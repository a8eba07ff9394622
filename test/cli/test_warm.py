"""`symcontact warm` fills the cache."""

import pytest

import symcontact_ros as sc
from symcontact_ros.cli.main import main
from symcontact_ros.kernels.cache import only_stored


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv('SYMCONTACT_CACHE_DIR', str(tmp_path / 'cache'))
    monkeypatch.setenv('SYMCONTACT_KERNELS', 'best')
    return tmp_path / 'cache'


def test_a_model_that_was_named_needs_no_compiling_afterwards(cache, capsys):
    assert main(['warm', 'rectangle_circle']) == 0
    assert '1/1  rectangle_circle' in capsys.readouterr().out
    stored = sorted(cache.glob('*/*'))
    with only_stored():
        sc.Simulation(sc.load_model('rectangle_circle')).step()
    assert main(['warm', 'rectangle_circle']) == 0
    assert sorted(cache.glob('*/*')) == stored


def test_the_others_are_made_where_one_has_faults(cache, capsys):
    assert main(['warm', 'no_such_model', 'rectangle_circle']) == 2
    told = capsys.readouterr()
    assert 'no_such_model' in told.err
    assert '2/2  rectangle_circle' in told.out


def test_a_cache_that_cannot_be_written_to_is_told(tmp_path, monkeypatch, capsys):
    (tmp_path / 'file').touch()
    monkeypatch.setenv('SYMCONTACT_CACHE_DIR', str(tmp_path / 'file' / 'cache'))
    assert main(['warm', 'circle_circle']) == 1
    assert 'nothing can be stored' in capsys.readouterr().err
