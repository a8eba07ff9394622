"""
Time from the start of a process to the first step of a model, with and without a cache.

MuJoCo reads the same scene from a text, in turns with ours; it compiles nothing and keeps nothing.
Python has the bytecode of all modules, as pip leaves it when it installs a package.
"""

from __future__ import annotations

import argparse
from importlib import util
import json
import os
from pathlib import Path
import resource
import subprocess
import sys
import tempfile
import time

from articulated import cart_pole, panda_text
from measuring import ROOT, table

from symcontact_ros import load_model, OptionError
from symcontact_ros.bench.peers import Mujoco
from symcontact_ros.bench.scenes import load_scene

MODELS = ('rectangle_circle', 'sphere_cuboid', 'docking_probe_drogue', 'cart_pole')
PANDA = str(ROOT / 'urdf' / 'panda.urdf')
PROGRAM = """\
import logging, sys
logging.disable(logging.WARNING)
import symcontact_ros as sc
sc.Simulation(sc.load_model(sys.argv[1]), progress=lambda text: None).step()
"""
# What a run of some seconds, or `symcontact warm`, leaves behind.
WAITING = f"""{PROGRAM}
from symcontact_ros.kernels.improving import wait_for_fast_code
wait_for_fast_code()
"""
PEER = """\
import sys
import mujoco
model = mujoco.MjModel.from_xml_path(sys.argv[1])
mujoco.mj_step(model, mujoco.MjData(model))
"""


def text_for_mujoco(model: str) -> str | None:
    """Return the text of a model for MuJoCo; None where there is none, or no MuJoCo."""
    if util.find_spec('mujoco') is None:
        return None
    if model == 'cart_pole':
        return cart_pole(load_model(model))
    if Path(model).name == 'panda.urdf':
        return panda_text()
    try:
        return Mujoco(load_scene(model)[1], 1e-3).text()
    except OptionError:  # it has more than two bodies
        return None


def seconds(program: str, argument: str, folder: Path) -> tuple[float, float]:
    """Return wall time and CPU time of a process that makes one step [s]."""
    environment = {
        **os.environ,
        'SYMCONTACT_CACHE_DIR': str(folder / 'cache'),
        'PYTHONPYCACHEPREFIX': str(folder.parent / 'bytecode'),
    }
    environment.pop('PYTHONDONTWRITEBYTECODE', None)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    subprocess.run([sys.executable, '-c', program, argument], env=environment, check=True)
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, spent


def measured(model: str, runs: int, root: Path) -> dict[str, list[tuple[float, float]]]:
    """Return times of first starts, each with an empty cache, of later starts, of MuJoCo."""
    found: dict[str, list[tuple[float, float]]] = {'first': [], 'later': []}
    text = text_for_mujoco(model)
    for run in range(runs + 1):  # the first one makes bytecode
        with tempfile.TemporaryDirectory(dir=root) as name:
            folder = Path(name)
            times = {'first': [seconds(PROGRAM, model, folder)]}
            seconds(WAITING, model, folder)
            times['later'] = [seconds(PROGRAM, model, folder) for _ in range(2)]
            if text is not None:
                file = folder / 'model.xml'
                file.write_text(text)
                times['MuJoCo'] = [seconds(PEER, str(file), folder)]
        if run:
            for kind, own in times.items():
                found.setdefault(kind, []).extend(own)
    return found


def main() -> None:
    """Measure and print the least of the runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        'models', nargs='*', default=(*MODELS, PANDA), help='shipped models, or files'
    )
    parser.add_argument('--runs', type=int, default=3, help='first starts of each (default: 3)')
    parser.add_argument('--json', type=Path, help='write the samples there')
    options = parser.parse_args()
    found, rows = {}, []
    for model in options.models:
        with tempfile.TemporaryDirectory(prefix='symcontact_start_') as root:
            found[model] = measured(model, options.runs, Path(root))
        best = [min(times) for kind in found[model].values() for times in zip(*kind, strict=True)]
        rows.append([Path(model).stem, *([f'{number:.2f}' for number in best] + ['-', '-'])[:6]])
    header = ['s', 'first: wall', 'CPU', 'later: wall', 'CPU', 'MuJoCo: wall', 'CPU']
    print(table(header, rows))
    if options.json:
        options.json.write_text(json.dumps(found, indent=1))


if __name__ == '__main__':
    main()
