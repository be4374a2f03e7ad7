from __future__ import annotations

import pytest
from pydantic import ValidationError

from core.config.fields import FieldCheck, FieldDefinition, Relation, Schema
from core.domain.fields import CellStatus, FieldType, Finding, Quote, Special, TypedValue
from core.domain.span import PageSpan
from core.fields.consistency import broken_checks, consistent, doubted


def date_field(name: str, **checks: str) -> FieldDefinition:
    made = tuple(FieldCheck(relation=Relation(relation), field=other) for relation, other in checks.items())
    return FieldDefinition(
        name=name, title=name.replace("_", " ").capitalize(), type=FieldType.DATE, checks=made
    )


def on(day: str, amount: int, special: Special = Special.NONE) -> Finding:
    value = TypedValue(FieldType.DATE, day, amount, special=special)
    return Finding(CellStatus.PRESENT, (value,), (Quote(PageSpan(1, 0, len(day)), day),), 0.95, "rule")


def of(amount: int, unit: str = "USD") -> Finding:
    value = TypedValue(FieldType.MONEY, str(amount), amount * 10_000, unit)
    return Finding(CellStatus.PRESENT, (value,), (Quote(PageSpan(1, 0, 2), "$9"),), 0.95, "rule")


BEGIN, SAME, LATER = on("2020-01-01", 737425), on("2020-01-01", 737425), on("2021-01-01", 737791)


@pytest.mark.parametrize(
    ("relation", "own", "other", "breaks"),
    [
        ("after", BEGIN, LATER, True),
        ("after", BEGIN, SAME, True),
        ("after", LATER, BEGIN, False),
        ("not_before", BEGIN, LATER, True),
        ("not_before", BEGIN, SAME, False),
        ("before", LATER, BEGIN, True),
        ("before", BEGIN, LATER, False),
        ("not_after", LATER, BEGIN, True),
        ("not_after", BEGIN, SAME, False),
        ("differs_from", BEGIN, SAME, True),
        ("differs_from", BEGIN, LATER, False),
    ],
)
def test_dates_are_compared_as_the_check_says(
    relation: str, own: Finding, other: Finding, breaks: bool
) -> None:
    fields = (date_field("begin"), date_field("end", **{relation: "begin"}))

    found = list(broken_checks(fields, {"end": own, "begin": other}))

    assert bool(found) is breaks
    if breaks:
        assert "End (" in found[0].said
        assert "Begin (" in found[0].said


@pytest.mark.parametrize(("own", "breaks"), [(of(12), True), (of(9), False), (of(12, "EUR"), False)])
def test_amounts_are_compared_within_one_currency(own: Finding, breaks: bool) -> None:
    total = FieldDefinition(name="total", title="Total", type=FieldType.MONEY)
    check = FieldCheck(relation=Relation.AT_MOST, field="total")
    tax = FieldDefinition(name="tax", title="Tax", type=FieldType.MONEY, checks=(check,))

    assert bool(list(broken_checks((total, tax), {"tax": own, "total": of(10)}))) is breaks


def test_what_breaks_a_check_is_doubted_and_kept_as_a_candidate() -> None:
    fields = (date_field("begin"), date_field("end", after="begin"))

    found = consistent(fields, {"begin": LATER, "end": BEGIN}, {})

    assert found["begin"] == LATER
    assert found["end"].status is CellStatus.UNCERTAIN
    assert found["end"].values == ()
    assert found["end"].candidates[0].value == BEGIN.values[0]
    assert found["end"].candidates[0].spans == BEGIN.spans
    assert found["end"].note == "End (2020-01-01) is not after Begin (2021-01-01), but should come after it."


def test_a_verdict_is_compared_with_and_never_doubted() -> None:
    fields = (date_field("begin"), date_field("end", after="begin"))

    by_verdict = consistent(fields, {"begin": LATER, "end": BEGIN}, {"end": BEGIN})
    against_verdict = consistent(fields, {"end": LATER}, {"begin": LATER})

    assert by_verdict["end"] == BEGIN
    assert by_verdict["begin"].status is CellStatus.UNCERTAIN
    assert against_verdict["end"].status is CellStatus.UNCERTAIN


@pytest.mark.parametrize(
    "other",
    [
        Finding(CellStatus.ABSENT),
        Finding(CellStatus.UNCERTAIN),
        on("", 737791, Special.BLANK),
        on("", 737791, Special.PERPETUAL),
    ],
)
def test_nothing_is_compared_with_what_states_no_value(other: Finding) -> None:
    fields = (date_field("begin"), date_field("end", after="begin"))

    assert consistent(fields, {"begin": other, "end": BEGIN}, {})["end"] == BEGIN


def test_only_facts_are_doubted() -> None:
    absent = Finding(CellStatus.ABSENT)
    assert doubted(absent, "Why.") is absent


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ((date_field("end", after="begin"),), "no field of that name"),
        ((date_field("end", after="end"),), "the field itself"),
        ((date_field("end", at_most="begin"), date_field("begin")), "is for amounts"),
        (
            (
                date_field("end", after="begin"),
                FieldDefinition(name="begin", title="Begin", type=FieldType.TEXT),
            ),
            "the other of type 'text'",
        ),
        (
            (
                date_field("end", after="begin"),
                FieldDefinition(name="begin", title="Begin", type=FieldType.DATE, many=True),
            ),
            "only fields of one value",
        ),
    ],
)
def test_a_check_that_cannot_be_made_is_refused_with_its_field(
    fields: tuple[FieldDefinition, ...], why: str
) -> None:
    with pytest.raises(ValidationError, match=f"field 'end' cannot be checked .*{why}"):
        Schema(name="leases", title="Leases", fields=fields)
