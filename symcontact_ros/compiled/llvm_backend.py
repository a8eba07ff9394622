"""
Straight-line programs become machine code: LLVM IR text, compiled and linked by llvmlite.

A program ``name`` becomes ``void name(double* block, ..., double* result, ...)``: its argument
blocks in order, then its result blocks. The blocks of one call must not overlap.

The results are those of the plain Python backend bit for bit: no instruction may be fused,
reordered or replaced by a cheaper one, and sines come from the C library that Python uses. Where
Python raises (a division by zero, the root of a negative number) they are inf or nan instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
import contextlib
import ctypes
import functools
import re
import struct
from types import ModuleType
from typing import Any

from symcontact_ros.tape import Instruction, Program

# Operation -> its lines; {v} is the value computed, {0} and {1} are the operands. To add an
# operation, add it here, or below if the C library has it.
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
# `nobuiltin`: LLVM knows these functions and would, for one, make x * x of pow(x, 2).
_UNARY_LIBM = ('sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'exp', 'log', 'sinh', 'cosh', 'tanh')
_BINARY_LIBM = ('pow', 'atan2')
_LINES.update({f: f'{{v}} = call double @{f}(double {{0}}) nobuiltin' for f in _UNARY_LIBM})
_LINES.update(
    {f: f'{{v}} = call double @{f}(double {{0}}, double {{1}}) nobuiltin' for f in _BINARY_LIBM}
)
_DECLARATIONS = (
    'declare double @llvm.fabs.f64(double)',
    'declare double @llvm.sqrt.f64(double)',
    *(f'declare double @{name}(double) nounwind' for name in _UNARY_LIBM),
    *(f'declare double @{name}(double, double) nounwind' for name in _BINARY_LIBM),
)
# Of code generation. LLVM's own passes are not run: a program has neither double nor dead values,
# so they find nothing, and they took a quarter of the time; level 2 gives the same code, later.
_LEVEL = 1
_OPTIMIZED = 2  # of what LLVM's passes are run on
_PREFIX = 'symcontact_'  # of symbols: a program called `sin` is not the sine of the C library


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


def object_code(programs: Sequence[Program]) -> bytes:
    """Return the programs compiled for this machine: an object file, to be linked or kept."""
    return object_code_of(ir_text(programs))


def object_code_of(text: str, optimized: bool = False) -> bytes:
    """Return LLVM IR compiled for this machine; LLVM's own passes run if it is to be optimized."""
    llvm = _llvm()
    machine = _target_machine(llvm, _OPTIMIZED if optimized else _LEVEL)
    module = llvm.parse_assembly(text)
    module.triple = llvm.get_process_triple()
    module.data_layout = str(machine.target_data)
    module.verify()
    if optimized:
        _run_passes(llvm, machine, module)
    return bytes(machine.emit_object(module))


class Library:
    """Machine code in memory. Its addresses are good for as long as this object lives."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine

    def address(self, name: str, prefix: str = _PREFIX) -> int:
        """Return where the function of a program starts."""
        address = self._engine.get_function_address(prefix + name)
        if not address:
            raise KeyError(name)
        return int(address)


def link(object_code: bytes) -> Library:
    """
    Return an object file as functions that can be called.

    This runs code: the bytes must come from `object_code` on this machine, directly or through a
    `Cache`.
    """
    llvm = _llvm()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(''), _target_machine(llvm))
    engine.add_object_file(llvm.ObjectFileRef.from_data(object_code))
    engine.finalize_object()
    return Library(engine)


def machine_fingerprint() -> str:
    """Return all that object code depends on besides the programs: the compiler and the CPU."""
    llvm = _llvm()
    import llvmlite

    version = '.'.join(map(str, llvm.llvm_version_info))
    return '\n'.join(
        (
            f'llvmlite {llvmlite.__version__}',
            f'LLVM {version}',
            llvm.get_process_triple(),
            llvm.get_host_cpu_name(),
            llvm.get_host_cpu_features().flatten(),
        )
    )


def _function(program: Program) -> Iterator[str]:
    """Yield the lines of a program."""
    if not re.fullmatch(r'[A-Za-z_][A-Za-z0-9_]*', program.name):
        raise ValueError(f'a program name must be a plain word, not {program.name!r}')
    blocks = {block: f'%b{number}' for number, block in enumerate(program.arguments)}
    results = [f'%r{number}' for number in range(len(program.results))]
    parameters = ', '.join(f'double* noalias {block}' for block in [*blocks.values(), *results])
    yield f'define void @{_PREFIX}{program.name}({parameters}) nounwind {{'
    values: list[str] = []  # what stands for each value as an operand
    for instruction in program.instructions:
        if instruction[0] == 'constant':
            values.append('0x' + struct.pack('>d', instruction[1]).hex())  # exact
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


@functools.cache
def _llvm() -> ModuleType:
    """Return llvmlite's binding, ready for use; its import takes about 50 ms."""
    import llvmlite.binding as llvm

    with contextlib.suppress(RuntimeError):  # newer ones initialise themselves, and say so
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for name in (*_UNARY_LIBM, *_BINARY_LIBM):
        # An unresolved symbol would end the process. Most Pythons have the C library's
        # mathematics in view of everyone already; where it is not, it is put there.
        if llvm.address_of_symbol(name) is None:
            ctypes.CDLL('libm.so.6', mode=ctypes.RTLD_GLOBAL)
    return llvm  # type: ignore[no-any-return]


def _run_passes(llvm: ModuleType, machine: Any, module: Any) -> None:
    """Run the usual passes of LLVM; none of them changes a result."""
    if hasattr(llvm, 'create_pass_builder'):
        options = llvm.create_pipeline_tuning_options(speed_level=_OPTIMIZED)
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
        return
    manager = llvm.create_module_pass_manager()  # of LLVM 14 and before
    legacy = llvm.create_pass_manager_builder()
    legacy.opt_level = _OPTIMIZED
    legacy.inlining_threshold = 225
    machine.add_analysis_passes(manager)
    legacy.populate(manager)
    manager.run(module)


def _target_machine(llvm: ModuleType, level: int = _LEVEL) -> Any:
    """Return the description of this CPU; `jit` lets code and C library be any distance apart."""
    return llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=level,
        jit=True,
    )
