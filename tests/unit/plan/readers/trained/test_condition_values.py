"""Values in the words of a span, for the field that they are compared with."""

from __future__ import annotations

from datetime import date

import pytest

from bench.reader.marks import reading_of
from core.domain.fields import FieldType
from core.plan.catalogue import ColumnEntry
from core.plan.readers.trained.condition_values import (
    ConditionTarget,
    known_names,
    target_of,
    values_of,
    with_known_names,
)
from tests.support.known_collection import known_collection

KNOWN = known_collection()
TODAY = date(2024, 11, 22)


def _target(schema: str, name: str) -> ConditionTarget:
    entry = KNOWN.field(name, schema)
    assert entry is not None
    return target_of(entry, KNOWN)


def _said(text: str, comparison: str, target: ConditionTarget) -> list[str]:
    found = values_of(text, comparison, target, KNOWN, TODAY)
    return [f"{each.op.value} {' .. '.join(each.values)}".strip() for each in found]


@pytest.mark.parametrize(
    ("text", "comparison", "expected"),
    [
        ("signed after 2010", ">", ["> 2010-12-31"]),
        ("signed after 2010", "between", ["> 2010-12-31"]),
        ("signed after 2010", ">=", ["> 2010-12-31"]),
        ("changed since 2019", "<", ["< 2019-01-01"]),
        ("still valid on 31 December 2025", ">=", [">= 2025-12-31"]),
        ("before 2012", "", ["< 2012-01-01"]),
        ("within 90 days after October 1, 2024", ">", ["between 2024-10-01 .. 2024-12-30"]),
        ("within a year after 1 January 2025", ">", ["between 2025-01-01 .. 2026-01-01"]),
        ("no later than 30 September 2013", "", ["<= 2013-09-30"]),
        ("on 1 May 2020", "=", ["= 2020-05-01"]),
        ("signed 2019", "=", ["between 2019-01-01 .. 2019-12-31"]),
        ("FY2024 (July 1, 2023 to June 30, 2024)", "between", ["between 2023-07-01 .. 2024-06-30"]),
        ("1999 and 2001", "between", ["between 1999-01-01 .. 2001-12-31"]),
        ("2019 or 2020", "between", ["between 2019-01-01 .. 2019-12-31", "between 2020-01-01 .. 2020-12-31"]),
        ("overdue", "", ["< 2024-11-22"]),
        ("still running", "", [">= 2024-11-22"]),
        ("date", ">=", []),
    ],
)
def test_days_are_bounded_by_the_words_and_the_network(
    text: str, comparison: str, expected: list[str]
) -> None:
    assert _said(text, comparison, _target("contracts", "expiration_date")) == expected


@pytest.mark.parametrize(
    ("name", "text", "comparison", "expected"),
    [
        ("contract_value", "worth 100k to 500k", "between", ["between 100000 .. 500000"]),
        ("contract_value", "over $1m", "", ["> 1000000 USD"]),
        ("payment_period", "30 or 60 days", "=", ["in P30D .. P60D"]),
        ("governing_law", "under the law of the Republic of Korea", "=", ["= South Korea"]),
        ("governing_law", "NY law", "=", ["= New York"]),
        ("governing_law", "Quebec or Texas law", "=", ["in Quebec, Canada .. Texas"]),
        ("document_kind", "classified as amendments", "=", ["= amendment"]),
        ("document_name", 'called "Yield Agreement"', "contains", ["contains Yield Agreement"]),
        ("vendor", "with Halden Corporation", "=", ["= Halden Corporation"]),
        ("vendor", "with Cargill", "=", ["= Cargill"]),
        ("insurance", "insured", "=", ["is"]),
        ("contract_value", "expensive", ">", []),
    ],
)
def test_values_are_canonical(name: str, text: str, comparison: str, expected: list[str]) -> None:
    assert _said(text, comparison, _target("contracts", name)) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("payment_method", "by company card", ["= company card"]),
        ("payment_method", "cash", ["= cash"]),
        ("project", "for the Lakeside project", ["= Lakeside"]),
        ("purchase_order", "carry PO 7719", ["= 7719"]),
        ("items", "winter tires 245/75R17", ["= Winter tire 245/75R17"]),
        ("category", "utility", ["= utilities"]),
    ],
)
def test_words_of_the_field_are_no_value(name: str, text: str, expected: list[str]) -> None:
    assert _said(text, "=", _target("invoices", name)) == expected


def test_a_column_of_yes_and_no_is_affirmed_by_its_own_name() -> None:
    column = ColumnEntry("Express", FieldType.TEXT, texts=("no", "yes"))

    assert _said("express", "=", target_of(column, KNOWN)) == ["= yes"]


def test_a_column_has_texts_as_its_cells_write_them() -> None:
    column = ColumnEntry("City", FieldType.TEXT, texts=("Hamburg", "Munich"))

    assert _said("from Munich or hamburg", "=", target_of(column, KNOWN)) == ["in Munich .. Hamburg"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Receipts from Quickstop Tyre Centre?", ["Quickstop Tyre Centre"]),
        ("What did Quickstop charge?", ["Quickstop"]),
        ("Halden's contracts and Castor Builders' invoices", ["Halden", "Castor Builders"]),
        ("castor builders inc. invoices", ["castor builders inc"]),
        ("Is there one with Orion?", []),  # two are called so
        ("What does a builder charge?", []),
        ("Quick stops of the tyre centre", []),
    ],
)
def test_names_are_told_from_other_words(question: str, expected: list[str]) -> None:
    assert [question[each.start : each.end] for each in known_names(question, KNOWN)] == expected


@pytest.mark.parametrize(
    ("operation", "marked", "expected"),
    [
        (
            "list",
            "Which [receipts]{kind} are from Quickstop Tyre Centre?",
            ["kind receipts", "party Quickstop Tyre Centre"],
        ),
        ("list", "All [Halden contracts]{kind}", ["party Halden", "kind contracts"]),
        (
            "list",
            "The contracts that [Halden Corporation supplies]{party}",
            ["value vendor Halden Corporation supplies"],
        ),
        (
            "list",
            "Contracts with [Orion Foods]{party} as customer",
            ["value customer Orion Foods as customer"],
        ),
        (
            "lookup",
            "[End]{?expiration_date} of the [Halden supply deal]{doc}",
            ["asked End", "document Halden supply deal"],
        ),
        ("count", "Contracts [supplied by Halden]{=vendor}", ["value vendor supplied by Halden"]),
    ],
)
def test_a_name_becomes_a_span_of_its_own(operation: str, marked: str, expected: list[str]) -> None:
    read = with_known_names(reading_of(operation, marked, "contracts", is_labelled=True), KNOWN)

    said = [
        " ".join(
            (
                each.role.value,
                *(link.field for link in each.links[:1] if each.role.value == "value"),
                read.text(each),
            )
        )
        for each in read.spans
    ]

    assert said == expected


def test_a_reading_without_such_names_stays_as_it_is() -> None:
    read = reading_of("count", "[signed in 2019]{..agreement_date}", "contracts", is_labelled=True)

    assert with_known_names(read, KNOWN) is read
