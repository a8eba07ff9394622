"""
Reader of MCAP files from beginning to end, also of those whose end is missing.

A file may come from anybody: nothing in it is run, sizes are checked before room is made for what
they announce, and a file that is wrong is refused with the place at which it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
import os
from pathlib import Path
import stat
import struct
from typing import Any, BinaryIO
import zlib

from symcontact_ros.errors import OptionError, shown
from symcontact_ros.optional_packages import missing
from symcontact_ros.recording.mcap_format import (
    ATTACHMENT,
    CHANNEL,
    CHUNK,
    DATA_END,
    Fields,
    HEADER,
    MAGIC,
    MESSAGE,
    METADATA,
    SCHEMA,
)

LARGEST = 64 << 20  # [byte] of a record, and of a chunk when it is unpacked
NEEDED = {HEADER, SCHEMA, CHANNEL, MESSAGE, CHUNK, ATTACHMENT, METADATA}  # others are skipped


@dataclass(frozen=True)
class Channel:
    """A topic in a file."""

    topic: str
    kind: str  # of its messages
    encoding: str
    metadata: dict[str, str]


@dataclass(frozen=True)
class Attached:
    """A file in a file."""

    name: str
    data: bytes


@dataclass(frozen=True)
class Texts:
    """Metadata: texts by texts, under a name."""

    name: str
    values: dict[str, str]


@dataclass(frozen=True)
class Logged:
    """A message, with the time at which it was logged [ns]."""

    channel: Channel
    time: int
    data: bytes


class McapReader:
    """
    An MCAP file that is being read.

    Attributes
    ----------
    is_whole
        Whether its end has been reached; False of a file whose writer was killed.

    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._channels: dict[int, Channel] = {}
        self._schemas: dict[int, tuple[str, str]] = {}  # name and encoding
        self.profile = ''
        self.is_whole = False

    def items(self) -> Iterator[Attached | Texts | Logged]:
        """Yield what is in the file, in its order; OptionError where it is wrong."""
        with _opened(self._path) as stream:
            at = 0
            try:
                if stream.read(len(MAGIC)) != MAGIC:
                    raise OptionError('not an MCAP file')
                at = len(MAGIC)
                while (found := self._next(stream)) is not None:
                    kind, content = found
                    yield from self._of_record(kind, content)
                    at = stream.tell()
            except OptionError as error:
                raise OptionError(f'{self._path}: at byte {at}: {error}') from error

    def _next(self, stream: BinaryIO) -> tuple[int, bytes] | None:
        """Return the next record that is needed; None at the end, or where the rest is missing."""
        while len(head := stream.read(9)) == 9:
            kind, size = struct.unpack('<BQ', head)
            if kind == DATA_END:
                self.is_whole = True
                return None
            if kind not in NEEDED:
                if stream.seek(0, os.SEEK_CUR) + size > os.fstat(stream.fileno()).st_size:
                    return None
                stream.seek(size, os.SEEK_CUR)
                continue
            if size > LARGEST:
                raise OptionError(f'a record of {size} bytes: at most {LARGEST} are read')
            content = stream.read(size)
            return (kind, content) if len(content) == size else None
        return None

    def _of_record(self, kind: int, content: bytes) -> Iterator[Attached | Texts | Logged]:
        fields = Fields(content)
        if kind == HEADER:
            self.profile = fields.text()
        elif kind == ATTACHMENT:
            fields.numbers('QQ')
            name, _ = fields.text(), fields.text()
            data = fields.blob('Q')
            (crc,) = fields.numbers('I')
            if crc and crc != zlib.crc32(content[:-4]):
                raise OptionError(f'attachment {shown(name)} is damaged')
            yield Attached(name, data)
        elif kind == METADATA:
            yield Texts(fields.text(), fields.mapping())
        elif kind == CHUNK:
            yield from self._of_chunk(fields)
        else:
            yield from self._of_stream(kind, fields)

    def _of_chunk(self, fields: Fields) -> Iterator[Logged]:
        _, _, size, crc = fields.numbers('QQQI')
        name = fields.text()
        if size > LARGEST:
            raise OptionError(f'a chunk of {size} bytes: at most {LARGEST} are read')
        whole = _unpacked(name, fields.blob('Q'), size)
        if len(whole) != size or (crc and zlib.crc32(whole) != crc):
            raise OptionError('a chunk that is damaged')
        inner = Fields(whole)
        while inner.is_left:
            (kind,) = inner.numbers('B')
            yield from self._of_stream(kind, Fields(inner.blob('Q')))

    def _of_stream(self, kind: int, fields: Fields) -> Iterator[Logged]:
        """Read a record that may be in a chunk."""
        if kind == SCHEMA:
            (number,) = fields.numbers('H')
            self._schemas[number] = fields.text(), fields.text()
        elif kind == CHANNEL:
            number, schema = fields.numbers('HH')
            topic, encoding = fields.text(), fields.text()
            name = self._schemas.get(schema, ('', ''))[0]
            self._channels[number] = Channel(topic, name, encoding, fields.mapping())
        elif kind == MESSAGE:
            number, _, logged, _ = fields.numbers('HIQQ')
            if number not in self._channels:
                raise OptionError(f'a message of channel {number}, which is none')
            yield Logged(self._channels[number], logged, fields.rest())


def _opened(path: Path) -> Any:
    """Open an ordinary file; a pipe or a terminal would block."""
    try:
        stream = open(path, 'rb', opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))  # noqa: SIM115
    except (OSError, ValueError) as error:
        reason = getattr(error, 'strerror', None) or error
        raise OptionError(f'{path}: cannot be read: {reason}') from error
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise OptionError(f'{path}: cannot be read: not an ordinary file')
    return stream


def _unpacked(name: str, data: bytes, size: int) -> bytes:
    """Return a chunk, of at most this size [byte], whatever it announces itself."""
    if not name:
        return data
    try:
        if name == 'zstd':
            import zstandard

            # A size in the frame would go before the limit.
            if zstandard.frame_content_size(data) not in (-1, size):
                raise OptionError('a chunk of another size than it announces')
            unpack = zstandard.ZstdDecompressor(max_window_size=LARGEST)
            return unpack.decompress(data, max_output_size=max(size, 1))
        if name == 'lz4':
            import lz4.frame

            return bytes(lz4.frame.LZ4FrameDecompressor().decompress(data, max_length=size))
    except ImportError as error:
        package = 'zstandard' if name == 'zstd' else name
        raise missing(f'a chunk that is packed with {name}', package) from error
    except OptionError:
        raise
    except Exception as error:  # of any kind: that of the package is not public everywhere
        raise OptionError('a chunk that cannot be unpacked') from error
    raise OptionError(f'chunks are packed with {shown(name)}: neither zstd nor lz4')
