"""Summary of a run of `symcontact simulate`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from symcontact_ros.cli.contact_monitor import ContactMonitor
from symcontact_ros.cli.cross_check_report import CrossCheckReport
from symcontact_ros.cli.planar_angles import planar_angles
from symcontact_ros.cli.recording import Recorder
from symcontact_ros.cli.run_recording import RunRecording
from symcontact_ros.collision.shape_pair import FALLBACKS
from symcontact_ros.model.no_pairs import reason_for_no_pairs
from symcontact_ros.recording.page_run import plain_run
from symcontact_ros.simulation.integrator_choice import integrator_words
from symcontact_ros.simulation.saving.atomic_file import write_file
from symcontact_ros.simulation.simulation import Simulation

SAMPLE_RATE = 100.0  # [Hz], the default
MOST_SHOWN = 20  # bodies and pairs in the summary


@dataclass
class Run:
    """Settings, progress and result of a run."""

    simulation: Simulation
    count: int  # steps to make
    stride: int  # steps between two samples
    is_recorded: bool  # whether samples are stored
    ready: float  # [s] of wall time until the first step
    cross_check: CrossCheckReport | None = None  # of another detector at the same states
    is_animated: bool = False  # whether contact points are kept
    is_drawn: bool = False  # whether contacts are sampled as a figure needs them
    scene: RunRecording | None = None  # of all messages
    recorder: Recorder = field(init=False)
    monitor: ContactMonitor = field(init=False)
    started: dict[str, Any] = field(init=False)  # what a page must know of the start
    made: int = 0  # steps so far
    began_at: float = 0.0  # simulated [s]
    wall: float = 0.0  # [s]
    stepping: float = 0.0  # [s] of wall time in steps
    ending: str = ''  # why it ended early

    def __post_init__(self) -> None:
        self.recorder = Recorder(self.simulation, self.is_animated)
        self.monitor = ContactMonitor(self.simulation, self.stride, self.is_drawn)
        self.began_at = self.simulation.time
        self.started = plain_run(self.simulation) if self.is_animated else {}

    def write_page(self, path: Path) -> None:
        """Write a page that plays the run so far."""
        from symcontact_ros.web.page_file import page_text

        end = {'end': self.simulation.steps, 'hash': self.simulation.state_hash()}
        write_file(path, page_text([self.simulation], run={**self.started, **end}).encode())


def print_summary(job: Run) -> None:
    """Print settings, contacts, energy and final poses of a run."""
    simulation = job.simulation
    simulated = simulation.time - job.began_at
    integrator = integrator_words(simulation.integrator, simulation.used_integrator)
    print(
        f'{simulation.model.name}: {job.made} steps of {1e3 * simulation.step_size:g} ms with '
        f'{integrator} and {_detector(simulation)}, ready after {job.ready:.2f} s'
    )
    start = f' from {job.began_at:.6g} s on' if job.began_at else ''
    print(
        f'simulated {simulated:.6g} s{start} in {job.wall:.3f} s '
        f'({simulated / max(job.wall, 1e-9):.3g} x real time), '
        f'{1e3 * job.stepping:.3g} ms of it in the steps'
    )
    _print_contacts(job)
    counters = simulation.counters
    if counters['newton_steps']:
        _print_newton(counters)
    else:
        print(
            f'substeps {counters["substeps"]:.0f}; steps that needed more than '
            f'{simulation.max_substeps}: {counters["exceeded_steps"]:.0f}'
        )
    if simulation.detector == 'co':
        _print_fallbacks(counters)
    _print_joint_limits(simulation)
    _print_energy(job)
    print(f'trust: {simulation.trust()}')
    _print_poses(simulation)
    if job.cross_check is not None:
        print(job.cross_check.summary())


def _detector(simulation: Simulation) -> str:
    if simulation.detector == 'sat':
        return 'sat'
    chosen = ', '.join(f'{name} {value}' for name, value in simulation.co.items())
    return f'co ({chosen})' if chosen else 'co'


def _print_newton(counters: Mapping[str, float]) -> None:
    mean = counters['newton_iterations'] / counters['newton_steps']
    print(
        f'substeps {counters["substeps"]:.0f}; iterations of Newton {mean:.3g} in the mean, '
        f'{counters["newton_largest"]:.0f} at most; not converged: '
        f'{counters["not_converged"]:.0f}'
    )


def _print_fallbacks(counters: Mapping[str, float]) -> None:
    total = f'pair queries {counters["queries"]:.0f}; answered by the exact method instead: '
    reasons = [
        f'{counters[f"fallbacks_{name}"]:.0f} {name.replace("_", " ")}'
        for name in FALLBACKS.values()
        if counters[f'fallbacks_{name}']
    ]
    print(total + (f'{counters["fallbacks"]:.0f} ({", ".join(reasons)})' if reasons else 'none'))


def _print_joint_limits(simulation: Simulation) -> None:
    for key, text in (
        ('saturated_steps', 'actuators at their limits'),
        ('overspeed_steps', 'joints faster than their limits'),
    ):
        if simulation.counters[key]:
            found = {name: n[key] for name, n in simulation.joint_counters.items() if n[key]}
            worst = sorted(found, key=lambda name: -found[name])
            shown = ', '.join(f'{name} {found[name]}' for name in worst[:MOST_SHOWN])
            more = f', and {len(worst) - MOST_SHOWN} more' if len(worst) > MOST_SHOWN else ''
            print(f'{text} in {simulation.counters[key]:.0f} steps: {shown}{more}')


def _print_contacts(job: Run) -> None:
    simulation, peaks = job.simulation, job.monitor.peaks
    if not peaks:
        why = ''
        if not simulation.pairs:
            why = f' (no two bodies can touch: {reason_for_no_pairs(simulation.model)})'
        print(f'contacts: none{why}')
        return
    rate = 1.0 / (job.monitor.usual_stride * job.simulation.step_size)
    hint = '' if rate > SAMPLE_RATE else ': a higher --sample-rate resolves shorter ones'
    print(f'contacts (sampled at {rate:g} Hz){hint}')
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


def _print_energy(job: Run) -> None:
    energy = job.simulation.energy()
    print('energy [J]')
    print(
        f'  mechanical energy {energy.mechanical:12.6g} = kinetic {energy.kinetic:.6g} + '
        f'potential {energy.potential:.6g} + elastic {energy.elastic:.6g}'
    )
    balance = energy.mechanical - energy.residual
    lost = f' - lost by the integrator {energy.integration:.3g}' if energy.integration else ''
    print(
        f'  energy balance    {balance:12.6g} = start {energy.start:.6g} + work in '
        f'{energy.work_in:.6g} + manifold {energy.manifold:.3g} - dissipated '
        f'{energy.dissipated:.6g}' + lost
    )
    part = energy.residual / energy.throughput if energy.throughput else 0.0
    print(f'  residual          {energy.residual:12.3g} = {part:.2g} of the energy throughput')


def _print_poses(simulation: Simulation) -> None:
    model = simulation.model
    moving = [name for name in model.body_names if name not in model.grounded]
    if not moving:
        print('poses at the end: no body moves')
        return
    planar = model.dimension == 2
    print(
        'poses at the end: '
        + ('x, y [m], angle [rad], not wrapped' if planar else 'x, y, z [m], qx, qy, qz, qw')
    )
    poses = simulation.poses()
    angles = planar_angles(model, simulation.q, simulation.parameters) if planar else {}
    width = max(map(len, moving))
    for name in moving[:MOST_SHOWN]:
        pose = poses[name]
        attitude = [angles[name]] if planar else pose.quaternion
        numbers = [*pose.position[: model.dimension], *attitude]
        print(f'  {name:<{width}} ' + ' '.join(map(_aligned, numbers)))
    if len(moving) > MOST_SHOWN:
        print(f'  ... and {len(moving) - MOST_SHOWN} more bodies')


def _aligned(number: float) -> str:
    return f'{number:11.6f}' if abs(number) < 1e4 else f'{number:11.4g}'
