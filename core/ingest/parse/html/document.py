"""HTML: the visible text of the page's main content, and a page of what it declares about itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from core.domain.document import PAGE_DETAILS, FilePart, Heading, Page, ParsedDocument, PartState
from core.ingest.clean import language_of
from core.ingest.parse import formats
from core.ingest.parse.base import Budget, PageBuilder, ParseLimits, title_from_source
from core.ingest.parse.decode import decode
from core.ingest.parse.html.blocks import BlockReader
from core.ingest.parse.html.body import HIDING_STYLE, NEVER_SHOWN, UNHIDDEN, open_body
from core.ingest.parse.html.facts import declared_facts
from core.ingest.parse.html.main import drop, main_region, step_addresses, text_of
from core.ingest.parse.html.marks import (
    STRUCK_STYLE,
    draw_out,
    fill_in,
    mark_struck,
    set_apart,
    tell_typed,
    unread_parts,
)
from core.ingest.parse.quoted_mail import quoted_elements
from core.text.headings import clean_title, tells_apart

_SEPARATOR = re.compile(r"\s+(?:[|\u2013\u2014\u00b7\u2022\u00bb\u00ab<>/~]|-{1,3}|::)\s+|::?\s+")
_SITE_PART = re.compile(
    r"(?:documentation|docs|manual|wiki(?:pedia)?|home ?page|website|blog|web site|help cent(?:er|re))$",
    re.IGNORECASE,
)
_SAYS_NOTHING = re.compile(
    r"(?:untitled(?: document)?|home(?: ?page)?|index(?:\.html?)?|document|new page|page|title|welcome)\W*$",
    re.IGNORECASE,
)
_STYLE_RULE = re.compile(r"([^{}]{1,500})\{([^{}]{0,2000})\}")
_SIMPLE_SELECTOR = re.compile(r"^(?:[a-zA-Z][\w-]*)?([.#])([\w-]+)$")
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w-]{2,30})", re.IGNORECASE)
_ENDS = re.compile(r"</(?:body|html)\s*>", re.IGNORECASE)
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_XML_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_LANGUAGE = re.compile(r"[a-z]{2}(?![a-z])")
_MOST_DEPTH = 2_040  # libxml2 reads no further below some more


def page_title(stated: str, headings: Sequence[Heading], site: str = "") -> str:
    """The part of the stated title that is the page's own; else its first heading; "" where there is neither.

    headings: of the page's main content. site: the site's name, as the page declares it.
    """
    first = next((each for each in headings if each.level == 1), None)
    first = first or next((each for each in headings if each.level == 2), None)
    heading = clean_title(first.text) if first and tells_apart(first.text) else ""
    title = clean_title(stated)
    if not title or _SAYS_NOTHING.match(title):
        return heading or title
    if heading and (own := _shared(title, heading)):
        return own
    return _without_site(title, site)


def _shared(title: str, heading: str) -> str:
    """The heading as the title says it, where the title begins or ends with it; "" else."""
    low, own = title.casefold(), heading.casefold()
    if low == own:
        return title
    if low.startswith(own) and _SEPARATOR.match(title, len(own)):
        return title[: len(own)]
    if low.endswith(own):
        before = title[: len(title) - len(own)]
        if before.endswith(" ") and _SEPARATOR.search(before, max(0, len(before.rstrip()) - 4)):
            return title[len(title) - len(own) :]
    return ""


def _without_site(title: str, site: str) -> str:
    parts = _SEPARATOR.split(title)
    marks = _SEPARATOR.findall(title)
    if len(parts) < 2:
        return title
    is_site = [_names(part, site) for part in parts]
    if is_site[-1] or _SITE_PART.search(parts[-1]):
        return title[: title.rindex(marks[-1] + parts[-1])].strip() or title
    if is_site[0] or (_SITE_PART.search(parts[0]) and len(parts[0].split()) > 1):
        return title[len(parts[0]) + len(marks[0]) :].strip() or title
    return title


def _names(part: str, site: str) -> bool:
    return bool(site) and part.strip().casefold() == site.strip().casefold()


def parse_html(path: Path, source: str, limits: ParseLimits) -> ParsedDocument:
    """The text that a reader of the main content sees, nothing that is hidden, as the first page.

    A page that declares facts about itself (publisher, dates, author, ...) has them, a line each, on a second
    page labelled `PAGE_DETAILS`, so that they can be cited.
    """
    return document_from_html(decode_html(path.read_bytes()), source, limits)


def document_from_html(
    markup: str, source: str, limits: ParseLimits, *, is_mail: bool = False
) -> ParsedDocument:
    """As `parse_html`, for markup that is already text.

    is_mail: it is all content, and quotations in it are what an older mail said.
    """
    from lxml import etree

    root = html_tree(markup)
    builder, details = PageBuilder(1), PageBuilder(2, PAGE_DETAILS)
    title = language = ""
    parts: tuple[FilePart, ...] = ()
    if root is not None:
        title = clean_title("".join(root.findtext(".//title") or ""))
        language = _declared_language(root)
        facts = declared_facts(root)
        steps = frozenset(step_addresses(root)) - {""}
        parts = (*_cut_off(root), *_written_out(root, markup.count("<!--")))
        facts = facts.with_shown(root)
        region = root.find("body") if is_mail else main_region(root, steps)
        region = root if region is None else region
        budget = Budget(source, limits)
        quotations = quoted_elements(region) if is_mail else frozenset()
        BlockReader(builder, budget, quotations).read(region, etree.iterwalk(region, events=("start", "end")))
        title = page_title(title, builder.headings, facts.publisher)
        for line in facts.lines():
            budget.spend(len(line))
            details.add_block(line, gap=1)
    page = builder.build()
    has_details = bool(page.text) and not details.is_empty
    pages: tuple[Page, ...] = (page, details.build()) if has_details else (page,)
    return ParsedDocument(
        title=title or title_from_source(source),
        media_type=formats.HTML.media_type,
        pages=pages,
        language=language_of([page]) or language,
        links=tuple(builder.links),
        unreadable_reason="" if page.text else "The page shows no text without its scripts.",
        parts=parts,
    )


def _cut_off(root: Any) -> Iterator[FilePart]:
    """What no parser reads: all behind an element that is too deep, which is the last one then."""
    depth, last = 0, root
    while len(last):
        depth, last = depth + 1, last[-1]
    if depth >= _MOST_DEPTH:
        reason = f"Its elements are nested more than {_MOST_DEPTH:,} deep: what follows there is not read."
        yield FilePart("rest of the page", PartState.UNREAD, reason=reason)


def _written_out(root: Any, comments: int) -> Iterator[FilePart]:
    """Take out of a tree what is not shown, and write in words what is; gives what is to be said of it.

    comments: in the markup, which the tree does not hold.
    """
    struck = _styled(root, STRUCK_STYLE)
    hidden = [each for each in _styled(root, HIDING_STYLE, "hidden") if each.tag not in UNHIDDEN]
    left_out = sum(bool(text_of(each).strip()) for each in hidden)
    for element in hidden:
        drop(element)
    yield from unread_parts(root)
    tell_typed(root)
    draw_out(root)
    values = fill_in(root)
    for element in list(root.iter(*NEVER_SHOWN, "input")):
        drop(element)
    set_apart(root)
    deleted = mark_struck(root, struck)
    if values:
        yield FilePart("form fields", count=values)
    if deleted:
        yield FilePart("deletions", count=deleted)
    if left_out:
        yield FilePart("hidden texts", PartState.LEFT_OUT, left_out)
    if comments:
        yield FilePart("comments in the markup", PartState.LEFT_OUT, comments)


def decode_html(data: bytes) -> str:
    """The file as text: by its byte order mark, else by the charset that it names, else by its bytes."""
    match = _META_CHARSET.search(data[:4_096])
    if match and not data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        name = match[1].decode("ascii")
        try:
            return data.decode("cp1252" if name.lower() in ("iso-8859-1", "latin-1", "latin1") else name)
        except (LookupError, UnicodeDecodeError):
            pass
    return decode(data)


def _declared_language(root: Any) -> str:
    said = root.get("lang") or root.get("xml:lang") or root.get(_XML_LANGUAGE) or ""
    match = _LANGUAGE.match(str(said).strip().lower())
    return match[0] if match else ""


def html_tree(markup: str) -> Any:
    """The root element of a page without comments, or None where there is nothing to read."""
    from lxml import etree

    # Browsers show what stands behind </html>, libxml2 drops it: pages put together of parts have such ends.
    markup = _ENDS.sub(" ", _DECLARATION.sub("", markup)).replace("\0", " ")
    if not markup.strip():
        return None
    # Elements of lxml.html cost a look-up each: pages of 2,000 elements took twice the time.
    parser = etree.HTMLParser(
        remove_comments=True, remove_pis=True, no_network=True, encoding="utf-8", huge_tree=True
    )
    try:
        root = etree.fromstring(markup.encode("utf-8", "replace"), parser=parser)
    except etree.XMLSyntaxError:  # nothing but comments or white space
        return None
    if root is not None:
        open_body(root)
    return root


def _styled(root: Any, style: re.Pattern[str], attribute: str = "") -> list[Any]:
    """The elements that have a style, by their own or by a rule of the page; or that attribute."""
    names = _styled_names(root, style)
    marked = root.xpath(f"//*[@style{f' or @{attribute}' if attribute else ''}]")
    named = root.xpath("//*[@class or @id]") if names else []
    return [
        each
        for each in (*marked, *named)
        if (attribute and attribute in each.attrib)
        or style.search(each.get("style", ""))
        or f"#{each.get('id', '')}" in names
        or any(f".{name}" in names for name in each.get("class", "").split())
    ]


def _styled_names(root: Any, style: re.Pattern[str]) -> frozenset[str]:
    """Classes and ids that get a style in the page's own style sheet by a rule of one simple selector."""
    names: set[str] = set()
    for sheet in root.iter("style"):
        for selectors, rules in _STYLE_RULE.findall((sheet.text or "")[:200_000]):
            if "@" in selectors or not style.search(rules):
                continue
            for selector in selectors.split(","):
                match = _SIMPLE_SELECTOR.match(selector.strip())
                if match:
                    names.add(match[1] + match[2])
    return frozenset(names)
