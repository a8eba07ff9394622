"""Models in Pinocchio, with its order of coordinates."""

from collections.abc import Callable
import re
from typing import Any

import numpy as np


class Pinocchio:
    """A model in Pinocchio: read from the same URDF, or built body by body."""

    def __init__(self, model: Any, source: str, base: str) -> None:
        import pinocchio as pin

        self._pin = pin
        if source.endswith('.urdf'):
            floating = [pin.JointModelFreeFlyer()] if base == 'free' else []
            self.model = pin.buildModelFromUrdf(source, *floating)
        else:
            self.model = self._built(model)
        self.data = self.model.createData()
        ids = {_our_name(name): index for index, name in enumerate(self.model.names)}
        # Pinocchio has its own name for the free joint of a base, which is the first joint.
        self._joints = [self.model.joints[ids.get(body.joint.name, 1)] for body in model.moving]
        assert sorted({joint.id for joint in self._joints}) == [*range(1, self.model.njoints)]

    def _built(self, model: Any) -> Any:
        pin = self._pin
        theirs = pin.Model()
        theirs.gravity.linear = np.array([model.number(g) for g in model.gravity])
        ids = {'world': 0}
        for body in model.bodies:
            joint = body.joint
            axis = np.array([model.number(x) for x in joint.axis])
            kinds: dict[str, Callable[[], Any]] = {
                'revolute': lambda axis=axis: pin.JointModelRevoluteUnaligned(axis),
                'prismatic': lambda axis=axis: pin.JointModelPrismaticUnaligned(axis),
                'free': pin.JointModelFreeFlyer,
            }
            turn = joint.origin.rotation.evaluated(model.parameters)
            assert turn == (0.0, 0.0, 0.0, 1.0), 'rotated joint frames are not supported here'
            place = np.array([model.number(x) for x in joint.origin.position])
            placement = pin.SE3(np.eye(3), place)
            index = theirs.addJoint(ids[joint.parent], kinds[joint.type](), placement, joint.name)
            ids[body.name] = index
            xx, yy, zz, xy, xz, yz = (model.number(x) for x in body.inertia)
            tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            com = np.array([model.number(x) for x in body.com])
            inertia = pin.Inertia(model.number(body.mass), com, tensor)
            theirs.appendBodyToJoint(index, inertia, pin.SE3.Identity())
        return theirs

    def speeds(self, ours: np.ndarray) -> np.ndarray:
        """Return speeds or forces in Pinocchio's order."""
        theirs = np.empty(self.model.nv)
        start = 0
        for joint in self._joints:
            theirs[joint.idx_v : joint.idx_v + joint.nv] = ours[start : start + joint.nv]
            start += joint.nv
        return theirs

    def coordinates(self, ours: np.ndarray) -> np.ndarray:
        """Return coordinates in Pinocchio's order; joints without limits are (cos, sin)."""
        theirs = np.empty(self.model.nq)
        start = 0
        for joint in self._joints:
            count = 1 if joint.nv == 1 else joint.nq
            own = ours[start : start + count]
            if joint.nq > count:
                own = [np.cos(own[0]), np.sin(own[0])]
            theirs[joint.idx_q : joint.idx_q + joint.nq] = own
            start += count
        return theirs


def _our_name(name: str) -> str:
    """Return a name of a URDF as our loader maps it."""
    return re.sub('_+', '_', re.sub('[^A-Za-z0-9]', '_', name)).strip('_')
