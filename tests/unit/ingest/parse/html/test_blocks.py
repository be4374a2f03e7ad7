"""Blocks of a page: lists, tables, code, pictures."""

from __future__ import annotations

import pytest

from core.ingest.parse.base import ParseLimits
from core.ingest.parse.html.document import document_from_html

IMAGE = '<img src="a.png" alt="The pump, opened">'


def test_blocks_come_in_reading_order() -> None:
    markup = """<main><h1>Pump</h1><ul><li>One</li><li>Two</li></ul><pre>a = 1
  b = 2</pre><table><tr><th>Size</th><th>Flow</th></tr><tr><td rowspan=2>S</td><td>1 l</td></tr>
  <tr><td>2 l</td></tr></table>
  <table><tr><td rowspan=0>M</td><td>3 l</td><td>2 bar</td><td rowspan=2>iron</td></tr>
  <tr><td>4 l</td><td>5 bar</td></tr></table><p>See <img src="p.png" alt="The pump, opened"> and
  <a href="pump.pdf?v=2">the sheet</a>.</p></main>"""
    parsed = document_from_html(markup, "pump.html", ParseLimits())
    text = parsed.pages[0].text
    assert "- One\n- Two" in text
    assert "a = 1\n  b = 2" in text
    assert "Size | Flow\nS | 1 l\nS | 2 l" in text
    assert "M | 3 l | 2 bar | iron\nM | 4 l | 5 bar | iron" in text
    assert "See The pump, opened and the sheet." in text
    assert [(link.kind, link.target) for link in parsed.links] == [
        ("image", "p.png"),
        ("pdf", "pump.pdf?v=2"),
    ]
    assert [(each.level, each.text) for each in parsed.pages[0].headings] == [(1, "Pump")]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (f"<figure>{IMAGE}<figcaption>The pump, opened.</figcaption></figure>", "The pump, opened."),
        (
            f"<figure><a href=b>{IMAGE}</a><figcaption>Figure 1: The pump, opened</figcaption></figure>",
            "Figure 1: The pump, opened",
        ),
        (f"<div><a href=b>{IMAGE}</a><div>The pump, opened</div></div>", "The pump, opened"),
        (f"<p><a href=b>{IMAGE} The pump, opened</a></p>", "The pump, opened"),
        (f"<p>{IMAGE}</p>", "The pump, opened"),
        (f"<p>See {IMAGE} here.</p>", "See The pump, opened here."),
        (
            f"<figure>{IMAGE}<figcaption>Side view</figcaption></figure>",
            "The pump, opened\n\nSide view",
        ),
    ],
)
def test_an_alternative_text_and_its_caption_are_read_once(body: str, text: str) -> None:
    markup = f"<html><body><main><h1>Pump</h1>{body}<p>Words.</p></main></body></html>"
    page = document_from_html(markup, "page.html", ParseLimits()).pages[0].text
    assert page == f"Pump\n\n{text}\n\nWords."


def text_of(body: str) -> str:
    markup = f"<html><body><main>{body}</main></body></html>"
    return document_from_html(markup, "page.html", ParseLimits()).pages[0].text


@pytest.mark.parametrize(
    ("items", "text"),
    [
        ("<ol><li>Close valve V-31</li><li><p>Open it</p></li></ol>", "1. Close valve V-31\n2. Open it"),
        ("<ol start=4><li>a</li><li value=9>b</li><li>c</li></ol>", "4. a\n9. b\n10. c"),
        ("<ol reversed><li>a</li><li>b</li></ol>", "2. a\n1. b"),
        ("<ol type=a><li>x</li><li>y</li></ol>", "a. x\nb. y"),
        ('<ol start="27" type=A><li>x</li></ol>', "AA. x"),
        ("<ol type=i start=4><li>x</li><li type=I>y</li></ol>", "iv. x\nV. y"),
        ('<ol style="list-style-type: lower-roman"><li>x</li></ol>', "i. x"),
        ('<ol style="list-style: none"><li>x</li></ol>', "- x"),
        ("<ol start=0 type=a><li>x</li></ol>", "0. x"),
        ("<ol start=many><li>x</li><li></li><li>z</li></ol>", "1. x\n3. z"),
        ("<ul><li>x</li><li>y</li></ul>", "- x\n- y"),
    ],
)
def test_items_have_the_marks_that_a_browser_shows(items: str, text: str) -> None:
    assert text_of(items) == text


def test_lists_in_lists_count_for_themselves_and_are_indented() -> None:
    inner = "<ol type=a><li>left</li><li>right<ul><li>far</li></ul></li></ol>"
    markup = f"<p>Do this:</p><ol><li>Turn{inner}</li><li>Close</li></ol><p>Done.</p>"
    assert text_of(markup) == "Do this:\n1. Turn\n  a. left\n  b. right\n    - far\n2. Close\n\nDone."


def test_steps_in_a_cell_keep_their_numbers() -> None:
    cell = "<ol><li>Stop it.</li><li>Wait.</li></ol>"
    table = f"<table><tr><th>Fault</th><th>Do</th></tr><tr><td>Hot</td><td>{cell}</td></tr></table>"
    assert text_of(table) == "Fault | Do\nHot | 1. Stop it. 2. Wait."
