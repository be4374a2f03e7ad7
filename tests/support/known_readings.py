"""Marked questions over the known collection, as the trained reader would read them."""

from __future__ import annotations

from datetime import date

from bench.reader.marks import reading_of
from core.plan.catalogue import NoTexts
from core.plan.language.interpretation import lexicon_of
from core.plan.language.lexicon.meaning import Known
from core.plan.reader.conditions.base import SchemaReading
from core.plan.reader.exact_reading import mentions_of
from core.plan.reader.reading import QuestionReading
from core.plan.teaching.marking import Mark, Marking, Part
from tests.support.known_collection import known_collection

COLLECTION = known_collection()
TODAY = date(2024, 11, 22)
KNOWN = Known(lexicon_of(COLLECTION), None, NoTexts())


def schema_reading(marked: str, schema: str = "contracts", operation: str = "list") -> SchemaReading:
    """A marked question over one schema of the known collection."""
    reading = reading_of(operation, marked, schema)
    own = COLLECTION.schema(schema)
    assert own is not None
    return SchemaReading(reading, own, KNOWN, TODAY, mentions_of(reading.question, KNOWN, TODAY))


def marking_of(reading: QuestionReading, schema: str = "contracts") -> Marking:
    """The marking that a person would make of a reading over one schema."""
    marks = (
        Mark(
            start=span.start,
            end=span.end,
            part=Part(role=span.role, is_negated=span.is_negated),
            field=span.links[0].field if span.links else "",
        )
        for span in reading.spans
    )
    return Marking(operation=reading.operation, schema_name=schema, marks=tuple(marks))
