"""Tree of the bodies: order, unique names, loops and missing masses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
import heapq

from symcontact_ros.errors import shown, suggestion
from symcontact_ros.expressions import evaluate, Values
from symcontact_ros.model.building.fault_paths import joined
from symcontact_ros.model.building.inertias import smallest_resistance
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.parts import Body, WORLD

BODIES = 'bodies'
LONGEST_LOOP = 10  # bodies that a message names
Wrong = tuple[str, str]  # a path, and what is wrong there


def in_order(bodies: Sequence[Body], root: Section) -> tuple[Body, ...]:
    """Return the bodies, parents before children and otherwise as in the file; add faults."""
    names = {body.name for body in bodies}
    parents = names | {WORLD}
    children: dict[str, list[int]] = {}
    for index, body in enumerate(bodies):
        children.setdefault(body.joint.parent, []).append(index)
        if body.joint.parent not in parents:
            hint = suggestion(body.joint.parent, parents, 'bodies are')
            reason = f'unknown body {shown(body.joint.parent)}; {hint}'
            root.add_unknown(f'{joined(BODIES, body.name)}.joint.parent', reason)
    _unique_names(bodies, root)

    ordered: list[Body] = []
    ready = list(children.get(WORLD, ()))  # indices, a heap: in the order of the file
    while ready:
        body = bodies[heapq.heappop(ready)]
        ordered.append(body)
        for child in children.get(body.name, ()):
            heapq.heappush(ready, child)
    _report_loops(bodies, {body.name for body in ordered}, root)
    for path, reason in massless(ordered, root.values):
        root.add_fault(path, reason)
    _moving_half_spaces(ordered, root)
    if not root.description.faults:
        for path, reason in turning_freely(ordered, root.values):
            root.add_fault(path, reason)
    return tuple(ordered)


def _unique_names(bodies: Sequence[Body], root: Section) -> None:
    joints = Counter(body.joint.name for body in bodies if not body.joint.kind.is_fixed)
    frames = {WORLD, *(body.name for body in bodies)}
    for body in bodies:
        if not body.joint.kind.is_fixed and joints[body.joint.name] > 1:
            reason = f'another joint has the name {body.joint.name!r}; give it a `name`'
            root.add_fault(f'{joined(BODIES, body.name)}.joint', reason)
        for site in body.sites:
            if site in frames:
                reason = f'another body or site has the name {site!r}'
                root.add_fault(joined(f'{joined(BODIES, body.name)}.sites', site), reason)
            frames.add(site)


def _report_loops(bodies: Sequence[Body], placed: set[str], root: Section) -> None:
    """Report every loop once, at the first of its bodies; bodies below a loop are not reported."""
    parents = {body.name: body.joint.parent for body in bodies}
    seen = set(placed)
    for body in bodies:
        chain: list[str] = []
        name = body.name
        while name in parents and name not in seen:
            seen.add(name)
            chain.append(name)
            name = parents[name]
        if name in chain:
            loop = chain[chain.index(name) :]
            names = [*loop[:LONGEST_LOOP], '...'] if len(loop) > LONGEST_LOOP else loop
            reason = f'bodies form a loop: {" -> ".join([*names, name])}'
            root.add_fault(f'{joined(BODIES, name)}.joint.parent', reason)


def massless(bodies: Sequence[Body], values: Values) -> Iterator[Wrong]:
    """Yield moving bodies without any mass: their acceleration is not defined."""
    # NaN, a mass with a fault, counts as a mass here.
    heavy = {body.name for body in bodies if evaluate(body.mass, values) != 0.0}
    for body in reversed(bodies):
        if body.name in heavy:
            # A fixed child is part of its parent; a moving one still gives it inertia.
            heavy.add(body.joint.parent)
    moved = _leaders((body for body in bodies if body.name in heavy), values)
    for body in bodies:
        if body.joint.speeds and body.name not in heavy and body.joint.name not in moved:
            reason = 'a body that moves, or one it carries, needs a mass'
            reason += ' (<inertial> in URDF): give it one, or make its joint fixed'
            yield f'{joined(BODIES, body.name)}.mass', reason


def turning_freely(bodies: Sequence[Body], values: Values) -> Iterator[Wrong]:
    """Yield bodies at the ends of the tree without inertia about an axis that they turn about."""
    carrying = {body.joint.parent for body in bodies}
    free = [
        body
        for body in bodies
        if body.name not in carrying
        and not body.joint.has_open_armature
        and smallest_resistance(body, values) <= 0.0
    ]
    moved = _leaders((body for body in bodies if body not in free), values)
    for body in free:
        if body.joint.speeds and body.joint.name not in moved:
            reason = 'must be > 0 about every axis that this body turns about'
            yield f'{joined(BODIES, body.name)}.inertia', reason


def _leaders(bodies: Iterable[Body], values: Values) -> set[str]:
    """Return the joints that some bodies follow: they move these along."""
    bonds = [body.joint.mimic for body in bodies if body.joint.mimic is not None]
    return {mimic.joint for mimic in bonds if evaluate(mimic.multiplier, values) != 0.0}


def _moving_half_spaces(bodies: Sequence[Body], root: Section) -> None:
    still = {WORLD}
    for body in bodies:
        if body.joint.kind.is_fixed and body.joint.parent in still:
            still.add(body.name)
        elif not all(placed.shape.is_bounded for placed in body.shapes):
            reason = 'a half_space is infinite: its body must be fixed'
            root.add_fault(f'{joined(BODIES, body.name)}.shapes', reason)
        elif not all(placed.shape.is_convex for placed in body.shapes):
            kinds = sorted({p.shape.kind for p in body.shapes if not p.shape.is_convex})
            reason = (
                f'a {" or ".join(kinds)} is a surface: its body must be fixed. Bodies that move '
                "have convex shapes: give it several, or load a mesh with meshes='decompose'"
            )
            root.add_fault(f'{joined(BODIES, body.name)}.shapes', reason)
