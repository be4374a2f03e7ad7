"""Title of a page without its site."""

from __future__ import annotations

import pytest

from core.domain.document import Heading
from core.ingest.parse.html_title import page_title


@pytest.mark.parametrize(
    ("stated", "heading", "title"),
    [
        (
            "json — JSON encoder and decoder — Python 3.11.2 documentation",
            "json — JSON encoder and decoder",
            "json — JSON encoder and decoder",
        ),
        ("PostgreSQL: Documentation: 15: SELECT", "SELECT", "SELECT"),
        ("Getting started | Acme", "Other words", "Getting started"),
        ("Acme - Getting started", "Other words", "Getting started"),
        ("Tutorial — Python 3.11 documentation", "", "Tutorial"),
        ("Cabinet B", "Maintenance", "Cabinet B"),
        ("Receipt BS-5512 - Big Sky Tire", "Receipt", "Receipt BS-5512 - Big Sky Tire"),
        ("Untitled Document", "Maintenance", "Maintenance"),
        ("", "Maintenance", "Maintenance"),
        ("", "", ""),
    ],
)
def test_the_title_is_the_pages_own(stated: str, heading: str, title: str) -> None:
    headings = [Heading(1, 0, len(heading), heading)] if heading else []
    assert page_title(stated, headings, "Acme") == title
