"""Sentences of this home that a field's definition may take as examples: people decided on them, or readers
disagree about them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.domain.fields import Cell, CellStatus, FieldType, Finding, Quote
from core.domain.ids import DocumentId
from core.domain.matrix import CellDispute
from core.errors import NotFoundError
from core.fields.typed import same
from core.fields.word_field import ExampleProposal
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.workbench.verdicts import sentence_around

MOST_READ = 200  # verdicts, the newest
LONGEST = 600  # characters, as a definition takes them


@dataclass(frozen=True, slots=True)
class _Place:
    document: DocumentId
    version: int
    quote: Quote
    states_it: bool | None
    by_model: bool = False


def proposals(
    records: Records,
    visible: Visibility,
    verdicts: Sequence[Cell],
    disputes: Sequence[CellDispute],
    *,
    most: int,
    known: Sequence[str] = (),
) -> list[ExampleProposal]:
    """As many of each kind at most, what people said first; each sentence once, and none of `known`."""
    documents = {each.document for each in verdicts} | {each.item.document for each in disputes}
    titles = {
        each.id: (each.title or each.name, each.version)
        for each in records.documents.get_many(documents, visible).values()
    }
    found: list[ExampleProposal] = []
    left: dict[bool | None, int] = {None: most, True: most, False: most}
    seen = {each.casefold() for each in known}
    places = [
        *(place for each in verdicts for place in _of_verdict(each)),
        *(place for each in disputes for place in _of_dispute(each, titles)),
    ]
    for place in places:
        if not left[place.states_it] or place.document not in titles:
            continue
        try:
            page = records.documents.page(place.document, place.version, place.quote.span.page_no, visible)
        except NotFoundError:
            continue
        words = " ".join(sentence_around(page, place.quote).quote.split())
        if not words or len(words) > LONGEST or words.casefold() in seen:
            continue
        seen.add(words.casefold())
        left[place.states_it] -= 1
        title = titles[place.document][0]
        found.append(ExampleProposal(words, place.document, title, place.states_it, place.by_model))
    return found


def _of_dispute(each: CellDispute, titles: dict[DocumentId, tuple[str, int]]) -> Iterator[_Place]:
    document = each.item.document
    version = titles.get(document, ("", 0))[1]
    for finding, by_model in ((each.extraction, False), (each.model, True)):
        if finding.status is CellStatus.PRESENT and finding.spans:
            yield _Place(document, version, finding.spans[0], None, by_model)


def _of_verdict(cell: Cell) -> Iterator[_Place]:
    """Where a person found it, and where extraction took something else for it."""
    decided, before = cell.finding, cell.extracted
    is_present = decided.status is CellStatus.PRESENT
    if is_present and decided.spans:
        yield _Place(cell.document, cell.version, decided.spans[0], True)
    wrong = _first(before) if before is not None else None
    if wrong is None or before is None:
        return
    if decided.status is CellStatus.ABSENT or (is_present and _differs(decided, before, wrong)):
        yield _Place(cell.document, cell.version, wrong, False)


def _first(finding: Finding) -> Quote | None:
    """The first place of a value, or of the best candidate."""
    spans = finding.spans or next((each.spans for each in finding.candidates if each.spans), ())
    return spans[0] if spans else None


def _differs(decided: Finding, before: Finding, wrong: Quote) -> bool:
    """True where a present value stands elsewhere and, but for clauses, is another one."""
    own = {each.span.page_no: (each.span.start, each.span.end) for each in decided.spans}
    start, end = own.get(wrong.span.page_no, (0, 0))
    if not own or (wrong.span.start < end and start < wrong.span.end):
        return False
    if before.status is not CellStatus.PRESENT:
        return False  # a candidate that was not chosen says little
    values = decided.values
    is_clause = any(each.type is FieldType.BOOLEAN for each in values)
    return is_clause or not any(same(mine, its) for mine in values for its in before.values)
