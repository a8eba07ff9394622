"""Frames in symbols: rotation and position, of placements of a model among them."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sm

from symcontact_ros.expressions import Formula
from symcontact_ros.model.structure import rotation_entries
from symcontact_ros.placements import Placement, Rotation
from symcontact_ros.symbolic.naming import expression
from symcontact_ros.symbolic.recorder import identity, Matrix, Recorder, Vector, zeros


@dataclass(frozen=True)
class Frame:
    """Rotation and position of a frame in another one."""

    rotation: Matrix
    position: Vector

    def placed(self, r: Recorder, point: Vector) -> Vector:
        """Return a point of the frame in the other one."""
        return r.add(self.position, r.rotate(self.rotation, point))

    def within(self, r: Recorder, outer: Frame) -> Frame:
        """Return the frame seen from where the other frame is ``outer``."""
        return Frame(r.multiply(outer.rotation, self.rotation), outer.placed(r, self.position))


WORLD = Frame(identity(), zeros())


def frame_of(placement: Placement, symbols: dict[str, sm.Symbol]) -> Frame:
    """Return a placement of a model as a frame."""
    position = [expression(scalar, symbols) for scalar in placement.position]
    return Frame(_matrix(placement.rotation, symbols), position)


def _matrix(rotation: Rotation, symbols: dict[str, sm.Symbol]) -> Matrix:
    quaternion = rotation.quaternion
    if quaternion is not None and any(isinstance(part, Formula) for part in quaternion):
        x, y, z, w = (expression(part, symbols) for part in quaternion)
        return _rows(sm.Quaternion(w, x, y, z).to_rotation_matrix())
    entries = [expression(entry, symbols) for entry in rotation_entries(rotation)]
    if len(entries) == 9:
        return [entries[0:3], entries[3:6], entries[6:9]]
    roll, pitch, yaw = entries
    return _rows(_turn(2, yaw) * _turn(1, pitch) * _turn(0, roll))


def _turn(axis: int, angle: sm.Expr) -> sm.Matrix:
    """Return the rotation by an angle about a coordinate axis."""
    return (sm.rot_ccw_axis1, sm.rot_ccw_axis2, sm.rot_ccw_axis3)[axis](angle)


def _rows(matrix: sm.Matrix) -> Matrix:
    return [list(matrix.row(i)) for i in range(3)]
