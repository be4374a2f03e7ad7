"""Facts that a page declares about itself."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.domain.document import PAGE_DETAILS
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.html.document import document_from_html


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


def contacts_of(body: str, head: str = "") -> str:
    markup = f"<html><head>{head}</head><body><main><h1>Pump</h1><p>Words.</p></main>{body}</body></html>"
    pages = document_from_html(markup, "page.html", ParseLimits()).pages
    return pages[1].text if len(pages) > 1 else ""


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ('<footer><a href="mailto:a%40acme.io?subject=x">Write</a></footer>', "Contact: a@acme.io"),
        ('<footer><a href="tel:+442079460123">Call</a></footer>', "Contact: +442079460123"),
        ('<p>Questions: <a href="mailto:q@acme.io">mail</a></p>', "Contact: q@acme.io"),
        ("<address>Acme<br>1 Dock Road, 12345 Town</address>", "Contact: Acme 1 Dock Road, 12345 Town"),
        (
            '<div itemtype="https://schema.org/Organization"><a itemprop="email" href="mailto:o@acme.io"></a>'
            '<span itemprop="telephone">020 7946 0123</span></div>',
            "Contact: o@acme.io; 020 7946 0123",
        ),
    ],
)
def test_links_addresses_and_microdata_are_contacts(body: str, line: str) -> None:
    assert contacts_of(body) == line


@pytest.mark.parametrize(
    "body",
    [
        '<p>Ada, <a href="mailto:ada@acme.io">who wrote the third chapter</a></p>',
        '<footer><a href="mailto:?subject=Look">Share</a></footer>',
        "<address>By Ada Lovelace</address>",
    ],
)
def test_a_link_that_is_not_for_contact_is_none(body: str) -> None:
    assert contacts_of(body) == ""


@pytest.mark.parametrize(
    ("node", "line"),
    [
        ({"@type": "Corporation", "email": "mailto:hi@acme.io"}, "Contact: hi@acme.io"),
        (
            {"@type": "WebPage", "publisher": {"@type": "Organization", "telephone": "+1 555 010 9999"}},
            "Contact: +1 555 010 9999",
        ),
        ({"@type": "Thing", "contactPoint": {"telephone": "+1 555 010 8888"}}, "Contact: +1 555 010 8888"),
        (
            {"@type": "Store", "address": {"streetAddress": "1 Way", "addressCountry": {"name": "UK"}}},
            "Contact: 1 Way, UK",
        ),
        (
            {"@type": "LocalBusiness", "address": {"streetAddress": "1 Way", "postalCode": 12345}},
            "Contact: 1 Way, 12345",
        ),
        ({"@type": "Event", "telephone": "+1 555 010 7777"}, ""),
        (
            {"@type": "ItemList", "itemListElement": [{"item": {"@type": "Product", "name": "V-31"}}]},
            "Products: V-31",
        ),
    ],
)
def test_linked_data_names_contacts_and_products(node: dict[str, Any], line: str) -> None:
    script = f'<script type="application/ld+json">{json.dumps(node)}</script>'
    assert contacts_of("", script) == line
