"""The table that a question is about, and the question read over its rows."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from bench.reader.marks import reading_of as marked
from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue, ColumnEntry, DocumentEntry, TableEntry, TablePart
from core.plan.check.checker import check
from core.plan.compile.compiler import compile_reading
from core.plan.compile.context import CompileContext, ReadingError
from core.plan.ir.nodes import Select
from core.plan.readers.trained.reading import FieldLink, QuestionReading, ReadSpan, SpanRole
from core.plan.readers.trained.tables_meant import abbreviates, register_of, table_meant
from core.plan.readers.trained.to_reading import reading_of
from core.plan.reading import Function, Operation, Reading
from core.plan.reading import Operation as Asked
from tests.support.known_collection import known_collection

TODAY = date(2026, 3, 4)
BOATS = TableEntry(
    (
        ColumnEntry("Boat", FieldType.TEXT, rows=4, texts=("Petrel", "Sea Otter", "Kestrel", "Heron")),
        ColumnEntry("Berth", FieldType.TEXT, rows=4, texts=("North pier", "South pier")),
        ColumnEntry("Length (m)", FieldType.NUMBER, "m", rows=4, numbers=("7", "9", "12", "15")),
        ColumnEntry("Built", FieldType.NUMBER, rows=4, low=Decimal(1974), high=Decimal(2016)),
        ColumnEntry("Insured", FieldType.TEXT, rows=4, texts=("yes", "no")),
        ColumnEntry("Fee (EUR)", FieldType.MONEY, "EUR", rows=4, units=("EUR",)),
    ),
    ("b1",),
    rows=4,
    parts=(TablePart("b1", 0, "Boats"),),
)
OWNERS = TableEntry(
    (
        ColumnEntry("Owner", FieldType.TEXT, rows=3, texts=("Ruiz", "Vance", "Okafor")),
        ColumnEntry("Town", FieldType.TEXT, rows=3, texts=("Cobh", "Kinsale")),
    ),
    ("b1",),
    rows=3,
    parts=(TablePart("b1", 1, "Owners"),),
)
BOOK = DocumentEntry("b1", "Harbour", "harbour.xlsx", "default")
NOTE = DocumentEntry("n1", "Notes of a meeting", "notes.md", "default")
KNOWN = Catalogue("harbour", documents=(BOOK,), tables=(BOATS, OWNERS))
MIXED = replace(KNOWN, fingerprint="harbour and notes", documents=(BOOK, NOTE))
REGISTER = DocumentEntry("r1", "Invoice register 2024", "register.csv", "", schema="invoices")
LINES = DocumentEntry("r2", "Invoice 88", "invoice-88.pdf", "", schema="invoices")
COLUMNS = (
    ColumnEntry("date", FieldType.DATE),
    ColumnEntry("supplier", FieldType.TEXT, texts=("Halden Corporation", "Brightwater LLC")),
    ColumnEntry("category", FieldType.TEXT, texts=("fleet", "services")),
    ColumnEntry("amount_usd", FieldType.MONEY, "USD"),
)
OF_LINES = (ColumnEntry("Item", FieldType.TEXT), ColumnEntry("Amount", FieldType.MONEY, "USD"))
WITH_REGISTER = replace(
    known_collection(),
    fingerprint="registers",
    documents=(REGISTER, LINES),
    tables=(
        TableEntry(OF_LINES, ("r2",), "invoices", 2, (TablePart("r2", 0),)),
        TableEntry(COLUMNS, ("r1",), "invoices", 9, (TablePart("r1", 0),)),
    ),
)
MONTHS = Catalogue(
    "months",
    documents=tuple(
        DocumentEntry(f"m{at}", f"landings-2025-0{at}", f"landings-2025-0{at}.csv", "default")
        for at in (1, 2, 3)
    ),
    tables=(
        TableEntry(
            (
                ColumnEntry("Quay", FieldType.TEXT, texts=("Vik", "Sund")),
                ColumnEntry("Crates", FieldType.NUMBER),
            ),
            ("m1", "m2", "m3"),
            rows=6,
            parts=tuple(TablePart(f"m{at}", 0) for at in (1, 2, 3)),
        ),
    ),
)


def _read(
    operation: str, question: str, function: str = "", **spans: tuple[SpanRole, str]
) -> QuestionReading:
    """A reading of the network. spans: words with blanks as underscores, with their part and column."""
    made = []
    for key, (role, column) in spans.items():
        words = key.replace("_", " ")
        links = (FieldLink("", column, 0.9),) if column else ()
        start = question.index(words)
        made.append(ReadSpan(start, start + len(words), role, False, links, 0.95))
    return QuestionReading(
        question, ((Operation(operation), 0.95),), tuple(made), 0.8, (), ((function, 1.0),)
    )


def _reading(read: QuestionReading, known: Catalogue = KNOWN) -> Reading:
    return reading_of(read, known, TODAY)


def _answers(read: QuestionReading, known: Catalogue = KNOWN) -> bool:
    reading = _reading(read, known)
    plan = compile_reading(reading, CompileContext(known, TODAY))
    return check(plan, reading, known).answers


def test_the_table_that_has_cells_and_columns_of_the_question_is_meant() -> None:
    boats = table_meant(_read("count", "how many moor at the South pier"), KNOWN)
    owners = table_meant(_read("list", "owners from Kinsale"), KNOWN)

    assert boats is not None
    assert boats.table is BOATS
    assert owners is not None
    assert owners.table is OWNERS


def test_beside_other_documents_a_table_needs_more_than_its_name() -> None:
    assert table_meant(_read("text", "what did the meeting say of boats"), MIXED) is None
    assert table_meant(_read("count", "how many boats lie at the North pier"), MIXED) is not None


def test_a_table_in_a_paper_is_no_spreadsheet() -> None:
    paper = replace(KNOWN, fingerprint="paper", documents=(replace(BOOK, source="harbour.pdf"),))

    assert table_meant(_read("count", "how many lie at the North pier"), paper) is None


def test_words_that_are_cells_and_that_nothing_took_are_conditions() -> None:
    found = _reading(_read("count", "how many boats lie at the South pier", "count"))

    assert [(each.field.name, each.values) for each in found.conditions] == [("Berth", ("South pier",))]


def test_a_name_that_is_a_cell_is_one() -> None:
    found = _reading(_read("lookup", "the fee of Sea Otter", Sea_Otter=(SpanRole.DOCUMENT, "")))

    assert not found.names
    assert [(each.field.name, each.values) for each in found.conditions] == [("Boat", ("Sea Otter",))]


def test_a_column_behind_per_is_what_results_are_grouped_by() -> None:
    found = _reading(_read("compute", "fee per berth", "sum", fee=(SpanRole.ASKED, "Fee (EUR)")))

    assert found.operation is Asked.GROUP
    assert [each.name for each in found.groups] == ["Berth"]


def test_a_column_of_yes_and_no_that_is_named_says_yes() -> None:
    found = _reading(_read("count", "how many boats are insured", "count"))

    assert [(each.field.name, each.values) for each in found.conditions] == [("Insured", ("yes",))]


def test_how_much_of_rows_is_a_sum() -> None:
    fee = (SpanRole.ASKED, "Fee (EUR)")
    found = _reading(_read("lookup", "how much fee does Petrel pay", fee=fee))

    assert (found.operation, found.function) == (Asked.COMPUTE, Function.SUM)


def test_what_is_ordered_is_computed_where_nothing_else_is() -> None:
    found = _reading(
        _read("compute", "greatest length", "max", greatest_length=(SpanRole.ORDER, "Length (m)"))
    )

    assert [each.name for each in found.asked] == ["Length (m)"]


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("which vessels lie at the South pier", True),  # what the rows are
        ("which boats moor at the South pier", True),  # and what they do
        ("which boats lie at the South pier all winter under tarpaulin", False),
        ("which owners lie at the South pier", False),  # another sheet
    ],
)
def test_a_noun_for_rows_and_a_verb_may_be_left_where_all_are_tables(question: str, answers: bool) -> None:
    assert _answers(_read("list", question)) is answers


def test_beside_other_documents_nothing_may_be_left() -> None:
    assert _answers(_read("list", "which boats are at the South pier"), MIXED)
    assert not _answers(_read("list", "which meetings were at the South pier"), MIXED)


def test_years_and_words_in_no_cell_are_refused() -> None:
    years = _reading(_read("compute", "all that was built", "sum", built=(SpanRole.ASKED, "Built")))
    cells = _reading(_read("list", "boats out of sight", out_of_sight=(SpanRole.VALUE, "Berth")))

    for reading in (years, cells):
        with pytest.raises(ReadingError):
            compile_reading(reading, CompileContext(KNOWN, TODAY))


def test_the_first_table_of_a_document_is_asked_alone() -> None:
    reading = _reading(_read("count", "how many boats lie at the South pier", "count"))
    plan = compile_reading(reading, CompileContext(KNOWN, TODAY))

    assert [node.tables for node in plan.nodes if isinstance(node, Select)] == [("b1|0",)]


def test_a_column_that_is_called_by_its_name_and_denied_is_missing() -> None:
    question = "which boats have no berth"
    start = question.index("berth")
    span = ReadSpan(start, len(question), SpanRole.CONDITION, True, (FieldLink("", "Berth", 0.9),), 0.95)
    read = QuestionReading(question, ((Operation.LIST, 0.95),), (span,), 0.8)

    (found,) = _reading(read).conditions

    assert (found.field.name, found.values, found.negated) == ("Berth", (), True)


def test_nothing_is_counted_where_something_is_to_be_computed_that_nothing_says() -> None:
    reading = _reading(
        _read("compute", "depth of boats at the South pier", South_pier=(SpanRole.VALUE, "Berth"))
    )
    bare = reading.model_copy(update={"function": Function.NONE, "asked": ()})

    with pytest.raises(ReadingError):
        compile_reading(bare, CompileContext(KNOWN, TODAY))


@pytest.mark.parametrize(
    ("short", "word"),
    [
        ("Qty", "quantity"),
        ("Cust.", "customer"),
        ("Anl.", "analyst"),
        ("Cur.", "currency"),
        ("Rec'd", "received"),
    ],
)
def test_a_word_of_a_header_is_short_for_another(short: str, word: str) -> None:
    assert abbreviates(short, word)


@pytest.mark.parametrize(
    ("short", "word"), [("Age", "agent"), ("Out", "outstanding"), ("Qty", "country"), ("Fee", "fee")]
)
def test_a_word_that_only_begins_alike_is_not(short: str, word: str) -> None:
    assert not abbreviates(short, word)


def _read_register(operation: str, text: str, document: DocumentEntry = REGISTER) -> Reading:
    read = marked(operation, text, "invoices", is_labelled=True)
    return reading_of(read, WITH_REGISTER, date(2024, 11, 22), documents=lambda _: (document,))


def test_only_a_table_of_papers_is_a_register() -> None:
    assert register_of((REGISTER,), WITH_REGISTER) is WITH_REGISTER.tables[1]
    assert register_of((LINES,), WITH_REGISTER) is None
    assert register_of((REGISTER, LINES), WITH_REGISTER) is None


def test_fields_become_columns_of_the_register() -> None:
    found = _read_register(
        "group/sum", "[Amount]{?total} by [vendor]{by vendor} in the [invoice register]{doc}"
    )

    assert found.is_rows
    assert [each.name for each in found.asked] == ["amount_usd"]
    assert [each.name for each in found.groups] == ["supplier"]


def test_words_that_are_cells_are_conditions() -> None:
    found = _read_register(
        "compute/sum", "[Amounts]{?total} that the [invoice register]{doc} has under services"
    )

    assert [(each.field.name, each.values) for each in found.conditions] == [("category", ("services",))]


def test_the_greatest_of_many_rows_are_those_of_groups() -> None:
    found = _read_register(
        "rank/desc", "[top]{order total} [two]{limit} [vendors]{?vendor} of the [invoice register]{doc}"
    )

    assert (found.operation, found.function) == (Operation.GROUP, Function.SUM)
    assert [each.name for each in found.groups] == ["supplier"]


def test_a_paper_with_lines_keeps_its_fields() -> None:
    found = _read_register("lookup", "[Total]{?total} of [invoice 88]{doc}", LINES)

    assert not found.is_rows
    assert [each.name for each in found.asked] == ["total"]


def test_a_value_that_no_paper_states_names_a_table() -> None:
    found = _read_register("compute/avg", "average [amount]{?total} of [fuel]{=category} bills", LINES)

    assert found.is_rows
    assert [(each.words, each.documents) for each in found.names] == [("fuel", ("r2",))]


def test_a_value_that_papers_state_stays_one() -> None:
    found = _read_register("compute/avg", "average [amount]{?total} of [vehicle]{=category} bills", LINES)

    assert not found.is_rows


def test_the_total_of_a_column_is_summed_up() -> None:
    found = _read_register(
        "lookup", "[total]{?total} of the [fleet]{=category} lines in the [invoice register]{doc}"
    )

    assert (found.operation, found.function) == (Operation.COMPUTE, Function.SUM)


def test_words_by_which_only_a_file_is_called_are_no_value_of_a_column() -> None:
    named = {"crates": (SpanRole.ASKED, "Crates"), "landings-2025-02": (SpanRole.VALUE, "Quay")}
    found = _reading(_read("compute", "total crates in landings-2025-02", "sum", **named), MONTHS)

    assert not found.conditions
    assert found.tables == ("m2|0",)


def test_where_only_files_of_rows_are_registered_one_cell_says_which_is_meant() -> None:
    alone = replace(MONTHS, fingerprint="datasets", documents=(), tables=(), datasets=MONTHS.tables)

    assert table_meant(_read("list", "all of Vik"), alone) is not None
    assert table_meant(_read("list", "all of Bergen"), alone) is None


@pytest.mark.parametrize(("verb", "answers"), [("moored", True), ("built", False)])
def test_the_verb_that_may_be_left_is_no_column(verb: str, answers: bool) -> None:
    question = f"how many boats at the North pier {verb}"
    read = _read("count", question, "count", North_pier=(SpanRole.VALUE, "Berth"))
    assert _answers(read, replace(KNOWN, fingerprint="boats", tables=(BOATS,))) is answers
