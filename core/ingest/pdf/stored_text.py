"""Stored text of a page out of what PDFium gives: plain line ends, words joined that a line end breaks."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from core.ingest.clean import normalise
from core.text.words import word_set

# PDFium writes U+FFFE where a line ends in a hyphen, be it a soft one or one of the word's own.
_LAST_WORD, _FIRST_WORD = re.compile(r"\w*$"), re.compile(r"\w*")
_LEAST_BROKEN, _BROKEN_SHARE = 3, 0.06  # of a page's lines: contracts that hyphenate nothing reach 0.02
_SPECIAL = re.compile("\r\n?|[\ufffe\u0002](?:\r\n)?")


_PREFIXES = word_set(
    "non third long short self co pre post multi cross sub mid high low well anti semi ex re in on off out"
    " know one two four five six first second full part over under inter follow end real so point"
)


@dataclass(frozen=True, slots=True)
class StoredText:
    """A page's stored text; origins[i] is the index in the raw text that character i came from."""

    text: str
    origins: list[int]

    def raw_indices(self, start: int, end: int) -> list[int]:
        """The raw characters behind stored `[start, end)`, without those that only separate."""
        return [
            self.origins[i]
            for i in range(max(0, start), min(end, len(self.text)))
            if not self.text[i].isspace()
        ]


def store_text(raw: str, *, joins_hyphens: bool) -> StoredText:
    """The stored text of a page's raw text; equal inputs always give equal offsets.

    joins_hyphens: whether the file comes from a typesetter that hyphenates, so that a word broken at a line
    end is joined unless the page shows it with its hyphen. So is a page on which many lines end in hyphens.
    """
    joins_hyphens = joins_hyphens or _is_hyphenated(raw)
    pieces: list[str] = []
    origins: list[int] = []
    position = 0
    for match in _SPECIAL.finditer(raw):
        _append(pieces, origins, raw[position : match.start()], position)
        if match.group()[0] == "\r":
            pieces.append("\n")
            origins.append(match.start())
        elif not _is_joined(raw, match, joins_hyphens):
            pieces.append("-")
            origins.append(match.start())
        position = match.end()
    _append(pieces, origins, raw[position:], position)
    return StoredText("".join(pieces), origins)


def _is_hyphenated(raw: str) -> bool:
    """True where more lines end within a word than compounds would by chance."""
    broken = sum(mark in raw and raw.count(mark) for mark in "\ufffe\u0002")
    return broken >= _LEAST_BROKEN and broken >= _BROKEN_SHARE * (raw.count("\n") + broken)


def _append(pieces: list[str], origins: list[int], piece: str, start: int) -> None:
    clean = normalise(piece)
    if len(clean) == len(piece) and unicodedata.is_normalized("NFC", piece):
        pieces.append(clean)
        origins.extend(range(start, start + len(piece)))
        return
    for first, last in _clusters(piece):
        cluster = normalise(piece[first:last])
        pieces.append(cluster)
        origins.extend(start + min(first + i, last - 1) for i in range(len(cluster)))


def _clusters(piece: str) -> list[tuple[int, int]]:
    """Base characters with the marks and jamo that may compose with them."""
    spans: list[tuple[int, int]] = []
    first = 0
    for i in range(1, len(piece) + 1):
        if i == len(piece) or not _composes(piece[i]):
            spans.append((first, i))
            first = i
    return spans


def _composes(mark: str) -> bool:
    return (
        unicodedata.category(mark)[0] == "M"
        or "\u1100" <= mark <= "\u11ff"
        or unicodedata.combining(mark) > 0
    )


def _is_joined(raw: str, match: re.Match[str], joins_hyphens: bool) -> bool:
    before = _LAST_WORD.search(raw[max(0, match.start() - 40) : match.start()])
    behind = _FIRST_WORD.match(raw, match.end(), match.end() + 40)
    left, right = before[0] if before else "", behind[0] if behind else ""
    if not left or not right or not right.islower() or not left.isalpha():
        return False
    for word, answer in ((f"{left}-{right}", False), (f"{left}{right}", True)):
        if re.search(rf"\b{re.escape(word)}\b", raw, re.IGNORECASE):
            return answer
    return joins_hyphens and left.lower() not in _PREFIXES
