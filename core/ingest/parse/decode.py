"""The encoding of a text file, told from its bytes."""

from __future__ import annotations

import codecs
from pathlib import Path

_BLOCK = 1 << 20
_SAMPLE = 1 << 16
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# A long UTF-8 text with a few damaged bytes is still UTF-8; another encoding breaks far more often.
_TOLERATED_DAMAGE = 0.02


def detect_encoding(path: Path) -> str:
    """A codec that reads the whole file; to be used with errors="replace". Reads in blocks, never all at once."""
    with path.open("rb") as file:
        head = file.read(_SAMPLE)
    for mark, name in _BOMS:
        if head.startswith(mark):
            return name
    wide = wide_encoding(head)
    if wide:
        return wide
    damage = _first_damage(path)
    if damage is None:
        return "utf-8"
    with path.open("rb") as file:
        file.seek(max(0, damage - _SAMPLE // 2))
        sample = file.read(_SAMPLE)
    return _guess(sample)


def decode(data: bytes) -> str:
    """`data` as text; damaged bytes become U+FFFD."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return data.decode(name, "replace")
    wide = wide_encoding(data[:_SAMPLE])
    if wide:
        return data.decode(wide, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        begin = max(0, error.start - _SAMPLE // 2)
        return data.decode(_guess(data[begin : begin + _SAMPLE]), "replace")


def wide_encoding(head: bytes) -> str:
    """UTF-16 without a mark, seen by zeros in every other byte; "" for anything else."""
    sample = head[: len(head) // 2 * 2][:4096]
    if len(sample) < 4:
        return ""
    half = len(sample) // 2
    even, odd = sample[0::2].count(0) / half, sample[1::2].count(0) / half
    if odd > 0.4 and even < 0.05:
        return "utf-16-le"
    if even > 0.4 and odd < 0.05:
        return "utf-16-be"
    return ""


def _first_damage(path: Path) -> int | None:
    decoder = codecs.getincrementaldecoder("utf-8")()
    position = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            try:
                decoder.decode(block)
            except UnicodeDecodeError as error:
                return position + error.start
            position += len(block)
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return max(0, position - 3)
    return None


def _guess(sample: bytes) -> str:
    sample = _whole_characters(sample)
    text = sample.decode("utf-8", "replace")
    foreign = sum(byte >= 0x80 for byte in sample)
    broken = text.count("\ufffd")
    good = sum(ord(character) >= 0x80 for character in text) - broken
    if good > 4 * broken or (foreign and broken / max(1, len(text)) < _TOLERATED_DAMAGE and good > broken):
        return "utf-8"
    from charset_normalizer import from_bytes

    best = from_bytes(sample[: _SAMPLE // 4]).best()
    if best is None or best.encoding in ("utf_8", "ascii"):
        return "cp1252"
    return str(best.encoding)


def _whole_characters(sample: bytes) -> bytes:
    """Without the halves of UTF-8 characters that cutting a sample out of a file leaves at its ends."""
    start = 0
    while start < min(3, len(sample)) and 0x80 <= sample[start] < 0xC0:
        start += 1
    return sample[start:]
