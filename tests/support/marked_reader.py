"""A reader of questions that are marked by hand."""

from __future__ import annotations

from collections.abc import Iterable

from bench.reader.marks import reading_of
from core.plan.catalogue import Catalogue
from core.plan.readers.trained.reading import QuestionReading, TextReader


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
