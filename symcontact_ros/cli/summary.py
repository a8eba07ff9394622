"""A run of `symcontact simulate`, and what is said of it at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
import math

from symcontact_ros.cli.cross_check import Checked
from symcontact_ros.cli.recording import Recorder, Watch
from symcontact_ros.collision.shape_pair import FALLBACKS
from symcontact_ros.simulation.simulation import Simulation

SAMPLE_RATE = 100.0  # [Hz], when not told otherwise
MOST_SHOWN = 20  # bodies and pairs in the summary


@dataclass
class Run:
    """What a run is told to do, and what became of it."""

    simulation: Simulation
    count: int  # steps to make
    stride: int  # steps between two samples
    keep: bool  # whether samples are wanted
    ready: float  # [s] of wall time until it could start
    checked: Checked | None = None  # what another detector says of the same states
    recorder: Recorder = field(init=False)
    watch: Watch = field(init=False)
    made: int = 0  # steps
    began_at: float = 0.0  # simulated [s]
    wall: float = 0.0  # [s]
    stepping: float = 0.0  # [s] of it in steps
    ending: str = ''  # why it ended early

    def __post_init__(self) -> None:
        self.recorder = Recorder(self.simulation)
        self.watch = Watch(self.simulation, self.stride)
        self.began_at = self.simulation.time


def print_summary(job: Run) -> None:
    """Print what a run was, its contacts, its energy and where everything is in the end."""
    simulation = job.simulation
    simulated = simulation.time - job.began_at
    print(
        f'{simulation.model.name}: {job.made} steps of {1e3 * simulation.step_size:g} ms with '
        f'{simulation.integrator} and {_detector(simulation)}, ready after {job.ready:.2f} s'
    )
    start = f' from {job.began_at:.6g} s on' if job.began_at else ''
    print(
        f'simulated {simulated:.6g} s{start} in {job.wall:.3f} s '
        f'({simulated / max(job.wall, 1e-9):.3g} x real time), '
        f'{1e3 * job.stepping:.3g} ms of it in the steps'
    )
    _tell_contacts(job)
    counters = simulation.counters
    print(
        f'sub-steps {counters["substeps"]:.0f}; steps that needed more than '
        f'{simulation.max_substeps}: {counters["exceeded_steps"]:.0f}'
    )
    if simulation.detector == 'co':
        _tell_fallbacks(counters)
    _tell_energy(job)
    _tell_poses(simulation)
    if job.checked is not None:
        print(job.checked.summary())


def _detector(simulation: Simulation) -> str:
    if simulation.detector == 'sat':
        return 'sat'
    chosen = ', '.join(f'{name} {value}' for name, value in simulation.co.items())
    return f'co ({chosen})' if chosen else 'co'


def _tell_fallbacks(counters: Mapping[str, float]) -> None:
    said = f'pairs measured {counters["looks"]:.0f}; of them by the exact method instead: '
    reasons = [
        f'{counters[f"fallbacks_{name}"]:.0f} {name.replace("_", " ")}'
        for name in FALLBACKS.values()
        if counters[f'fallbacks_{name}']
    ]
    print(said + (f'{counters["fallbacks"]:.0f} ({", ".join(reasons)})' if reasons else 'none'))


def _tell_contacts(job: Run) -> None:
    peaks = job.watch.peaks
    if not peaks:
        print('contacts: none')
        return
    rate = 1.0 / (job.watch.stride * job.simulation.step_size)
    hint = '' if rate > SAMPLE_RATE else ': a higher --sample-rate sees more'
    print(f'contacts, looked at {rate:g} times per second{hint}')
    width = max(len(f'{a} - {b}') for a, b in peaks)
    strongest = sorted(peaks.items(), key=lambda item: -item[1].force)
    for (a, b), peak in strongest[:MOST_SHOWN]:
        print(
            f'  {f"{a} - {b}":<{width}}  deepest {1e3 * peak.depth:8.4g} mm at '
            f'{peak.depth_time:.4g} s, largest force {peak.force:8.4g} N at '
            f'{peak.force_time:.4g} s'
        )
    if len(peaks) > MOST_SHOWN:
        print(f'  ... and {len(peaks) - MOST_SHOWN} weaker pairs')


def _tell_energy(job: Run) -> None:
    energy = job.simulation.energy()
    print('energy [J]')
    print(
        f'  there now       {energy.mechanical:12.6g} = kinetic {energy.kinetic:.6g} + potential '
        f'{energy.potential:.6g} + elastic {energy.elastic:.6g}'
    )
    explained = energy.mechanical - energy.residual
    print(
        f'  explained       {explained:12.6g} = start {energy.start:.6g} + work in '
        f'{energy.work_in:.6g} + manifold {energy.manifold:.3g} - dissipated '
        f'{energy.dissipated:.6g}'
    )
    part = energy.residual / energy.throughput if energy.throughput else 0.0
    print(f'  residual        {energy.residual:12.3g} = {part:.2g} of what went through')


def _tell_poses(simulation: Simulation) -> None:
    model = simulation.model
    planar = model.dimension == 2
    print(
        'poses at the end: '
        + ('x, y [m], angle [rad]' if planar else 'x, y, z [m], qx, qy, qz, qw')
    )
    poses = simulation.poses()
    moving = [name for name in model.body_names if name not in model.grounded]
    width = max(map(len, moving))
    for name in moving[:MOST_SHOWN]:
        pose = poses[name]
        turned = (
            [2.0 * math.atan2(pose.quaternion[2], pose.quaternion[3])]
            if planar
            else pose.quaternion
        )
        numbers = [*pose.position[: model.dimension], *turned]
        print(f'  {name:<{width}} ' + ' '.join(map(_aligned, numbers)))
    if len(moving) > MOST_SHOWN:
        print(f'  ... and {len(moving) - MOST_SHOWN} more bodies')


def _aligned(number: float) -> str:
    return f'{number:11.6f}' if abs(number) < 1e4 else f'{number:11.4g}'
