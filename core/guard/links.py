"""Links and images in written text: those that lead out of the cited documents are taken out.

A model may have been told to write an address that carries words of the collection away, or that looks like
one to trust. A browser fetches an image without a click; so nothing that can be fetched or clicked stays but
what is cited.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

_HOLE = "\ue000"  # stands for an address until its clause is taken out; a sign that no document writes

_SPACE = r"[ \t]*(?:\n[ \t]*)?"
_TARGET = (
    rf"{_SPACE}(?:<([^>\n]*)>|((?:[^\s()<>\\]|\\.|\([^\s()]*\))*))(?:\s+(?:\"[^\"]*\"|'[^']*'"
    rf"|\([^)]*\)))?{_SPACE}"
)
_LABEL = r"((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)"
_IMAGE = re.compile(rf"!\[{_LABEL}\](?:\({_TARGET}\)|\[([^\]]*)\])")
_LINK = re.compile(rf"(?<!!)\[{_LABEL}\]\({_TARGET}\)")
_REFERENCE = re.compile(
    r"(?m)^[ ]{0,3}\[([^\]\n]+)\]:[ \t]*<?(\S+?)>?(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'))?[ \t]*$\n?"
)
_BY_REFERENCE = re.compile(rf"(?<!!)\[{_LABEL}\]\[([^\]]*)\]")
_TAG = re.compile(r"<(?:!--.*?(?:-->|\Z)|[/!?]?[A-Za-z][^<>]*(?:>|\Z))", re.DOTALL)
_BLOCK = re.compile(
    r"<(script|style|iframe|object|svg|math|template)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL
)
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*)>")
_BARE = re.compile(
    r"(?<![\w@/.-])(?:(?:https?|hxxps?|ftps?|file|data|javascript|vbscript|blob|ws|wss|tel|sms)\s?(?::|\[:\])(?://)?"
    r"|//(?=[\w-]+\.)|www\.)[^\s<>\"'`\]|]+"
    r"|(?<![\w@/.-])(?:[a-z0-9-]+(?:\.|\[\.\]|\(\.\)))+(?:com|org|net|io|info|biz|xyz|co|ru|cn|top|site|online|app|dev"
    r"|link|click|me|ly|gg|tk|zip)"
    r"(?:/[^\s<>\"'`\]|]*)?(?![\w@])"
    r"|(?<![\w@/.-])(?:[a-z0-9-]+\.)+[a-z]{2,18}/[^\s<>\"'`\]|]*",
    re.IGNORECASE,
)
_END = ".,;:!?)*_"


@dataclass(frozen=True, slots=True)
class CleanText:
    """Text without foreign addresses. removed: how many were taken out."""

    text: str
    removed: int = 0


def without_foreign_links(text: str, allowed: Collection[str], quotes: Collection[str] = ()) -> CleanText:
    """The text with links and images to `allowed` addresses alone; labels of other links stay as text.

    quotes: cited words; a bare address that stands in one is a fact of a document, and stays as text.
    HTML is taken out whole, its text stays; applying it twice changes nothing.
    """
    text = text.replace(_HOLE, "")
    pass_over = _Cleaner({_plain(each) for each in allowed if each}, tuple(quotes))
    for _ in range(_MOST_PASSES):  # what one removal joins may be a link again
        cleaned = pass_over.clean(text)
        if cleaned == text:
            break
        text = cleaned
    return CleanText(_without_holes(text), pass_over.removed)


def find_addresses(text: str) -> list[str]:
    """Bare addresses of a text, also disguised ones ("hxxp", "evil[.]com"), without marks at their end."""
    return [match[0].rstrip(_END) for match in _BARE.finditer(text)]


def _without_holes(text: str) -> str:
    """The text without the clauses that led to an address, and without sentences that say nothing else."""
    while _HOLE in text:
        at = text.index(_HOLE)
        start, end = _clause(text, at)
        before, after = text[:start].rstrip(" \t,;:\u2013\u2014-"), text[end:]
        if before.endswith(_STOPS) or not before or before.endswith("\n"):
            after = after.lstrip(" \t,;")
            after = after[:1].upper() + after[1:]
            before += " " if before and after[:1].isalnum() and not before.endswith("\n") else ""
        text = before + after
    return text


_STOPS = (".", "!", "?", "]")
_BEGINS = re.compile(r"[.!?][\"'\u201d)\]]*(?:\s*\[\d{1,4}\])*\s+|\n")
_ENDS = re.compile(r"[.!?](?=[\"'\u201d)\s]|$)|\n|$")
_PARTS = re.compile(r"[,;:]\s|\s[\u2013\u2014-]\s|\s(?=(?:and|or|but)\s)")
_MARKS = re.compile(r"[.!?]?(?:\s*\[\d{1,4}\])*")
_FEWEST = 3  # words of a sentence that says something without the clause


def _clause(text: str, at: int) -> tuple[int, int]:
    """Where the clause around a hole starts and ends: in brackets, between commas, or the whole sentence."""
    opened, closed = text.rfind("(", 0, at), text.find(")", at)
    if opened >= 0 and closed >= 0 and not re.search(r"[)\n]", text[opened:at]):
        return opened, closed + 1
    first = max((m.end() for m in _BEGINS.finditer(text, 0, at)), default=0)
    found = _ENDS.search(text, at)
    last = found.start() if found else len(text)
    parts = list(_PARTS.finditer(text, first, last))
    start = max((m.start() for m in parts if m.end() <= at), default=first)
    end = min((m.start() for m in parts if m.start() >= at), default=last)
    if len(text[first:start].split()) >= _FEWEST:
        return start, end
    if end < last and len(text[end:last].split()) >= _FEWEST:
        return first, end
    marks = _MARKS.match(text, last)
    return first, marks.end() if marks else last


_MOST_PASSES = 5


class _Cleaner:
    """Replaces what is found, and counts it."""

    def __init__(self, allowed: Collection[str], quotes: tuple[str, ...]) -> None:
        self._allowed = allowed
        self._quotes = quotes
        self.removed = 0

    def clean(self, text: str) -> str:
        """One pass over the text."""
        references = {m[1].casefold(): m[2] for m in _REFERENCE.finditer(text)}
        text = _REFERENCE.sub(lambda m: m[0] if self._may(m[2]) else self._gone(""), text)
        text = _BLOCK.sub(lambda _: self._gone(""), text)
        text = _AUTOLINK.sub(lambda m: m[0] if self._may(m[1]) else self._gone(_HOLE), text)
        text = _TAG.sub(lambda m: m[0] if _AUTOLINK.fullmatch(m[0]) else self._gone(""), text)
        text = _IMAGE.sub(
            lambda m: m[0] if self._may(self._target(m, references)) else self._gone(m[1]), text
        )
        text = _LINK.sub(lambda m: m[0] if self._may(m[2] or m[3] or "") else self._gone(m[1]), text)
        text = _BY_REFERENCE.sub(lambda m: self._referred(m, references), text)
        return _BARE.sub(self._bare, text)

    def _target(self, match: re.Match[str], references: dict[str, str]) -> str:
        direct = match[2] or match[3]
        return direct or references.get((match[4] or match[1]).casefold(), "")

    def _referred(self, match: re.Match[str], references: dict[str, str]) -> str:
        target = references.get((match[2] or match[1]).casefold())
        return match[0] if target is None or self._may(target) else self._gone(match[1])

    def _bare(self, match: re.Match[str]) -> str:
        address = match[0].rstrip(_END)
        rest = match[0][len(address) :]
        if self._may(address) or any(address in quote for quote in self._quotes):
            return match[0]
        return self._gone(_HOLE) + rest

    def _may(self, address: str) -> bool:
        return _plain(address) in self._allowed or address.startswith("#")

    def _gone(self, instead: str) -> str:
        self.removed += 1
        return instead


def _plain(address: str) -> str:
    """An address in one form: without escapes, case of the host, a last slash and a fragment."""
    found = unquote(html.unescape(address.strip())).replace("\\", "/")
    try:
        parts = urlsplit(found)
    except ValueError:
        return found
    if not parts.netloc:
        return found.split("#")[0] or found
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme.casefold()}://{parts.netloc.casefold()}{parts.path.rstrip('/')}{query}"
