"""Results of a sweep as a table: one row per point, columns with units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
import csv
import io
import math
from pathlib import Path
from typing import Any

import numpy as np

from symcontact_ros.optional_packages import missing
from symcontact_ros.simulation.saving.atomic_file import write_file
from symcontact_ros.sweeps.points import Points
from symcontact_ros.sweeps.runner import GOOD, Row, STATUSES
from symcontact_ros.types import Vector

CSV, PARQUET = ENDINGS = ('.csv', '.parquet')


class SweepTable:
    """
    The results of a sweep: ``table['max_force']`` is a column.

    The columns are those named in ``parameters``, then those in ``measures``.

    Files have empty cells where a run has no result; arrays, which cannot, have NaN there.

    Parameters
    ----------
    points
        Of the sweep.
    units
        Of parameters, then of measures, by name.
    words
        What else files say of the sweep, by word.

    Attributes
    ----------
    points, units
        As given.
    status
        ``'good'``, ``'doubtful'`` (see `Simulation.trust`), ``'diverged'`` or ``'refused'`` by
        point, as an array of texts.
    messages
        Why, by point, of all that are not good.

    """

    def __init__(self, points: Points, units: Mapping[str, str], words: Mapping[str, str]) -> None:
        self.points, self.units, self.words = points, dict(units), dict(words)
        self.parameters = tuple(points.axes)
        self.measures = tuple(name for name in units if name not in points.axes)
        self.messages: dict[int, str] = {}
        self._codes = np.full(len(points), -1, dtype=np.int8)
        self._values = np.full((len(points), len(self.measures)), np.nan)
        self._inputs: Vector | None = None
        self.done = 0

    def __len__(self) -> int:
        """Return the number of points."""
        return len(self.points)

    def __repr__(self) -> str:
        counts = ', '.join(f'{count} {status}' for status, count in self.counts.items() if count)
        columns = ', '.join([*self.parameters, *self.measures])
        return f'<SweepTable of {len(self)} points ({counts or "none done"}): {columns}>'

    def add(self, rows: Iterable[Row]) -> list[Row]:
        """Take rows, each point once; return those that are new."""
        new = [row for row in rows if self._codes[row.point] < 0]
        for row in new:
            self._codes[row.point] = STATUSES.index(row.status)
            self._values[row.point] = [np.nan if value is None else value for value in row.values]
            if row.message:
                self.messages[row.point] = row.message
        self.done += len(new)
        return new

    @property
    def missing(self) -> Any:
        """The points that are not done, in their order."""
        return np.flatnonzero(self._codes < 0)

    @property
    def counts(self) -> dict[str, int]:
        """How many points have each status."""
        return {name: int((self._codes == i).sum()) for i, name in enumerate(STATUSES)}

    @property
    def status(self) -> Any:
        """The status of every point that is done; of others an empty text."""
        return np.array([*STATUSES, ''])[self._codes]

    @property
    def is_good(self) -> Any:
        """Whether a point has results that nothing is known against, (points,)."""
        return self._codes == STATUSES.index(GOOD)

    def __getitem__(self, name: str) -> Vector:
        """Return the column of a parameter or a measure, (points,)."""
        if name in self.measures:
            column: Vector = self._values[:, self.measures.index(name)]
            return column
        if self._inputs is None:
            rows = (list(self.points.values(point).values()) for point in range(len(self)))
            self._inputs = np.array(list(rows), dtype=float).reshape(len(self), -1)
        return self._inputs[:, self.parameters.index(name)]

    def write(self, path: str | Path) -> None:
        """Write a .csv or .parquet file, whole or not at all."""
        path = Path(path)
        write_file(path, self.parquet() if path.suffix == PARQUET else self.csv())

    def csv(self) -> bytes:
        """Return a header of names and units, and numbers that read back bit for bit."""
        buffer = io.StringIO()
        writer = csv.writer(buffer, lineterminator='\n')
        heads = [f'{name} [{unit or "-"}]' for name, unit in self.units.items()]
        inputs = len(self.parameters)
        writer.writerow(['point', *heads[:inputs], 'status', *heads[inputs:], 'message'])
        writer.writerows(self._lines())
        return buffer.getvalue().encode()

    def _lines(self) -> Iterator[list[Any]]:
        inputs = np.stack([self[name] for name in self.parameters], axis=1).tolist()
        rows = zip(inputs, self.status.tolist(), self._values.tolist(), strict=True)
        for point, (given, status, values) in enumerate(rows):
            cells = ['' if math.isnan(value) else repr(value) for value in values]
            yield [point, *map(repr, given), status, *cells, self.messages.get(point, '')]

    def parquet(self) -> bytes:
        """Return the same columns with their units as metadata of each, and nulls where empty."""
        pyarrow, parquet = require_pyarrow()
        columns: dict[str, Any] = {'point': pyarrow.array(np.arange(len(self)))}
        columns |= {name: pyarrow.array(self[name]) for name in self.parameters}
        columns['status'] = pyarrow.array(self.status.tolist())
        for name in self.measures:
            columns[name] = pyarrow.array(self[name], mask=np.isnan(self[name]))
        texts = [self.messages.get(point) for point in range(len(self))]
        columns['message'] = pyarrow.array(texts, type=pyarrow.string())
        fields = [
            pyarrow.field(name, array.type, metadata=self._unit_of(name))
            for name, array in columns.items()
        ]
        schema = pyarrow.schema(fields, metadata=self.words)
        buffer = io.BytesIO()
        parquet.write_table(
            pyarrow.table(list(columns.values()), schema=schema), buffer, compression='zstd'
        )
        return buffer.getvalue()

    def _unit_of(self, name: str) -> dict[str, str] | None:
        return {'unit': self.units[name]} if name in self.units else None


def require_pyarrow() -> tuple[Any, Any]:
    """Return pyarrow and its module for Parquet; MissingPackageError if there is none."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise missing('a .parquet file', 'pyarrow') from error
    return pyarrow, parquet
