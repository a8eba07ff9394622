"""Bodies so fast that they would pass a thin plate within a step: impacts, and bullets."""

from __future__ import annotations

from collections.abc import Iterator

from helpers.bullets import fire

from validation import absolute, at_most, ball, block, case, DETECTION, model, Row, simulation
from validation.oracles import restitution

C = 0.03  # damping [s/m]
SHOTS = 8  # of each kind
GUNS = (('box', 'rk4'), ('convex_hull', 'auto'), ('ellipse', 'implicit'))


@case(
    'N9',
    'a ball of 10 mm bounces off a plate of 2 mm, which its law would let in by 13 to 25 mm',
    'the same e(x): the impulse of the stop is the rest of the impact by the law',
)
def stop() -> Iterator[Row]:
    tolerances = {'rk4': 1e-4, 'implicit2': 1e-5}
    for d in (2, 3):
        for speed in (50.0, 400.0):
            for integrator, tolerance in tolerances.items():
                bodies = {
                    'wall': block(d, [1.0] * (d - 1) + [0.001], [0.0, 0.0, 0.0], fixed=True),
                    'ball': ball(d, 0.005, along(d, 0.0313), velocity=along(d, -speed), mass=0.01),
                }
                bodies['wall'].pop('initial')
                bodies['wall'].pop('mass')
                made = model(d, bodies, material={'stiffness': 1e9, 'damping': C})
                simulated = simulation(made, integrator)
                simulated.step(10)
                e = simulated.twists()['ball'].linear[d - 1] / speed
                name = f'{d}D, {integrator}, {speed:g} m/s: e'
                yield absolute(name, e, restitution(C * speed), tolerance)


@case(
    'N10',
    'bullets of 10 mm, 5 to 1000 m/s, 0 to 500 rad/s, at plates of 1 to 5 mm',
    'none comes out behind its plate without a word; none gains energy',
)
def bullets() -> Iterator[Row]:
    detector = DETECTION.get('detector', 'sat')
    for shape, integrator in GUNS:
        volleys = [
            fire(shape, integrator, detector, SHOTS, 10 + kind, 1e-3, kind < 2, kind % 2 == 0)
            for kind in range(4)
        ]
        name = f'{shape}, {integrator}'
        yield at_most(f'{name}: silently behind', sum(v.silent for v in volleys), 0.0)
        yield at_most(f'{name}: energy gained, part', max(v.gained for v in volleys), 0.0)


def along(dimension: int, height: float) -> list[float]:
    """Return a vector across the plate."""
    return [0.0, height, 0.0] if dimension == 2 else [0.0, 0.0, height]
