"""Numbers that no float can be are refused, with a message, wherever a number is taken."""

from functools import cache

import pytest

import symcontact_ros as sc
from symcontact_ros.cli.main import main
from symcontact_ros.errors import OptionError, SymcontactError


@cache
def made():
    """Return a simulation, a batch and equations of one model."""
    model = sc.load_model('cart_pole')
    return sc.Simulation(model), sc.Batch(model, 2, threads=1), sc.equations_of_motion(model)


def model():
    return made()[0].model


OPTIONS = ('max_substeps', 'max_residual', 'max_depth_ratio', 'max_exceeded_steps')
CALLS = {
    'step': lambda sim, batch, eom, x: sim.step(x),
    'set_effort': lambda sim, batch, eom, x: sim.set_effort('rail', -x),
    'set_target': lambda sim, batch, eom, x: sim.set_target('rail', x),
    'set_state': lambda sim, batch, eom, x: sim.set_state([x, 0]),
    'set_state u': lambda sim, batch, eom, x: sim.set_state(u=[0, x]),
    'reset': lambda sim, batch, eom, x: sim.reset([x, 0]),
    'set_wrench': lambda sim, batch, eom, x: sim.set_wrench('pole', force=[x, 0, 0]),
    'point': lambda sim, batch, eom, x: sim.set_wrench('pole', [1, 0, 0], point=[x, 0, 0]),
    'set_parameters': lambda sim, batch, eom, x: sim.set_parameters({'m': x}),
    'proximity_range': lambda sim, batch, eom, x: setattr(sim, 'proximity_range', x),
    'seed': lambda sim, batch, eom, x: sc.Simulation(model(), seed=x),
    'step_size': lambda sim, batch, eom, x: sc.Simulation(model(), step_size=x),
    'co': lambda sim, batch, eom, x: sc.Simulation(model(), co={'margin': x}),
    'linearize': lambda sim, batch, eom, x: eom.linearize({'q': [x, 0]}),
    'gravity_effort': lambda sim, batch, eom, x: eom.gravity_effort([x, 0]),
    'Batch n': lambda sim, batch, eom, x: sc.Batch(model(), x),
    'Batch threads': lambda sim, batch, eom, x: sc.Batch(model(), 2, threads=x),
    'Batch seed': lambda sim, batch, eom, x: sc.Batch(model(), 2, seed=x),
    'Batch parameters': lambda sim, batch, eom, x: sc.Batch(model(), 2, {'m': [x, 1]}),
    'Batch set_parameters': lambda sim, batch, eom, x: batch.set_parameters({'m': x}),
    'Batch set_state': lambda sim, batch, eom, x: batch.set_state([x, 0]),
    'Batch reset': lambda sim, batch, eom, x: batch.reset(starts=([x, 0], None)),
    'Batch step': lambda sim, batch, eom, x: batch.step(x),
    'Batch world': lambda sim, batch, eom, x: batch.world(x),
    'Batch mask': lambda sim, batch, eom, x: batch.reset(x),
    'Uniform': lambda sim, batch, eom, x: sc.Uniform(0.0, x),
    'LogUniform': lambda sim, batch, eom, x: sc.LogUniform(1.0, x),
    'Normal': lambda sim, batch, eom, x: sc.Normal(0.0, x),
    'sweep': lambda sim, batch, eom, x: sc.sweep(model(), {'m': [1, x]}, measures=['max_depth']),
    'sweep cores': lambda sim, batch, eom, x: sc.sweep(model(), {'m': 1}, ['max_depth'], cores=x),
    'add_body': lambda sim, batch, eom, x: sc.Model('m').add_body('b', mass=x),
    'Sphere': lambda sim, batch, eom, x: sc.Sphere(x),
    'damping_for': lambda sim, batch, eom, x: sc.damping_for(0.5, x),
    'stiffness_for': lambda sim, batch, eom, x: sc.stiffness_for(x, 1.0, 3.0),
}
CALLS |= {
    name: lambda sim, batch, eom, x, name=name: sim.configure({}, **{name: x}) for name in OPTIONS
}


@pytest.mark.parametrize('digits', [400, 5000])  # Python prints 4,300 at most
@pytest.mark.parametrize('name', CALLS)
def test_a_number_that_is_too_large_for_a_float_is_refused(name, digits):
    with pytest.raises(SymcontactError) as caught:
        CALLS[name](*made(), 10**digits)
    assert str(caught.value)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    'words',
    [
        ('simulate', 'cart_pole', '--duration'),
        ('simulate', 'cart_pole', '--step-size'),
        ('simulate', 'cart_pole', '--max-substeps'),
        ('node', 'cart_pole', '--duration'),
        ('node', 'cart_pole', '--rate'),
        ('sweep', 'cart_pole', '--measure', 'max_force', '--param', 'm=1', '--cores'),
        ('bench', '--steps'),
    ],
)
def test_a_flag_that_is_too_large_is_bad_input(words, capsys):
    try:
        code = main([*words, '1' + 400 * '0'])
    except SystemExit as ended:  # of argparse
        code = ended.code
    assert code == 2
    assert words[-1].strip('-').replace('-', '_')[:4] in capsys.readouterr().err.replace('-', '_')


def test_environments_speak_of_the_names_that_their_callers_used():
    pytest.importorskip('gymnasium', reason='the gym extra is not installed')
    from symcontact_ros.gym import SymcontactVectorEnv

    for wrong in (0, 2.5, 10**400):
        with pytest.raises(OptionError, match=r'^num_envs must be a whole number of 1 to '):
            SymcontactVectorEnv('cart_pole', num_envs=wrong)
