"""A page as a whole: charset, language, what is hidden, what has no text."""

from __future__ import annotations

import pytest

from core.domain.document import Heading
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.html.document import decode_html, document_from_html, html_tree, page_title

WORDS = "The pump carries water through the main pipe into the upper tank."
MAIN = f"<main><h1>Pump</h1><p>{WORDS}</p></main>"


def test_the_charset_that_a_page_names_is_used() -> None:
    assert "Grüße" in decode_html('<meta charset="windows-1252"><p>Grüße</p>'.encode("cp1252"))


def test_a_wrong_charset_does_not_stop_reading() -> None:
    assert "Grüße" in decode_html('<meta charset="no-such"><p>Grüße</p>'.encode())


def test_what_the_page_hides_is_not_read() -> None:
    markup = "<style>.x, #y {display: none}</style><p>Shown <b class=x>not</b>"
    markup += "<i id=y>nor</i> words<u hidden>no</u>.</p>"
    assert document_from_html(markup, "a.html", ParseLimits()).pages[0].text == "Shown words."


def test_the_language_is_the_stated_one_where_the_text_is_too_short() -> None:
    assert (
        document_from_html('<html lang="de-AT"><p>Ja.</p></html>', "a.html", ParseLimits()).language == "de"
    )


@pytest.mark.parametrize(
    "markup", ["", "<!-- only -->", "<html></html>", '<script>document.write("x")</script>']
)
def test_a_page_without_text_is_unreadable_and_has_one_page(markup: str) -> None:
    parsed = document_from_html(markup, "shell.html", ParseLimits())
    assert len(parsed.pages) == 1
    assert parsed.unreadable_reason


def test_what_stands_behind_the_end_of_a_page_is_part_of_it() -> None:
    markup = "<html><body><p>Before the end.</p></body></html><p>Behind <a href='/x.pdf'>the end</a>.</p>"
    (page,) = document_from_html(markup, "page.html", ParseLimits()).pages
    assert page.text == "Before the end.\n\nBehind the end."


def test_a_title_in_the_body_and_what_stands_in_noframes_are_no_text() -> None:
    markup = "<p>Before the page.</p><html><head><title>X</title></head><body><p>Words.</p></body></html>"
    assert document_from_html(markup, "a.html", ParseLimits()).pages[0].text == "Before the page.\n\nWords."
    frames = "<html><frameset><frame src=a.html><noframes><body><p>Get a browser.</p></noframes></frameset>"
    assert not document_from_html(frames, "a.html", ParseLimits()).pages[0].text


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
