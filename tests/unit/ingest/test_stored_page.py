"""A stored page does nothing, whatever its markup tries."""

from __future__ import annotations

import re

import pytest

from core.ingest.stored_page import CITED, CONTENT_POLICY, render_stored_page

ADDRESS = "https://acme.example/docs/pump.html"


def body_of(markup: str, quote: str = "", address: str = ADDRESS) -> str:
    page = render_stored_page(markup, address, quote)
    return page[page.index("<body>") + 6 : page.index("</body>")]


@pytest.mark.parametrize(
    "markup",
    [
        "<script>alert(1)</script>",
        "<p onclick='alert(1)' style='background:url(https://e.example/x)'>a</p>",
        '<img src="x" onerror="alert(1)" alt="a">',
        '<a href="javascript:alert(1)">a</a>',
        '<a href=" java\tscript:alert(1)">a</a>',
        '<a href="data:text/html,<script>alert(1)</script>">a</a>',
        '<a href="vbscript:x">a</a>',
        '<iframe src="https://e.example"></iframe>',
        '<form action="https://e.example"><input name="q"><button>Go</button></form>',
        '<svg><script>alert(1)</script><a xlink:href="javascript:alert(1)">a</a></svg>',
        '<math><mtext><table><mglyph><style><img src=x onerror="alert(1)">',
        '<link rel="stylesheet" href="https://e.example/a.css"><style>@import "https://e.example"</style>',
        '<meta http-equiv="refresh" content="0;url=https://e.example">',
        '<base href="javascript:alert(1)//"><a href="x">a</a>',
        '<object data="x.swf"></object><embed src="x"><video src="x" poster="y"></video>',
        '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
        '<template><img src=x onerror="alert(1)"></template>',
        '<td background="https://e.example/x.gif">a</td>',
        "<!--><img src=x onerror=alert(1)>-->",
    ],
)
def test_nothing_runs_and_nothing_is_fetched(markup: str) -> None:
    # Text may say anything; what stands in a tag may not.
    tags = " ".join(re.findall(r"<[^>]*>", body_of(markup))).lower()
    for danger in (
        "script",
        " on",
        "src=",
        "style",
        "<img",
        "<form",
        "<iframe",
        "<svg",
        "<meta",
        "<base",
        "data:",
    ):
        assert danger not in tags


def test_links_are_absolute_and_open_in_a_new_tab() -> None:
    body = body_of('<a href="../a.html#x">A</a> <a href="sheet.pdf">B</a> <a href="#here">C</a>')
    assert 'href="https://acme.example/a.html#x" target="_blank" rel="noopener noreferrer nofollow"' in body
    assert 'href="https://acme.example/docs/sheet.pdf"' in body
    assert 'href="https://acme.example/docs/pump.html#here"' in body


def test_relative_links_of_a_file_lead_nowhere() -> None:
    assert "href" not in body_of('<a href="a.html">A</a>', address="/home/me/pump.html")


def test_the_base_of_a_page_is_used() -> None:
    assert "https://cdn.example/v1/a.html" in body_of(
        '<base href="https://cdn.example/v1/"><a href="a.html">A</a>'
    )


def test_an_image_is_a_link_with_its_alternative_text() -> None:
    body = body_of('<img src="img/p.png" alt="The pump"><img src="data:image/gif;base64,AA">')
    assert "[Image: The pump]</a>" in body
    assert 'href="https://acme.example/docs/img/p.png"' in body
    assert body.count("[Image") == 1


def test_the_policy_forbids_everything_but_our_style() -> None:
    page = render_stored_page("<p>a</p>", ADDRESS)
    assert f'content="{CONTENT_POLICY}"' in page
    assert "default-src 'none'" in CONTENT_POLICY
    assert "script" not in CONTENT_POLICY


def test_quoted_words_are_marked_across_elements_and_lines() -> None:
    body = body_of("<p>Check the <b>fan</b>\n  twice a year.</p><p>Other.</p>", "Check the fan twice a year.")
    assert f'<mark id="{CITED}">Check the </mark><b><mark>fan</mark></b><mark>' in body


def test_words_that_stand_twice_are_not_marked() -> None:
    assert "<mark" not in body_of("<p>Check it.</p><p>Check it.</p>", "Check it.")


@pytest.mark.parametrize(
    "markup", ["", "plain words", '<?xml version="1.0"?><html><body><p>a</p></body></html>']
)
def test_odd_markup_is_shown_without_a_warning(markup: str) -> None:
    assert render_stored_page(markup, ADDRESS).startswith("<!doctype html>")


def test_styles_hide_the_same_as_in_the_text_and_never_the_whole_page() -> None:
    hidden = '<p style="font-size:0">no</p><p style="left:-9999px">no</p>'
    shown = body_of(f'<body style="opacity:0"><p>a</p>{hidden}')
    assert "<p>a</p>" in shown
    assert "no<" not in shown


def test_hidden_parts_are_not_shown() -> None:
    assert "no" not in body_of('<p>a</p><p hidden>no</p><div style="display:none"><p hidden>no</p></div>')


def test_the_title_is_text() -> None:
    assert "<title>a &lt;b&gt;</title>" in render_stored_page("<title>a &lt;b&gt;</title><p>x</p>", ADDRESS)


@pytest.mark.parametrize(
    "markup",
    [
        "<html><title>Pumps</title><main><p>Shown words.</p></main></html>",
        "<html><head><title>Pumps</title><main>Shown words.</main></head><body><p>Second.</p></body></html>",
        "<!doctype html><title>Pumps</title><x-page>Shown words.</x-page><link rel=stylesheet href=a.css>",
    ],
)
def test_a_page_that_opens_no_body_is_shown(markup: str) -> None:
    page = render_stored_page(markup, ADDRESS)
    assert "Shown words." in page[page.index("<body>") :]
    assert "<title>Pumps</title>" in page
    assert page.count("Pumps") == 1
