"""What kind of document it is."""

from __future__ import annotations

import pytest

from core.config.schema_store import shipped_schemas
from core.extract.recognise import recognise
from tests.support.document_text import document_text

_SCHEMAS = list(shipped_schemas().values())


@pytest.mark.parametrize(
    ("text", "title", "kind"),
    [
        (
            "This Lease is entered into by and between A Inc. and B LLC. The parties agree.",
            "Lease",
            "contracts",
        ),
        ("RECEIPT\nReceipt number: 7\nSold to: B LLC\nTotal paid: $5.00", "Receipt 7", "invoices"),
        ("Rated power 60 kW\nWeight 74 kg\nDegree of protection IP54", "IQ-60 Datasheet", "datasheets"),
        ("This is to certify that X fulfils the requirements of ISO 9001.", "Certificate", "certificates"),
        ("Maintenance every month. Warning: do not open.", "Maintenance Manual", "manuals"),
    ],
)
def test_a_document_is_known_by_its_words(text: str, title: str, kind: str) -> None:
    assert recognise(document_text(text, title=title), _SCHEMAS).schema == kind


@pytest.mark.parametrize("text", ["", "The whale is the largest animal that ever lived.", "A film of 1994."])
def test_what_is_not_sure_is_generic(text: str) -> None:
    assert recognise(document_text(text, title="Notes"), _SCHEMAS).schema == "generic"
