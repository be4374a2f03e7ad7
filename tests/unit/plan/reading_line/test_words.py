"""Words of conditions, periods and kinds of documents in a reading."""

from __future__ import annotations

import pytest

from core.domain.predicate import Operator
from core.plan.ir.nodes import Choice, Condition
from core.plan.reading_line.words import (
    PartWords,
    either,
    kind_word,
    negated_value,
    period,
    phrase,
    subject_words,
)
from tests.support.known_collection import known_collection

CATALOGUE = known_collection()
WORDS = PartWords(CATALOGUE, "contracts")


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        ("2025-01-01", "2025-12-31", "in 2025"),
        ("2024-10-01", "2024-12-31", "in Q4 2024"),
        ("2024-02-01", "2024-02-29", "in Feb 2024"),
        ("2024-02-01", "2024-02-28", "from 1 Feb 2024 to 28 Feb 2024"),
        ("9999-01-01", "9999-12-31", "from 1 Jan 9999 to 31 Dec 9999"),
        ("soon", "later", "from soon to later"),
    ],
)
def test_a_period_is_named_as_calendars_do(first: str, last: str, said: str) -> None:
    assert period(first, last) == said


def test_titles_stand_in_the_middle_of_a_line() -> None:
    assert phrase("Liability cap") == "liability cap"
    assert phrase("SLA credits") == "SLA credits"


def test_a_long_list_says_how_many_more_there_are() -> None:
    assert either(["a", "b", "c"]) == "a, b or c"
    assert either(["a", "b", "c", "d", "e", "f"]) == "a, b, c or 3 more"
    assert either([]) == ""


def test_documents_are_called_by_their_kind() -> None:
    kind = Condition(field="document_kind", op=Operator.IN, value=("receipt", "invoice"))

    assert subject_words(CATALOGUE.schema("invoices"), kind) == "receipts or invoices"
    assert subject_words(CATALOGUE.schema("contracts"), None) == "contracts"
    assert subject_words(None, None) == "documents"
    assert kind_word("agreement") == "contracts"


def test_a_value_as_written_is_what_a_person_types() -> None:
    mention = Condition(field="amendment_of", op=Operator.CONTAINS, value="Supply Agreement")
    after = Condition(field="effective_date", op=Operator.GREATER, value="2024-10-03")
    party = Condition(field="vendor", op=Operator.NOT_EQUAL, value="halden")

    assert WORDS.written(mention) == "Supply Agreement"
    assert WORDS.written(after) == "after 3 Oct 2024"
    assert WORDS.written(party) == "Halden Corporation"


def test_another_value_or_none_is_one_denial() -> None:
    other = Condition(field="vendor", op=Operator.NOT_EQUAL, value="halden")
    none = Condition(field="vendor", op=Operator.MISSING)

    assert negated_value(Choice(any_of=(other, none))) == other
    assert negated_value(Choice(any_of=(other, other))) is None
    assert negated_value(other) is None
    assert WORDS.clause(Choice(any_of=(other, none))) == "vendor not Halden Corporation"


def test_words_of_a_title_are_the_noun_that_stands_for_them() -> None:
    words = tuple(
        Condition(field="document_name", op=Operator.CONTAINS, value=word)
        for word in ("nondisclosure", "non-disclosure", "confidentiality")
    )
    one = Condition(field="document_name", op=Operator.CONTAINS, value="tolling")

    assert WORDS.clause(Choice(any_of=words)) == "confidentiality agreements"
    assert WORDS.clause(one) == "called “tolling”"


def test_a_column_is_called_as_it_is_written() -> None:
    rows = PartWords(CATALOGUE, "", of_rows=True)

    assert rows.title("amount_usd") == "amount usd"
