"""Proof that a recording holds what it says: the run is made again, and states are compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from symcontact_ros.errors import DivergenceError, OptionError
from symcontact_ros.recording.logged_simulation import make_input
from symcontact_ros.recording.run_reader import Entry, RunReader
from symcontact_ros.recording.run_writer import PACKAGES, version_of_package
from symcontact_ros.simulation.simulation import Simulation

LONGEST = 10**9  # steps from one entry of a recording to the next
PIECE = 10_000  # steps between two calls of `interrupted`


@dataclass
class Verification:
    """
    Result of a comparison.

    Attributes
    ----------
    hashes, inputs, steps
        How many were compared, given, made.
    equal_until
        Number of the last step whose hash was equal.
    differs_at
        Number of the first step whose hash differs; None: all are equal.
    reason
        What differs.
    other_versions
        Packages of other versions than in the recording: name, then, now.

    """

    hashes: int = 0
    inputs: int = 0
    steps: int = 0
    equal_until: int = 0
    differs_at: int | None = None
    reason: str = ''
    other_versions: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def is_equal(self) -> bool:
        """Whether there were hashes, and all were equal."""
        return self.hashes > 0 and self.differs_at is None


def verify(recording: RunReader, interrupted: Callable[[], bool] = lambda: False) -> Verification:
    """Make a recorded run again, from its model, start and inputs, and compare the states."""
    simulation = recording.simulation()
    result = Verification(other_versions=_other_versions(recording))
    diverged: DivergenceError | None = None
    for entry in recording.entries():
        try:
            diverged = _advance(simulation, entry, result, interrupted) or diverged
            if entry.name:
                make_input(simulation, entry.name, entry.arguments or {})
                diverged, result.inputs = None, result.inputs + 1
                if entry.name == 'step':
                    result.steps += int((entry.arguments or {})['count'])
        except DivergenceError as error:
            diverged = error
        except OptionError as error:
            raise OptionError(f'{recording.path}: at step {entry.step}: {error}') from error
        if not entry.name and not _compare(simulation, entry, result, diverged):
            break
        if interrupted():
            break
    return result


def _advance(
    simulation: Simulation,
    entry: Entry,
    result: Verification,
    interrupted: Callable[[], bool],
) -> DivergenceError | None:
    """Make the steps before an entry; return a divergence on the way."""
    left = entry.step - simulation.steps
    if not 0 <= left <= LONGEST:
        raise OptionError(f'it is {left} steps away: 0 to {LONGEST} can be made')
    while left and not interrupted():
        part = min(left, PIECE)
        try:
            simulation.step(part)
        except DivergenceError as error:
            return error
        finally:
            result.steps += part
        left -= part
    return None


def _compare(
    simulation: Simulation, entry: Entry, result: Verification, diverged: DivergenceError | None
) -> bool:
    """Compare the state with an entry; return whether it is equal."""
    reason = ''
    if simulation.steps != entry.step:
        reason = f'the run now diverges at step {simulation.steps}: {diverged}'
    elif entry.state_hash:
        result.hashes += 1
        now = simulation.state_hash()
        if now != entry.state_hash:
            reason = f'state {entry.state_hash[:12]} then, {now[:12]} now'
    if reason:
        result.differs_at, result.reason = entry.step, reason
    elif entry.state_hash:
        result.equal_until = entry.step
    return not reason


def _other_versions(recording: RunReader) -> list[tuple[str, str, str]]:
    from importlib.metadata import PackageNotFoundError, version

    now = {'symcontact_ros': version_of_package()}
    for name in PACKAGES:
        try:
            now[name] = version(name)
        except PackageNotFoundError:
            now[name] = 'none'
    then = {name: str(value) for name, value in recording.versions.items()}
    return [(name, then[name], text) for name, text in now.items() if then.get(name, text) != text]
