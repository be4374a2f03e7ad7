"""A web page as it was, made harmless: nothing runs, nothing is fetched, nothing is sent.

The site's markup is rewritten (links, images, headings), then passed through an allow-list of elements and
attributes, and set into a page of our own whose policy forbids everything but text and our style. What the
browser gets is shown in a frame that may run no script either: three fences, each of which would do.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from itertools import dropwhile
from typing import Any
from urllib.parse import urljoin, urlsplit

from core.ingest.parse.html.body import HIDING_STYLE, NEVER_SHOWN, OF_HEAD, UNHIDDEN
from core.text.words import word_set

CONTENT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
)
"""Content-Security-Policy of a stored page."""

CITED = "cited-words"
"""Id of the marked words: an address that ends with it opens the page there."""


_TAGS = word_set(
    "a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup dd del"
    " details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i ins kbd li main"
    " mark nav ol p pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody"
    " td tfoot th thead time tr tt u ul var"
)

_GONE = NEVER_SHOWN | word_set("frame frameset applet form input textarea source track link meta base title")
_ATTRIBUTES = {
    "a": {"href", "title", "target", "class"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "ol": {"start", "type"},
    "li": {"value"},
    "mark": {"id"},
    "time": {"datetime"},
    "p": {"class"},
    "*": {"lang", "dir"},
}
_SCHEMES = {"http", "https", "mailto"}
_DECLARATION = re.compile(r"^\s*(?:<\?xml[^>]*\?>\s*)?")
_LONGEST_QUOTE = 2_000
_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0 auto; padding: 1.2rem 1.6rem; max-width: 820px; font: 15px/1.6 system-ui, sans-serif;
  overflow-wrap: anywhere; color: #1b2124; background: #fff; }
a { color: #0b57d0; }
pre, code, kbd, samp, tt { font-family: ui-monospace, monospace; font-size: .92em; }
pre { overflow: auto; padding: .7rem .9rem; background: #f2f4f5; border-radius: 4px; }
table { border-collapse: collapse; margin: .8rem 0; }
td, th { border: 1px solid #c9d0d4; padding: .25rem .55rem; text-align: left; vertical-align: top; }
.stored-image { font-size: .92em; }
mark { background: #ffe07a; color: #1b2124; padding: .05em 0; scroll-margin: 30vh; }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { color-scheme: dark; }
  :root:not([data-theme=light]) body { color: #e4e9ec; background: #14191c; }
  :root:not([data-theme=light]) a { color: #8ab8ff; }
  :root:not([data-theme=light]) pre { background: #20272b; }
  :root:not([data-theme=light]) :is(td, th) { border-color: #414b51; } }
:root[data-theme=dark] { color-scheme: dark; }
:root[data-theme=dark] body { color: #e4e9ec; background: #14191c; }
:root[data-theme=dark] a { color: #8ab8ff; }
:root[data-theme=dark] pre { background: #20272b; }
:root[data-theme=dark] :is(td, th) { border-color: #414b51; }
"""


def render_stored_page(markup: str, address: str, quote: str = "", theme: str = "") -> str:
    """A whole page of HTML that shows `markup` and does nothing.

    address: where it came from; links are made absolute by it where it is one of the web. quote: words to
    mark, with the id `CITED`, where they stand exactly once. theme: light, dark, or "" for the reader's own.
    """
    soup = rewritten(markup, address)
    if quote:
        _mark(soup, quote)
    return harmless_page(soup, theme)


def harmless_page(soup: Any, theme: str = "") -> str:
    """The page of a parsed one that has nothing but allowed elements, with our style and policy."""
    import nh3

    body = nh3.clean(
        str(soup.body or soup),
        tags=_TAGS,
        clean_content_tags=set(_GONE),
        attributes=_ATTRIBUTES,
        url_schemes=_SCHEMES,
        link_rel="noopener noreferrer nofollow",
        strip_comments=True,
    )
    title = soup.title.get_text() if soup.title else ""
    look = f' data-theme="{theme}"' if theme in ("light", "dark") else ""
    return (
        f'<!doctype html><html{look}><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{CONTENT_POLICY}">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{html.escape(' '.join(title.split()))}</title><style>{_STYLE}</style></head>"
        f"<body>{body}</body></html>"
    )


def rewritten(markup: str, address: str) -> Any:
    """The parsed markup without images, comments and what is hidden, its links absolute or gone."""
    from bs4 import BeautifulSoup, Comment

    # Beautiful Soup warns of what begins like XML, and of what looks like a file's name.
    markup = _DECLARATION.sub("", markup)
    soup = BeautifulSoup(markup if markup.startswith("<") else f"<body>{markup}", "lxml")
    base = _base(soup, address)
    for comment in soup.find_all(string=lambda text: isinstance(text, Comment)):
        comment.extract()
    _open_body(soup)
    for element in [*soup.find_all(style=HIDING_STYLE), *soup.find_all(hidden=True)]:
        if not element.decomposed and element.name not in UNHIDDEN:
            element.decompose()
    for image in soup.find_all("img"):
        _replace_image(soup, image, base)
    for link in soup.find_all("a"):
        href = _absolute(base, str(link.get("href") or ""))
        link.attrs = {key: value for key, value in link.attrs.items() if key in ("title", "class")}
        if link.get("class") != ["stored-image"]:
            link.attrs.pop("class", None)
        if href:
            link["href"], link["target"] = href, "_blank"
        else:
            link.unwrap()
    return soup


def _open_body(soup: Any) -> None:
    """Move what browsers show out of the head into the body: see `core.ingest.parse.html.body`."""
    head = soup.head
    strays = [] if head is None else list(dropwhile(lambda each: not each.name or each.name in OF_HEAD, head))
    if not strays:
        return
    if soup.body is None:
        head.insert_after(soup.new_tag("body"))
    for position, each in enumerate(strays):
        soup.body.insert(position, each.extract())


def _base(soup: Any, address: str) -> str:
    """The address that relative links start from; "" where the page is no page of the web."""
    if not address.startswith(("http://", "https://")):
        address = ""
    stated = soup.find("base", href=True)
    base = _join(address, stated["href"]) if stated else address
    return base if base.startswith(("http://", "https://")) else address


def _join(base: str, target: str) -> str:
    try:
        return urljoin(base, target.strip())
    except ValueError:  # "http://[": no address at all
        return ""


def _absolute(base: str, target: str) -> str:
    """The address as a link may have it: of the web or mail; "" for all else, and what stays relative."""
    joined = _join(base, target)
    try:
        scheme = urlsplit(joined).scheme.lower()
    except ValueError:
        return ""
    return joined if scheme in _SCHEMES else ""


def _replace_image(soup: Any, image: Any, base: str) -> None:
    """Put a link with the image's alternative text in its place: the frame fetches nothing."""
    alternative = " ".join((image.get("alt") or "").split())
    source = image.get("src") or image.get("data-src") or ""
    target = "" if source.startswith("data:") else _absolute(base, source)
    words = f"[Image: {alternative}]" if alternative else "[Image]"
    if not target and not alternative:
        image.decompose()
        return
    if not target or image.find_parent("a") is not None:
        image.replace_with(words)
        return
    link = soup.new_tag("a", href=target)
    link["class"] = ["stored-image"]
    link.string = words
    image.replace_with(link)


def _mark(soup: Any, quote: str) -> None:
    """Wrap the quoted words, where they stand exactly once on the page, whatever its white space."""
    wanted = [word for word in re.split(r"[\s|]+", quote[:_LONGEST_QUOTE]) if word]
    if not wanted or soup.body is None:
        return
    pieces, joined = _pieces(soup)
    gap = r"(?:\s|\u200b|\u00b6)*"
    pattern = re.compile(gap.join(re.escape(word) for word in wanted))
    places = [match.span() for _, match in zip(range(2), pattern.finditer(joined), strict=False)]
    if len(places) == 1:
        _wrap(soup, pieces, *places[0])


def mark_between(soup: Any, begin: str, end: str) -> None:
    """Wrap the words between two signs, and take the signs away, wherever they stand."""
    pieces, joined = _pieces(soup)
    first, last = joined.find(begin), joined.find(end)
    if 0 <= first < last:
        _wrap(soup, pieces, first + len(begin), last)
    for text in soup.find_all(string=lambda text: begin in text or end in text):
        text.replace_with(str(text).replace(begin, "").replace(end, ""))


def _pieces(soup: Any) -> tuple[list[Any], str]:
    """The texts of the page that can be seen, and all of them joined."""
    found = [
        text
        for text in (soup.body.find_all(string=True) if soup.body is not None else ())
        if type(text).__name__ == "NavigableString" and text.parent.name not in _GONE
    ]
    return found, "".join(map(str, found))


def _wrap(soup: Any, pieces: Sequence[Any], first: int, last: int) -> None:
    """Put characters [first, last) of the joined pieces into marks, the first of which has the id."""
    is_first, start = True, 0
    for text in pieces:
        begin, end = max(first - start, 0), min(last - start, len(text))
        start += len(text)
        if begin >= end or not str(text)[begin:end].strip():
            continue
        marked = soup.new_tag("mark")
        marked.string = str(text)[begin:end]
        if is_first:
            marked["id"], is_first = CITED, False
        text.replace_with(str(text)[:begin], marked, str(text)[end:])
