from __future__ import annotations

import gzip
import tracemalloc
import zlib

import brotli
import pytest

from crawler.unpack import DamagedError, TooLargeError, unpack, zstd

TEXT = b"A page with some text. " * 500


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


PACKED = {
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT),
    "deflate": zlib.compress(TEXT),
    "br": brotli.compress(TEXT),
    "zstd": zstd.compress(TEXT),
}


@pytest.mark.parametrize("name", PACKED)
def test_each_way_of_packing_is_undone(name: str) -> None:
    assert unpack(PACKED[name], name.upper(), 1_000_000) == TEXT


def test_several_ways_are_undone_from_the_last_to_the_first() -> None:
    assert unpack(gzip.compress(brotli.compress(TEXT)), "br, gzip", 1_000_000) == TEXT


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (raw_deflate(TEXT), "deflate"),
        (gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:]), "gzip"),
        (gzip.compress(TEXT) + b"\0" * 512, "gzip"),
        (TEXT, "identity"),
        (TEXT, ""),
    ],
)
def test_usual_deviations_are_understood(body: bytes, name: str) -> None:
    assert unpack(body, name, 1_000_000) == TEXT


def test_an_empty_body_stays_empty() -> None:
    assert unpack(b"", "gzip", 10) == b""


@pytest.mark.parametrize("name", PACKED)
def test_a_body_that_is_cut_short_is_damaged(name: str) -> None:
    with pytest.raises(DamagedError, match=name):
        unpack(PACKED[name][:-6], name, 1_000_000)


@pytest.mark.parametrize("name", [*PACKED, "rot13"])
def test_a_body_that_is_something_else_is_damaged(name: str) -> None:
    with pytest.raises(DamagedError, match=name):
        unpack(b"\x07this is not packed at all", name, 1_000_000)


@pytest.mark.parametrize("name", ["gzip", "br", "zstd"])
def test_a_bomb_is_stopped_at_the_limit(name: str) -> None:
    data = b"\0" * 100_000_000
    bomb = {
        "gzip": gzip.compress,
        "br": lambda given: brotli.compress(given, quality=1),
        "zstd": zstd.compress,
    }[name](data)
    del data
    tracemalloc.start()
    try:
        with pytest.raises(TooLargeError):
            unpack(bomb, name, 1_000_000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000


def test_a_body_that_is_not_packed_has_the_same_limit() -> None:
    with pytest.raises(TooLargeError):
        unpack(b"x" * 11, "", 10)
