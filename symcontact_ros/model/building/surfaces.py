"""Height fields and triangle meshes of a description: from lists, files and functions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symcontact_ros.errors import shown
from symcontact_ros.expressions import Formula, parse, Scalar, UnknownParameterError
from symcontact_ros.model.building.formula_tables import evaluated_table
from symcontact_ros.model.building.reader import Section
from symcontact_ros.model.input_limits import HEIGHTS, TRIANGLES
from symcontact_ros.model.png_files import grey_image
from symcontact_ros.model.urdf.mesh_files import find_mesh, MeshLeftOutError, MeshRefusedError
from symcontact_ros.shapes.number_table import MARK, NumberTable, unpacked

Table = NDArray[Any]
Arguments = tuple[Any, ...]

POINTS = (101, 101)  # of a function, along x and y
# Of surfaces alone.
SURFACE_KEYS = (
    *('heights', 'file', 'function', 'spacing', 'origin', 'range', 'points'),
    *('triangles', 'scale'),
)
NOTHING: Arguments = (float('nan'),)  # what is read where there is a fault


def read_height_field(section: Section, dimension: int) -> Arguments:
    """Return heights, spacing and origin; what they were read from is replaced by them."""
    given = [key for key in ('heights', 'file', 'function') if key in section]
    if len(given) != 1:
        got = f', got {" and ".join(given)}' if given else ''
        section.fault('', f'one of heights, file and function is needed{got}')
    heights = _FROM[given[0]](section) if given else None
    for key in ('heights', 'file', 'function', 'range', 'points'):
        section.take(key)
    spacing = _spacing(section, heights)
    origin = section.numbers('origin', 2) if 'origin' in section else ()
    if heights is None or spacing is None:
        return NOTHING
    table = NumberTable(heights)
    gone = dict.fromkeys(('file', 'function', 'range', 'points', 'size'))
    section.settle(**gone, heights=table.tolist(), spacing=list(spacing))
    return table, spacing, _values(section, 'origin', origin)


def read_mesh(section: Section, dimension: int) -> Arguments:
    """Return vertices and triangles; a file is replaced by them."""
    scale = _values(section, 'scale', section.numbers('scale', 3, (1.0, 1.0, 1.0)))
    if 'file' in section:
        for key in ('vertices', 'triangles'):
            section.one_of('file', key)
        return _mesh_of_file(section, scale)
    if 'scale' in section:
        section.fault('scale', 'is for a file: vertices are in metres')
    vertices = _table(section, 'vertices', 'f', 3 * HEIGHTS)
    triangles = _table(section, 'triangles', 'i', 3 * TRIANGLES)
    return NOTHING if vertices is None or triangles is None else (vertices, triangles)


READERS: dict[str, Callable[[Section, int], Arguments]] = {
    'height_field': read_height_field,
    'mesh': read_mesh,
}


# Sources ----------------------------------------------------------------------------------------


def _heights(section: Section) -> Table | None:
    table = _table(section, 'heights', 'f', HEIGHTS)
    return None if table is None else table.array


def _image(section: Section) -> Table | None:
    """Return the heights of a PNG file, whose first row is that of the greatest y."""
    low, high = _values(section, 'range', section.numbers('range', 2, (0.0, 1.0)))
    path = _file(section)
    if path is None:
        return None
    if path.suffix.lower() != '.png':
        section.fault('file', f'{shown(path.name)} is no PNG file: write its numbers as heights')
        return None
    try:
        levels = grey_image(path.read_bytes(), HEIGHTS)
    except (OSError, ValueError) as error:
        section.fault('file', f'{shown(path.name)} {error}')
        return None
    return low + (high - low) * levels[::-1]


def _function(section: Section) -> Table | None:
    """Return the heights of a formula of x and y, in metres from the middle of the field."""
    text = section.text('function')
    columns, rows = (int(n) for n in _counts(section))
    size = _values(section, 'size', section.numbers('size', 2, None))
    origin = section.numbers('origin', 2) if 'origin' in section else ()
    if not text or columns == 0 or not all(0.0 < length < np.inf for length in size):
        return None
    start = _values(section, 'origin', origin) or (-0.5 * size[0], -0.5 * size[1])
    x = start[0] + size[0] / (columns - 1) * np.arange(columns)
    y = start[1] + size[1] / (rows - 1) * np.arange(rows)
    try:
        formula = parse(text)
        names = set(formula.names()) if isinstance(formula, Formula) else set()
        if unknown := sorted(names - {'x', 'y', *section.values}):
            raise UnknownParameterError(f'unknown name {unknown[0]!r}: x, y and parameters are')
        return evaluated_table(formula, {**section.values, 'x': x[None, :], 'y': y[:, None]})
    except ValueError as error:
        section.fault('function', str(error))
        return None


def _mesh_of_file(section: Section, scale: tuple[float, ...]) -> Arguments:
    from symcontact_ros.model.urdf.mesh_hulls import can_read_meshes, MeshReader
    from symcontact_ros.optional_packages import way_to

    path = _file(section)
    if path is None or not all(np.isfinite(scale)):
        return NOTHING
    if not can_read_meshes():
        section.fault('file', f'meshes are read by trimesh: {way_to("trimesh")}')
        return NOTHING
    try:
        with MeshReader() as reader:
            found = reader.surface_of(path, scale)
    except (MeshLeftOutError, MeshRefusedError, OSError) as error:
        section.fault('file', f'{shown(path.name)} {error}')
        return NOTHING
    if found.dropped:
        left = f'{found.dropped} triangles without area are left out'
        section.description.add_warning(section.at('file'), left)
    vertices, triangles = NumberTable(found.vertices), NumberTable(found.triangles, int)
    data = {'vertices': vertices.tolist(), 'triangles': triangles.tolist()}
    section.settle(file=None, scale=None, **data)
    return vertices, triangles


_FROM: dict[str, Callable[[Section], Table | None]] = {
    'heights': _heights,
    'file': _image,
    'function': _function,
}


# Values -----------------------------------------------------------------------------------------


def _file(section: Section) -> Path | None:
    """Return the file that a section names, in the folder or package of the model file."""
    reference = section.text('file')
    if not reference:
        return None
    folder = Path(section.description.source_of(section.at('file'))).absolute().parent
    try:
        return find_mesh(reference, folder)
    except (MeshLeftOutError, MeshRefusedError, OSError, ValueError) as error:
        section.fault('file', f'{shown(reference)} {error}')
        return None


def _table(section: Section, key: str, kind: str, most: int) -> Any:
    """Return a table of numbers from lists or a packed text; None and a fault if it is none."""
    items = section.take(key)
    try:
        if isinstance(items, str) and items.startswith(MARK):
            array = unpacked(items, kind, most)
        elif isinstance(items, list | tuple) and items:
            array = _array(items, kind)
        else:
            raise ValueError('a list of lists of numbers is needed')
        if array.size > most:
            raise ValueError(f'has {array.size} numbers, and may have {most}')
    except ValueError as error:
        section.fault(key, str(error))
        return None
    return NumberTable(array, float if kind == 'f' else int)


def _array(items: Any, kind: str) -> Table:
    if not all(isinstance(row, list | tuple) for row in items):
        raise ValueError('a list of lists of numbers is needed')
    if len({len(row) for row in items}) > 1:
        lengths = sorted({len(row) for row in items})
        raise ValueError(f'all rows must be of one length, got {lengths[0]} and {lengths[-1]}')
    try:
        found = np.array([[float(x) for x in row] for row in items], dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f'only numbers are possible here: {error}') from None
    if kind == 'i':
        if not (np.abs(found) < 2**53).all() or (found != np.floor(found)).any():
            raise ValueError('only whole numbers are possible here')
        return found.astype(np.int64)
    return found


def _spacing(section: Section, heights: Table | None) -> tuple[float, float] | None:
    """Return the distances of points along x and y; None and a fault if they are not given."""
    given = [key for key in ('size', 'spacing') if key in section]
    if len(given) != 1:
        section.fault('', 'size (of the field along x and y) or spacing is needed, not both')
        return None
    x, y = _values(section, given[0], section.numbers(given[0], 2, None))
    if not (0.0 < x < np.inf and 0.0 < y < np.inf):
        if not np.isnan(x + y):
            section.fault(given[0], f'must be > 0, got {x:g} and {y:g}')
        return None
    if heights is None or given == ['spacing']:
        return x, y
    rows, columns = heights.shape
    return x / max(columns - 1, 1), y / max(rows - 1, 1)


def _counts(section: Section) -> tuple[float, ...]:
    """Return how many points a function has along x and y; zeros and a fault if they are none."""
    counts = _values(section, 'points', section.numbers('points', 2, POINTS))
    if not all(count == np.floor(count) and count >= 2 for count in counts):
        section.fault('points', f'two whole numbers of 2 or more are needed, got {list(counts)}')
        return 0.0, 0.0
    if counts[0] * counts[1] > HEIGHTS:
        section.fault('points', f'are {counts[0] * counts[1]:g} in all, and may be {HEIGHTS}')
        return 0.0, 0.0
    return counts


def _values(section: Section, key: str, scalars: tuple[Scalar, ...]) -> tuple[float, ...]:
    """Return numbers that cannot change while simulating."""
    from symcontact_ros.expressions import evaluate_all

    try:
        return evaluate_all(scalars, section.values)
    except ValueError as error:
        section.fault(key, str(error))
        return (float('nan'),) * len(scalars)
