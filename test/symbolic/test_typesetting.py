"""Names of symbols on paper: one letter or word each, with indices, and no two alike."""

import re

import pytest

import symcontact_ros as sc
from symcontact_ros.model.library import shipped_models
from symcontact_ros.symbolic.mathml import equations_mathml
from symcontact_ros.symbolic.naming import names_of
from symcontact_ros.symbolic.typesetting import atom, atom_of


@pytest.mark.parametrize(
    ('name', 'latex'),
    [
        ('m', 'm'),
        ('r0', 'r_{0}'),
        ('hx', 'h_{x}'),
        ('hx1', 'h_{x,1}'),
        ('k_buffer', r'k_{\mathrm{buffer}}'),
        ('theta', r'\theta'),
        ('mu_s', r'\mu_{s}'),
        ('beta2', r'\beta_{2}'),
        ('offset', r'\mathrm{offset}'),
        ('mass_of_left', r'\mathrm{mass}_{\mathrm{of},\mathrm{left}}'),
    ],
)
def test_a_name_is_one_letter_or_word_with_indices(name, latex):
    assert atom(name).latex() == latex
    assert atom_of(latex) == atom(name)


@pytest.mark.parametrize(
    'latex', ['hx', 'h x', r'\frac{a}{b}', r'\mathrm{a} b', 'x^2_', '', 'a+b']
)
def test_what_reads_as_several_symbols_is_no_atom(latex):
    assert atom_of(latex) is None


@pytest.mark.parametrize('name', shipped_models())
def test_every_symbol_of_a_model_is_one_atom_and_no_two_are_alike(name):
    latex = names_of(sc.load_model(name)).latex
    atoms = {symbol: atom_of(text) for symbol, text in latex.items()}
    assert [symbol for symbol, found in atoms.items() if found is None] == []
    assert len({found.latex() for found in atoms.values()}) == len(latex)


@pytest.mark.parametrize('name', ['cart_pole', 'cart_pole_walls'])
def test_the_mass_of_the_cart_is_not_the_mass_matrix(name):
    model = sc.load_model(name)
    names = names_of(model)
    assert names.latex[names.live['M']] == 'm_c'
    page = equations_mathml(model)
    assert page.startswith('<math display="block"><mrow><mi>\N{MATHEMATICAL BOLD CAPITAL M}</mi>')
    assert '<mrow data-symbol="M"><msub><mi>m</mi><mi>c</mi></msub></mrow>' in page
    assert '<mi>M</mi>' not in page


def test_the_square_of_a_length_is_that_of_one_symbol():
    model = sc.load_model('rectangle_circle')
    latex = sc.equations_of_motion(model).latex()
    assert 'h_x^{2} m_1' in latex
    assert not re.search(r'hx|hy', latex)
    square = (
        '<msup><mrow data-symbol="hx"><msub><mi>h</mi><mi>x</mi></msub></mrow><mn>2</mn></msup>'
    )
    assert square in equations_mathml(model)


def test_names_that_are_taken_get_another_index():
    model = sc.Model('twins', dimension=2)
    model.add_parameter('g_x', 1.0)
    model.add_parameter('a', 1.0, latex='b')
    model.add_parameter('b', 1.0)
    model.add_body('ball', mass='g_x + a + b', inertia={'izz': 1.0})
    names = names_of(model)
    assert [names.latex[names.live[n]] for n in ('g_x', 'gravity.x', 'a', 'b')] == [
        'g_{x}',
        'g_{x,2}',
        'b',
        'b_{2}',
    ]
    assert str(names.live['gravity.x']) == 'g_x_'


def test_the_dot_of_a_rate_stands_above_its_letter():
    latex = sc.equations_of_motion(sc.load_model('bouncing_circle')).latex()
    assert r'\dot{\omega}_{\mathrm{ball}}' in latex
    assert r'\dot{v}_{x,\mathrm{ball}}' in latex
