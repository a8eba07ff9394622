"""Times to derive, compile, load and evaluate equations of motion."""

import argparse
import ctypes
from functools import partial
from importlib import import_module
import json
from pathlib import Path
import sys
import tempfile
import time
from typing import Any

from measured_models import Case, FREE_BODIES, load, prepared, random_state
from measuring import in_fresh_process, Sample, seconds_per_call, table
import numpy as np
from pinocchio_models import Pinocchio

from symcontact_ros.bench.machine import machine, pin_to_core, versions

SCRIPT = Path(__file__).resolve()
PANDA = 'panda_description/urdf/panda.urdf'
FINGERS = ('panda_finger_joint1', 'panda_finger_joint2')
CASES = {
    'cart_pole': Case('cart_pole', 'cart_pole'),
    'free_bodies': Case(f'{FREE_BODIES} free bodies', 'free_bodies'),
    'ur5': Case('UR5', 'ur_description/urdf/ur5_robot.urdf'),
    'panda': Case('Panda', PANDA),
    'panda_arm': Case('Panda, fingers locked', PANDA, locked=FINGERS),
    'panda_free': Case('Panda, free base', PANDA, 'free'),
    'solo12': Case('Solo12, free base', 'solo_description/robots/solo12.urdf', 'free'),
    'talos': Case('Talos reduced, free base', 'talos_data/robots/talos_reduced.urdf', 'free'),
}
KANE = ('cart_pole', 'double_pendulum')  # small enough for KanesMethod
LARGEST_ABA = 100  # degrees of freedom; the memory of Pinocchio's data grows with their cube
FUNCTIONS = ('dynamics', 'kinematics')  # called by every step of a simulation
# (case, quantity, limit, unit)
BUDGETS = (
    ('panda', 'derive + compile', 1.0, 's'),
    ('panda_arm', 'derive + compile', 1.0, 's'),
    ('panda_free', 'derive + compile', 1.5, 's'),
    ('talos', 'derive + compile', 6.0, 's'),
    ('panda', 'cache hit', 50.0, 'ms'),
    ('panda_arm', 'cache hit', 50.0, 'ms'),
    ('panda', 'right-hand side', 600.0, 'ns'),
    ('panda_arm', 'right-hand side', 600.0, 'ns'),
    ('talos', 'call / pin.aba', 1.0, ''),
)


# Measurements, each in a separate process ------------------------------------------------------


def ready(source: str, base: str, symbolic: str) -> dict[str, float]:
    """Time the derivation or the loading of the functions of a model."""
    from symcontact_ros.kernels.cache import Cache
    from symcontact_ros.simulation.equations.dynamics import Dynamics

    import_module('llvmlite.binding')
    if symbolic == 'cold':
        import_module('symcontact_ros.symbolic.equation_tapes')  # and SymPy
    model = load(source, base)
    cpu, start = time.process_time(), time.perf_counter()
    dynamics = Dynamics(model, backend='llvm', cache=Cache())
    for template in dynamics.functions:
        template.program('motion', 'dynamics')
    derived = time.perf_counter()
    for i, template in enumerate(dynamics.functions):
        for name in FUNCTIONS:
            template.function('motion', name)
        dynamics.constants(i, 'motion')
    end = time.perf_counter()
    assert symbolic == 'cold' or 'sympy' not in sys.modules
    return {
        'derive': derived - start,
        'compile': end - derived,
        'total': end - start,
        'cpu': time.process_time() - cpu,
    }


def first(source: str, base: str) -> dict[str, float]:
    """Return the time at which the first accelerations are available."""
    import symcontact_ros as sc

    model = load(source, base)
    dynamics = sc.equations_of_motion(model).dynamics
    udot = dynamics.rates(*random_state(model), {})[1]
    until = time.monotonic()
    assert np.isfinite(udot).all()
    return {'until': until}


def calls(source: str, base: str) -> dict[str, Any]:
    """Time the right-hand side of the whole model, and Pinocchio's."""
    from symcontact_ros.kernels.cache import Cache
    from symcontact_ros.simulation.equations.dynamics import Dynamics

    model = load(source, base)
    dynamics = Dynamics(model, backend='llvm', cache=Cache())
    q, u, effort = random_state(model)
    udot = dynamics.rates(q, u, effort, {})[1]
    programs = {id(t): t for t in dynamics.functions}.values()
    result: dict[str, Any] = {
        'dof': model.speed_count,
        'groups': len(dynamics.groups),
        'prologue': sum(t.program('motion', 'prologue').operations() for t in programs),
        'operations': sum(t.program('motion', 'dynamics').operations() for t in programs),
    }
    prepared_calls = _prepared_calls(dynamics, q, u, effort)
    loop, keep = _compiled_loop(prepared_calls)
    result['loop'] = seconds_per_call(loop)
    runs = [partial(function, *pointers) for _, function, pointers, _ in prepared_calls]

    def from_python(n: int) -> None:
        for _ in range(n):
            for run in runs:
                run()

    result['python'] = seconds_per_call(from_python)
    last = np.concatenate([np.array(blocks[-1]) for *_, blocks in prepared_calls])
    own = [i for group in dynamics.groups for i in group.u]
    assert np.array_equal(last, udot[own]), 'the functions that were timed are not the equations'
    del keep
    result.update(_pinocchio(model, source, base, (q, u, effort), udot))
    return result


def _prepared_calls(dynamics: Any, q: Any, u: Any, effort: Any) -> list[tuple[Any, ...]]:
    """Return (address, ctypes function, pointers, blocks) of the right-hand side by group."""
    found = []
    for i, group in enumerate(dynamics.groups):
        function = dynamics.functions[i].function('motion', 'dynamics')
        values = {
            'q': q[list(group.q)],
            'u': u[list(group.u)],
            'effort': effort[list(group.u)],
            'constants': dynamics.constants(i, 'motion'),
        }
        blocks = []
        for name, length in [*function.arguments.items(), *function.results.items()]:
            block = (ctypes.c_double * max(length, 1))()
            block[:length] = list(values.get(name, [0.0] * length))
            blocks.append(block)
        types = [ctypes.c_void_p] * len(blocks)
        call = ctypes.PYFUNCTYPE(None, *types)(function.address)
        found.append((function.address, call, [ctypes.addressof(b) for b in blocks], blocks))
    return found


def _compiled_loop(prepared_calls: list[tuple[Any, ...]]) -> tuple[Any, Any]:
    """Return ``loop(n)``, which calls all functions n times in machine code; and its owners."""
    import llvmlite.binding as llvm

    width = 1 + len(prepared_calls[0][2])
    loads = ''.join(
        f'  %p{k} = getelementptr i64, i64* %row, i64 {k}\n  %i{k} = load i64, i64* %p{k}\n'
        for k in range(width)
    )
    casts = ''.join(f'  %d{k} = inttoptr i64 %i{k} to double*\n' for k in range(1, width))
    pointers = ', '.join(['double*'] * (width - 1))
    arguments = ', '.join(f'double* %d{k}' for k in range(1, width))
    text = f"""
define void @loop(i64 %n, i64 %rows, i64* %table) {{
entry:
  br label %round
round:
  %r = phi i64 [0, %entry], [%r1, %next]
  br label %call
call:
  %c = phi i64 [0, %round], [%c1, %call]
  %at = mul i64 %c, {width}
  %row = getelementptr i64, i64* %table, i64 %at
{loads}{casts}  %f = inttoptr i64 %i0 to void ({pointers})*
  call void %f({arguments})
  %c1 = add i64 %c, 1
  %more = icmp ult i64 %c1, %rows
  br i1 %more, label %call, label %next
next:
  %r1 = add i64 %r, 1
  %again = icmp ult i64 %r1, %n
  br i1 %again, label %round, label %end
end:
  ret void
}}
"""
    target = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), target)
    engine.finalize_object()
    flat = [number for address, _, at, _ in prepared_calls for number in (address, *at)]
    rows = (ctypes.c_int64 * len(flat))(*flat)
    kind = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
    loop = kind(engine.get_function_address('loop'))
    where = ctypes.addressof(rows)
    return lambda n: loop(n, len(prepared_calls), where), (engine, rows)


def _pinocchio(model: Any, source: str, base: str, state: Any, udot: Any) -> dict[str, Any]:
    """Time pin.aba on the same model and compare; empty if not available."""
    if model.speed_count > LARGEST_ABA:
        return {}
    try:
        import pinocchio as pin
    except ImportError:
        return {}
    theirs = Pinocchio(model, source, base)
    q, u, effort = state
    numbers = (theirs.coordinates(q), theirs.speeds(u), theirs.speeds(effort))
    expected = pin.aba(theirs.model, theirs.data, *numbers).copy()

    def run(n: int) -> None:
        for _ in range(n):
            pin.aba(theirs.model, theirs.data, *numbers)

    difference = np.abs(theirs.speeds(udot) - expected).max() / np.abs(expected).max()
    return {'aba': seconds_per_call(run), 'difference': float(difference)}


def kane(source: str, base: str) -> dict[str, Any]:
    """Time the paper's method: KanesMethod, lambdify, numpy.linalg.solve."""
    import sympy as sm

    import symcontact_ros as sc

    import_module('sympy.physics.mechanics')
    import_module('symcontact_ros.symbolic.kane')
    model = load(source, base)
    forms = sc.equations_of_motion(model, method='kane').forms
    start = time.perf_counter()
    matrix, forcing = forms.reduced_mass_matrix, forms.reduced_forcing
    derived = time.perf_counter()
    live = forms.symbols
    pushes = [w for force, torque in forms.wrench_symbols.values() for w in (*force, *torque)]
    symbols = [*forms.q, *forms.u, *forms.effort, *pushes, *live.values()]
    function = sm.lambdify([symbols], (matrix, forcing), modules='numpy', cse=True)
    end = time.perf_counter()
    q, u, effort = random_state(model)  # single joints only: an effort for every speed
    numbers = [*q, *u, *effort, *([0.0] * len(pushes)), *(model.parameters[n] for n in live)]

    def run(n: int) -> Any:
        for _ in range(n):
            left, right = function(numbers)
            udot = np.linalg.solve(left, right)
        return udot

    expected = sc.equations_of_motion(model).dynamics.rates(q, u, effort, {})[1]
    difference = np.abs(run(1)[:, 0] - expected).max() / np.abs(expected).max()
    return {
        'derive': derived - start,
        'lambdify': end - derived,
        'call': seconds_per_call(run, 9),
        'difference': float(difference),
    }


# The tables -------------------------------------------------------------------------------------


def measure(source: str, base: str, repeats: int, folder: Path) -> dict[str, Any]:
    """Return all measurements of a model."""
    cold, hits, called, starts = [], [], [], {'first cold': [], 'first warm': []}
    for number in range(repeats):
        cache = folder / f'cold{number}'
        cold.append(in_fresh_process(SCRIPT, ['ready', source, base, 'cold'], cache))
        hits.append(in_fresh_process(SCRIPT, ['ready', source, base, 'warm'], cache))
        called.append(in_fresh_process(SCRIPT, ['calls', source, base], cache))
        cache = folder / f'first{number}'
        for samples in starts.values():
            samples.append(in_fresh_process(SCRIPT, ['first', source, base], cache)['since_start'])
    result = called[0]
    for key in ('loop', 'python', 'aba'):
        if key in result:
            result[key] = Sample.of([seconds for c in called for seconds in c[key]])
    for key in ('derive', 'compile'):
        result[key] = Sample.of([c[key] for c in cold])
    result['derive + compile'] = Sample.of([c['total'] for c in cold])
    result['derive + compile, cpu'] = Sample.of([c['cpu'] for c in cold])
    result['cache hit'] = Sample.of([h['total'] for h in hits]).scaled(1e3)
    result.update({key: Sample.of(samples) for key, samples in starts.items()})
    result['right-hand side'] = result['loop'].scaled(1e9)
    if 'aba' in result:
        result['call / pin.aba'] = Sample(
            result['python'].minimum / result['aba'].minimum,
            result['python'].median / result['aba'].median,
        )
    return result


def measure_kane(source: str, repeats: int, folder: Path) -> dict[str, Any]:
    """Return the times of the paper's method and of ours on a small model."""
    runs = [in_fresh_process(SCRIPT, ['kane', source, 'fixed'], folder) for _ in range(repeats)]
    ours = [
        in_fresh_process(SCRIPT, ['ready', source, 'fixed', 'cold'], folder / f'cold{number}')
        for number in range(repeats)
    ]
    return {
        'kane': Sample.of([run['derive'] for run in runs]),
        'lambdify': Sample.of([run['lambdify'] for run in runs]),
        'call': Sample.of(runs[0]['call']),
        'ours': Sample.of([run['total'] for run in ours]),
        'ours call': Sample.of(
            in_fresh_process(SCRIPT, ['calls', source, 'fixed'], folder / 'cold0')['python']
        ),
        'difference': max(run['difference'] for run in runs),
    }


def print_models(results: dict[str, dict[str, Any]]) -> None:
    """Print the results of every model."""
    print('To get equations ready (minimum / median):')
    header = ('model', 'DOF', 'prologue ops', 'RHS ops', 'derive s', 'compile s', 'both s')
    header += ('cache hit ms', 'start to udot s, cold', 'warm')
    keys = ('derive', 'compile', 'derive + compile', 'cache hit', 'first cold', 'first warm')
    rows = [
        (
            CASES[name].title,
            str(r['dof']),
            *(_per_group(r[key], r['groups']) for key in ('prologue', 'operations')),
            *(r[key].text() for key in keys),
        )
        for name, r in results.items()
    ]
    print(table(header, rows), '\n')
    print('To evaluate qdot and udot once (minimum / median):')
    header = ('model', 'compiled loop ns', 'from Python us')
    with_aba = any('aba' in r for r in results.values())
    if with_aba:
        header += ('pin.aba from Python us', 'ratio', 'difference')
    rows = []
    for name, r in results.items():
        row = (CASES[name].title, r['right-hand side'].text(), r['python'].scaled(1e6).text())
        if 'aba' in r:
            row += (r['aba'].scaled(1e6).text(), f'{r["call / pin.aba"].minimum:.2f}')
            row += (f'{r["difference"]:.0e}',)
        elif with_aba:
            row += ('-',) * 3
        rows.append(row)
    print(table(header, rows), '\n')


def _per_group(operations: int, groups: int) -> str:
    return str(operations) if groups == 1 else f'{groups} x {operations}'


def print_kane(results: dict[str, dict[str, Any]]) -> None:
    """Print the comparison with the paper's method."""
    print("The paper's method, KanesMethod + lambdify + numpy.linalg.solve (minimum / median):")
    header = ('model', 'Kane s', 'lambdify s', 'call us', 'ours: derive + compile s', 'call us')
    header += ('difference',)
    rows = [
        (
            name,
            r['kane'].text(),
            r['lambdify'].text(),
            r['call'].scaled(1e6).text(),
            r['ours'].text(),
            r['ours call'].scaled(1e6).text(),
            f'{r["difference"]:.0e}',
        )
        for name, r in results.items()
    ]
    print(table(header, rows), '\n')


def print_budgets(results: dict[str, dict[str, Any]]) -> None:
    """Print the verdict on every budget, by the minimum."""
    rows = []
    for name, what, limit, unit in BUDGETS:
        if what not in results.get(name, ()):
            continue
        measured = results[name][what]
        verdict = 'ok' if measured.minimum <= limit else 'MISSED'
        rows.append(
            (f'{CASES[name].title}: {what}', f'{limit:g} {unit}', measured.text(), verdict)
        )
    if rows:
        print('Budgets:')
        print(table(('budget', 'limit', 'measured', ''), rows))


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--models', nargs='+', choices=CASES, default=list(CASES))
    parser.add_argument('--repeats', type=int, default=3, help='fresh processes per measurement')
    parser.add_argument('--core', type=int, help='core to run on; default: the last')
    parser.add_argument('--no-kane', action='store_true', help='omit KanesMethod')
    parser.add_argument('--json', type=Path, metavar='FILE', help='file for all results')
    return parser.parse_args()


def main() -> None:
    options = parsed()
    core = pin_to_core(options.core)
    packages = ('pin', 'example-robot-data')
    about = {'machine': machine(core), 'versions': versions(packages), 'when': time.ctime()}
    print(', '.join(f'{name} {version}' for name, version in about['versions'].items()))
    print(f'{about["machine"]}\n{options.repeats} fresh processes per measurement of seconds\n')
    results: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name in options.models:
            folder = Path(scratch, name)
            folder.mkdir()
            print(f'  measuring {name} ...', file=sys.stderr, flush=True)
            source = prepared(CASES[name], folder)
            if source is None:
                print(f'{CASES[name].title}: omitted, example-robot-data is not installed')
                continue
            results[name] = measure(source, CASES[name].base, options.repeats, folder)
        comparison = {}
        for name in () if options.no_kane else KANE:
            print(f'  measuring {name} by KanesMethod ...', file=sys.stderr, flush=True)
            comparison[name] = measure_kane(name, options.repeats, Path(scratch, 'kane', name))
    if not any('aba' in r for r in results.values()):
        print('Pinocchio is not installed (`pip install pin`): not compared\n')
    print_models(results)
    if comparison:
        print_kane(comparison)
    print_budgets(results)
    if options.json:
        data = {**about, 'models': results, 'kane': comparison}
        options.json.write_text(json.dumps(data, default=vars, indent=1) + '\n')


WORKERS = {'ready': ready, 'first': first, 'calls': calls, 'kane': kane}

if __name__ == '__main__':
    if sys.argv[1:2] and sys.argv[1] in WORKERS:
        print(json.dumps(WORKERS[sys.argv[1]](*sys.argv[2:])))
    else:
        main()
