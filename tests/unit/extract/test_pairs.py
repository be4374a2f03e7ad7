"""Keys and values as papers lay them out."""

from __future__ import annotations

from typing import Any

import pytest

from core.config.fields import FieldDefinition, KeyValueExtractor
from core.domain.fields import FieldType
from core.extract.key_value import find_beside_keys
from core.extract.pairs import find_pairs
from tests.support.document_text import document_text


def _field(kind: str, **values: Any) -> FieldDefinition:
    return FieldDefinition(name="asked", title="Asked", type=FieldType(kind), **values)


@pytest.mark.parametrize(
    ("kind", "keys", "text", "values"),
    [
        ("date", ("due date",), "Jan 31, 2022\n$127.50\nDue Date:\nTotal:\nItem Rate\n", ["2022-01-31"]),
        ("date", ("date",), ":   Date May 8, 2018\n:   Place: Hall\n", ["2018-05-08"]),
        ("text", ("facture n\u00b0",), "Facture n\u00b0 2022089083\n", ["2022089083"]),
        ("text", ("invoice no",), "Invoice No: CS-12 DATE: 28/12/2017\n", ["CS-12"]),
        ("text", ("name of registrant",), "ACME CORP.\n(Name of registrant)\n", ["ACME CORP"]),
        ("money", ("totaal",), "Totaal \u20ac 4.904,94\n", ["4904.94"]),
        ("text", ("rechnungsnr",), "Rechnungsnr.\nNordwind AG\n", []),
        ("text", ("guests",), ":   Guests:\n:   Quorum\n", []),
    ],
)
def test_keys_are_read_as_papers_lay_them_out(
    kind: str, keys: tuple[str, ...], text: str, values: list[str]
) -> None:
    finding = find_beside_keys(document_text(text), _field(kind), KeyValueExtractor(keys=keys))

    assert [each.text for each in (finding.values if finding else ())] == values


@pytest.mark.parametrize(
    "text",
    [
        "Present: Ann, Ben, Tom D. Reed\n",
        "-   Present:\n    -   Ann\n    -   Ben\n    -   Tom D. Reed\n-   Guests:\n",
    ],
)
def test_a_list_is_read_part_by_part(text: str) -> None:
    finding = find_beside_keys(
        document_text(text), _field("text", many=True), KeyValueExtractor(keys=("present",))
    )

    assert finding is not None
    assert [each.text for each in finding.values] == ["Ann", "Ben", "Tom D. Reed"]


def test_a_list_of_keys_without_values_is_one_value_and_ends_soon() -> None:
    text = "Open:\n" + "- A=\n" * 20_000
    assert len(list(find_pairs(text))) <= len(text) / 500
