"""``symcontact warm``: derive and compile ahead, so that the next start is quick."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time

from symcontact_ros.errors import many_lines, SymcontactError
from symcontact_ros.kernels.cache import default_folder
from symcontact_ros.kernels.memory import MODE
from symcontact_ros.model.installed_files import shipped_models
from symcontact_ros.model.library import load_model
from symcontact_ros.simulation.simulation import Simulation

GOOD, FAILED, BAD_INPUT = 0, 1, 2


def run(options: argparse.Namespace) -> int:
    """Fill the cache, model by model; what is there already takes no time."""
    os.environ[MODE] = 'best'
    names = list(dict.fromkeys(options.models or shipped_models()))
    width, faults = max(map(len, names)), 0
    for number, name in enumerate(names, 1):
        begin = time.perf_counter()
        try:
            logging.disable(logging.WARNING)  # `check` tells what is to be said about a model
            _prepare(name)
        except SymcontactError as error:
            faults += 1
            print(many_lines(error), file=sys.stderr)
        else:
            took = time.perf_counter() - begin
            print(f'{number:3}/{len(names)}  {name:{width}}  {took:5.1f} s', flush=True)
        finally:
            logging.disable(logging.NOTSET)
    folder = default_folder()
    if not os.access(folder, os.W_OK):
        print(f'{folder}: nothing can be stored there', file=sys.stderr)
        return FAILED
    return BAD_INPUT if faults else GOOD


def _prepare(name: str) -> None:
    """Derive and compile all that a run and a node of a model need."""
    simulation = Simulation(load_model(name), progress=lambda text: None, checked=False)
    observer = simulation.observer()
    observer.observe()
    observer.proximities()
    simulation.energy()
