"""Questions with their reading marked, one a line; `README.md` beside this says how they are marked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.plan.reader.markup import MARKS
from core.plan.reader.reading import FieldLink, Operation, QuestionReading, ReadSpan

QUESTIONS = Path(__file__).parent / "questions"
_MARK = re.compile(r"\[([^\[\]{}]*)\]\{([^\[\]{}]*)\}")
_NAMES = ("doc", "party", "kind")


@dataclass(frozen=True, slots=True)
class MarkedQuestion:
    """A question with its true reading. schema: "" over a table, whose `columns` there are then."""

    id: str
    writer: str
    schema: str
    table: str
    columns: tuple[str, ...]
    reading: QuestionReading


class MarkError(ValueError):
    """A line that is not marked as it has to be."""


def reading_of(operation: str, marked: str, schema: str) -> QuestionReading:
    """The reading that a marked question states, with certainty. Raises MarkError."""
    try:
        done = Operation(operation.strip())
    except ValueError:
        raise MarkError(f"{operation!r} is no operation") from None
    text, at, spans = "", 0, []
    for match in _MARK.finditer(marked):
        text += marked[at : match.start()]
        start, at = len(text), match.end()
        text += match[1]
        spans.append(_span(start, len(text), match[2].strip(), schema))
    text += marked[at:]
    if any(sign in text for sign in "[]{}"):
        raise MarkError(f"brackets do not balance in {marked!r}")
    return QuestionReading(text, ((done, 1.0),), tuple(spans), 1.0)


def _span(start: int, end: int, mark: str, schema: str) -> ReadSpan:
    if mark in _NAMES:
        role, is_negated = MARKS[mark]
        return ReadSpan(start, end, role, is_negated, (), 1.0)
    key = next((each for each in ("by ", "order ") if mark.startswith(each)), mark[:1])
    if key.strip() not in MARKS or not mark[len(key) :].strip():
        raise MarkError(f"{mark!r} is no mark")
    role, is_negated = MARKS[key.strip()]
    return ReadSpan(start, end, role, is_negated, (FieldLink(schema, mark[len(key) :].strip(), 1.0),), 1.0)


def marked_questions(file: Path) -> Iterator[MarkedQuestion]:
    """The questions of one writer, in order. Raises MarkError, which names file and line."""
    schema, table = "", ""
    columns: tuple[str, ...] = ()
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        if line.startswith("#"):
            kind, _, rest = line[1:].partition(":")
            if kind.strip() == "schema":
                schema, table, columns = rest.strip(), "", ()
            elif kind.strip() == "table":
                table, *headers = (part.strip() for part in rest.split("|"))
                schema, columns = "", tuple(headers)
            continue
        operation, _, marked = line.partition("\t")
        try:
            reading = reading_of(operation, marked.strip(), schema)
        except MarkError as error:
            raise MarkError(f"{file.name}, line {number}: {error}") from None
        yield MarkedQuestion(f"{file.stem}-{number}", file.stem, schema, table, columns, reading)


def all_questions(folder: Path = QUESTIONS) -> Iterator[MarkedQuestion]:
    """The questions of all writers, by file."""
    for file in sorted(folder.glob("writer_*.tsv")):
        yield from marked_questions(file)
