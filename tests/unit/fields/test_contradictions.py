from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.certainty.contradiction import ContradictionState, StatingDocument, ValueStatement
from core.domain.fields import FieldType, Special, TypedValue
from core.domain.ids import DocumentId
from core.fields.contradictions import differ, judged
from core.fields.typed import inferred
from tests.support.stated_values import day, days, money, special, text


def read(words: str) -> TypedValue:
    value = inferred(words)
    assert value is not None
    return value


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        (read("1,500 W"), read("1.5 kW"), False),
        (read("1,540 W"), read("1.5 kW"), False),
        (read("1,600 W"), read("1.5 kW"), True),
        (read("25 kg"), read("25,400 g"), False),
        (read("30 kg"), read("31 kg"), True),
        (read("30 kg"), read("30 V"), False),
        (replace(money("1200000"), original="$1.2 million"), money("1234000"), False),
        (money("100"), money("100", ""), False),
        (money("100"), money("100", "EUR"), True),
        (day("2024-01-01"), day("2024-01-02"), True),
        (days(30), days(45), True),
        (days(365), TypedValue(FieldType.DURATION, "P1Y", 365_250_000, original="one year"), True),
        (days(30), TypedValue(FieldType.DURATION, "P1M", 30_437_500, original="one month"), False),
        (text("New York"), text("Delaware"), True),
        (text("New York"), text("the State of New York"), False),
        (text("a long text that says much"), text("Delaware"), False),
        (text("ACME Inc.", FieldType.PARTY), text("Acme, Inc", FieldType.PARTY), False),
        (day("2024-01-01"), special(FieldType.DATE, Special.BLANK), False),
        (text("30"), money("30"), False),
    ],
)
def test_values_differ_where_both_cannot_be_right(one: TypedValue, other: TypedValue, wanted: bool) -> None:
    assert differ(one, other) is differ(other, one) is wanted


def stated(amount: str, since: str = "", *, is_fact: bool = True, **about: object) -> ValueStatement:
    document = StatingDocument(DocumentId(f"{amount} {since}"), amount, 1, "b", "contracts", since)
    return ValueStatement(replace(document, **about), money(amount), None, is_fact)  # type: ignore[arg-type]


OPEN, POSSIBLE, RESOLVED = ContradictionState


@pytest.mark.parametrize(
    ("group", "state", "sides"),
    [
        ([stated("1", "2024"), stated("2", "2024")], OPEN, ["1", "2"]),
        ([stated("1", "2024"), stated("1", "2024")], None, []),
        ([stated("1", "2023"), stated("2", "2024")], RESOLVED, ["1", "2"]),
        ([stated("1", "2023", once=True), stated("2", "2024", once=True)], OPEN, ["1", "2"]),
        ([stated("1", "2023", schema="manuals"), stated("2", "2024")], OPEN, ["1", "2"]),
        ([stated("1", "2021", until="2022"), stated("2", "2024")], None, []),
        ([stated("1", "2023"), stated("2", "2024", amends=True)], RESOLVED, ["1", "2"]),
        ([stated("1"), stated("2", amends=True)], RESOLVED, ["1", "2"]),
        ([stated("1", "2023"), stated("2", "2024", amends=True), stated("3", "2024", amends=True)], OPEN,
         ["2", "3"]),
        ([stated("1", "2024"), stated("2", "2024", is_fact=False)], POSSIBLE, ["1", "2"]),
        ([stated("1"), stated("2", "2024")], OPEN, ["1", "2"]),
    ],
)  # fmt: skip
def test_later_documents_resolve_what_older_ones_state_and_other_periods_are_no_contradiction(
    group: list[ValueStatement], state: ContradictionState | None, sides: list[str]
) -> None:
    found = judged("Lease", "rent", "Rent", group)

    assert (found.state if found else None) is state
    assert [side.value.text for side in found.sides] == sides if found else not sides


def test_who_resolves_is_said_with_the_date() -> None:
    found = judged("Lease", "rent", "Rent", [stated("1", "2023"), stated("2", "2024-05-01", amends=True)])

    assert found is not None
    assert found.resolution == "Amended by 2 of 2024-05-01"
