"""Questions that are marked by hand: a reader of them, and the markings that a person would make."""

from __future__ import annotations

from collections.abc import Iterable

from bench.reader.marks import reading_of
from core.plan.catalogue import Catalogue
from core.plan.readers.trained.reading import QuestionReading, TextReader
from core.plan.teaching import Mark, Marking, Part


class MarkedReader(TextReader):
    """A QuestionReader of questions that are marked over contracts, `operation<tab>marked words`.

    Any other question is one about the text. read_questions: those that it was asked to read, in order.
    """

    def __init__(self, lines: Iterable[str], schema: str = "contracts") -> None:
        self.read_questions: list[str] = []
        self._known: dict[str, QuestionReading] = {}
        for line in lines:
            operation, _, marked = line.partition("\t")
            reading = reading_of(operation, marked, schema, is_labelled=True)
            self._known[reading.question.casefold()] = reading

    def read(self, question: str, catalogue: Catalogue) -> QuestionReading:
        """The reading that is marked."""
        self.read_questions.append(question)
        return self._known.get(question.casefold()) or super().read(question, catalogue)


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
