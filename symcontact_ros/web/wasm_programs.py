"""Programs that kernels call by address, in the table of functions of a WebAssembly module."""

from __future__ import annotations

import dataclasses

from symcontact_ros.contact.laws import law_named
from symcontact_ros.kernels.tape import Program
from symcontact_ros.simulation.world.layout import Layout

OF_GROUPS = ('kinematics', 'dynamics', 'gravity', 'energy', 'inertia', 'velocity')


class WasmPrograms:
    """
    Programs and their addresses: 1 for the first, and so on.

    Attributes
    ----------
    programs
        In the order of their addresses; groups of one structure share theirs.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._known: dict[tuple[str, int], int] = {}
        self.programs: list[Program] = []

    def of_group(self, number: int, function: str) -> int:
        """Return the address of a function of a group, or of its ``prologue``."""
        functions = self._layout.dynamics.functions[number]
        return self._address(function, id(functions), functions.program('motion', function))

    def of_material(self, name: str) -> int:
        """Return the address of the formulas of a material."""
        material = self._layout.model.materials[name]
        return self._address('law', id(material), law_named(material.law).program_of(material))

    def add(self, program: Program) -> int:
        """Return the address of another program."""
        return self._address(program.name, 0, program)

    def _address(self, kind: str, owner: int, program: Program) -> int:
        if (kind, owner) not in self._known:
            number = len(self.programs) + 1
            self.programs.append(dataclasses.replace(program, name=f'{kind}{number}'))
            self._known[kind, owner] = number
        return self._known[kind, owner]
