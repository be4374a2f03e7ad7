"""Crawls of real documentation trees against an independent walk: every address must agree.

    python -m bench.crawl_walk --trees DIR [--depth 3] [--only NAME]

DIR holds unpacked packages of Debian (`postgresql-doc-15/usr/share/doc/...`, also as plain folders); each is
served on loopback by a process of its own. The walk goes breadth-first with urllib and html.parser, with a
normal form of its own of a dozen lines, and shares no code with `crawler/`. Compared are the set of
addresses, and of each its depth and its class: a page, a redirect, an error, another type of file, too deep,
another host, another scheme. Pages that the crawler judged to be none (a soft 404, an empty page) are listed,
and count as a difference.

Prints pages a second (kept and duplicate pages by the time from start to end of the process), the crawler's
peak of memory (VmHWM), and the counts.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode, urljoin, urlsplit, urlunsplit

from bench.crawl_server import SiteProcess
from core.domain.crawl.ledger import UrlReason, UrlRow, UrlState
from core.domain.crawl.request import CrawlPace, CrawlRequest
from core.domain.ids import CrawlId
from tests.support.real_crawler import WatchedCrawler, begin_crawl, open_records

_SAFE = "/:;=@!$&'()*+,~-._"
_SHOWN = 15
_LINK_ELEMENTS = {"a": "href", "area": "href", "iframe": "src", "frame": "src"}
_MOST_S = 3600
_NO_PAGE = (
    UrlReason.NOFOLLOW,
    UrlReason.SCHEME,
    UrlReason.OTHER_HOST,
    UrlReason.TOO_DEEP,
    UrlReason.MEDIA_TYPE,
)


@dataclass(frozen=True, slots=True)
class Place:
    """What one side says of an address."""

    depth: int
    kind: str


class _Links(HTMLParser):
    """Addresses in a page, as they stand there, and its base and canonical address."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.hrefs: list[tuple[str, bool]] = []
        self.base = ""
        self.canonical = ""
        self.refresh = ""
        self.is_nofollow = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the addresses of an element."""
        given = {name: value or "" for name, value in attrs}
        relations = given.get("rel", "").lower().split()
        if tag in _LINK_ELEMENTS and _LINK_ELEMENTS[tag] in given:
            self.hrefs.append((given[_LINK_ELEMENTS[tag]], "nofollow" in relations))
        elif tag == "base" and not self.base:
            self.base = given.get("href", "")
        elif tag == "link" and "canonical" in relations and not self.canonical:
            self.canonical = given.get("href", "")
        elif tag == "link" and "next" in relations and given.get("href"):
            self.hrefs.append((given["href"], False))
        elif tag == "meta" and given.get("name", "").lower() == "robots":
            self.is_nofollow = "nofollow" in given.get("content", "").lower()
        elif tag == "meta" and given.get("http-equiv", "").lower() == "refresh":
            _, _, target = given.get("content", "").partition("=")
            self.refresh = target.strip().strip("'\"")


def normal(base: str, href: str) -> str:
    """The address that a link means, in the walk's normal form; "" where it means none."""
    head, mark, rest = href.partition("?")
    href = head.replace("\\", "/") + mark + rest  # as browsers do
    try:
        joined = urljoin(base, href.strip(" \t\r\n\f").replace("\n", "").replace("\t", "").replace("\r", ""))
        parts = urlsplit(joined)
        port = parts.port
    except ValueError:
        return ""
    if parts.scheme in ("javascript", "data"):
        return ""  # they name no place
    if parts.scheme not in ("http", "https"):
        return joined
    host = (parts.hostname or "").encode("idna").decode() if parts.hostname else ""
    if port and port != {"http": 80, "https": 443}[parts.scheme]:
        host = f"{host}:{port}"
    path = "/".join(quote(unquote(piece), safe=_SAFE.replace("/", "")) for piece in parts.path.split("/"))
    query = urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True)))
    return urlunsplit((parts.scheme, host, path or "/", query, ""))


@dataclass(slots=True)
class Walk:
    """A walk breadth-first from one address, on its host alone."""

    start: str
    most: int
    places: dict[str, Place] = field(default_factory=dict)

    def go(self) -> dict[str, Place]:
        """What each address is, and at which depth."""
        opener = urllib.request.build_opener(_NoRedirects)
        todo: deque[tuple[str, int]] = deque([(self.start, 0)])
        met = {self.start: 0}
        unfollowed: dict[str, int] = {}
        while todo:
            url, depth = todo.popleft()
            if depth != met[url]:
                continue
            found: list[tuple[str, int]] = []
            kind = self._kind(url, depth)
            if not kind:
                kind, found, nofollow = _fetched(opener, url, depth)
                for target in nofollow:
                    unfollowed[target] = min(depth + 1, unfollowed.get(target, depth + 1))
            self.places[url] = Place(depth, kind)
            for target, below in found:
                if target and below < met.get(target, below + 1):
                    met[target] = below
                    # A redirect's target is on the level that is being walked: it goes first.
                    (todo.appendleft if below == depth else todo.append)((target, below))
        for target, depth in unfollowed.items():
            known = self.places.get(target)
            kind = self._kind(target, 0) or UrlReason.NOFOLLOW.value
            if known is None or (kind != UrlReason.NOFOLLOW.value and depth < known.depth):
                self.places[target] = Place(depth, kind)
        return self.places

    def _kind(self, url: str, depth: int) -> str:
        parts, start = urlsplit(url), urlsplit(self.start)
        if parts.scheme not in ("http", "https"):
            return UrlReason.SCHEME.value
        if parts.netloc != start.netloc:
            return UrlReason.OTHER_HOST.value
        return UrlReason.TOO_DEEP.value if depth > self.most else ""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """None: a redirect is an answer here."""


def _fetched(
    opener: urllib.request.OpenerDirector, url: str, depth: int
) -> tuple[str, list[tuple[str, int]], list[str]]:
    """The class of an address by its answer, addresses on it with their depths, and those not to follow."""
    try:
        with opener.open(url, timeout=30) as answer:
            body, media_type = answer.read(), answer.headers.get_content_type()
    except urllib.error.HTTPError as error:
        with error:
            if error.code in (301, 302, 303, 307, 308):
                return "redirected", [(normal(url, error.headers["Location"]), depth)], []
        return "http_error", [], []
    if body.startswith(b"%PDF"):
        return "page", [], []
    if media_type not in ("text/html", "application/xhtml+xml"):
        return "media_type", [], []
    page = _Links()
    page.feed(body.decode("utf-8", "replace"))
    base = urljoin(url, page.base) if page.base else url
    if page.refresh:
        return "redirected", [(normal(base, page.refresh), depth)], []
    meant = [(normal(base, href), nofollow or page.is_nofollow) for href, nofollow in page.hrefs]
    found = [(target, depth + 1) for target, nofollow in meant if not nofollow]
    canonical = normal(base, page.canonical) if page.canonical else ""
    if canonical.startswith("http"):  # a folder of the machine that made the page is no hint
        found.append((canonical, depth))
    return "page", found, [target for target, nofollow in meant if nofollow and target]


def crawled_kind(row: UrlRow) -> str:
    """The class of a row of the ledger in the words of the walk."""
    if row.state in (UrlState.KEPT, UrlState.DUPLICATE):
        return "page"
    if row.state is UrlState.SKIPPED and row.reason in _NO_PAGE:
        return row.reason.value
    if row.state is UrlState.FAILED and row.reason is UrlReason.HTTP_ERROR:
        return "http_error"
    return row.state.value if row.state is UrlState.REDIRECTED else f"{row.state.value} {row.reason.value}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Result for one tree."""

    name: str
    walked: Mapping[str, Place]
    rows: Mapping[str, UrlRow]
    seconds: float
    peak_mb: float

    def differences(self) -> Iterator[str]:
        """A line for each address on which the two do not agree."""
        for url in sorted({*self.walked, *self.rows}):
            ours = self.walked.get(url)
            row = self.rows.get(url)
            theirs = None if row is None else Place(row.depth, crawled_kind(row))
            if ours != theirs:
                yield f"{url}: the walk says {_shown(ours)}, the ledger {_shown(theirs)}"

    def report(self) -> int:
        """Print it; gives the number of differences."""
        pages = [row for row in self.rows.values() if row.state in (UrlState.KEPT, UrlState.DUPLICATE)]
        counts = Counter(f"{row.state.value} {row.reason.value}".strip() for row in self.rows.values())
        wrong = list(self.differences())
        total = len({*self.walked, *self.rows})
        print(
            f"{self.name}: {total:,} addresses, {total - len(wrong):,} agree ({1 - len(wrong) / total:.2%})"
        )
        print(f"  {len(pages):,} pages in {self.seconds:.1f} s: {len(pages) / self.seconds:.1f} pages/s")
        print(f"  crawler's peak of memory {self.peak_mb:.0f} MB")
        print(f"  {dict(counts.most_common())}")
        for line in wrong[:_SHOWN]:
            print(f"  differs: {line}")
        return len(wrong)


def _shown(place: Place | None) -> str:
    return "nothing" if place is None else f"{place.kind} at depth {place.depth}"


def compare(name: str, root: Path, start_file: Path, depth: int) -> Comparison:
    """Walk and crawl one tree, one after the other."""
    with SiteProcess("--tree", str(root)) as site, tempfile.TemporaryDirectory() as folder:
        start = f"http://{site.address}/{start_file.relative_to(root).as_posix()}"
        walked = Walk(start, depth).go()
        request = CrawlRequest.checked(
            urls=(start,),
            depth=depth,
            max_pages=1_000_000,
            most_of_a_pattern=1_000_000,
            use_sitemaps=False,
            pace=CrawlPace(concurrency=16, per_host=16, adapt=False),
        )
        with open_records(Path(folder)) as records:
            crawl, runner = begin_crawl(records, request)
            begun = time.monotonic()
            with WatchedCrawler(Path(folder), crawl, runner, [site.address]) as crawler:
                code = crawler.wait(_MOST_S)
                seconds, peak_mb = time.monotonic() - begun, crawler.peak_mb
                if code:
                    sys.exit(f"The crawler ended with {code}:\n{crawler.log()[-4000:]}")
            rows = {normal(start, row.url): row for row in records.crawl_ledger.rows(CrawlId(crawl))}
    return Comparison(name, walked, rows, seconds, peak_mb)


def starts(trees: Path) -> Iterator[tuple[str, Path, Path]]:
    """Name, root and start page of each tree below a folder; the start is the nearest index.html."""
    for tree in sorted(one for one in trees.iterdir() if one.is_dir()):
        pages = [page for page in tree.rglob("index.html") if not page.is_symlink()]
        if not pages:
            print(f"{tree.name}: no index.html below it, left out")
            continue
        start = min(pages, key=lambda page: (len(page.parts), str(page)))
        yield tree.name, start.parent, start


def main() -> None:
    """Compare every tree and end with 1 where something differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--trees", type=Path, required=True, help="folder of unpacked trees")
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--only", default="", help="name of one tree")
    options = parser.parse_args()
    wrong = 0
    for name, root, start in starts(options.trees):
        if options.only in ("", name):
            wrong += compare(name, root, start, options.depth).report()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
