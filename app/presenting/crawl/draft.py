"""A crawl as it is being written in the form: what is wrong with it, and the request that it makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.presenting.crawl.words import SCOPE
from core.domain.crawl.addresses import address_of
from core.domain.crawl.ledger import UrlReason
from core.domain.crawl.request import (
    LONGEST_PATTERN,
    MOST_STARTS,
    NAMES,
    CrawlPace,
    CrawlRequest,
    PageKind,
    SiteScope,
    checked_schedule,
)
from core.domain.crawl.scope import CrawlScope, site_of
from core.errors import UsageError

NEVER, CRON = "never", "cron"
SCHEDULES = (NEVER, *NAMES, CRON)
_NAMED = 3  # sites that a hint names
_FINE = ("https://example.com/",)
_USUAL = CrawlRequest.checked(urls=_FINE)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in the form that cannot be. field: the widget it stands below."""

    field: str
    message: str
    next_step: str


@dataclass(frozen=True, slots=True)
class CrawlDraft:
    """The values of the form as they stand there; addresses and patterns one a line.

    sets_groups: only the groups named may see the documents; else known ones keep theirs, new ones are
    for everybody.
    """

    addresses: str = ""
    depth: int = _USUAL.depth
    max_pages: int = _USUAL.max_pages
    scope: SiteScope = _USUAL.scope
    include: str = ""
    exclude: str = ""
    kinds: tuple[PageKind, ...] = _USUAL.kinds
    heeds_robots: bool = _USUAL.heeds_robots
    ignore_robots_because: str = ""
    use_sitemaps: bool = _USUAL.use_sitemaps
    delay_s: float = _USUAL.pace.delay_s
    concurrency: int = _USUAL.pace.concurrency
    per_host: int = _USUAL.pace.per_host
    adapt: bool = _USUAL.pace.adapt
    user_agent: str = _USUAL.user_agent
    bucket: str = _USUAL.bucket
    sets_groups: bool = False
    groups: tuple[str, ...] = ()
    schedule: str = NEVER
    cron: str = ""

    @classmethod
    def of(cls, request: CrawlRequest, schedule: str = "") -> CrawlDraft:
        """The form that would make this request."""
        is_cron = bool(schedule) and schedule not in NAMES
        return cls(
            addresses="\n".join(request.urls),
            depth=request.depth,
            max_pages=request.max_pages,
            scope=request.scope,
            include="\n".join(request.include),
            exclude="\n".join(request.exclude),
            kinds=request.kinds,
            heeds_robots=request.heeds_robots,
            ignore_robots_because=request.ignore_robots_because,
            use_sitemaps=request.use_sitemaps,
            delay_s=request.pace.delay_s,
            concurrency=request.pace.concurrency,
            per_host=request.pace.per_host,
            adapt=request.pace.adapt,
            user_agent=request.user_agent,
            bucket=request.bucket,
            sets_groups=request.acl is not None,
            groups=request.acl or (),
            schedule=CRON if is_cron else schedule or NEVER,
            cron=schedule if is_cron else "",
        )

    @property
    def starts(self) -> tuple[str, ...]:
        """The start addresses, as they were written."""
        return _lines(self.addresses)

    @property
    def every(self) -> str:
        """The schedule as core takes it, unchecked."""
        return self.cron if self.schedule == CRON else "" if self.schedule == NEVER else self.schedule

    def faults(self) -> list[Fault]:
        """All that cannot be, from the top of the form down; an empty form has none yet for its addresses."""
        found = [fault for line in self.starts for fault in _of_address(line)]
        if len(self.starts) > MOST_STARTS:
            found.append(
                Fault(
                    "addresses",
                    f"There are {len(self.starts):,} start addresses, more than {MOST_STARTS}.",
                    "Take some out, or make two crawls.",
                )
            )
        for field, text in (("include", self.include), ("exclude", self.exclude)):
            found += [fault for line in _lines(text) for fault in _of_pattern(field, line)]
        if not self.kinds:
            found.append(Fault("kinds", "Nothing is to be taken.", "Choose at least one kind of page."))
        if not self.heeds_robots and not self.ignore_robots_because.strip():
            found.append(
                Fault("because", "robots.txt is not heeded.", "Say why: the reason is kept with the crawl.")
            )
        if self.sets_groups and not self.groups:
            found.append(
                Fault("groups", "No group may see the documents.", "Name a group, or let everybody see them.")
            )
        found += _tried("bucket", lambda: CrawlRequest.checked(urls=_FINE, bucket=self.bucket))
        found += _tried("user_agent", lambda: CrawlRequest.checked(urls=_FINE, user_agent=self.user_agent))
        if self.schedule == CRON and not self.cron.strip():
            found.append(Fault("cron", "The schedule is empty.", "Write five fields, such as 30 6 * * 1-5."))
        found += _tried("cron", lambda: checked_schedule(self.every))
        return found

    def request(self) -> CrawlRequest:
        """The crawl that the form asks for. Raises UsageError where it has faults or no address."""
        return CrawlRequest.checked(
            urls=self.starts,
            depth=self.depth,
            max_pages=self.max_pages,
            scope=self.scope,
            include=_lines(self.include),
            exclude=_lines(self.exclude),
            kinds=self.kinds,
            ignore_robots_because="" if self.heeds_robots else self.ignore_robots_because.strip(),
            use_sitemaps=self.use_sitemaps,
            pace=CrawlPace(
                delay_s=self.delay_s,
                concurrency=self.concurrency,
                per_host=self.per_host,
                adapt=self.adapt,
            ),
            user_agent=self.user_agent,
            bucket=self.bucket,
            acl=self.groups if self.sets_groups else None,
        )

    def verdict(self, address: str) -> UrlReason | None:
        """The reason for which this crawl would leave out a page one link below its start; NONE: it takes it.

        None where the address, or the form, cannot be read.
        """
        try:
            request = self.request()
            (given,) = CrawlRequest.checked(urls=(address,)).urls
        except UsageError:
            return None
        found = address_of(given)
        # Depth is not the question here, so one link down stands for any that the crawl reaches.
        return None if found is None else CrawlScope(request).judge(found, depth=0).reason


def _lines(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))


def _of_address(line: str) -> list[Fault]:
    return _tried("addresses", lambda: CrawlRequest.checked(urls=(line,)))


def _of_pattern(field: str, line: str) -> list[Fault]:
    if "://" in line:
        path = "/" + line.partition("://")[2].partition("/")[2]
        return [
            Fault(
                field,
                f"The pattern {line!r} has a host, and is compared with what follows the host.",
                f"Write {path!r}.",
            )
        ]
    if not line.startswith(("/", "*")):
        return [
            Fault(
                field,
                f"The pattern {line!r} fits no address: what follows the host begins with a slash.",
                f"Write '/{line}' or '*{line}'.",
            )
        ]
    if len(line) > LONGEST_PATTERN:
        return [Fault(field, f"A pattern has {len(line):,} characters.", f"Use at most {LONGEST_PATTERN}.")]
    return []


def scope_hint(scope: SiteScope, starts: Sequence[str]) -> str:
    """A sentence on the pages that belong to the site, by the start addresses; an example without any."""
    addresses = [address_of(line) for line in starts]
    sites = dict.fromkeys(site_of(each, scope) for each in addresses if each is not None and each.is_web)
    if not sites:
        return SCOPE[scope].sentence
    named = list(sites)[:_NAMED]
    more = f" and {len(sites) - _NAMED:,} more" if len(sites) > _NAMED else ""
    words = {SiteScope.HOST: "Pages of", SiteScope.DOMAIN: "Pages of all hosts of"}
    return f"{words.get(scope, 'Pages below')} {', '.join(f'`{each}`' for each in named)}{more}."


def _tried(field: str, act: Callable[[], object]) -> list[Fault]:
    try:
        act()
    except UsageError as error:
        return [Fault(field, error.message, error.next_step)]
    return []
