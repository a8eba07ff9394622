"""
The equations of the paper to the letter: a rectangle and a circle, and the contact law.

S. Asci and A. Nanjangud, "Leveraging Symbolic Algebra Systems to Simulate Contact Dynamics in
Rigid Body Systems". Tests and docs/paper.md compare them with what this package computes.
"""

import math
from types import SimpleNamespace

import numpy as np

import symcontact_ros as sc
from symcontact_ros.bench.detection import ball_ball, Contact, force_on_b
from symcontact_ros.bench.paper_way import NumericSat

C = np.array([2.0, 0.5])  # half lengths of the rectangle [m]
R = 0.3  # radius of the circle [m]
COUNT = 100_000  # random poses
RECTANGLE, CIRCLE = sc.Rectangle(tuple(C)), sc.Circle(R)


def printed_rotation(theta):
    """Eq. 5: the matrix that is called I_R_A, of shape (n, 2, 2)."""
    c, s = np.cos(theta), np.sin(theta)
    return np.stack([np.stack([c, s], -1), np.stack([-s, c], -1)], -2)


def printed(q):
    """Eqs. 6, 7 and 9 to 13, in the frame of the rectangle."""
    alpha, beta = np.abs(q[:, 0]) - C[0], np.abs(q[:, 1]) - C[1]  # eq. 6
    corner = (np.sign(q[:, 0]) * C[0], np.sign(q[:, 1]) * C[1])
    zero = np.zeros(len(q))
    regions = [
        (alpha >= 0) & (beta >= 0),
        (alpha < 0) & (beta >= 0),
        (alpha >= 0) & (beta < 0),
        (alpha < 0) & (beta < 0) & (alpha > beta),
        (alpha < 0) & (beta < 0) & (alpha < beta),
        (alpha < 0) & (beta < 0) & (alpha == beta),
    ]
    x = np.select(regions, [corner[0], q[:, 0], corner[0], corner[0], q[:, 0], corner[0]])
    y = np.select(regions, [corner[1], corner[1], q[:, 1], q[:, 1], corner[1], corner[1]])
    p = np.stack([x, y], -1)  # eqs. 7 and 8
    way = p - q
    length = np.linalg.norm(way, axis=1)
    with np.errstate(invalid='ignore'):
        q_m = R * way / length[:, None]  # eq. 10
    phi = length - R  # eq. 11
    sign_x, sign_y = np.sign(q[:, 0]), np.sign(q[:, 1])
    n_1 = np.select(regions, [corner[0], zero, sign_x, sign_x, zero, sign_x])
    n_2 = np.select(regions, [corner[1], sign_y, zero, zero, sign_y, sign_y])
    return SimpleNamespace(
        p=p,
        q=q + q_m,  # eq. 9
        phi=phi,
        rho=np.where(phi > 0.0, 0.0, np.abs(phi)),  # eq. 12
        n=np.stack([n_1, n_2], -1),  # eq. 13
        outside=np.stack([alpha >= 0, beta >= 0], -1).sum(1),  # 0: inside, 1: edge, 2: corner
    )


def planar_poses(position, angle):
    """Return poses in the plane, of rows of x, y [m] and angles [rad]."""
    zero = np.zeros(len(position))
    quaternion = np.stack([zero, zero, np.sin(angle / 2), np.cos(angle / 2)], -1)
    return sc.Pose(np.column_stack([position, zero]), quaternion)


def ours(q):
    """What we compute for centres given in the frame of the rectangle."""
    q = np.asarray(q, float)
    return sc.proximities(
        RECTANGLE,
        planar_poses(np.zeros((1, 2)), np.zeros(1)),
        CIRCLE,
        planar_poses(q, 0 * q[:, 0]),
    )


def at_random_poses():
    """Return the paper's answers and ours, in the world, at random poses of both bodies."""
    rng = np.random.default_rng(1)
    r_a, theta = rng.uniform(-3, 3, (COUNT, 2)), rng.uniform(-np.pi, np.pi, COUNT)
    turn = printed_rotation(theta)
    q = rng.uniform(-1, 1, (COUNT, 2)) * (C + 0.5)
    r_b = r_a + np.einsum('nji,nj->ni', turn, q)
    centre = np.einsum('nij,nj->ni', turn, r_b - r_a)
    paper = printed(centre)
    paper.centre = centre

    def in_world(vectors):
        return np.einsum('nji,nj->ni', turn, vectors)

    paper.p, paper.q = r_a + in_world(paper.p), r_a + in_world(paper.q)
    paper.n = in_world(paper.n)
    spin = rng.uniform(-np.pi, np.pi, COUNT)  # a circle has no attitude
    answer = sc.proximities(RECTANGLE, planar_poses(r_a, theta), CIRCLE, planar_poses(r_b, spin))
    return paper, answer


# The contact law ---------------------------------------------------------------------------------


def printed_force(rho, v_n, v_t, kc, cc, mu, vs):
    """Eq. 18: normal and tangent force [N]."""
    f_n = (kc * rho**3) * (1 - cc * v_n)
    return f_n, -mu * f_n * (2 / (1 + math.exp(-v_t / vs)) - 1)


class PrintedPoints(NumericSat):
    """Two circles whose forces act each at a point of its own body: eqs. 9, 10 and 18."""

    def _detection(self):
        return _TwoPoints(self._scene)


class _TwoPoints(Contact):
    """Loads at the two closest points; `Contact` applies both at the midpoint."""

    def __call__(self, places):
        """Return forces and moments about the centres of mass, by circle."""
        (i, k), (a, b) = self._order, places
        touch = ball_ball(self._sizes[0], a, self._sizes[1], b)
        if touch.distance >= 0.0:
            return self._none
        point_a = a.position + self._sizes[0][0] * touch.normal
        point_b = b.position - self._sizes[1][0] * touch.normal
        velocity = self._velocity(b, point_b) - self._velocity(a, point_a)
        loads = self._none.copy()
        force = force_on_b(self._scene.law, touch, velocity)
        self._apply(loads, i, a, point_a, -force)
        self._apply(loads, k, b, point_b, force)
        return loads


def angular_momenta(scene, track):
    """Return the angular momentum about the origin [kg m^2/s] of every state of a planar track."""
    count = len(scene.solids)
    x = track.reshape(len(track), 2, count, 3)
    mass = np.array([solid.mass for solid in scene.solids])
    inertia = np.array([solid.inertia[2] for solid in scene.solids])
    orbit = x[:, 0, :, 0] * x[:, 1, :, 1] - x[:, 0, :, 1] * x[:, 1, :, 0]
    return (mass * orbit + inertia * x[:, 1, :, 2]).sum(axis=1)
