"""Arrows point inwards, ROS stays at the rim, heavy imports wait, private names stay private."""

import ast
import subprocess
import sys

from helpers.sources import imports, modules, PACKAGE, SOURCES
import pytest

# '' is the package itself.
BASICS = {'errors', 'expressions', 'optional_packages', 'placements', 'types', ''}

# Which part may import which at the top of a module, and which more only inside functions.
MAY_IMPORT = {
    '': {'cli'},  # `python -m symcontact_ros`
    'errors': set(),
    'optional_packages': set(),
    'expressions': {'kernels'},  # elementary functions with the same bits everywhere
    'placements': set(),
    'types': set(),
    'kernels': {'kernels'},
    'shapes': {'shapes', 'kernels'},
    'joints': {'joints'},
    'model': {'model', 'shapes', 'joints', 'contact'},
    'symbolic': {'symbolic', 'kernels', 'shapes', 'joints', 'model', 'collision', 'contact'},
    'collision': {'collision', 'shapes', 'kernels'},
    'contact': {'contact', 'kernels'},
    'simulation': {'simulation', 'shapes', 'joints', 'model', 'kernels', 'collision', 'contact'},
    'batch': {'batch', 'simulation', 'model', 'kernels', 'collision'},
    'recording': {'recording', 'simulation', 'shapes', 'model'},
    'sweeps': {'sweeps', 'simulation', 'model'},
    'gym': {'gym', 'batch', 'simulation', 'model', 'cli'},  # pictures are drawn there
    'ros': {'ros', 'recording', 'simulation', 'shapes', 'model', 'collision', 'web'},
    'view': {'view', 'ros', 'web'},
    'web': {'web', 'simulation', 'shapes', 'model', 'kernels', 'collision', 'contact'},
    'examples': {'examples'},
    'launching': {'launching', 'ros', 'model'},
    'bench': {'bench', 'simulation', 'shapes', 'model', 'kernels', 'collision'},
    'cli': {
        'cli',
        'bench',
        'ros',
        'recording',
        'shapes',
        'contact',
        'simulation',
        'model',
        'symbolic',
        'kernels',
        'collision',
        'sweeps',
        'view',
        'web',
    },
}
# The same for the rooms of the simulation; its own modules join them.
ROOMS = {
    'equations': set(),
    'bodies': set(),
    'world': {'bodies', 'equations'},
    'step': {'bodies', 'equations', 'world'},
    'observing': {'bodies', 'equations', 'world', 'step'},
    'saving': {'world', 'observing'},
}
# Private names of others that cannot be avoided: of rclpy, SymPy, pymunk and the standard
# library, of named tuples, and of a model in its second constructor.
PRIVATE = {
    'node._parameter_overrides',
    'sm.Add._from_args',
    'super()._print_Symbol',
    'sm.Mul._from_args',
    'me.dynamicsymbols._t',
    'mechanics.dynamicsymbols._t',
    'self._space._space',
    'os._exit',
    'model._describe',
}
OF_NAMED_TUPLES = {'_asdict', '_fields', '_make', '_replace'}
MAY_USE_PRIVATE = {'kernels'}  # whose compiler dispatches on its own methods
LAZILY = {'simulation': {'symbolic'}, 'model': {'collision'}, 'web': {'symbolic'}}
ROS = {
    'rclpy',
    'rcl_interfaces',
    'builtin_interfaces',
    'ament_index_python',
    'launch',
    'launch_ros',
}
MAY_IMPORT_ROS = {'ros', 'view', 'examples', 'launching'}
# Slow to import (0.1 s and more), so never at the top of a module outside these parts.
HEAVY = {
    'sympy': {'symbolic'},
    'tornado': {'view'},
    **{name: set() for name in ('cvxpy', 'distributed', 'matplotlib', 'pyarrow')},
}


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


def room_violations(path):
    room, *_ = path.relative_to(SOURCES / 'simulation').parts
    for module, _ in imports(path):
        _, part, target, *_ = [*module.split('.'), '', '']
        is_room = part == 'simulation' and room in ROOMS
        if is_room and target not in ROOMS[room] | {room}:
            yield f'{room} imports {module}'


@pytest.mark.parametrize(
    'path',
    sorted((SOURCES / 'simulation').rglob('*.py')),
    ids=lambda path: str(path.relative_to(SOURCES / 'simulation')),
)
def test_rooms_of_the_simulation_import_only_those_before_them(path):
    assert list(room_violations(path)) == []


def private_uses(path):
    if part_of(path) in MAY_USE_PRIVATE:
        return
    for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
        if isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names if is_private(alias.name))
        elif isinstance(node, ast.Attribute) and is_private(node.attr):
            owner, text = ast.unparse(node.value), ast.unparse(node)
            if owner not in ('self', 'cls') and text not in PRIVATE:
                yield f'line {node.lineno}: {text}'


def is_private(name):
    dunder = name.startswith('__') and name.endswith('__')
    return name.startswith('_') and not dunder and name not in OF_NAMED_TUPLES


@pytest.mark.parametrize('path', modules(), ids=lambda path: str(path.relative_to(SOURCES)))
def test_private_names_are_used_by_their_owners_alone(path):
    assert list(private_uses(path)) == []


@pytest.mark.parametrize(
    'line', ['simulation._state = 1', 'self.world._image', 'from a.b import _c', 'f()._x']
)
def test_the_rule_catches_a_private_name_of_another_object(line, tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], 'SOURCES', tmp_path)
    wrong = tmp_path / 'wrong.py'
    wrong.write_text(line)
    assert len(list(private_uses(wrong))) == 1


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
