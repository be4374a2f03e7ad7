"""Taught questions as a file of marked ones, which the reader of questions is trained with."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from core.plan.catalogue import SchemaEntry
from core.plan.reader.markup import marked
from core.plan.reader.reading import FieldLink, QuestionReading

_SPLIT = str.maketrans("|\t\n[]{}", "/  ()()")


@dataclass(frozen=True, slots=True)
class MarkedQuestion:
    """A question with the reading that was taught, over a schema. by, at: who taught it, and when."""

    schema: SchemaEntry
    reading: QuestionReading
    by: str = ""
    at: str = ""


def marked_file(questions: Sequence[MarkedQuestion], shipped: Mapping[str, Collection[str]]) -> str:
    """The questions, a line each, those of one schema together behind the line that names it.

    shipped: the fields of the schemas that training knows. Over other fields a schema is written as a table
    whose columns are the titles of its fields, since only this home knows them otherwise.
    """
    groups: dict[str, list[str]] = {}
    for question in questions:
        names = {link.field for span in question.reading.spans for link in span.links}
        schema, reading = question.schema, question.reading
        if names <= set(shipped.get(schema.name, ())):
            head = f"# schema: {schema.name}"
        else:
            titles = [_plain(each.title) for each in schema.fields]
            head = f"# table: {_plain(schema.title)} | {' | '.join(titles)}"
            reading = _by_title(reading, schema)
        groups.setdefault(head, []).append(f"{reading.operation}\t{marked(reading)}")
    return "".join(f"{line}\n" for head, lines in groups.items() for line in (head, *lines))


def _by_title(reading: QuestionReading, schema: SchemaEntry) -> QuestionReading:
    titles = {each.name: _plain(each.title) for each in schema.fields}
    spans = (
        replace(span, links=tuple(FieldLink("", titles[each.field], 1.0) for each in span.links))
        for span in reading.spans
    )
    return replace(reading, spans=tuple(spans))


def _plain(title: str) -> str:
    return " ".join(title.translate(_SPLIT).split())


def marked_json(question: MarkedQuestion) -> dict[str, object]:
    """A question with its marks as JSON; their places are characters of the question."""
    reading = question.reading
    return {
        "question": reading.question,
        "schema": question.schema.name,
        "operation": reading.operation.value,
        "marked": marked(reading),
        "marks": [
            {
                "start": span.start,
                "end": span.end,
                "words": reading.text(span),
                "role": span.role.value,
                "is_negated": span.is_negated,
                "field": span.links[0].field if span.links else "",
            }
            for span in reading.spans
        ],
        "by": question.by,
        "at": question.at,
    }
