"""Keys and their values as documents lay them out: on one line, in cells, below, above, in columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

_MAX_LINE = 400
_MAX_KEY_WORDS = 6
_CELL_BORDER = re.compile(r"[ \u00a0]\|[ \u00a0]|\t+|[ \u00a0]{3,}")
_PAIR = re.compile(
    r"[*_\[]{0,2}(?P<key>[^\W\d_][^:=|?\n]{0,60}?)[*_]{0,2}[ ]?[:=?\uff1a]"
    r"[*_]{0,2}(?P<value>.*)$"
)
_MARKS = re.compile(r"^(?:[-*\u2022>:`][ \u00a0]+){1,4}")
_LEADER = re.compile(
    r"(?P<key>[^\W\d_][^.|\n]{0,60}?)[ ]?(?:\.{3,}|(?:\.[ ]){3,}|\u2026+)[ ]?(?P<value>\S.*)$"
)
_FIGURE = re.compile(r"[^\w\n]{0,3}(?:[A-Z]{1,3}[ ]?)?\d[\d.,]*[ %A-Z]{0,4}")
_SENTENCE_END = re.compile(
    r"(?<=[\w)\]%])(?<![ ][A-Z])(?<!\d[ ][Mm]io)(?<!\d[ ][Mm]rd)(?<!\d[ ][Mm]ia)[.;](?=[ ]+[A-Z])"
)
_NOT_KEYS = frozenset(["http", "https", "mailto", "note", "e", "i"])
_CAPTION = re.compile(r"\((?P<key>[^\W\d_][^()]{2,80})\)")
_ITEM = re.compile(r"[-*\u2022][ ]+")
_MOST_ITEMS = 200
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Pair:
    """A key and its value in the joined text: spans of both. is_below: the value is only the next line."""

    key_start: int
    key_end: int
    start: int
    end: int
    is_below: bool = False


def find_pairs(text: str) -> Iterator[Pair]:
    """Every key with its value, in reading order."""
    lines, listed = list(lines_of(text)), 0
    yield from _columns(text, lines)
    for number, (start, end) in enumerate(lines):
        if number and (caption := _CAPTION.fullmatch(text, start, end)):
            yield Pair(*caption.span("key"), *lines[number - 1], is_below=True)
        if end - start > _MAX_LINE and ":" not in text[start : start + 80]:
            continue
        cells = list(_cells(text, start, end))
        if len(cells) == 2 and not any(":" in text[a:b] for a, b in cells):
            yield Pair(*cells[0], *cells[1])
            continue
        for index, cell in enumerate(cells):
            pair = _pair(text, *cell)
            if pair is None or pair.start < pair.end:
                yield from [pair] if pair else []
            elif index + 1 < len(cells):
                yield Pair(pair.key_start, pair.key_end, *cells[index + 1])
            elif len(cells) == 1 and number + 1 < len(lines) and not _is_column(text, lines, number + 1):
                following = lines[number + 1]
                last = _list_end(text, lines, number) if number >= listed else 0  # no list within a list
                listed = last or listed
                if not last and _are_items(text, (start, end), following):
                    continue
                if last or all(_pair(text, *each) is None for each in _cells(text, *following)):
                    yield Pair(pair.key_start, pair.key_end, following[0], lines[last or number + 1][1])
        is_key = len(cells) == 1 and end - start <= 40 and ":" not in text[start:end]
        if is_key and number + 1 < len(lines) and not _is_column(text, lines, number + 1):
            yield from _below(text, (start, end), lines[number + 1])


def _are_items(text: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """True of two lines that are items of one list, marked and indented alike."""
    lead = [text[text.rfind("\n", 0, start) + 1 : start] for start, _ in (one, other)]
    marks = [_MARKS.match(text[start:end]) for start, end in (one, other)]
    return lead[0] == lead[1] and all(marks) and marks[0][0] == marks[1][0]  # type: ignore[index]


def _list_end(text: str, lines: Sequence[tuple[int, int]], number: int) -> int:
    """Number of the last item of the list that follows a key's line; 0 where none of two items does."""
    last = number
    for at in range(number + 1, min(len(lines), number + _MOST_ITEMS)):
        start, end = lines[at]
        if not _ITEM.match(text, start, end) or text[end - 1] == ":":
            break
        last = at
    return last if last > number + 1 else 0


def _columns(text: str, lines: Sequence[tuple[int, int]]) -> Iterator[Pair]:
    """Keys below one another whose values stand above them, as many: how some PDFs lay two columns."""
    run: list[Pair] = []
    for number in range(len(lines) + 1):
        pair = _pair(text, *lines[number]) if number < len(lines) else None
        if pair is not None and pair.start == pair.end:
            run.append(pair)
            continue
        first = number - len(run)
        if len(run) > 1:
            rest = takewhile(lambda at: _pair(text, *lines[at]) is None, range(first - 1, -1, -1))
            above = list(islice(rest, len(run)))
            if len(above) >= len(run) - 1:  # the last key may have its value below
                for key, at in zip(run, reversed(above), strict=False):
                    yield Pair(key.key_start, key.key_end, *lines[at], is_below=True)
        run = []


def lines_of(text: str) -> Iterator[tuple[int, int]]:
    """The spans of the lines that hold anything, without white space at their ends."""
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        if line and not line.isspace():
            yield start + len(line) - len(line.lstrip()), start + len(line.rstrip())
        start = end + 1


def _cells(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The spans of the cells of a line, without the marks at its ends."""
    line = text[start:end]
    body = _MARKS.sub("", line.strip("| \t"))
    at = start + line.rfind(body, 0, len(line)) if body else end
    last = at + len(body)
    for match in _CELL_BORDER.finditer(text, at, last):
        if text[at : match.start()].strip():
            yield at, match.start()
        at = match.end()
    if text[at:last].strip():
        yield at, last


def _pair(text: str, start: int, end: int) -> Pair | None:
    """The pair that a cell is; its value is empty where the key stands alone before its colon."""
    cell = text[start:end]
    match = _PAIR.match(cell) or _LEADER.match(cell)
    if match is None or len(_WORD.findall(match["key"])) > _MAX_KEY_WORDS:
        return None
    if match["key"].lower() in _NOT_KEYS or match["value"].startswith("//"):
        return None
    first, last = without_tail(text, start + match.start("value"), start + match.end("value"))
    return Pair(start + match.start("key"), start + match.end("key"), first, last)


def without_tail(text: str, start: int, end: int) -> tuple[int, int]:
    """The span of a value without blanks around it, and without the sentences that follow it on its line."""
    while start < end and text[start] in " \t\u00a0":
        start += 1
    match = _SENTENCE_END.search(text, start, end)
    end = match.start() if match else end
    return start, start + len(text[start:end].rstrip(" \t\u00a0\r`\\"))


def _is_column(text: str, lines: Sequence[tuple[int, int]], number: int) -> bool:
    """True where figures stand in this line and the next: the row of a table that was read cell by cell."""
    return all(
        number + more < len(lines) and _FIGURE.fullmatch(text, *lines[number + more]) for more in (0, 1)
    )


def _below(text: str, key: tuple[int, int], value: tuple[int, int]) -> Iterator[Pair]:
    """A line of few words, and the line below it: receipts and forms print keys so."""
    words = _WORD.findall(text[key[0] : key[1]])
    if 0 < len(words) <= 4 and text[key[0]].isalpha() and value[1] - value[0] <= 120:
        yield Pair(*key, *value, is_below=True)
