"""What an absence comes to."""

from __future__ import annotations

import pytest

from core.config.fields import (
    FieldDefinition,
    HeadExtractor,
    KeyValueExtractor,
    PatternExtractor,
    RuleExtractor,
)
from core.domain.facts import head_probability
from core.domain.fields import Candidate, CellStatus, FieldType, Finding
from core.extract.absence import settle, terms_of, without_words
from tests.support.document_text import document_text

NOTHING = Finding(CellStatus.ABSENT, confidence=0.6, method="rule")
DISCOUNT = FieldDefinition(
    name="discount",
    title="Discount",
    type=FieldType.MONEY,
    synonyms=("rebate",),
    extractors=(KeyValueExtractor(keys=("price reduction",)),),
)


def test_a_field_none_of_whose_words_stands_is_absent() -> None:
    found = settle(document_text("The rent is $500 a month."), DISCOUNT, NOTHING)
    assert found.status is CellStatus.ABSENT
    assert found.confidence >= 0.985
    assert "rebate" in found.note
    assert "not measured" in found.note


def test_a_field_whose_word_stands_is_uncertain_with_the_sentence() -> None:
    text = "The rent is $500 a month. Rebates of $20 are given in winter."
    found = settle(document_text(text), DISCOUNT, NOTHING)
    assert found.status is CellStatus.UNCERTAIN
    assert [each.spans[-1].quote for each in found.candidates] == ["Rebates of $20 are given in winter."]
    assert found.candidates[0].value is not None
    assert found.candidates[0].value.text == "20.00"


def test_a_page_without_text_makes_every_absence_uncertain() -> None:
    found = settle(document_text("The rent is $500 a month.", ""), DISCOUNT, NOTHING)
    assert found.status is CellStatus.UNCERTAIN
    assert "2" in found.note


def test_parties_are_never_absent() -> None:
    field = FieldDefinition(
        name="parties",
        title="Parties",
        type=FieldType.PARTY,
        many=True,
        extractors=(RuleExtractor(rule="parties"),),
    )
    assert settle(document_text("Hello."), field, NOTHING).status is CellStatus.UNCERTAIN


def test_a_duration_is_absent_where_no_length_of_time_stands() -> None:
    field = FieldDefinition(name="period", title="Payment period", type=FieldType.DURATION)
    assert settle(document_text("Payment in cash."), field, NOTHING).status is CellStatus.ABSENT


def test_the_words_of_a_pattern_are_looked_for_too() -> None:
    field = FieldDefinition(
        name="ppe",
        title="Protective equipment",
        type=FieldType.TEXT,
        extractors=(PatternExtractor(patterns=(r"(?i)\b(?:gloves|helmets?)\b",)),),
    )
    assert ("glove",) in terms_of(field)
    assert ("helmet",) in terms_of(field)


def test_a_rule_whose_absence_was_measured_is_believed() -> None:
    sure = Finding(CellStatus.ABSENT, confidence=0.99, method="rule amendment_of")
    found = settle(document_text("Discounts are given."), DISCOUNT, sure)
    assert found.status is CellStatus.ABSENT


def test_products_that_a_page_may_name_without_the_word_are_never_absent() -> None:
    products = FieldDefinition(
        name="products",
        title="Products",
        type=FieldType.TEXT,
        extractors=(RuleExtractor(method="rule", rule="page_products"),),
    )
    finding = settle(document_text("Solis 4 runs on any roof."), products, Finding(CellStatus.ABSENT))
    assert finding.status is CellStatus.UNCERTAIN
    assert "may name one without them" in finding.note


_SILENT = (
    "The Customer pays each invoice within 30 days.\nA notice of the end of this Agreement goes by courier."
)


def _asked(head: str) -> FieldDefinition:
    extractors = (HeadExtractor(head=head),)
    return FieldDefinition(name=head, title=head, type=FieldType.BOOLEAN, extractors=extractors)


def _settled(head: str, *pages: str, probability: float = 0.2, method: str = "head") -> Finding:
    document = document_text(*pages)
    quote = document.quote(0, 10)
    doubt = Finding(
        CellStatus.UNCERTAIN,
        confidence=1 - probability,
        method=method,
        candidates=(Candidate(None, (quote,), probability, method),),
    )
    return without_words(document, _asked(head), doubt)


@pytest.mark.parametrize("head", ["termination", "force_majeure", "confidentiality", "warranties"])
def test_a_clause_without_any_of_its_words_in_the_text_is_absent(head: str) -> None:
    found = _settled(head, _SILENT)
    assert found.status is CellStatus.ABSENT
    assert "every page" in found.note


@pytest.mark.parametrize(
    "said",
    [
        "Either party may cancel this Agreement.",
        "The Customer may at any time end this lease.",
        "This Agreement terminates when the works are done.",
        "The Lessor can bring this lease to an end.",
    ],
)
def test_a_clause_of_whose_words_one_stands_in_the_text_stays_open(said: str) -> None:
    assert _settled("termination", f"{_SILENT} {said}").status is CellStatus.UNCERTAIN


def test_what_stands_on_a_page_that_could_not_be_read_is_not_absent() -> None:
    assert _settled("termination", _SILENT, "").status is CellStatus.UNCERTAIN


def test_a_heading_that_names_the_clause_among_others_keeps_it_open() -> None:
    assert _settled("termination", _SILENT, method="heading").status is CellStatus.UNCERTAIN


def test_a_clause_of_a_type_without_such_words_stays_open() -> None:
    assert _settled("non_compete", _SILENT).status is CellStatus.UNCERTAIN


_FOR_CAUSE = "The Customer may terminate this Agreement if the Supplier becomes insolvent."


def test_an_end_that_always_has_a_reason_is_none_for_convenience() -> None:
    found = _settled("termination_for_convenience", f"{_FOR_CAUSE} Upon termination the tools are returned.")
    assert found.status is CellStatus.ABSENT
    assert head_probability(found) is None  # no head said so


@pytest.mark.parametrize(
    ("said", "probability"),
    [
        (f"{_FOR_CAUSE} Either party may cancel it on thirty days' notice.", 0.2),
        (f"{_FOR_CAUSE} It is terminable at will.", 0.2),
        (_FOR_CAUSE, 0.5),
    ],
)
def test_an_end_that_may_have_no_reason_stays_open(said: str, probability: float) -> None:
    found = _settled("termination_for_convenience", said, probability=probability)
    assert found.status is CellStatus.UNCERTAIN
