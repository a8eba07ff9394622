"""Models for a browser: a WebAssembly module, its memory, and what a page must know of both."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

from symcontact_ros.errors import OptionError
from symcontact_ros.kernels.cache import Cache
from symcontact_ros.kernels.kernel import available, static
from symcontact_ros.kernels.memory import Ints, SLOT
from symcontact_ros.kernels.targets.wasm_format import PAGE, STACK
from symcontact_ros.kernels.wasm_module import Entry, wasm_module
from symcontact_ros.model.model import Model
from symcontact_ros.simulation.observing.inspection_kernel import InspectionRecord
from symcontact_ros.simulation.observing.motion_kernel import MotionRecord
from symcontact_ros.simulation.options import fixed_step_integrator
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.simulation.step.integrators import STEPS
from symcontact_ros.simulation.world.compiling import world_type
from symcontact_ros.web.description import described
from symcontact_ros.web.engine import entries, loads
from symcontact_ros.web.engine.image import EngineImage
from symcontact_ros.web.engine.records import Engine
from symcontact_ros.web.live.refusals import find_refused
from symcontact_ros.web.wasm_programs import WasmPrograms

BASE = STACK  # address of the world
SPARE = 4 * PAGE  # bytes behind it for blocks that grow


@dataclass(frozen=True)
class WebModel:
    """
    A model for a browser.

    Attributes
    ----------
    wasm
        WebAssembly module; it imports nothing, and exports ``memory`` and its entries.
    image
        What is to be in its memory from the address ``description['base']`` on.
    description
        All else that a page must know, of types that JSON has; see docs/web.md.
    """

    wasm: bytes
    image: bytes
    description: dict[str, Any]


def web_model(
    source: Simulation | Model,
    detector: str | None = None,
    integrator: str | None = None,
    step_size: float | None = None,
) -> WebModel:
    """
    Return a model for a browser, at its start.

    Parameters
    ----------
    source
        A model, or a simulation: then with its options and live symbols.
    detector, integrator, step_size
        Of a model, as those of `Simulation`; OptionError for those that need Python.
    """
    if isinstance(source, Simulation):
        if (detector, integrator, step_size) != (None, None, None):
            raise OptionError('a simulation has a detector, an integrator and a step size already')
        sim = copy.copy(source)
    else:
        sim = Simulation(source, detector, integrator, step_size)
    check_exportable(sim)
    sim.reset()
    memory = sim.parts.live.memory
    programs = WasmPrograms(memory.layout)
    image = EngineImage(sim, programs)
    refused = find_refused(sim, image)
    size = BASE + SLOT * len(image.memory) + SPARE
    pages = -(-size // PAGE)
    image.set_end((pages * PAGE - BASE) // SLOT)
    cache = Cache()
    wasm = wasm_module(_entries(sim), programs.programs, pages, cache, None)
    description = described(sim, image, refused)
    description |= {'base': BASE, 'moduleSize': len(wasm)}
    return WebModel(wasm, image.memory.tobytes(), description)


def check_exportable(sim: Simulation) -> None:
    """Raise OptionError for a simulation whose steps need Python."""
    if not available():
        raise OptionError('WebAssembly needs llvmlite: pip install llvmlite')
    if sim.used_integrator == 'reference':
        raise OptionError(
            "integrator 'reference' is SciPy's DOP853, which no browser has: take rk4, verlet, "
            'semi_implicit, implicit, implicit2 or auto'
        )
    detection = sim.parts.live.memory.detection
    if not detection.is_compiled:
        solver = detection.options.solver
        raise OptionError(
            f'co.solver {solver!r} is a package of Python, which no browser has: take co.solver '
            "'builtin', or detector 'sat'"
        )


def _entries(sim: Simulation) -> dict[str, Entry]:
    """Return the kernels that a browser calls, with their arguments."""
    world = world_type(sim.parts.live.memory)
    step = static(STEPS[fixed_step_integrator(sim.used_integrator)])
    six, three = [float] * 6, [float] * 3
    all_of = [Ints, world, Engine, InspectionRecord]
    return {
        'advance': Entry(entries.advance, [int, Ints, world, Engine, step]),
        'keep': Entry(entries.keep_state, [world, Engine]),
        'go_back': Entry(entries.go_back, [world, Engine]),
        'set_guards': Entry(entries.set_guards, [world, Engine]),
        'look': Entry(entries.look, [float, *all_of]),
        'move': Entry(entries.move, [world, MotionRecord]),
        'weigh': Entry(entries.weigh, all_of),
        'change': Entry(entries.change, all_of),
        'reset': Entry(entries.reset, all_of),
        'clear_wrenches': Entry(loads.clear_wrenches, [world]),
        'set_wrench': Entry(loads.set_wrench, [int, *six, world]),
        'push': Entry(loads.push, [int, *six, *three, world, MotionRecord]),
        'set_effort': Entry(loads.set_effort, [int, float, world, Engine]),
        'set_target': Entry(loads.set_target, [int, int, float, int, float, world, Engine]),
        'release': Entry(loads.release, [int, world, Engine]),
    }
