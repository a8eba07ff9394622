"""
Recording of a run that is being written: model and start, messages, inputs, and state hashes.

Attachments are ``model.yaml`` and ``start.state``; the metadata ``symcontact_ros`` has options,
versions and live symbols. The topic `REPLAY` has, as JSON in std_msgs/String, inputs with the
numbers of their steps, and hashes of states: all that is needed to make the run again.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
import json
import logging
from pathlib import Path
import platform
from typing import Any

from symcontact_ros.errors import OptionError
from symcontact_ros.recording.cdr import serialize
from symcontact_ros.recording.definitions import DEFINITIONS, schema_text
from symcontact_ros.recording.logged_simulation import LoggedSimulation, plain
from symcontact_ros.recording.mcap_writer import McapWriter
from symcontact_ros.simulation.options import CHANGEABLE

_log = logging.getLogger(__name__)
FORMAT = '1'  # raise it when what is in the metadata or on the topic `replay` changes
ABOUT, MODEL, START = 'symcontact_ros', 'model.yaml', 'start.state'
NODE = '/symcontact'  # by default
REPLAY = 'replay'  # ends the name of the topic
PACKAGES = ('numpy', 'scipy', 'sympy', 'llvmlite')
# As rosbag2 writes it, for `ros2 bag play`: keep last 1, reliable, transient local.
LATCHED = (
    '- history: keep_last\n  depth: 1\n  reliability: reliable\n  durability: transient_local\n'
    '  deadline:\n    sec: 9223372036\n    nsec: 854775807\n'
    '  lifespan:\n    sec: 9223372036\n    nsec: 854775807\n'
    '  liveliness: automatic\n  liveliness_lease_duration:\n    sec: 9223372036\n'
    '    nsec: 854775807\n  avoid_ros_namespace_conventions: false\n'
)


class RunWriter:
    """
    A recording of a simulation from now on.

    A disk that is full ends the recording, and not the run.

    Parameters
    ----------
    path
        The .mcap file; one that exists is replaced.
    simulation
        Whose inputs are recorded.
    node
        Name of the node, with which the names of its topics begin.

    Attributes
    ----------
    clock
        Returns simulated time [ns], which may be set back; times in the file never are.
    failure
        Why nothing is recorded any more; empty: all is well.

    """

    def __init__(self, path: Path, simulation: LoggedSimulation, node: str = NODE) -> None:
        self.path = path
        self.node = node
        self.failure = ''
        self.clock: Callable[[], int] = lambda: round(1e9 * simulation.time)
        self._simulation = simulation
        self._schemas: dict[str, int] = {}
        self._latest = self._offset = 0  # [ns]
        self._symbols: dict[str, float] = {}
        self._channels: dict[str, int] = {}
        try:
            self._file = McapWriter(path, 'ros2', f'symcontact_ros {version_of_package()}')
            self._file.add_metadata(ABOUT, about(simulation))
            text = simulation.model.to_yaml().encode()
            self._file.attach(MODEL, 'application/yaml', text)
            self._file.attach(START, 'application/octet-stream', simulation.save_state())
        except OSError as error:
            raise OptionError(f'{path}: cannot be written: {error.strerror}') from error
        self._replay = self.channel(f'{node}/{REPLAY}', 'std_msgs/msg/String')
        simulation.log = self._write_input
        self.write_symbols()
        self.mark()
        self.flush()

    def channel(self, topic: str, kind: str, *, latched: bool = False, role: str = '') -> int:
        """Return the number of a topic in the file, added where it is new; 0: not recorded."""
        if kind not in DEFINITIONS or self.failure:
            return 0
        if topic in self._channels:
            return self._channels[topic]
        if kind not in self._schemas:
            data = schema_text(kind).encode()
            self._schemas[kind] = self._file.add_schema(kind, 'ros2msg', data)
        metadata = {'offered_qos_profiles': LATCHED} if latched else {}
        metadata |= {'role': role} if role else {}
        number = self._file.add_channel(self._schemas[kind], topic, 'cdr', metadata)
        self._channels[topic] = number
        return number

    def write(self, channel: int, data: bytes) -> None:
        """Record a message, as bytes in CDR, at the present time."""
        if self.failure or not channel:
            return
        now = self.clock()
        time = max(now + self._offset, 0)
        if time < self._latest:  # time was set back
            self._offset, time = self._latest - now, self._latest
        self._latest = time
        self._try(lambda: self._file.add_message(channel, time, max(now, 0), data))

    def write_symbols(self) -> None:
        """Record the live symbols that have changed, on `symbols/<name>`."""
        values = self._simulation.parameters
        for name, value in values.items():
            if self._symbols.get(name) != value:
                topic = f'{self.node}/symbols/{name.replace(".", "/")}'
                channel = self.channel(topic, 'std_msgs/msg/Float64', latched=True)
                self.write(channel, serialize('std_msgs/msg/Float64', {'data': value}))
        self._symbols = values

    def mark(self) -> None:
        """Record a hash of the state."""
        simulation = self._simulation
        self._write_entry({'step': simulation.steps, 'hash': simulation.state_hash()})

    def write_divergence(self, error: Exception) -> None:
        """Record that the run has diverged, and the state in which it was left."""
        self._write_entry({'step': self._simulation.steps, 'diverged': str(error)})
        self.mark()

    def _write_input(self, step: int, name: str, arguments: dict[str, Any]) -> None:
        self._write_entry({'step': step, 'do': name, 'with': arguments})
        if name in ('configure', 'restore_state'):
            self.write_symbols()

    def _write_entry(self, entry: dict[str, Any]) -> None:
        text = json.dumps(entry, separators=(',', ':'))
        self.write(self._replay, serialize('std_msgs/msg/String', {'data': text}))

    def flush_if_due(self) -> None:
        """Bring into the file what has waited long enough; called now and then."""
        if not self.failure:
            self._try(self._file.flush_if_due)

    def flush(self) -> None:
        """Bring all into the file."""
        if not self.failure:
            self._try(self._file.flush)

    def close(self) -> None:
        """Record the last state, and end the file with its index."""
        if self._simulation.log != self._write_input:
            return
        self.mark()
        self._simulation.log = lambda step, name, arguments: None
        self._try(self._file.close)

    def _try(self, write: Callable[[], None]) -> None:
        try:
            write()
        except OSError as error:
            self.failure = error.strerror or str(error)
            _log.error('%s: recording ended: %s', self.path, self.failure)


def about(simulation: LoggedSimulation) -> dict[str, str]:
    """Return what is needed, beside model and start, to make a run again."""
    options = {name: getattr(simulation, name) for name in (*CHANGEABLE, 'step_size', 'seed')}
    versions = {name: _version(name) for name in PACKAGES}
    versions |= {'symcontact_ros': version_of_package(), 'python': platform.python_version()}
    return {
        'format': FORMAT,
        'model': simulation.model.name,
        'used_integrator': simulation.used_integrator,
        'options': json.dumps(plain(options)),
        'symbols': json.dumps(simulation.parameters),
        'versions': json.dumps(versions),
        'machine': f'{platform.system()} {platform.machine()}',
    }


def version_of_package() -> str:
    """Return the version of this package."""
    from symcontact_ros import __version__

    return __version__


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return 'unknown'
