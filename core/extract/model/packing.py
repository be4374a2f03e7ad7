"""Calls that read the uncertain cells of one document: many cells each, with the places that they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.config.fields import FieldDefinition
from core.domain.fields import Finding
from core.extract.base import DocumentText
from core.extract.model.evidence import (
    EvidenceSpan,
    PlaceFinder,
    Places,
    Span,
    holds_all,
    merged,
    numbered,
    size_of,
    whole_of,
)
from core.llm.budget import CHARS_PER_TOKEN

MOST_CELLS = 10
"""Cells of one call: each answer takes some 80 tokens of the reply, and its reasoning the rest."""

_DEFINITION_TOKENS = 25


@dataclass(frozen=True, slots=True)
class AskedCell:
    """A cell as a call asks for it. id: "c1", ... may_be_absent: what was given suffices to say so."""

    id: str
    definition: FieldDefinition
    finding: Finding
    may_be_absent: bool


@dataclass(frozen=True, slots=True)
class CellCall:
    """One call: cells of a document, and the evidence given for them. is_whole: that is all of its text."""

    document: DocumentText
    cells: tuple[AskedCell, ...]
    evidence: tuple[EvidenceSpan, ...]
    is_whole: bool

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields that it asks for."""
        return tuple(each.definition.name for each in self.cells)


def pack(finder: PlaceFinder, cells: Sequence[tuple[FieldDefinition, Finding]], room: int) -> list[CellCall]:
    """Calls for these cells, in their order; [] for none. room: tokens of evidence and definitions in one.

    A document that fits is given in full. A place that alone is larger than the room is cut.
    """
    document = finder.document
    whole = whole_of(document)
    given = size_of((each.start, each.end) for each in whole)
    asked = max((_definition_size(definition) for definition, _ in cells), default=0)
    if given + asked * min(MOST_CELLS, len(cells)) <= room:
        is_read = all(page.text.strip() for page in document.pages)
        return [
            CellCall(document, _numbered_cells([(*each, is_read) for each in some]), whole, True)
            for some in _slices(cells)
        ]
    return _by_places(finder, cells, room)


def _by_places(
    finder: PlaceFinder, cells: Sequence[tuple[FieldDefinition, Finding]], room: int
) -> list[CellCall]:
    calls: list[CellCall] = []
    group: list[tuple[FieldDefinition, Finding, Places]] = []
    spans: list[Span] = []
    left = room
    for definition, finding in cells:
        places = finder.places(definition, finding)
        own = _definition_size(definition)
        best = _fitting(places.best, room - own)
        together = merged([*spans, *best], finder.document)
        if group and (len(group) == MOST_CELLS or size_of(together) + own > left):
            calls.append(_call(finder, group, spans))
            group, spans, left = [], [], room
            together = merged(best, finder.document)
        group.append((definition, finding, places))
        spans, left = together, left - own
    return [*calls, _call(finder, group, spans)] if group else calls


def _call(
    finder: PlaceFinder, group: Sequence[tuple[FieldDefinition, Finding, Places]], spans: Sequence[Span]
) -> CellCall:
    evidence = numbered(spans)
    is_read = all(page.text.strip() for page in finder.document.pages)
    cells = _numbered_cells(
        [
            (definition, finding, is_read and bool(places.best) and holds_all(evidence, places.named))
            for definition, finding, places in group
        ]
    )
    return CellCall(finder.document, cells, evidence, False)


def _fitting(spans: Sequence[Span], room: int) -> list[Span]:
    """The first places that have room; of the first one at least its beginning."""
    kept: list[Span] = []
    for start, end in spans:
        if size_of([*kept, (start, end)]) > room:
            if not kept:
                kept.append((start, start + max(1, room // 2) * CHARS_PER_TOKEN))
            break
        kept.append((start, end))
    return kept


def _numbered_cells(cells: Sequence[tuple[FieldDefinition, Finding, bool]]) -> tuple[AskedCell, ...]:
    return tuple(AskedCell(f"c{at}", *each) for at, each in enumerate(cells, 1))


def _slices(
    cells: Sequence[tuple[FieldDefinition, Finding]],
) -> list[Sequence[tuple[FieldDefinition, Finding]]]:
    return [cells[at : at + MOST_CELLS] for at in range(0, len(cells), MOST_CELLS)]


def _definition_size(definition: FieldDefinition) -> int:
    said = len(definition.title) + len(definition.description) + sum(map(len, definition.options))
    return said // CHARS_PER_TOKEN + _DEFINITION_TOKENS
