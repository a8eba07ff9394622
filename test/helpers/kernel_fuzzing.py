"""Random kernels are run plain and compiled, and what they leave in memory is compared."""

import copy
import gc
import itertools
import re

from helpers.kernel_programs import Programs
from helpers.kernel_runs import differing, World
from helpers.kernel_world import PREAMBLE

HELPERS, PROGRAMS, INPUTS = 8, 100, 2  # of a batch; memories that each program is run on
OPTIMIZED = 10  # every so manieth batch is compiled as kernels are, and all others quickly
TOLD = 3  # programs of a batch that are told of


class Batch:
    """Programs of one seed, and the functions that they call."""

    def __init__(self, seed, count=PROGRAMS):
        programs = Programs(seed)
        self.seed = seed
        self.helpers = [programs.helper(f'h{i}') for i in range(HELPERS)]
        self.programs = [programs.program(f'p{i}') for i in range(count)]


def text_of(functions):
    """Return functions as a file."""
    return PREAMBLE + '\n\n' + '\n\n\n'.join(f.text() for f in functions) + '\n'


def needed(helpers, program):
    """Return the functions that a program calls, and those that they call."""
    found, text = [], program.text()
    for helper in reversed(helpers):
        if re.search(rf'\b{helper.name}\(', text):
            found.insert(0, helper)
            text += helper.text()
    return found


def failing(helpers, programs, seed, optimized=False, debug=False):
    """Return which programs leave something else in memory when they are compiled."""
    world = World(text_of([*helpers, *programs]))
    try:
        names = [program.name for program in programs]
        inputs = [memory_of(world, names, f'{seed} {turn}') for turn in range(INPUTS)]
        expected = [memory.copy() for memory in inputs]
        for memory in expected:
            world.plain(names, memory)
        run = world.compiled(names, optimized, debug)
        found = set()
        for memory, other in zip(inputs, expected, strict=True):
            run(memory)
            found.update(differing(memory, other))
        return sorted(found)
    finally:
        world.close()


def memory_of(world, names, seed):
    """Return random memory for programs, the same for each whatever the others are."""
    return world.memory.filled(PROGRAMS, seed)[[int(name[1:]) for name in names]]


def verdict(helpers, program, seed, optimized, debug):
    """Return what is wrong with a program; nothing, if plain Python cannot run it."""
    functions = [*needed(helpers, program), program]
    world = World(text_of(functions))
    try:
        for turn in range(INPUTS):
            world.plain([program.name], memory_of(world, [program.name], f'{seed} {turn}'))
    except Exception:
        return ''
    finally:
        world.close()
    try:
        differs = failing(functions[:-1], [program], seed, optimized, debug)
    except Exception as error:
        return type(error).__name__
    return 'differs' if differs else ''


def shrunk(helpers, program, seed, optimized, debug):
    """Return a program, and the functions that it calls, with fewer statements as wrong."""
    wrong = verdict(helpers, program, seed, optimized, debug)
    functions = copy.deepcopy([*needed(helpers, program), program])
    smaller = bool(wrong)
    while smaller:
        smaller = False
        for body, place in list(_statements(functions)):
            if place >= len(body):
                continue
            dropped = body.pop(place)
            if verdict(functions[:-1], functions[-1], seed, optimized, debug) == wrong:
                smaller = True
            else:
                body.insert(place, dropped)
    return [*needed(functions[:-1], functions[-1]), functions[-1]]


def _statements(functions):
    """Yield the blocks of functions, innermost last, and a place in each, the last one first."""
    waiting = [function.body for function in reversed(functions)]
    while waiting:
        body = waiting.pop(0)
        waiting += [statement[1] for statement in body if not isinstance(statement, str)]
        yield from ((body, place) for place in reversed(range(len(body))))


def told(batch, program, optimized, debug):
    """Return what is wrong with a program of a batch, in words."""
    seed = batch.seed
    wrong, reason = verdict(batch.helpers, program, seed, optimized, debug), ''
    functions = shrunk(batch.helpers, program, seed, optimized, debug)
    try:
        failing(functions[:-1], functions[-1:], seed, optimized, debug)
    except Exception as error:
        reason = f': {error}'
    text = '\n\n'.join(function.text() for function in functions)
    level = ' optimized' * optimized + ' debugged' * debug
    return f'seed {seed!r}, {program.name}{level}: {wrong or "only with others"}{reason}\n{text}'


def checked(seed, count=PROGRAMS, optimized=False, debug=False):
    """Return what is wrong with programs of a seed, a text for each."""
    batch = Batch(seed, count)
    try:
        found = failing(batch.helpers, batch.programs, seed, optimized, debug)
        wrong = [batch.programs[i] for i in found]
    except Exception:  # of one of them
        wrong = (
            program
            for program in batch.programs
            if verdict(batch.helpers, program, seed, optimized, debug)
        )
        wrong = list(itertools.islice(wrong, TOLD)) or batch.programs[:1]
    return [told(batch, program, optimized, debug) for program in wrong[:TOLD]]


def fuzz(count, seed=0, debug=False, progress=None):
    """Check so many programs; return what is wrong, a text for each."""
    wrong, done, number = [], 0, 0
    gc.collect()
    gc.disable()  # nearly all that is made is kept until the end of a batch
    try:
        while done < count and len(wrong) < 3 * TOLD:
            size = min(PROGRAMS, count - done)
            optimized = number % OPTIMIZED == 1
            wrong += checked(f'{seed}/{number}', size, optimized, debug)
            done, number = done + size, number + 1
            if number % 20 == 0:
                gc.collect()
            if progress:
                progress(done, len(wrong))
    finally:
        gc.enable()
    return wrong
