"""docs/kernels.md tells the truth: its examples run, its errors and differences are as it says."""

import importlib.util
import math
from pathlib import Path
import re
import sys

import numpy as np
import pytest

from symcontact_ros.kernels.compiler import module as compiler_module
from symcontact_ros.kernels.compiler import operations
from symcontact_ros.kernels.errors import KernelError
from symcontact_ros.kernels.kernel import available, Kernel
from symcontact_ros.kernels.memory import Floats, floats_of

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / 'docs' / 'kernels.md').read_text(encoding='utf-8')
FOR_THE_COMPILER = '# in compiler/'  # the first line of what is not to run by itself

pytestmark = pytest.mark.skipif(not available(), reason='needs llvmlite')


def fenced(language):
    return re.findall(rf'^```{language}\n(.*?)^```', PAGE, re.M | re.S)


def rows(title):
    """Return the rows of the table whose header starts like this, as cells."""
    (body,) = re.findall(rf'^\| {title} \|.*\n\|[-|]+\n((?:\|.*\n)+)', PAGE, re.M)
    return [[cell.strip() for cell in line[1:-1].split(' | ')] for line in body.splitlines()]


def imported(text, folder):
    """Return a module of a text; kernels are read from files."""
    path = folder / 'of_the_page.py'
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    found = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = found  # where records look for the types of their fields
    try:
        spec.loader.exec_module(found)
    finally:
        del sys.modules[path.stem]
    return found


def entry(body, folder, parameters='y, n, m'):
    lines = ''.join(f'    {line}\n' for line in body)
    text = f'import math\nTABLE = [1.0]\ndef entry({parameters}):\n{lines}'
    return imported(text, folder).entry


def test_the_examples_run_and_their_code_is_as_shown(tmp_path, capsys):
    blocks = [block for block in fenced('python') if not block.startswith(FOR_THE_COMPILER)]
    found = imported('\n'.join(blocks), tmp_path)
    touches = [int(number) for number in re.findall(r'\d+', capsys.readouterr().out)]
    assert len(touches) == 3 and all(touches)
    (shown,) = fenced('llvm')
    assert shown in found.ir


def test_an_operation_is_added_as_is_shown(tmp_path, monkeypatch):
    (block,) = (block for block in fenced('python') if block.startswith(FOR_THE_COMPILER))
    scope = {**vars(operations), 'OPERATIONS': dict(operations.OPERATIONS)}
    exec(block, scope)
    monkeypatch.setattr(operations, 'OPERATIONS', scope['OPERATIONS'])
    monkeypatch.setattr('symcontact_ros.kernels.compiler.calls.OPERATIONS', scope['OPERATIONS'])
    monkeypatch.setattr(compiler_module, 'DECLARATIONS', scope['DECLARATIONS'])
    function = entry(['m[0] = math.copysign(y, m[0])'], tmp_path)
    memory = np.array([-0.0])
    Kernel(function, [float, int, Floats])(3.0, 1, memory)
    assert memory[0] == -3.0


@pytest.mark.parametrize(('code', 'says'), [row[:2] for row in rows('code')])
def test_errors_say_what_the_page_says(code, says, tmp_path):
    function = entry(re.findall('`(.*?)`', code), tmp_path)
    with pytest.raises(KernelError, match=rf'of_the_page.py:\d+: {re.escape(says)}'):
        Kernel(function, [float, int, Floats])


# Of the rows of differences: code that writes to m, numbers, what it gives; Python raises there.
LARGEST = 2**63 - 1
OTHERWISE = {
    'x / 0.0': ('m[0] = x / (y - y)', (-1.0, 0.0, 0, 0), -math.inf),
    'n // k': ('m[0] = float(n // k + n % k)', (0.0, 0.0, 7, 0), 0.0),
    'n + 1': ('m[n + 1] = 1.0', (0.0, 0.0, LARGEST, 0), None),
    'int(x)': ('m[int(x) - k] = 1.0', (1e300, 0.0, 0, LARGEST), 1.0),
    'math.floor(x)': ('m[math.floor(x)] = 1.0', (math.nan, 0.0, 0, 0), 1.0),
    'n << k': ('m[0] = float(n << k)', (0.0, 0.0, 3, -63), 0.0),
    'math.sqrt(x)': ('m[0] = math.sqrt(x)', (-1.0, 0.0, 0, 0), math.nan),
    't[n]': ('m[0] = (5.0, 6.0)[n]', (0.0, 0.0, 7, 0), 5.0),
    'm[n]': ('n = k\nm[0] = m[1:][n]', (0.0, 0.0, 0, 7), None),
    'm[n:k]': ('m[0] = float(len(m[n:k]))', (0.0, 0.0, 1, 99), 98.0),
}
REFUSED = {
    'n / k': ['m[0] = n / k'],
    'n < x': ['m[0] = float(n < x)'],
    'x ** y': ['m[0] = x ** y'],
    'x // y': ['m[0] = x // y'],
    'x % y': ['m[0] = x % y'],
    'n ** k': ['m[0] = float(n ** k)'],
    'min(x, n)': ['m[0] = float(min(x, n))'],
    'x if n > 0 else n': ['m[0] = float(x if n > 0 else n)'],
    'if n:': ['if n:', '    m[0] = x'],
    't == u': ['m[0] = float((x, y) == (y, x))'],
}
NOT_TRIED = {'m[n]', 'n + 1'}  # memory that is not there


def test_every_difference_that_is_code_is_tried():
    listed = {code for what, *_ in rows('what') for code in re.findall('`(.*?)`', what)}
    words = {'math.sin(x)', '*args', ':=', 'print', 'assert', 'raise', 'try', 'with', 'return'}
    assert listed == {'n % k', *words, *OTHERWISE, *REFUSED}


@pytest.mark.parametrize('code', sorted(set(OTHERWISE) - NOT_TRIED))
def test_compiled_code_has_a_result_where_python_raises(code, tmp_path):
    body, numbers, expected = OTHERWISE[code]
    function = entry(body.splitlines(), tmp_path, 'x, y, n, k, m')
    memory = np.zeros(4)
    Kernel(function, [float, float, int, int, Floats])(*numbers, memory)
    assert memory[0] == expected or (math.isnan(expected) and math.isnan(memory[0]))
    plain = np.zeros(4)
    try:
        function(*numbers, floats_of(plain))
    except (ArithmeticError, ValueError, IndexError):
        return
    assert plain[0] != expected


@pytest.mark.parametrize('code', REFUSED)
def test_what_could_mean_two_things_is_refused(code, tmp_path):
    function = entry(REFUSED[code], tmp_path, 'x, y, n, k, m')
    function(3.0, 2.0, 1, 2, floats_of(np.zeros(4)))  # which Python does
    with pytest.raises(KernelError):
        Kernel(function, [float, float, int, int, Floats])


def test_every_file_that_is_named_exists():
    soon = {'elementary.py', 'tools/fuzz_kernels.py'}  # being made
    package = ROOT / 'symcontact_ros'
    for name in set(re.findall(r'`([\w/]+\.(?:py|md))`', PAGE)) - soon:
        assert any((folder / name).is_file() for folder in (ROOT, package, package / 'kernels')), (
            name
        )
