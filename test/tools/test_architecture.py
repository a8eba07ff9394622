"""The import rule: arrows point inwards, ROS stays at the rim, heavy imports wait."""

import subprocess
import sys

from helpers.sources import imports, modules, PACKAGE, SOURCES
import pytest

BASICS = {'errors', 'expressions', 'placements', 'types', ''}  # '' is the package itself

# Which part may import which at the top of a module, and which more only inside functions.
MAY_IMPORT = {
    '': {'cli'},  # `python -m symcontact_ros`
    'errors': set(),
    'expressions': set(),
    'placements': set(),
    'types': set(),
    'kernels': {'kernels'},
    'shapes': {'shapes', 'kernels'},
    'joints': {'joints'},
    'model': {'model', 'shapes', 'joints', 'contact'},
    'symbolic': {'symbolic', 'kernels', 'shapes', 'joints', 'model', 'collision'},
    'collision': {'collision', 'shapes', 'model', 'kernels'},
    'contact': {'contact', 'kernels'},
    'simulation': {'simulation', 'shapes', 'joints', 'model', 'kernels', 'collision', 'contact'},
    'ros': {'ros', 'simulation', 'shapes', 'model', 'collision'},
    'viewer': {'viewer', 'ros', 'simulation'},
    'examples': {'examples'},
    'bench': {'bench', 'simulation', 'shapes', 'model', 'kernels', 'collision'},
    'cli': {
        'cli',
        'bench',
        'ros',
        'simulation',
        'model',
        'symbolic',
        'kernels',
        'collision',
    },
}
LAZILY = {'simulation': {'symbolic'}}
ROS = {'rclpy', 'rcl_interfaces', 'builtin_interfaces', 'ament_index_python', 'launch'}
MAY_IMPORT_ROS = {'ros', 'viewer', 'examples'}
# Slow to import (0.1 s and more), so never at the top of a module outside these parts.
HEAVY = {'sympy': {'symbolic'}, 'cvxpy': set(), 'matplotlib': set(), 'viser': set()}


def part_of(path):
    first = path.relative_to(SOURCES).parts[0]
    return '' if first in ('__init__.py', '__main__.py') else first.removesuffix('.py')


def violations(path):
    part = part_of(path)
    for module, lazy in imports(path):
        top, *rest = module.split('.')
        if top == PACKAGE:
            target = rest[0] if rest else ''
            allowed = MAY_IMPORT[part] | BASICS | (LAZILY.get(part, set()) if lazy else set())
            if target not in allowed:
                yield f'{part} imports {module}'
        elif (top in ROS or top.endswith('_msgs')) and part not in MAY_IMPORT_ROS:
            yield f'{part} imports {module}: ROS stays in {sorted(MAY_IMPORT_ROS)}'
        elif top in HEAVY and not lazy and part not in HEAVY[top]:
            yield f'{part} imports {module} at the top of a module'


@pytest.mark.parametrize('path', modules(), ids=lambda path: str(path.relative_to(SOURCES)))
def test_imports_point_inwards(path):
    assert list(violations(path)) == []


@pytest.mark.parametrize(
    ('part', 'line'),
    [
        ('model', 'import rclpy'),
        ('simulation', 'from geometry_msgs.msg import Wrench'),
        ('collision', 'from symcontact_ros.simulation.simulation import Simulation'),
        ('simulation', 'from symcontact_ros.symbolic import planar_body'),
        ('cli', 'import sympy'),
    ],
)
def test_the_rule_catches_a_wrong_import(part, line, tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], 'SOURCES', tmp_path)
    (tmp_path / part).mkdir()
    wrong = tmp_path / part / 'wrong.py'
    wrong.write_text(line)
    assert len(list(violations(wrong))) == 1


def test_importing_the_package_imports_nothing_heavy():
    code = (
        'import sys, symcontact_ros, symcontact_ros.cli.main\n'
        "print([m for m in ('numpy', 'sympy', 'rclpy', 'yaml') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)
    assert result.stdout.strip() == '[]', result.stderr


def test_every_public_name_can_be_had():
    import symcontact_ros

    for name in symcontact_ros.__all__:
        assert getattr(symcontact_ros, name).__doc__, name
    with pytest.raises(AttributeError, match='no attribute'):
        _ = symcontact_ros.no_such_name
