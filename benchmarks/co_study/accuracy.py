"""Accuracy of convex programs: growth by depth, rounded corners, squared distances."""

from importlib import util
import itertools
from typing import Any
import warnings

import numpy as np
from scipy.spatial.transform import Rotation

from co_study.bodies import log_uniform, Pair, pair_of, Poses, random_poses, resting
from co_study.kernels import Compiled, solve_loop
from symcontact_ros.collision.convex_programs import planar_programs, spatial_programs

PARTS = (0.0002, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.3)  # of the width: limits of the rows
LIMIT = 0.02  # of the width: deeper, the product asks the exact method
EQUAL = 1e-3  # a depth that is greater by less than this part of it counts as exact
Names = tuple[tuple[str, str], ...]
FLAT: Names = (
    ('rectangle', 'rectangle'),
    ('16-gon', '16-gon'),
    ('box', 'box'),
    ('hull 20', 'hull 20'),
    ('hull 100', 'hull 100'),
    ('box', 'cylinder'),
    ('cylinder', 'cylinder'),
)
ROUND = (('rectangle', 'circle'), ('box', 'sphere'), ('box', 'capsule'))
RESTING = (('rectangle', 'rectangle'), ('box', 'box'), ('box', 'cylinder'))
TILT, DEPTHS = np.deg2rad(1.0), (5e-5, 2e-3)  # of bodies at rest [rad, m]
MARGINS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05)  # b of flat shapes [m]
STARS = (0.0, 0.5, 0.9)  # R* of round shapes, as a part of R
GAPS = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)  # [m]


def grown(pair: Pair, poses: Poses) -> np.ndarray:
    """Return the results of growth alone, without fallbacks."""
    programs: Any = planar_programs if pair.dimension == 2 else spatial_programs
    return Compiled(solve_loop, programs.PROGRAMS['growth'], pair, poses).records


def angles(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the angles between unit vectors [degrees]."""
    across = np.linalg.norm(np.cross(first, second), axis=1)
    return np.rad2deg(np.arctan2(across, (first * second).sum(axis=1)))


def spread(values: np.ndarray) -> dict[str, float]:
    """Return median, 95th percentile and maximum."""
    return {
        'median': float(np.median(values)),
        'p95': float(np.percentile(values, 95)),
        'max': float(values.max()),
    }


def growth_by_depth(count: int, flat: Names = FLAT) -> list[dict[str, Any]]:
    """Return the ratio of growth depth to exact depth, by pair and depth."""
    found = []
    for names in flat:
        pair = pair_of(*names)
        for low, high in itertools.pairwise(PARTS):
            poses = random_poses(pair, -pair.width * log_uniform(low, high, count, 5), 6)
            exact = pair.measured(poses)
            found_co = grown(pair, poses)
            good = exact.proven
            ratio = found_co['distance'][good] / exact.distance[good]
            turned = angles(found_co['normal'][good], exact.normal[good])
            row = {'pair': pair.title, 'from': low, 'to': high, **spread(ratio)}
            row['exact'] = float((ratio < 1.0 + EQUAL).mean())
            row['turned'] = float(turned.max())
            found.append(row)
    return found


def apart(count: int, flat: Names = FLAT, rounds: Names = ROUND) -> list[dict[str, Any]]:
    """Return errors for bodies that are 1 to 100 mm apart: of `auto`, and of growth alone."""
    found = []
    for names in (*flat, *rounds):
        pair = pair_of(*names)
        poses = random_poses(pair, log_uniform(1e-3, 0.1, count, 7), 8)
        exact = pair.measured(poses)
        found_co = pair.measured(poses, detector='co')
        row = {'pair': pair.title, 'auto': float(np.abs(found_co.distance - exact.distance).max())}
        if names in flat:
            ratio = grown(pair, poses)['distance'] / exact.distance
            row.update({'median': float(np.median(ratio)), 'min': float(ratio.min())})
        found.append(row)
    return found


def at_rest(count: int, flat: Names = RESTING) -> list[dict[str, Any]]:
    """Return the deviations of CO from the exact detector for bodies resting on a face."""
    found = []
    for names in flat:
        pair = pair_of(*names)
        poses = resting(pair, TILT, log_uniform(*DEPTHS, count, 9), 10)
        exact, found_co = pair.measured(poses), pair.measured(poses, detector='co')
        same = exact.contact_count == found_co.contact_count
        both = [answer.contact_rows[same][:, :, 0] for answer in (exact, found_co)]  # distances
        rows = np.arange(both[0].shape[1]) < exact.contact_count[same][:, None]
        found.append(
            {
                'pair': pair.title,
                'ratio': float((found_co.distance / exact.distance).max()),
                'turned': float(angles(found_co.normal, exact.normal).max()),
                'same points': float(same.mean()),
                'depths': float(np.abs(both[0] - both[1])[rows].max()),
                'fallbacks': float(np.mean([bool(why) for why in found_co.fallback])),
            }
        )
    return found


def margins(count: int) -> list[dict[str, Any]]:
    """Return the errors of depths up to 2 b, and at rest, with sides moved inwards by b."""
    found = []
    pair = pair_of('box', 'box')
    lying = resting(pair, TILT, log_uniform(*DEPTHS, count, 11), 12)
    rest = pair.measured(lying).distance
    for b in MARGINS:
        co = {'program': 'min_distance', 'margin': b}
        depth = np.random.default_rng(13).uniform(0.0, 2.0 * b, count)
        poses = random_poses(pair, -depth, 14)
        exact, found_co = pair.measured(poses), pair.measured(poses, detector='co', co=co)
        usable = np.array([not why for why in found_co.fallback])
        error = (found_co.distance - exact.distance)[usable]
        at = pair.measured(lying, detector='co', co=co)
        fine = np.array([not why for why in at.fallback])
        row = {'b': b, 'fallbacks': float(1.0 - usable.mean()), **spread(error)}
        row['rest fallbacks'] = float(1.0 - fine.mean())
        if fine.any():
            row['rest median'] = float(np.median((at.distance / rest)[fine]))
            row['rest missed'] = float((at.distance[fine] >= 0.0).mean())
        found.append(row)
    return found


def plain(count: int) -> float:
    """Return the fraction of overlaps of boxes for which the minimum distance gives a depth."""
    pair = pair_of('box', 'box')
    poses = random_poses(pair, -pair.width * log_uniform(PARTS[0], LIMIT, count, 18), 19)
    found_co = pair.measured(poses, detector='co', co={'program': 'min_distance'})
    return float(np.mean([not why for why in found_co.fallback]))


def stars(count: int) -> list[dict[str, Any]]:
    """Return the same for a circle of reduced radius R*; R* = 0 is its centre."""
    found = []
    for names in (('rectangle', 'circle'), ('box', 'sphere')):
        pair = pair_of(*names)
        depth = np.random.default_rng(15).uniform(0.0, 0.99, count)
        poses = random_poses(pair, -2.0 * pair.b.radius * depth, 16)
        exact = pair.measured(poses)
        for star in STARS:
            co = {'program': 'min_distance', 'core_radius': star * pair.b.radius}
            found_co = pair.measured(poses, detector='co', co=co)
            usable = np.array([not why for why in found_co.fallback])
            error = np.abs(found_co.distance - exact.distance)[usable]
            row = {'pair': pair.title, 'R*': star, 'usable': float(usable.mean())}
            found.append({**row, 'error': float(error.max())})
    return found


def squared(count: int) -> list[dict[str, float]]:
    """Return errors of the distance of two boxes by objective and solver, over their gap."""
    pair = pair_of('box', 'box')
    found = []
    for gap in GAPS:
        poses = random_poses(pair, np.full(count, gap), 17)
        exact = pair.measured(poses).distance
        row = {'gap': gap}
        builtin = pair.measured(poses, detector='co').distance
        row['builtin'] = float(np.abs(builtin - exact).max())
        if util.find_spec('ecos'):
            ecos = pair.measured(poses, detector='co', co={'solver': 'ecos'}).distance
            row['ECOS, length'] = float(np.abs(ecos - exact).max())
        if util.find_spec('ecos') and util.find_spec('cvxpy'):
            for name in ('square', 'length'):
                found_co = np.array([with_cvxpy(pair, poses, i, name) for i in range(count)])
                row[f'CVXPY, {name}'] = float(np.abs(found_co - exact).max())
        found.append(row)
    return found


def with_cvxpy(pair: Pair, poses: Poses, i: int, objective: str) -> float:
    """Return the distance of two boxes by eq. 15: CVXPY and ECOS, default tolerances."""
    import cvxpy as cp

    points, inside = [], []
    for shape, pose in ((pair.a, poses.a), (pair.b, poses.b)):
        turn = Rotation.from_quat(pose.quaternion[i]).as_matrix()
        point = cp.Variable(3)
        points.append(point)
        inside.append(cp.abs(turn.T @ (point - pose.position[i])) <= np.array(shape.half_extents))
    way = points[0] - points[1]
    goal = cp.sum_squares(way) if objective == 'square' else cp.norm(way)
    problem = cp.Problem(cp.Minimize(goal), inside)
    with warnings.catch_warnings():  # of inaccurate answers: they are what is looked at
        warnings.simplefilter('ignore')
        problem.solve(solver=cp.ECOS)
    if problem.value is None or not np.isfinite(problem.value):
        return np.inf
    return float(max(problem.value, 0.0) ** (0.5 if objective == 'square' else 1.0))


def accuracy(count: int, few: int) -> dict[str, Any]:
    """Return all errors; ``few`` poses where CVXPY is called."""
    return {
        'growth': growth_by_depth(count),
        'apart': apart(count),
        'at rest': at_rest(count),
        'margins': margins(count),
        'plain': plain(count),
        'stars': stars(count),
        'squared': squared(few),
    }
