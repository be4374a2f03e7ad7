"""Reader of prose as a model streams it: a JSON object a line, a sentence or a calculation for later ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.llm.reply import whole_characters

MOST_CLAIMS = 12
MOST_CHARS = 8_000
MOST_CALCULATIONS = 8
MOST_SEARCHES = 3
MOST_SEARCH_CHARS = 400
MOST_LACKS = 3
MOST_FIGURES = 24  # of one calculation
_TEXT = re.compile(r'"text"\s*:\s*"')
_UNFINISHED_ESCAPE = re.compile(r"(?:\\u[0-9a-fA-F]{0,3}|(?<!\\)(?:\\\\)*\\)$")
_HALF = re.compile(r"[\ud800-\udbff]$")  # of a pair that is not whole yet
_UNSEEN = re.compile(r"[\x00-\x08\x0e-\x1b\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # 1c-1f are spaces
_ICON = re.compile(
    r":material/\w+:|(?<![\w:]):(?!\d+:)[a-z][a-z0-9_+-]*:(?![\w:])"
)  # an icon or an emoji by name
_COLOURED = re.compile(
    r":(?:red|orange|yellow|green|blue|violet|gray|grey|rainbow|primary|small)(?:-background|-badge)?\[([^\]]*)\]"
)
_EMPHASIS = re.compile(r"(\*\*|__|`)(?=\S)([^*`]{1,400}?)(?<=\S)\1")
_LEADING = re.compile(r"^(?:#{1,6}\s+|>\s+|[-*\u2022]\s+|\|\s*)+")
_FIGURE_PARTS = ("id", "quote", "figure")
_FENCE = re.compile(r"^\s*```\w*\s*$")


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Words of the sentence `index` as they come."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class WrittenClaim:
    """A sentence of a model, whole, with the ids that it names; nothing of it is checked."""

    index: int
    text: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WrittenFigure:
    """An operand: its name in the expression, and where a model says that it stands."""

    name: str
    id: str
    quote: str
    figure: str


@dataclass(frozen=True, slots=True)
class WrittenCalculation:
    """A calculation that a model proposes, for the sentences behind it. id: such as "c1"."""

    index: int
    id: str
    label: str
    expression: str
    figures: tuple[WrittenFigure, ...]


@dataclass(frozen=True, slots=True)
class WrittenSearch:
    """What a model wants looked for before it writes. document: an id, "" for all."""

    words: str
    document: str


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no claim; reason in plain words."""

    index: int
    text: str
    reason: str


class ClaimLines:
    """Incremental reader; feed it pieces as they come, then `end`. Takes no more than an answer may hold."""

    def __init__(self) -> None:
        self._line = ""
        self._shown = 0  # characters of the current line's text that were given already
        self._count = 0
        self._calculations = 0
        self._searches = 0
        self.says_none = False  # that the evidence does not answer
        self.lacks: list[str] = []  # what the evidence does not state
        self._chars = 0

    @property
    def is_full(self) -> bool:
        """True once there are as many sentences, or characters, as an answer may have."""
        return self._count >= MOST_CLAIMS or self._chars >= MOST_CHARS

    def feed(self, piece: str) -> Iterator[WrittenPart]:
        """What a piece brought: words of the sentence that is being written, and sentences that are whole."""
        room = max(0, MOST_CHARS - self._chars)
        self._chars += len(piece)
        piece = piece[:room]  # one piece alone may be megabytes
        *whole, rest = (self._line + piece).split("\n")
        for line in whole:
            yield from self._text(line)
            yield from self._close(line)
        self._line = rest
        yield from self._text(rest)

    def end(self) -> Iterator[WrittenPart]:
        """The last line, which no line break ends."""
        line, self._line = self._line, ""
        yield from self._close(line)

    def _text(self, line: str) -> Iterator[TextPiece]:
        text = partial_text(line)
        if len(text) > self._shown:
            yield TextPiece(self._count, text[self._shown :])
            self._shown = len(text)

    def _close(self, line: str) -> Iterator[WrittenClaim | WrittenCalculation | WrittenSearch | BadLine]:
        self._shown = 0
        if not line.strip() or _FENCE.match(line) or self._count >= MOST_CLAIMS:
            return
        lack = read_lack(line)
        if lack:
            self.lacks += [lack] if len(self.lacks) < MOST_LACKS else []
            return
        search = read_search(line)
        if search is not None:
            self._searches += 1
            if self._searches <= MOST_SEARCHES:
                yield search
            return
        calculation = read_calculation(line, self._count)
        if calculation is not None:
            self._calculations += 1
            if self._calculations <= MOST_CALCULATIONS:
                yield calculation
            return
        claim = read_claim(line, self._count)
        if isinstance(claim, WrittenClaim) and not claim.text:
            self.says_none = True
            return
        self._count += 1
        yield claim


WrittenPart = TextPiece | WrittenClaim | WrittenCalculation | WrittenSearch | BadLine
"""What a stream is read as."""


def partial_text(line: str) -> str:
    """The value of "text" as far as it has come; "" before it begins."""
    found = _TEXT.search(line)
    if found is None:
        return ""
    raw = line[found.end() :]
    closing = re.search(r'(?<!\\)(?:\\\\)*"', raw)
    raw = raw[: closing.end() - 1] if closing else _UNFINISHED_ESCAPE.sub("", raw)
    try:
        text = str(json.loads(f'"{raw}"', strict=False))
    except ValueError:
        return ""
    return whole_characters(text.removesuffix(text[-1:]) if _HALF.search(text) else text)


def plain_sentence(text: str) -> str:
    """The text on one line as plain words, without marks of Markdown and of Streamlit around them.

    Nor with characters that nobody sees and that may turn the order of others.

    >>> plain_sentence("## **Rent** :material/home: is :red[due] | ")
    'Rent is due'
    """
    text = _UNSEEN.sub("", whole_characters(text[:MOST_CHARS]))
    text = _COLOURED.sub(r"\1", _ICON.sub("", text))
    text = _EMPHASIS.sub(r"\2", _LEADING.sub("", text.strip()))
    return " ".join(text.split()).strip("| ")


def read_claim(line: str, index: int) -> WrittenClaim | BadLine:
    """The claim of a whole line; a comma at its end, as in a list, is forgiven."""
    data = _object_of(line)
    if not isinstance(data.get("text"), str):
        return BadLine(
            index, line[:300], "It is not a sentence with its evidence, in the form that was asked for."
        )
    ids = data.get("ids")
    named = tuple(whole_characters(id) for id in ids if isinstance(id, str)) if isinstance(ids, list) else ()
    return WrittenClaim(index, plain_sentence(data["text"]), named)


def read_calculation(line: str, index: int) -> WrittenCalculation | None:
    """The calculation of a whole line; None where it is another."""
    data = _object_of(line)
    if not isinstance(data.get("calc"), str):
        return None
    operands = data.get("operands")
    figures = tuple(
        WrittenFigure(*(whole_characters(str(part)) for part in (name, *map(said.get, _FIGURE_PARTS))))
        for name, said in (operands.items() if isinstance(operands, dict) else ())
        if isinstance(said, dict)
    )
    label, expression = (whole_characters(str(data.get(part, ""))) for part in ("label", "expr"))
    id = whole_characters(data["calc"])
    return WrittenCalculation(index, id, plain_sentence(label), expression, figures[:MOST_FIGURES])


def read_search(line: str) -> WrittenSearch | None:
    """The search of a whole line; None where it is another."""
    data = _object_of(line)
    words, document = data.get("search"), data.get("doc_id")
    if not isinstance(words, str) or not words.strip():
        return None
    named = whole_characters(document) if isinstance(document, str) else ""
    return WrittenSearch(whole_characters(words.strip())[:MOST_SEARCH_CHARS], named)


def read_lack(line: str) -> str:
    """Thing that a whole line names as not stated; "" where it is another."""
    lack = _object_of(line).get("lacks")
    return plain_sentence(lack).rstrip(".") if isinstance(lack, str) else ""


def _object_of(line: str) -> dict[str, Any]:
    """The JSON object that a line is; {} where it is none."""
    try:
        data = json.loads(line.strip().rstrip(","), strict=False)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
