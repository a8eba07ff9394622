"""`engine.js` names only what modules export and descriptions have."""

import re

from helpers.places import ROOT
from helpers.sources import SOURCES

from symcontact_ros.kernels.records import layout_of
from symcontact_ros.simulation.bodies.body import BodyMotion
from symcontact_ros.web.engine import entries, loads
from symcontact_ros.web.engine.records import Engine

SCRIPT = (SOURCES / 'web' / 'page' / 'engine.js').read_text(encoding='utf-8')
PAGE = (ROOT / 'docs' / 'web.md').read_text(encoding='utf-8')


def test_the_script_calls_entries_of_the_module():
    called = set(re.findall(r'this\.exports\.(\w+)\(', SCRIPT))
    called |= set(re.findall(r"this\.#call\('(\w+)'", SCRIPT))
    known = {*vars(entries), *vars(loads), 'keep'}
    assert len(called) >= 10
    assert called - known == set()


def test_the_script_reads_fields_that_records_have():
    for record in (Engine, BodyMotion):
        name = record.__name__
        read = set(
            re.findall(rf"#(?:int|float|triple|field|block)\([^()]*'{name}', '(\w+)'", SCRIPT)
        )
        assert read
        assert read - set(layout_of(record).fields) == set()


def test_the_page_describes_every_method_of_the_engine():
    methods = set(re.findall(r'^  (?:get )?([a-z]\w*)\(.*\) \{', SCRIPT, re.M))
    methods -= {'constructor', 'bytes', 'floats', 'ints', 'for', 'while', 'if'}
    assert len(methods) >= 20
    named = set(re.findall(r'\w+', PAGE))
    assert methods - named == set()
