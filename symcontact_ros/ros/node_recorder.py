"""Recording of a node: what it publishes, commands that it takes, inputs and states."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rclpy.serialization import serialize_message

from symcontact_ros.errors import OptionError
from symcontact_ros.recording.cdr import trimmed
from symcontact_ros.recording.logged_simulation import LoggedSimulation
from symcontact_ros.recording.run_reader import COMMAND
from symcontact_ros.recording.run_writer import RunWriter

Tap = Callable[[bytes], None]  # takes messages, as bytes
ENDING = '.mcap'


class NodeRecorder:
    """
    Recorder of a node.

    Parameters
    ----------
    file
        Where to; a recording that is there gets another name.
    simulation
        Of the node.
    node
        Full name of the node.

    """

    def __init__(self, file: str, simulation: LoggedSimulation, node: str) -> None:
        path = Path(file)
        if path.suffix != ENDING:
            raise OptionError(f'record_file {path}: the name must end in {ENDING}')
        if not path.parent.is_dir():
            raise OptionError(f'record_file {path}: there is no folder {path.parent}')
        keep_old(path)
        self._writer = RunWriter(path, simulation, node)

    def use_clock(self, clock: Callable[[], int]) -> None:
        """Take simulated time [ns] from somewhere else than the simulation."""
        self._writer.clock = clock

    def tap(self, kind: type, topic: str, latched: bool) -> Tap | None:
        """Return what records the messages of a topic; None if their type has no definition."""
        name = name_of(kind)
        channel = self._writer.channel(topic, name, latched=latched)
        if not channel:
            return None
        return lambda data: self._writer.write(channel, trimmed(name, data))

    def write_command(self, topic: str, message: Any) -> None:
        """Record a command that was accepted."""
        name = name_of(type(message))
        channel = self._writer.channel(topic, name, role=COMMAND)
        if channel:
            self._writer.write(channel, trimmed(name, serialize_message(message)))

    def mark(self) -> None:
        """Record a hash of the state."""
        self._writer.mark()

    def write_divergence(self, error: Exception) -> None:
        """Record that the run has diverged."""
        self._writer.write_divergence(error)

    def flush_if_due(self) -> None:
        """Bring into the file what has waited long enough; called in every tick."""
        self._writer.flush_if_due()

    def close(self) -> None:
        """End the file with its index."""
        self._writer.close()


def name_of(kind: type) -> str:
    """Return the name of a type of messages: `std_msgs/msg/String`."""
    return f'{kind.__module__.partition(".")[0]}/msg/{kind.__name__}'


def keep_old(path: Path) -> None:
    """Rename a file that is there: `run.mcap` becomes `run.1.mcap`, or the next that is free."""
    if not path.exists():
        return
    number = 1
    while (old := path.with_suffix(f'.{number}{path.suffix}')).exists():
        number += 1
    try:
        path.rename(old)
    except OSError as error:
        raise OptionError(f'record_file {path}: cannot be renamed: {error.strerror}') from error
