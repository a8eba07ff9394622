"""Images of a world: memory with its layout written into it, without values of live symbols."""

from __future__ import annotations

from symcontact_ros.collision.contact_points import MOST
from symcontact_ros.collision.detection import Detection
from symcontact_ros.collision.shape_pair import WARM_START
from symcontact_ros.contact.laws import law_named
from symcontact_ros.kernels.records import Image, layout_of, slots_of
from symcontact_ros.model.welds import welds_of
from symcontact_ros.simulation.bodies.body import ARTICULATED, FLOATING
from symcontact_ros.simulation.world.layout import Layout
from symcontact_ros.simulation.world.solver_layout import LARGE, NO_ROOM, Room
from symcontact_ros.simulation.world.world import AnyWorld
from symcontact_ros.simulation.world.world_records import Group, KINDS, LEDGER

MOST_PAIRS = 100_000  # there is room for all pairs up to here,
PAIRS_PER_SHAPE = 64  # and for this many per shape beyond
TOUCHING_PAIRS = 64  # there is room for the anchors of so many active pairs,
TOUCHING_PER_SHAPE = 2  # or for those of this many per shape, if that is more


def blank_image(layout: Layout, detection: Detection) -> Image[AnyWorld]:
    """Return the memory of a world."""
    image: Image[AnyWorld] = Image(layout.world_type, _counts(layout, detection))
    _write_groups(image, layout)
    _write_bodies(image, layout)
    _write_pairs(image, layout)
    _refer_materials(image, layout)
    layout.solver.refer(image, NO_ROOM)
    layout.solver.write(image)
    image.record.solver.sparse_from = LARGE
    image.record.keeps_warm_starts = detection.keeps_warm_starts
    return image


def resized_image(
    image: Image[AnyWorld], layout: Layout, counts: dict[str, int]
) -> Image[AnyWorld]:
    """Return a copy with other sizes of some blocks, which are zero in it."""
    new = image.resized(**counts)
    _refer_groups(new, layout)
    _refer_materials(new, layout)
    layout.solver.refer(new, solver_room(new))
    return new


def with_solver_room(image: Image[AnyWorld], layout: Layout, room: Room) -> Image[AnyWorld]:
    """Return a copy with other sizes of the blocks of the solver, which are empty."""
    counters = image['solvers'].copy()
    new = resized_image(image, layout, {'solver_memory': layout.solver.slots(room)})
    new['solvers'][:] = counters
    layout.solver.refer(new, room)
    layout.solver.write(new)
    return new


def solver_room(image: Image[AnyWorld]) -> Room:
    """Return the sizes of the blocks of the solver that grow."""
    (row,) = image['solvers']
    return Room(*(int(row[name][1]) for name in Room._fields))


def warm_start_count(pairs: int, detection: Detection) -> int:
    """Return how many warm starts there are: that of no pair, and those of all pairs, if any."""
    return 1 + pairs if detection.keeps_warm_starts else 1


def _counts(layout: Layout, detection: Detection) -> dict[str, int]:
    """Return how many members each block has at first."""
    model = layout.model
    bodies, shapes = len(model.bodies), len(layout.placed)
    planes = sum(not placed.shape.is_bounded for _, placed in layout.placed)
    pairs = shapes * (shapes - 1) // 2
    capacity = min(pairs, max(MOST_PAIRS, PAIRS_PER_SHAPE * shapes))
    touching = min(pairs, max(TOUCHING_PAIRS, TOUCHING_PER_SHAPE * shapes))
    anchors = MOST * touching if layout.sticks else 0
    return {
        'state': layout.state_size + LEDGER + layout.solver.velocities + len(model.joint_names),
        'stage': layout.state_size,
        'sums': layout.state_size,
        'bodies': bodies,
        'shapes': shapes,
        'solids': 0,
        'boxes': shapes - planes,
        'order': shapes - planes,
        'planes': planes,
        'allowed': pairs,
        'found': capacity,
        'candidates': capacity,
        'active_pairs': capacity,
        'shape_pairs': pairs,
        'pair_memory': pairs,
        'anchors': anchors,
        'new_anchors': anchors,
        'warm_starts': warm_start_count(pairs, detection),
        'kinds': KINDS * KINDS,
        'materials': len(layout.materials),
        'shares': max(1, len(layout.pairs)),
        'law_constants': sum(_own_counts(layout)),
        'groups': len(layout.groups),
        'scratch': sum(sum(own.lengths.values()) for own in layout.functions),
        'joints': len(model.joint_names),
        'quaternions': len(layout.quaternions),
        'work': WARM_START + detection.table.WORK,
        'solvers': 1,
        'solver_memory': layout.solver.slots(NO_ROOM),
    }


def _own_counts(layout: Layout) -> list[int]:
    """Return how many constants of its own the law of each material has."""
    materials = layout.materials
    return [len(law_named(material.law).own_names(material)) for _, material in materials]


def _refer_materials(image: Image[AnyWorld], layout: Layout) -> None:
    """Write where the constants of every material are among those of laws."""
    start = 0
    for i, count in enumerate(_own_counts(layout)):
        image.refer('materials', i, 'own', target='law_constants', start=start, count=count)
        start += count


def _write_groups(image: Image[AnyWorld], layout: Layout) -> None:
    """Write where the state of every group is, and its functions."""
    at = layout.space.STATE * len(layout.floating)
    rows = image['groups']
    for own, (number, functions) in enumerate(zip(layout.groups, layout.functions, strict=True)):
        group = layout.dynamics.groups[number]
        rows['state'][own] = at
        rows['q_count'][own], rows['u_count'][own] = len(group.q), len(group.u)
        rows['kinematics'][own] = functions.kinematics.register()
        if functions.gravity is not None:
            rows['gravity'][own], rows['compensates'][own] = functions.gravity.register(), True
        rows['energy'][own] = functions.energy.register()
        at += len(group.q) + len(group.u)
    image['quaternions'][:] = layout.quaternions
    _refer_groups(image, layout)


def _refer_groups(image: Image[AnyWorld], layout: Layout) -> None:
    """Write where the blocks of every group are in the scratch memory."""
    fields = layout_of(Group).fields
    start = 0
    for own, functions in enumerate(layout.functions):
        for name, length in functions.lengths.items():
            count = length // slots_of(fields[name].kind.member)
            image.refer('groups', own, name, target='scratch', start=start, count=count)
            start += length


def _write_bodies(image: Image[AnyWorld], layout: Layout) -> None:
    """Write what moves each body, and where its state is."""
    rows = image['bodies']
    for name, weld in welds_of(layout.model.bodies).items():
        rows['weld'][layout.index[name]] = layout.index[weld]
    for i, body in enumerate(layout.floating):
        row = rows[layout.index[body.name]]
        row['kind'], row['state'] = FLOATING, layout.space.STATE * i
    for own, number in enumerate(layout.groups):
        for name in layout.dynamics.groups[number].bodies:
            if name in layout.model.grounded:
                continue
            place = layout.dynamics.places[name]
            row = rows[layout.index[name]]
            row['kind'], row['group'], row['link'] = ARTICULATED, own, place.index
            row['carrier'], row['carrier_load'] = place.carrier, place.moving


def _write_pairs(image: Image[AnyWorld], layout: Layout) -> None:
    """Write which shapes may meet, and with which kernels."""
    for shape, (body, placed) in enumerate(layout.placed):
        image['shapes'][shape]['body'] = body
        image['shapes'][shape]['kind'] = layout.kinds.index(placed.shape.kind)
    image['shape_pairs']['bodies'] = -1
    for number, pair in layout.shape_pairs.items():
        image['allowed'][number] = 1
        image['shape_pairs'][number] = pair
    for place, kernels in layout.kind_pairs.items():
        image['kinds'][place] = kernels
    image['shares'][: len(layout.pairs)] = [1.0 / pair.shares for pair in layout.pairs]
    image['planes']['shape'] = range(len(image['boxes']), len(layout.placed))
    image['order'][:] = range(len(image['order']))
