"""Sections under headings: those that a page marks, and those that begin a paragraph ("7.2 Notices. ...")."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from core.config.fields import FieldDefinition, HeadingExtractor
from core.domain.fields import FieldType, Finding
from core.extract.base import DocumentText, uncertain
from core.extract.decision import MaybeReading, TextReading, agree, candidates_of
from core.fields.typed import order_for, value_of
from core.text.clause_numbers import DECIMAL, DOTTED, ROMAN
from core.text.patterns import any_case

_METHOD = "heading"
_CONFIDENCE = 0.95
_AMONG = 0.6  # a heading that names the clause among others
_MIN_LETTERS = 40  # less is an entry of a table of contents, or a heading above another
_MAX_SPAN = 1_500
_TITLE_CHARS = 100
_MAX_CHARS = 2_000_000
_NUMBERING = any_case(
    r"^(?:#{1,6}\s*)?(?:(?:article|section|clause|chapter|part|\u00a7)\s*)?"
    rf"(?:\(?(?:{DECIMAL}|{ROMAN}|[A-Za-z])[.):]*(?:\s+|$)[-\u2013\u2014]?\s*)?"
)
_AND = any_case(r"\s{0,8}(?:;|,|/|&|\band\b|\u2013|\u2014| - )\s{0,8}")
_RUN_IN = re.compile(
    r"(?m)^[ \t]*(?:(?:ARTICLE|Article|SECTION|Section|Clause|\u00a7)[ ]?)?"
    rf"(?:\(?(?:{DECIMAL}|{ROMAN}|[A-Za-z])[.)]+[ \t]*(?:[-\u2013\u2014][ ])?"
    rf"|{DOTTED}[ \t]+)?"
    r"(?P<title>[A-Z][A-Za-z,;/&'\u2019 -]{2,70}?)(?:[.:]|[ ][-\u2013\u2014])[ \t]+(?=[\"\u201c(A-Z])"
)
_LETTER = re.compile(r"[^\W\d_]")
_LEADER = re.compile(r"\.{4,}|(?:\. ){4,}|\u2026{2,}")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it, up to the next heading of its level or a higher one."""

    title: str
    start: int
    body: int
    end: int
    level: int


def find_under_headings(
    document: DocumentText, definition: FieldDefinition, extractor: HeadingExtractor
) -> Finding | None:
    """Method `heading`: a clause is present where a section is headed so; else the section is the value.

    None where no section of some length has one of the headings.
    """
    wanted = frozenset(_plain(each) for each in extractor.headings)
    if definition.type is FieldType.BOOLEAN:
        return _clause(document, definition, wanted)
    order = order_for(definition, document.text, document.language)
    readings = []
    for section in document.once(sections):
        start, end = section.body, min(section.end, section.body + _MAX_SPAN)
        if not (wanted & parts_of(section.title)) or _is_short(document, start, end):
            continue
        found = value_of(
            document.text[start : _first_paragraph(document.text, start, end)], definition, order
        )
        if found is not None:
            readings.append(TextReading.at(start + found.start, start + found.end, found.value, _CONFIDENCE))
    if definition.type is FieldType.TEXT and not definition.many:
        readings = readings[:1]
    return agree(document, definition, readings, _METHOD)


def _clause(document: DocumentText, definition: FieldDefinition, wanted: frozenset[str]) -> Finding | None:
    """Present where a whole heading says it; a heading that says it among others only raises it."""
    whole: list[MaybeReading] = []
    among: list[MaybeReading] = []
    all_sections = document.once(sections)
    for section in all_sections:
        if not (wanted & parts_of(section.title)) or section.start < _TITLE_CHARS:
            continue  # its own title: "Amendment No. 2"
        start, end = _first_text(document, section, all_sections)
        if _is_short(document, start, end):
            continue
        if _says(section.title, wanted):
            whole.append(TextReading.at(start, end, None, _CONFIDENCE))
        else:
            among.append(TextReading.at(start, end, None, _AMONG))
    if whole or not among:
        return agree(document, definition, whole, _METHOD)
    note = "A heading names this among other things."
    candidates = candidates_of(document, among, _METHOD)
    return uncertain(_AMONG, _METHOD, candidates, note)


def _is_short(document: DocumentText, start: int, end: int) -> bool:
    return len(_LETTER.findall(document.text[start:end])) < _MIN_LETTERS


def sections(document: DocumentText) -> list[Section]:
    """All sections of a document, in reading order."""
    marks: list[tuple[int, int, int, str]] = []  # start, end, level, title
    for page, begin in zip(document.pages, document.starts, strict=True):
        marks += [
            (begin + each.start, begin + each.end, each.level, each.text)
            for each in page.headings
            if not _LEADER.search(each.text)
        ]
    taken = {start for start, _, _, _ in marks}
    ends = {end for _, end, _, _ in marks}
    for match in _RUN_IN.finditer(document.text[:_MAX_CHARS]):
        if match.start() not in taken and match.end() not in ends and _is_title(match["title"]):
            marks.append((match.start(), match.end(), 9, match["title"]))
    marks.sort()
    found = []
    for index, (start, end, level, title) in enumerate(marks):
        following = (other for other in marks[index + 1 : index + 60] if other[2] <= level)
        stop = next(following, None)
        found.append(Section(title, start, end, stop[0] if stop else len(document.text), level))
    return found


def parts_of(title: str) -> frozenset[str]:
    """Parts that a heading names: "7. Term and Termination" names all of it, its term and its termination."""
    bare = _bare(title)
    return frozenset({_plain(bare), *map(_plain, _AND.split(bare))} - {""})


def _says(title: str, wanted: frozenset[str]) -> bool:
    """True where a heading says nothing but what is wanted: as a whole, or in each of its parts."""
    bare = _bare(title)
    parts = {*map(_plain, _AND.split(bare))} - {""}
    return _plain(bare) in wanted or _plain(title) in wanted or (bool(parts) and parts <= wanted)


def _bare(title: str) -> str:
    """A title without its number."""
    bare = _NUMBERING.sub("", title.strip(), count=1)
    return bare if _plain(bare) else title


def _first_text(document: DocumentText, section: Section, all_sections: list[Section]) -> tuple[int, int]:
    """The text under a heading, without the headings that its first lines are."""
    start, end = section.body, section.end
    for other in all_sections:
        if (
            section.start < other.start
            and not document.text[start : other.start].strip()
            and other.start < end
        ):
            start = other.body
    return start, min(end, start + _MAX_SPAN)


@lru_cache(maxsize=10_000)
def _plain(words: str) -> str:
    return " ".join(
        re.findall(r"[^\W_]+(?:-[^\W_]+)*", words.casefold().replace("\u2019", "'").replace("'s", ""))
    )


def _is_title(title: str) -> bool:
    """True where the first words of a paragraph are its heading: every longer word begins with a capital."""
    words = title.split()
    return len(words) <= 8 and all(word[0].isupper() or len(word) <= 4 for word in words)


def _first_paragraph(text: str, start: int, end: int) -> int:
    at = start
    while at < end and text[at].isspace():
        at += 1
    stop = text.find("\n\n", at, end)
    return stop if stop >= 0 else end
