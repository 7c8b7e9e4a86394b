# SPDX-License-Identifier: Apache-2.0
"""An Arrow IPC stream, message by message."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator
from contextlib import suppress
from struct import unpack_from

from .errors import ProtocolError

#: The end of a stream.
END = b"\xff\xff\xff\xff\0\0\0\0"
#: The limits of the parts of a message. A batch has 1 MiB, and one more row.
_METADATA_BYTES = 16 << 20
_BODY_BYTES = 1 << 30
#: Larger messages share blocks of memory.
_LARGE_BYTES = 256 << 10
_BLOCK_BYTES = 8 << 20


def messages(receive_into: Callable[[memoryview], object]) -> Iterator[memoryview]:
    """The messages of a stream with their prefixes: first the schema, then the batches. Returns after the end, also of a
    stream that failed.

    `receive_into` fills a buffer completely, so that a body is copied once only."""
    memory = _Memory()
    while True:
        prefix = bytearray(8)
        receive_into(memoryview(prefix))
        continuation, length = unpack_from("<Ii", prefix)
        if continuation != 0xFFFFFFFF:
            raise ProtocolError("the stream is no Arrow")
        if length <= 0:
            return
        if length > _METADATA_BYTES:
            raise ProtocolError(f"a message has {length} bytes of metadata")
        metadata = bytearray(length)
        receive_into(memoryview(metadata))
        body = _body_bytes(metadata)
        if not 0 <= body <= _BODY_BYTES:
            raise ProtocolError(f"a message has a body of {body} bytes")
        start = len(prefix) + length
        message = memory.take(start + body)
        message[:start] = prefix + metadata
        receive_into(message[start:])
        yield message


class _Memory:
    """Memory for messages, which their readers may keep. Each needs pages that the kernel clears, and with small pages that
    is a quarter of the time of a read."""

    def __init__(self) -> None:
        self._rest = memoryview(b"")

    def take(self, size: int) -> memoryview:
        """A part of a block, which is released when no part is used any more."""
        if size < _LARGE_BYTES:
            return memoryview(bytearray(size))
        # Arrow recommends addresses that are multiples of 64.
        whole = -(-size // 64) * 64
        if whole > len(self._rest):
            block = mmap.mmap(-1, max(whole, _BLOCK_BYTES), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            with suppress(OSError):  # A kernel without huge pages.
                block.madvise(mmap.MADV_HUGEPAGE)
            self._rest = memoryview(block)
        taken, self._rest = self._rest[:size], self._rest[whole:]
        return taken


def _body_bytes(metadata: bytearray) -> int:
    """The field bodyLength, the fourth one of the table Message."""
    try:
        table: int = unpack_from("<I", metadata)[0]
        fields = table - unpack_from("<i", metadata, table)[0]
        size: int = unpack_from("<H", metadata, fields)[0]
        offset: int = unpack_from("<H", metadata, fields + 10)[0] if size >= 12 else 0
        length: int = unpack_from("<q", metadata, table + offset)[0] if offset else 0
    except Exception as error:
        raise ProtocolError(f"a message of the stream is no Arrow: {error}") from error
    return length
