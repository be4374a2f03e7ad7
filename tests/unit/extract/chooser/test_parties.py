"""Names that may be parties."""

from __future__ import annotations

from core.extract.chooser.parties import party_options
from tests.support.document_text import document_text


def test_names_of_the_opening_and_of_signatures_are_candidates() -> None:
    text = (
        'This Agreement is made by and between ACME CORPORATION ("ACME") and Jane Miller ("Artist").\n'
        + "Text. " * 50
        + "\nIN WITNESS WHEREOF\nACME CORPORATION\nBy: /s/ Tom Bell\nName: Tom Bell"
    )

    found = {each.value.text for each in party_options(document_text(text))}

    assert {"ACME CORPORATION", "Jane Miller"} <= found


def test_text_without_names_has_none() -> None:
    assert party_options(document_text("")) == []
