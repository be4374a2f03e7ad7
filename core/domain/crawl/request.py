"""A crawl as it is asked for: start addresses, how far, how fast, and what counts as a page."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from core.domain.document import valid_bucket
from core.domain.frozen import Frozen
from core.errors import UsageError

MOST_STARTS = 20
MOST_PATTERNS = 50
DEEPEST = 4
LONGEST_PATTERN = 300
USER_AGENT = "Groundwork/1.0 (+site crawler of a document workbench)"

_Pattern = Annotated[str, Field(min_length=1, max_length=LONGEST_PATTERN)]


class SiteScope(StrEnum):
    """Addresses that belong to the site: of the start's host, its registered domain, or below its folder."""

    HOST = "host"
    DOMAIN = "domain"
    PREFIX = "prefix"


class PageKind(StrEnum):
    """Kind of file that becomes a document."""

    HTML = "html"
    PDF = "pdf"
    OFFICE = "office"  # DOCX, XLSX, CSV
    TEXT = "text"


class CrawlPace(BaseModel):
    """Speed of a crawl. delay_s: between two requests to one host, besides what robots.txt asks for.

    concurrency: requests at a time, of which per_host to one host. adapt: slow down where the site does.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    delay_s: float = Field(default=0.0, ge=0, le=60)
    concurrency: int = Field(default=8, ge=1, le=32)
    per_host: int = Field(default=4, ge=1, le=16)
    adapt: bool = True


class CrawlRequest(Frozen):
    """A crawl as it was asked for; everything is checked here, whoever asks.

    include, exclude: patterns with * over the address from its path on ("/docs/*", "*.pdf", "*/old/*"); where
    there are includes, one must fit, start addresses excepted. max_pages: pages that are kept, at most; where
    nearly every answer is an error or a page seen before, a run ends after ten times as many and 500 more.
    ignore_robots_because: the reason that an admin gives for not heeding robots.txt; "" heeds it.
    acl: groups that may see the documents; None keeps what known ones have. timeout_s: of one request.
    """

    urls: tuple[str, ...] = Field(min_length=1, max_length=MOST_STARTS)
    depth: int = Field(default=2, ge=0, le=DEEPEST)
    max_pages: int = Field(default=1_000, ge=1, le=1_000_000)
    scope: SiteScope = SiteScope.HOST
    include: tuple[_Pattern, ...] = Field(default=(), max_length=MOST_PATTERNS)
    exclude: tuple[_Pattern, ...] = Field(default=(), max_length=MOST_PATTERNS)
    kinds: tuple[PageKind, ...] = Field(default=(PageKind.HTML, PageKind.PDF), min_length=1)
    ignore_robots_because: str = Field(default="", max_length=300)
    use_sitemaps: bool = True
    pace: CrawlPace = CrawlPace()
    user_agent: str = Field(default=USER_AGENT, min_length=1, max_length=200, pattern=r"^[\x20-\x7e]+$")
    timeout_s: float = Field(default=30.0, ge=1, le=300)
    most_of_a_pattern: int = Field(default=1_000, ge=10, le=1_000_000)
    bucket: str = "default"
    acl: tuple[str, ...] | None = None

    @field_validator("urls")
    @classmethod
    def _are_addresses(cls, urls: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(_address(url) for url in urls))

    @field_validator("bucket")
    @classmethod
    def _is_a_bucket(cls, bucket: str) -> str:
        return valid_bucket(bucket)

    @property
    def heeds_robots(self) -> bool:
        """True unless an admin gave a reason not to."""
        return not self.ignore_robots_because

    @classmethod
    def checked(cls, **given: object) -> CrawlRequest:
        """The request. Raises UsageError, which names the value that cannot be, and what can."""
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"] if not isinstance(part, int))
            cause = first.get("ctx", {}).get("error")
            if isinstance(cause, UsageError):
                raise cause from None
            raise UsageError(
                f"The crawl cannot have {place} = {first['input']!r}: {first['msg']}.",
                next_step="Correct the value.",
            ) from None


class _NoAddressError(UsageError, ValueError):
    """A start address that cannot be one; a ValueError too, so that validation carries it along."""


def _address(given: str) -> str:
    shown = given.strip()
    if shown and "://" not in shown and not shown.split("/")[0].lower().startswith(_OTHER_SCHEMES):
        shown = f"https://{shown}"
    try:
        parts = urlsplit(shown)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        host = ""
        parts = urlsplit("")
    if parts.scheme and parts.scheme.lower() not in ("http", "https"):
        raise _NoAddressError(
            f"The start address {given!r} has the scheme {parts.scheme!r}.",
            next_step="A crawl starts at http:// or https:// addresses.",
        )
    is_bare_word = shown != given.strip() and "." not in host and host != "localhost"
    if not host or is_bare_word or any(sign.isspace() for sign in shown):
        raise _NoAddressError(
            f"The start address {given!r} is no address of a site.",
            next_step="Write it as in a browser, such as https://example.com/docs/.",
        )
    if parts.username or parts.password:
        raise _NoAddressError(
            f"The start address of {host!r} holds a user name or password.",
            next_step="Put credentials into crawl.credentials of groundwork.toml, where they are not shown.",
        )
    return shown


_OTHER_SCHEMES = ("file:", "javascript:", "data:", "mailto:", "ftp:", "about:", "blob:", "tel:")


_NAMED = {"hourly": "0 * * * *", "daily": "0 3 * * *", "weekly": "0 3 * * 1"}
_ALIASES = {"hour": "hourly", "day": "daily", "week": "weekly", "never": "", "none": ""}
_FIELDS = 5
NAMES = tuple(_NAMED)


def checked_schedule(given: str) -> str:
    """The schedule in its one form; "" for none. Raises UsageError where it is neither a name nor cron."""
    shown = " ".join(given.split()).lower()
    shown = _ALIASES.get(shown, shown)
    if shown and shown not in _NAMED:
        _fields(shown)
    return shown


def next_time(schedule: str, after: datetime) -> datetime | None:
    """The first moment of a checked schedule later than `after`; None for none."""
    return _fields(_NAMED.get(schedule, schedule), after) if schedule else None


def _fields(cron: str, after: datetime | None = None) -> datetime:
    from cronsim import CronSim, CronSimError

    try:
        if len(cron.split()) != _FIELDS:  # cronsim takes seconds too
            raise CronSimError(cron)
        found: datetime = next(CronSim(cron, after or datetime.now(UTC)))
    except (CronSimError, StopIteration):
        raise UsageError(
            f"The schedule {cron!r} cannot be understood.",
            next_step="Write hourly, daily, weekly, or five fields of cron such as '30 6 * * 1-5' (UTC).",
        ) from None
    return found
