"""Main content of pages that nobody here made."""

from __future__ import annotations

import pytest

from core.ingest.parse.base import ParseLimits
from core.ingest.parse.html.document import document_from_html

PROSE = "The vacuum command frees space that rows left behind when they were deleted or changed. " * 4


def text_of(body: str, head: str = "") -> str:
    markup = f"<html><head>{head}</head><body>{body}</body></html>"
    return document_from_html(markup, "page.html", ParseLimits()).pages[0].text


@pytest.mark.parametrize(
    "furniture",
    [
        '<div class="navheader"><a href="a">Prev</a> <a href="b">Up</a> <a href="c">Next</a></div>',
        '<div id="sidebar"><ul><li><a href="a">Alpha</a></li><li><a href="b">Beta</a></li></ul></div>',
        '<ul class="breadcrumbs"><li><a href="a">Alpha</a></li><li>Beta</li></ul>',
        '<div role="navigation"><a href="a">Alpha</a></div>',
        '<div class="cookie-consent">Alpha uses cookies. <button>Accept</button></div>',
        '<div class="page-toc"><a href="#x">Alpha</a> <a href="#y">Beta</a></div>',
        '<table><tr><td><a href="a">Prev</a></td><td><a href="b">Home</a></td></tr>'
        '<tr><td><a href="c">Next</a></td></tr></table>',
        '<a href="#content">Skip to main content</a>',
        "<footer>Alpha Inc. All rights reserved.</footer>",
    ],
)
def test_furniture_is_no_text(furniture: str) -> None:
    assert text_of(f"{furniture}<h1>Vacuum</h1><p>{PROSE}</p>") == f"Vacuum\n\n{PROSE.strip()}"


@pytest.mark.parametrize(
    "content",
    [
        '<section id="menus"><h2>Menus</h2><p>A menu widget holds entries.</p></section>',
        '<div class="sidebar"><p>A box of prose that explains, in many more words than any menu would hold,'
        " why the storage format was changed in the release before the last one, what this meant for people"
        " who had written their own tools against it, how they were told, and what they could do when"
        " they met it for the first time.</p></div>",
        '<div class="toc"><a href="one.html">Alpha</a> <a href="two.html">Beta</a></div>',
        "<p>See <a href='a'>Alpha</a> and <a href='b'>Beta</a>.</p>",
        "<blockquote>Words.<footer>Ada Lovelace</footer></blockquote>",
    ],
)
def test_content_that_looks_like_furniture_stays(content: str) -> None:
    text = text_of(f"<main><h1>Vacuum</h1><p>{PROSE}</p>{content}</main>")
    assert len(text) > len(f"Vacuum\n\n{PROSE}") + 5


def test_a_landmark_is_the_page_even_if_it_is_short() -> None:
    menu = "".join(f'<li><a href="{n}">Chapter number {n}</a></li>' for n in range(40))
    assert (
        text_of(f'<ul>{menu}</ul><div role="main"><h1>Futures</h1><p>Only one.</p></div>')
        == "Futures\n\nOnly one."
    )


def test_headings_have_no_permalink_signs() -> None:
    headings = '<h1>Vacuum<a class="headerlink" href="#v">¶</a></h1><h2>Why <a href="#w">#</a></h2>'
    markup = f"<main>{headings}<p>{PROSE}</p></main>"
    page = document_from_html(markup, "page.html", ParseLimits()).pages[0]
    assert [heading.text for heading in page.headings] == ["Vacuum", "Why"]


def test_a_block_of_menus_with_a_motto_goes_as_a_whole() -> None:
    menu = '<div class="menu"><a href="a">Home</a> <a href="b">Download the sources</a></div>'
    head = f"<div><p>Small. Fast.</p>{menu}</div>"
    assert text_of(f"{head}<h1>Vacuum</h1><p>{PROSE}</p>") == f"Vacuum\n\n{PROSE.strip()}"


def test_a_page_of_nothing_but_links_is_kept() -> None:
    assert text_of('<nav><a href="a">Alpha</a> <a href="b">Beta</a></nav>') == "Alpha Beta"


def test_several_articles_are_one_page() -> None:
    articles = "".join(f"<article><h2>Note {n}</h2><p>{PROSE}</p></article>" for n in range(3))
    assert text_of(f"<div>{articles}</div>").count("Note") == 3


def test_the_line_that_says_when_a_page_was_changed_is_no_text() -> None:
    notice = "<p><small>This page last modified on 2022-10-26 20:02:18 UTC</small></p>"
    assert text_of(f"<h1>Vacuum</h1><p>{PROSE}</p>{notice}") == f"Vacuum\n\n{PROSE.strip()}"


def test_terms_stand_above_their_definitions() -> None:
    page = f"<main><h1>Words</h1><dl><dt>Tuple</dt><dd>A row.</dd></dl><p>{PROSE}</p></main>"
    assert "Tuple\nA row." in text_of(page)
