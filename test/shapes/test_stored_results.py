"""Results that are computed once, and then read from the cache."""

import pytest

from symcontact_ros.shapes.stored_results import stored_result


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv('SYMCONTACT_CACHE_DIR', str(tmp_path))
    return tmp_path


def test_a_result_is_computed_once_for_each_thing_given():
    calls = []

    def compute():
        calls.append(1)
        return [0.1, 1e-300, [2, 'x']]

    for purpose, given in (('a', b'1'), ('a', b'1'), ('a', b'2'), ('b', b'1'), ('a', b'1')):
        assert stored_result(purpose, given, compute) == [0.1, 1e-300, [2, 'x']]
    assert len(calls) == 3


def test_a_damaged_file_is_computed_again(folder):
    assert stored_result('a', b'1', lambda: 5) == 5
    (file,) = folder.glob('*/result')
    file.write_bytes(file.read_bytes()[:-1] + b'6')
    assert stored_result('a', b'1', lambda: 7) == 7


def test_what_fails_is_not_stored(folder):
    with pytest.raises(ZeroDivisionError):
        stored_result('a', b'1', lambda: 1 // 0)
    assert list(folder.glob('*/*')) == []
