"""The odd site as it is declared: some 400 pages, with each oddity that a crawler meets, on three hosts.

What each page is and where its links lead is written down here by hand; nothing of it is computed by code
that a crawler uses. The normal form of addresses that is assumed:

- Scheme and host in lower case, the host in its ASCII form (IDN); no fragment; "" as a path is "/".
- Dot segments are resolved; white space around an address is dropped; percent-encodings of unreserved signs
  are decoded, the others written in upper case (UTF-8); `%2F` is no slash. The case of a path says
  something.
- A trailing slash says something: `/a` and `/a/` are two addresses (the site redirects one to the other).
- Parameters of a query are sorted; those that track (`utm_*`, `gclid`, `fbclid`) or name a session (`sid`,
  `PHPSESSID`, `;jsessionid=`) are dropped, and so is a `?` with nothing after it;
  a slash in a value is `%2F`.

And of the ledger:

- `a`, `area`, `iframe` and `<link rel="next">` are links, resources of a page (`img`, `script`, styles) are
  not.
- Links to scripts and data (`javascript:`, `data:`) name no address; other schemes have rows.
- A target that some page permits to follow within the depth is fetched, at the depth that such pages give,
  and `found_on` is the first among those. Of other targets the first page says whether it is `nofollow` or
  `too_deep`. Schemes, hosts and lengths come before that.
- `found_on` is a page of the level above where there is one; else what leads there from the same level.
- A redirect, a refresh within ten seconds and a canonical address lead to the same depth; `found_on` of
  what they lead to is the address itself. An answer that is no page (an error, a wall, a shell) leads
  nowhere.
- Links of duplicates and of `noindex` pages count.
- Sitemaps are at depth 0 (also those that an index names), the pages in them at depth 1; a crawl of depth 0
  reads none, since it could fetch none of those. robots.txt is no row.
- A page whose canonical address, followed to its end, gives no page is kept; of pages that name one another
  in a circle the nearest, then the shortest address, then the first by alphabet is kept.
- A redirect in a circle, or into one, is `failed`; of an endless chain each address is `redirected`, and
  the one after MOST_HOPS of them has failed.
- Of addresses that differ only in numbers, or in values of a query, the first MOST_OF_A_PATTERN are
  fetched.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from core.domain.crawl.ledger import UrlReason, UrlState
from tests.support.declared_site import body
from tests.support.declared_site.page import Link, Manner, Page, Tag, Validator

MOST_HOPS = 10
MOST_OF_A_PATTERN = 12
DAYS = 28
_SECTIONS = ("brewing", "casting", "drilling", "forging", "milling", "weaving")
_TOPICS = ("brass", "clay", "flint", "glass", "iron", "linen", "steel", "wool")
_ARTICLES = ("care", "history", "repair", "storage", "tools")
_FAILED, _SKIPPED, _KEPT = UrlState.FAILED, UrlState.SKIPPED, UrlState.KEPT
_PLACES = "abcdefghij"
_FAR = 5000
_SLOW = (Manner.DRIPPING, Manner.SILENT, Manner.BUSY, Manner.BUSY_ONCE, Manner.CUT, Manner.ANNOUNCED)


@dataclass(frozen=True, slots=True)
class Hosts:
    """Where the site is served: the site itself, another site, one that may not be asked, and dead ends."""

    main: str
    other: str
    private: str
    closed: str
    insecure: str
    unknown: str = "http://no-such-host.invalid"


class OddSite:
    """The declared pages by address; those of a calendar and an endless redirect are made as they are met.

    is_calm: without dead hosts among the starts and without answers that are worth waiting for or asking for
    twice, so that a crawl of it takes no longer than its pages do; their addresses answer 404.
    """

    def __init__(self, hosts: Hosts, *, is_calm: bool = False) -> None:
        self.hosts = hosts
        self._is_calm = is_calm
        self.navigation = (
            self._to("/"),
            *(self._to(f"/{section}/") for section in _SECTIONS),
        )
        self._pages = {page.url: page for page in self._declared() if not (is_calm and _takes_time(page))}

    @property
    def starts(self) -> tuple[str, ...]:
        """Start addresses: the site, and five that cannot be had."""
        hosts = self.hosts
        dead = (hosts.private, hosts.closed, hosts.insecure, hosts.unknown)
        return (f"{hosts.main}/", *(f"{host}/" for host in (() if self._is_calm else dead)))

    @property
    def pages(self) -> tuple[Page, ...]:
        """Pages that are declared one by one."""
        return tuple(self._pages.values())

    @property
    def sitemap(self) -> str:
        """The address of the sitemap that robots.txt names."""
        return f"{self.hosts.main}/sitemap.xml"

    def find(self, url: str) -> Page | None:
        """The page of an address; None where the site answers 404."""
        known = self._pages.get(url)
        if known is not None or not url.startswith(self.hosts.main):
            return known
        path = url.removeprefix(self.hosts.main)
        if path.startswith("/endless/"):
            return self._endless(path)
        if path.startswith("/calendar/"):
            return self._month_or_day(path)
        return None

    def links_of(self, page: Page) -> tuple[Link, ...]:
        """All links of a page, its navigation first."""
        return (*(self.navigation if page.has_navigation and page.raw is None else ()), *page.links)

    def put(self, page: Page) -> None:
        """Add a page, or replace the one of its address."""
        self._pages[page.url] = page

    def drop(self, url: str) -> None:
        """Remove a page; its address answers 404."""
        del self._pages[url]

    def _url(self, path: str) -> str:
        return path if "://" in path else f"{self.hosts.main}{path}"

    def _to(self, path: str, target: str | None = None, *, tag: Tag = Tag.ANCHOR, no: bool = False) -> Link:
        meant = path if target is None else target
        return Link(path, self._url(meant) if meant.startswith("/") else meant, is_nofollow=no, tag=tag)

    def _page(self, path: str, *links: Link | str, **more: object) -> Page:
        made = tuple(self._to(link) if isinstance(link, str) else link for link in links)
        return replace(Page(self._url(path), links=made), **more)  # type: ignore[arg-type]

    def _no_page(self, path: str, reason: UrlReason, *, state: UrlState = _FAILED, **more: object) -> Page:
        return self._page(path, state=state, reason=reason, counts_links=False, has_navigation=False, **more)

    def _redirect(self, path: str, location: str, status: int = 302, leads_to: str = "") -> Page:
        return self._page(
            path,
            state=UrlState.REDIRECTED,
            status=status,
            headers=(("Location", location),),
            leads_to=self._url(leads_to or location),
            raw=b"",
            counts_links=False,
            validator=Validator.NONE,
        )

    def _declared(self) -> Iterator[Page]:
        hubs = ("addresses", "redirects", "errors", "bodies", "rules", "copies", "walls", "traps", "files")
        yield self._page("/", *(f"/odd/{hub}.html" for hub in hubs), "/index.html", "/news/")
        yield self._page(
            "/index.html", *(f"/odd/{hub}.html" for hub in hubs), "/index.html", "/news/", text=self._url("/")
        )
        yield from self._articles()
        yield from self._addresses()
        yield from self._redirects()
        yield from self._errors()
        yield from self._walls()
        yield from self._bodies()
        yield from self._rules()
        yield from self._copies()
        yield from self._traps()
        yield from self._files()
        yield from self._sitemaps()
        yield from self._news()

    def _articles(self) -> Iterator[Page]:
        for section in _SECTIONS:
            yield self._page(f"/{section}/", *(f"/{section}/{topic}/" for topic in _TOPICS))
            for number, topic in enumerate(_TOPICS):
                folder = f"/{section}/{topic}/"
                validator = list(Validator)[number % 3]
                yield self._page(
                    folder,
                    *(Link(f"{name}.html", self._url(f"{folder}{name}.html")) for name in _ARTICLES),
                    validator=validator,
                )
                for name in _ARTICLES:
                    deeper = ("appendix.html",) if name == "tools" and number == 0 else ()
                    links = (Link(one, self._url(f"{folder}{one}")) for one in deeper)
                    yield self._page(f"{folder}{name}.html", *links, validator=validator)
            folder = f"/{section}/{_TOPICS[0]}/"
            yield self._page(f"{folder}appendix.html", f"{folder}note.html")
            yield self._page(f"{folder}note.html")

    def _addresses(self) -> Iterator[Page]:
        to, host = self._to, self.hosts.main.removeprefix("http://")
        session = "0123456789ABCDEF0123456789ABCDEF"
        yield self._page(
            "/odd/addresses.html",
            to("#top", ""),
            to("", ""),
            to("/target/fragment.html#part", "/target/fragment.html"),
            to("/target/fragment.html#other", "/target/fragment.html"),
            to("/target/tracked.html?utm_source=mail&utm_medium=link", "/target/tracked.html"),
            to("/target/tracked.html?gclid=abc&fbclid=def", "/target/tracked.html"),
            to(f"/target/session.html;jsessionid={session}", "/target/session.html"),
            to(f"/target/session.html?PHPSESSID={session.lower()}", "/target/session.html"),
            to(f"/target/session.html?sid={session}&part=a", "/target/session.html?part=a"),
            to(f"HTTP://{host.upper()}/target/upper.html", "/target/upper.html"),
            to("/target/Case.html"),
            to("/target/case.html"),
            to("/target/%7Etilde.html", "/target/~tilde.html"),
            to("/target/~tilde.html"),
            to("/target/caf%c3%a9.html", "/target/caf%C3%A9.html"),
            to("/target/café.html", "/target/caf%C3%A9.html"),
            to("/target/white space.html", "/target/white%20space.html"),
            to("/target/a%2Fb.html"),
            to("/target/./dots/../dotted.html", "/target/dotted.html"),
            to("/../../target/above.html", "/target/above.html"),
            to("\n  /target/padded.html \t", "/target/padded.html"),
            to(f"//{host}/target/scheme.html", "/target/scheme.html"),
            to("/target/query.html?b=2&a=1", "/target/query.html?a=1&b=2"),
            to("/target/query.html?a=1&b=2"),
            to("/target/question.html?", "/target/question.html"),
            to("/target/area.html", tag=Tag.AREA),
            to("/target/frame.html", tag=Tag.IFRAME),
            to("/target/based.html"),
            to("http://bücher.example/liste", "http://xn--bcher-kva.example/liste"),
            to(f"{self.hosts.other}/elsewhere.html"),
            to("mailto:editor@oddpress.example"),
            to("tel:+4930123456"),
            to("javascript:void(0)", ""),
            to("data:text/plain,hello", ""),
            to("ftp://files.oddpress.example/list.txt"),
            to(f"/target/long.html?text={'x' * _FAR}"),
        )
        names = (
            "fragment",
            "tracked",
            "session",
            "upper",
            "Case",
            "case",
            "~tilde",
            "caf%C3%A9",
            "white%20space",
            "a%2Fb",
            "dotted",
            "above",
            "padded",
            "scheme",
            "question",
            "area",
            "frame",
        )
        for name in names:
            yield self._page(f"/target/{name}.html")
        yield self._page("/target/session.html?part=a")
        yield self._page("/target/query.html?a=1&b=2")
        yield self._page(
            "/target/based.html",
            Link("leaf.html", self._url("/deep/base/leaf.html")),
            Link("../twig.html", self._url("/deep/twig.html")),
            head='<base href="/deep/base/">',
            has_navigation=False,
        )
        yield self._page("/deep/base/leaf.html")
        yield self._page("/deep/twig.html")
        yield Page(f"{self.hosts.other}/elsewhere.html")

    def _redirects(self) -> Iterator[Page]:
        hosts = self.hosts
        codes = (301, 302, 303, 307, 308)
        ways = ("chain", "loop-one", "into-loop", "self", "other", "private", "metadata", "file", "blank")
        yield self._page(
            "/odd/redirects.html",
            *(f"/moved/code-{code}" for code in codes),
            *(f"/moved/{way}" for way in ways),
            "/endless/a",
            "/moved/refresh.html",
            "/moved/slow-refresh.html",
            "/brewing",
            "/moved/to-start",
            "/moved/lost",
        )
        for code in codes:
            yield self._redirect(f"/moved/code-{code}", f"/arrived/{code}.html", code)
            yield self._page(f"/arrived/{code}.html")
        yield self._redirect("/moved/chain", "/moved/chain-two", 301)
        yield self._redirect(
            "/moved/chain-two", f"{hosts.main}/moved/chain-three?utm_source=x", 302, "/moved/chain-three"
        )
        yield self._redirect("/moved/chain-three", "/arrived/chain.html#end", 307, "/arrived/chain.html")
        yield self._page("/arrived/chain.html", "/arrived/next-to-chain.html")
        yield self._page("/arrived/next-to-chain.html")
        yield self._redirect("/moved/loop-one", "/moved/loop-two")
        yield self._redirect("/moved/loop-two", "/moved/loop-one")
        yield self._redirect("/moved/into-loop", "/moved/loop-one")
        yield self._redirect("/moved/self", "/moved/self")
        yield self._redirect("/moved/other", f"{hosts.other}/landing.html", 301)
        yield self._redirect("/moved/private", f"{hosts.private}/secret")
        yield self._redirect("/moved/metadata", "http://169.254.169.254/latest/meta-data/")
        yield self._redirect("/moved/file", "file:///etc/passwd")
        yield self._no_page("/moved/blank", UrlReason.HTTP_ERROR, status=302)
        yield self._redirect("/brewing", "/brewing/", 301)
        yield self._redirect("/moved/to-start", "/", 301)
        yield self._redirect("/moved/lost", "/missing/landing.html")
        yield self._page(
            "/moved/refresh.html",
            raw=body.REFRESH,
            state=UrlState.REDIRECTED,
            counts_links=False,
            leads_to=self._url("/arrived/refreshed.html"),
            has_navigation=False,
        )
        yield self._page("/arrived/refreshed.html")
        yield self._page("/moved/slow-refresh.html", head='<meta http-equiv="refresh" content="1800">')
        yield Page(f"{hosts.private}/secret")
        yield Page(f"{hosts.other}/landing.html")

    def _endless(self, path: str) -> Page:
        return self._redirect(path, f"{path}{_PLACES[len(path) % len(_PLACES)]}")

    def _errors(self) -> Iterator[Page]:
        gone = {404: "missing", 410: "removed", 403: "forbidden", 401: "closed", 500: "broken", 503: "away"}
        yield self._page(
            "/odd/errors.html",
            *(f"/error/{name}.html" for name in gone.values()),
            "/error/busy-once.html",
            "/error/busy.html",
            "/error/dripping.html",
            "/error/silent.html",
            "/error/cut.html",
            "/error/announced.html",
            "/error/endless.html",
            "/error/bomb.html",
            "/error/packed.html",
            "/nowhere.html",
        )
        for status, name in gone.items():
            headers = (("WWW-Authenticate", "Basic realm=odd"),) if status == 401 else ()
            yield self._no_page(f"/error/{name}.html", UrlReason.HTTP_ERROR, status=status, headers=headers)
        yield self._page("/error/busy-once.html", manner=Manner.BUSY_ONCE)
        damages = {
            "busy": (UrlReason.HTTP_ERROR, Manner.BUSY),
            "dripping": (UrlReason.TIMEOUT, Manner.DRIPPING),
            "silent": (UrlReason.TIMEOUT, Manner.SILENT),
            "cut": (UrlReason.DAMAGED, Manner.CUT),
            "announced": (UrlReason.TOO_LARGE, Manner.ANNOUNCED),
            "endless": (UrlReason.TOO_LARGE, Manner.ENDLESS),
            "bomb": (UrlReason.TOO_LARGE, Manner.BOMB),
            "packed": (UrlReason.DAMAGED, Manner.BROKEN_GZIP),
        }
        for name, (reason, manner) in damages.items():
            yield self._no_page(f"/error/{name}.html", reason, manner=manner)

    def _walls(self) -> Iterator[Page]:
        walls = {
            "soft": (UrlReason.SOFT_404, body.SOFT_404),
            "soft-german": (UrlReason.SOFT_404, body.SOFT_404_GERMAN),
            "login": (UrlReason.LOGIN_WALL, body.LOGIN),
            "consent": (UrlReason.CONSENT_WALL, body.CONSENT),
            "shell": (UrlReason.NEEDS_SCRIPTS, body.SHELL),
            "parked": (UrlReason.PARKED, body.PARKED),
            "hollow": (UrlReason.EMPTY, body.HOLLOW),
            "nothing": (UrlReason.EMPTY, b""),
        }
        yield self._page(
            "/odd/walls.html",
            *(f"/wall/{name}.html" for name in walls),
            "/wall/members",
            "/wall/about-logins.html",
            "/wall/about-missing-pages.html",
        )
        for name, (reason, raw) in walls.items():
            yield self._no_page(f"/wall/{name}.html", reason, raw=raw)
        yield self._redirect(
            "/wall/members",
            "/wall/login.html?next=/wall/members",
            leads_to="/wall/login.html?next=%2Fwall%2Fmembers",
        )
        yield self._no_page("/wall/login.html?next=%2Fwall%2Fmembers", UrlReason.LOGIN_WALL, raw=body.LOGIN)
        yield self._page("/wall/about-logins.html", title="Problems with the login and a password")
        yield self._page("/wall/about-missing-pages.html", title="A history of the message not found")

    def _bodies(self) -> Iterator[Page]:
        names = ("gzip", "deflate", "wrong-charset", "meta-charset", "wide", "octets", "invalid", "bare")
        yield self._page("/odd/bodies.html", *(f"/body/{name}.html" for name in names))
        yield self._page("/body/gzip.html", manner=Manner.GZIP)
        yield self._page("/body/deflate.html", manner=Manner.DEFLATE)
        yield self._page("/body/wrong-charset.html", title="Käse für Brötchen", encoding="cp1252")
        yield self._page(
            "/body/meta-charset.html",
            title="Äpfel über Öfen",
            encoding="cp1252",
            head='<meta charset="windows-1252">',
            media_type="text/html",
        )
        yield self._page(
            "/body/wide.html", title="Große Übersicht", encoding="utf-16", media_type="text/html"
        )
        yield self._page("/body/octets.html", media_type="application/octet-stream")
        yield self._page("/body/invalid.html", "/odd/invalid-target.html", raw=body.INVALID)
        yield self._page("/odd/invalid-target.html")
        yield self._page("/body/bare.html", media_type="")

    def _rules(self) -> Iterator[Page]:
        to = self._to
        yield self._page(
            "/odd/rules.html",
            "/private/plan.html",
            "/private/open/notice.html",
            "/rule/noindex.html",
            "/rule/nofollow.html",
            to("/rule/unfollowed.html", no=True),
            "/rule/header.html",
            to("/rule/both.html", no=True),
            "/rule/follows-both.html",
            "/rule/disputes.html",
        )
        yield self._page("/private/plan.html", state=_SKIPPED, reason=UrlReason.ROBOTS, counts_links=False)
        yield self._page("/private/open/notice.html")
        noindex = {"state": _SKIPPED, "reason": UrlReason.NOINDEX}
        yield self._page(
            "/rule/noindex.html",
            "/rule/behind-noindex.html",
            head='<meta name="robots" content="noindex">',
            **noindex,
        )
        yield self._page("/rule/behind-noindex.html")
        yield self._page("/rule/header.html", headers=(("X-Robots-Tag", "noindex"),), **noindex)
        yield self._page(
            "/rule/nofollow.html",
            "/rule/behind-nofollow.html",
            is_nofollow=True,
            head='<meta name="robots" content="nofollow">',
        )
        for name in ("behind-nofollow", "unfollowed", "both"):
            yield self._page(f"/rule/{name}.html")
        yield self._page("/rule/follows-both.html", "/rule/both.html", "/rule/contested.html")
        # Two pages of one level: the first by alphabet says nofollow, the other does not.
        yield self._page("/rule/disputes.html", to("/rule/contested.html", no=True))
        yield self._page("/rule/contested.html")

    def _copies(self) -> Iterator[Page]:
        url, article = self._url, f"/{_SECTIONS[0]}/{_TOPICS[1]}/care.html"
        yield self._page(
            "/odd/copies.html",
            "/copy/near.html",
            "/copy/chain-a.html",
            "/print/article.html",
            "/copy/canonical.html",
            "/copy/canonical-lost.html",
            "/copy/canonical-elsewhere.html",
            "/copy/canonical-self.html",
            "/copy/circle-one.html",
            "/copy/circle-two.html",
            "/copy/canonical-moved.html",
            "/copy/canonical-dead-end.html",
            "/print/care.html",
            "/copy/page-with-slash",
            "/copy/page-with-slash/",
        )
        shared = url("/copy/near.html")
        yield self._page("/copy/near.html")
        yield self._page("/copy/chain-a.html", "/copy/chain-b.html", "/copy/far-one.html")
        yield self._page("/copy/chain-b.html", "/copy/far-two.html")
        yield self._page("/copy/far-one.html", text=shared)
        yield self._page("/copy/far-two.html", text=shared)
        original = self._page("/print/article.html", "/print/article-print.html")
        yield original
        yield replace(original, url=url("/print/article-print.html"), text=original.url, has_navigation=False)
        yield self._page("/print/care.html", text=url(article), has_navigation=False)
        yield self._page(
            "/copy/canonical.html", "/copy/behind-canonical.html", canonical=url("/copy/original.html")
        )
        yield self._page("/copy/original.html")
        yield self._page("/copy/behind-canonical.html")
        yield self._page("/copy/canonical-lost.html", canonical=url("/copy/no-original.html"))
        yield self._page("/copy/canonical-elsewhere.html", canonical=f"{self.hosts.other}/original.html")
        yield self._page("/copy/canonical-self.html", canonical=url("/copy/canonical-self.html"))
        yield self._page("/copy/circle-one.html", canonical=url("/copy/circle-two.html"))
        yield self._page("/copy/circle-two.html", canonical=url("/copy/circle-one.html"))
        yield self._page("/copy/canonical-moved.html", canonical=url("/copy/moved"))
        yield self._redirect("/copy/moved", "/copy/arrived.html", 301)
        yield self._page("/copy/arrived.html")
        yield self._page("/copy/canonical-dead-end.html", canonical=url("/copy/dead-end"))
        yield self._redirect("/copy/dead-end", "/copy/dead-end-target.html", 301)
        yield self._page("/copy/page-with-slash")
        yield self._page("/copy/page-with-slash/", text=url("/copy/page-with-slash"))

    def _traps(self) -> Iterator[Page]:
        words = [f"{topic}-{name}" for topic in _TOPICS[:4] for name in _ARTICLES]
        yield self._page(
            "/odd/traps.html",
            "/calendar/2026/05/",
            "/shop/",
            *(f"/search?order=up&q={word}" for word in words),
        )
        for word in words:
            yield self._page(f"/search?order=up&q={word}")
        ways = ("entrance", "hall", "stairs")
        for way in ways:
            session = hashlib.sha256(way.encode()).hexdigest()[:32]
            links = (self._to(f"/shop/{one}?sid={session}", f"/shop/{one}") for one in ways)
            yield self._page(f"/shop/{way}", *links)
        yield self._page(
            "/shop/", *(self._to(f"/shop/{way}?PHPSESSID={'f' * 32}", f"/shop/{way}") for way in ways)
        )

    def _month_or_day(self, path: str) -> Page | None:
        parts = path.strip("/").split("/")[1:]
        if not all(part.isdigit() for part in parts) or len(parts) not in (2, 3):
            return None
        year, month = int(parts[0]), int(parts[1])
        if len(parts) == 3:
            return self._page(path, f"/calendar/{year}/{month:02}/")
        turns = [divmod(year * 12 + month - 1 + step, 12) for step in (-1, 1)]
        months = [f"/calendar/{at}/{number + 1:02}/" for at, number in turns]
        return self._page(
            path, *months, *(f"/calendar/{year}/{month:02}/{day:02}" for day in range(1, DAYS + 1))
        )

    def _files(self) -> Iterator[Page]:
        yield self._page(
            "/odd/files.html",
            "/file/leaflet.pdf",
            "/file/leaflet-as-page.html",
            "/file/picture.png",
            "/file/bundle.zip",
            "/file/picture-page.html",
            "/file/download?id=a",
        )
        yield self._page(
            "/file/leaflet.pdf",
            raw=body.pdf("The leaflet names seven gaskets of zinc."),
            media_type="application/pdf",
        )
        yield self._page("/file/leaflet-as-page.html", raw=body.pdf("The page is a leaflet about rotors."))
        yield self._page(
            "/file/download?id=a",
            raw=body.pdf("The download speaks of nozzles and drums."),
            media_type="application/octet-stream",
            headers=(("Content-Disposition", 'attachment; filename="download.pdf"'),),
        )
        other = {"state": _SKIPPED, "reason": UrlReason.MEDIA_TYPE}
        yield self._page("/file/picture.png", raw=body.png(), media_type="image/png", **other)
        yield self._page("/file/bundle.zip", raw=body.archive(), media_type="application/zip", **other)
        yield self._page("/file/picture-page.html", raw=body.png(), **other)

    def _sitemaps(self) -> Iterator[Page]:
        url = self._url
        first = [url(f"/mapped/{name}.html") for name in ("alder", "beech", "cedar")]
        second = [url(f"/mapped/{name}.html") for name in ("elm", "fir")]
        read = {"state": _SKIPPED, "reason": UrlReason.SITEMAP, "has_navigation": False}
        maps = (url("/maps/pages.xml"), url("/maps/more.xml.gz"))
        yield self._page("/sitemap.xml", raw=body.sitemap_index(maps), media_type="application/xml", **read)
        yield self._page(
            "/maps/pages.xml",
            *(Link(one, one) for one in first),
            raw=body.sitemap(first),
            media_type="application/xml",
            **read,
        )
        packed = gzip.compress(body.sitemap(second), mtime=0)
        yield self._page(
            "/maps/more.xml.gz",
            *(Link(one, one) for one in second),
            raw=packed,
            media_type="application/gzip",
            **read,
        )
        for one in (*first, *second):
            yield self._page(one)

    def _news(self) -> Iterator[Page]:
        pages = ("/news/", "/news/?page=2", "/news/?page=3", "/news/?page=4")
        for number, path in enumerate(pages):
            following = [self._to(one, tag=Tag.NEXT) for one in pages[number + 1 : number + 2]]
            yield self._page(path, *following, f"/news/story-{_PLACES[number]}.html")
            yield self._page(f"/news/story-{_PLACES[number]}.html")

    def sitemaps_of(self, page: Page) -> Iterable[str]:
        """Sitemaps that a sitemap names."""
        return (
            (self._url("/maps/pages.xml"), self._url("/maps/more.xml.gz")) if page.url == self.sitemap else ()
        )


def _takes_time(page: Page) -> bool:
    return page.status >= 500 or page.manner in _SLOW
