"""
Straight-line programs become LLVM IR.

A program ``name`` becomes ``void name(double* block, ..., double* result, ...)``: its argument
blocks in order, then its result blocks. The blocks of one call must not overlap.

The results are those of the plain Python backend bit for bit: no instruction may be fused,
reordered or replaced by a cheaper one, and sines are those of `elementary`. Where Python raises (a
division by zero, the root of a negative number) they are inf or nan instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
import re
import struct

from symcontact_ros.kernels.elementary import library
from symcontact_ros.kernels.tape import Instruction, Program

# Operation -> its lines; {v} is the value computed, {0} and {1} are the operands. To add an
# operation, add it here, or to `elementary`.
_LINES = {
    'add': '{v} = fadd double {0}, {1}',
    'sub': '{v} = fsub double {0}, {1}',
    'mul': '{v} = fmul double {0}, {1}',
    'div': '{v} = fdiv double {0}, {1}',
    'neg': '{v} = fneg double {0}',
    'abs': '{v} = call double @llvm.fabs.f64(double {0})',
    'sqrt': '{v} = call double @llvm.sqrt.f64(double {0})',
    # As Python's max and min: the first operand, unless the second one is beyond it.
    'max': '{v}.c = fcmp ogt double {1}, {0}\n  {v} = select i1 {v}.c, double {1}, double {0}',
    'min': '{v}.c = fcmp olt double {1}, {0}\n  {v} = select i1 {v}.c, double {1}, double {0}',
}
for _name in library.FUNCTIONS:
    _numbers = 'double {0}, double {1}' if _name in library.BINARY else 'double {0}'
    _LINES[_name] = f'{{v}} = call double @{library.PREFIX}{_name}({_numbers})'
# Cosine and sine of one angle take one call.
_BOTH = (
    f'{{v}}.b = call {{{{double, double}}}} @{library.PREFIX}{library.PAIR}(double {{0}})\n'
    '  {v} = extractvalue {{double, double}} {v}.b, {first}\n'
    '  {v}.o = extractvalue {{double, double}} {v}.b, {second}'
)
_PARTNERS = {'cos': 'sin', 'sin': 'cos'}
_DECLARATIONS = (
    'declare double @llvm.fabs.f64(double)',
    'declare double @llvm.sqrt.f64(double)',
    *library.declarations(),
)
PREFIX = 'symcontact_'  # of symbols: a program called `sin` is not the sine of the C library


def ir_text(programs: Sequence[Program]) -> str:
    """
    Return the programs as one LLVM module.

    Pointers are written ``double*``, which all of LLVM 11 to 22 read. Only numbers and program
    names get into the text; a name that is not a plain word is an error.
    """
    names = [program.name for program in programs]
    if len(set(names)) != len(names):
        raise ValueError(f'program names are not unique: {names}')
    lines = [*_DECLARATIONS]
    for program in programs:
        lines += _function(program)
    return '\n'.join(lines) + '\n'


def _function(program: Program) -> Iterator[str]:
    """Yield the lines of a program."""
    if not re.fullmatch(r'[A-Za-z_][A-Za-z0-9_]*', program.name):
        raise ValueError(f'a program name must be a plain word, not {program.name!r}')
    blocks = {block: f'%b{number}' for number, block in enumerate(program.arguments)}
    results = [f'%r{number}' for number in range(len(program.results))]
    parameters = ', '.join(f'double* noalias {block}' for block in [*blocks.values(), *results])
    yield f'define void @{PREFIX}{program.name}({parameters}) nounwind {{'
    values: list[str] = []  # operand of each value
    known = set(program.instructions)
    found: dict[Instruction, str] = {}  # sines and cosines from calls that return both
    for instruction in program.instructions:
        partner = (_PARTNERS.get(str(instruction[0]), ''), *instruction[1:])
        if instruction[0] == 'constant':
            values.append('0x' + struct.pack('>d', instruction[1]).hex())  # exact
        elif instruction in found:
            values.append(found[instruction])
        elif partner in known:
            value = f'%v{len(values)}'
            first = 0 if instruction[0] == 'cos' else 1
            angle = values[int(instruction[1])]
            yield '  ' + _BOTH.format(angle, v=value, first=first, second=1 - first)
            found[partner] = f'{value}.o'
            values.append(value)
        else:
            values.append(f'%v{len(values)}')
            yield _lines(instruction, blocks, values)
    for result, members in zip(results, program.results.values(), strict=True):
        for index, member in enumerate(members):
            yield f'  {result}.{index} = getelementptr double, double* {result}, i64 {index}'
            yield f'  store double {values[member]}, double* {result}.{index}'
    yield '  ret void\n}'


def _lines(instruction: Instruction, blocks: dict[str, str], values: list[str]) -> str:
    """Return the lines that compute the last of the values."""
    operation, *operands = instruction
    value = values[-1]
    if operation == 'input':
        block, index = blocks[str(operands[0])], int(operands[1])
        place = f'  {value}.p = getelementptr double, double* {block}, i64 {index}\n'
        return f'{place}  {value} = load double, double* {value}.p'
    if operation not in _LINES:
        raise ValueError(f'no instruction of LLVM for {operation!r}')
    return '  ' + _LINES[str(operation)].format(*(values[int(i)] for i in operands), v=value)
