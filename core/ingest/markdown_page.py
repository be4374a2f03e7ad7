"""Markdown as it reads, as harmless as a stored page: its HTML is shown as text, nothing is fetched."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.document import Page
from core.domain.span import PageSpan
from core.ingest.stored_page import harmless_page, mark_between, rewritten

MOST_CHARS = 400_000
"""Characters of a document up to which it is drawn: of more the text is shown."""

_BEGIN, _END = "\U0010f0fe", "\U0010f0ff"
"""Signs around the quoted words while the markup is read, from a plane that no document writes in."""

_LEAD = re.compile(r"(?:[ \t\n]|[-+*>](?=[ \t])|#{1,6}[ \t]|\d{1,9}[.)][ \t]|\[[ xX]\][ \t]|\|)*[*_~`]*")
_TAIL = re.compile(r"[\s|]*[*_~`]*\Z")
_FRONT = re.compile(r"\A---\n((?:.*\n){0,60}?)---(?:\n|\Z)")


def render_markdown(pages: Sequence[Page], quote: PageSpan | None = None, theme: str = "") -> str | None:
    """A whole page of HTML of the Markdown, the words of `quote` marked; None of what is too long.

    Words that are markup themselves (a link's address) cannot be marked.
    """
    if sum(len(page.text) for page in pages) > MOST_CHARS:
        return None
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    texts = [
        _with_signs(page.text, quote) if quote and quote.page_no == page.page_no else page.text
        for page in pages
    ]
    texts = [_FRONT.sub(lambda match: f"```\n{match[1]}```\n", text, count=1) for text in texts]
    soup = rewritten("<body>" + "<hr>".join(map(parser.render, texts)), "")
    mark_between(soup, _BEGIN, _END)
    return harmless_page(soup, theme)


def _with_signs(text: str, quote: PageSpan) -> str:
    """The text with a sign before and behind the words, outside of what marks them as a heading or bold."""
    words = text[quote.start : quote.end]
    is_at_line = text[: quote.start].rpartition("\n")[2].strip(" \t>") == ""
    lead = _LEAD.match(words) if is_at_line else re.match(r"\s*[*_~`]*", words)
    start = lead.end() if lead else 0
    end = match.start() if (match := _TAIL.search(words, start)) else len(words)
    if start >= end:
        return text
    marked = f"{words[:start]}{_BEGIN}{words[start:end]}{_END}{words[end:]}"
    return text[: quote.start] + marked + text[quote.end :]
