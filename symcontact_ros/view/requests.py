"""Requests of browsers: checks of their messages, which are not trusted, and what they do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
import math
from typing import Any, TYPE_CHECKING

from symcontact_ros.errors import SymcontactError

if TYPE_CHECKING:
    from symcontact_ros.view.browsers import Browser
    from symcontact_ros.view.view_node import ViewNode

MOST_STEPS = 100  # calls of ~/step at once
MOST_VALUES = 1000  # symbols in a message
PREFIX = 'symbols.'

Message = Mapping[str, Any]


class WrongRequestError(SymcontactError):
    """A message that asks for nothing that can be done."""


def number(message: Message, key: str) -> float:
    """Return a finite number."""
    value = message[key]
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise WrongRequestError(f'{key} must be a number')
    return float(value)


def vector(message: Message, key: str) -> list[float]:
    """Return three finite numbers."""
    values = message[key]
    if not isinstance(values, list) or len(values) != 3:
        raise WrongRequestError(f'{key} must be three numbers')
    return [number({key: value}, key) for value in values]


def truth(message: Message, key: str) -> bool:
    """Return true or false."""
    value = message[key]
    if not isinstance(value, bool):
        raise WrongRequestError(f'{key} must be true or false')
    return value


def text(message: Message, key: str) -> str:
    """Return a short text."""
    value = message[key]
    if not isinstance(value, str) or len(value) > 300:
        raise WrongRequestError(f'{key} must be a name')
    return value


def _set(view: ViewNode, browser: Browser, message: Message) -> None:
    values = message['values']
    if not isinstance(values, dict) or len(values) > MOST_VALUES:
        raise WrongRequestError('values must be numbers by the names of symbols')
    view.set({PREFIX + name: number(values, name) for name in values})


def _step(view: ViewNode, browser: Browser, message: Message) -> None:
    count = int(number({'count': 1, **message}, 'count'))
    if not 1 <= count <= MOST_STEPS:
        raise WrongRequestError(f'1 to {MOST_STEPS} steps can be made at once, not {count}')
    view.call('pause', data=True)
    view.call('step', count)


def _reset(view: ViewNode, browser: Browser, message: Message) -> None:
    view.hands.let_all_go()
    view.call('reset')
    view.server.browsers.tell('restart')


def _rewind(view: ViewNode, browser: Browser, message: Message) -> None:
    if 'seconds' in message:
        view.set({'rewind_time': number(message, 'seconds')})
    view.call('rewind')


def _push(view: ViewNode, browser: Browser, message: Message) -> None:
    view.hands.push(
        browser, text(message, 'body'), vector(message, 'force'), vector(message, 'point')
    )


def _effort(view: ViewNode, browser: Browser, message: Message) -> None:
    view.hands.drive(text(message, 'joint'), number(message, 'value'), None)


def _target(view: ViewNode, browser: Browser, message: Message) -> None:
    view.hands.drive(text(message, 'joint'), None, number(message, 'position'))


def _switch(view: ViewNode, browser: Browser, message: Message) -> None:
    view.switch(text(message, 'name'), truth(message, 'value'))


REQUESTS: dict[str, Callable[[ViewNode, Browser, Message], None]] = {
    'play': lambda view, browser, message: view.call('pause', data=False),
    'pause': lambda view, browser, message: view.call('pause', data=True),
    'step': _step,
    'reset': _reset,
    'rewind': _rewind,
    'speed': lambda view, browser, message: view.set(
        {'real_time_factor': number(message, 'speed')}
    ),
    'repeat': lambda view, browser, message: view.set({'repeat': truth(message, 'value')}),
    'set': _set,
    'push': _push,
    'release': lambda view, browser, message: view.hands.release(browser),
    'effort': _effort,
    'target': _target,
    'releaseJoint': lambda view, browser, message: view.hands.let_go(text(message, 'joint')),
    'switch': _switch,
}
