"""Documents whose text holds some words: every page is looked through, so the count is exact."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from core.answer.computed.draft import ComputedDraft, DraftLine
from core.answer.computed.lists import MOST_LINES, ledger_of
from core.answer.computed.wording import counted
from core.domain.answer import Column, Table, Value
from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.results import Documents, Unknown
from core.search.evidence.base import Span
from core.store.documents.mentions import MentionPage
from core.text.marks import blanked

_CHARS = 60  # of a page that are quoted around the words
_MARKS = "\"“”„«»'‘’"
_HOW = "the whole text of each was looked through"
_BETWEEN = r"[\W_]+"


@dataclass(frozen=True, slots=True)
class MentionQuestion:
    """Question for the documents whose text holds some words. noun: "" for documents of any kind."""

    words: str
    noun: str
    is_count: bool
    is_negated: bool


@dataclass(frozen=True, slots=True)
class _Found:
    """Documents by the first place where the words stand; None where it is only so once they are folded."""

    places: dict[str, Span | None]
    how: str


def mentions(
    wanted: MentionQuestion,
    inside: Mapping[str, DocumentSummary],
    pages: Callable[[str], Iterable[MentionPage]],
) -> ComputedDraft:
    """The documents of `inside` that hold the words, or that do not, with the first place of each.

    pages: gives the pages that may hold some words. What could not be read at all is unreadable, and what
    has a part that was not read is uncertain where the rest does not hold the words.
    """
    found = _find(wanted.words, pages, inside.keys())
    documents = _sorted_out(inside, found.places.keys(), is_negated=wanted.is_negated)
    return _drafted(wanted, documents, found, inside)


def _find(words: str, pages: Callable[[str], Iterable[MentionPage]], inside: Collection[str]) -> _Found:
    """The words standing together; where they do so nowhere, all or any of the parts that are joined."""
    whole = _places(words, pages, inside)
    either, both = re.split(r" or |, ", words), re.split(r" and ", words)
    if whole or (len(either) == 1 and len(both) == 1):
        return _Found(whole, f"“{words}”, in any case and as whole words")
    parts = either if len(either) > 1 else both
    sides = [_places(each, pages, inside) for each in parts if re.search(r"\w", each)]
    every = dict(item for side in reversed(sides) for item in side.items())
    if parts is both:
        every = {id: place for id, place in every.items() if all(id in side for side in sides)}
    joined = (" or " if parts is either else " and ").join(f"“{each.strip(_MARKS)}”" for each in parts)
    return _Found(every, f"{joined}, in any case and as whole words")


def _places(
    words: str, pages: Callable[[str], Iterable[MentionPage]], inside: Collection[str]
) -> dict[str, Span | None]:
    pattern, folded = _pattern(words), _pattern(_folded(words))
    found: dict[str, Span | None] = {}
    for page in pages(words):
        if page.document not in inside or found.get(page.document) is not None:
            continue
        text = blanked(page.text)
        match = pattern.search(text)
        if match is not None:
            found[page.document] = _span(page, match.start(), match.end())
        elif page.document not in found and folded.search(_folded(text)):
            found[page.document] = None
    return found


def _pattern(words: str) -> re.Pattern[str]:
    parts = re.findall(r"[^\W_]+", words)
    # Chinese and Japanese have no blanks between words.
    left = "" if ord(words[0]) > 0x2E80 else r"(?<!\w)"
    right = "" if ord(words[-1]) > 0x2E80 else r"(?!\w)"
    return re.compile(left + _BETWEEN.join(map(re.escape, parts)) + right, re.IGNORECASE)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text.replace("\xad", "")).casefold()


def _span(page: MentionPage, start: int, end: int) -> Span:
    """The words with what stands around them on their line."""
    first = max(page.text.rfind("\n", 0, start) + 1, start - _CHARS)
    stop = page.text.find("\n", end)
    last = min(len(page.text) if stop < 0 else stop, end + _CHARS)
    while first < start and first and page.text[first - 1].isalnum():
        first += 1
    while last > end and last < len(page.text) and page.text[last].isalnum():
        last -= 1
    first += len(page.text[first:start]) - len(page.text[first:start].lstrip())
    last -= len(page.text[end:last]) - len(page.text[end:last].rstrip())
    return Span(
        page.document, page.version, page.page, first, last, page.text[first:last], page.title, page.source
    )


def _sorted_out(
    inside: Mapping[str, DocumentSummary], mentioning: Collection[str], *, is_negated: bool
) -> Documents:
    having = frozenset(mentioning)
    blind = frozenset(id for id, each in inside.items() if each.status is not DocumentStatus.READY) - having
    open_ones = frozenset(id for id, each in inside.items() if each.gaps) - having - blind
    lacking = frozenset(inside) - having - blind - open_ones
    return Documents(
        present=lacking if is_negated else having,
        absent=having if is_negated else lacking,
        unreadable=blind,
        uncertain=open_ones,
        unknown={id: Unknown(field="", reason="a part of it was not read") for id in open_ones}
        | {id: Unknown(field="", reason="unreadable") for id in blind},
    )


def _drafted(
    wanted: MentionQuestion, documents: Documents, found: _Found, inside: Mapping[str, DocumentSummary]
) -> ComputedDraft:
    noun = wanted.noun or "documents"
    chosen = sorted(documents.present, key=lambda id: (inside[id].name.casefold(), id))
    does = "does not " if len(chosen) == 1 else "do not "
    verb = f"{does}mention" if wanted.is_negated else "mentions" if len(chosen) == 1 else "mention"
    lead = f"{len(chosen):,} of {counted(len(documents.scope), noun)} {verb} {found.how}: {_HOW}."
    lines = []
    for at, id in enumerate(chosen[:MOST_LINES]):
        place = None if wanted.is_negated else found.places.get(id)
        spans = () if place is None else (place,)
        lines.append(DraftLine("" if place is None else place.quote, spans, inside[id].name, at))
    gaps = [f"{counted(len(documents.unreadable), noun)} could not be read."] if documents.unreadable else []
    if documents.uncertain:
        gaps.append(f"{counted(len(documents.uncertain), noun)} may do so in a part that was not read.")
    return ComputedDraft(
        lead=DraftLine(lead),
        lines=tuple(lines),
        value=Value(type="number", value=str(len(chosen))) if wanted.is_count else None,
        table=Table(
            columns=(Column(name="Document", type="text"),),
            rows=tuple((inside[id].name,) for id in chosen),
            documents=tuple(chosen),
        ),
        ledger=ledger_of(documents, "", is_lack=False),
        gaps=tuple(gaps),
        left_out=max(0, len(chosen) - MOST_LINES),
    )
