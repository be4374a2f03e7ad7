"""Plain text and Markdown: the stored page is the normalised file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from core.domain.document import FilePart, Link, Page, ParsedDocument, PartState
from core.ingest.clean import language_of, normalise
from core.ingest.parse import formats
from core.ingest.parse.base import Budget, ParseLimits, title_from_source
from core.ingest.parse.decode import character_parts, encoding_of
from core.text.headings import find_headings, first_title
from core.text.marks import lowered, mark, plain, raised

PAGE_CHARS = 1_000_000
_BLOCK_CHARS = 1 << 20

_MARKDOWN_LINK = re.compile(r"(!?)\[[^\]\n]{0,300}\]\(\s*<?([^)\s>]{1,2000})>?[^)\n]{0,200}\)")
_FRONT_TITLE = re.compile(r"\A---\n(?:.*\n){0,30}?title:[ \t]*(.+)\n(?:.*\n){0,30}?---\n", re.IGNORECASE)
_MARKED = re.compile(
    r"(?P<code>^(?P<fence>```|~~~)(?s:.)*?^(?P=fence)|`[^`\n]+`)|<!--(?s:.)*?-->"
    r"|(?<![~\\])~~(?=[^\s~])(?P<struck>[^~\n]{1,2000}?)~~(?!~)"
    r"|<(?P<tag>del|s|strike)>(?P<deleted>[^<]{1,2000})</(?P=tag)>"
    r"|<sup>(?P<up>[^<]{1,40})</sup>|<sub>(?P<down>[^<]{1,40})</sub>"
    r"|^\[\^(?P<name>[^\]\s]{1,40})\]:[ \t]*(?P<note>[^\n]+)|\[\^(?P<ref>[^\]\s]{1,40})\]",
    re.MULTILINE | re.IGNORECASE,
)
_BRACKETS = str.maketrans("[]", "()")


def parse_text(path: Path, source: str, limits: ParseLimits) -> ParsedDocument:
    """A text file, read in blocks; a form feed begins a page, as does every million characters."""
    return _parse(path, source, limits, formats.TEXT)


def parse_markdown(path: Path, source: str, limits: ParseLimits) -> ParsedDocument:
    """A Markdown file; its text stays as written, marks included, but for deletions, notes and comments."""
    return _parse(path, source, limits, formats.MARKDOWN)


def _parse(path: Path, source: str, limits: ParseLimits, form: formats.FileFormat) -> ParsedDocument:
    is_markdown = form is formats.MARKDOWN
    budget = Budget(source, limits)
    encoding = encoding_of(path)
    pages: list[Page] = []
    links: list[Link] = []
    comments = 0
    with path.open(encoding=encoding.codec, errors="replace", newline="") as file:
        for raw in _trimmed(_page_texts(file)):
            text = plain(normalise(raw))
            if is_markdown:
                text, here = _marked(text)
                comments += here
            budget.spend(len(text), pages=1)
            number = len(pages) + 1
            pages.append(Page(number, text, find_headings(text, is_markdown=is_markdown)))
            if is_markdown:
                links += markdown_links(text, number)
    has_text = any(page.text.strip() for page in pages)
    first = next((page for page in pages if page.text.strip()), None)
    return ParsedDocument(
        title=_title(first, is_markdown) or title_from_source(source),
        media_type=form.media_type,
        pages=tuple(pages),
        language=language_of(pages),
        links=tuple(links),
        metadata={"encoding": encoding.label},
        unreadable_reason="" if has_text else "The file holds nothing but white space.",
        parts=(
            *character_parts(encoding, [page.text for page in pages]),
            *([FilePart("comments", PartState.LEFT_OUT, comments)] if comments else []),
        ),
    )


def _marked(text: str) -> tuple[str, int]:
    """Markdown with deletions and footnotes as such, without comments, but in code; how many they were."""
    comments = 0

    def written(found: re.Match[str]) -> str:
        nonlocal comments
        if found["code"]:
            return found[0]
        if found["struck"] or found["deleted"]:
            return mark("deleted", found["struck"] or found["deleted"])
        if found["note"]:
            return f"[footnote {found['name']}: {found['note'].translate(_BRACKETS)}]"
        if found["up"] or found["down"]:
            return raised(found["up"]) if found["up"] else lowered(found["down"])
        if found["ref"]:
            return raised(found["ref"]) if found["ref"].isdigit() else found[0]
        comments += 1
        return ""

    return _MARKED.sub(written, text), comments


def markdown_links(text: str, page_no: int) -> list[Link]:
    """Images, and links to PDFs, of a Markdown text, in order."""
    links = []
    for match in _MARKDOWN_LINK.finditer(text):
        target = match[2]
        if match[1]:
            links.append(Link("image", target, page_no, match.start()))
        elif is_pdf(target):
            links.append(Link("pdf", target, page_no, match.start()))
    return links


def is_pdf(target: str) -> bool:
    """True where an address names a PDF file."""
    return re.split(r"[?#]", target, maxsplit=1)[0].lower().endswith(".pdf")


def _title(page: Page | None, is_markdown: bool) -> str:
    if page is None:
        return ""
    front = _FRONT_TITLE.match(page.text[:4_000]) if is_markdown else None
    if front:
        return front[1].strip(" \"'")[:200]
    return first_title(page.text, page.headings, is_marked=is_markdown)


def _page_texts(file: TextIO) -> Iterator[str]:
    """Pages of at most a million characters, cut at form feeds, else at paragraphs, lines or spaces."""
    rest = ""
    while block := file.read(_BLOCK_CHARS):
        if block.endswith("\r"):
            block += file.read(1)
        rest += block
        *whole, rest = rest.split("\f")
        for page in whole:
            yield from _sized(page)
        *whole, rest = list(_sized(rest)) or [""]
        yield from whole
    yield rest


def _sized(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > PAGE_CHARS:
        limit = start + PAGE_CHARS
        least = start + PAGE_CHARS // 2
        border = 0
        for gap in ("\n\n", "\r\n\r\n", "\n", " "):
            found = text.rfind(gap, least, limit)
            if found >= 0:
                border = found + len(gap)
                break
        border = border or limit
        yield text[start:border]
        start = border
    yield text[start:]


def _trimmed(pages: Iterator[str]) -> Iterator[str]:
    """Without an empty page after the last form feed; a file always has at least one page."""
    held: str | None = None
    for page in pages:
        if held is not None:
            yield held
        held = page
    if held is None:
        yield ""
        return
    if held.strip() or held:
        yield held
