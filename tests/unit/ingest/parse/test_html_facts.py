"""Facts that a page declares about itself."""

from __future__ import annotations

import pytest

from core.domain.document import PAGE_DETAILS
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.html import document_from_html


def details_of(head: str, body: str = "<main><h1>Title</h1><p>Words of the page.</p></main>") -> str:
    markup = f"<html><head>{head}</head><body>{body}</body></html>"
    pages = document_from_html(markup, "page.html", ParseLimits()).pages
    assert all(page.label == PAGE_DETAILS for page in pages[1:])
    return pages[1].text if len(pages) > 1 else ""


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ('<meta property="og:site_name" content="Acme News">', "Publisher: Acme News"),
        ('<meta property="article:published_time" content="2025-03-01T10:00:00Z">', "Published: 2025-03-01"),
        ('<meta name="dcterms.modified" content="March 4, 2025">', "Updated: 2025-03-04"),
        ('<meta name="Author" content="Ada  Lovelace">', "Author: Ada Lovelace"),
        ('<link rev="made" href="mailto:docs@acme.example">', "Contact: docs@acme.example"),
        ('<link rel="canonical" href="https://acme.example/a">', "Address: https://acme.example/a"),
        ('<meta name="keywords" content="a, b">', "Keywords: a, b"),
    ],
)
def test_what_the_head_declares_is_a_line(head: str, line: str) -> None:
    assert details_of(head) == line


def test_linked_data_comes_before_other_marks() -> None:
    data = (
        '{"@graph": [{"@type": "NewsArticle", "datePublished": "2024-05-06", "author": [{"name": "Ada"},'
        ' {"name": "Grace"}], "publisher": {"name": "Acme"}}, {"@type": "Product", "name": "IQ-60"}]}'
    )
    head = f'<script type="application/ld+json">{data}</script><meta name="date" content="2020-01-01">'
    assert details_of(head) == "Publisher: Acme\nPublished: 2024-05-06\nAuthor: Ada; Grace\nProducts: IQ-60"


def test_a_shown_day_counts_where_none_is_declared() -> None:
    body = "<main><p>Words of the page.</p></main><footer>Last updated on October 07, 2026. Bugs?</footer>"
    assert details_of("", body) == "Updated: 2026-10-07"


@pytest.mark.parametrize(
    "head",
    [
        "",
        '<link rel="canonical" href="file:///usr/share/doc/a.html">',
        '<meta name="date" content="soon">',
        '<meta name="date" content="03/04/2021">',
        '<script type="application/ld+json">{"@type": </script>',
    ],
)
def test_a_page_that_declares_nothing_has_no_second_page(head: str) -> None:
    assert details_of(head) == ""
