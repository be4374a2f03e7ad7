"""What an absence comes to."""

from __future__ import annotations

from core.config.fields import FieldDefinition, KeyValueExtractor, PatternExtractor, RuleExtractor
from core.domain.fields import CellStatus, FieldType, Finding
from core.extract.absence import settle, terms_of
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
