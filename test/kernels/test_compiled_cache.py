"""The cache on disk: what is torn, foreign or hostile is as good as not there."""

import logging
import multiprocessing
import os
from pathlib import Path
import random
import resource
import shutil
import signal
import stat
import tempfile
import time

from hypothesis import given, settings
from hypothesis import strategies as st
import pytest

from symcontact_ros.kernels import cache as cache_module
from symcontact_ros.kernels.cache import Cache, default_folder, MAGIC

KEY, OTHER_KEY = '0123456789abcdef' * 4, 'f' * 64
NAME = 'object'
PAYLOAD = bytes(range(256)) * 20
NOBODY = 65534
AS_ROOT = os.geteuid() == 0
fork = multiprocessing.get_context('fork')


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / 'cache')


@pytest.fixture
def stored(cache):
    """Return the file of a blob that is in the cache."""
    assert cache.store(KEY, NAME, PAYLOAD)
    return cache.folder / KEY / NAME


def in_a_child(function, *arguments):
    """Run a function in a process of its own, and fail if it does."""
    child = fork.Process(target=function, args=arguments)
    child.start()
    child.join()
    assert child.exitcode == 0


def test_what_was_stored_is_loaded_by_everyone(cache):
    assert cache.load(KEY, NAME) is None
    for payload in (PAYLOAD, b'', MAGIC, b'newer'):
        assert cache.store(KEY, NAME, payload)
        assert cache.load(KEY, NAME) == Cache(cache.folder).load(KEY, NAME) == payload
    assert cache.load(KEY, 'another') is None
    assert cache.load(OTHER_KEY, NAME) is None


def test_nobody_else_can_read_or_write_it(stored):
    old = os.umask(0)
    try:
        cache = Cache(stored.parents[1].with_name('open'))
        cache.store(KEY, NAME, PAYLOAD)
    finally:
        os.umask(old)
    for folder in (stored.parents[1], cache.folder):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE((folder / KEY).stat().st_mode) == 0o700
        assert stat.S_IMODE((folder / KEY / NAME).stat().st_mode) == 0o600


def test_the_folder_is_where_the_environment_says(monkeypatch, tmp_path):
    for variable in ('SYMCONTACT_CACHE_DIR', 'XDG_CACHE_HOME'):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv('HOME', '/home/someone')
    assert default_folder() == Path('/home/someone/.cache/symcontact_ros')
    monkeypatch.setenv('XDG_CACHE_HOME', 'relative')
    assert default_folder() == Path('/home/someone/.cache/symcontact_ros')
    monkeypatch.setenv('XDG_CACHE_HOME', '/var/cache')
    assert default_folder() == Path('/var/cache/symcontact_ros')
    monkeypatch.setenv('SYMCONTACT_CACHE_DIR', '~/mine')
    assert Cache().folder == Path('/home/someone/mine')


@pytest.mark.parametrize(
    'damage',
    [
        lambda content: b'',
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: content + b'\0',
        lambda content: content[:10],
        lambda content: b'garbage' * 1000,
        lambda content: content.replace(b' 1\n', b' 0\n', 1),
        lambda content: PAYLOAD,
    ],
    ids=['empty', 'half', 'shorter', 'longer', 'header', 'garbage', 'version', 'bare'],
)
def test_a_broken_file_is_none_and_is_overwritten(cache, stored, damage):
    stored.write_bytes(damage(stored.read_bytes()))
    assert cache.load(KEY, NAME) is None
    assert cache.store(KEY, NAME, PAYLOAD)
    assert cache.load(KEY, NAME) == PAYLOAD


@settings(max_examples=100, deadline=None)
@given(bit=st.integers(0, 8 * (len(MAGIC) + 32 + 100) - 1))
def test_no_bit_can_be_flipped_unnoticed(tmp_path_factory, bit):
    cache = Cache(tmp_path_factory.getbasetemp() / 'flipped')
    assert cache.store(KEY, NAME, PAYLOAD[:100])
    file = cache.folder / KEY / NAME
    content = bytearray(file.read_bytes())
    content[bit // 8] ^= 1 << bit % 8
    file.write_bytes(content)
    assert cache.load(KEY, NAME) is None


def test_a_file_does_not_pass_for_another(cache, stored):
    cache.store(OTHER_KEY, NAME, b'other')
    shutil.copy(stored, stored.with_name('copy'))
    shutil.copy(stored, cache.folder / OTHER_KEY / NAME)
    assert cache.load(KEY, 'copy') is None
    assert cache.load(OTHER_KEY, NAME) is None


def link_file(file):
    file.rename(file.parents[2] / 'elsewhere')
    file.symlink_to(file.parents[2] / 'elsewhere')


def link_entry(file):
    file.parent.rename(file.parents[2] / 'elsewhere')
    file.parent.symlink_to(file.parents[2] / 'elsewhere')


def link_folder(file):
    file.parents[1].rename(file.parents[2] / 'elsewhere')
    file.parents[1].symlink_to(file.parents[2] / 'elsewhere')


def put_a_pipe(file):
    file.unlink()
    os.mkfifo(file, 0o600)


def put_a_folder(file):
    file.unlink()
    file.mkdir(0o700)


UNTRUSTED = {
    'file for the group': lambda file: file.chmod(0o620),
    'file for all': lambda file: file.chmod(0o666),
    'entry for all': lambda file: file.parent.chmod(0o777),
    'folder for all': lambda file: file.parents[1].chmod(0o777),
    'sticky folder for all': lambda file: file.parents[1].chmod(0o1777),
    'linked file': link_file,
    'linked entry': link_entry,
    'linked folder': link_folder,
    'pipe': put_a_pipe,
    'folder for a file': put_a_folder,
    'foreign file': lambda file: os.chown(file, NOBODY, -1),
    'foreign entry': lambda file: os.chown(file.parent, NOBODY, -1),
    'foreign folder': lambda file: os.chown(file.parents[1], NOBODY, -1),
}


@pytest.mark.parametrize('case', UNTRUSTED)
def test_nothing_is_loaded_that_others_could_have_written(cache, stored, case, caplog):
    if 'foreign' in case and not AS_ROOT:
        pytest.skip('only root can give files away')
    assert cache.load(KEY, NAME) == PAYLOAD
    UNTRUSTED[case](stored)
    with caplog.at_level(logging.WARNING):
        assert [cache.load(KEY, NAME) for _ in range(3)] == [None] * 3
    assert len(caplog.records) == 1, 'one warning, not three'


@pytest.mark.parametrize('case', ['file for all', 'linked file', 'pipe', 'foreign file'])
def test_an_untrusted_file_in_a_trusted_folder_is_replaced(cache, stored, case):
    if 'foreign' in case and not AS_ROOT:
        pytest.skip('only root can give files away')
    UNTRUSTED[case](stored)
    assert cache.store(KEY, NAME, b'new')
    assert cache.load(KEY, NAME) == b'new'
    assert stored.is_file() and not stored.is_symlink()


@pytest.mark.parametrize('case', ['folder for all', 'entry for all', 'linked folder'])
def test_nothing_is_written_where_others_may_write(cache, stored, case):
    UNTRUSTED[case](stored)
    before = stored.read_bytes()
    assert not cache.store(KEY, NAME, b'new')
    assert stored.read_bytes() == before


@pytest.mark.parametrize(
    ('key', 'name'), [('../' + KEY, NAME), ('', NAME), (KEY.upper(), NAME), (KEY + '\n', NAME)]
)
def test_no_key_leads_out_of_the_folder(cache, key, name):
    for use in (cache.load, lambda *names: cache.store(*names, b'')):
        with pytest.raises(ValueError, match='not a hexadecimal'):
            use(key, name)


@pytest.mark.parametrize('name', ['', '..', '../object', '/etc/passwd', '.hidden', 'a' * 101])
def test_no_name_leads_out_of_the_folder(cache, name):
    for use in (cache.load, lambda *names: cache.store(*names, b'')):
        with pytest.raises(ValueError, match='not a name'):
            use(KEY, name)


def test_a_folder_that_cannot_be_made_is_no_cache(tmp_path, caplog):
    (tmp_path / 'file').write_text('')
    cache = Cache(tmp_path / 'file' / 'cache')
    assert not cache.store(KEY, NAME, PAYLOAD)
    assert cache.load(KEY, NAME) is None
    assert len(caplog.records) == 1


def use_a_read_only_cache(folder):
    if AS_ROOT:
        os.setuid(NOBODY)
    cache = Cache(folder)
    assert cache.load(KEY, NAME) == PAYLOAD
    assert not cache.store(KEY, NAME, b'new')
    assert not cache.store(OTHER_KEY, NAME, b'new')
    assert cache.load(KEY, NAME) == PAYLOAD


def test_a_read_only_cache_is_read():
    # Root may write everywhere, so the folder is given to another user, who cannot.
    with tempfile.TemporaryDirectory() as parent:
        os.chmod(parent, 0o755)
        cache = Cache(Path(parent) / 'cache')
        cache.store(KEY, NAME, PAYLOAD)
        entry = cache.folder / KEY
        for path in (entry / NAME, entry, cache.folder):
            path.chmod(0o400 if path.is_file() else 0o500)
            if AS_ROOT:
                os.chown(path, NOBODY, -1)
        try:
            in_a_child(use_a_read_only_cache, cache.folder)
        finally:
            cache.folder.chmod(0o700)
            entry.chmod(0o700)


def fill_the_disk(cache):
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    assert not cache.store(KEY, NAME, b'new' * 1000)


def test_a_full_disk_leaves_what_was_there_and_no_rubbish(cache, stored):
    in_a_child(fill_the_disk, cache)
    assert cache.load(KEY, NAME) == PAYLOAD
    assert [path.name for path in stored.parent.iterdir()] == [NAME]


def store_often(cache, payload, times):
    assert all(cache.store(KEY, NAME, payload) for _ in range(times))


def test_processes_may_write_the_same_blob_at_once(cache):
    payloads = [bytes([number]) * 200_000 for number in range(3)]
    writers = [fork.Process(target=store_often, args=(cache, p, 40)) for p in payloads]
    for writer in writers:
        writer.start()
    seen = set()
    while any(writer.is_alive() for writer in writers):
        seen.add(cache.load(KEY, NAME))
    assert [writer.exitcode for writer in writers] == [0] * len(writers)
    assert cache.load(KEY, NAME) in payloads
    assert seen <= {None, *payloads}


def test_a_writer_killed_at_any_moment_leaves_a_whole_blob(cache):
    payloads = [b'a' * 1_000_000, b'b' * 1_000_000]
    assert cache.store(KEY, NAME, payloads[0])
    for attempt in range(15):
        writer = fork.Process(target=store_often, args=(cache, payloads[attempt % 2], 10**6))
        writer.start()
        time.sleep(random.uniform(0.005, 0.04))
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
        assert cache.load(KEY, NAME) in payloads


def test_what_a_dead_writer_left_is_cleared_away_by_the_next_process(cache, stored, monkeypatch):
    monkeypatch.setattr(cache_module, '_swept', set())
    abandoned, young = stored.with_name('.abandoned'), stored.with_name('.young')
    for path in (abandoned, young):
        path.write_bytes(b'half')
    os.utime(abandoned, (0, 0))
    cache.store(OTHER_KEY, NAME, b'')
    assert not abandoned.exists()
    assert young.exists(), 'its writer may be at work'


@pytest.mark.parametrize('given', ['', '-1', 'many', '1e9', '9' * 50])
def test_what_is_no_number_of_entries_is_not_taken(given, monkeypatch):
    monkeypatch.setenv('SYMCONTACT_CACHE_ENTRIES', given)
    assert cache_module.most_entries() == cache_module.ENTRIES


def test_the_longest_unused_entries_are_pruned_and_nothing_else(cache, monkeypatch):
    monkeypatch.setenv('SYMCONTACT_CACHE_ENTRIES', '3')
    cache.folder.mkdir(mode=0o700)
    foreign = cache.folder / 'someone.s'
    foreign.mkdir()
    (foreign / 'thesis').write_text('')
    os.utime(foreign, (0, 0))
    keys = [f'{number:064x}' for number in range(5)]
    for age, key in enumerate(keys[:3]):
        cache.store(key, NAME, b'')
        os.utime(cache.folder / key, (1000 + age, 1000 + age))
    cache.load(keys[0], NAME)  # a use: now the second is the oldest
    cache.store(keys[3], NAME, b'')
    left = {path.name for path in cache.folder.iterdir()}
    assert left == {foreign.name, keys[0], keys[2], keys[3]}
    assert (foreign / 'thesis').exists()
