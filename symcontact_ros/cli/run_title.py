"""Title of pictures of a run: model, contact law and its constants, methods, version."""

from __future__ import annotations

from symcontact_ros import __version__
from symcontact_ros.cli.contact_monitor import ContactMonitor
from symcontact_ros.contact.laws import law_named
from symcontact_ros.expressions import evaluate
from symcontact_ros.simulation.integrator_choice import integrator_words
from symcontact_ros.simulation.simulation import Simulation


def title_parts(simulation: Simulation, monitor: ContactMonitor) -> list[str]:
    """Return what a reader needs to make the run again, in a few words each."""
    made = integrator_words(simulation.integrator, simulation.used_integrator)
    parts = law_words(simulation, monitor)
    if simulation.pairs:
        parts.append(f'detector {simulation.detector}')
    parts.append(f'{made}, steps of {1e3 * simulation.step_size:g} ms')
    parts.append(f'symcontact_ros {__version__}')
    return parts


def law_words(simulation: Simulation, monitor: ContactMonitor) -> list[str]:
    """Return the law of the pair that was pressed most, with its constants."""
    peaks = monitor.peaks
    pairs = sorted(peaks, key=lambda pair: -peaks[pair].force) or list(simulation.pairs[:1])
    if not pairs:
        return []
    model, values = simulation.model, simulation.parameters
    material = model.material(*pairs[0])
    law = law_named(material.law)
    words = f'{material.law.replace("_", "-")} law'
    if not law.has_formulas:
        stiffness = f'{shown(evaluate(material.stiffness, values))} {law.stiffness_unit}'
        stiffness = stiffness.replace('^3', '³').replace('^1.5', '$^{1.5}$')
        damping = f'{shown(evaluate(material.damping, values))} s/m'
        words += f' (k = {stiffness}, c = {damping}, '
        words += f'$\\mu$ = {evaluate(material.friction, values):.3g})'
    others = {model.material(*pair) is not material for pair in pairs[1:]}
    return [words + (f' at {pairs[0][0]} - {pairs[0][1]}' if True in others else '')]


def shown(number: float) -> str:
    """Return a number of a few digits, with powers of ten as they are printed."""
    digits, _, power = f'{number:.4g}'.partition('e')
    if not power:
        return digits
    factor = '' if digits == '1' else f'{digits} \\times '
    return f'${factor}10^{{{int(power)}}}$'
