"""Values of a reading."""

from __future__ import annotations

from core.plan.readers.trained.reading import (
    FieldLink,
    Operation,
    QuestionReading,
    ReadSpan,
    SpanChoice,
    SpanRole,
    chosen_spans,
    noun_places,
)
from tests.support.known_collection import known_collection
from tests.support.table_catalogue import catalogue

LACK = ReadSpan(21, 30, SpanRole.CONDITION, True, (), 0.9)
KIND = ReadSpan(6, 15, SpanRole.KIND, False, (), 0.9)
READING = QuestionReading(
    "Which contracts lack insurance", ((Operation.LIST, 0.8), (Operation.COUNT, 0.2)), (KIND, LACK), 0.7
)
KNOWN = known_collection()


def test_the_operation_is_the_most_probable_one() -> None:
    assert READING.operation is Operation.LIST


def test_spans_are_chosen_by_their_roles_and_tell_their_words() -> None:
    assert [READING.text(span) for span in READING.of(SpanRole.CONDITION)] == ["insurance"]
    assert READING.of(SpanRole.PARTY) == []


def _span(question: str, words: str, *links: FieldLink, role: SpanRole = SpanRole.CONDITION) -> ReadSpan:
    start = question.index(words)
    return ReadSpan(start, start + len(words), role, False, links, 1.0)


def _choice(question: str, *spans: ReadSpan, operation: Operation = Operation.LIST) -> SpanChoice:
    return chosen_spans(QuestionReading(question, ((operation, 1.0),), spans, 1.0), KNOWN)


LAW = FieldLink("contracts", "governing_law", 1.0)


def test_parts_of_one_field_side_by_side_are_one_span() -> None:
    question = "governed by the law of Texas"
    spans = [_span(question, words, LAW, role=SpanRole.VALUE) for words in ("governed", "law of Texas")]

    found = _choice(question, *spans)

    assert [(each.span.start, each.span.end) for each in found.spans] == [(0, 28)]


def test_parts_with_a_joining_word_between_stay_apart() -> None:
    question = "Texas or Ohio law"
    spans = [_span(question, words, LAW, role=SpanRole.VALUE) for words in ("Texas", "Ohio law")]

    assert len(_choice(question, *spans).spans) == 2


def test_sides_of_a_comparison_stay_apart() -> None:
    question = "signed 2019 to signed 2018"
    date = FieldLink("contracts", "agreement_date", 1.0)
    spans = [_span(question, words, date, role=SpanRole.VALUE) for words in ("signed 2019", "signed 2018")]

    assert len(_choice(question, *spans, operation=Operation.COMPARE).spans) == 2


def test_nouns_choose_among_the_schemas_that_have_the_fields() -> None:
    question = "invoices of Halden as the supplier"
    links = (FieldLink("contracts", "vendor", 0.5), FieldLink("invoices", "vendor", 0.4))

    found = _choice(question, _span(question, "supplier", *links))

    assert found.kind == "invoices"
    assert found.spans[0].probability == 1.0  # of the fields of invoices


def test_a_span_of_another_schema_is_left_out() -> None:
    question = "insurance and a cap above 5 kg"
    spans = (
        _span(question, "insurance", FieldLink("contracts", "insurance", 1.0)),
        _span(question, "cap", FieldLink("contracts", "cap_on_liability", 1.0)),
        _span(question, "above 5 kg", FieldLink("datasheets", "weight", 1.0), role=SpanRole.VALUE),
    )

    assert [each.key for each in _choice(question, *spans).spans] == ["insurance", "cap_on_liability"]


def test_columns_win_where_most_fields_are_columns() -> None:
    question = "status open and qty above 5"
    spans = (
        _span(question, "status open", FieldLink("", "Status", 0.9), role=SpanRole.VALUE),
        _span(question, "qty above 5", FieldLink("", "qty", 0.8), role=SpanRole.VALUE),
    )

    found = chosen_spans(QuestionReading(question, ((Operation.LIST, 1.0),), spans, 1.0), catalogue())

    assert found.is_rows
    assert [each.key for each in found.spans] == ["Status", "Qty"]


def test_kinds_are_nouns_only_where_a_kind_is_meant() -> None:
    question = "in order of date, all receipts"
    kind = _span(question, "receipts", role=SpanRole.KIND)

    found = noun_places(QuestionReading(question, ((Operation.LIST, 1.0),), (kind,), 1.0), KNOWN)

    assert [(question[start:end], schema) for start, end, schema in found] == [("receipts", "invoices")]
