"""Runs of a sweep: the same bits as lone simulations, measures, rows without results."""

import csv

from helpers.model_texts import RUINED
import numpy as np
import pytest

import symcontact_ros as sc
from symcontact_ros.sweeps import sweep as sweeping
from symcontact_ros.sweeps.measures import MEASURES
from symcontact_ros.sweeps.plan import Asked, plan_of
from symcontact_ros.sweeps.runner import Runner

MODEL = 'rectangle_circle'
PARAMETERS = {'damping': '0:1:3', 'R': [0.15, 0.25]}
STEPS = 1200


def planned(measures, parameters=PARAMETERS, model=MODEL, **settings):
    asked = Asked(model, parameters, measures, 0, 0, 1.2, None, None, None, settings)
    return plan_of(asked)


def lone(values):
    """Return a simulation that has never seen other values."""
    simulation = sc.Simulation(sc.load_model(MODEL))
    simulation.set_parameters(values)
    simulation.reset()
    return simulation


@pytest.mark.parametrize('measures', [['max_force'], ['max_speed', 'impacts'], ['residual']])
def test_every_run_has_the_bits_of_a_lone_simulation_in_any_order(measures):
    job = planned(measures).job
    runner = Runner(job)
    for point in (5, 0, 3):
        runner.run(point)
        alone = lone(job.points.values(point))
        alone.step(STEPS)
        assert runner.simulation.state_hash() == alone.state_hash()


def test_measures_are_what_a_look_at_every_step_finds():
    names = [*MEASURES, 'final_disc.x', 'max_disc.x', 'min_block.w']
    job = planned(names).job
    row = Runner(job).run(4)
    found = dict(zip(names, row.values, strict=True))
    simulation = lone(job.points.values(4))
    forces, depths, speeds, spins, places, rates, near = [], [], [], [], [], [], []
    touching, impacts, before = 0, 0, False
    for step in range(STEPS + 1):
        simulation.step(1) if step else None
        contacts = simulation.contacts()
        force = np.linalg.norm(sum((c.force for c in contacts), np.zeros(3)))
        forces.append(force)
        depths.append(max([0.0, *(-c.distance for c in contacts)]))
        twists = list(simulation.twists().values())
        speeds.append(max(np.linalg.norm(t.linear) for t in twists))
        spins.append(max(np.linalg.norm(t.angular) for t in twists))
        places.append(simulation.q[3])
        rates.append(simulation.u[2])
        near += [p.distance for p in simulation.proximities()]
        touching += bool(contacts)
        impacts += bool(contacts) and not before
        before = bool(contacts)
    energy = simulation.energy()
    expected = {
        'max_force': max(forces),
        'max_depth': max(depths),
        'contact_time': touching * 1e-3,
        'impacts': impacts,
        'impulse': sum(forces) * 1e-3,
        'min_distance': min(near),
        'max_speed': max(speeds),
        'max_spin': max(spins),
        'final_kinetic': energy.kinetic,
        'final_energy': energy.mechanical,
        'dissipated': energy.dissipated,
        'work_in': energy.work_in,
        'residual': energy.residual,
        'substeps': simulation.counters['substeps'],
        'final_disc.x': places[-1],
        'max_disc.x': max(places),
        'min_block.w': min(rates),
    }
    assert impacts >= 1
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-15)  # sums in another order


def test_contacts_are_not_looked_for_where_bodies_are_far(monkeypatch):
    runner = Runner(planned(['max_force']).job)
    steps = []
    step = sc.Simulation.step
    monkeypatch.setattr(
        sc.Simulation, 'step', lambda self, count=1: (steps.append(count), step(self, count))[1]
    )
    assert runner.run(0).values[0] > 1.0
    assert sum(steps) == 2 * STEPS
    assert len(steps) < 0.8 * STEPS  # in blocks where they are far, though near for long


def test_a_run_without_results_is_a_row_with_a_reason(tmp_path):
    table = sc.sweep(
        'bouncing_circle',
        {'stiffness': [1e6, 1e12], 'R': 'normal:0.3:0.3'},
        ['max_force'],
        samples=6,
        seed=3,
        duration=0.6,
        out=tmp_path / 'out.csv',
        cores=1,
        integrator='rk4',
        max_substeps=4,
    )
    assert set(table.status) == {'good', 'diverged', 'refused'}
    assert sum(table.counts.values()) == len(table) == 12
    with (tmp_path / 'out.csv').open() as file:
        for point, row in enumerate(csv.DictReader(file)):
            is_good = row['status'] == 'good'
            assert (row['max_force [N]'] != '') == is_good == (row['message'] == '')
            assert float(row['R [m]']) == table['R'][point]
            if is_good:
                assert float(row['max_force [N]']) == table['max_force'][point]
    assert 'nan' not in (tmp_path / 'out.csv').read_text()
    assert 'R must be within' in ' '.join(table.messages.values())
    assert not (tmp_path / 'out.csv.journal').exists()


def test_a_run_that_ends_in_ruins_is_no_good_row(write_model):
    table = sc.sweep(
        write_model(RUINED),
        {'a.mass': [0.01, 0.0101]},
        ['max_force', 'max_depth'],
        duration=0.012,  # fewer steps than between two looks
        integrator='rk4',
        cores=1,
    )
    assert table.counts['diverged'] == 2
    assert 'energy balance is open' in table.messages[0]


def test_a_run_that_is_not_to_be_trusted_has_its_values_and_says_why():
    table = sc.sweep(
        'bouncing_circle',
        {'stiffness': [1e6, 1e11]},
        ['max_force'],
        duration=0.6,
        integrator='rk4',
        max_substeps=4,
        max_residual=0,
        cores=1,
    )
    assert table.status.tolist() == ['good', 'doubtful']
    assert (table['max_force'] > 0.0).all()
    assert list(table.messages) == [1]
    assert 'a step needed more substeps than max_substeps' in table.messages[1]


def test_parquet_has_units_and_nulls(tmp_path):
    parquet = pytest.importorskip('pyarrow.parquet')
    path = tmp_path / 'out.parquet'
    table = sc.sweep(
        'bouncing_circle',
        {'stiffness': [1e6, 1e12]},
        ['max_force'],
        duration=0.6,
        out=path,
        integrator='rk4',
        max_substeps=4,
    )
    read = parquet.read_table(path)
    assert read['max_force'].to_pylist() == [table['max_force'][0], None]
    assert read['status'].to_pylist() == ['good', 'diverged']
    assert read.schema.field('max_force').metadata == {b'unit': b'N'}
    assert read.schema.metadata[b'model'] == b'bouncing_circle'


def test_cores_and_chunks_change_nothing(monkeypatch):
    given = {'model': MODEL, 'parameters': {'damping': '0:1:12'}, 'measures': ['max_force']}
    alone = sc.sweep(**given, duration=0.6, cores=1)
    monkeypatch.setattr(sweeping, 'ALONE', 0.0)
    monkeypatch.setattr(sweeping, 'CHUNK', 0.02)
    together = sc.sweep(**given, duration=0.6, cores=2)
    assert together['max_force'].tobytes() == alone['max_force'].tobytes()
