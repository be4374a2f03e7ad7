"""Answers that are calculated of what two sides come to."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from core.answer.computed.calculations import compose_calculation
from core.answer.computed.draft import ComputedDraft
from core.answer.computed.lists import MOST_LINES
from core.answer.computed.source import AnswerFacts
from core.domain.annotation import Calculation as Function
from core.domain.answer import Kind, Route
from core.domain.fields import Cell, CellStatus, Finding
from core.domain.ids import DocumentId
from core.domain.results import Documents, FoundValue, Group, Groups, Result
from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.ir.nodes import Aggregate, Calculate, Plan, Select
from tests.support.stated_values import money, quote

CATALOGUE = Catalogue(
    documents=tuple(DocumentEntry(id, f"Ledger {id}", f"{id}.csv", "b") for id in ("a", "b"))
)
ONE = Documents(present=frozenset("a"))


def groups(*values: str | None, by: str = "", rows: int = 2, **changes: object) -> Groups:
    made = tuple(
        Group(key=(f"{by} {at}",) if by else (), value=value, unit="EUR", rows=rows)
        for at, value in enumerate(values)
    )
    given: dict[str, object] = {"function": "sum", "field": "net", "value_type": "money", "groups": made}
    keys = (by,) if by else ()
    return Groups.model_validate(given | {"group_by": keys, "documents": ONE} | changes)


def composed(
    how: str,
    found: FoundValue,
    *sides: Result,
    labels: tuple[str, ...] = ("May", "June"),
    cells: Mapping[tuple[str, str], Cell] | None = None,
) -> ComputedDraft:
    """The draft of a calculation over these sides."""
    selects = tuple(Select(id=f"s{at}", purpose="p") for at in range(len(sides)))
    computed = tuple(
        Aggregate(id=f"g{at}", purpose="p", inputs=(f"s{at}",), function=Function.SUM, field="net")
        for at in range(len(sides))
    )
    names = tuple(node.id for node in computed)
    node = Calculate.model_validate(
        {"id": "c", "purpose": "p", "inputs": names, "how": how, "labels": labels}
    )
    plan = Plan(
        question="?",
        kind=Kind.AGGREGATE,
        route=Route.STRUCTURED,
        nodes=(*selects, *computed, node),
        answer_node="c",
    )
    results: dict[str, Result] = dict(zip(names, sides, strict=True))
    facts = AnswerFacts(CATALOGUE, cells or {})
    return compose_calculation(plan, node, found, results, lambda *_: facts)


def test_a_figure_of_one_document_cites_its_cell() -> None:
    value, place = money("10", "EUR"), quote("The fee is EUR 10.", "EUR 10")
    cell = Cell(DocumentId("a"), 1, "net", Finding(CellStatus.PRESENT, (value,), (place,), 0.9, "rule"))
    draft = composed("difference", FIVE, groups("10", rows=1), groups("5"), cells={("a", "net"): cell})

    assert [span.quote for span in draft.lines[0].spans] == ["EUR 10"]


FIVE = FoundValue(kind="money", text="5", unit="EUR")
TRUE, FALSE = (FoundValue(kind="boolean", text=text) for text in ("true", "false"))


@pytest.mark.parametrize(
    ("how", "lead"),
    [
        ("difference", "May less June is EUR 5.00."),
        ("gap", "May and June are EUR 5.00 apart."),
        ("sum", "Together they come to EUR 5.00."),
    ],
)
def test_the_lead_says_what_was_calculated(how: str, lead: str) -> None:
    assert composed(how, FIVE, groups("10"), groups("5")).lead.text == lead


def test_the_greatest_is_called_by_its_name() -> None:
    lead = composed("greatest", FoundValue(kind="text", text="June"), groups("5"), groups("10")).lead.text
    assert lead == "The greatest is June."


def test_shares_and_changes_are_said_in_per_cent() -> None:
    value = FoundValue(kind="number", text="50", unit="%")
    assert composed("share", value, groups("5"), groups("10")).lead.text.startswith("May is 50")
    assert composed("change", value, groups("15"), groups("10")).lead.text.startswith(
        "From June to May it changes"
    )


def test_yes_and_no_are_said_with_what_they_are_about() -> None:
    assert composed("more", TRUE, groups("5"), groups("3")).lead.text == "Yes: May is more than June."
    assert composed("more", FALSE, groups("3"), groups("5")).lead.text == (
        "No: it is not so that May is more than June."
    )
    assert composed("equal", TRUE, groups("5"), groups("5")).lead.text == "Yes: they are equal."


def test_sides_without_labels_are_the_first_and_the_second() -> None:
    lead = composed("difference", FIVE, groups("10"), groups("5"), labels=()).lead.text
    assert lead == "The first less the second is EUR 5.00."


def test_each_side_has_a_line_with_its_rows() -> None:
    draft = composed("difference", FIVE, groups("10"), groups("5", rows=1))
    assert [(line.label, line.text) for line in draft.lines] == [
        ("May", "EUR 10.00 (2 documents)"),
        ("June", "EUR 5.00 (1 document)"),
    ]


def test_a_side_without_a_value_says_none() -> None:
    draft = composed("difference", FIVE, groups(None, rows=0), groups("5"))
    assert draft.lines[0].text == "none (0 documents)"


def test_the_lines_of_groups_are_called_by_their_keys() -> None:
    draft = composed("average", FIVE, groups("10", "5", by="Team"), labels=())
    assert [line.label for line in draft.lines] == ["Team 0", "Team 1"]


def test_counts_have_no_currency_of_their_own() -> None:
    counted = groups("3", function="count").model_copy(
        update={"groups": (Group(key=(), value="3", unit="", rows=3),)}
    )
    assert (
        composed("gap", FoundValue(kind="number", text="1"), counted, counted).lines[0].text
        == "3 (3 documents)"
    )


def test_lines_beyond_the_most_are_left_out_and_counted() -> None:
    many = groups(*("1" for _ in range(MOST_LINES + 4)), by="Team")
    draft = composed("total", FIVE, many, labels=())
    assert (len(draft.lines), draft.left_out) == (MOST_LINES, 4)


def test_the_table_has_a_row_for_each_value() -> None:
    table = composed("difference", FIVE, groups("10"), groups("5")).table
    assert table is not None
    assert table.rows == (("May", "10", "EUR"), ("June", "5", "EUR"))


def test_sides_that_are_single_values_have_no_lines_and_no_table() -> None:
    draft = composed("difference", FIVE, FIVE, FIVE)
    assert (draft.lines, draft.table, draft.ledger) == ((), None, None)


def test_rows_that_took_no_part_are_told_once() -> None:
    left = groups("10", excluded=(("net", "missing", 1), ("net", "not a number", 2)))
    draft = composed("difference", FIVE, left, left)
    assert draft.gaps == (
        "1 row could not take part: net is missing.",
        "2 rows could not take part: net is not a number.",
    )


def test_the_ledger_is_of_the_documents_of_both_sides() -> None:
    sides = (
        groups("10", documents=Documents(present=frozenset("a"), absent=frozenset("b"))),
        groups("5", documents=Documents(present=frozenset("b"), unreadable=frozenset("c"))),
    )
    ledger = composed("difference", FIVE, *sides).ledger
    assert ledger is not None
    assert (ledger.scope, ledger.present, ledger.unreadable) == (3, 2, 1)


def test_figures_beside_each_other_are_all_told_with_a_row_for_each() -> None:
    found = FoundValue(kind="text", text="May: 10; June: 4")
    draft = composed("values", found, groups("10"), FoundValue(kind="number", text="4", unit="%"))
    assert draft.lead.text == "May: EUR 10.00; June: 4%."
    assert draft.value is None
    assert draft.table is not None
    assert draft.table.rows == (("May", "10", "EUR"), ("June", "4", "%"))
    assert [line.label for line in draft.lines] == ["May", "June"]


def test_two_figures_of_one_unit_are_told_with_their_difference() -> None:
    found = FoundValue(kind="text", text="May: 10; June: 4")
    assert composed("values", found, groups("4"), groups("10")).lead.text == (
        "May: EUR 4.00; June: EUR 10.00; difference: EUR 6.00."
    )


def test_a_figure_that_nothing_states_is_told_as_such() -> None:
    found = FoundValue(kind="text", text="May: 10; June: none")
    assert composed("values", found, groups("10"), groups()).lead.text == "May: EUR 10.00; June: none."
