"""Values that a person writes over the value of a condition."""

from __future__ import annotations

from datetime import date

import pytest

from core.domain.predicate import Operator
from core.errors import UsageError
from core.plan.catalogue import FieldEntry
from core.plan.ir.nodes import Choice, Condition
from core.plan.reading_line.values import condition_of
from core.plan.reading_line.words import PartWords
from tests.support.known_collection import known_collection

CATALOGUE = known_collection()
TODAY = date(2024, 10, 1)


def field(name: str, schema: str = "contracts") -> FieldEntry:
    entry = CATALOGUE.field(name, schema)
    assert entry is not None
    return entry


def read(text: str, name: str, before: Condition | None = None) -> Condition | Choice:
    before = before or Condition(field=name, op=Operator.EQUAL, value="")
    return condition_of(text, field(name), before, CATALOGUE, TODAY)


def said(text: str, name: str) -> str:
    return PartWords(CATALOGUE, "contracts").clause(read(text, name)).removeprefix(f"{name} ")


@pytest.mark.parametrize(
    ("text", "name", "op", "value"),
    [
        ("in 2025", "expiration_date", Operator.BETWEEN, ("2025-01-01", "2025-12-31")),
        ("2025", "expiration_date", Operator.BETWEEN, ("2025-01-01", "2025-12-31")),
        ("Q4 2024", "expiration_date", Operator.BETWEEN, ("2024-10-01", "2024-12-31")),
        ("after 3 Oct 2024", "expiration_date", Operator.GREATER, "2024-10-03"),
        ("3 October 2024", "expiration_date", Operator.EQUAL, "2024-10-03"),
        ("above 100k USD", "contract_value", Operator.GREATER, "100000 USD"),
        ("at most 5,000 euros", "contract_value", Operator.LESS_EQUAL, "5000 EUR"),
        ("at least 60 days", "payment_period", Operator.GREATER_EQUAL, "P60D"),
        ("halden", "vendor", Operator.EQUAL, "halden"),
        ("Halden Corporation", "vendor", Operator.EQUAL, "halden"),
        ("texas", "governing_law", Operator.EQUAL, "Texas"),
        ("Texas or New York", "governing_law", Operator.IN, ("Texas", "New York")),
        ("the law of Mars", "governing_law", Operator.CONTAINS, "the law of Mars"),
    ],
)
def test_a_value_is_read_as_questions_are(text: str, name: str, op: Operator, value: object) -> None:
    found = read(text, name)

    assert isinstance(found, Condition)
    assert (found.op, found.value) == (op, value)


def test_two_amounts_are_a_range() -> None:
    found = read("from 10,000 USD to 20,000 USD", "contract_value")

    assert isinstance(found, Condition)
    assert (found.op, found.value) == (Operator.BETWEEN, ("10000 USD", "20000 USD"))


def test_several_months_are_alternatives() -> None:
    assert isinstance(read("June 2025 or September 2025", "expiration_date"), Choice)


def test_a_bare_amount_is_compared_as_before() -> None:
    before = Condition(field="contract_value", op=Operator.GREATER, value="100000 USD")
    found = read("250,000 USD", "contract_value", before)

    assert isinstance(found, Condition)
    assert found.op is Operator.GREATER


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  ", "contract_value"),
        ("a lot", "contract_value"),
        ("whenever", "expiration_date"),
        ("1 USD, 2 USD and 3 USD", "contract_value"),
        ("between 5 USD", "contract_value"),
        ("not in 2025", "expiration_date"),
        ("Nobody Known Ltd", "vendor"),
        ("brochure", "document_kind"),
    ],
)
def test_what_is_no_value_is_refused_with_an_example(text: str, name: str) -> None:
    with pytest.raises(UsageError) as refused:
        read(text, name)

    assert refused.value.next_step
