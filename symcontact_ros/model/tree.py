"""Bodies hang on each other: parents first, and no way around."""

from __future__ import annotations

from collections.abc import Sequence
import difflib

from symcontact_ros.model.parts import Body, SPEEDS, WORLD
from symcontact_ros.model.reader import Section


def in_order(bodies: Sequence[Body], root: Section) -> tuple[Body, ...]:
    """Return the bodies, parents before children and otherwise as in the file; note faults."""
    names = {body.name for body in bodies}
    for body in bodies:
        path = f'bodies.{body.name}.joint'
        if body.joint.parent != WORLD and body.joint.parent not in names:
            close = difflib.get_close_matches(body.joint.parent, names, 1)
            hint = f'did you mean {close[0]!r}?' if close else f'bodies are: {", ".join(names)}'
            root.description.fault(f'{path}.parent', f'unknown body {body.joint.parent!r}; {hint}')
    _unique_names(bodies, root)

    ordered: list[Body] = []
    placed, waiting = {WORLD}, list(bodies)
    while waiting:
        ready = next((body for body in waiting if body.joint.parent in placed), None)
        if ready is None:
            _report_cycles(waiting, names, root)
            break
        ordered.append(ready)
        placed.add(ready.name)
        waiting.remove(ready)
    _massless(ordered, root)
    return tuple(ordered)


def _unique_names(bodies: Sequence[Body], root: Section) -> None:
    joints = [body.joint.name for body in bodies if SPEEDS[body.joint.type]]
    frames = [body.name for body in bodies]
    for body in bodies:
        if SPEEDS[body.joint.type] and joints.count(body.joint.name) > 1:
            reason = f'another joint is called {body.joint.name!r}; give it a `name`'
            root.description.fault(f'bodies.{body.name}.joint', reason)
        for site in body.sites:
            if site in frames:
                reason = f'another body or site is called {site!r}'
                root.description.fault(f'bodies.{body.name}.sites.{site}', reason)
            frames.append(site)


def _report_cycles(waiting: Sequence[Body], names: set[str], root: Section) -> None:
    stuck = {body.name for body in waiting}
    for body in waiting:
        if body.joint.parent in stuck:
            chain, at = [body.name], body.joint.parent
            parents = {b.name: b.joint.parent for b in waiting}
            while at in stuck and at not in chain:
                chain.append(at)
                at = parents[at]
            if at == body.name:
                loop = ' -> '.join([*chain, at])
                root.description.fault(
                    f'bodies.{body.name}.joint.parent', f'bodies hang on each other: {loop}'
                )


def _massless(bodies: Sequence[Body], root: Section) -> None:
    """Note moving bodies that carry no mass at all: nothing could tell how they accelerate."""
    heavy = {body.name for body in bodies if body.mass != 0.0}
    for body in reversed(bodies):
        if body.name in heavy:
            # A fixed child is part of its parent; a moving one still gives it inertia.
            heavy.add(body.joint.parent)
    for body in bodies:
        if SPEEDS[body.joint.type] and body.name not in heavy:
            root.description.fault(
                f'bodies.{body.name}.mass', 'a body that moves, or one it carries, needs a mass'
            )
