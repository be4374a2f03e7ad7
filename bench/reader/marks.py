"""Questions with their reading marked, one a line; `README.md` beside this says how they are marked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from core.plan.readers.trained.reading import (
    FUNCTIONS,
    NAMING,
    PARTS,
    RELATIONS,
    FieldLink,
    Operation,
    QuestionReading,
    ReadSpan,
    SpanRole,
)

MARKS: dict[str, tuple[SpanRole, bool]] = {
    "+": (SpanRole.CONDITION, False),
    "-": (SpanRole.CONDITION, True),
    "=": (SpanRole.VALUE, False),
    "!": (SpanRole.VALUE, True),
    "?": (SpanRole.ASKED, False),
    "by": (SpanRole.GROUP, False),
    "order": (SpanRole.ORDER, False),
    "doc": (SpanRole.DOCUMENT, False),
    "party": (SpanRole.PARTY, False),
    "kind": (SpanRole.KIND, False),
    "limit": (SpanRole.LIMIT, False),
    "nth": (SpanRole.NTH, False),
    "skip": (SpanRole.SKIP, False),
}
"""Marks with the part and the polarity that they say."""
SIGNS = {"=": "=", ">": ">", ">=": ">=", "<": "<", "<=": "<=", "between": "..", "contains": "="}
"""Signs of a value's comparison in its mark; "=" also where nothing is known of it."""
_PLAIN = str.maketrans({"[": "(", "]": ")", "{": "(", "}": ")", "\t": " ", "\n": " ", "\r": " "})
_SIGNS = {said: mark for mark, said in MARKS.items()}
QUESTIONS = Path(__file__).parent / "questions"
_MARK = re.compile(r"\[([^\[\]{}]*)\]\{([^\[\]{}]*)\}")
LABELLED_FROM = 40
"""First writer who also told functions, directions, comparisons, alternatives, parts, numbers of orders."""

_COMPARED = re.compile(r"(!?)(>=|<=|>|<|\.\.|=)")
_DIRECTIONS = {"asc": False, "desc": True}
_SAYS_NAME = {mark for mark, (role, _) in MARKS.items() if role in NAMING}


def marked(reading: QuestionReading) -> str:
    """The question with its spans marked; its own brackets are round then."""
    text, at = "", 0
    plain = reading.question.translate(_PLAIN)
    for span in sorted(reading.spans, key=lambda each: each.start):
        text += f"{plain[at : span.start]}[{plain[span.start : span.end]}]{{{_mark(span)}}}"
        at = span.end
    return text + plain[at:]


def _mark(span: ReadSpan) -> str:
    sign = _SIGNS.get((span.role, span.is_negated)) or _SIGNS[span.role, False]
    if span.role is SpanRole.VALUE:
        compared = SIGNS.get(span.comparison, "=")
        negated = "!" if compared == "=" else f"!{compared}"
        sign = negated if span.is_negated else compared
    if span.either:
        sign = f"|{sign}"
    if not span.links:
        return sign
    field = span.links[0].field + (f".{span.part}" if span.part else "")
    return f"{sign} {field}" if sign.isalpha() else f"{sign}{field}"


@dataclass(frozen=True, slots=True)
class MarkedQuestion:
    """A question with its true reading. schema: "" over a table, whose `columns` there are then.

    conversation: number of the conversation in its file, 0 of a question that stands alone. is_labelled: its
    writer knew of all marks; else functions, comparisons and the like are not told.
    """

    id: str
    writer: str
    schema: str
    table: str
    columns: tuple[str, ...]
    reading: QuestionReading
    conversation: int = 0
    is_labelled: bool = False


class MarkError(ValueError):
    """A line that is not marked as it has to be."""


@dataclass(frozen=True, slots=True)
class Head:
    """What stands before a marked question. function, descending: None where nothing is said of it."""

    operation: Operation
    relation: str = ""
    function: str | None = None
    descending: bool | None = None


def head_of(text: str) -> Head:
    """The head `relation:operation/function/direction`; only the operation is due. Raises MarkError."""
    relation, _, rest = text.strip().rpartition(":")
    name, *said = rest.split("/")
    try:
        head = Head(Operation(name), relation)
    except ValueError:
        raise MarkError(f"{text!r} is no operation") from None
    if relation and relation not in RELATIONS:
        raise MarkError(f"{relation!r} is no relation")
    for each in said:
        if each in _DIRECTIONS:
            head = replace(head, descending=_DIRECTIONS[each])
        elif each in FUNCTIONS and each:
            head = replace(head, function=each)
        else:
            raise MarkError(f"{each!r} is neither a function nor a direction")
    return head


def reading_of(operation: str, marked: str, schema: str, *, is_labelled: bool = False) -> QuestionReading:
    """The reading that a marked question states, with certainty. Raises MarkError.

    is_labelled: its marks say all that there is to say; else a "=" says nothing of the comparison.
    """
    head = head_of(operation)
    text, at, spans = "", 0, []
    for match in _MARK.finditer(marked):
        text += marked[at : match.start()]
        start, at = len(text), match.end()
        text += match[1]
        span = _span(start, len(text), match[2].strip(), schema, is_labelled)
        spans.append(replace(span, descending=head.descending) if span.role is SpanRole.ORDER else span)
    text += marked[at:]
    if any(sign in text for sign in "[]{}"):
        raise MarkError(f"brackets do not balance in {marked!r}")
    function = head.function
    if function is None and is_labelled:
        function = "count" if head.operation is Operation.COUNT else ""
    return QuestionReading(
        text,
        ((head.operation, 1.0),),
        tuple(spans),
        1.0,
        functions=() if function is None else ((function, 1.0),),
        relations=((head.relation, 1.0),) if head.relation else (),
    )


def _span(start: int, end: int, mark: str, schema: str, is_labelled: bool) -> ReadSpan:
    if mark in _SAYS_NAME:
        role, is_negated = MARKS[mark]
        return ReadSpan(start, end, role, is_negated, (), 1.0)
    either, said = mark.startswith("|"), mark.removeprefix("|")
    compared = _COMPARED.match(said)
    if compared:
        role, is_negated, name = SpanRole.VALUE, bool(compared[1]), said[compared.end() :].strip()
        sign = "between" if compared[2] == ".." else compared[2]
        comparison = "" if sign == "=" and not is_labelled else sign
    else:
        key = next((each for each in ("by ", "order ") if said.startswith(each)), said[:1])
        if key.strip() not in MARKS:
            raise MarkError(f"{mark!r} is no mark")
        (role, is_negated), name, comparison = MARKS[key.strip()], said[len(key) :].strip(), ""
    part = ""
    if role is SpanRole.GROUP and name.rpartition(".")[2] in PARTS[1:]:
        name, _, part = name.rpartition(".")
    if not name:
        raise MarkError(f"{mark!r} is no mark")
    links = (FieldLink(schema, name, 1.0),)
    return ReadSpan(start, end, role, is_negated, links, 1.0, comparison=comparison, either=either, part=part)


def marked_questions(file: Path) -> Iterator[MarkedQuestion]:
    """The questions of one writer, in order. Raises MarkError, which names file and line."""
    schema, table, conversation, is_talk = "", "", 0, False
    columns: tuple[str, ...] = ()
    number_of_writer = file.stem.rpartition("_")[2]
    is_labelled = number_of_writer.isdigit() and int(number_of_writer) >= LABELLED_FROM
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        if line.startswith("#"):
            kind, _, rest = line[1:].partition(":")
            is_talk = kind.strip() == "conversation"
            if is_talk:
                conversation += 1
                kind, rest = ("schema", rest) if ":" not in rest else (*rest.split(":", 1),)
            if kind.strip() == "schema":
                schema, table, columns = rest.strip(), "", ()
            elif kind.strip() == "table":
                table, *headers = (part.strip() for part in rest.split("|"))
                schema, columns = "", tuple(headers)
            continue
        operation, _, marked = line.partition("\t")
        try:
            reading = reading_of(operation, marked.strip(), schema, is_labelled=is_labelled)
        except MarkError as error:
            raise MarkError(f"{file.name}, line {number}: {error}") from None
        if is_talk != bool(reading.relations):
            raise MarkError(
                f"{file.name}, line {number}: turns of conversations have a relation, and only these"
            )
        yield MarkedQuestion(
            f"{file.stem}-{number}",
            file.stem,
            schema,
            table,
            columns,
            reading,
            conversation if is_talk else 0,
            is_labelled,
        )


def all_questions(folder: Path = QUESTIONS) -> Iterator[MarkedQuestion]:
    """The questions of all writers, by file."""
    for file in sorted(folder.glob("writer_*.tsv")):
        yield from marked_questions(file)
