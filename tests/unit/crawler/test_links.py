from __future__ import annotations

import pytest

from crawler.links import HeaderHints, PageMarkup, read_markup

URL = "http://site.example/docs/page.html"


def read(markup: str, hints: HeaderHints | None = None) -> PageMarkup:
    return read_markup(markup, URL, "utf-8", hints)


def urls(markup: str) -> list[str]:
    return [link.address.url.removeprefix("http://site.example") for link in read(markup).links]


@pytest.mark.parametrize(
    ("element", "found"),
    [
        ('<a href="a">x</a>', ["/docs/a"]),
        ('<a href="/a">x</a><a href="/a#b">y</a>', ["/a"]),
        ('<map><area href="/a"></map>', ["/a"]),
        ('<iframe src="/a"></iframe>', ["/a"]),
        ('<link rel="next" href="/a">', ["/a"]),
        ('<link rel="prev" href="/a">', ["/a"]),
        ('<link rel="alternate" hreflang="de" href="/a">', ["/a"]),
        ('<link rel="alternate stylesheet" href="/a">', []),
        ('<link rel="stylesheet" href="/a">', []),
        ('<object data="/a.pdf"></object>', ["/a.pdf"]),
        ('<embed src="/a" type="application/pdf">', ["/a"]),
        ('<embed src="/a.swf">', []),
        ('<a href="javascript:x()">x</a><a>y</a><a name="z">z</a>', []),
        ('<a href="a" ><p>unclosed <a href="b">y', ["/docs/a", "/docs/b"]),
        ('<img src="/a.png"><script src="/a.js"></script>', []),
    ],
)
def test_addresses_are_where_a_browser_would_follow_them(element: str, found: list[str]) -> None:
    assert urls(f"<html><body>{element}</body></html>") == found


def test_frames_are_followed() -> None:
    assert urls('<frameset><frame src="a"><frame src="b"></frameset>') == ["/docs/a", "/docs/b"]


def test_links_are_relative_to_the_base_of_the_page() -> None:
    assert urls('<head><base href="/other/"></head><a href="a">x</a>') == ["/other/a"]
    assert urls('<head><base href="javascript:x"></head><a href="a">x</a>') == ["/docs/a"]


def test_a_link_is_not_followed_only_where_each_of_its_kind_says_so() -> None:
    markup = read('<a rel="nofollow" href="/a">x</a><a rel="nofollow" href="/b">x</a><a href="/b">y</a>')

    assert [link.is_nofollow for link in markup.links] == [True, False]


@pytest.mark.parametrize(
    ("head", "noindex", "nofollow"),
    [
        ('<meta name="robots" content="noindex">', True, False),
        ('<meta name="ROBOTS" content="NOINDEX, NoFollow">', True, True),
        ('<meta name="robots" content="none">', True, True),
        ('<meta name="otherbot" content="noindex">', False, False),
        ("", False, False),
    ],
)
def test_a_page_says_how_crawlers_are_to_take_it(head: str, noindex: bool, nofollow: bool) -> None:
    markup = read(f"<head>{head}</head><p>x")

    assert (markup.robots.is_noindex, markup.robots.is_nofollow) == (noindex, nofollow)


@pytest.mark.parametrize(
    ("robots", "noindex"),
    [
        (["noindex"], True),
        (["noarchive, noindex"], True),
        (["otherbot: noindex"], False),
        (["Groundwork: noindex"], True),
        (["unavailable_after: 25 Jun 2030 15:00:00 PST"], False),
        (["max-snippet: 5, noindex"], True),
    ],
)
def test_headers_say_so_too(robots: list[str], noindex: bool) -> None:
    assert read("<p>x", HeaderHints.of(robots, [])).robots.is_noindex is noindex


@pytest.mark.parametrize(
    ("head", "links", "canonical"),
    [
        ('<link rel="canonical" href="/a?utm_source=x">', [], "http://site.example/a"),
        ("", ['</b>; rel="canonical"'], "http://site.example/b"),
        ("", ['</b>; rel="next", </c>; rel=canonical'], "http://site.example/c"),
        ('<link rel="canonical" href="/a"><link rel="canonical" href="/b">', [], None),
        ('<link rel="canonical" href="">', [], None),
        ('<link rel="canonical" href="mailto:a@b">', [], None),
    ],
)
def test_a_canonical_address_is_one_or_none(head: str, links: list[str], canonical: str | None) -> None:
    markup = read(f"<head>{head}</head><p>x", HeaderHints.of([], links))

    assert (markup.canonical.url if markup.canonical else None) == canonical


@pytest.mark.parametrize(
    ("content", "seconds", "target"),
    [("5; url=/a", 5.0, "/a"), ("0;URL='a'", 0.0, "/docs/a"), ("30; url=/a", 30.0, "/a")],
)
def test_a_refresh_has_a_time_and_an_address(content: str, seconds: float, target: str) -> None:
    markup = read(f'<meta http-equiv="refresh" content="{content}">')

    assert markup.refresh is not None
    assert (markup.refresh_s, markup.refresh.path) == (seconds, target)


def test_markup_of_nothing_has_nothing() -> None:
    for text in ("", "   ", "<!-- only a remark -->", "\0"):
        assert read(text).links == ()


def test_passwords_scripts_and_headings_are_seen() -> None:
    markup = read("<title>T</title><h1>H <b>1</b></h1><input type=Password><script>x</script><img src=x>")

    assert (markup.has_password, markup.has_scripts, markup.has_media) == (True, True, True)
    assert markup.headings == ("T", "H 1")


def test_addresses_behind_the_end_of_a_page_are_addresses_of_it() -> None:
    markup = read_markup("<html><body><p>x</p></body></html><a href='/behind'>x</a>", "http://site.example/")
    assert [link.address.path for link in markup.links] == ["/behind"]
