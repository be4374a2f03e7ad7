"""Finding the procedure that a question asks for: the one list on the found pages that fits it best."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.answer.blocks import Block, continues, find_blocks, section_of
from core.domain.document import Page
from core.domain.ids import DocumentId
from core.errors import NotFoundError
from core.evidence.base import Evidence, PageSource, Span
from core.records.database.visibility import Visibility
from core.retrieval.sentences import ScoredSentence
from core.text.analyse import analyse

PAGES = 6
HEADING_WEIGHT = 2.0  # a step list is named by what stands above it more than by its own words
RANK_WEIGHT = 0.5
MIN_FIT = 0.25
NEARLY = 0.7  # of the best fit
OPPOSITE = 0.15  # off the fit of what is not to be done, where it is asked what is, and the other way round
_NOT = re.compile(r"\b(?:not|never|no)\b|n['\u2019]t\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Procedure:
    """Steps in order, the heading above them, and whether they carry their own numbers."""

    steps: tuple[Span, ...]
    heading: str
    title: str
    is_numbered: bool


@dataclass(frozen=True, slots=True)
class _Place:
    document: DocumentId
    version: int
    page: Page
    title: str
    source: str
    rank: int


def find_procedure(evidence: Evidence, pages: PageSource, visibility: Visibility) -> Procedure | None:
    """The best fitting list of two or more steps on the pages of the best passages; None if there is none.

    Fit: share of the question's idf in heading, lead-in line, title (twice) and items, plus how early
    the page was found. A numbered list that goes on at the top of following pages is read to its end.
    """
    found: list[tuple[float, _Place, Block, str]] = []
    for place in _places(evidence, pages, visibility):
        for block in find_blocks(place.page):
            section = section_of(place.page, block.items[0][0])
            heading = section[0] if section else ""
            fit = _fit(evidence, place, block, heading)
            found.append((fit, place, block, heading))
    best = max((fit for fit, *_ in found), default=0.0)
    if best < MIN_FIT:
        return None
    first = next(each for each in found if each[0] == best)
    # Under one heading, what is numbered are the steps, and bullets warn or explain.
    numbered = (e for e in found if e[2].is_numbered and e[1] is first[1] and e[3] == first[3])
    _, place, block, heading = next((e for e in numbered if e[0] >= NEARLY * best), first)
    spans = [*_spans(place, block), *_continued(place, block, pages, visibility)]
    return Procedure(tuple(spans), heading, place.title, block.is_numbered)


def _places(evidence: Evidence, pages: PageSource, visibility: Visibility) -> list[_Place]:
    wanted: dict[tuple[DocumentId, int, int], ScoredSentence] = {}
    for sentence in evidence.sentences:
        key = (sentence.document, sentence.version, sentence.span.page_no)
        if len(wanted) < PAGES:
            wanted.setdefault(key, sentence)
    found: list[_Place] = []
    for (document, version, page_no), sentence in wanted.items():
        stored = sentence.candidate.stored
        try:
            page = pages.page(document, version, page_no, visibility)
        except NotFoundError:
            continue
        found.append(_Place(document, version, page, stored.name, stored.source, len(found)))
    return found


def _fit(evidence: Evidence, place: _Place, block: Block, heading: str) -> float:
    analysis = evidence.analysis
    text = place.page.text
    lead = text[block.lead[0] : block.lead[1]]
    above = set(analyse(f"{heading} {lead} {place.title}"))
    inside = set(analyse(" ".join(text[start:end] for start, end in block.items)))
    total = analysis.idf_sum or 1.0
    score = sum(
        weight * analysis.idf[term] * (HEADING_WEIGHT * (term in above) + (term in inside))
        for term, weight in analysis.terms
    )
    numbered = 0.1 if block.is_numbered else 0.0
    opposite = OPPOSITE if bool(_NOT.search(f"{heading} {lead}")) != bool(_NOT.search(analysis.text)) else 0.0
    return score / ((1 + HEADING_WEIGHT) * total) + RANK_WEIGHT / (1 + place.rank) / 2 + numbered - opposite


def _spans(place: _Place, block: Block) -> list[Span]:
    return [
        Span(
            document=place.document,
            version=place.version,
            page_no=block.page_no,
            start=start,
            end=end,
            quote=place.page.text[start:end],
            title=place.title,
            source=place.source,
        )
        for start, end in block.items
        if end > start
    ]


def _continued(place: _Place, block: Block, pages: PageSource, visibility: Visibility) -> Sequence[Span]:
    spans: list[Span] = []
    while block.is_numbered:
        try:
            page = pages.page(place.document, place.version, block.page_no + 1, visibility)
        except NotFoundError:
            break
        following = continues(block, page)
        if following is None:
            break
        next_place = _Place(place.document, place.version, page, place.title, place.source, place.rank)
        spans += _spans(next_place, following)
        block = following
    return spans
