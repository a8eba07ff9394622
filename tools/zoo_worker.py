"""
One URDF of the zoo: loaded, derived, run limp, or tried; beside MuJoCo's loader.

`tools/zoo.py` starts it in a process of its own for every file and part. After every stage it
prints all that it knows as a line of JSON, so that the last line says how far it came if it is
ended from outside.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import suppress
import json
import logging
from pathlib import Path
import re
import resource
import sys
import tempfile
import time
from typing import Any
from xml.etree import ElementTree

import numpy as np
from zoo_checks import check_state, Facts, Nonsense
from zoo_trials import TRIALS

DURATION = 2.0  # simulated [s]
CHUNKS = 20  # of the run, with a look at the state after each
MEMORY = 6 * 2**30  # address space of the process [bytes]
PROCESSOR_TIME = 180  # of the process [s]: on a busy machine the wall clock says nothing


def main() -> int:
    """Examine one file; what is found is printed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('file', type=Path)
    parser.add_argument('--folder', type=Path, help='of its package')
    parser.add_argument('--part', default='limp', choices=('limp', *TRIALS))
    parser.add_argument('--integrator', default='implicit', help='of a trial; limp: the default')
    parser.add_argument('--mujoco', action='store_true', help="try MuJoCo's loader instead")
    options = parser.parse_args()
    for limit, value in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, PROCESSOR_TIME)):
        with suppress(ValueError):  # a lower limit is in force already
            resource.setrlimit(limit, (value, value))
    if options.mujoco:
        report({'mujoco': load_in_mujoco(options.file)})
    elif options.part == 'limp':
        examine(stages, options.file)
    else:
        folder = options.folder or options.file.parent
        name = options.file.relative_to(folder).as_posix()
        examine(TRIALS[options.part], options.file, name, folder, options.integrator)
    return 0


def report(facts: Facts) -> None:
    """Print what is known so far."""
    print(json.dumps(facts), flush=True)


def examine(part: Callable[..., Iterator[None]], *arguments: Any) -> None:
    """Go through the stages of a part, and report after each."""
    from symcontact_ros.errors import SymcontactError

    facts: Facts = {'stage': 'load'}
    said: list[str] = []
    listener = logging.Handler(logging.WARNING)
    listener.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger('symcontact_ros').addHandler(listener)
    try:
        for _ in part(*arguments, facts):
            report(facts)
        if 'verdict' not in facts:
            facts['verdict'] = 'warning' if facts['warnings'] or said else 'good'
    except Nonsense as finding:
        facts.update(verdict='nonsense', reason=str(finding))
    except SymcontactError as error:
        verdict = {'load': 'refused', 'run': 'stopped'}.get(facts['stage'], 'error')
        facts.update(verdict=verdict, reason=str(error), kind=type(error).__name__)
    except Exception as error:
        place = _place(error)
        facts.update(verdict='error', reason=f'{type(error).__name__}: {error} ({place})')
    report({**facts, 'said': list(dict.fromkeys(said))})


def _place(error: BaseException) -> str:
    """Return the innermost place in our package that an error passed."""
    place, trace = '', error.__traceback__
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if 'symcontact_ros' in file.parts:
            place = f'{file.name}:{trace.tb_lineno}'
        trace = trace.tb_next
    return place


def stages(path: Path, facts: Facts) -> Iterator[None]:
    """Yield after each stage, and add to the facts what was found in it."""
    from symcontact_ros import load_model, Simulation

    start = time.process_time()
    model = load_model(path)
    facts.update(loads_in=time.process_time() - start, **contents(model), stage='derive')
    yield
    start = time.process_time()
    simulation = Simulation(model)
    facts.update(derives_in=time.process_time() - start, **contacts(simulation), stage='run')
    yield
    start = time.perf_counter()  # the processor's clock is too coarse
    simulation.step()
    facts['first_step_in'] = time.perf_counter() - start
    yield
    run(simulation, facts)
    facts['stage'] = 'reload'
    yield
    facts['reloads'] = reloaded(model, simulation)
    facts['stage'] = 'done'


def contents(model: Any) -> Facts:
    """Return how large a model is, and what was left out of it."""
    return {
        'freedom': model.speed_count,
        'bodies': len(model.bodies),
        'warnings': list(model.warnings),
    }


def contacts(simulation: Any) -> Facts:
    """Return which bodies may touch, which are excluded, and what was chosen for them."""
    model = simulation.model
    pairs = simulation.pairs
    stiffness = [float(model.number(model.material(*pair).stiffness)) for pair in pairs]
    return {
        'pairs': len(pairs),
        'excluded': [f'{a} - {b}' for a, b in simulation.excluded_pairs],
        'stiffness': [min(stiffness), max(stiffness)] if stiffness else [],
    }


def run(simulation: Any, facts: Facts) -> None:
    """Advance by DURATION; Nonsense where a state cannot be and no guard stops the run."""
    steps = round(DURATION / simulation.step_size / CHUNKS)
    start = {name: np.array(pose.position) for name, pose in simulation.poses().items()}
    spent, findings = 0.0, []
    for _ in range(CHUNKS):
        began = time.process_time()
        simulation.step(steps)
        spent += time.process_time() - began
        made = simulation.steps - 1
        facts.update(us_per_step=1e6 * spent / made, reached=simulation.time)
        try:
            check_state(simulation, start)
        except Nonsense as finding:
            findings.append(finding)
    if findings:
        raise findings[0]


def reloaded(model: Any, simulation: Any) -> str:
    """Return '' if the model written as YAML is the same model, otherwise the difference."""
    from symcontact_ros import load_model, Simulation
    from symcontact_ros.errors import SymcontactError

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, 'model.yaml')
        try:
            model.to_yaml(path)
            again = load_model(path)
            simulation.reset()
            same = Simulation(again).state_hash() == simulation.state_hash()
        except SymcontactError as error:
            return str(error).replace(f'{folder}/', '')
    if again.pairs != model.pairs:
        return f'{len(again.pairs)} pairs, not {len(model.pairs)}'
    return '' if same else 'another state at the start'


# MuJoCo -------------------------------------------------------------------------------------


def load_in_mujoco(path: Path) -> list[str]:
    """
    Return why MuJoCo did not load a file: as it is, with mesh paths resolved, without meshes.

    The list ends at the first way that works; three reasons: none does.
    """
    import mujoco

    reasons = []
    for way in (None, resolve_meshes, strip_meshes):
        try:
            if way is None:
                mujoco.MjModel.from_xml_path(str(path))
            else:
                robot = ElementTree.fromstring(without_prologue(path.read_bytes()))
                way(robot, path)
                mujoco.MjModel.from_xml_string(ElementTree.tostring(robot, encoding='unicode'))
        except (ValueError, mujoco.FatalError, ElementTree.ParseError) as error:
            reasons.append(' '.join(str(error).split()))
        else:
            break
    return reasons


def without_prologue(data: bytes) -> bytes:
    """Return a file from its first element on: MuJoCo takes declarations that expat refuses."""
    return re.sub(rb'<\?xml.*?\?>', b'', data.removeprefix(b'\xef\xbb\xbf'), count=1).lstrip()


def resolve_meshes(robot: ElementTree.Element, path: Path) -> None:
    """Make the paths of meshes absolute, as a user of MuJoCo does who knows where they are."""
    for mesh in robot.iter('mesh'):
        name = mesh.get('filename', '').partition('://')[2] or mesh.get('filename', '')
        for folder in path.parents:
            if (folder / name).is_file():
                mesh.set('filename', str(folder / name))
                break
    extension = ElementTree.SubElement(robot, 'mujoco')
    ElementTree.SubElement(extension, 'compiler', strippath='false')


def strip_meshes(robot: ElementTree.Element, path: Path) -> None:
    """Take away every shape that is a mesh."""
    for link in robot.iter('link'):
        for kind in ('visual', 'collision'):
            for shape in link.findall(kind):
                if shape.find('geometry/mesh') is not None:
                    link.remove(shape)


if __name__ == '__main__':
    sys.exit(main())
