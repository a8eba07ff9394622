"""Functions of a structure: from the cache, or derived and compiled."""

from __future__ import annotations

import hashlib

from symcontact_ros.kernels.cache import Cache, check_may_make
from symcontact_ros.kernels.functions import Backend, compile_functions, Function
from symcontact_ros.kernels.tape import Program
from symcontact_ros.kernels.tape_json import programs_from_json, programs_to_json
from symcontact_ros.model.equation_functions import FUNCTIONS
from symcontact_ros.model.input_limits import seconds_to_derive
from symcontact_ros.model.progress import Progress, report_progress, with_time
from symcontact_ros.model.structure import Structure

FAMILY_OF = {function: family for family, functions in FUNCTIONS.items() for function in functions}


class StructureFunctions:
    """Programs and functions that all groups of one structure share, made when first used."""

    def __init__(
        self,
        structure: Structure,
        backend: Backend = 'auto',
        cache: Cache | None = None,
        progress: Progress = report_progress,
    ) -> None:
        self._structure = structure
        self._backend: Backend = backend
        self._cache = cache
        self._progress = progress
        self._key = structure.key()
        self._programs: dict[str, dict[str, Program]] = {}
        self._functions: dict[tuple[str, str], Function] = {}

    def program(self, family: str, name: str) -> Program:
        """Return a program of a family of `FUNCTIONS`, or its ``prologue``."""
        if family not in self._programs:
            self._programs[family] = {program.name: program for program in self._load(family)}
        return self._programs[family][name]

    def function(self, family: str, name: str) -> Function:
        """Return the same, to be called."""
        if (family, name) not in self._functions:
            program = self.program(family, name)
            if name == 'prologue':
                # Run once per change of a symbol: not worth machine code.
                functions = compile_functions([program], backend='python')
            else:
                key = hashlib.sha256(f'{self._key} {family} {name}'.encode()).hexdigest()
                functions = compile_functions([program], self._cache, key, self._backend)
            self._functions[family, name] = functions[name]
        return self._functions[family, name]

    def _load(self, family: str) -> list[Program]:
        stored = self._cache.load(self._key, family) if self._cache is not None else None
        if stored is not None:
            try:
                return _checked(programs_from_json(stored), family)
            except ValueError:
                pass  # not ours, or of another time: derived anew
        check_may_make()
        freedoms = sum(link.speeds for link in self._structure.links)
        time = seconds_to_derive(freedoms)
        self._progress(with_time('deriving equations of motion', time))
        from symcontact_ros.symbolic.equation_tapes import (
            programs_of,  # SymPy takes 0.5 s to import
        )

        programs = programs_of(self._structure, family)
        if self._cache is not None:
            self._cache.store(self._key, family, programs_to_json(programs))
        return programs


def _checked(programs: list[Program], family: str) -> list[Program]:
    """Return programs that are those of a family, with its result blocks; others raise."""
    found = {program.name: tuple(program.results) for program in programs}
    prologue = found.pop('prologue', None)
    if prologue is None or len(programs) != len(found) + 1 or found != FUNCTIONS[family]:
        raise ValueError(f'not the programs of {family}: {list(found)}')
    return programs
