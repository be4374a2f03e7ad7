"""A page of the odd site as it is declared: what it says, where it leads, what a crawl must make of it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum
from html import escape

from core.domain.crawl.ledger import UrlReason, UrlState

HTML = "text/html; charset=utf-8"
SITE_NAME = "Odd Press"
_NAMES = (
    "anchor basin cable damper engine flange gasket hinge inlet joint kettle lever motor nozzle outlet "
    "piston quarry rotor sensor turbine unit valve washer yoke zinc copper drum filter gauge hopper "
    "insulator jacket keel ladder magnet needle orifice pump rail sleeve tank vent wheel boiler clamp "
    "duct fuse girder hose ingot kiln lathe"
)
_VOCABULARY = _NAMES.split()
_ACTIONS = ("holds", "carries", "seals", "drives", "cools", "lifts", "feeds", "guides", "drains", "heats")


class Tag(StrEnum):
    """Element of HTML that holds an address."""

    ANCHOR = "a"
    AREA = "area"
    IFRAME = "iframe"
    NEXT = "next"  # <link rel="next">


class Manner(StrEnum):
    """Way in which a page is sent, where it is not as everybody does."""

    PLAIN = "plain"
    GZIP = "gzip"
    DEFLATE = "deflate"
    BROKEN_GZIP = "broken_gzip"
    BOMB = "bomb"  # a small gzip that becomes large
    ANNOUNCED = "announced"  # says 1 GB, and would send it
    ENDLESS = "endless"
    DRIPPING = "dripping"  # a byte now and then
    SILENT = "silent"  # takes the request and says nothing
    CUT = "cut"  # closed in the middle of the body
    BUSY_ONCE = "busy_once"  # 429 with Retry-After first, then the page
    BUSY = "busy"  # 429 with Retry-After for ever


class Validator(StrEnum):
    """What a page gives for conditional requests."""

    ETAG = "etag"
    DATE = "date"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Link:
    """A link as it stands in the page, and the address in its normal form that it means, "" for none."""

    href: str
    target: str
    is_nofollow: bool = False
    tag: Tag = Tag.ANCHOR


@dataclass(frozen=True, slots=True)
class Page:
    """One address that answers. state, reason: what a crawl makes of its answer alone.

    raw: the body, where it is not rendered from the rest. leads_to: of a redirect or a refresh.
    canonical: address that it names as its own. text: pages of one text are duplicates; "" for its own one.
    counts_links: the links of such an answer count. is_nofollow: the page says so of all its links.
    head: more elements of the head.
    """

    url: str
    title: str = ""
    links: tuple[Link, ...] = ()
    status: int = 200
    state: UrlState = UrlState.KEPT
    reason: UrlReason = UrlReason.NONE
    raw: bytes | None = None
    headers: tuple[tuple[str, str], ...] = ()
    media_type: str = HTML
    leads_to: str = ""
    canonical: str = ""
    text: str = ""
    head: str = ""
    manner: Manner = Manner.PLAIN
    validator: Validator = Validator.ETAG
    encoding: str = "utf-8"
    has_navigation: bool = True
    counts_links: bool = True
    is_nofollow: bool = False

    @property
    def text_key(self) -> str:
        """Key that pages of one main text share."""
        return self.text or self.url


def body_of(page: Page, navigation: tuple[Link, ...], version: int = 1) -> bytes:
    """The body of a page in one of its versions."""
    if page.raw is not None:
        return page.raw
    menu = ""
    if page.has_navigation:
        items = "".join(f"<li>{_anchor(link, number)}</li>" for number, link in enumerate(navigation))
        menu = f"<header><nav><ul>{items}</ul></nav></header>"
    links = "".join(
        f"<li>{_anchor(link, number)}</li>"
        for number, link in enumerate(page.links)
        if link.tag is not Tag.NEXT
    )
    following = "".join(
        f'<link rel="next" href="{escape(link.href)}">' for link in page.links if link.tag is Tag.NEXT
    )
    canonical = f'<link rel="canonical" href="{escape(page.canonical)}">' if page.canonical else ""
    title = page.title or _title(page.text_key)
    listed = f"<h2>See more</h2><ul>{links}</ul>" if links else ""
    html = (
        f'<!doctype html><html lang="en"><head>{page.head}<title>{escape(title)} – {SITE_NAME}</title>'
        f"{canonical}{following}</head><body>{menu}<main><h1>{escape(title)}</h1>"
        f"{_prose(page.text_key, version)}{listed}</main>"
        f"<footer><p>{SITE_NAME}, a publisher of oddities.</p></footer></body></html>"
    )
    return html.encode(page.encoding)


def _anchor(link: Link, number: int) -> str:
    href, name = escape(link.href), f"{_VOCABULARY[number % len(_VOCABULARY)]} {number}"
    if link.tag is Tag.IFRAME:
        return f'<iframe src="{href}"></iframe>'
    if link.tag is Tag.AREA:
        return f'<map name="{name}"><area href="{href}" alt="{name}"></map>'
    return f'<a href="{href}"{" rel=nofollow" if link.is_nofollow else ""}>{name}</a>'


def _title(key: str) -> str:
    rng = random.Random(f"title {key}")
    return " ".join(rng.choice(_VOCABULARY) for _ in range(3)).capitalize()


def _prose(key: str, version: int) -> str:
    """Four paragraphs; a version differs in its second one."""
    paragraphs = []
    for number in range(4):
        rng = random.Random(f"{key} {number} {version if number == 1 else 1}")
        sentences = [
            f"The {rng.choice(_VOCABULARY)} of the {rng.choice(_VOCABULARY)} {rng.choice(_ACTIONS)} "
            f"a {rng.choice(_VOCABULARY)} beside the {rng.choice(_VOCABULARY)}, and weighs "
            f"{rng.randrange(10, 9000)} grams."
            for _ in range(3)
        ]
        paragraphs.append(f"<p>{' '.join(sentences)}</p>")
    return "".join(paragraphs)
