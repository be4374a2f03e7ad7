"""What computed answers rest on: fields that were read, what contradicts them, and what searches found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from core.answer.computed.lists import shown_fields
from core.answer.computed.source import CellSource, Facts
from core.domain.answer import Claim, Conflict, EvidenceItem
from core.domain.fields import CellStatus, FieldType
from core.domain.results import Passages, Result
from core.domain.shown import shown_all
from core.evidence.conflicts import ALWAYS, Statement, find_conflicts
from core.evidence.listing import conflicts_of, list_evidence
from core.evidence.merge import Piece
from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.ir.nodes import ComputationNode, Plan, SelectionNode, SidesNode
from core.records.cells.amendments import OF_ITS_OWN
from core.records.cells.field_rows import key_of
from core.records.database.visibility import Visibility
from core.values.titles import family_key

MOST_DOCUMENTS = 200  # whose fields are listed and held against one another
MOST_ALIKE = 3  # documents of one title and the same parties: more of them are forms of a kind
_STARTS, _ENDS = "effective_date", "expiration_date"
StandIns = Callable[[Visibility, Collection[str]], Mapping[str, Mapping[str, str]]]


@dataclass(frozen=True, slots=True)
class Weighed:
    """The evidence of an answer and the conflicts in it."""

    evidence: tuple[EvidenceItem, ...] = ()
    conflicts: tuple[Conflict, ...] = ()


def weigh(
    plan: Plan,
    results: Mapping[str, Result],
    documents: Collection[str],
    claims: Iterable[Claim],
    cells: CellSource,
    catalogue: Catalogue,
    visible: Visibility,
    stand_ins: StandIns,
) -> Weighed:
    """The fields of an answer's documents with what became of them, and what other documents say instead.

    Documents are held against those of the same title, kind and parties; what an amendment states holds.
    """
    citations = [citation for claim in claims for citation in claim.citations]
    own = list(dict.fromkeys((*(c.document for c in citations), *sorted(documents))))[:MOST_DOCUMENTS]
    fields = _fields(plan)
    subjects = _subjects(own, catalogue)
    read = Facts.read(
        cells, catalogue, visible, {*own, *subjects}, {*fields, _STARTS, _ENDS} if fields else ()
    )
    statements = [each for id, subject in subjects.items() for each in _stated(id, subject, fields, read)]
    replaced = stand_ins(visible, fields) if statements else {}
    found = find_conflicts(statements, replaced)
    against = {(each.document, one.field) for one in found for each in one.statements}
    pieces = [*_rows([*own, *(id for id, _ in sorted(against))], fields, read), *_passages(results, read)]
    titles = {name: read.field_title(name) for name in fields}
    return Weighed(list_evidence(pieces, citations, against), conflicts_of(found, titles))


def _fields(plan: Plan) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for node in plan.nodes:
        if isinstance(node, SelectionNode):
            found.update(dict.fromkeys(shown_fields(node)))
        elif isinstance(node, ComputationNode) and node.field:
            found[node.field] = None
        elif isinstance(node, SidesNode):
            found.update(dict.fromkeys(node.fields))
    return tuple(found)


def _subjects(documents: Collection[str], catalogue: Catalogue) -> dict[str, str]:
    """What each of these documents and of those alike is about, by id; only where there are several alike."""
    alike: dict[tuple[str, str, tuple[str, ...]], list[DocumentEntry]] = {}
    for entry in catalogue.documents:
        if entry.kind and (name := family_key(entry.title)):
            alike.setdefault((name, entry.kind, tuple(sorted(entry.parties))), []).append(entry)
    wanted = set(documents)
    return {
        entry.id: entries[0].title
        for entries in alike.values()
        if 1 < len(entries) <= MOST_ALIKE and any(each.id in wanted for each in entries)
        for entry in entries
    }


def _stated(document: str, subject: str, fields: Iterable[str], facts: Facts) -> Iterable[Statement]:
    """What a document states of fields that take one value; several values of one field are no statement."""
    starts, ends = facts.values(document, _STARTS), facts.values(document, _ENDS)
    for name in fields:
        values = facts.values(document, name)
        is_own = name in OF_ITS_OWN or facts.field_type(name) is FieldType.BOOLEAN
        if is_own or len(values) != 1 or values[0].special:
            continue
        yield Statement(
            subject=subject,
            field=name,
            document=document,
            key=f"{values[0].type.value} {key_of(values[0])} {values[0].unit}",
            shown=shown_all(values),
            starts=starts[0].text if starts and not starts[0].special else ALWAYS[0],
            ends=ends[0].text if ends and not ends[0].special else ALWAYS[1],
        )


def _rows(documents: Iterable[str], fields: Iterable[str], facts: Facts) -> list[Piece]:
    names = tuple(fields)
    found = []
    for id in dict.fromkeys(documents):
        for name in names:
            cell = facts.cells.get((id, name))
            if cell is None or cell.finding.status is not CellStatus.PRESENT:
                continue
            method = "reviewed" if cell.review is not None else cell.finding.method
            found += [
                Piece(
                    document=id,
                    version=span.version,
                    page=span.page_no,
                    start=span.start,
                    end=span.end,
                    text=span.quote,
                    score=cell.finding.confidence,
                    method=method or "extracted",
                    index="fields",
                    title=span.title,
                    source=span.source,
                    field=name,
                )
                for span in facts.spans(id, name)[:1]
            ]
    return found


def _passages(results: Mapping[str, Result], facts: Facts) -> list[Piece]:
    found = []
    for result in results.values():
        for hit in result.hits if isinstance(result, Passages) else ():
            entry = facts.catalogue.document(hit.document)
            title, source = (entry.title, entry.source) if entry is not None else (hit.document, "")
            found.append(Piece.of_hit(hit, title, source))
    return found
