"""File names taken apart: whose document it is, its kind, days and numbers.

`LIMEENERGYCO_09_09_1999-EX-10-DISTRIBUTOR AGREEMENT.txt` is the distributor agreement of Lime Energy: words
that are run together are split by what the opening of the document says.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from core.domain.document import file_stem
from core.text.words import word_list
from core.values.naming.words import folded, humps, key_of

_DAY = re.compile(
    r"(?<!\d)(?:(?P<m>\d{2})[_.-](?P<d>\d{2})[_.-](?P<y>(?:19|20)\d\d)"
    r"|(?P<y2>(?:19|20)\d\d)[_.-]?(?P<m2>\d{2})[_.-]?(?P<d2>\d{2}))(?!\d)"
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_EXHIBIT = re.compile(
    r"(?i)(?<![a-z])EX(?:HIBIT)?[-_ ]?\d+[A-Z]?(?:[-_. ]{1,2}(?:\d+|[a-z]\d*|[ivx]+)(?![a-z\d]))*"
)
_FILING = re.compile(
    r"(?<![A-Za-z0-9])(?:\d{1,2}-?[A-Z]{1,3}\d{0,2}[A-Z]{0,2}|[SFN]-\d{1,2}[A-Z]?|DRS[A_]*|\d{5,})(?![A-Za-z0-9])"
)
_WORD = re.compile(r"[^\W_]+(?:['’&][^\W_]+)*")
_RUN = 8  # letters from which a word may be several
_KNOWN = word_list("naming", "forms", "companies")
_HEADS = word_list("naming", "titles")
_UNKNOWN = 3.0  # cost of letters that are no word, for each run of them; a letter of it costs 1 more
_COMPANY = 1.2
_SHORT = 1.5  # cost of a word of two letters more: any run of letters has such


@dataclass(frozen=True, slots=True)
class FileName:
    """A file name in its parts. owner: words before the days and numbers; kind: those behind them."""

    owner: tuple[str, ...]
    kind: tuple[str, ...]
    days: tuple[str, ...]
    numbers: tuple[str, ...]


def parse_file_name(source: str, said: Collection[str]) -> FileName:
    """The parts of a file's name. said: keys of words of its document, by which words are split."""
    stem = file_stem(source).replace("_", " ")
    days = []
    for match in _DAY.finditer(stem.replace(" ", "_")):
        year, month, day = (match["y"] or match["y2"], match["m"] or match["m2"], match["d"] or match["d2"])
        if 1 <= int(month) <= 12 and 1 <= int(day) <= 31:
            days.append((match.span(), f"{year}-{month}-{day}"))
    numbers = tuple(match[0] for match in _EXHIBIT.finditer(stem))
    cuts = [span for span, _ in days]
    cuts += [match.span() for pattern in (_EXHIBIT, _FILING) for match in pattern.finditer(stem)]
    first = min((start for start, _ in cuts), default=-1)
    plain = list(stem)
    for start, end in cuts:
        plain[start:end] = " " * (end - start)
    text = "".join(plain)
    found = tuple(day for _, day in days)
    if not found:
        found = tuple(match[0] for match in _YEAR.finditer(text))
    if first > 0:
        return FileName(_split(text[:first], said), _split(text[first:], said), found, numbers)
    parts = re.split(r"\s+-+\s+", text.strip(), maxsplit=1)
    if len(parts) == 2:
        return FileName(_split(parts[0], said), _split(parts[1], said), found, numbers)
    words = _split(text, said)
    heads = [at for at, word in enumerate(words) if folded(word) in _HEADS]
    return FileName(words, words if heads else (), found, numbers)


def _split(text: str, said: Collection[str]) -> tuple[str, ...]:
    words: list[str] = []
    for match in _WORD.finditer(text):
        written = match[0]
        for part in (humps(written) if not written.isupper() else ()) or (written,):
            parts = segments(part.casefold(), said) if _may_be_several(part, said) else []
            words += parts if len(parts) > 1 else [part]
    return tuple(words)


def _may_be_several(word: str, said: Collection[str]) -> bool:
    plain = word.casefold()
    return len(word) >= _RUN and word.isalpha() and plain not in _KNOWN | _HEADS and key_of(plain) not in said


def segments(run: str, said: Collection[str]) -> list[str]:
    """The words that letters run together are made of; the run itself where they are too few of it."""
    best: list[tuple[float, int, int]] = [(0.0, 0, 0)]  # cost, where the last word begins, letters unknown
    for end in range(1, len(run) + 1):
        cost, begin, unknown = float("inf"), 0, 1
        for start in range(max(0, end - 20), end):
            word = run[start:end]
            if len(word) > 1 and key_of(word) in said:
                price = 1.0 + (_SHORT if len(word) < 3 else 0.0)
            elif word in _KNOWN or word in _HEADS:
                price = _COMPANY + (_SHORT if len(word) < 3 else 0.0)
            else:
                price = _UNKNOWN + len(word)
            total = best[start][0] + price
            if total < cost:
                cost, begin, unknown = total, start, int(price > _UNKNOWN)
        best.append((cost, begin, unknown))
    words: list[str] = []
    end, strange, gaps = len(run), 0, 0
    while end > 0:
        _, start, unknown = best[end]
        words.insert(0, run[start:end])
        strange += (end - start) * unknown
        gaps += unknown
        end = start
    # One strange word may be a name: TRIZETTOGROUPINC. More of them are a wrong cut.
    is_name = gaps == 1 and len(words) > 1 and max(map(len, words)) > 3
    return words if is_name or strange <= 0.6 * len(run) else [run]
