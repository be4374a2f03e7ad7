"""Lists of documents: what of several fields is stated nowhere."""

from __future__ import annotations

import pytest

from core.answer.computed.draft import ComputedDraft, DraftLine
from core.answer.computed.lists import (
    STATES_SEVERAL,
    one_of_several,
    unknown_sentences,
    with_unstated,
)
from core.answer.computed.source import AnswerFacts
from core.answer.standing import HIGH
from core.domain.fields import Cell, CellStatus, FieldType, Finding, Quote, TypedValue
from core.domain.ids import DocumentId
from core.domain.results import Documents
from core.domain.span import PageSpan
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry
from core.plan.ir.nodes import Scope, Select

FIELDS = (
    FieldEntry("contracts", "cap", "Liability cap", FieldType.MONEY),
    FieldEntry("contracts", "law", "Governing law", FieldType.TEXT),
)
CATALOGUE = Catalogue(schemas=(SchemaEntry("contracts", "Contracts", fields=FIELDS),))
IOWA = TypedValue(FieldType.TEXT, "Iowa", None, "", "Iowa", "iowa")
QUOTE = Quote(PageSpan(1, 0, 4), "Iowa")
LAW = Cell(DocumentId("a"), 1, "law", Finding(CellStatus.PRESENT, (IOWA,), (QUOTE,), 0.9, "head"))
NO_CAP = Cell(DocumentId("a"), 1, "cap", Finding(CellStatus.ABSENT, (), (), 0.9, "head"))
DRAFT = ComputedDraft(lead=DraftLine("There is 1 contract."))
ONE = Documents(present=frozenset("a"))


def lead(fields: tuple[str, ...], *cells: Cell, is_chosen: bool = False) -> str:
    facts = AnswerFacts(CATALOGUE, {(str(each.document), each.field): each for each in cells}, "contracts")
    return with_unstated(DRAFT, fields, ONE, facts, is_chosen=is_chosen).lead.text


@pytest.mark.parametrize(
    ("question", "texts", "is_told"),
    [
        ("What is the cap per day?", ("400", "900"), True),
        ("What are the caps?", ("400", "900"), False),
        ("What is said of liability caps?", ("400", "900"), False),
        ("What is the cap per day?", ("400",), False),
    ],
)
def test_one_of_several_figures_is_not_sure(question: str, texts: tuple[str, ...], is_told: bool) -> None:
    values = tuple(TypedValue(FieldType.MONEY, each, "EUR", "", each, "") for each in texts)
    cell = Cell(DocumentId("a"), 1, "cap", Finding(CellStatus.PRESENT, values, (QUOTE,), 0.9, "head"))
    facts = AnswerFacts(CATALOGUE, {("a", "cap"): cell}, "contracts")
    node = Select(id="s", purpose="p", reason="r", scope=Scope(), fields=("cap",))
    told = one_of_several(DRAFT, question, ONE.present, node, facts)
    assert (told.gaps, told.confidence < HIGH) == (((STATES_SEVERAL,), True) if is_told else ((), False))


def test_what_is_counted_over_no_document_says_so() -> None:
    assert unknown_sentences(ONE, "receipts") == ()
    [told] = unknown_sentences(Documents(), "receipts")
    assert told.startswith("There are no receipts of those that the question names")


def test_the_half_of_a_question_that_nothing_states_is_mentioned() -> None:
    assert lead(("law", "cap"), LAW, NO_CAP) == "There is 1 contract. No liability cap is stated in it."
    assert lead(("law", "cap"), LAW) == "There is 1 contract. No liability cap could be read from it."


def test_a_value_that_is_asked_of_a_set_and_stated_nowhere_is_mentioned() -> None:
    told = lead(("cap",), NO_CAP, is_chosen=True)
    assert told == "There is 1 contract. No liability cap is stated in it."


def test_one_field_alone_and_what_is_stated_need_no_mention() -> None:
    assert lead(("cap",), NO_CAP) == "There is 1 contract."
    assert lead(("law",), LAW) == "There is 1 contract."
    assert lead(("law", "cap"), NO_CAP) == "There is 1 contract."
