"""pymunk: the plane only."""

from __future__ import annotations

import ctypes
import functools
from importlib import import_module, util
import math
from typing import Any

import numpy as np

from symcontact_ros.bench.peer_base import Peer, RESTITUTION
from symcontact_ros.bench.scenes import Scene
from symcontact_ros.types import Vector

REPEAT = """\
define void @repeat(i64 %address, i64 %space, double %h, i64 %count) {
entry:
  %step = inttoptr i64 %address to void (i64, double)*
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %next, %again ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %again, label %done
again:
  call void %step(i64 %space, double %h)
  %next = add i64 %i, 1
  br label %test
done:
  ret void
}
"""


class Pymunk(Peer):
    """``space.step(h)`` called from Python."""

    package = 'pymunk'
    title = 'pymunk'
    loop = 'Python'

    @classmethod
    def simulates(cls, scene: Scene) -> bool:
        """Return whether the scene is planar."""
        return scene.dimension == 2

    def build(self) -> None:
        """Make a space."""
        engine, scene = self._library, self._scene
        self._space = space = engine.Space()
        space.gravity = tuple(scene.gravity[:2].tolist())
        if scene.ground is not None:
            normal = scene.ground.normal[:2]
            along = np.array([normal[1], -normal[0]])
            centre = (scene.ground.offset - 1.0) * normal
            ends = [tuple((centre + way * along).tolist()) for way in (-50.0, 50.0)]
            self._add(engine.Segment(space.static_body, *ends, 1.0))
        self._bodies = []
        for solid in scene.solids:
            body = engine.Body(solid.mass, float(solid.inertia[2]))
            if solid.is_round:
                shape = engine.Circle(body, float(solid.size[0]))
            else:
                shape = engine.Poly.create_box(body, tuple((2.0 * solid.size).tolist()))
            space.add(body)
            self._add(shape)
            self._bodies.append(body)

    def _add(self, shape: Any) -> None:
        """Add a shape; friction and elasticity of two shapes are multiplied."""
        shape.friction = math.sqrt(self._scene.law.friction)
        shape.elasticity = math.sqrt(RESTITUTION)
        self._space.add(shape)

    def reset(self) -> None:
        """Go back to the start."""
        for solid, body in zip(self._scene.solids, self._bodies, strict=True):
            x, y, angle = solid.q.tolist()
            vx, vy, spin = solid.u.tolist()
            body.position, body.angle = (x, y), angle
            body.velocity, body.angular_velocity = (vx, vy), spin

    def run(self, steps: int) -> None:
        """Make steps."""
        step, h = self._space.step, self._h
        for _ in range(steps):
            step(h)

    def end(self) -> Vector:
        """Return the positions of the solids [m]."""
        return np.array([tuple(body.position) for body in self._bodies])


class PymunkLoop(Pymunk):
    """The C function under ``space.step`` in a loop that is machine code; pymunk has none."""

    title = 'pymunk, our loop on its C function'
    loop = 'compiled'

    @classmethod
    def simulates(cls, scene: Scene) -> bool:
        """Return whether the scene is planar and the C function is available."""
        return super().simulates(scene) and util.find_spec('pymunk._chipmunk') is not None

    def run(self, steps: int) -> None:
        """Make steps."""
        binding = import_module('pymunk._chipmunk')
        function = binding.ffi.addressof(binding.lib, 'cpSpaceStep')
        address = int(binding.ffi.cast('uintptr_t', function))
        space = int(binding.ffi.cast('uintptr_t', self._space._space))
        _repeat()(address, space, self._h, steps)


@functools.cache
def _repeat() -> Any:
    """Return a function that calls a C function step(space, h) many times."""
    from symcontact_ros.kernels.targets.native import NATIVE

    library = NATIVE.link(NATIVE.object_code(REPEAT))
    kind = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_double, ctypes.c_int64)
    function = kind(library.address('repeat'))
    return lambda *arguments: (library, function(*arguments))  # the library owns the code
