"""Sitemaps: lists of a site's addresses, and lists of such lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree
from scrapy.utils.sitemap import Sitemap

from core.domain.crawl.addresses import Address, address_of
from crawler.unpack import DamagedError, unpack

MOST_ENTRIES = 50_000  # of one sitemap, by the protocol
_ROOT = re.compile(rb"<(?:\w+:)?(urlset|sitemapindex)[\s>]")
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """An address in a sitemap. is_sitemap: it leads to another sitemap."""

    address: Address
    is_sitemap: bool


def is_sitemap(body: bytes) -> bool:
    """True where the body is the XML of a sitemap, or of an index of sitemaps."""
    return bool(_ROOT.search(body[:4_096]))


def opened(body: bytes, limit: int) -> bytes:
    """The body, unpacked where it is a gzip file, as sitemaps are. Raises TooLargeError, DamagedError."""
    return unpack(body, "gzip", limit) if body.startswith(_GZIP) else body


def read_sitemap(body: bytes, url: str) -> Iterator[SitemapEntry]:
    """The entries of a sitemap, in its order. Raises DamagedError where it is not XML at all."""
    try:
        sitemap = Sitemap(body)
        kind = sitemap.type
        for number, entry in enumerate(sitemap):
            if number >= MOST_ENTRIES:
                return
            address = address_of(str(entry.get("loc", "")).strip(), url)
            if address is not None and address.is_web:
                yield SitemapEntry(address, kind == "sitemapindex")
    except (etree.XMLSyntaxError, StopIteration) as error:
        raise DamagedError(f"The sitemap is no XML: {error}.") from error
