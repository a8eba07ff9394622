"""Damaged cache files: ignored and made anew, whatever the damage, and never linked or run."""

import json
import os
import random
import shutil
import subprocess
import sys

from helpers.places import TEST
import pytest

import symcontact_ros as sc
from symcontact_ros.kernels.cache import Cache, LARGEST, MAGIC
from symcontact_ros.kernels.tape_json import programs_from_json, programs_to_json
from symcontact_ros.model.structure import groups_of
from symcontact_ros.model.urdf.stored_hulls import is_hull
from symcontact_ros.shapes import stored_results
from symcontact_ros.shapes.stored_results import stored_result
from symcontact_ros.simulation.equations.structure_functions import StructureFunctions
from symcontact_ros.symbolic.equation_tapes import programs_of

QUICK, DEEP = 100, 10_000
SEED = int(os.environ.get('SYMCONTACT_FUZZ_SEED', '1'))
HEADER = len(MAGIC) + 32


def run(folder, *words):
    """Use a cache folder in a process of its own; return what it printed."""
    result = subprocess.run(
        [sys.executable, TEST / 'helpers' / 'cached_work.py', *words],
        env={**os.environ, 'SYMCONTACT_CACHE_DIR': str(folder), 'SYMCONTACT_KERNELS': 'best'},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.fixture(scope='module')
def filled(tmp_path_factory):
    """Return a cache with something of everything, its files, and what came out of it."""
    folder = tmp_path_factory.mktemp('filled') / 'cache'
    told = run(folder)
    files = {path: path.read_bytes() for path in folder.glob('*/*')}
    names = {path.name.partition('-')[0] for path in files}
    assert names == {'elementary', 'kernel', 'motion', 'object', 'result'}
    return folder, files, told


def flip(content, source, others):
    changed = bytearray(content or b'\0')
    for _ in range(source.choice((1, 1, 8))):
        changed[source.randrange(len(changed))] ^= 1 << source.randrange(8)
    return bytes(changed)


def cut(content, source, others):
    return content[: source.randrange(len(content) + 1)]


def lose(content, source, others):
    begin = source.randrange(len(content) + 1)
    return content[:begin] + content[begin + source.randrange(1, 64) :]


def insert(content, source, others):
    begin = source.randrange(len(content) + 1)
    return content[:begin] + source.randbytes(source.randrange(1, 64)) + content[begin:]


def clear(content, source, others):
    begin, length = source.randrange(len(content) + 1), source.randrange(1, 4096)
    return (
        content[:begin] + bytes(len(content[begin : begin + length])) + content[begin + length :]
    )


def be_another(content, source, others):
    return source.choice(others)


def take_a_header(content, source, others):
    return source.choice(others)[:HEADER] + content[HEADER:]


def be_garbage(content, source, others):
    return source.randbytes(source.randrange(1000))


DAMAGES = (flip, cut, lose, insert, clear, be_another, take_a_header, be_garbage)


def damaged(content, source, others):
    for _ in range(source.randint(1, 3)):
        content = source.choice(DAMAGES)(content, source, others)
    return content


@pytest.mark.parametrize(
    'count', [QUICK, pytest.param(DEEP, marks=[pytest.mark.deep, pytest.mark.timeout(1200)])]
)
def test_no_damaged_file_is_loaded(filled, count):
    folder, files, _ = filled
    cache, source, changed = Cache(folder), random.Random(SEED), 0
    others = list(files.values())
    for number in range(count):
        path = source.choice(list(files))
        content = damaged(files[path], source, others)
        path.write_bytes(content)
        loaded = cache.load(path.parent.name, path.name)
        changed += content != files[path]
        assert loaded == (files[path][HEADER:] if content == files[path] else None), number
        path.write_bytes(files[path])
    assert changed > 0.9 * count


def damage_all(folder, source):
    """Damage every file of a cache."""
    files = {path: path.read_bytes() for path in folder.glob('*/*')}
    for path, content in files.items():
        path.write_bytes(damaged(content, source, list(files.values())))


def test_what_is_computed_on_damaged_files_is_the_same(filled, tmp_path):
    folder, _, told = filled
    shutil.copytree(folder, tmp_path / 'copy')
    damage_all(tmp_path / 'copy', random.Random(SEED))
    assert run(tmp_path / 'copy') == told


@pytest.mark.deep
def test_a_simulation_on_damaged_files_is_the_same(tmp_path):
    source = random.Random(SEED)
    told = run(tmp_path, 'simulate')
    for _ in range(20):
        damage_all(tmp_path, source)
        assert run(tmp_path, 'simulate') == told


def test_a_file_that_fills_the_memory_is_not_read(filled):
    folder, files, _ = filled
    path = next(iter(files))
    os.truncate(path, 2**42)  # takes no room on the disk
    try:
        assert Cache(folder).load(path.parent.name, path.name) is None
    finally:
        path.write_bytes(files[path])


def test_what_would_not_be_read_is_not_stored(tmp_path):
    cache = Cache(tmp_path / 'cache')
    assert not cache.store('a' * 64, 'large', bytes(LARGEST))
    assert cache.load('a' * 64, 'large') is None


def texts(content, source):
    """Yield damaged forms of a JSON text: of its characters, and of its values."""
    text = content.decode()
    words = ['-1', '1e999', 'NaN', 'null', '[]', '{}', '"x"', '9' * 30, '[' * 5000, 'true', '0.5']
    while True:
        begin = source.randrange(len(text))
        if source.random() < 0.5:
            yield damaged(content, source, [content])
            continue
        while begin < len(text) - 1 and text[begin - 1] not in ',[{:':
            begin += 1
        end = begin
        while end < len(text) and text[end] not in ',]}:':
            end += 1
        yield (text[:begin] + source.choice(words) + text[end:]).encode()


@pytest.mark.parametrize('count', [QUICK, pytest.param(DEEP, marks=pytest.mark.deep)])
def test_text_with_a_right_checksum_is_still_checked(filled, count, monkeypatch, tmp_path):
    _, files, _ = filled
    (motion,) = [content[HEADER:] for path, content in files.items() if path.name == 'motion']
    (hull,) = [content[HEADER:] for path, content in files.items() if path.name == 'result']
    source, refused = random.Random(SEED), 0
    monkeypatch.setenv('SYMCONTACT_CACHE_DIR', str(tmp_path))
    monkeypatch.setattr(stored_results.Cache, 'store', lambda *_: True)
    forged = texts(hull, source)
    monkeypatch.setattr(stored_results.Cache, 'load', lambda *_: next(forged))
    for _, text in zip(range(count), texts(motion, source), strict=False):
        try:
            programs_from_json(text)
        except ValueError:
            refused += 1
        found = stored_result('hull', b'', lambda: json.loads(hull), is_hull)
        assert is_hull(found)
    assert refused > 0.5 * count


def test_programs_of_something_else_are_derived_anew(tmp_path):
    structure = groups_of(sc.load_model('cart_pole'))[0].structure
    for other in (b'[]', programs_to_json(programs_of(structure, 'analysis'))):
        cache = Cache(tmp_path / 'cache')
        assert cache.store(structure.key(), 'motion', other)
        functions = StructureFunctions(structure, cache=cache, progress=lambda text: None)
        assert tuple(functions.program('motion', 'dynamics').results) == ('qdot', 'udot')
