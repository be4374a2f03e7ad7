from __future__ import annotations

import gzip

import pytest

from crawler.sitemaps import is_sitemap, opened, read_sitemap
from crawler.unpack import DamagedError, TooLargeError

URL = "http://site.example/sitemap.xml"
SET = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> http://site.example/a?utm_source=x </loc><lastmod>2025-01-02</lastmod></url>
<url><loc>/b</loc></url><url><loc>javascript:x</loc></url><url><priority>1</priority></url></urlset>"""
INDEX = b"<sitemapindex><sitemap><loc>http://site.example/more.xml.gz</loc></sitemap></sitemapindex>"


def test_a_sitemap_gives_its_addresses_in_their_normal_form() -> None:
    entries = list(read_sitemap(SET, URL))

    assert [(entry.address.url, entry.is_sitemap) for entry in entries] == [
        ("http://site.example/a", False),
        ("http://site.example/b", False),
    ]


def test_an_index_gives_sitemaps() -> None:
    (entry,) = read_sitemap(INDEX, URL)

    assert (entry.address.path, entry.is_sitemap) == ("/more.xml.gz", True)


@pytest.mark.parametrize(
    ("body", "is_it"),
    [
        (SET, True),
        (INDEX, True),
        (b"<html><p>urlset", False),
        (b"<sm:urlset xmlns:sm='x'>", True),
        (b"", False),
    ],
)
def test_a_sitemap_is_known_by_its_first_element(body: bytes, is_it: bool) -> None:
    assert is_sitemap(body) is is_it


def test_a_sitemap_that_ends_early_gives_what_it_has() -> None:
    cut = SET[: SET.index(b"<url><loc>/b") + 8]

    assert [entry.address.path for entry in read_sitemap(cut, URL)] == ["/a"]


def test_what_is_no_xml_is_damaged() -> None:
    with pytest.raises(DamagedError):
        list(read_sitemap(b"nothing", URL))


def test_packed_sitemaps_are_opened_within_a_limit() -> None:
    assert opened(gzip.compress(SET), 10_000) == opened(SET, 10_000) == SET
    with pytest.raises(TooLargeError):
        opened(gzip.compress(b"x" * 100_000), 10_000)


def test_entities_are_not_expanded_into_more_than_they_are() -> None:
    bomb = (
        b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
        + b"".join(
            b'<!ENTITY a%d "%s">' % (i, b"&a%s;" % (b"%d" % (i - 1) if i else b"") * 10) for i in range(9)
        )
        + b"]><urlset><url><loc>http://site.example/&a8;</loc></url></urlset>"
    )

    assert all(len(entry.address.url) < 1_000 for entry in read_sitemap(bomb, URL))
