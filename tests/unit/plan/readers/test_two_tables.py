"""Questions that name a second table: what is read of both, and what is left to other readers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.datasets.base import QueryRefusedError
from core.domain.fields import FieldType
from core.plan.catalogue import (
    Catalogue,
    ColumnEntry,
    FieldEntry,
    PartyEntry,
    SchemaEntry,
    TableEntry,
    TablePart,
)
from core.plan.compile.compiler import compile_reading
from core.plan.compile.context import CompileContext
from core.plan.ir.nodes import Plan
from core.plan.ir.validate import validate
from core.plan.operators.as_query import as_query
from core.plan.readers.two_tables import read_two_tables, unread_table
from core.plan.reading import Reading
from tests.support.compact_readings import TODAY, read
from tests.support.table_catalogue import days, money, numbers, texts


def table(name: str, rows: int, *columns: ColumnEntry) -> TableEntry:
    return TableEntry(columns, (name,), "default", rows, (TablePart(name, 0, name),))


SHIPMENTS = table(
    "shipments", 6, texts("Depot", 6, "Lund", "Oslo"), days("Day", 6, "2024-01-05", "2024-06-30"),
    numbers("Drums", 6, "12", "8"),
)  # fmt: skip
TARGETS = table(
    "targets", 4, texts("Depot", 4, "Lund", "Oslo"), numbers("Year", 4, "2023", "2024"),
    numbers("Target drums", 4, "90", "25"),
)  # fmt: skip
TWO_SUMS = table(
    "costs", 4, texts("Depot", 4, "Lund", "Oslo"), money("Rent", 4, "EUR"), money("Pay", 4, "EUR")
)
SPEND = table(
    "spend", 4, texts("Depot", 4, "Lund"), money("Spend EUR", 4, "EUR"), money("Plan EUR", 4, "EUR")
)
BLOCKED = table(
    "blocked firms", 3, texts("Firm", 3, "Foo Ltd", "Bar AG", "Baz"), texts("Land", 3, "SE", "NO")
)
OWNED = table("two names", 3, texts("Firm", 3, "A", "B", "C"), texts("Owner", 3, "D", "E", "F"))
CONTRACTS = SchemaEntry(
    "contracts",
    "Contracts",
    fields=(
        FieldEntry("contracts", "vendor", "Vendor", FieldType.PARTY, synonyms=("supplier",)),
        FieldEntry("contracts", "governing_law", "Governing law", FieldType.TEXT),
    ),
    documents=3,
    words=("contract",),
)
MAY = "Day between 2024-05-01 and 2024-05-31"
FIELDS = TableEntry(
    (texts("document", 3), texts("vendor", 3), texts("governing_law", 3)),
    ("fields:contracts",),
    "contracts",
    3,
    (TablePart("fields:contracts", 0, "fields contracts"),),
)
KNOWN = Catalogue(
    "two",
    schemas=(CONTRACTS,),
    datasets=(SHIPMENTS, TARGETS, TWO_SUMS, SPEND, BLOCKED, OWNED),
    fields=(FIELDS,),
)


def drums(**more: Any) -> Reading:
    given = {"by": ["Depot"], "asked": ["Drums"], "function": "sum", "tables": ("shipments|0",)} | more
    made = read("group", is_rows=True, **given)
    return made.model_copy(
        update={"asked": tuple(e.model_copy(update={"words": e.name}) for e in made.asked),
                "groups": tuple(e.model_copy(update={"words": e.name}) for e in made.groups)}
    )  # fmt: skip


def plan_of(reading: Reading, is_whole: bool, is_called: bool) -> Plan:
    return as_query(compile_reading(reading, CompileContext(KNOWN, TODAY)), KNOWN)


def found(question: str, one: Reading | None = None) -> list[Reading]:
    return list(read_two_tables(question, KNOWN, lambda rest: one or drums(), plan_of))


@pytest.mark.parametrize(
    "question",
    [
        "total drums by depot against the targets",
        "total drums by depot and targets",
        "the targets versus total drums by depot",
        "total drums by depot next to our targets",
    ],
)
def test_a_figure_stands_beside_that_of_the_table_that_is_named(question: str) -> None:
    (made,) = found(question)
    assert 'sum("targets"."target_drums")' in made.sql.lower()
    assert set(made.tables) == {"shipments|0", "targets|0"}
    assert validate(plan_of(made, True, True), KNOWN) == ()


@pytest.mark.parametrize("files", [101, 1_001])
def test_every_file_of_a_table_is_added_and_too_many_are_refused(files: int) -> None:
    parts = tuple(TablePart(f"target-{n}", 0, "targets") for n in range(files))
    known = replace(KNOWN, datasets=(SHIPMENTS, replace(TARGETS, title="targets", parts=parts)))
    question = "total drums by depot against the targets"

    def made_of(reading: Reading, is_whole: bool, is_called: bool) -> Plan:
        return as_query(compile_reading(reading, CompileContext(known, TODAY)), known)

    if files > 1_000:
        with pytest.raises(QueryRefusedError, match="1,001 tables with the same columns"):
            list(read_two_tables(question, known, lambda rest: drums(), made_of))
    else:
        (made,) = read_two_tables(question, known, lambda rest: drums(), made_of)
        assert len(made.tables) == 1 + files


@pytest.mark.parametrize(
    ("question", "is_read"),
    [
        ("total rent by depot against the pay", True),
        ("total rent by depot and pay", True),
        ("total rent by depot above the pay", False),
        ("total rent by depot with a pay of 90", False),
    ],
)
def test_two_figures_of_one_table_stand_beside_each_other(question: str, is_read: bool) -> None:
    made = found(question, drums(asked=["Rent"], tables=("costs|0",)))
    assert bool(made) is is_read
    assert all('sum("costs"."pay")' in each.sql.lower() and each.tables == ("costs|0",) for each in made)


def test_a_figure_may_lack_its_currency_and_be_called_as_its_table() -> None:
    (made,) = found("total spend by depot against the plan", drums(asked=["Spend EUR"], tables=("spend|0",)))
    assert 'sum("spend"."plan_eur")' in made.sql.lower()


def test_a_table_that_is_called_as_what_is_asked_of_it_is_no_second_one() -> None:
    known = replace(
        KNOWN, datasets=(replace(SHIPMENTS, parts=(TablePart("shipments", 0, "drums"),)), TARGETS)
    )
    question = "total drums by depot against the targets"
    (made,) = read_two_tables(question, known, lambda rest: drums(), plan_of)
    assert set(made.tables) == {"shipments|0", "targets|0"}


def test_of_several_columns_the_one_that_holds_names_of_parties_is_the_list() -> None:
    known = replace(KNOWN, parties=(PartyEntry("B", "b"),))
    (made,) = read_two_tables(
        "contracts whose vendor is on the two names", known, lambda rest: drums(), plan_of
    )
    assert 'name_key(other."firm")' in made.sql


def test_a_year_of_days_is_the_year_of_the_other_table() -> None:
    one = drums(where=["Day between 2024-01-01 and 2024-12-31"])
    (made,) = found("total drums by depot in 2024 against the targets", one)
    assert '"targets"."year" = 2024' in made.sql


@pytest.mark.parametrize(
    ("question", "one"),
    [
        ("total drums by depot in the targets", drums()),
        ("total drums by depot without targets", drums()),
        ("total drums by depot above targets", drums()),
        ("total drums by depot against the costs", drums()),  # which of two amounts
        ("total drums by day against the targets", drums(by=["Day"])),
        ("total drums by depot in May against the targets", drums(where=[MAY])),
        ("total drums by depot against targets and costs", drums()),
        ("total drums by depot", drums()),
    ],
)  # fmt: skip
def test_what_is_not_certain_is_left_to_others(question: str, one: Reading) -> None:
    assert found(question, one) == []


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("contracts whose vendor is on the blocked firms.xlsx", " JOIN "),
        ("Which contracts have a supplier in blocked firms?", " JOIN "),
        ("How many contracts have a vendor on the blocked firms list?", "count(DISTINCT own.document)"),
        ("contracts whose vendor is not on the blocked firms", "NOT IN"),
    ],
)
def test_documents_whose_party_stands_on_a_list(question: str, said: str) -> None:
    (made,) = found(question)
    assert said in made.sql
    assert validate(plan_of(made, True, True), KNOWN) == ()


@pytest.mark.parametrize(
    "question",
    [
        "contracts whose vendor signed the blocked firms",
        "contracts that mention the blocked firms",
        "contracts whose vendor is on the two names",  # which column
        "contracts whose governing law is on the blocked firms",
        "contracts of 2024 whose vendor is on the blocked firms",
        "contracts whose vendor is not without the blocked firms",
    ],
)
def test_other_words_are_no_list(question: str) -> None:
    assert found(question) == []


def test_a_table_that_is_named_and_not_asked_is_left_out() -> None:
    assert unread_table("total drums by depot above targets", drums(), KNOWN) == "targets"
    assert unread_table("total drums by depot", drums(), KNOWN) == ""
    assert unread_table("total drums of shipments by depot", drums(), KNOWN) == ""
