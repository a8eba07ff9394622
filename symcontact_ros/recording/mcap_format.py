"""Parts of MCAP files (https://mcap.dev/spec): numbers of records, texts, and mappings."""

from __future__ import annotations

from collections.abc import Mapping
import struct

from symcontact_ros.errors import OptionError

MAGIC = b'\x89MCAP0\r\n'
HEADER, FOOTER, SCHEMA, CHANNEL, MESSAGE, CHUNK, MESSAGE_INDEX, CHUNK_INDEX = range(1, 9)
ATTACHMENT, ATTACHMENT_INDEX, STATISTICS, METADATA, METADATA_INDEX = range(9, 14)
SUMMARY_OFFSET, DATA_END = 14, 15


def text(value: str) -> bytes:
    """Return a text behind its length."""
    return blob(value.encode())


def blob(value: bytes) -> bytes:
    """Return bytes behind their number."""
    return struct.pack('<I', len(value)) + value


def mapping(values: Mapping[str, str]) -> bytes:
    """Return texts by texts, behind the number of their bytes."""
    return blob(b''.join(text(key) + text(value) for key, value in values.items()))


def record(kind: int, content: bytes) -> bytes:
    """Return a record."""
    return struct.pack('<BQ', kind, len(content)) + content


class Fields:
    """Content of a record, read one field after the other; OptionError where it ends too early."""

    def __init__(self, data: bytes | memoryview) -> None:
        self._data = memoryview(data)
        self._at = 0

    def numbers(self, codes: str) -> tuple[int, ...]:
        """Return numbers as `struct` names them."""
        return struct.unpack('<' + codes, self._take(struct.calcsize('<' + codes)))

    def blob(self, code: str = 'I') -> bytes:
        """Return bytes behind their number."""
        return bytes(self._take(self.numbers(code)[0]))

    def text(self) -> str:
        """Return a text behind its length; bytes that are none are replaced."""
        return self.blob().decode('utf-8', 'replace')

    def mapping(self) -> dict[str, str]:
        """Return texts by texts."""
        inner, found = Fields(self.blob()), {}
        while inner.is_left:
            key = inner.text()
            found[key] = inner.text()
        return found

    def rest(self) -> bytes:
        """Return all that has not been read."""
        return bytes(self._take(len(self._data) - self._at))

    @property
    def is_left(self) -> bool:
        """Whether anything has not been read."""
        return self._at < len(self._data)

    def _take(self, size: int) -> memoryview:
        start, self._at = self._at, self._at + size
        if self._at > len(self._data):
            raise OptionError('a record that ends too early')
        return self._data[start : self._at]
