"""Damaged model files raise nothing but ModelError, whatever the damage."""

import os
import random
import re
import time

from helpers.model_texts import RICH, with_masses
from helpers.places import URDF
import pytest

import symcontact_ros as sc
from symcontact_ros.model.installed_files import shipped_models

QUICK, DEEP = 2_000, 50_000
SEED = int(os.environ.get('SYMCONTACT_FUZZ_SEED', '1'))
CONTROL = re.compile(r'[\x00-\x1f\x7f]')  # a fault is one line, and steers no terminal
SLOWEST = 5.0  # [s] of processor time for one file; the aim is 1 s, the rest for a slow machine


TOKENS = [
    *('{', '}', '[', ']', ':', ',', '-', '&a ', '*a', '!!python/name:os.system ', '---', '|', '>'),
    *('#', '"', "'", '%', '@', '`', '\t', '\n', '\0', '\x1b[31m', '\N{BOM}', 'é', '\N{BUG}'),
    *('true', 'null', '~', 'nan', '.nan', '.inf', '-1', '0', '1e999', '1e-320', '1e29', '9' * 50),
    *('world', 'all', 'auto', 'ball', 'floor', 'fixed', 'planar', 'spherical', 'a:300000', '<<: '),
    *('__import__("os")', 'R**R**R', '1/0', 'sqrt(-R)', '[0, 0, 0]', '{}', '[]', '[[]]', ''),
    *('<', '>', '/>', '&lt;', '<!DOCTYPE a>', '<link name="base"/>', 'mimic', 'xyz="0 0 0"'),
]


def mutated(text, source):
    """Return a text with one to four small damages."""
    for _ in range(source.randint(1, 4)):
        text = source.choice(DAMAGES)(text, source)
    return text


def _lines(change):
    def damage(text, source):
        lines = text.splitlines(keepends=True) or ['']
        change(lines, source.randrange(len(lines)), source.randrange(len(lines)))
        return ''.join(lines)

    return damage


def _swap(lines, i, j):
    lines[i], lines[j] = lines[j], lines[i]


def _indent(lines, i, j):
    lines[i] = '  ' + lines[i] if i < j else lines[i].removeprefix('  ')


def _flip(text, source):
    at = source.randrange(len(text) + 1)
    return (
        text[:at]
        + chr(source.choice([source.randrange(128), source.randrange(0xD800)]))
        + text[at + 1 :]
    )


def _insert(text, source):
    at = source.randrange(len(text) + 1)
    return text[:at] + source.choice(TOKENS) + text[at:]


def _replace_word(text, source):
    """Put another word, of the text or of the special ones, in place of one."""
    words = text.replace(',', ' , ').split()
    if not words:
        return text
    old = source.choice(words)
    at = text.rfind(old, 0, source.randrange(len(text)) + len(old))
    new = source.choice([*TOKENS, source.choice(words)])
    return text if at < 0 else text[:at] + new + text[at + len(old) :]


def _cut(text, source):
    start = source.randrange(len(text) + 1)
    return text[:start] + text[start + source.randrange(30) :]


DAMAGES = [
    _lines(lambda lines, i, j: lines.pop(i)),
    _lines(lambda lines, i, j: lines.insert(j, lines[i])),
    _lines(_swap),
    _lines(_indent),
    _flip,
    _insert,
    _replace_word,
    _replace_word,
    _cut,
    lambda text, source: text[: source.randrange(len(text) + 1)],
]


def originals():
    return [
        ('rich.yaml', RICH),
        *((path.name, path.read_text()) for path in shipped_models().values()),
        *((path.name, with_masses(path.read_text())) for path in sorted(URDF.glob('*.urdf'))),
    ]


def check(count, folder):
    source = random.Random(SEED)
    files = originals()
    loaded = 0
    for number in range(count):
        name, text = files[number % len(files)]
        path = folder / name
        path.write_bytes(mutated(text, source).encode('utf-8', 'replace'))
        start = time.process_time()
        try:
            bases = ['fixed'] if path.suffix == '.yaml' else ['fixed', 'free']
            sc.load_model(path, base=source.choice(bases))
            loaded += 1
        except sc.ModelError as error:
            assert error.faults and all(fault.reason for fault in error.faults)
            told = ''.join(fault.key + fault.reason for fault in error.faults)
            assert path.suffix == '.urdf' or not CONTROL.search(told), told
        except Exception as error:
            pytest.fail(f'{type(error).__name__}: {error}\n{path.read_text()}')
        assert time.process_time() - start < SLOWEST, path.read_text()
    # Mutations that break everything, or nothing, would test nothing.
    assert 0.02 * count < loaded < 0.7 * count


def test_the_files_to_be_damaged_load(tmp_path):
    for name, text in originals():
        (tmp_path / name).write_text(text)
        assert sc.load_model(tmp_path / name).body_names


def test_damaged_files_raise_nothing_but_model_errors(tmp_path):
    check(QUICK, tmp_path)


@pytest.mark.deep
@pytest.mark.timeout(1800)
def test_many_damaged_files_raise_nothing_but_model_errors(tmp_path):
    check(DEEP, tmp_path)
