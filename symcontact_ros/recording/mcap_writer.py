"""
Writer of MCAP files: chunks, with an index at the end.

What has been written stands in the file at the latest `PERIOD` later, as a whole chunk: a process
that is killed leaves a file without its end, which readers of streams can read.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
import struct
import time
from typing import Any
import zlib

from symcontact_ros.recording.mcap_format import (
    ATTACHMENT,
    ATTACHMENT_INDEX,
    blob,
    CHANNEL,
    CHUNK,
    CHUNK_INDEX,
    DATA_END,
    FOOTER,
    HEADER,
    MAGIC,
    mapping,
    MESSAGE,
    MESSAGE_INDEX,
    METADATA,
    METADATA_INDEX,
    record,
    SCHEMA,
    STATISTICS,
    SUMMARY_OFFSET,
    text,
)

PERIOD = 0.5  # [s wall] after which a chunk is written, however short
CHUNK_SIZE = 1 << 20  # [byte] after which it is


class McapWriter:
    """
    An MCAP file that is being written.

    Parameters
    ----------
    path
        Of the file; one that exists is replaced.
    profile, library
        Names in its header.

    """

    def __init__(self, path: Path, profile: str, library: str) -> None:
        self._stream = path.open('wb')
        self._compress = _compressor()
        self._schemas: list[bytes] = []  # records
        self._channels: list[bytes] = []
        self._counts: dict[int, int] = {}  # messages by channel
        self._times = 2**64 - 1, 0  # first and last
        self._of_chunks: list[bytes] = []
        self._of_attachments: list[bytes] = []
        self._of_metadata: list[bytes] = []
        self._clear()
        self._flushed = time.monotonic()
        self._stream.write(MAGIC + record(HEADER, text(profile) + text(library)))

    def _clear(self) -> None:
        """Begin a chunk."""
        self._chunk = bytearray()
        self._index: dict[int, bytearray] = {}  # times and offsets by channel
        self._chunk_times = 2**64 - 1, 0

    def attach(self, name: str, media_type: str, data: bytes) -> None:
        """Add a file."""
        content = struct.pack('<QQ', 0, 0) + text(name) + text(media_type)
        content += struct.pack('<Q', len(data)) + data
        written = record(ATTACHMENT, content + struct.pack('<I', zlib.crc32(content)))
        place = struct.pack('<QQQQQ', self._stream.tell(), len(written), 0, 0, len(data))
        self._of_attachments.append(
            record(ATTACHMENT_INDEX, place + text(name) + text(media_type))
        )
        self._stream.write(written)

    def add_metadata(self, name: str, values: Mapping[str, str]) -> None:
        """Add texts by texts."""
        written = record(METADATA, text(name) + mapping(values))
        place = struct.pack('<QQ', self._stream.tell(), len(written))
        self._of_metadata.append(record(METADATA_INDEX, place + text(name)))
        self._stream.write(written)

    def add_schema(self, name: str, encoding: str, data: bytes) -> int:
        """Add a type of messages, and return its number."""
        number = len(self._schemas) + 1
        content = struct.pack('<H', number) + text(name) + text(encoding) + blob(data)
        self._schemas.append(record(SCHEMA, content))
        self._chunk += self._schemas[-1]
        return number

    def add_channel(
        self, schema: int, topic: str, encoding: str, metadata: Mapping[str, str]
    ) -> int:
        """Add a topic, and return its number."""
        number = len(self._channels) + 1
        content = struct.pack('<HH', number, schema) + text(topic) + text(encoding)
        self._channels.append(record(CHANNEL, content + mapping(metadata)))
        self._chunk += self._channels[-1]
        return number

    def add_message(self, channel: int, log_time: int, publish_time: int, data: bytes) -> None:
        """Add a message, logged and published at some times [ns]."""
        count = self._counts.get(channel, 0)
        self._counts[channel] = count + 1
        place = struct.pack('<QQ', log_time, len(self._chunk))
        self._index.setdefault(channel, bytearray()).extend(place)
        first, last = self._chunk_times
        self._chunk_times = min(first, log_time), max(last, log_time)
        content = struct.pack('<HIQQ', channel, count % 2**32, log_time, publish_time)
        self._chunk += struct.pack('<BQ', MESSAGE, len(content) + len(data)) + content + data
        self.flush_if_due()

    def flush_if_due(self) -> None:
        """Write the chunk if it is long, or was begun a while ago; called now and then."""
        if len(self._chunk) >= CHUNK_SIZE or time.monotonic() - self._flushed >= PERIOD:
            self.flush()

    def flush(self) -> None:
        """Write the chunk: from now on a crash of this process cannot lose it."""
        self._flushed = time.monotonic()
        if self._chunk:
            self._write_chunk()
        self._stream.flush()

    def _write_chunk(self) -> None:
        whole = bytes(self._chunk)
        name, stored = self._compress(whole)
        start, end = self._chunk_times if self._index else (0, 0)
        sizes = struct.pack('<QQQI', start, end, len(whole), zlib.crc32(whole))
        chunk = record(CHUNK, sizes + text(name) + struct.pack('<Q', len(stored)) + stored)
        indices = {
            channel: record(MESSAGE_INDEX, struct.pack('<H', channel) + blob(bytes(places)))
            for channel, places in self._index.items()
        }
        begin = self._stream.tell()
        offset, offsets = begin + len(chunk), b''
        for channel, index in indices.items():
            offsets += struct.pack('<HQ', channel, offset)
            offset += len(index)
        self._stream.write(chunk + b''.join(indices.values()))
        self._of_chunks.append(
            record(
                CHUNK_INDEX,
                struct.pack('<QQQQ', start, end, begin, len(chunk))
                + blob(offsets)
                + struct.pack('<Q', offset - begin - len(chunk))
                + text(name)
                + struct.pack('<QQ', len(stored), len(whole)),
            )
        )
        if self._index:
            self._times = min(self._times[0], start), max(self._times[1], end)
        self._clear()

    def close(self) -> None:
        """Write the last chunk and the index, and close the file."""
        if self._stream.closed:
            return
        try:
            self.flush()
            self._stream.write(record(DATA_END, struct.pack('<I', 0)))
            self._write_summary()
        finally:
            self._stream.close()

    def _write_summary(self) -> None:
        start = self._stream.tell()
        groups = {
            SCHEMA: self._schemas,
            CHANNEL: self._channels,
            STATISTICS: [self._statistics()],
            CHUNK_INDEX: self._of_chunks,
            ATTACHMENT_INDEX: self._of_attachments,
            METADATA_INDEX: self._of_metadata,
        }
        summary, offsets = b'', b''
        for kind, records in groups.items():
            group = b''.join(records)
            place = struct.pack('<BQQ', kind, start + len(summary), len(group))
            offsets += record(SUMMARY_OFFSET, place) if group else b''
            summary += group
        footer = struct.pack('<BQQQ', FOOTER, 20, start, start + len(summary))
        summary += offsets + footer
        self._stream.write(summary + struct.pack('<I', zlib.crc32(summary)) + MAGIC)

    def _statistics(self) -> bytes:
        total = sum(self._counts.values())
        counts = b''.join(struct.pack('<HQ', *item) for item in self._counts.items())
        numbers = struct.pack(
            '<QHIIIIQQ',
            *(total, len(self._schemas), len(self._channels), len(self._of_attachments)),
            *(len(self._of_metadata), len(self._of_chunks)),
            *(self._times if total else (0, 0)),
        )
        return record(STATISTICS, numbers + blob(counts))


def _compressor() -> Any:
    """Return a function that compresses a chunk, with its name; without zstandard it does not."""
    try:
        import zstandard
    except ImportError:
        return lambda data: ('', data)
    compressor = zstandard.ZstdCompressor(level=1)
    return lambda data: ('zstd', compressor.compress(data))
