"""Samples of a run as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
import io
from pathlib import Path

import numpy as np

from symcontact_ros.cli.planar_angles import planar_angles
from symcontact_ros.model.model import Model
from symcontact_ros.simulation.observing.instant import Instant
from symcontact_ros.simulation.saving.atomic_file import write_file
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Pose, Twist, Vector

Pair = tuple[str, str]
ENDINGS = ('.csv', '.npz')
PLANAR = {'x': 'm', 'y': 'm', 'angle': 'rad', 'vx': 'm/s', 'vy': 'm/s', 'rate': 'rad/s'}
SPATIAL = {
    **dict.fromkeys(('x', 'y', 'z'), 'm'),
    **dict.fromkeys(('qx', 'qy', 'qz', 'qw'), '-'),
    **dict.fromkeys(('vx', 'vy', 'vz'), 'm/s'),
    **dict.fromkeys(('wx', 'wy', 'wz'), 'rad/s'),
}
CONTACT = {'fx': 'N', 'fy': 'N', 'fz': 'N', 'depth': 'm'}
ENERGY = (
    *('kinetic', 'potential', 'elastic', 'dissipated', 'work_in', 'manifold', 'integration'),
    'residual',
)
ALL_PAIRS = 64  # up to here all pairs have columns, also those that never touch


@dataclass(frozen=True)
class Recording:
    """A table with one row per sample; names such as ``ball.x``, with a unit each."""

    units: dict[str, str]  # by name, in the order of the columns
    values: Vector  # (samples, columns)

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.values)

    def __getitem__(self, name: str) -> Vector:
        """Return a column."""
        column: Vector = self.values[:, list(self.units).index(name)]
        return column

    def write(self, path: Path) -> None:
        """Write a .csv or .npz file, whole or not at all."""
        write_file(path, self.csv() if path.suffix == '.csv' else self.npz())

    def csv(self) -> bytes:
        """Return a header of names and units, and numbers that read back bit for bit."""
        header = ','.join(f'{name} [{unit}]' for name, unit in self.units.items())
        rows = (','.join(map(repr, row)) for row in self.values.tolist())
        return '\n'.join([header, *rows, '']).encode()

    def npz(self) -> bytes:
        """Return an array per column, and ``names`` and ``units`` in their order."""
        buffer = io.BytesIO()
        columns = {name: self.values[:, i] for i, name in enumerate(self.units)}
        heads = {'names': np.array(list(self.units)), 'units': np.array(list(self.units.values()))}
        np.savez_compressed(buffer, **columns, **heads)  # type: ignore[arg-type]
        return buffer.getvalue()


class Recorder:
    """Samples of a simulation, gathered for a `Recording`."""

    def __init__(self, simulation: Simulation, keeps_points: bool = False) -> None:
        self._simulation = simulation
        # Contact points [m] and forces on B [N] of every sample, for animations.
        self.contact_points: list[tuple[Vector, Vector]] = []
        self._keeps_points = keeps_points
        model = simulation.model
        self._bodies = [name for name in model.body_names if name not in model.grounded]
        self._joints = _joints(model)
        self._pairs = simulation.pairs
        self._observer = simulation.observer(often=False)
        self._rows: list[list[float]] = []
        self._contacts: dict[Pair, dict[int, list[float]]] = {}
        if len(self._pairs) <= ALL_PAIRS:  # else the columns are those of pairs that touched
            self._contacts = {pair: {} for pair in self._pairs}

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self._rows)

    def sample(self) -> None:
        """Add the present instant."""
        simulation = self._simulation
        poses, twists, energy = simulation.poses(), simulation.twists(), simulation.energy()
        q, u = simulation.q, simulation.u
        row = [simulation.time]
        if simulation.model.dimension == 2:
            angles = planar_angles(simulation.model, q, simulation.parameters)
            for name in self._bodies:
                row += _planar(poses[name], angles[name], twists[name])
        else:
            for name in self._bodies:
                row += _spatial(poses[name], twists[name])
        if self._joints:
            row += [float(x) for _, at, to, _ in self._joints for x in (q[at], u[to])]
        row += [float(getattr(energy, term)) for term in ENERGY]
        instant = self._observer.observe(0.0)
        if self._keeps_points:
            contacts = instant.contacts
            self.contact_points.append((contacts.point.copy(), contacts.force.copy()))
        for pair, (force, depth) in by_pair(instant, self._pairs).items():
            self._contacts.setdefault(pair, {})[len(self._rows)] = [*force.tolist(), depth]
        self._rows.append(row)

    def recording(self) -> Recording:
        """Return the table of the samples so far."""
        units = {'time': 's'}
        kinds = PLANAR if self._simulation.model.dimension == 2 else SPATIAL
        for body in self._bodies:
            units.update({f'{body}.{kind}': unit for kind, unit in kinds.items()})
        for joint, _, _, unit in self._joints:
            units.update({f'{joint}.position': unit, f'{joint}.velocity': f'{unit}/s'})
        units.update({f'energy.{term}': 'J' for term in ENERGY})
        values = np.array(self._rows, dtype=float).reshape(len(self._rows), len(units))
        blocks = [values]
        for (a, b), found in sorted(self._contacts.items()):
            units.update({f'{a}-{b}.{kind}': unit for kind, unit in CONTACT.items()})
            block = np.zeros((len(values), len(CONTACT)))
            for row, numbers in found.items():
                block[row] = numbers
            blocks.append(block)
        return Recording(units, np.hstack(blocks))


def _planar(pose: Pose, angle: float, twist: Twist) -> list[float]:
    return [*pose.position[:2].tolist(), angle, *twist.linear[:2], twist.angular[2]]


def _spatial(pose: Pose, twist: Twist) -> list[float]:
    parts = (pose.position, pose.quaternion, twist.linear, twist.angular)
    return [number for part in parts for number in part.tolist()]


def _joints(model: Model) -> list[tuple[str, int, int, str]]:
    """Return name, place in q, place in u and unit of the joints of one degree of freedom."""
    found, at, rate_at = [], 0, 0
    for body in model.moving:
        kind = body.joint.kind
        if kind.is_single:
            found.append((body.joint.name, at, rate_at, kind.unit))
        at += kind.coordinates
        rate_at += kind.speeds
    return found


def by_pair(instant: Instant, pairs: Sequence[Pair]) -> dict[Pair, tuple[Vector, float]]:
    """Return net force on B [N] and largest depth [m] by pair of bodies that touch."""
    contacts, depths = instant.contacts, dict[int, float]()
    for row, distance in zip(contacts.pair.tolist(), contacts.distance.tolist(), strict=True):
        depths[row] = max(depths.get(row, 0.0), -distance)
    return {pairs[row]: (instant.pair_wrench[row, :3], depth) for row, depth in depths.items()}
