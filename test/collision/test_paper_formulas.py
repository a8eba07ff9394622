"""
The printed formulas of the paper for a rectangle and a circle: where they hold, and where not.

S. Asci and A. Nanjangud, "Leveraging Symbolic Algebra Systems to Simulate Contact Dynamics in
Rigid Body Systems". `helpers.paper_formulas` has its equations to the letter; docs/paper.md shows
what is found here.
"""

import re

from helpers.paper_formulas import at_random_poses, C, COUNT, ours, printed, printed_rotation, R
from helpers.places import page
import numpy as np
import pytest
from scipy.optimize import minimize

EXACT = 1e-12  # [m], [-]: rounding at coordinates of a few metres
PAGE = page('collision.md')


def largest(difference):
    return np.abs(difference).max()


@pytest.fixture(scope='module')
def both():
    return at_random_poses()


def test_beside_an_edge_everything_printed_is_right(both):
    paper, answer = both
    edge = paper.outside == 1
    assert edge.sum() > 20_000
    assert largest((paper.phi - answer.distance)[edge]) < EXACT
    assert largest((paper.n - answer.normal[:, :2])[edge]) < EXACT
    assert largest((paper.p - answer.point_a[:, :2])[edge]) < EXACT
    assert largest((paper.q - answer.point_b[:, :2])[edge]) < EXACT
    assert largest(paper.rho[edge] - np.maximum(0.0, -answer.distance[edge])) < EXACT


def test_at_a_corner_distance_and_points_are_right_and_the_normal_is_not(both):
    paper, answer = both
    corner = paper.outside == 2
    assert largest((paper.phi - answer.distance)[corner]) < EXACT
    assert largest((paper.p - answer.point_a[:, :2])[corner]) < EXACT
    # the way from the corner to the centre may be as short as 1 mm
    assert largest((paper.q - answer.point_b[:, :2])[corner]) < 1e3 * EXACT
    touching = corner & (answer.distance < 0.0)
    assert touching.sum() > 2000
    length = np.linalg.norm(paper.n[touching], axis=1)
    assert largest(length - np.hypot(*C)) < EXACT  # 2.06, not 1
    cosine = (paper.n * answer.normal[:, :2]).sum(1)[touching] / length
    error = np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))
    assert np.median(error) == pytest.approx(31.0, abs=2.0)  # of about 3000
    assert error.max() == pytest.approx(90.0 - np.degrees(np.arctan2(C[1], C[0])), abs=0.5)
    # ours is along the way from the corner to the centre, which eqs. 9 and 10 use too
    way = paper.q - paper.p
    along = np.einsum('ni,ni->n', way, answer.normal[:, :2])
    assert largest((along - answer.distance)[corner]) < 1e3 * EXACT


def test_with_the_centre_inside_only_the_point_and_the_normal_of_the_rectangle_are_right(both):
    paper, answer = both
    inside = paper.outside == 0
    assert inside.sum() > 20_000
    assert largest((paper.p - answer.point_a[:, :2])[inside]) < EXACT
    assert largest((paper.n - answer.normal[:, :2])[inside]) < EXACT
    # eq. 11: the centre's depth d counts the wrong way, d - R for -d - R
    assert largest((paper.phi + answer.distance + 2 * R)[inside]) < EXACT
    assert (paper.rho < -answer.distance)[inside].all()
    # eq. 9: the point of the circle is on the wrong side of its centre
    across = np.linalg.norm(paper.q - answer.point_b[:, :2], axis=1)[inside]
    assert largest(across - 2 * R) < EXACT


def test_a_third_of_the_contacts_with_the_centre_inside_are_missed(both):
    paper, answer = both
    inside = paper.outside == 0
    assert (answer.distance[inside] < 0.0).all()
    deeper = (C - R).prod() / C.prod()  # where the boundary is farther than R: 0.34
    assert (paper.phi[inside] > 0.0).mean() == pytest.approx(deeper, abs=0.01)


def test_the_faults_are_all_there_are(both):
    paper, answer = both
    wrong = np.abs(paper.phi - answer.distance) > EXACT
    wrong |= largest_of_rows(paper.n - answer.normal[:, :2]) > EXACT
    right = paper.outside == 1
    assert (wrong == ~right).all()
    overlap = answer.distance < 0.0
    # a rectangle of 4 m^2, four strips, four quarters of a disc: the strips are right
    strips, quarters = 4 * R * C.sum(), np.pi * R * R
    expected = 1.0 - strips / (4 * C.prod() + strips + quarters)
    assert wrong[overlap].mean() == pytest.approx(expected, abs=0.01)  # 0.588


def largest_of_rows(difference):
    return np.abs(difference).max(axis=1)


def test_the_repulsion_falls_as_the_circle_goes_deeper():
    depth = np.array([0.0, 0.1, 0.2, 0.3, 0.4])  # of the centre below the face
    q = np.stack([0.3 + 0 * depth, C[1] - depth], -1)
    assert printed(q).rho[1:] == pytest.approx([0.2, 0.1, 0.0, 0.0], abs=1e-15)
    assert -ours(q).distance == pytest.approx(R + depth, abs=1e-15)


def test_a_circle_tunnels_with_a_twenty_fifth_of_the_energy():
    edges = np.linspace(0.0, C[1] + R, COUNT + 1)  # of the centre, from the middle to first touch
    height = 0.5 * (edges[1:] + edges[:-1])
    q = np.stack([0.3 + 0 * height, height], -1)
    # Work of F = k rho^3 over k, by the midpoint rule.
    stopped = [(rho**3).mean() * edges[-1] for rho in (printed(q).rho, -ours(q).distance)]
    assert stopped[0] == pytest.approx(R**4 / 2, rel=1e-6)
    assert stopped[1] == pytest.approx((R + C[1]) ** 4 / 4, rel=1e-6)
    assert stopped[1] / stopped[0] == pytest.approx(25.3, abs=0.05)


def test_on_the_boundary_the_point_of_the_circle_is_0_by_0():
    q = np.array([[1.0, C[1]], [-C[0], 0.2]])
    paper, answer = printed(q), ours(q)
    assert np.isnan(paper.q).all()
    assert paper.phi == pytest.approx(answer.distance, abs=0)  # -R: these are right
    assert np.array_equal(paper.n, answer.normal[:, :2])
    assert np.array_equal(answer.point_b[:, :2], q - R * answer.normal[:, :2])


def test_on_a_vertex_the_normal_has_the_length_of_the_diagonal():
    paper, answer = printed(C[None]), ours(C[None])
    assert np.linalg.norm(paper.n) == pytest.approx(2.06, abs=0.005)
    assert np.isnan(paper.q).all()
    assert np.array_equal(answer.normal, [[1.0, 0.0, 0.0]])
    assert answer.distance == -R


def test_on_an_axis_of_symmetry_sgn_of_0_leaves_no_normal():
    q = np.array([[1.0, 0.0], [0.0, 0.0], [-0.3, 0.0]])
    paper, answer = printed(q), ours(q)
    assert np.array_equal(paper.n, np.zeros((3, 2)))
    assert np.isnan(paper.q).all()
    assert paper.rho == pytest.approx([R] * 3)
    assert -answer.distance == pytest.approx([R + C[1]] * 3)
    assert np.array_equal(np.abs(answer.normal), [[0.0, 1.0, 0.0]] * 3)


def test_at_a_tie_the_corner_is_taken_instead_of_an_edge():
    depth = 0.25  # below both edges, exactly
    q = np.array([C - depth, C - depth - [0.0, 1e-9], C - depth - [1e-9, 0.0]])
    paper, answer = printed(q), ours(q)
    assert np.array_equal(paper.p[0], C)
    assert np.linalg.norm(paper.n[0]) == pytest.approx(np.sqrt(2.0))
    reached = paper.phi + R  # to the boundary: sqrt(2) times as far at the tie, and only there
    assert reached == pytest.approx([np.sqrt(2.0) * depth, depth, depth], abs=1e-8)
    assert paper.phi[0] > 0.0 > paper.phi[1]  # the contact is lost for an instant
    assert answer.distance == pytest.approx([-depth - R] * 3, abs=1e-8)
    assert np.linalg.norm(answer.normal, axis=1) == pytest.approx([1.0] * 3)


def test_the_rectangle_of_eq_2_has_no_end():
    r_a = np.array([10.0, 0.0])
    points = np.array([[-1e6, -1e6], r_a])
    inside = (points[:, 0] <= C[0]) & (points[:, 1] <= C[1])
    assert inside.tolist() == [True, False]  # far away yes, its own centre no


def test_the_matrix_of_eq_5_takes_components_of_the_world_to_the_body():
    theta = 0.4
    a_1 = np.array([np.cos(theta), np.sin(theta)])  # the first axis of the body in the world
    assert printed_rotation(np.array(theta)) @ a_1 == pytest.approx([1.0, 0.0], abs=1e-15)


# The convex program ------------------------------------------------------------------------------


def program(q, radius, start):
    """Eq. 15 by a general solver: value, point of the rectangle, point of the small circle."""
    inside = {'type': 'ineq', 'fun': lambda v: radius**2 - ((v[2:] - q) ** 2).sum()}
    bounds = [(-C[0], C[0]), (-C[1], C[1]), (None, None), (None, None)]
    found = minimize(
        lambda v: ((v[:2] - v[2:]) ** 2).sum(),
        start,
        method='SLSQP',
        bounds=bounds,
        constraints=[inside],
        options={'ftol': 1e-14, 'maxiter': 200},
    )
    return found.fun, found.x[:2], found.x[2:]


def test_the_value_of_the_program_is_the_square_of_the_proximity():
    q = np.array([0.4, C[1] + 0.3])
    value, point, other = program(q, 0.1, [0.0, 0.0, *q])
    assert value == pytest.approx(0.2**2, abs=1e-6)
    assert point == pytest.approx([0.4, C[1]], abs=1e-4)
    assert other == pytest.approx([0.4, C[1] + 0.2], abs=1e-4)


def test_in_overlap_the_program_answers_with_any_point():
    q = np.array([0.4, C[1] - 0.05])
    starts = np.array([[0.35, 0.4, 0.35, 0.4], [0.45, 0.45, 0.45, 0.45]])
    answers = [program(q, 0.1, start) for start in starts]
    assert [value for value, _, _ in answers] == pytest.approx([0.0, 0.0], abs=1e-9)
    assert np.linalg.norm(answers[0][1] - answers[1][1]) > 0.05


@pytest.mark.parametrize(('radius', 'share'), [(0.2, 0.159), (0.1, 0.309), (0.0, 0.451)])
def test_eq_16_is_right_until_the_small_circle_touches(both, radius, share):
    paper, answer = both
    # The root of the optimum of eq. 15: the nearest point of the rectangle is the clamped centre.
    nearest = np.clip(paper.centre, -C, C)
    surrogate = np.maximum(0.0, np.linalg.norm(paper.centre - nearest, axis=1) - radius)
    b = R - radius
    overlap = answer.distance < 0.0
    known = overlap & (surrogate > 0.0)
    assert largest((b - surrogate + answer.distance)[known]) < EXACT
    assert largest((surrogate - b - answer.distance)[~overlap]) < EXACT
    # That is a band b wide around the rectangle; of the rest nothing is said.
    assert known.sum() / overlap.sum() == pytest.approx(share, abs=0.01)


# The page ----------------------------------------------------------------------------------------


def test_the_examples_of_the_page_run():
    examples = re.findall(r'^```python\n(.*?)^```', PAGE, re.M | re.S)
    assert examples
    scope = {}
    for example in examples:
        exec(example, scope)
