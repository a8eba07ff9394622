"""Saved states that somebody has changed and given a valid checksum."""

import hashlib

import numpy as np

from symcontact_ros.simulation.saving.state_arrays import OF_ROWS, state_arrays, state_sizes
from symcontact_ros.simulation.saving.state_bytes import (
    fingerprint_of,
    from_bytes,
    MAGIC,
    to_bytes,
)

NUMBERS = np.array([-1, 0, 1, 2, 3, 7, 1000, -(2**62), 2**62, 2**63 - 1, -(2**63)], dtype=np.int64)
FLOATS = np.array([np.nan, np.inf, -np.inf, -1.0, 1e-300, 1e100, 1e160, 1e308, 0.5]).view(np.int64)
INTERESTING = np.concatenate([NUMBERS, FLOATS])


def arrays_of(simulation):
    """Return copies of the arrays of a saved state, as 8-byte ints."""
    mark = fingerprint_of(simulation.model, simulation.step_size)
    sizes = state_sizes(simulation.parts.live)
    arrays = from_bytes(mark, simulation.save_state(), sizes)
    return {name: array.copy() for name, array in arrays.items()}


def forged(simulation, arrays):
    """Return arrays as a saved state with a valid checksum."""
    return to_bytes(fingerprint_of(simulation.model, simulation.step_size), arrays)


def with_field(simulation, block, field, value, row=0):
    """Return the saved state with another value of one field of a row."""
    own = state_arrays(simulation.parts.live, simulation.parts.energy, simulation.steps)
    rows = own[block].view(
        [(n, simulation.parts.live.memory.image[block].dtype[n]) for n in OF_ROWS[block]]
    )
    rows[field][row] = value
    return forged(simulation, own)


def sealed(payload):
    """Return what follows the checksum of a saved state, with a checksum that fits."""
    return MAGIC + hashlib.sha256(payload).digest() + payload


def mutated(simulation, saved, rng):
    """Return a saved state that was changed at random, with a valid checksum."""
    start = len(MAGIC) + 32
    payload = bytearray(saved[start:])
    line = payload.index(b'\n') + 1
    kind = rng.integers(6)
    if kind == 0:  # anywhere, the line of text included
        for _ in range(rng.integers(1, 4)):
            payload[rng.integers(len(payload))] ^= 1 << rng.integers(8)
    elif kind == 1:
        at = rng.integers(len(payload))
        del payload[at : at + rng.integers(1, 64)]
    elif kind == 2:
        at = rng.integers(line)
        payload[at:at] = bytes(rng.integers(32, 127, rng.integers(1, 40), dtype=np.uint8))
    else:  # numbers
        body = np.frombuffer(bytes(payload[line:]), np.int64).copy()
        for _ in range(rng.integers(1, 5)):
            body[rng.integers(len(body))] = rng.choice(INTERESTING)
        payload[line:] = body.tobytes()
    return sealed(bytes(payload))
