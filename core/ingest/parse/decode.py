"""The encoding of a text file, told from its bytes."""

from __future__ import annotations

import codecs
import re
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
_IN_USE = (
    "cp932",
    "gb18030",
    "big5",
    "euc_kr",
    "cp1251",
    "koi8_r",
    "cp1250",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
)
_HIGH = re.compile("[^\x00-\x7f]")
_ODD = re.compile(
    "[^\x00-\x7f\xc0-\xcf\xd1-\xd6\xd8-\xdc\xdf-\xef\xf1-\xf6\xf8-\xfc\xa0-\xbf\u0152\u0153\u2018-\u201e\u2013\u2014"
    "\u2026\u2022\u20ac\u2122\u2020\u2021\u2030\u0160\xd7]"
    "|(?<=[A-Za-z])[\xa1-\xac\xae-\xb6\xb8-\xbf](?=[A-Za-z])"
)


def detect_encoding(path: Path) -> str:
    """A codec that reads the whole file, with errors="replace"; found in blocks, never all at once."""
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
    if _is_western(sample):
        return "cp1252"
    from charset_normalizer import from_bytes

    matches = list(from_bytes(sample[: _SAMPLE // 4]))
    if not matches:
        return "cp1252"
    best = matches[0]
    near = {
        match.encoding
        for match in matches
        if match.chaos <= best.chaos + 0.02 and match.coherence >= best.coherence - 0.15
    }
    # Neighbouring code pages are a toss-up on short texts: the one that is in use wins.
    guess = next((name for name in _IN_USE if name in near), str(best.encoding))
    return "cp1252" if guess in ("utf_8", "ascii") else guess


def _is_western(sample: bytes) -> bool:
    """True where the sample reads as cp1252 with the letters and marks of Western European languages.

    charset-normalizer takes short French for Baltic and quotation marks for Icelandic letters.
    """
    text = sample.decode("cp1252", "replace")
    high = _HIGH.findall(text)
    odd = len(_ODD.findall(text))
    return bool(high) and odd <= 0.03 * len(high) and len(high) <= 0.3 * len(text)


def _whole_characters(sample: bytes) -> bytes:
    """Without the halves of UTF-8 characters that cutting a sample out of a file leaves at its ends."""
    start = 0
    while start < min(3, len(sample)) and 0x80 <= sample[start] < 0xC0:
        start += 1
    return sample[start:]
