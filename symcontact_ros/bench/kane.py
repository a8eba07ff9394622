"""Equations of motion of a scene by SymPy's KanesMethod, as NumPy functions, as in the paper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcontact_ros.bench.scenes import Scene
from symcontact_ros.types import Vector


def kane_matrices(scene: Scene) -> Callable[..., tuple[Vector, Vector]]:
    """Return a NumPy function of q, u, loads, constants: mass_matrix_full and forcing_full."""
    import sympy
    from sympy.physics import mechanics

    world, origin = mechanics.ReferenceFrame('N'), mechanics.Point('O')
    origin.set_vel(world, 0)
    add = _planar_body if scene.dimension == 2 else _spatial_body
    gravity = sympy.symbols(f'g:{scene.dimension}')
    parts: dict[str, list[Any]] = {
        name: [] for name in ('q', 'u', 'kinematics', 'bodies', 'forces', 'loads')
    }
    constants = list(gravity)
    for i in range(len(scene.solids)):
        constants += add(str(i), world, origin, gravity, parts)
    method = mechanics.KanesMethod(world, parts['q'], parts['u'], kd_eqs=parts['kinematics'])
    method.kanes_equations(parts['bodies'], parts['forces'])
    arguments = (parts['q'], parts['u'], parts['loads'], constants)
    matrices = (method.mass_matrix_full, method.forcing_full)
    function: Callable[..., tuple[Vector, Vector]] = sympy.lambdify(
        arguments, matrices, 'numpy', cse=True
    )
    return function


def _planar_body(name: str, world: Any, origin: Any, gravity: Any, parts: Any) -> list[Any]:
    import sympy
    from sympy.physics import mechanics

    x, y, angle, vx, vy, w = mechanics.dynamicsymbols(
        ' '.join(f'{word}_{name}' for word in ('x', 'y', 'theta', 'vx', 'vy', 'omega'))
    )
    force_x, force_y, torque = loads = sympy.symbols(f'f_{name}_:3')
    mass, inertia = sympy.symbols(f'm_{name} I_{name}')
    frame = world.orientnew(f'B{name}', 'Axis', [angle, world.z])
    frame.set_ang_vel(world, w * world.z)
    centre = origin.locatenew(f'C{name}', x * world.x + y * world.y)
    centre.set_vel(world, vx * world.x + vy * world.y)
    tensor = mechanics.inertia(frame, 0, 0, inertia)
    parts['bodies'].append(mechanics.RigidBody(name, centre, frame, mass, (tensor, centre)))
    weight = mass * (gravity[0] * world.x + gravity[1] * world.y)
    parts['forces'] += [
        (centre, force_x * world.x + force_y * world.y + weight),
        (frame, torque * world.z),
    ]
    parts['q'] += [x, y, angle]
    parts['u'] += [vx, vy, w]
    rates = [q.diff(mechanics.dynamicsymbols._t) for q in (x, y, angle)]
    parts['kinematics'] += [rate - u for rate, u in zip(rates, (vx, vy, w), strict=True)]
    parts['loads'] += loads
    return [mass, inertia]


def _spatial_body(name: str, world: Any, origin: Any, gravity: Any, parts: Any) -> list[Any]:
    import sympy
    from sympy.physics import mechanics

    q = list(mechanics.dynamicsymbols(f'q_{name}_:6'))
    u = list(mechanics.dynamicsymbols(f'u_{name}_:6'))
    loads = sympy.symbols(f'f_{name}_:6')
    mass, *inertia = sympy.symbols(f'm_{name} I_{name}_:3')
    frame = world.orientnew(f'B{name}', 'Body', q[3:], '123')
    frame.set_ang_vel(world, _vector(u[3:], frame))
    centre = origin.locatenew(f'C{name}', _vector(q[:3], world))
    centre.set_vel(world, _vector(u[:3], world))
    tensor = mechanics.inertia(frame, *inertia)
    parts['bodies'].append(mechanics.RigidBody(name, centre, frame, mass, (tensor, centre)))
    parts['forces'] += [
        (centre, _vector(loads[:3], world) + mass * _vector(gravity, world)),
        (frame, _vector(loads[3:], world)),
    ]
    parts['q'] += q
    parts['u'] += u
    rates = [angle.diff(mechanics.dynamicsymbols._t) for angle in q[:3]]
    parts['kinematics'] += [rate - speed for rate, speed in zip(rates, u[:3], strict=True)]
    parts['kinematics'] += mechanics.kinematic_equations(u[3:], q[3:], 'body', '123')
    parts['loads'] += loads
    return [mass, *inertia]


def _vector(components: Any, frame: Any) -> Any:
    x, y, z = components
    return x * frame.x + y * frame.y + z * frame.z
