"""Answers from a place that is named by its number: the clause itself, and not what refers to it."""

from __future__ import annotations

from dataclasses import replace

from core.answer.cite import Draft, Layout
from core.answer.compose import MAX_SENTENCE_CHARS, SEVERAL, compose_lookup
from core.answer.value import stated_values
from core.search.evidence.base import Evidence, PageSource, Span, page_at, span_of
from core.store.database.visibility import Visibility
from core.text.marks import holds_mark
from core.text.numbered import PlaceNumber, find_places, read_place_number
from core.text.sentences import split_sentences

CONFIDENCE = 0.9  # of the one place that has the number
DELETED = "Words in it are deleted in the document: they stand in [deleted: ...]."
_MOST_PAGES = 60
_MOST_CLAIMS = 5


def numbered_places(
    reference: PlaceNumber, evidence: Evidence, pages: PageSource, visible: Visibility
) -> list[Span]:
    """The places with that number: in the documents that are named, else in all that were found."""
    found: dict[tuple[str, int, int], Span] = {}
    for candidate in evidence.candidates:
        passage = candidate.stored.passage
        if evidence.named_documents and passage.document not in evidence.named_documents:
            continue
        for part in passage.parts:
            found.setdefault(
                (passage.document, passage.version, part.page_no),
                Span(
                    passage.document, passage.version, part.page_no, 0, 0, "",
                    candidate.stored.name, candidate.stored.source,
                ),
            )  # fmt: skip
    places = []
    for span in list(found.values())[:_MOST_PAGES]:
        page = page_at(pages, span.document, span.version, span.page, visible)
        if page is not None:
            at = find_places(reference, page.text, page.headings)
            places += [span.part(page.text, start, end) for start, end in at]
    return places


def compose_numbered(
    question: str, evidence: Evidence, pages: PageSource, visible: Visibility
) -> Layout | None:
    """The words with that number, of several documents each by its name; None where nothing has it.

    Of the only place the sentence that states the value asked for, if one does.
    """
    number = read_place_number(question)
    places = numbered_places(number, evidence, pages, visible) if number is not None else []
    if not places:
        return None
    inside = tuple(each for each in evidence.sentences if places[0].holds(span_of(each)))
    if len(places) == 1 and any(stated_values(question, each.text) for each in inside):
        return compose_lookup(question, replace(evidence, sentences=inside), _MOST_CLAIMS)
    gaps = (DELETED,) if any(holds_mark("deleted", span.quote) for span in places) else ()
    is_of_several = len({span.document for span in places}) > 1
    drafts = tuple(
        Draft(
            (_cut(span),),
            span.title if is_of_several else "",
            "-" if len(places) > 1 else "",
            is_cut=_is_long(span),
        )
        for span in places[:_MOST_CLAIMS]
    )
    if is_of_several:
        return Layout(drafts, lead=SEVERAL, has_rivals=True, gaps=gaps)
    return Layout(drafts, confidence=CONFIDENCE, gaps=gaps)


def _is_long(span: Span) -> bool:
    return span.end - span.start > MAX_SENTENCE_CHARS


def _cut(span: Span) -> Span:
    """A place, or of a long one its first sentences; where they are short, the words of the next one too."""
    if not _is_long(span):
        return span
    ends = [end for _, end in split_sentences(span.quote) if end <= MAX_SENTENCE_CHARS]
    end = ends[-1] if ends else 0
    if 2 * end < MAX_SENTENCE_CHARS:  # a title is no answer
        end = max(end, len(span.quote[: MAX_SENTENCE_CHARS + 1].rpartition(" ")[0].rstrip()))
    return replace(span, end=span.start + end, quote=span.quote[:end])
