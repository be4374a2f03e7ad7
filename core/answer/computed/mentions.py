"""Documents whose text holds some words: every page is looked through, so the count is exact."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from core.answer.computed.draft import ComputedDraft, DraftLine
from core.answer.computed.lists import MOST_LINES, ledger_of
from core.answer.computed.wording import counted
from core.domain.answer import Column, Table, Value
from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.results import Documents, Unknown
from core.search.evidence.base import Span
from core.store.documents.mentions import MentionPage
from core.text.marks import blanked, unnamed
from core.text.standing_words import StandingWords

MOST_FILES = 5  # of one text that are named
_CHARS = 60  # of a page that are quoted around the words
_MARKS = "\"“”„«»'‘’"
_HOW = "the whole text of each was looked through"
_WRITTEN = "in any case, with accents or without, and as whole words"


@dataclass(frozen=True, slots=True)
class MentionQuestion:
    """Question for the documents whose text holds some words. noun: "" for documents of any kind."""

    words: str
    noun: str
    is_count: bool
    is_negated: bool


@dataclass(frozen=True, slots=True)
class _Found:
    """Documents by the first place where the words stand, and those that have them in other words alone.

    struck: in deleted words or comments.
    """

    places: dict[str, Span]
    struck: frozenset[str]


def mentions(
    wanted: MentionQuestion,
    inside: Mapping[str, DocumentSummary],
    pages: Iterable[MentionPage],
    copies: Mapping[str, Sequence[str]],
) -> ComputedDraft:
    """The documents of `inside` that hold the words, or that do not, with the first place of each.

    pages: of all of them. copies: by document that has any, the sources of others of the same text. What
    could not be read at all is unreadable, and what has a part that was not read is uncertain where the rest
    does not hold the words.
    """
    either, both = re.split(r" or |, ", wanted.words), re.split(r" and ", wanted.words)
    parts = [each for each in (either if len(either) > 1 else both) if re.search(r"\w", each)]
    whole, *sides = _places([wanted.words, *(parts if len(parts) > 1 else ())], pages, inside)
    if whole.places or not sides:
        documents = _sorted_out(inside, whole.places.keys(), is_negated=wanted.is_negated)
        return _drafted(wanted, documents, whole, f"“{wanted.words}”", inside, copies)
    found = _joined(sides, any if len(either) > 1 else all)
    named = (" or " if len(either) > 1 else " and ").join(f"“{each.strip(_MARKS)}”" for each in parts)
    documents = _sorted_out(inside, found.places.keys(), is_negated=wanted.is_negated)
    return _drafted(wanted, documents, found, named, inside, copies)


def _joined(sides: Sequence[_Found], of: Callable[[Iterable[bool]], bool]) -> _Found:
    """The documents that any or all of the sides have."""
    every = dict(item for side in reversed(sides) for item in side.places.items())
    places = {id: place for id, place in every.items() if of(id in side.places for side in sides)}
    known = every.keys() | {id for side in sides for id in side.struck}
    held = {id for id in known if of(id in side.places or id in side.struck for side in sides)}
    return _Found(places, frozenset(held - places.keys()))


def _places(words: Sequence[str], pages: Iterable[MentionPage], inside: Collection[str]) -> list[_Found]:
    """For each of the words where they stand together."""
    sought = [(StandingWords(each), _Found({}, frozenset()), set[str]()) for each in words]
    for page in pages:
        if page.document not in inside:
            continue
        whole = unnamed(page.text)
        text = unnamed(blanked(page.text))
        for standing, found, struck in sought:
            if page.document in found.places:
                continue
            place = standing.find(text)
            if place is not None:
                found.places[page.document] = _span(page, *place)
            elif text != whole and standing.find(whole):
                struck.add(page.document)
    return [_Found(found.places, frozenset(struck - found.places.keys())) for _, found, struck in sought]


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
    wanted: MentionQuestion,
    documents: Documents,
    found: _Found,
    named: str,
    inside: Mapping[str, DocumentSummary],
    copies: Mapping[str, Sequence[str]],
) -> ComputedDraft:
    noun = wanted.noun or "documents"
    chosen = sorted(documents.present, key=lambda id: (inside[id].name.casefold(), id))
    does = "does not " if len(chosen) == 1 else "do not "
    verb = f"{does}mention" if wanted.is_negated else "mentions" if len(chosen) == 1 else "mention"
    lead = f"{len(chosen):,} of {counted(len(documents.scope), noun)} {verb} {named}"
    lead += f"{_in_files(chosen, copies)}, {_WRITTEN}: {_HOW}."
    if found.struck:
        lead += f" In {len(found.struck):,} more they stand only in deleted words or comments."
    lines = []
    for at, id in enumerate(chosen[:MOST_LINES]):
        place = None if wanted.is_negated else found.places.get(id)
        spans = () if place is None else (place,)
        lines.append(
            DraftLine("" if place is None else place.quote, spans, _named(inside[id], copies.get(id, ())), at)
        )
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
        ledger=ledger_of(documents, "").model_copy(update={"about": named, "fulfils": wanted.is_negated}),
        gaps=tuple(gaps),
        left_out=max(0, len(chosen) - MOST_LINES),
    )


def _in_files(chosen: Sequence[str], copies: Mapping[str, Sequence[str]]) -> str:
    """Count of the files, where some have copies: ` (4 files, 3 of them with the same text)`."""
    alike = [1 + len(copies[id]) for id in chosen if id in copies]
    if not alike:
        return ""
    files = len(chosen) - len(alike) + sum(alike)
    text = "the same text" if len(alike) == 1 else "the text of another"
    of_them = "all" if sum(alike) == files else f"{sum(alike):,} of them"
    return f" ({files:,} files, {of_them} with {text})"


def _named(document: DocumentSummary, copies: Sequence[str]) -> str:
    """The name of a document, with the files of its text where there are several."""
    if not copies:
        return document.name
    names = [PurePath(each).name for each in (document.source, *copies[: MOST_FILES - 1])]
    more = f" and {len(copies) + 1 - MOST_FILES:,} more" if len(copies) >= MOST_FILES else ""
    return f"{document.name} ({len(copies) + 1:,} files of the same text: {', '.join(names)}{more})"
