"""Arguments of a sweep: checked, all faults at once, and joined to what workers need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
import hashlib
import json
import math
from pathlib import Path
from typing import Any

from symcontact_ros import __version__
from symcontact_ros.errors import no_such, one_line, OptionError, shown_value, SymcontactError
from symcontact_ros.model.library import load_model
from symcontact_ros.model.model import Model
from symcontact_ros.simulation.options import (
    CHANGEABLE,
    check_count,
    check_options,
    check_step_size,
    MANIFOLDS,
    MAX_DEPTH_RATIO,
    MAX_EXCEEDED_STEPS,
    MAX_RESIDUAL,
    MAX_SUBSTEPS,
    plain_options,
)
from symcontact_ros.simulation.saving.atomic_file import check_place
from symcontact_ros.sweeps.measures import Measure, measures_of
from symcontact_ros.sweeps.points import axes_of, Points, points_of
from symcontact_ros.sweeps.runner import Job
from symcontact_ros.sweeps.table import ENDINGS, PARQUET, require_pyarrow, SweepTable
from symcontact_ros.types import float_of

KNOWN = (*CHANGEABLE, 'step_size', 'seed')  # settings of a simulation
PROXIMITY_RANGE = 0.5  # [m], that of a simulation
SAMPLE_RATE = 1000.0  # [Hz]: an impact lasts for tens of milliseconds


@dataclass(frozen=True)
class Asked:
    """What somebody asks for, as `sweep` documents it."""

    model: Model | str | Path
    parameters: Mapping[str, Any]
    measures: Sequence[str] | str
    samples: int
    seed: int
    duration: float | None
    sample_rate: float | None
    out: Path | None
    cores: int | None
    settings: dict[str, Any]
    load_options: Mapping[str, Any] = field(default_factory=dict)  # of `load_model`


@dataclass(frozen=True)
class Plan:
    """A sweep that can begin."""

    job: Job
    marks: dict[str, str]  # what tells it from others, by word
    table: SweepTable  # empty


def plan_of(asked: Asked, known: Sequence[str] = ()) -> Plan:
    """Return the plan of a sweep; OptionError with all that is wrong, after what is known."""
    faults: list[str] = [*known]
    _check(asked, faults)
    axes = axes_of(asked.parameters, faults)
    try:
        model = asked.model
        if not isinstance(model, Model):
            model = load_model(model, **asked.load_options)
    except SymcontactError as error:
        faults.append(str(error))
        raise OptionError('\n'.join(faults)) from error
    points = points_of(model, axes, asked.samples, asked.seed, faults)
    measures = measures_of(model, asked.measures, faults)
    steps, stride = _lengths(model, asked, faults)
    if faults:
        raise OptionError('\n'.join(faults))
    marks = {
        'version': __version__,
        'model': _hash(model.simulated_yaml()),
        'set of points': _hash(points.mark),
        'list of measures': ', '.join(measures),
        'way to run': json.dumps([asked.settings, steps, stride], sort_keys=True, default=str),
    }
    mark = _hash(json.dumps(marks))
    job = Job(model, asked.settings, points, tuple(measures), steps, stride, __version__, mark)
    return Plan(job, marks, _table(model, points, measures))


def _table(model: Model, points: Points, measures: Mapping[str, Measure]) -> SweepTable:
    units = {name: model.symbols[name].unit for name in points.axes}
    units |= {name: measure.unit for name, measure in measures.items()}
    words = {'model': model.name, 'symcontact_ros': __version__, 'points': points.mark}
    words |= {name: measure.definition for name, measure in measures.items()}
    return SweepTable(points, units, words)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _check(asked: Asked, faults: list[str]) -> None:
    """Add what is wrong with arguments that need no model."""
    for name, lowest in (('samples', 0), ('seed', 0), ('cores', 1)):
        value = getattr(asked, name)
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not (is_whole and lowest <= value < 2**63) and (name != 'cores' or value is not None):
            got = shown_value(value)
            faults.append(f'{name} must be a whole number, {lowest} or more, got {got}')
    if not asked.parameters:
        faults.append('parameters: one at least')
    if asked.out is None:
        return
    try:
        if asked.out.suffix not in ENDINGS:
            ways = ' or '.join(ENDINGS)
            raise OptionError(f'out {one_line(asked.out)}: the name must end in {ways}')
        check_place(asked.out, 'out')
        if asked.out.suffix == PARQUET:
            require_pyarrow()
    except SymcontactError as error:
        faults.append(str(error))


def _check_settings(model: Model, settings: Mapping[str, Any]) -> None:
    """Raise OptionError with all that is wrong with settings of a simulation."""
    names = ('detector', 'integrator', 'step_size')
    own = model.run_settings(**{name: settings.get(name) for name in names})
    usual = {
        'co': {},
        'max_substeps': MAX_SUBSTEPS,
        'manifold': MANIFOLDS[0],
        'proximity_range': PROXIMITY_RANGE,
        'max_residual': MAX_RESIDUAL,
        'max_depth_ratio': MAX_DEPTH_RATIO,
        'max_exceeded_steps': MAX_EXCEEDED_STEPS,
    }
    given = {name: value for name, value in settings.items() if value is not None}
    wanted = {**usual, **given, 'detector': own.detector, 'integrator': own.integrator}
    check_step_size(own.step_size)
    check_options(plain_options(wanted))


def _lengths(model: Model, asked: Asked, faults: list[str]) -> tuple[int, int]:
    """Return the steps of a run and those between two samples; add what is wrong."""
    unknown = set(asked.settings) - {*KNOWN}
    faults += [str(no_such('setting', name, KNOWN)) for name in sorted(unknown)]
    try:
        size = float_of(model.run_settings(step_size=asked.settings.get('step_size')).step_size)
        duration = float_of(model.duration if asked.duration is None else asked.duration)
        if not (math.isfinite(duration) and duration > 0.0 and size > 0.0):
            raise OptionError(f'duration must be finite and > 0 [s], got {duration:g}')
        _check_settings(model, asked.settings)
        steps = check_count(max(1, round(duration / size)), 0)
        rate = SAMPLE_RATE if asked.sample_rate is None else float_of(asked.sample_rate)
        if not 0.0 < rate < math.inf:
            raise OptionError(f'sample_rate must be a frequency > 0 [Hz], got {rate:g}')
    except (OptionError, TypeError, ValueError) as error:
        faults.append(str(error))
        return 1, 1
    if asked.sample_rate is not None and rate * size > 1.0 + 1e-9:
        most = f'steps of {size:g} s allow {1.0 / size:g} Hz at most'
        faults.append(f'sample_rate {rate:g}: {most}')
    return steps, max(1, round(1.0 / (rate * size)))
