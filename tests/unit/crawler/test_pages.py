from __future__ import annotations

import io
import zipfile

import pytest

from core.domain.crawl.ledger import UrlReason, UrlState
from core.domain.crawl.request import PageKind
from core.ingest.parse.base import ParseLimits
from crawler.links import HeaderHints, RobotsDirectives
from crawler.pages import (
    FetchedBody,
    PageJudgement,
    decode_body,
    is_like_missing,
    is_loaded,
    judge_page,
    may_be_missing,
)

URL = "http://site.example/page"
KINDS = (PageKind.HTML, PageKind.PDF)
LONG = "<p>" + " ".join(f"word{number}" for number in range(150)) + "</p>"
PDF = b"%PDF-1.4\nrest"
NOINDEX = HeaderHints(RobotsDirectives(frozenset(["noindex"])))
TEXT = "<p>Größe – façade ж</p>"
WEST = "<p>Größe façade</p>"


def judge(
    body: str | bytes,
    kind: str = "text/html",
    url: str = URL,
    kinds: tuple[PageKind, ...] = KINDS,
    **more: object,
) -> PageJudgement:
    data = body.encode() if isinstance(body, str) else body
    return judge_page(FetchedBody(url, data, kind, **more), kinds, ParseLimits())  # type: ignore[arg-type]


def docx() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
    return target.getvalue()


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        ("<title>404</title><p>Not here.", UrlReason.SOFT_404),
        ("<title>Page not found | Site</title><p>Try the search.", UrlReason.SOFT_404),
        ("<title>Site</title><h1>Error 404</h1><p>x", UrlReason.SOFT_404),
        ("<h1>Seite nicht gefunden</h1><p>x", UrlReason.SOFT_404),
        ("<title>Site</title><p>Sorry, we couldn't find the page you were looking for.", UrlReason.SOFT_404),
        ("<title>Login</title><form><input type=password>Name", UrlReason.LOGIN_WALL),
        (
            "<title>Members</title><p>You must be logged in to view this.<input type=password>",
            UrlReason.LOGIN_WALL,
        ),
        ("<title>Sign in required</title><p>Please log in to continue to this page.", UrlReason.LOGIN_WALL),
        (
            "<p>We value your privacy. We use cookies. <button>x</button><p>Accept all</p>",
            UrlReason.CONSENT_WALL,
        ),
        ("<script src=a></script><div id=root></div>", UrlReason.NEEDS_SCRIPTS),
        ("<script src=a></script><p>Please enable JavaScript to run this app.", UrlReason.NEEDS_SCRIPTS),
        (
            "<script>x</script><noscript>This site requires JavaScript.</noscript><p>Loading",
            UrlReason.NEEDS_SCRIPTS,
        ),
        ("<p>example.com is for sale! This domain is for sale.", UrlReason.PARKED),
        ("<title>Parked</title><p>Buy this domain now", UrlReason.PARKED),
        ("<html><body></body></html>", UrlReason.EMPTY),
        ("<p><img src=a.png></p>", UrlReason.EMPTY),
    ],
)
def test_pages_that_stand_for_no_page_fail_with_their_reason(markup: str, reason: UrlReason) -> None:
    page = judge(f"<!doctype html>{markup}")

    assert (page.state, page.reason) == (UrlState.FAILED, reason)
    assert page.detail
    assert page.data == b""


@pytest.mark.parametrize(
    "markup",
    [
        f"<title>HTTP status 404 explained</title>{LONG}",
        "<title>404 pages of history</title><p>A short note on a long book about pages.",
        "<title>Logging in Python</title><p>The module logging writes messages to a log.",
        f"<title>Login</title>{LONG}<form><input type=password></form>",
        f"<p>We use cookies. Accept all.</p>{LONG}",
        "<p>Sign in to comment.</p><p>The river rises in the hills and ends in the sea after 200 km.",
        "<title>JavaScript</title><script>x</script><p>JavaScript is a language for pages of the web.",
        "<p>How to register a domain: choose a name, pay the fee, wait a day.",
        "<p>ok",
        "<html><title>X</title><main><p>The pump stands in the cellar.</main></html>",
        "<head><title>X</title><x-page>The pump stands in the cellar.</x-page></head><script>1</script>",
    ],
)
def test_pages_about_such_things_are_kept(markup: str) -> None:
    page = judge(f"<!doctype html>{markup}")

    assert (page.state, page.reason) == (UrlState.KEPT, UrlReason.NONE), page.detail
    assert page.text_hash


@pytest.mark.parametrize(
    ("body", "kind", "url", "kinds", "state", "media_type"),
    [
        (PDF, "text/html", URL, KINDS, UrlState.KEPT, "application/pdf"),
        (PDF, "application/pdf", URL, (PageKind.HTML,), UrlState.SKIPPED, "application/pdf"),
        (b"<html><p>x</html>", "application/pdf", URL, KINDS, UrlState.KEPT, "text/html"),
        (b"Just words", "text/html", URL, KINDS, UrlState.KEPT, "text/html"),
        (b"Just words", "text/html", URL + ".md", KINDS, UrlState.KEPT, "text/html"),
        (b"Just words", "text/plain", URL, KINDS, UrlState.SKIPPED, "text/plain"),
        (b"Just words", "text/plain", URL, (PageKind.TEXT,), UrlState.KEPT, "text/plain"),
        (b"a,b\n1,2\n", "text/csv", URL + ".csv", (PageKind.OFFICE,), UrlState.KEPT, "text/csv"),
        (b"<rss></rss>", "text/xml", URL, (PageKind.TEXT,), UrlState.SKIPPED, "text/xml"),
        (docx(), "application/octet-stream", URL, (PageKind.OFFICE,), UrlState.KEPT, None),
        (docx(), "application/octet-stream", URL, KINDS, UrlState.SKIPPED, None),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "text/html", URL, KINDS, UrlState.SKIPPED, "text/html"),
        (b"<html><p>x</html>", "text/html", URL, (PageKind.PDF,), UrlState.SKIPPED, "text/html"),
    ],
)
def test_a_body_is_what_its_bytes_say(
    body: bytes, kind: str, url: str, kinds: tuple[PageKind, ...], state: UrlState, media_type: str | None
) -> None:
    page = judge(body, kind, url, kinds)

    assert page.state is state
    assert page.reason is (UrlReason.NONE if state is UrlState.KEPT else UrlReason.MEDIA_TYPE)
    assert media_type in (None, page.media_type)


def test_a_body_of_nothing_is_empty() -> None:
    for body in (b"", b" \n\0"):
        assert judge(body).reason is UrlReason.EMPTY


def test_a_page_leads_on_by_refresh_only_where_it_says_little_and_soon() -> None:
    soon = '<meta http-equiv="refresh" content="1; url=/next">'
    late = '<meta http-equiv="refresh" content="60; url=/next">'

    assert judge(f"{soon}<p>Go on").state is UrlState.REDIRECTED
    assert judge(f"{soon}{LONG}").state is UrlState.KEPT
    assert judge(f"{soon.replace('1;', '0;')}{LONG}").state is UrlState.REDIRECTED  # nobody can read it
    assert judge(f"{late}<p>News").state is UrlState.KEPT
    assert judge('<meta http-equiv="refresh" content="1; url=/page"><p>Same').state is UrlState.KEPT


def test_what_a_page_asks_of_crawlers_counts_only_while_they_heed_it() -> None:
    markup = '<meta name="robots" content="noindex"><p>x'

    assert judge(markup).reason is UrlReason.NOINDEX
    assert judge(markup, heeds_robots=False).state is UrlState.KEPT
    assert judge(PDF, "application/pdf", hints=NOINDEX).reason is UrlReason.NOINDEX


def test_a_canonical_address_makes_a_duplicate_whose_bytes_are_kept() -> None:
    page = judge('<link rel="canonical" href="/other"><p>Text')

    assert (page.state, page.reason) == (UrlState.DUPLICATE, UrlReason.CANONICAL)
    assert page.leads_to is not None
    assert page.leads_to.url == "http://site.example/other"
    assert page.data
    assert judge('<link rel="canonical" href="/page"><p>Text').state is UrlState.KEPT


def test_the_hash_of_a_text_does_not_see_markup_and_white_space() -> None:
    first, second = (
        judge("<main><p>One  two</p></main>"),
        judge("<main>\n<p class=x>One\ntwo</main><!-- 12:00 -->"),
    )

    assert first.text_hash == second.text_hash
    assert first.text_hash != judge("<main><p>One three</p></main>").text_hash


@pytest.mark.parametrize(
    ("kind", "path", "kinds", "is_it"),
    [
        ("text/html; charset=utf-8", "/a", (PageKind.PDF,), True),
        ("application/xhtml+xml", "/a", KINDS, True),
        ("text/xml", "/sitemap.xml", KINDS, True),
        ("application/pdf", "/a", KINDS, True),
        ("application/pdf", "/a", (PageKind.HTML,), False),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "/a", KINDS, False),
        ("image/png", "/a.html", KINDS, False),
        ("application/rss+xml", "/feed", KINDS, False),
        ("application/json", "/a", KINDS, False),
        ("text/css", "/a", KINDS, False),
        ("application/zip", "/a", KINDS, False),
        ("application/octet-stream", "/a", KINDS, True),
        ("application/octet-stream", "/a.zip?x=1", KINDS, False),
        ("", "/a", KINDS, True),
        ("", "/a.mp4", KINDS, False),
        ("application/x-gzip", "/sitemap.xml.gz", KINDS, True),
        ("application/x-gzip", "/a.tar.gz", KINDS, False),
    ],
)
def test_a_header_tells_which_bodies_are_not_worth_loading(
    kind: str, path: str, kinds: tuple[PageKind, ...], is_it: bool
) -> None:
    assert is_loaded(kind, path, kinds) is is_it


def test_a_page_that_repeats_the_answer_to_a_missing_one_is_alike() -> None:
    text = (
        "lives on this server, try the start page or the index of all pages instead, or write to the office"
    )
    missing = judge(f"<p>Nothing called no-such-page-1 {text}").words or ()
    same = judge(f"<p>Nothing called other-name {text}").words or ()
    other = judge("<p>The river rises in the hills and ends in the sea after two hundred km.").words or ()

    assert is_like_missing(same, missing) is True
    assert is_like_missing(other, missing) is False
    assert is_like_missing((), missing) is is_like_missing(same, ()) is False


def test_only_short_pages_are_worth_that_comparison() -> None:
    assert may_be_missing(judge("<p>short"))
    assert not may_be_missing(judge(LONG))
    assert not may_be_missing(judge(PDF))


@pytest.mark.parametrize(
    ("body", "kind", "text", "is_kept"),
    [
        (b"<p>plain</p>", "text/html; charset=koi8-r", "<p>plain</p>", True),
        (TEXT.encode(), "text/html; charset=utf-8", TEXT, True),
        (TEXT.encode(), "text/html", TEXT, True),
        (TEXT.encode(), "text/html; charset=iso-8859-1", TEXT, True),
        (TEXT.encode(), "text/html; charset=nonsense", TEXT, True),
        (b"\xef\xbb\xbf" + TEXT.encode(), "text/html; charset=latin-1", TEXT, True),
        (WEST.encode("latin-1"), "text/html; charset=iso-8859-1", WEST, False),
        (WEST.encode("latin-1"), "text/html; charset=utf-8", WEST, False),
        (WEST.encode("latin-1"), "text/html", WEST, False),
        ("ж жизнь".encode("koi8-r"), "text/html; charset=koi8-r", "ж жизнь", False),
        (
            b'<meta charset="windows-1251">' + "жизнь".encode("cp1251"),
            "",
            '<meta charset="windows-1251">жизнь',
            False,
        ),
        (b'<meta charset="iso-8859-1">' + TEXT.encode(), "", '<meta charset="iso-8859-1">' + TEXT, False),
        (TEXT.encode("utf-16"), "text/html", TEXT, False),
        (TEXT.encode("utf-16-le"), "text/html", TEXT, False),
        ("日本".encode("shift_jis"), "text/html; charset=Shift_JIS", "日本", False),
        ("日本".encode("iso-2022-jp"), "text/html; charset=iso-2022-jp", "日本", False),
    ],
)
def test_a_body_is_read_in_the_encoding_that_proves_right(
    body: bytes, kind: str, text: str, is_kept: bool
) -> None:
    decoded = decode_body(body, kind, is_html=True)

    assert decoded.text == text
    assert (decoded.data == body) is is_kept
    assert is_kept or decoded.data == b"\xef\xbb\xbf" + text.encode()


def test_a_declaration_inside_counts_only_in_html() -> None:
    body = b'<meta charset="windows-1251"> ' + "caf\u00e9 cr\u00e8me".encode("latin-1")

    assert "é" in decode_body(body, "text/plain", is_html=False).text


def test_a_short_page_with_a_banner_is_no_wall() -> None:
    banner = "<p>We use cookies to improve this site. <a href=/p>Privacy</a> Accept all</p>"
    words = "<h1>Pool</h1><p>It opens at nine from Monday to Friday, and children swim free in May.</p>"
    assert judge(banner + words).state is UrlState.KEPT
    assert judge(f"<title>Pool</title>{banner}").reason is UrlReason.CONSENT_WALL
