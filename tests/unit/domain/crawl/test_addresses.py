from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.crawl.addresses import address_of, pattern_of

BASE = "http://site.example/docs/page.html?x=1"


@pytest.mark.parametrize(
    ("given_", "normal"),
    [
        ("HTTP://Site.Example:80/A", "http://site.example/A"),
        ("https://site.example:443", "https://site.example/"),
        ("https://site.example:80/", "https://site.example:80/"),
        ("http://site.example./", "http://site.example/"),
        ("http://site.example/a#part", "http://site.example/a"),
        ("http://site.example/?", "http://site.example/"),
        ("http://site.example/a?b=2&a=1", "http://site.example/a?a=1&b=2"),
        ("http://site.example/a?a=2&a=1&b", "http://site.example/a?a=1&a=2&b"),
        ("http://site.example/%7Eann/%c3%a9", "http://site.example/~ann/%C3%A9"),
        ("http://site.example/a%2fb", "http://site.example/a%2Fb"),
        ("http://site.example/é", "http://site.example/%C3%A9"),
        ("http://site.example/a b", "http://site.example/a%20b"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://BÜCHER.example/", "http://xn--bcher-kva.example/"),
        ("http://site.example/a/./b/../c", "http://site.example/a/c"),
        ("http://site.example/../../a", "http://site.example/a"),
        (
            "http://site.example/a?utm_source=x&utm_medium=y&id=3&gclid=1&fbclid=2",
            "http://site.example/a?id=3",
        ),
        ("http://site.example/a;jsessionid=AB12?b=1", "http://site.example/a?b=1"),
        ("http://site.example/a?PHPSESSID=1&sid=0f8a6b1c2d3e4f5a6b7c8d9e&b=1", "http://site.example/a?b=1"),
        ("http://site.example/story?sid=26/11/25", "http://site.example/story?sid=26%2F11%2F25"),
        ("http://site.example/?FrontPage", "http://site.example/?FrontPage"),
        ("http://site.example/?FrontPage&empty=", "http://site.example/?FrontPage&empty="),
        ("http://site.example/(S(abc123))/a.aspx", "http://site.example/a.aspx"),
        ("http://ann:pw@site.example/a", "http://site.example/a"),
        ("http://[::1]:80/a", "http://[::1]/a"),
        ("//other.example/a", "http://other.example/a"),
        ("../b", "http://site.example/b"),
        ("b", "http://site.example/docs/b"),
        ("", "http://site.example/docs/page.html?x=1"),
        ("#top", "http://site.example/docs/page.html?x=1"),
        ("?y=2", "http://site.example/docs/page.html?y=2"),
        (" \n/a\t/b ", "http://site.example/a/b"),
        ("\\a\\b", "http://site.example/a/b"),
        ("http:c", "http://site.example/docs/c"),
        ("http://site.example/A/", "http://site.example/A/"),
    ],
)
def test_an_address_has_one_normal_form(given_: str, normal: str) -> None:
    address = address_of(given_, BASE)

    assert address is not None
    assert address.url == normal
    again = address_of(address.url)
    assert again is not None
    assert again.url == normal


@pytest.mark.parametrize(
    "given_",
    [
        "javascript:go()",
        "JavaScript:x",
        "data:text/html,x",
        "about:blank",
        "http://",
        "http://a:b/",
        "http://[::1/",
        "https:///x",
    ],
)
def test_scripts_data_and_broken_links_are_no_addresses(given_: str) -> None:
    assert address_of(given_) is None


@pytest.mark.parametrize(
    ("given_", "scheme"),
    [
        ("mailto:a@b.example", "mailto"),
        ("tel:+1", "tel"),
        ("ftp://x.example/", "ftp"),
        ("file:///etc/passwd", "file"),
    ],
)
def test_other_schemes_are_addresses_that_are_not_fetched(given_: str, scheme: str) -> None:
    address = address_of(given_, BASE)

    assert address is not None
    assert (address.scheme, address.is_web, address.host) == (scheme, False, "")


def test_a_query_is_written_in_the_encoding_of_its_page() -> None:
    address = address_of("/a?q=é", BASE, "iso-8859-1")

    assert address is not None
    assert address.url == "http://site.example/a?q=%E9"


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("http://h.example/a/b.html", ""),
        ("http://h.example/article/12345", ""),
        ("http://h.example/day?d=3&m=4", "http://h.example/day?d=&m="),
        ("http://h.example/cal/2024/05/17", "http://h.example/cal/#"),
        ("http://h.example/cal/2024-05/", "http://h.example/cal/#/"),
        ("http://h.example/2024/05/a-story.html", "http://h.example/#/a-story.html"),
        ("http://h.example/a/b/a/b/a/b/", "http://h.example/a/b/..."),
        ("http://h.example/release/2024/", ""),
    ],
)
def test_addresses_of_which_there_may_be_endlessly_many_have_a_pattern(url: str, pattern: str) -> None:
    address = address_of(url)

    assert address is not None
    assert pattern_of(address) == pattern


@given(st.text(max_size=60))
def test_a_normal_form_is_its_own_normal_form(text: str) -> None:
    address = address_of(text, BASE)
    if address is not None and address.is_web:
        assert address_of(address.url) == address
