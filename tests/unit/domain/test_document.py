"""Documents as they are called."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.document import file_stem
from tests.support.few_documents import make_document


@pytest.mark.parametrize(
    ("title", "name", "called"),
    [("Lease", "", "Lease"), ("", "", "b.txt"), ("Lease", "Lease · ACME", "Lease · ACME")],
)
def test_a_document_without_a_name_is_called_by_its_title_then_by_its_source(
    title: str, name: str, called: str
) -> None:
    summary = make_document("b", "a/b.txt", title, "text/plain", ["Text."], 1).summary

    assert replace(summary, name=name).name == called


def test_the_stem_of_a_file_is_its_name_without_ending() -> None:
    assert file_stem("contracts\\lease.pdf") == "lease"
