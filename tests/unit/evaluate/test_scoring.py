from __future__ import annotations

from typing import Any

import pytest

from core.domain.answer import (
    Answer,
    Citation,
    Claim,
    Clarification,
    Column,
    Kind,
    Ledger,
    LedgerDocuments,
    Route,
    Status,
    Table,
    Value,
    Verdict,
)
from core.evaluate.scoring import score
from core.evaluate.suite import Case, load_suite
from samples import QUESTIONS

NAMES = {"d1": "contracts/one.txt", "d2": "two.pdf", "d3": "three.md"}


def case(shape: str, /, status: str = "answered", of: str | None = None, **expect: Any) -> Case:
    return Case.model_validate(
        {
            "id": f"{shape.replace('_', '-')}-01",
            "shape": shape,
            "question": "Which?",
            "paraphrase_of": of,
            "expect": {"status": status} | expect,
            "why": "It is so.",
        }
    )


def answer(status: Status = Status.ANSWERED, **parts: Any) -> Answer:
    return Answer(
        question="Which?",
        trace_id="t",
        data_version=1,
        status=status,
        kind=Kind.AGGREGATE,
        route=Route.STRUCTURED,
        text=parts.pop("text", "So it is."),
        **parts,
    )


def table(*documents: str, rows: list[tuple[Any, ...]] | None = None) -> Table:
    filled = tuple(rows) if rows is not None else tuple((document,) for document in documents)
    columns = tuple(Column(name=f"c{n}", type="text") for n in range(len(filled[0]) if filled else 1))
    return Table(columns=columns, rows=filled, documents=documents)


def quoted(document: str, text: str) -> Claim:
    citation = Citation(
        n=1,
        document=document,
        title="",
        source="",
        version=1,
        page=1,
        start=0,
        end=len(text),
        quote=text,
    )
    return Claim(text=text, verdict=Verdict.SUPPORTED, citations=(citation,))


def money(amount: str) -> dict[str, str]:
    return {"type": "money", "value": amount, "unit": "USD"}


def test_exactly_the_expected_documents_are_right_in_any_order() -> None:
    expected = case("list", documents=["one.txt", "two.pdf"])
    result = score(expected, answer(table=table("d2", "d1")), NAMES)
    assert (result.exact, result.silently_wrong, result.problems) == (True, False, ())


def test_a_missing_and_an_added_document_are_wrong_and_named() -> None:
    expected = case("lack", documents=["one.txt", "two.pdf"])
    result = score(expected, answer(table=table("d1", "d3")), NAMES)
    assert result.problems == ("misses two.pdf", "adds three.md")
    assert result.silently_wrong


def test_a_wrong_answer_that_shows_a_gap_is_not_silent() -> None:
    expected = case("list", documents=["one.txt"])
    result = score(expected, answer(table=table("d2"), gaps=("by law",)), NAMES)
    assert (result.exact, result.silently_wrong) == (False, False)


@pytest.mark.parametrize(
    ("gap", "warns"),
    [
        ("2 contracts could not be read.", False),
        ("1 invoice or receipt could not be read.", False),
        ("Still reading 12 of 310 contracts for governing law: not counted yet.", False),
        ("1 contract is uncertain: what was read is not sure enough to count.", False),
        ("1,204 contracts are uncertain: what they state about date is not sure enough to count.", False),
        ("Left out, since amounts in different units have no common order or sum: A (5 EUR).", False),
        ("Not covered: “electricity”.", True),
        ("A search chose part of these documents: it finds the best, not all, so there may be more.", True),
        ("electricity", True),
    ],
)
def test_a_gap_about_documents_that_do_not_count_warns_of_nothing_else(gap: str, warns: bool) -> None:
    result = score(case("list", documents=["one.txt"]), answer(table=table("d2"), gaps=(gap,)), NAMES)
    assert result.silently_wrong is not warns


def test_ways_to_narrow_a_long_list_are_no_warning() -> None:
    narrow = Clarification(type="overload", reason="120 documents fulfil this.")
    result = score(
        case("list", documents=["one.txt"]), answer(table=table("d2"), clarification=narrow), NAMES
    )
    assert result.silently_wrong


def test_documents_of_unknown_id_are_wrong() -> None:
    assert not score(case("list", documents=["one.txt"]), answer(table=table("d9")), NAMES).exact


def test_order_counts_only_where_it_is_asked() -> None:
    expected = case("rank", documents=["one.txt", "two.pdf"], order=True)
    assert score(expected, answer(table=table("d1", "d2")), NAMES).exact
    assert score(expected, answer(table=table("d2", "d1")), NAMES).problems == ("order is two.pdf, one.txt",)


def test_without_a_table_the_cited_documents_are_the_answer() -> None:
    expected = case("lookup", documents=["one.txt"])
    assert score(expected, answer(claims=(quoted("d1", "Here."),)), NAMES).exact
    assert not score(expected, answer(claims=(quoted("d2", "Here."),)), NAMES).exact


def test_a_sum_needs_its_value_and_where_it_lists_documents_the_right_ones() -> None:
    expected = case("sum", documents=["one.txt", "two.pdf"], value=money("5.00"))
    total = Value(type="money", value="5", unit="USD")
    assert score(expected, answer(value=total), NAMES).exact
    assert score(expected, answer(value=total, table=table("d1", "d2")), NAMES).exact
    assert score(expected, answer(value=total, table=table("d1", "d3")), NAMES).silently_wrong
    wrong = score(expected, answer(value=Value(type="money", value="6.00", unit="USD")), NAMES)
    assert wrong.problems == ("value 6.00 USD instead of 5.00 USD",)


def test_a_quoted_sum_is_no_sum() -> None:
    claims = (quoted("d1", "The total is $5."),)
    assert not score(case("sum", value=money("5.00")), answer(claims=claims), NAMES).exact


def test_a_looked_up_value_may_stand_in_a_quoted_sentence_of_one_of_its_documents() -> None:
    expected = case("lookup", documents=["one.txt", "two.pdf"], value=money("5.00"))
    assert score(expected, answer(claims=(quoted("d2", "The price is $5.00."),)), NAMES).exact
    assert not score(expected, answer(claims=(quoted("d2", "The price is $6.00."),)), NAMES).exact
    elsewhere = score(expected, answer(claims=(quoted("d3", "The price is $5.00."),)), NAMES)
    assert elsewhere.problems == ("rests on none of one.txt, two.pdf",)


def test_groups_match_rows_by_key_and_value_in_any_column_order() -> None:
    expected = case("group", groups=[["the State of Iowa", "2", None], ["ACME Corporation", "1", None]])
    rows = [(1, "ACME Corp"), (2, "Iowa")]
    assert score(expected, answer(table=table(rows=rows)), NAMES).exact
    assert not score(expected, answer(table=table(rows=[(2, "ACME Corp"), (2, "Iowa")])), NAMES).exact
    more = score(expected, answer(table=table(rows=[*rows, (3, "Ohio")])), NAMES)
    assert more.problems == ("3 rows instead of 2",)
    assert score(expected, answer(), NAMES).problems == ("no table of groups",)


def test_a_group_may_be_keyed_by_the_document_of_its_row() -> None:
    expected = case("compare", groups=[["one.txt", "5.00", "USD"], ["two.pdf", "6.00", "USD"]])
    rows = [("First agreement", "USD", "5.00"), ("Second agreement", "USD", "6.00")]
    assert score(expected, answer(table=table("d1", "d2", rows=rows)), NAMES).exact
    euros = [("First agreement", "EUR", "5.00"), ("Second agreement", "USD", "6.00")]
    assert not score(expected, answer(table=table("d1", "d2", rows=euros)), NAMES).exact


def test_one_row_never_stands_for_two_groups() -> None:
    expected = case("group", groups=[["one", None, None], ["one.txt", None, None]])
    rows = [("one", "x"), ("other", "y")]
    result = score(expected, answer(table=table("d1", "d2", rows=rows)), NAMES)
    assert result.problems == ("one row stands for two groups",)


def test_ranked_groups_stand_in_order() -> None:
    expected = case("rank", groups=[["a", "2", None], ["b", "1", None]], order=True)
    assert score(expected, answer(table=table(rows=[("a", 2), ("b", 1)])), NAMES).exact
    turned = score(expected, answer(table=table(rows=[("b", 1), ("a", 2)])), NAMES)
    assert turned.problems == ("rows are in another order",)


def test_the_ledger_is_compared_where_it_is_expected() -> None:
    ledger = {"scope": 3, "present": 1, "absent": 1, "unreadable": 1}
    expected = case("lack", documents=["two.pdf"], ledger=ledger)
    lists = LedgerDocuments(present=("d1",), absent=("d2",), unreadable=("d3",))
    shown = Ledger(field="x", uncertain=0, documents=lists, **ledger)
    assert score(expected, answer(table=table("d2"), ledger=shown), NAMES).exact
    unsure = shown.model_copy(update={"present": 0, "uncertain": 1})
    assert not score(expected, answer(table=table("d2"), ledger=unsure), NAMES).exact
    assert score(expected, answer(table=table("d2")), NAMES).problems == ("no ledger",)


def test_all_steps_of_a_procedure_have_to_be_given() -> None:
    expected = case("lookup", documents=["one.txt"], steps=3)
    claims = (quoted("d1", "Do it:\n1. Open.\n2. Wait 5 minutes.\n3. Close."),)
    assert score(expected, answer(claims=claims), NAMES).exact
    assert score(expected, answer(text="1. Open.", claims=(quoted("d1", "2. Wait."),)), NAMES).problems == (
        "2 steps instead of 3",
    )


def test_a_clarification_is_right_only_where_it_is_due() -> None:
    asked_back = answer(Status.CLARIFY, clarification=Clarification(type="vague", reason="Two fit."))
    assert score(case("clarify", "clarify"), asked_back, NAMES).exact
    result = score(case("list", documents=["one.txt"]), asked_back, NAMES)
    assert (result.exact, result.silently_wrong) == (False, False)
    assert result.problems == ("status clarify instead of answered",)


def test_an_answer_where_an_abstention_is_due_is_silently_wrong() -> None:
    expected = case("abstain", "abstained")
    assert score(expected, answer(), NAMES).silently_wrong
    assert score(expected, answer(Status.ABSTAINED), NAMES).exact


def test_a_partial_answer_is_not_exact_and_not_silent() -> None:
    result = score(case("list", documents=["one.txt"]), answer(Status.PARTIAL, table=table("d1")), NAMES)
    assert (result.exact, result.silently_wrong) == (False, False)


def right_answer(case: Case) -> Answer:
    expect = case.expect
    if expect.status is not Status.ANSWERED:
        return answer(expect.status)
    documents = expect.documents or ()
    value = expect.value and Value(
        type="number" if expect.value.type == "duration" else expect.value.type,
        value=expect.value.value,
        unit=expect.value.unit,
    )
    rows = [tuple(group) for group in expect.groups] if expect.groups else None
    return answer(
        text="".join(f"{n}. Do it.\n" for n in range(1, (expect.steps or 0) + 1)),
        value=value,
        table=table(*documents, rows=rows) if documents or rows else None,
        ledger=expect.ledger
        and Ledger(field="x", uncertain=0, documents=LedgerDocuments(), **expect.ledger.model_dump()),
    )


def test_the_right_answer_to_every_shipped_question_is_exact() -> None:
    cases = load_suite(QUESTIONS)
    assert [
        result.problems for each in cases if not (result := score(each, right_answer(each), {})).exact
    ] == []


def test_no_shipped_question_is_right_with_the_answer_to_another_kind() -> None:
    asked = [each for each in load_suite(QUESTIONS) if each.expect.status is Status.ANSWERED]
    empty = answer(value=Value(type="text", value="nothing"), table=table())
    assert not any(score(each, empty, {}).exact for each in asked)
