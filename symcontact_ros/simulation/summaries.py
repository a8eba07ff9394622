"""
Contacts summed up by pair and by body, as a kernel: records of a survey go in.

A < B by the names of the bodies; forces act on B, and A receives the opposite at the same point.
"""

from __future__ import annotations

import math

from symcontact_ros.kernels.transitional import Memory, shift
from symcontact_ros.simulation.loop.survey import (
    CONTACT,
    CONTACT_DISTANCE,
    CONTACT_FORCE,
    CONTACT_POINT,
    PAIR_A,
    PAIR_B,
    PAIR_CONTACT_NORMAL,
    PAIR_CONTACTS,
    PAIR_COUNT,
    PAIR_DISTANCE,
    PAIR_POINT_A,
    PAIR_POINT_B,
    RECORD,
)
from symcontact_ros.simulation.motions import BODY, COM, FORCE, TORQUE

# What is known of two shapes: the row of their pair of bodies, and 1 if the first is of A, or -1.
KNOWN_PAIR, KNOWN_SIGN = 0, 1
KNOWN = 2
# What is written of a pair of bodies.
SUM_POINT, SUM_FORCE, SUM_TORQUE, SUM_WEIGHT, SUM_NEAREST = 0, 3, 6, 9, 10
SUM = 11
# What is written of a contact: rows of pair and bodies, point, normal, distance, force on B.
ROW_PAIR, ROW_A, ROW_B, ROW_POINT, ROW_NORMAL, ROW_DISTANCE, ROW_FORCE = 0, 1, 2, 3, 6, 9, 10
ROW = 13


def summarise(  # noqa: PLR0917 - kernels take plain arguments
    record_count: int,
    records: Memory,
    shape_count: int,
    known: Memory,
    pair_count: int,
    bodies_of: Memory,
    bodies: Memory,
    sums: Memory,
    out: Memory,
) -> None:
    """Write the sums of all pairs, the number of contacts and a row of each; load the bodies."""
    rows = shift(out, 1)
    for pair in range(pair_count):
        clear_sum(shift(sums, SUM * pair), bodies_of, pair, bodies)
    count = 0
    for i in range(record_count):
        record = shift(records, RECORD * i)
        place = KNOWN * (int(record[PAIR_A]) * shape_count + int(record[PAIR_B]))
        pair = int(known[place + KNOWN_PAIR])
        note_nearest(record, shift(sums, SUM * pair))
        for k in range(int(record[PAIR_COUNT])):
            row = shift(rows, ROW * count)
            row[ROW_PAIR] = float(pair)
            row[ROW_A] = bodies_of[2 * pair]
            row[ROW_B] = bodies_of[2 * pair + 1]
            write_row(record, k, known[place + KNOWN_SIGN], row)
            add_weight(row, shift(sums, SUM * pair))
            count += 1
    out[0] = float(count)
    for pair in range(pair_count):
        finish_point(shift(sums, SUM * pair))
    for i in range(count):
        row = shift(rows, ROW * i)
        add_force(row, shift(sums, SUM * int(row[ROW_PAIR])))
        a, b = int(row[ROW_A]), int(row[ROW_B])
        add_load(row, -1.0, shift(bodies, BODY * a))
        add_load(row, 1.0, shift(bodies, BODY * b))


def clear_sum(total: Memory, bodies_of: Memory, pair: int, bodies: Memory) -> None:
    """Begin a sum; where nothing is known of a pair, it is between its centres of mass."""
    a = BODY * int(bodies_of[2 * pair]) + COM
    b = BODY * int(bodies_of[2 * pair + 1]) + COM
    for axis in range(3):
        total[SUM_POINT + axis] = 0.5 * (bodies[a + axis] + bodies[b + axis])
    for i in range(SUM_FORCE, SUM_NEAREST):
        total[i] = 0.0
    total[SUM_NEAREST] = 1e300


def note_nearest(record: Memory, total: Memory) -> None:
    """Take the middle of the closest points, if none were closer before."""
    if record[PAIR_DISTANCE] < total[SUM_NEAREST]:
        total[SUM_NEAREST] = record[PAIR_DISTANCE]
        for axis in range(3):
            middle = 0.5 * (record[PAIR_POINT_A + axis] + record[PAIR_POINT_B + axis])
            total[SUM_POINT + axis] = middle


def write_row(record: Memory, k: int, sign: float, row: Memory) -> None:
    """Write point, normal, distance and force of a contact, from A to B."""
    contact = shift(record, PAIR_CONTACTS + CONTACT * k)
    row[ROW_DISTANCE] = contact[CONTACT_DISTANCE]
    for axis in range(3):
        row[ROW_POINT + axis] = contact[CONTACT_POINT + axis]
        row[ROW_NORMAL + axis] = sign * record[PAIR_CONTACT_NORMAL + axis]
        row[ROW_FORCE + axis] = sign * contact[CONTACT_FORCE + axis]


def add_weight(row: Memory, total: Memory) -> None:
    """Add a point with the size of its force; kept where the torque will be."""
    x, y, z = row[ROW_FORCE], row[ROW_FORCE + 1], row[ROW_FORCE + 2]
    weight = math.sqrt(x * x + y * y + z * z)
    total[SUM_WEIGHT] += weight
    for axis in range(3):
        total[SUM_TORQUE + axis] += weight * row[ROW_POINT + axis]


def finish_point(total: Memory) -> None:
    """Take the weighted mean of the points, if anything has a weight."""
    for axis in range(3):
        if total[SUM_WEIGHT] > 0.0:
            total[SUM_POINT + axis] = total[SUM_TORQUE + axis] / total[SUM_WEIGHT]
        total[SUM_TORQUE + axis] = 0.0


def add_force(row: Memory, total: Memory) -> None:
    """Add the force of a contact, and its torque about the point of the pair."""
    add_turn(row, 1.0, total, shift(total, SUM_TORQUE))
    for axis in range(3):
        total[SUM_FORCE + axis] += row[ROW_FORCE + axis]


def add_load(row: Memory, sign: float, body: Memory) -> None:
    """Add what a contact does to a body."""
    add_turn(row, sign, shift(body, COM), shift(body, TORQUE))
    for axis in range(3):
        body[FORCE + axis] += sign * row[ROW_FORCE + axis]


def add_turn(row: Memory, sign: float, about: Memory, torque: Memory) -> None:
    """Add the torque of a contact about a point."""
    x, y, z = (
        row[ROW_POINT] - about[0],
        row[ROW_POINT + 1] - about[1],
        row[ROW_POINT + 2] - about[2],
    )
    fx, fy, fz = sign * row[ROW_FORCE], sign * row[ROW_FORCE + 1], sign * row[ROW_FORCE + 2]
    torque[0] += y * fz - z * fy
    torque[1] += z * fx - x * fz
    torque[2] += x * fy - y * fx
