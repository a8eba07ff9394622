"""Recording of a run that is read: its model and settings, its messages, its inputs and hashes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
import json
from pathlib import Path
import tempfile
from typing import Any

from symcontact_ros.errors import OptionError, shown
from symcontact_ros.model.library import load_model
from symcontact_ros.recording.cdr import deserialize
from symcontact_ros.recording.mcap_reader import Attached, Logged, McapReader, Texts
from symcontact_ros.recording.run_writer import ABOUT, FORMAT, MODEL, REPLAY, START
from symcontact_ros.simulation.options import CHANGEABLE
from symcontact_ros.simulation.simulation import Simulation

OPTIONS = {*CHANGEABLE, 'step_size', 'seed'}
FARTHEST = 2**53  # number of a step
COMMAND = 'command'  # role of a topic that the node has read, and not written


@dataclass(frozen=True)
class Entry:
    """An input, a hash or a divergence, with the number of steps made before it."""

    step: int
    name: str = ''  # of an input
    arguments: Mapping[str, Any] | None = None
    state_hash: str = ''
    diverged: str = ''


class RunReader:
    """
    A recording of a run; OptionError if the file is none.

    Attributes
    ----------
    about
        The texts of its metadata.
    model_text
        Its model, as the text of a model file.
    start
        The saved state that it began with.

    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.about: dict[str, str] = {}
        found: dict[str, bytes] = {}
        for item in McapReader(path).items():
            if isinstance(item, Logged):
                break
            if isinstance(item, Attached) and item.name not in found:
                found[item.name] = item.data
            elif isinstance(item, Texts) and item.name == ABOUT:
                self.about = item.values
        if not self.about or MODEL not in found or START not in found:
            raise OptionError(
                f'{path}: no model in it: only files of `simulate --record F.mcap` and of the '
                "node's record_file can be replayed"
            )
        if self.about.get('format') != FORMAT:
            other = shown(self.about.get('format'))
            raise OptionError(f'{path}: a recording of format {other}; this is format {FORMAT}')
        self.model_text = found[MODEL].decode('utf-8', 'replace')
        self.start = found[START]
        self._reader = McapReader(path)

    def simulation(self) -> Simulation:
        """Return a new simulation of the model at the start of the run."""
        options = self._json('options')
        if not set(options) <= OPTIONS:
            unknown = ', '.join(shown(name) for name in sorted(set(options) - OPTIONS))
            raise OptionError(f'{self.path}: options that there are not: {unknown}')
        # A folder of its own, so that the model can include nothing.
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / MODEL
            file.write_text(self.model_text, encoding='utf-8')
            model = load_model(file)
        try:
            simulation = Simulation(model, **options)
            simulation.restore_state(self.start)
        except (OptionError, TypeError) as error:
            raise OptionError(f'{self.path}: {error}') from error
        return simulation

    @property
    def versions(self) -> dict[str, Any]:
        """Versions of packages with which it was made, by name."""
        return self._json('versions')

    def messages(self) -> Iterator[Logged]:
        """Yield all messages, in their order; the times do not decrease."""
        self._reader = McapReader(self.path)
        latest = 0
        for item in self._reader.items():
            if isinstance(item, Logged):
                if item.time < latest:
                    raise OptionError(f'{self.path}: times that go back, at {item.time} ns')
                latest = item.time
                yield item

    @property
    def is_whole(self) -> bool:
        """Whether all messages were read to the end of the file, and none is missing."""
        return self._reader.is_whole

    def entries(self) -> Iterator[Entry]:
        """Yield inputs, hashes and divergences, in their order."""
        for message in self.messages():
            channel = message.channel
            if channel.topic.endswith(f'/{REPLAY}') and channel.kind == 'std_msgs/msg/String':
                try:
                    yield _entry(deserialize(channel.kind, message.data)['data'])
                except OptionError as error:
                    place = f'{self.path}: {channel.topic} at {1e-9 * message.time:.6f} s'
                    raise OptionError(f'{place}: {error}') from error

    def _json(self, name: str) -> dict[str, Any]:
        try:
            value = _parsed(self.about.get(name, '{}'))
        except OptionError as error:
            raise OptionError(f'{self.path}: {name}: {error}') from error
        return value


def _parsed(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise OptionError('not JSON') from error
    if not isinstance(value, dict):
        raise OptionError(f'must be a mapping in JSON, got {shown(value)}')
    return value


def _entry(text: str) -> Entry:
    value = _parsed(text)
    step = value.get('step')
    if not isinstance(step, int) or isinstance(step, bool) or not 0 <= step < FARTHEST:
        raise OptionError(f'the number of a step must be 0 to {FARTHEST}, got {shown(step)}')
    if 'do' in value:
        arguments = value.get('with')
        if not isinstance(arguments, dict):
            raise OptionError('an input without arguments')
        return Entry(step, name=str(value['do']), arguments=arguments)
    if 'hash' in value:
        return Entry(step, state_hash=str(value['hash']))
    return Entry(step, diverged=str(value.get('diverged', 'unknown')))
