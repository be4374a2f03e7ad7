"""A page as a whole: charset, language, what is hidden, what has no text."""

from __future__ import annotations

import pytest

from core.ingest.parse.base import ParseLimits
from core.ingest.parse.html import decode_html, document_from_html


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
