"""Two tables that a question is about, and the reading over their rows."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue, ColumnEntry, DocumentEntry, TableEntry, TablePart
from core.plan.check.checker import check
from core.plan.compile.compiler import compile_reading
from core.plan.compile.context import CompileContext
from core.plan.ir.nodes import Join
from core.plan.readers.trained.reading import FieldLink, Operation, QuestionReading, ReadSpan, SpanRole
from core.plan.readers.trained.table_pairs import TablePair, pair_meant
from core.plan.readers.trained.tables_meant import table_meant
from core.plan.readers.trained.to_reading import reading_of
from core.plan.reading import Function, Reading

TODAY = date(2026, 3, 4)
ASSETS = TableEntry(
    (
        ColumnEntry("Tag", FieldType.TEXT, rows=5, texts=("A-1", "A-2", "A-3", "A-4", "A-5")),
        ColumnEntry("Model", FieldType.TEXT, rows=5, texts=("Laptop", "Camera", "Drill")),
        ColumnEntry("Used by", FieldType.TEXT, rows=5, texts=("Ruiz", "Vance", "Okafor")),
        ColumnEntry("Price (EUR)", FieldType.MONEY, "EUR", rows=5, units=("EUR",), high=Decimal(900)),
        ColumnEntry("Scrapped", FieldType.TEXT, rows=1, texts=("x",)),
    ),
    ("b1",),
    rows=5,
    parts=(TablePart("b1", 0, "Assets"),),
)
STAFF = TableEntry(
    (
        ColumnEntry("Name", FieldType.TEXT, rows=4, texts=("Ruiz", "Vance", "Okafor", "Lindt")),
        ColumnEntry("Office", FieldType.TEXT, rows=4, texts=("Berlin", "Porto")),
        ColumnEntry("Salary (EUR)", FieldType.MONEY, "EUR", rows=4, units=("EUR",)),
    ),
    ("b1",),
    rows=4,
    parts=(TablePart("b1", 1, "Staff"),),
)
BOOK = DocumentEntry("b1", "Inventory", "inventory.xlsx", "default")
KNOWN = Catalogue("inventory", documents=(BOOK,), tables=(ASSETS, STAFF))
_ROLES = {"value": SpanRole.VALUE, "asked": SpanRole.ASKED, "group": SpanRole.GROUP}


def _read(
    operation: str, question: str, *spans: str, function: str = "", sure: float = 0.95
) -> QuestionReading:
    """A reading of the network. spans: "part, words, column", with "!" before words that deny it."""
    made = []
    for each in spans:
        role, words, column = each.split(", ")
        said = words.removeprefix("!")
        links = (FieldLink("", column, 0.95),)
        start = question.index(said)
        span = SpanRole.CONDITION if role == "condition" else _ROLES[role]
        made.append(ReadSpan(start, start + len(said), span, said != words, links, sure))
    operations = ((Operation(operation), 0.95),)
    return QuestionReading(question, operations, tuple(made), 0.8, (), ((function, 1.0),))


def _reading(read: QuestionReading, known: Catalogue = KNOWN) -> Reading:
    return reading_of(read, known, TODAY)


def _pair(read: QuestionReading, known: Catalogue = KNOWN) -> TablePair | None:
    meant = table_meant(read, known)
    return pair_meant(read, meant, known) if meant is not None else None


def _answers(read: QuestionReading) -> bool:
    reading = _reading(read)
    plan = compile_reading(reading, CompileContext(KNOWN, TODAY))
    return any(isinstance(each, Join) for each in plan.nodes) and check(plan, reading, KNOWN).answers


BERLIN = _read(
    "count", "how many assets of the Berlin office", "value, Berlin office, Office", function="count"
)


def test_tables_go_together_by_the_one_column_whose_values_are_all_in_a_key_of_the_other() -> None:
    pair = _pair(BERLIN)

    assert pair is not None
    assert (pair.many.key.name, pair.one.key.name, pair.share) == ("Used by", "Name", 1.0)


def test_two_columns_that_may_be_the_key_are_none() -> None:
    lender = ColumnEntry("Lent by", FieldType.TEXT, rows=5, texts=("Okafor", "Lindt"))
    known = replace(
        KNOWN, fingerprint="two", tables=(replace(ASSETS, columns=(*ASSETS.columns, lender)), STAFF)
    )

    assert _pair(BERLIN, known) is None


def test_a_column_whose_values_stand_in_several_rows_is_no_key() -> None:
    twice = replace(STAFF, columns=(replace(STAFF.columns[0], rows=7), *STAFF.columns[1:]), rows=7)

    assert _pair(BERLIN, replace(KNOWN, fingerprint="twice", tables=(ASSETS, twice))) is None


def test_a_question_that_one_table_says_whole_is_about_no_second_one() -> None:
    assert _pair(_read("count", "how many laptops", "value, laptops, Model")) is None


def test_a_cell_of_the_other_table_is_a_condition_on_the_rows_that_go_with_it() -> None:
    found = _reading(BERLIN)

    (first,) = found.steps
    assert [each.values for each in first.conditions] == [("Berlin",)]
    assert [each.name for each in first.asked] == ["Name"]
    assert [(each.field.name, each.op, each.values) for each in found.conditions] == [
        ("Used by", Operator.IN, ("$s1",))
    ]
    assert (first.tables, found.tables) == (("b1|1",), ("b1|0",))
    assert _answers(BERLIN)


def test_a_column_of_each_is_shown_over_the_rows_of_both() -> None:
    read = _read(
        "group",
        "total price per office",
        "asked, price, Price (EUR)",
        "group, office, Office",
        function="sum",
    )
    found = _reading(read)

    assert [each.name for each in found.on] == ["Used by", "Name"]
    assert found.tables == ("b1|0", "b1|1")
    assert _answers(read)


def test_amounts_of_the_key_table_are_not_added_up_over_the_rows_of_the_other() -> None:
    read = _read(
        "group", "salary per model", "asked, salary, Salary (EUR)", "group, model, Model", function="sum"
    )

    assert not _reading(read).on


def test_who_has_none_is_said_of_the_table_that_is_called_first() -> None:
    read = _read("list", "which staff have no tag", "condition, !tag, Tag")
    found = _reading(read)

    assert found.tables == ("b1|1",)
    assert [(each.values, each.negated) for each in found.conditions] == [(("$s1",), True)]
    assert [each.negated for each in found.steps[0].conditions] == [False]
    assert _answers(read)


def test_a_value_that_a_row_of_several_does_not_have_is_not_told_from_one_that_none_has() -> None:
    read = _read("list", "which staff have assets other than laptops", "value, !laptops, Model")

    assert not _reading(read).steps


@pytest.mark.parametrize(
    "question",
    ["how many from the Berlin office, assets", "of the Berlin office how many assets are there"],
)
def test_rows_are_counted_only_where_what_they_are_is_called_before_all_of_the_other_table(
    question: str,
) -> None:
    read = _read("count", question, "value, Berlin office, Office", function="count")

    assert not _reading(read).steps


def test_a_column_that_each_has_and_that_is_no_key_is_not_read_over_both() -> None:
    named = ColumnEntry("Office", FieldType.TEXT, rows=5, texts=("Room 4", "Room 9"))
    known = replace(
        KNOWN, fingerprint="both", tables=(replace(ASSETS, columns=(*ASSETS.columns, named)), STAFF)
    )

    assert not _reading(BERLIN, known).steps


def test_a_reading_over_two_tables_is_no_surer_than_its_least_sure_part_and_the_key() -> None:
    unsure = _read(
        "count",
        "how many assets of the Berlin office",
        "value, Berlin office, Office",
        function="count",
        sure=0.4,
    )
    away = replace(ASSETS.columns[2], rows=6, texts=("Ruiz", "Vance", "Okafor", "Lindt", "Nobody"))
    known = replace(
        KNOWN, fingerprint="away", tables=(replace(ASSETS, columns=(*ASSETS.columns[:2], away)), STAFF)
    )

    assert _reading(unsure).probability < 0.4
    assert _reading(BERLIN, known).probability <= 0.8


def test_two_cells_in_words_are_a_condition_each() -> None:
    read = _read("list", "which assets are drills of Vance", "value, drills of Vance, Model")
    found = _reading(read)

    assert [(each.field.name, each.values) for each in found.conditions] == [
        ("Model", ("Drill",)),
        ("Used by", ("Vance",)),
    ]
    assert found.function is not Function.SUM


def test_words_that_surely_mean_a_column_of_the_other_table_need_not_call_it() -> None:
    read = _read(
        "group", "spent per office", "asked, spent, Price (EUR)", "group, office, Office", function="sum"
    )

    assert [each.name for each in _reading(read).on] == ["Used by", "Name"]


def test_a_cell_of_the_other_table_that_no_step_takes_is_left_over() -> None:
    read = _read(
        "list", "laptops or cameras in Berlin", "value, laptops, Model", "value, cameras in Berlin, Model"
    )

    assert not _reading(read).steps
    assert "Berlin" in _reading(read).uncovered


def test_a_key_that_is_counted_is_not_told_from_the_rows_it_stands_in() -> None:
    read = _read(
        "count",
        "how many assets used by people in Berlin",
        "asked, used by, Used by",
        "value, Berlin, Office",
        function="count",
    )

    assert not _reading(read).steps


RACE = TableEntry(
    (
        ColumnEntry("Bib", FieldType.NUMBER, rows=6, numbers=("1", "2", "3", "4", "5", "6")),
        ColumnEntry("Runner", FieldType.TEXT, rows=6, texts=("Ada", "Bo", "Cy", "Di", "Ed", "Flo")),
    ),
    ("b1",),
    rows=6,
    parts=(TablePart("b1", 0, "10k"),),
)
ENTRIES = TableEntry(
    (
        ColumnEntry("No.", FieldType.TEXT, rows=6, texts=("1", "2", "3", "4", "5", "6")),
        ColumnEntry("Way", FieldType.TEXT, rows=6, texts=("online", "post")),
        ColumnEntry("Paid (EUR)", FieldType.MONEY, "EUR", rows=6, units=("EUR",)),
    ),
    ("b1",),
    rows=6,
    parts=(TablePart("b1", 1, "Entries"),),
)
RUN = replace(KNOWN, fingerprint="run", tables=(RACE, ENTRIES))


def test_columns_with_the_same_values_go_together_whatever_they_are_called() -> None:
    read = _read(
        "list", "which runner came online", "asked, runner, Runner", "value, online, Way", function="distinct"
    )
    found = _reading(read, RUN)

    assert [(each.field.name, each.values) for each in found.conditions] == [("Bib", ("$s1",))]
    assert [each.name for each in found.steps[0].asked] == ["No."]


def test_amounts_of_either_table_are_added_up_where_each_row_goes_with_one() -> None:
    read = _read(
        "group", "paid per runner", "asked, paid, Paid (EUR)", "group, runner, Runner", function="sum"
    )

    assert len(_reading(read, RUN).on) == 2


def test_tables_of_two_documents_go_together_only_where_their_keys_are_called_alike() -> None:
    far = replace(STAFF, documents=("b2",), parts=(TablePart("b2", 0, "Staff"),))
    other = DocumentEntry("b2", "People", "people.xlsx", "default")
    apart = replace(KNOWN, fingerprint="apart", documents=(BOOK, other), tables=(ASSETS, far))
    users = replace(far, columns=(replace(STAFF.columns[0], name="User"), *STAFF.columns[1:]))
    used = (*ASSETS.columns[:2], replace(ASSETS.columns[2], name="User name"), *ASSETS.columns[3:])
    alike = replace(apart, fingerprint="alike", tables=(replace(ASSETS, columns=used), users))

    assert _pair(BERLIN, apart) is None
    assert _pair(BERLIN, alike) is not None


def test_an_unsure_reading_over_two_tables_is_not_answered_though_its_fields_are_called_so() -> None:
    read = _read("group", "assets per office", "group, office, Office", function="count", sure=0.2)

    assert _reading(read).on
    assert not _answers(read)
