"""
Other simulators on the same scenarios: MuJoCo, PyBullet, pymunk.

Masses, sizes, initial states, step size and coefficient of friction are the same; contact laws and
solvers are their defaults, so that costs are comparable, trajectories are not. Restitution is 0.5
where it can be set. Planar solids are balls and boxes on two slides and a hinge in
MuJoCo, and free bodies that start in the plane in PyBullet; pymunk has the plane only.
"""

from __future__ import annotations

from importlib import util
import math

import numpy as np

from symcontact_ros.bench.peer_base import (
    extents,
    inertia_of,
    Peer,
    RESTITUTION,
    spatial_state,
    words,
)
from symcontact_ros.bench.pymunk_peer import Pymunk, PymunkLoop
from symcontact_ros.bench.scenes import Scene, Solid
from symcontact_ros.placements import matrix
from symcontact_ros.types import Vector

MOST_PARTS = 1000  # substeps of PyBullet in one call


class Mujoco(Peer):
    """``mj_step(model, data, nstep)``: their loop."""

    package = 'mujoco'
    title = 'MuJoCo'

    def build(self) -> None:
        """Compile the model."""
        self._model = self._library.MjModel.from_xml_string(self.text())
        self._data = self._library.MjData(self._model)

    def text(self) -> str:
        """Return the scene as MJCF; the start is not in it."""
        scene = self._scene
        gravity = words(scene.gravity)
        ground = ''
        if scene.ground is not None:
            place = words(scene.ground.offset * scene.ground.normal)
            ground = f'<geom type="plane" size="0 0 1" pos="{place}" '
            ground += f'zaxis="{words(scene.ground.normal)}"/>'
        bodies = ''.join(self._body(solid) for solid in scene.solids)
        return (
            f'<mujoco><option timestep="{self._h}" gravity="{gravity}"/>'
            f'<default><geom friction="{scene.law.friction} 0 0"/></default>'
            f'<worldbody>{ground}{bodies}</worldbody></mujoco>'
        )

    def _body(self, solid: Solid) -> str:
        inertia = words(inertia_of(self._scene, solid))
        joints = '<freejoint/>'
        if self._scene.dimension == 2:
            joints = '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>'
            joints += '<joint type="hinge" axis="0 0 1"/>'
        kind = 'sphere' if solid.is_round else 'box'
        return (
            f'<body><inertial pos="0 0 0" mass="{solid.mass}" diaginertia="{inertia}"/>{joints}'
            f'<geom type="{kind}" size="{words(extents(solid))}"/></body>'
        )

    def reset(self) -> None:
        """Go back to the start."""
        self._library.mj_resetData(self._model, self._data)
        q, u = [], []
        for solid in self._scene.solids:
            if self._scene.dimension == 2:
                q.append(solid.q)
                u.append(solid.u)
            else:  # quaternions start with w; velocities in world axes, rates in body axes
                q.append(solid.q[[0, 1, 2, 6, 3, 4, 5]])
                rotation = matrix(tuple(solid.q[3:]))
                u.append(np.concatenate([rotation @ solid.u[:3], solid.u[3:]]))
        self._data.qpos[:] = np.concatenate(q)
        self._data.qvel[:] = np.concatenate(u)

    def run(self, steps: int) -> None:
        """Make steps."""
        self._library.mj_step(self._model, self._data, steps)

    def end(self) -> Vector:
        """Return the positions of the solids [m]."""
        self._library.mj_kinematics(self._model, self._data)
        return np.array(self._data.xpos[1:, : self._scene.dimension])


class Pybullet(Peer):
    """``stepSimulation()`` called from Python."""

    package = 'pybullet'
    title = 'PyBullet'
    loop = 'Python'

    def __init__(self, scene: Scene, step_size: float) -> None:
        super().__init__(scene, step_size)
        self._client: int | None = None
        self._bodies: list[int] = []

    def build(self) -> None:
        """Create a new world, and close the previous one."""
        engine = self._library
        if self._client is not None:
            engine.disconnect(self._client)
        self._client = client = engine.connect(engine.DIRECT)
        engine.setGravity(*self._scene.gravity, physicsClientId=client)
        engine.setTimeStep(self._h, physicsClientId=client)
        ground = self._scene.ground
        if ground is not None:
            shape = engine.createCollisionShape(
                engine.GEOM_PLANE, planeNormal=ground.normal.tolist(), physicsClientId=client
            )
            place = (ground.offset * ground.normal).tolist()
            plane = engine.createMultiBody(0.0, shape, basePosition=place, physicsClientId=client)
            self._surface(plane)
        self._bodies = [self._body(solid) for solid in self._scene.solids]

    def _body(self, solid: Solid) -> int:
        engine, client = self._library, self._client
        if solid.is_round:
            shape = engine.createCollisionShape(
                engine.GEOM_SPHERE, radius=float(solid.size[0]), physicsClientId=client
            )
        else:
            shape = engine.createCollisionShape(
                engine.GEOM_BOX, halfExtents=extents(solid).tolist(), physicsClientId=client
            )
        body: int = engine.createMultiBody(solid.mass, shape, physicsClientId=client)
        engine.changeDynamics(
            body,
            -1,
            localInertiaDiagonal=inertia_of(self._scene, solid).tolist(),
            linearDamping=0.0,
            angularDamping=0.0,
            physicsClientId=client,
        )
        self._surface(body)
        return body

    def _surface(self, body: int) -> None:
        """Set the surface constants; those of two surfaces are multiplied."""
        self._library.changeDynamics(
            body,
            -1,
            lateralFriction=math.sqrt(self._scene.law.friction),
            restitution=math.sqrt(RESTITUTION),
            physicsClientId=self._client,
        )

    def reset(self) -> None:
        """Go back to the start."""
        engine, client = self._library, self._client
        for solid, body in zip(self._scene.solids, self._bodies, strict=True):
            q, u = spatial_state(self._scene, solid)
            engine.resetBasePositionAndOrientation(
                body, q[:3].tolist(), q[3:].tolist(), physicsClientId=client
            )
            engine.resetBaseVelocity(body, u[:3].tolist(), u[3:].tolist(), physicsClientId=client)

    def run(self, steps: int) -> None:
        """Make steps."""
        step, client = self._library.stepSimulation, self._client
        for _ in range(steps):
            step(physicsClientId=client)

    def end(self) -> Vector:
        """Return the positions of the solids [m]."""
        places = [
            self._library.getBasePositionAndOrientation(body, physicsClientId=self._client)[0]
            for body in self._bodies
        ]
        return np.array(places)[:, : self._scene.dimension]


class PybulletLoop(Pybullet):
    """PyBullet with up to 1000 substeps in a call: the nearest equivalent of a compiled loop."""

    title = 'PyBullet, substeps'
    loop = 'compiled'

    def run(self, steps: int) -> None:
        """Make steps."""
        parts = math.gcd(steps, MOST_PARTS)
        self._library.setPhysicsEngineParameter(
            fixedTimeStep=parts * self._h, numSubSteps=parts, physicsClientId=self._client
        )
        super().run(steps // parts)


PEERS: tuple[type[Peer], ...] = (Mujoco, Pybullet, PybulletLoop, Pymunk, PymunkLoop)


def missing_packages() -> list[str]:
    """Return the packages of simulators that are not installed."""
    return [name for name in dict.fromkeys(p.package for p in PEERS) if not util.find_spec(name)]
