"""Patterns, headings, keys and table columns as ways to find a field."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.config.fields import (
    FieldDefinition,
    HeadingExtractor,
    KeyValueExtractor,
    PatternExtractor,
    TableExtractor,
)
from core.config.schema_store import shipped_schemas
from core.domain.fields import CellStatus, FieldType, Finding
from core.extract.base import DocumentText
from core.extract.headings import find_under_headings, parts_of, sections
from core.extract.key_value import find_beside_keys, pairs_row, stems
from core.extract.patterns import find_patterns
from core.extract.tables import find_in_columns, read_rows
from tests.support.document_text import document_text


def _field(kind: str = "text", **values: Any) -> FieldDefinition:
    return FieldDefinition(name="asked", title="Asked", type=FieldType(kind), **values)


def _keyed(text: str | DocumentText, kind: str, *keys: str, **values: Any) -> Finding | None:
    document = document_text(text) if isinstance(text, str) else text
    return find_beside_keys(document, _field(kind, **values), KeyValueExtractor(keys=keys))


def _text(finding: Finding | None) -> str:
    assert finding is not None
    assert finding.status is CellStatus.PRESENT, finding
    return finding.values[0].text


@pytest.mark.parametrize(
    ("text", "kind", "key", "value"),
    [
        ("Invoice number: 07\nTotal: 5", "text", "invoice number", "07"),
        ("Invoice No. : A-7", "text", "invoice number", "A-7"),
        ("**Invoice numbers:** A-7", "text", "invoice number", "A-7"),
        ("Weight ........ 74 kg", "number", "weight", "74000"),
        ("Weight: | 74 kg | Noise: | low", "number", "weight", "74000"),
        ("Invoice number:   A-7     Date:   May 1, 2024", "date", "date", "2024-05-01"),
        ("Weight | 74 kg\nNoise | low", "number", "weight", "74000"),
        ("| Weight | 74 kg |", "number", "weight", "74000"),
        ("Weight\t74 kg", "number", "weight", "74000"),
        ("Maximum system voltage 1,500 V DC", "number", "maximum system voltage", "1500"),
        ("It has a panel width of 1,096 mm, a height of 1,900 mm.", "number", "height", "1900"),
        ("The width of the AS-330 is about 992 mm.", "number", "width", "992"),
        ("Total paid: $796.00. Paid by card.", "money", "total paid", "796.00"),
        ("Invoice date\n30 September 2024\nOther", "date", "invoice date", "2024-09-30"),
        ("Bill to:\nNorthwind Utilities LLC\n", "party", "bill to", "Northwind Utilities LLC"),
        ("Sold to: Northwind Utilities LLC, fleet department", "party", "sold to", "Northwind Utilities LLC"),
        ("Glazing:\n[ ] single\n[x] triple", "text", "glazing", "triple"),
        ("Number: QM-48213. Valid from May 14, 2023.", "text", "number", "QM-48213"),
    ],
)
def test_a_value_beside_its_key_is_found(text: str, kind: str, key: str, value: str) -> None:
    assert _text(_keyed(text, kind, key)) == value


@pytest.mark.parametrize(
    ("text", "kind", "key"),
    [
        ("Weight: heavy", "number", "weight"),
        ("The total quantity: 5", "money", "total"),
        (
            "Warranty\nTwenty-five years on power output and fifteen years on the product.",
            "duration",
            "warranty",
        ),
    ],
)
def test_what_is_no_value_of_the_type_is_left_alone(text: str, kind: str, key: str) -> None:
    assert _keyed(text, kind, key) is None


def test_the_first_key_that_has_a_value_counts() -> None:
    text = "Total: $5.00\nAmount due: $7.00"

    assert _text(_keyed(text, "money", "amount due", "total")) == "7.00"


def test_two_different_values_are_uncertain_and_both_shown() -> None:
    finding = _keyed("Date: May 1, 2024\nDate: May 2, 2024", "date", "date")

    assert finding is not None
    assert finding.status is CellStatus.UNCERTAIN
    assert [each.value.text for each in finding.candidates if each.value] == ["2024-05-01", "2024-05-02"]
    assert "2 different values" in finding.note


def test_a_key_may_name_the_currency() -> None:
    finding = _keyed("Total (EUR): 1,500.00", "money", "total")

    assert finding is not None
    assert (finding.values[0].text, finding.values[0].unit) == ("1500.00", "EUR")


def test_the_same_value_twice_is_one_fact() -> None:
    assert (
        _text(_keyed("Capacity: 120 kWh\nIt has a capacity of 120 kWh.", "number", "capacity", unit="kWh"))
        == "120"
    )


def test_a_date_with_two_readings_is_uncertain_and_says_so() -> None:
    finding = _keyed("Date: 03/04/2021", "date", "date")

    assert finding is not None
    assert finding.status is CellStatus.UNCERTAIN
    assert "two ways" in finding.note


def test_a_span_holds_the_characters_of_the_value() -> None:
    document = document_text("Page one", "Weight | about 74 kg")
    finding = _keyed(document, "number", "weight")

    assert finding is not None
    quote = finding.spans[0]
    assert quote.quote == "74 kg"
    assert document.pages[1].text[quote.span.start : quote.span.end] == "74 kg"


def test_keys_are_compared_by_stems() -> None:
    assert stems("Invoice Dates (issued):") == stems("the invoice date")
    assert stems("Invoice No.") == stems("Invoice #") == stems("invoice number")


def test_the_pairs_of_a_document_are_one_row_with_spans() -> None:
    row = pairs_row(document_text("Invoice number: 07\nDate: May 1, 2024\nTotal: $5.00\nsee: below"))

    assert row is not None
    assert row.table == -1
    assert [(cell.column, cell.value.text) for cell in row.cells] == [
        ("Invoice number", "07"),
        ("Date", "2024-05-01"),
        ("Total", "5.00"),
    ]


def test_a_row_of_a_table_is_no_pair_but_keys_beside_values_are_both() -> None:
    named = document_text("Item | Qty\nItem: Pen | Qty: 4\nItem: Ink | Qty: 5\n\nTotal: 9")
    keyed = document_text("Charge | Sum due\nRent | $5.00\nHeat | $7.00")

    rows = [pairs_row(replace(each, rows=tuple(read_rows(each)[0]))) for each in (named, keyed)]

    assert [[(cell.column, cell.value.text) for cell in row.cells] for row in rows if row] == [
        [("Total", "9")],
        [("Rent", "5.00"), ("Heat", "7.00")],
    ]


def _matched(text: str, kind: str, *patterns: str, **values: Any) -> Finding | None:
    extractor = PatternExtractor(patterns=patterns, **values)
    many = bool(values.get("take"))
    return find_patterns(document_text(text), _field(kind, many=many), extractor)


def test_group_one_of_a_pattern_is_the_value() -> None:
    finding = _matched("It weighs 18.4 kg, é and no more.", "number", r"weighs\s+(\S+ kg)")

    assert _text(finding) == "18400"


def test_offsets_hold_after_letters_of_several_bytes() -> None:
    finding = _matched("Größe über Maß: weighs 18.4 kg", "number", r"weighs\s+(\S+ kg)")

    assert finding is not None
    assert finding.spans[0].quote == "18.4 kg"


def test_a_pattern_may_take_the_sentence_around_it() -> None:
    finding = _matched(
        "Clean it first. Fans are replaced every five years. Then rest.",
        "text",
        r"every\s+\w+\s+years",
        take="sentence",
    )

    assert _text(finding) == "Fans are replaced every five years"


def test_a_pattern_on_a_clause_says_that_it_is_there() -> None:
    finding = _matched("Neither party is liable for acts of God.", "boolean", r"(?i)acts?\s+of\s+god")

    assert finding is not None
    assert finding.values[0].text == "true"
    assert finding.spans[0].quote == "acts of God"


def test_the_top_is_looked_at_only() -> None:
    text = "x" * 5_000 + " code 77"

    assert _matched(text, "text", r"code (\d+)", scope="top") is None


def test_a_pattern_that_would_backtrack_for_ever_ends_at_once() -> None:
    assert _matched("a" * 50_000 + "!", "text", r"(a+)+$") is None


def _headed(text: str, *headings: str, kind: str = "boolean") -> Finding | None:
    return find_under_headings(document_text(text), _field(kind), HeadingExtractor(headings=headings))


_BODY = "Neither party is liable for a delay that events beyond its control have caused.\n"


def test_a_section_under_its_heading_is_a_clause() -> None:
    finding = _headed(
        f"{'Preamble text. ' * 10}\n\n11. FORCE MAJEURE\n{_BODY}\n12. NOTICES\nOther.", "force majeure"
    )

    assert finding is not None
    assert finding.status is CellStatus.PRESENT
    assert finding.spans[0].quote == _BODY.strip()


def test_a_heading_at_the_begin_of_a_paragraph_counts() -> None:
    finding = _headed(f"{'Preamble text. ' * 10}\n\n7.2 Force Majeure. {_BODY}", "force majeure")

    assert finding is not None
    assert finding.spans[0].quote.startswith("Neither party")


def test_an_entry_of_a_table_of_contents_is_no_clause() -> None:
    assert _headed("CONTENTS\n11. FORCE MAJEURE\n12. NOTICES\n13. GENERAL\n", "force majeure") is None


def test_a_heading_names_its_parts() -> None:
    assert "termination" in parts_of("7. Term and Termination")
    assert "non-disclosure" in parts_of("ARTICLE IV - Confidentiality; Non-Disclosure")
    assert "termination" not in parts_of("Effects before the Termination Date")


def test_sections_end_at_the_next_heading_of_their_level() -> None:
    document = document_text("# One\ntext\n## Two\nmore\n# Three\nend")

    found = [(each.title, document.text[each.body : each.end].strip()) for each in sections(document)]

    assert [title for title, _ in found] == ["# One", "## Two", "# Three"]
    assert found[0][1] == "text\n## Two\nmore"


def _columned(text: str, *columns: str, row: str = "", many: bool = True) -> Finding | None:
    document = document_text(text)
    document = replace(document, rows=tuple(read_rows(document)[0]))
    return find_in_columns(document, _field(many=many), TableExtractor(columns=columns, row=row))


_ITEMS = "Item | Quantity | Amount\nWinter tire | 4 | $868.00\nWheel alignment | 1 | $99.00\n"


def test_a_column_gives_the_values_of_all_rows() -> None:
    finding = _columned(_ITEMS, "description", "item")

    assert finding is not None
    assert [value.text for value in finding.values] == ["Winter tire", "Wheel alignment"]
    assert [quote.quote for quote in finding.spans] == ["Winter tire", "Wheel alignment"]


def test_a_column_gives_the_value_of_the_row_that_is_named() -> None:
    assert _text(_columned(_ITEMS, "quantity", row="wheel alignment", many=False)) == "1"


def _found(field: str, text: str) -> Finding | None:
    definition = next(each for each in shipped_schemas()["contracts"].fields if each.name == field)
    pattern = next(each for each in definition.extractors if isinstance(each, PatternExtractor))
    return find_patterns(document_text(text), definition, pattern)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("severability", "If any provision is held to be void, the remaining provisions stay in force."),
        ("severability", "The invalidity of a provision shall not affect the others."),
        ("severability", "Should a provision be illegal, it is replaced by one that comes closest to it."),
        ("amendment_and_waiver", "This Agreement may be amended only by a written instrument."),
        ("amendment_and_waiver", "No modification shall be binding unless executed in writing."),
        ("amendment_and_waiver", "Amendments of this lease need the written form."),
    ],
)
def test_a_clause_in_its_usual_words_is_there(field: str, text: str) -> None:
    found = _found(field, text)
    assert found is not None
    assert found.status is CellStatus.PRESENT
    assert found.spans[0].quote in text


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("severability", "A cheque without a signature is void. The rest is paid in cash."),
        ("amendment_and_waiver", "The Amendment will be effective as of July 5, upon the signature of Acme."),
        ("amendment_and_waiver", "The Supplier notifies the Customer of changes in writing."),
    ],
)
def test_a_sentence_of_something_else_is_no_clause(field: str, text: str) -> None:
    assert _found(field, text) is None
