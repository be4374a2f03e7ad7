"""Organisations of the catalogue that no span took, or that one took with other words."""

from __future__ import annotations

import pytest

from bench.reader.marks import reading_of
from core.plan.reader.known_names import known_names, with_known_names
from tests.support.known_collection import known_collection

KNOWN = known_collection()


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
