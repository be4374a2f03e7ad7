from __future__ import annotations

import pytest

from core.domain.fields import FieldType, Finding
from core.domain.results import Documents, Groups
from core.plan.ir.nodes import Aggregate
from core.plan.operators import RecordOperators
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.operating import ALL, ASKING, Desk, NoIndex, condition, select, values_in
from tests.support.stated_values import absent, day, money, present, text


@pytest.fixture
def desk(records: Records) -> Desk:
    """A supply agreement, another agreement, and an amendment of the first."""
    made = Desk(records)
    made.put("base", title="Supply Agreement", **stating("ACME", cap=present(money("100"))))
    made.put("other", title="Lease", **stating("Delta", cap=present(money("300"))))
    made.put("first", **amendment("ACME", "2024-01-01", cap=present(money("200"))), family="supply agreement")
    return made


def stating(party: str, **findings: Finding) -> dict[str, Finding]:
    kind = present(text("agreement", FieldType.ENUM))
    return {"vendor": present(text(party)), "document_kind": kind} | findings


def amendment(party: str, since: str, **findings: Finding) -> dict[str, Finding]:
    kind = present(text("amendment", FieldType.ENUM))
    found = {"vendor": present(text(party)), "document_kind": kind, "effective_date": present(day(since))}
    return found | findings


def changed(desk: Desk, *fields: str, visible: Visibility = ALL) -> list[tuple[str, str, str]]:
    found = desk.records.amendments.of(visible, fields or ("cap", "law", "fee"))
    return [(each.field, *desk.names([each.base, each.amendment])) for each in found]


def test_what_an_amendment_states_holds_for_what_it_amends(desk: Desk) -> None:
    (change,) = desk.records.amendments.of(ALL, ["cap", "law"])
    assert desk.names([change.base, change.amendment]) == ["base", "first"]
    assert (change.before, change.after) == (("100",), ("200",))
    found = desk.run(select(condition("cap", ">", "150 USD"), condition("document_kind", "=", "agreement")))
    assert desk.parts(found)[0] == ["base", "other"]


def test_a_field_that_only_the_amendment_states_is_stated(desk: Desk) -> None:
    desk.put("base2", title="Licence", **stating("Eta", law=absent()))
    desk.put("a2", **amendment("Eta", "2024-01-01", law=present(text("Iowa"))), family="licence")
    assert ("law", "base2", "a2") in changed(desk)
    kind = condition("document_kind", "=", "agreement")
    found = desk.run(select(condition("law", "is-missing"), kind))
    assert "base2" in desk.parts(found)[1]


def test_the_latest_amendment_holds(desk: Desk) -> None:
    later = amendment("ACME", "2025-06-01", cap=present(money("400")))
    desk.put("second", **later, family="supply agreement")
    assert changed(desk) == [("cap", "base", "second")]


def test_without_dates_the_number_of_the_amendment_decides(desk: Desk) -> None:
    for number in (1, 2):
        desk.put(
            f"n{number}",
            title=f"Amendment No. {number}",
            vendor=present(text("Delta")),
            cap=present(money(str(number))),
            family="lease",
        )
    assert ("cap", "other", "n2") in changed(desk)


def test_two_that_are_equally_late_and_differ_decide_nothing(desk: Desk) -> None:
    same = amendment("ACME", "2024-01-01", cap=present(money("7")))
    desk.put("again", **same, family="supply agreement")
    assert changed(desk) == []


def test_an_equal_value_changes_nothing(desk: Desk) -> None:
    desk.put("same", **amendment("Delta", "2024-01-01", cap=present(money("300"))), family="lease")
    assert changed(desk) == [("cap", "base", "first")]


def test_a_base_of_other_parties_is_no_base(desk: Desk) -> None:
    desk.put("strange", **amendment("Theta", "2024-01-01", cap=present(money("1"))), family="lease")
    assert changed(desk) == [("cap", "base", "first")]


def test_of_two_of_one_title_the_one_with_the_same_parties_is_amended(desk: Desk) -> None:
    desk.put("twin", title="Supply agreement", **stating("Delta", cap=present(money("100"))))
    assert changed(desk) == [("cap", "base", "first")]


def test_what_an_amendment_says_of_itself_amends_nothing(desk: Desk) -> None:
    assert changed(desk, "effective_date", "document_kind", "vendor") == []


def test_an_amendment_that_may_not_be_seen_changes_nothing(desk: Desk) -> None:
    hidden = amendment("Delta", "2024-01-01", cap=present(money("900")))
    desk.put("secret", acl=("legal",), **hidden, family="lease")
    assert changed(desk, visible=Visibility(frozenset())) == [("cap", "base", "first")]
    assert ("cap", "other", "secret") in changed(desk)


def test_sums_and_orders_follow_amendments_unless_they_shall_not(desk: Desk) -> None:
    agreements = select(condition("document_kind", "=", "agreement"))
    total = Aggregate.model_validate(
        {"id": "g", "purpose": "p", "inputs": ("s",), "function": "sum", "field": "cap"}
    )

    def summed(operators: RecordOperators) -> tuple[str | None, list[str]]:
        over = operators.run(agreements, {}, ALL, 8.0)
        assert isinstance(over, Documents)
        found = operators.run(total, {"s": over}, ALL, 8.0)
        assert isinstance(found, Groups)
        return found.groups[0].value, desk.names(found.documents.present)

    assert summed(desk.operators) == ("500", ["base", "other"])
    as_written = RecordOperators(
        desk.records, NoIndex(), lambda _visible: ASKING, values_in, follows_amendments=False
    )
    assert summed(as_written) == ("400", ["base", "other"])
    first = desk.run(
        select(condition("document_kind", "=", "agreement"), order_by="cap", limit=1, descending=False)
    )
    assert desk.parts(first)[0] == ["base"]
