"""Bodies of a server's answers, bounded in bytes and in time as they are read, also where they are packed."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

PACKED = ("gzip", "x-gzip", "deflate")
"""Encodings that are unpacked here; a server is asked for none, and proxies pack nevertheless."""


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """most_bytes: unpacked. longest_s: from the first byte on; None for no limit."""

    most_bytes: int
    longest_s: float | None = None


ERROR_LIMIT = BodyLimit(64_000, 2.0)
"""Of an error: more says nothing that a person reads."""
REPLY_LIMIT = BodyLimit(4_000_000)
"""Of a whole reply."""
STREAM_LIMIT = BodyLimit(8_000_000)
"""Of a streamed reply: each word comes with some 200 bytes around it."""


class BodyTooLargeError(ValueError):
    """A body that is larger than any reply."""


def bounded(
    pieces: Iterable[bytes],
    encoding: str,
    limit: BodyLimit,
    *,
    is_cut: bool = False,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[bytes]:
    """The body, unpacked, within its limit. is_cut: what is beyond, or cannot be unpacked, is left out.

    encoding: as the header names it. Raises BodyTooLargeError, and ValueError where it is not so packed.
    """
    try:
        yield from _within(pieces, encoding, limit, is_cut=is_cut, clock=clock)
    except ValueError:
        if not is_cut:
            raise


def _within(
    pieces: Iterable[bytes], encoding: str, limit: BodyLimit, *, is_cut: bool, clock: Callable[[], float]
) -> Iterator[bytes]:
    left, began = limit.most_bytes, clock()
    for piece in _unpacked(pieces, encoding.strip().casefold(), limit.most_bytes):
        if len(piece) > left:
            if not is_cut:
                raise BodyTooLargeError(f"A body of more than {limit.most_bytes:,} bytes.")
            yield piece[:left]
            return
        left -= len(piece)
        yield piece
        if limit.longest_s is not None and clock() - began > limit.longest_s:
            return


def _unpacked(pieces: Iterable[bytes], encoding: str, most: int) -> Iterator[bytes]:
    """At most `most` bytes and one at a time: a bomb is not unpacked before it is counted."""
    if encoding in ("", "identity"):
        yield from pieces
        return
    if encoding not in PACKED:
        raise ValueError(f"A body that is packed as {encoding!r}.")
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)
    for piece in pieces:
        try:
            found = unpack.decompress(piece, most + 1)
        except zlib.error as error:
            raise ValueError("A body that is not packed as it says.") from error
        if found:
            yield found
        while unpack.unconsumed_tail:
            found = unpack.decompress(unpack.unconsumed_tail, most + 1)
            if not found:
                break
            yield found
