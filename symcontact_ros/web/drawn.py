"""
Drawing of a simulation elsewhere: its description, geometry, and instants as numbers.

docs/web.md, "Live protocol", has all of it for readers in other languages.
"""

from __future__ import annotations

from dataclasses import fields
import math
from typing import Any

import numpy as np

from symcontact_ros.expressions import evaluate, evaluate_all, Values
from symcontact_ros.placements import matrix
from symcontact_ros.simulation.observing.energy import Energy
from symcontact_ros.simulation.observing.instant import Instant, ProximityArrays
from symcontact_ros.simulation.simulation import Simulation
from symcontact_ros.types import Vector
from symcontact_ros.web.description import described_model
from symcontact_ros.web.page_model import shown_model
from symcontact_ros.web.surfaces import drawn_surface

FORMAT = 1  # of the numbers of an instant
ENERGIES = (
    *('kinetic', 'potential', 'elastic', 'dissipated', 'work_in', 'manifold', 'integration'),
    *('start', 'mechanical', 'residual'),
)


def live_description(sim: Simulation) -> dict[str, Any]:
    """Return what stays the same while a model runs, for a page that shows it."""
    description = {**described_model(sim, {}), **shown_model(sim)}
    description['can'] = {'loop': math.isfinite(sim.model.duration)}
    for symbol in description['symbols']:
        symbol['value'] = sim.model.parameters[symbol['name']]  # to which a slider goes back
    return description


def geometry(sim: Simulation) -> dict[str, Any]:
    """Return masses, centres of mass and shapes in the frames of their bodies, as they are now."""
    model, values = sim.model, sim.parameters
    bodies = [
        {
            'com': [0.0] * 3 if body.name in model.grounded else evaluate_all(body.com, values),
            'mass': 0.0 if body.name in model.grounded else evaluate(body.mass, values),
        }
        for body in model.bodies
    ]
    shapes = []
    for body, placed in sim.parts.live.memory.layout.placed:
        numbers, faces = _numbers(placed.shape.evaluated(values))
        rotation = matrix(placed.placement.rotation.evaluated(values))
        shapes.append(
            {
                'body': body,
                'kind': placed.shape.kind if placed.shape.is_convex else 'convex_hull',
                'numbers': numbers,
                'faces': faces,
                'position': evaluate_all(placed.placement.position, values),
                'axes': rotation.T.ravel().tolist(),
            }
        )
    return {'bodies': bodies, 'shapes': shapes}


def _numbers(shape: Any) -> tuple[list[float], list[list[int]]]:
    """Return the numbers of a shape, in the order of its fields, and triangles of a hull."""
    if not shape.is_convex:
        surface = drawn_surface(shape)
        return np.ravel(surface['vertices']).tolist(), surface['faces']
    if shape.kind == 'convex_hull':
        from symcontact_ros.shapes.meshes import mesh_of

        mesh = mesh_of(shape.points())
        fans = [[loop[0], loop[k], loop[k + 1]] for loop in mesh.loops for k in _inner(loop)]
        return mesh.vertices.ravel().tolist(), [[int(i) for i in fan] for fan in fans]
    values = (np.ravel(getattr(shape, entry.name)).tolist() for entry in fields(shape))
    return [float(number) for part in values for number in part], []


def _inner(loop: Any) -> range:
    return range(1, len(loop) - 1)


def numbers_of(
    instant: Instant, near: ProximityArrays, energy: Energy, steps: int, time: float
) -> Vector:
    """Return an instant as numbers: head, motions, energies, contacts, proximities."""
    contacts = instant.contacts
    bodies, touching, pairs = len(instant.pose), len(contacts.distance), len(near.distance)
    head = [FORMAT, steps, time, bodies, touching, pairs]
    motions = (instant.pose, instant.velocity, instant.rate)
    points = (contacts.point, contacts.normal, contacts.force)
    blocks = (
        np.array(head, dtype=float),
        np.concatenate(motions, axis=1).ravel(),
        np.array([getattr(energy, term) for term in ENERGIES]),
        _rows(contacts.body_a, contacts.body_b, *points, contacts.distance),
        _rows(near.body_a, near.body_b, near.point_a, near.point_b, near.distance),
    )
    return np.concatenate(blocks)


def _rows(*columns: Any) -> Vector:
    """Return columns of one or more numbers as rows, one after the other."""
    wide = [column if column.ndim == 2 else column[:, None] for column in columns]
    return np.concatenate(wide, axis=1, dtype=float).ravel()


def values_of(values: Values) -> dict[str, float]:
    """Return the values of the live symbols, as JSON takes them."""
    return {name: float(value) for name, value in values.items()}
