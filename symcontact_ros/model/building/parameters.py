"""Live symbols that ``parameters:`` of a description declares."""

from __future__ import annotations

from collections.abc import Mapping
from keyword import iskeyword
import math

from symcontact_ros.errors import shown
from symcontact_ros.model.building.live_symbols import Symbols
from symcontact_ros.model.building.reader import NAME, NOT_A_NAME, Section
from symcontact_ros.model.description import Description
from symcontact_ros.model.parts import LiveSymbol

BUILT_IN_CONSTANTS = ('pi',)


def read_parameters(root: Section, symbols: Symbols) -> None:
    """Read ``parameters:``, each a number or ``{value:, min:, max:, unit:, ...}``."""
    section = root.section('parameters')
    for name in section.names():
        if iskeyword(name) or name in BUILT_IN_CONSTANTS:
            section.fault(name, f'{name!r} has a meaning in formulas: choose another name')
            section.take(name)
        elif not NAME.match(name):
            section.fault(name, f'{shown(name)} {NOT_A_NAME}')
            section.take(name)
        elif not section.is_section(name):
            symbols.add(name, LiveSymbol(section.value(name, math.nan)))
        else:
            entry = section.section(name)
            symbol = LiveSymbol(
                entry.value('value', math.nan),
                entry.value('min', -math.inf) if 'min' in entry else -math.inf,
                entry.value('max', math.inf) if 'max' in entry else math.inf,
                *(entry.text(key, '') for key in ('unit', 'description', 'latex')),
            )
            for key in ('min', 'max'):
                entry.take(key)
            if 'value' not in entry:
                entry.fault('value', 'is missing: a number is needed')
            elif name not in symbols.overrides:
                check_range(section, name, symbol, symbol.value)
            entry.close()
            symbols.add(name, symbol)


def check_range(section: Section, name: str, symbol: LiveSymbol, value: float) -> None:
    """Add a fault if a value is outside the range of its symbol."""
    if value < symbol.minimum or value > symbol.maximum:
        reason = f'value {value:g} is outside [{symbol.minimum:g}, {symbol.maximum:g}]'
        section.fault(name, reason)


def values_of(description: Description, overrides: Mapping[str, float]) -> dict[str, float]:
    """
    Return the values of the parameters as far as they are good, without reporting faults.

    ``overrides`` replace those of the file; names that it does not have are for other files.
    """
    scratch = Description(
        description.source, {'parameters': description.data.get('parameters', {})}
    )
    symbols = Symbols(dict(overrides))
    read_parameters(Section(scratch, '', scratch.data, symbols.values), symbols)
    return symbols.values
