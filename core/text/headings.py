"""Headings of plain text, told by their numbering, their capitals or Markdown's marks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.document import Heading
from core.text.clause_numbers import DECIMAL, ROMAN, WORDED
from core.text.patterns import any_case
from core.text.words import table, word_set

MAX_CHARS = 120
_MAX_WORDS = 14

_MARKDOWN = re.compile(r"^(#{1,6})[ \t]+(\S.*?)[ \t#]*$")
_UNDERLINE = re.compile(r"^(={3,}|-{3,})[ \t]*$")
_ARTICLE = re.compile(
    r"^(ARTICLE|Article|CHAPTER|Chapter|PART|Part|TITLE|Title|SCHEDULE|Schedule|EXHIBIT|Exhibit|ANNEX|Annex"
    rf"|APPENDIX|Appendix|SECTION|Section)\s+({WORDED}|[A-Z])\b[.:]?(?P<rest>.*)$"
)
_NUMBERED = re.compile(rf"^(?P<number>{DECIMAL}|{ROMAN}|[A-Z])(?P<dot>[.)])?[ \t]+(?P<rest>\S.*)$")
_LETTERS = re.compile(r"[^\W\d_]")
_PAGE_MARK = any_case(r"^(?:page\s+)?[-\u2013\u2014\s]*\d+(?:\s*(?:of|/)\s*\d+)?[-\u2013\u2014\s]*$")
_NO_TITLE = any_case(
    r"(?:exhibit|schedule|annex|appendix|section|article|execution (?:copy|version)|confidential|background\b"
    r"|recitals?\b|witnesseth|definitions\b|preamble|whereas|quicklinks|for confidential|redacted"
    r"|certain (?:identified )?information|as filed|form of$|strictly|copyright|draft|table of contents"
    r"|contents|index|page|private|by and between|between|and$)"
)
_LIKE_NUMBERING = any_case(r"\d|[a-z][.)]\s")


_WORD = re.compile(r"[^\W\d_]+")
_GENERIC = word_set(table(__file__, "headings")["generic"]["words"])
"""Words of headings of sections, and of kinds of papers, as any paper of its kind has them."""

SMALL_WORDS = word_set("a an and as at by for from in into of on or the to with not than upon under")
"""Words that a title does not write large."""


def find_headings(text: str, *, is_markdown: bool = False) -> tuple[Heading, ...]:
    """Lines of `text` that are headings, in order, with their level (1 is the highest).

    is_markdown: only `#` marks and underlined titles count, since a Markdown file says what its headings are.
    """
    found: list[Heading] = []
    position = 0
    is_fenced = False
    lines = text.split("\n")
    for number, line in enumerate(lines):
        start = position
        position += len(line) + 1
        if not line or len(line) > 4 * MAX_CHARS:
            continue
        stripped = line.strip()
        if is_markdown and stripped.startswith(("```", "~~~")):
            is_fenced = not is_fenced
        if not stripped or len(stripped) > MAX_CHARS or is_fenced:
            continue
        level = _markdown_level(lines, number) if is_markdown else _plain_level(stripped)
        if level:
            offset = start + line.index(stripped)
            found.append(Heading(level, offset, offset + len(stripped), _label(stripped, is_markdown)))
    return tuple(found)


def level_of(line: str) -> int:
    """The level of a stripped line that stands alone, 0 where nothing marks it as a heading."""
    return _plain_level(line) if len(line) <= MAX_CHARS else 0


def clean_title(raw: str) -> str:
    """`raw` on one line, without Markdown marks and quotes, at most 200 characters."""
    return " ".join(raw.split()).strip(" #*_\"'\u201c\u201d|-")[:200].strip()


def first_title(text: str, headings: Sequence[Heading], *, is_marked: bool = False) -> str:
    """The heading that a text begins with, "" where it begins with anything else, or with a kind of paper.

    What names nothing (the number of an exhibit, "Draft", a line of a few signs) may stand before it. Of a
    title on lines of its own before a subtitle the first is taken. is_marked: the text itself marks its
    headings, so that one of the first level may begin with a figure.
    """
    end = 0
    for heading in headings[:8]:
        if any(not _names_nothing(line) for line in text[end : heading.start].split("\n")):
            return ""
        end = heading.end
        is_numbered = _LIKE_NUMBERING.match(heading.text) and not (is_marked and heading.level == 1)
        if not is_numbered and not _NO_TITLE.match(heading.text):
            return clean_title(heading.text) if tells_apart(heading.text) else ""
    return ""


def tells_apart(title: str) -> bool:
    """False of a title that any paper of its kind has: `Invoice`, `Time and Location`, `Features`."""
    words = [word for word in _WORD.findall(title.casefold()) if word not in SMALL_WORDS]
    return any(word not in _GENERIC for word in words)


def _names_nothing(line: str) -> bool:
    words = line.strip()
    return not _LETTERS.search(words) or bool(_NO_TITLE.match(words)) or bool(_PAGE_MARK.match(words))


def _label(line: str, is_markdown: bool) -> str:
    match = _MARKDOWN.match(line) if is_markdown else None
    return clean_title(match[2]) if match else " ".join(line.split())


def _markdown_level(lines: Sequence[str], number: int) -> int:
    match = _MARKDOWN.match(lines[number].strip())
    if match:
        return len(match[1])
    if number + 1 < len(lines) and lines[number][:1] not in "-*>|#+ \t`=":
        underline = _UNDERLINE.match(lines[number + 1])
        if underline and (number == 0 or not lines[number - 1].strip()):
            return 1 if underline[1][0] == "=" else 2
    return 0


def _plain_level(line: str) -> int:
    match = _MARKDOWN.match(line)
    if match:
        return len(match[1])
    if not _LETTERS.search(line) or _PAGE_MARK.match(line):
        return 0
    match = _ARTICLE.match(line)
    if match:
        rest = match["rest"].strip(" .:-\u2013\u2014")
        if not rest or _is_titled(rest):
            return 2 if match[1].lower() == "section" else 1
        return 0
    match = _NUMBERED.match(line)
    if match and _is_titled(match["rest"]):
        number = match["number"]
        if match["dot"] or "." in number:
            return 2 + number.count(".") if number[0].isdigit() else 2
    return 1 if _is_capitals(line) else 0


def _is_titled(rest: str) -> bool:
    """True where the words after a number are a title: short, capitalised, not a sentence or a row."""
    words = rest.split()
    if (
        len(words) > _MAX_WORDS
        or rest.endswith((",", ";", ":"))
        or "|" in rest
        or "\t" in rest
        or "..." in rest
    ):
        return False
    if rest.endswith(".") and len(words) > 8:
        return False
    if not rest[0].isupper():
        return False
    names = [word for word in words if word[0].isalpha() and word.lower().strip(".,") not in SMALL_WORDS]
    capitals = sum(word[0].isupper() for word in names)
    return bool(names) and capitals >= 0.6 * len(names)


def _is_capitals(line: str) -> bool:
    words = line.split()
    if not 1 <= len(words) <= _MAX_WORDS or "|" in line or "\t" in line or "___" in line or "..." in line:
        return False
    letters = _LETTERS.findall(line)
    if len(letters) < 4 or len(letters) < 0.6 * len(line.replace(" ", "")):
        return False
    return line.isupper() and not line.endswith((",", ";"))
