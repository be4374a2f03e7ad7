from __future__ import annotations

from core.domain.answer import Column, Ledger, LedgerDocuments, Status, Table, Value
from core.review.difference import differences
from tests.support.flagged import an_answer

NAMES = {"d1": "Acme", "d2": "Borealis"}


def listed(*ids: str) -> Table:
    rows = tuple((NAMES[id],) for id in ids)
    return Table(columns=(Column(name="Document", type="text"),), rows=rows, documents=ids)


def counted(*present: str) -> Ledger:
    lists = LedgerDocuments(present=present)
    many = len(present)
    return Ledger(field="f", scope=many, present=many, absent=0, unreadable=0, uncertain=0, documents=lists)


def test_the_same_answer_at_another_time_does_not_differ() -> None:
    again = an_answer(trace_id="t9", data_version=8, timings_ms={"total": 2.0}, follow_ups=("And?",))

    assert differences(an_answer(), again, NAMES) == ()


def test_everything_that_was_told_is_compared() -> None:
    old = an_answer(
        value=Value(type="money", value="1.00", unit="USD"), table=listed("d1"), ledger=counted("d1")
    )
    new = an_answer(
        text="Bob.", status=Status.PARTIAL, table=listed("d2"), ledger=counted("d2"), confidence=0.9
    )

    found = {each.name: (each.before, each.after) for each in differences(old, new, NAMES)}

    assert found["Text"] == ("Ann.", "Bob.")
    assert found["Value"] == ("1.00 USD", "")
    assert found["Status"] == ("answered", "partial")
    assert found["Rows"] == found["Documents present"] == ("Acme", "Borealis")
    assert found["Confidence"] == ("0.40 (LOW)", "0.90 (LOW)")
    assert "Ledger" not in found


def test_parts_are_compared_one_by_one() -> None:
    one, other = (
        an_answer(parts=(an_answer(), an_answer())),
        an_answer(parts=(an_answer(), an_answer(text="B"))),
    )

    assert [each.name for each in differences(one, other, NAMES)] == ["Question 2: Text"]
    assert [each.name for each in differences(one, an_answer(), NAMES)] == ["Questions in one"]


def test_long_lists_are_cut_and_counted() -> None:
    ids = tuple(f"x{number}" for number in range(25))
    old = an_answer(ledger=counted(*ids))

    [_, found] = differences(old, an_answer(ledger=counted()), NAMES)
    assert found.before.endswith("and 5 more")
