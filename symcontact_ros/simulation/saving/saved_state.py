"""
States of a simulation as bytes and as files.

What is saved is all that the next step depends on, also what is remembered of pairs, so that a run
goes on bit for bit. Arrays and numbers only: nothing in a file is ever run.
"""

from __future__ import annotations

from collections.abc import Mapping
import hashlib
import io
import os
from pathlib import Path
import tempfile
from typing import Any, TYPE_CHECKING
import zlib

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.errors import OptionError
from symcontact_ros.types import Vector

if TYPE_CHECKING:
    from symcontact_ros.simulation.simulation import Simulation

MAGIC = b'symcontact_ros state\n'
VERSION = 3  # raise it when the meaning of an array changes
_BLOCKS = ('state', 'pair_memory', 'warm_starts', 'order', 'joints')
_OF_BODIES = ('travelled', 'reachable', 'is_active', 'applied_force', 'applied_torque')
_OF_WORLD = (
    'substeps',
    'exceeded',
    'largest_need',
    'looks',
    'rebuilds',
    'near_count',
    'candidate_count',
    'drift',
    'skin_now',
)


def saved(simulation: Simulation) -> bytes:
    """Return all that the next steps of a simulation depend on."""
    image, world = simulation._image, simulation._tables.world
    arrays = {name: image[name] for name in _BLOCKS}
    arrays |= {name: image['bodies'][name] for name in _OF_BODIES}
    arrays['near'] = image['near'][: world.near_count]
    arrays['world'] = np.array([getattr(world, name) for name in _OF_WORLD], dtype=float)
    arrays['notes'] = np.array(world.notes)
    symbols = simulation.model.symbols
    arrays['values'] = np.array([simulation._values[name] for name in symbols], dtype=float)
    numbers = [simulation.steps, *simulation._started(), _detection_mark(simulation)]
    arrays['own'] = np.array(numbers, dtype=float)
    return to_bytes(_fingerprint(simulation), arrays)


def restore(simulation: Simulation, data: bytes) -> None:
    """Go back to a saved state; OptionError if it is not one of this simulation."""
    arrays = from_bytes(_fingerprint(simulation), data)
    try:
        values = dict(zip(simulation.model.symbols, arrays.pop('values').tolist(), strict=True))
        steps, start, contact_start, detection = arrays.pop('own').tolist()
        near, notes, numbers = (arrays.pop(name) for name in ('near', 'notes', 'world'))
        if detection != _detection_mark(simulation):
            # What another detector kept are numbers of vertices of other shapes.
            arrays['warm_starts'] = np.zeros_like(simulation._image['warm_starts'])
        for name, array in arrays.items():
            if _target(simulation, name).shape != array.shape:
                raise OptionError(f'a saved state with another size of {name}')
    except (KeyError, ValueError) as error:
        raise OptionError(f'not a whole saved state: {error}') from error
    simulation._use(values, simulation._detection)
    if len(near) > len(simulation._image['near']):
        simulation._tables.make_room(len(near))
        simulation._loop.use_tables()
    simulation._image['near'][: len(near)] = near
    for name, array in arrays.items():
        _target(simulation, name)[:] = array
    world = simulation._tables.world
    for name, number in zip(_OF_WORLD, numbers.tolist(), strict=True):
        setattr(world, name, type(getattr(world, name))(number))
    for note, number in enumerate(notes.tolist()):
        world.notes[note] = number
    simulation._image['stage'][:] = simulation._state
    simulation.steps = int(steps)
    simulation._start = start, contact_start


def _target(simulation: Simulation, name: str) -> NDArray[Any]:
    """Return where a saved array belongs."""
    image = simulation._image
    return image['bodies'][name] if name in _OF_BODIES else image[name]


def _fingerprint(simulation: Simulation) -> str:
    """Return what states can be restored to: a model and a step size."""
    text = f'{simulation.model.to_yaml()}\n{simulation.step_size!r}'
    return hashlib.sha256(text.encode()).hexdigest()


def _detection_mark(simulation: Simulation) -> int:
    """Return a number that tells detectors and their options apart."""
    return zlib.crc32(repr(simulation._detection).encode())


def to_bytes(fingerprint: str, arrays: Mapping[str, Vector]) -> bytes:
    """Return arrays as bytes, marked with what they belong to."""
    buffer = io.BytesIO()
    mark = np.frombuffer(fingerprint.encode(), dtype=np.uint8)
    np.savez(buffer, version=np.array(VERSION), fingerprint=mark, **arrays)  # type: ignore[arg-type]
    payload = buffer.getvalue()
    return MAGIC + hashlib.sha256(payload).digest() + payload


def from_bytes(fingerprint: str, data: bytes) -> dict[str, Vector]:
    """Return the arrays; OptionError if they are none, or belong to something else."""
    if not isinstance(data, bytes | bytearray):
        raise OptionError(f'a saved state is bytes, got {type(data).__name__}')
    start = len(MAGIC) + hashlib.sha256().digest_size
    payload = data[start:]
    if data[:start] != MAGIC + hashlib.sha256(payload).digest():
        raise OptionError('not a saved state, or a damaged one')
    with np.load(io.BytesIO(payload), allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    version = int(arrays.pop('version'))
    mark = arrays.pop('fingerprint').tobytes().decode()
    if version != VERSION:
        raise OptionError(f'a saved state of version {version}; this is version {VERSION}')
    if mark != fingerprint:
        raise OptionError('a saved state of another model or step size')
    return arrays


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def write_file(path: str | Path, data: bytes) -> None:
    """Write a file whole or not at all, whatever happens meanwhile."""
    target = Path(path)
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f'.{target.name}.')
    try:
        with os.fdopen(descriptor, 'wb') as file:
            os.fchmod(descriptor, 0o666 & ~_umask())  # as any file that a user makes
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
