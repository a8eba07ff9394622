"""Equations of the paper: as printed, what fails where, what this package does, and its tests."""

from __future__ import annotations

from dataclasses import dataclass

FORMULAS = 'test/collision/test_paper_formulas.py'
LAW = 'test/contact/test_paper_law.py'
HOLDS, LIMITED, FAILS = KINDS = 'holds', 'holds with limits', 'fails'


@dataclass(frozen=True)
class Equation:
    """An equation; texts are templates of the numbers of `paper_physics`."""

    number: str
    subject: str
    printed: str  # LaTeX
    verdict: str
    fault: str  # what, and in which region
    ours: str
    tests: tuple[str, ...]  # file::function


EQUATIONS = (
    Equation(
        '1',
        'quadratic program',
        r'\min_x \tfrac12 x^T P x + c^T x \quad \text{subject to} \quad G x \le h',
        LIMITED,
        'The text takes the optimal value for the proximity. Where the objective is a squared '
        'distance it is the square of it: 0.04 for 0.2 m. And the circle of eq. 15 is a '
        'second-order cone, not a row of `G x <= h`.',
        'The objective is the distance itself, as a second-order cone.',
        (f'{FORMULAS}::test_the_value_of_the_program_is_the_square_of_the_proximity',),
    ),
    Equation(
        '2',
        'points of the rectangle',
        r'\{ y \mid \mathbf{y} \cdot \hat{\mathbf{a}}_1 \le C_1 \wedge '
        r'\mathbf{y} \cdot \hat{\mathbf{a}}_2 \le C_2 \}',
        FAILS,
        'Everywhere. There are no lower limits: a point a million metres away counts as inside. '
        'And y is measured from the origin of the world, so that the place of the rectangle is '
        'ignored: its own centre may be outside.',
        r'$\lvert (\mathbf{y} - \mathbf{r}_A) \cdot \hat{\mathbf{a}}_i \rvert \le C_i$.',
        (f'{FORMULAS}::test_the_rectangle_of_eq_2_has_no_end',),
    ),
    Equation(
        '3',
        'points of the circle',
        r'\{ x \mid \lVert \mathbf{x} - \mathbf{r}_B \rVert \le R \wedge '
        r'\mathbf{x} \cdot \hat{\mathbf{i}}_3 = 0 \}',
        LIMITED,
        'Right only if the centre is in the plane z = 0.',
        'Planar models are in that plane, and refuse loads out of it.',
        ('test/simulation/test_loop.py::test_a_planar_model_refuses_loads_out_of_its_plane',),
    ),
    Equation(
        '4, 5',
        'rotation matrices',
        r'{}^{I}R^{A} = \begin{bmatrix} \cos\theta_1 & \sin\theta_1 & 0 \\ -\sin\theta_1 & '
        r'\cos\theta_1 & 0 \\ 0 & 0 & 1 \end{bmatrix}',
        HOLDS,
        'None, with q = R (r_B - r_A) as the text has it: the matrix takes components of the '
        'world to the body, though its name reads the other way round.',
        'The same.',
        (f'{FORMULAS}::test_the_matrix_of_eq_5_takes_components_of_the_world_to_the_body',),
    ),
    Equation(
        '6',
        'regions',
        r'\alpha = \lvert \mathbf{q} \cdot \hat{\mathbf{a}}_1 \rvert - C_1, \quad '
        r'\beta = \lvert \mathbf{q} \cdot \hat{\mathbf{a}}_2 \rvert - C_2',
        HOLDS,
        'None.',
        'The same.',
        (f'{FORMULAS}::test_beside_an_edge_everything_printed_is_right',),
    ),
    Equation(
        '7',
        'nearest point of the rectangle',
        r'\tilde{A} = \begin{cases} (\operatorname{sgn}(q_1) C_1, \operatorname{sgn}(q_2) C_2) & '
        r'\alpha, \beta \ge 0 \\ (q_1, \operatorname{sgn}(q_2) C_2) & \alpha < 0 \le \beta \\ '
        r'(\operatorname{sgn}(q_1) C_1, q_2) & \beta < 0 \le \alpha \\ '
        r'(\operatorname{sgn}(q_1) C_1, q_2) & \beta < \alpha < 0 \\ '
        r'(q_1, \operatorname{sgn}(q_2) C_2) & \alpha < \beta < 0 \\ '
        r'(\operatorname{sgn}(q_1) C_1, \operatorname{sgn}(q_2) C_2) & \alpha = \beta < 0 '
        r'\end{cases}',
        LIMITED,
        'Inside, on an axis of symmetry: sgn(0) = 0, so that the nearest point is q itself. '
        'Inside, at a tie of both distances: the vertex, sqrt(2) times as far as the edges; with '
        'the centre 0.25 m inside the contact is lost for an instant.',
        'Outside: q, clamped to the rectangle. Inside: the nearest edge, in a tie the one across '
        'the first axis; the sign of 0 is +.',
        (
            f'{FORMULAS}::test_on_an_axis_of_symmetry_sgn_of_0_leaves_no_normal',
            f'{FORMULAS}::test_at_a_tie_the_corner_is_taken_instead_of_an_edge',
        ),
    ),
    Equation(
        '8',
        'lever arm of the rectangle',
        r'\tilde{\mathbf{p}} = x \hat{\mathbf{a}}_1 + y \hat{\mathbf{a}}_2, \quad '
        r'\mathbf{p}^M = \tilde{\mathbf{p}}',
        LIMITED,
        'Right only if the centre of mass is the centroid.',
        'Contact point minus centre of mass, in world axes.',
        (f'{LAW}::test_the_lever_arm_begins_at_the_centre_of_mass',),
    ),
    Equation(
        '9, 10',
        'nearest point of the circle, and its lever arm',
        r'\tilde{\mathbf{q}} = \mathbf{q} + \mathbf{q}^M, \quad \mathbf{q}^M = R \, '
        r'\frac{\tilde{\mathbf{p}} - \mathbf{q}}{\lVert \tilde{\mathbf{p}} - \mathbf{q} \rVert}',
        FAILS,
        'With the centre inside, this points outwards: the point is on the far side, 2 R = '
        '{far_side:.1f} m off. With the centre on the boundary it is 0 / 0.',
        r'$\tilde{\mathbf{q}} = \mathbf{q} - R \hat{\mathbf{n}}$ in every region.',
        (
            f'{FORMULAS}::test_with_the_centre_inside_only_the_point_and_the_normal_of_the_'
            'rectangle_are_right',
            f'{FORMULAS}::test_on_the_boundary_the_point_of_the_circle_is_0_by_0',
        ),
    ),
    Equation(
        '11',
        'proximity',
        r'\varphi = \lVert \tilde{\mathbf{p}} - \mathbf{q} \rVert - R',
        FAILS,
        'With the centre inside it must be minus the first term. Contact is missed in '
        '{missed:.0%} of the positions inside. At 0.2 m below an edge the depth is '
        '{printed_rho:.1f} m instead of {exact_rho:.1f} m, so that the repulsion falls as the '
        'circle goes deeper: a wall of this kind stops an energy of k R^4 / 2, the exact one '
        '{energy_ratio:.0f} times as much before the centre is half-way through. A faster body '
        'tunnels.',
        r'Outside $\lVert \tilde{\mathbf{p}} - \mathbf{q} \rVert - R$, inside '
        r'$\max(\alpha, \beta) - R$.',
        (
            f'{FORMULAS}::test_a_third_of_the_contacts_with_the_centre_inside_are_missed',
            f'{FORMULAS}::test_the_repulsion_falls_as_the_circle_goes_deeper',
            f'{FORMULAS}::test_a_circle_tunnels_with_a_twenty_fifth_of_the_energy',
        ),
    ),
    Equation(
        '12',
        'interpenetration',
        r'\rho = 0 \text{ for } \varphi > 0, \quad \rho = \lvert \varphi \rvert \text{ for } '
        r'\varphi \le 0',
        HOLDS,
        'None.',
        'The same.',
        (f'{FORMULAS}::test_beside_an_edge_everything_printed_is_right',),
    ),
    Equation(
        '13',
        'normal',
        r'(n_1, n_2) = (\operatorname{sgn}(q_1) C_1, \operatorname{sgn}(q_2) C_2) \text{ for } '
        r'\alpha, \beta \ge 0; \text{ the normal of the nearest edge elsewhere}',
        FAILS,
        'At a corner it is neither a unit ({corner_length:.2f} long) nor towards the centre: '
        '{corner_median:.0f} degrees off in the median, {corner_largest:.0f} at most. Inside, at '
        'a tie, it is sqrt(2) long; on an axis of symmetry it is zero.',
        r'Outside $(\mathbf{q} - \tilde{\mathbf{p}}) / \lVert \mathbf{q} - \tilde{\mathbf{p}} '
        r'\rVert$, inside the normal of the edge.',
        (
            f'{FORMULAS}::test_at_a_corner_distance_and_points_are_right_and_the_normal_is_not',
            f'{FORMULAS}::test_on_a_vertex_the_normal_has_the_length_of_the_diagonal',
        ),
    ),
    Equation(
        '14',
        'tangent',
        r'\hat{\mathbf{n}} = n_1 \hat{\mathbf{a}}_1 + n_2 \hat{\mathbf{a}}_2, \quad '
        r'\hat{\mathbf{t}} = \hat{\mathbf{a}}_3 \times \hat{\mathbf{n}}',
        LIMITED,
        'In the plane only, and as long as the normal, which is no unit at corners.',
        'The direction of the slip velocity, in the plane and in space.',
        (
            f'{LAW}::test_the_printed_tangent_is_as_long_as_the_normal',
            'test/contact/test_contact_law.py::'
            'test_friction_is_against_the_slip_and_as_large_as_the_law_says',
        ),
    ),
    Equation(
        '15',
        'convex program',
        r'\min_{\tilde{\mathbf{p}}, \tilde{\mathbf{q}}^*} \lVert \tilde{\mathbf{p}} - '
        r'\tilde{\mathbf{q}}^* \rVert^2 \quad \text{subject to} \quad \lvert \tilde{\mathbf{p}} '
        r'\cdot \hat{\mathbf{a}}_i \rvert \le C_i, \ \lVert \mathbf{q} - \tilde{\mathbf{q}}^* '
        r'\rVert^2 \le (R^*)^2',
        LIMITED,
        'If the smaller circle overlaps, any common point is a solution. R* is left free.',
        'R* = 0, which is valid most often; two flat bodies by another program, growth; beyond '
        'that the exact method, which is counted and never silent.',
        (
            f'{FORMULAS}::test_in_overlap_the_program_answers_with_any_point',
            'test/collision/test_programs.py::'
            'test_what_a_program_cannot_tell_the_exact_method_does_and_says_why',
        ),
    ),
    Equation(
        '16',
        'depth by the smaller circle',
        r'\rho = 0 \text{ for } \varphi^* > b, \quad \rho = b - \varphi^* \text{ for } '
        r'0 < \varphi^* \le b, \quad b = R - R^*',
        LIMITED,
        'Right while the smaller circle is outside: in {known_2:.0%} of all overlaps for R* = '
        '0.2 m, {known_1:.0%} for 0.1 m, {known_0:.0%} for 0. There is no case for the rest.',
        'The same with R* = 0; the rest by the exact method.',
        (f'{FORMULAS}::test_eq_16_is_right_until_the_small_circle_touches',),
    ),
    Equation(
        '17',
        'normal by the smaller circle',
        r'\hat{\mathbf{n}} = \frac{\tilde{\mathbf{q}}^* - \tilde{\mathbf{p}}}{\lVert '
        r'\tilde{\mathbf{q}}^* - \tilde{\mathbf{p}} \rVert}, \quad \hat{\mathbf{t}} = '
        r'\hat{\mathbf{a}}_3 \times \hat{\mathbf{n}}',
        LIMITED,
        'Right outside, also at corners, where eq. 13 is not. 0 / 0 as the smaller circle '
        'touches.',
        'The same with R* = 0; the rest by the exact method.',
        (
            'test/collision/test_programs.py::'
            'test_the_fictitious_circle_of_the_paper_gives_the_depth_until_it_touches',
        ),
    ),
    Equation(
        '18',
        'contact law',
        r'F_N = k_c \rho^3 (1 - c_c v_N), \quad F_T = -\mu F_N \left( \frac{2}{1 + '
        r'e^{-v_T / v_s}} - 1 \right)',
        LIMITED,
        '(a) The sign of v_N is not said: with the other one the damper adds energy. (b) Where '
        'bodies part faster than 1 / cc the force pulls: at {leaving:.0f} m/s and 1 cm deep '
        '{pull:.0f} N with our constants. (c) Each force acts at a point of its own body; the '
        'points are rho apart, so that friction leaves a couple: in `circle_circle` the angular '
        'momentum changes by {two_points:.1%}. (d) The exponential overflows for v_T below '
        '-{overflow:.0f} m/s. (e) Friction never sticks: it creeps.',
        r'$v_N = \mathrm{d}\varphi / \mathrm{d}t$; '
        r'$F_N = \max(0, k_c \rho^3 (1 - c_c v_N))$; both forces act midway between '
        r'the points; $F_T = -\mu F_N \tanh(v_T / 2 v_s)$, which is the same and cannot overflow; '
        'and, unless a material has a `slip_speed` alone, friction that sticks.',
        (
            f'{LAW}::test_the_damper_takes_energy_only_if_v_n_is_the_rate_of_the_distance',
            f'{LAW}::test_the_printed_force_pulls_where_bodies_part_faster_than_1_by_cc',
            f'{LAW}::test_forces_at_two_points_change_the_angular_momentum',
            f'{LAW}::test_the_printed_friction_overflows_where_tanh_is_one',
            f'{LAW}::test_the_printed_friction_is_a_tanh_of_half_the_slip',
            'test/contact/test_sticking.py::test_a_box_on_a_slope_below_the_cone_does_not_creep',
        ),
    ),
)
