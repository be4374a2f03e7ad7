"""Bodies as they were before the server packed them, bounded, and whole or refused."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterator

import brotli

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ACCEPTED = "gzip, deflate, br, zstd"
_CHUNK = 1 << 16


class TooLargeError(Exception):
    """The body is larger than a crawl takes."""


class DamagedError(Exception):
    """The body cannot be unpacked, or is cut short."""


def unpack(body: bytes, encodings: str, limit: int) -> bytes:
    """The body without its content encodings.

    encodings: the header, in the order in which they were applied. limit: of bytes, after which unpacking
    stops: never more than that is held. Raises TooLargeError, DamagedError.
    """
    names = [name.strip().lower() for name in encodings.split(",") if name.strip()]
    for name in reversed(names):
        if name in ("identity", "none", "utf-8", "binary"):
            continue
        if not body:
            return body
        pieces, total = [], 0
        try:
            for piece in _opened(body, name):
                total += len(piece)
                if total > limit:
                    raise TooLargeError(f"It is larger than {limit:,} bytes once unpacked.")
                pieces.append(piece)
        except (zlib.error, brotli.error, zstd.ZstdError, EOFError) as error:
            raise DamagedError(f"It is packed with {name!r} and cannot be unpacked: {error}.") from error
        body = b"".join(pieces)
    if len(body) > limit:
        raise TooLargeError(f"It is larger than {limit:,} bytes.")
    return body


def _opened(body: bytes, name: str) -> Iterator[bytes]:
    if name in ("gzip", "x-gzip"):
        return _inflate(body, zlib.MAX_WBITS | 16)
    if name == "deflate":
        # Some servers leave out the header of zlib, against RFC 9110, section 8.4.1.2.
        is_wrapped = len(body) > 1 and body[0] & 0x0F == 8 and (body[0] << 8 | body[1]) % 31 == 0
        return _inflate(body, zlib.MAX_WBITS if is_wrapped else -zlib.MAX_WBITS)
    if name == "br":
        return _brotli(body)
    if name == "zstd":
        return _zstd(body)
    raise DamagedError(f"It is packed with {name!r}, which nobody asked for.")


def _inflate(body: bytes, bits: int) -> Iterator[bytes]:
    """Pieces of a stream, or of several gzip members one after another; zeros after the last are padding."""
    while body:
        stream = zlib.decompressobj(bits)
        rest = body
        while not stream.eof:
            piece = stream.decompress(rest, _CHUNK)
            rest = stream.unconsumed_tail
            if piece:
                yield piece
            elif not rest and not stream.eof:
                raise EOFError("it ends early")
        body = stream.unused_data.lstrip(b"\0") if bits > zlib.MAX_WBITS else b""
        if not body.startswith(b"\x1f\x8b"):
            return


def _brotli(body: bytes) -> Iterator[bytes]:
    stream = brotli.Decompressor()
    piece = stream.process(body, output_buffer_limit=_CHUNK)
    while piece:
        yield piece
        piece = b"" if stream.is_finished() else stream.process(b"", output_buffer_limit=_CHUNK)
    if not stream.is_finished():
        raise EOFError("it ends early")


def _zstd(body: bytes) -> Iterator[bytes]:
    while body:
        stream = zstd.ZstdDecompressor()
        piece = stream.decompress(body, _CHUNK)
        while piece or not stream.eof:
            if piece:
                yield piece
            if stream.eof:
                break
            if stream.needs_input:
                raise EOFError("it ends early")
            piece = stream.decompress(b"", _CHUNK)
        body = stream.unused_data
