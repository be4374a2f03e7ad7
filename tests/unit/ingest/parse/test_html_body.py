"""Pages that open no body have one, as in a browser."""

from __future__ import annotations

import pytest

from core.ingest.parse.base import ParseLimits
from core.ingest.parse.html import document_from_html, html_tree

WORDS = "The pump carries water through the main pipe into the upper tank."
MAIN = f"<main><h1>Pump</h1><p>{WORDS}</p></main>"


@pytest.mark.parametrize(
    "markup",
    [
        f"<html><title>X</title>{MAIN}</html>",
        f"<!doctype html><title>X</title>{MAIN}",
        f"<html><head><title>X</title>{MAIN}</head></html>",
        f"<html><head><title>X</title>{MAIN}</head><body><p>More.</p></body></html>",
        f"<html><title>X</title>{MAIN}<p>After it.</p></html>",
        f"<html><title>X</title><style>p {{}}</style><script>1</script>{MAIN}<script>2</script></html>",
        f"<title>X</title><header><a href=/>Home</a></header><nav><a href=a>A</a></nav>{MAIN}",
        f"<title>X</title><article><h1>Pump</h1><p>{WORDS}</p></article>",
        f"<title>X</title><x-page><p>{WORDS}</p></x-page>",
        f"<title>X</title><figure><img src=a.png><figcaption>{WORDS}</figcaption></figure>",
        f"{MAIN}<html><head><title>X</title></head><body><p>Second.</p></body></html>",
        f"<main>{WORDS}</main>",
        f"<x-page>{WORDS}</x-page>",
        WORDS,
    ],
)
def test_a_page_without_an_opened_body_shows_its_text(markup: str) -> None:
    parsed = document_from_html(markup, "x.html", ParseLimits())
    assert WORDS in parsed.pages[0].text
    assert not parsed.unreadable_reason


def test_the_order_of_a_page_is_kept_and_its_head_keeps_what_is_its_own() -> None:
    root = html_tree(
        "<head><title>X</title><meta name=a><section>One</section> two <link rel=b><p>Three</p></head>"
        "<body>four<p>Five</p></body>"
    )
    assert [each.tag for each in root.find("head")] == ["title", "meta"]
    assert "".join(root.find("body").itertext()).strip() == "One two ThreefourFive"
    assert [each.tag for each in root] == ["head", "body"]


def test_facts_behind_the_first_shown_element_are_read() -> None:
    said = "<link rel=canonical href=https://acme.example/a><meta name=author content='Ann Lee'>"
    markup = f"<title>X</title>{MAIN}{said}"
    details = document_from_html(markup, "x.html", ParseLimits()).pages[1].text
    assert "Author: Ann Lee" in details
    assert "Address: https://acme.example/a" in details


def test_a_head_of_its_own_elements_is_left_alone() -> None:
    root = html_tree(
        f"<head><title>X</title><noscript><p>No</p></noscript><script>1</script></head><body>{MAIN}"
    )
    assert [each.tag for each in root.find("head")] == ["title", "noscript", "script"]
    assert [each.tag for each in root.find("body")] == ["main"]
