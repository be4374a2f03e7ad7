"""Links of words that no column is called by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.domain.passage import Matrix
from core.plan.language.pieces import tokens_of
from core.plan.reader.reading import FieldLink, Operation, QuestionReading, ReadSpan, SpanRole
from core.plan.tables.links import ColumnLink, LinkPriors, TableLinks, ValueLink, spoken_units
from tests.support.table_catalogue import vocabulary


class Alike:
    """Likeness that is known for some pairs."""

    def __init__(self, **pairs: str) -> None:
        self.pairs = pairs

    def likeness(self, phrases: Sequence[str], texts: Sequence[str]) -> Matrix:
        rows = [[float(self.pairs.get(a, "") == b) for b in texts] for a in phrases]
        return np.array(rows, dtype=np.float32).reshape(len(phrases), len(texts))


def found(question: str, meaning: Alike | None = None, at: int = 0) -> list[tuple[str, str]]:
    tokens = tokens_of(question)
    links = TableLinks(tokens, [vocabulary(at)], meaning).found(range(len(tokens)))
    return [
        (" ".join(t.word for t in tokens[link.first : link.end]), link.columns[0][0].entry.name)
        if isinstance(link, ColumnLink)
        else (" ".join(t.word for t in tokens[link.first : link.end]), link.text)
        for link in links
        if isinstance(link, ColumnLink | ValueLink)
    ]


def test_a_word_is_linked_by_its_meaning() -> None:
    assert ("takings", "Amount (EUR)") in found("takings", Alike(takings="amount"))


def test_a_value_is_linked_by_its_meaning() -> None:
    assert ("annulled", "cancelled") in found("annulled", Alike(annulled="cancelled"))


def test_without_meaning_there_are_short_forms_and_units_only() -> None:
    assert found("takings") == []
    assert found("position", at=3) == [("position", "Pos")]


def test_units_of_a_rate_are_those_of_both() -> None:
    assert {"kilos", "hectolitres"} <= spoken_units("kg/hl")
    assert spoken_units("") == frozenset()


def test_a_trained_reader_counts_for_a_column_and_for_its_kind() -> None:
    question = "sum of the takings"
    links = (FieldLink("", "Qty", 0.8),)
    span = ReadSpan(11, 18, SpanRole.ASKED, False, links, 1.0)
    reading = QuestionReading(question, ((Operation.COMPUTE, 0.9),), (span,), 0.9)
    priors = LinkPriors(reading, tokens_of(question))
    columns = {column.entry.name: column for column in vocabulary().columns}
    amount, product = (priors.of(3, 4, columns[name]) for name in ("Amount (EUR)", "Product"))
    assert priors.share(3, 4, columns["Qty"]) == 0.8
    assert priors.of(3, 4, columns["Qty"]) > amount > product == 0
    assert priors.of(0, 1, columns["Qty"]) == 0
