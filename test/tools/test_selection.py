"""`make quick` runs something of every part, and what it names is there."""

from helpers.places import TEST
from helpers.selection import LONG, QUICK


def test_every_part_has_quick_tests():
    assert {path.parent.name for path in TEST.glob('*/test_*.py')} == set(QUICK)
    assert all(QUICK.values())


def test_what_is_named_exists():
    texts = []
    for part, names in QUICK.items():
        for name in names:
            file, _, test = name.partition('::')
            texts.append((TEST / part / file).read_text(encoding='utf-8'))
            assert f'def {test}' in texts[-1], name
    assert [name for name in LONG if not any(f'def {name}(' in text for text in texts)] == []
