"""Results of the nodes of a plan, as tables whose rows open documents on their spans."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from app import links, services
from app.components import result_blocks
from app.components.result_blocks import Block
from app.presenting.plan_diff import four_parts
from app.presenting.plan_words import FULFILS, amount
from app.presenting.wording import brief
from core.domain.answer import LEDGER_PARTS, Answer, EvidenceItem
from core.domain.document import DocumentSummary
from core.domain.fields import Cell, CellStatus
from core.domain.ids import DocumentId
from core.domain.results import (
    Comparison,
    Documents,
    FoundValue,
    Groups,
    PassageHit,
    Passages,
    QueryTable,
    Result,
)
from core.domain.value_text import shown_all
from core.plan.ir.nodes import Node, Plan, spec_of
from core.search.evidence.listing import EvidencePiece, list_evidence

SHOWN = 100
_LONGEST = 320  # characters of a passage
_MOST_FIELDS = 6
_FIGURES = ("number", "money")
Cells = Mapping[tuple[str, str], Cell]
Evidence = tuple[EvidenceItem, ...]


def fields_of(node: Node, plan: Plan) -> tuple[str, ...]:
    """The fields that are worth seeing of what a node gave: those that it asks for, or its inputs do."""
    spec = spec_of(node)
    found = list((spec.shown or spec.fields)(node))
    if not any(found):
        found = [name for id in node.inputs for name in fields_of(plan.node(id), plan)]
    return tuple(name for name in dict.fromkeys(found) if name)[:_MOST_FIELDS]


def blocks_of(result: Result, node: Node, plan: Plan, part: str) -> list[Block]:
    """Blocks for the result of a node. part: which documents of a set are listed."""
    if isinstance(result, Documents):
        listed = result.order if part == "present" and result.order else sorted(getattr(result, part))
        why = {id: f"{_words(each.field)}{each.reason}" for id, each in result.unknown.items()}
        return [documents_table(listed, fields_of(node, plan), why, part)]
    if isinstance(result, Passages):
        return [_passages(result.hits, is_whole=result.is_exhaustive)]
    if isinstance(result, Groups):
        return _groups(result, node, plan, part)
    if isinstance(result, Comparison):
        return [_comparison(result)]
    if isinstance(result, QueryTable):
        return [_query_table(result)]
    assert isinstance(result, FoundValue)
    return _value(result)


def documents_table(
    ids: Sequence[str],
    fields: Sequence[str],
    why: Mapping[str, str] | None = None,
    part: str = "present",
    tones: Mapping[str, str] | None = None,
) -> Block:
    """Documents with what they state in some fields; each opens on the first place where it says so.

    Those in no order are sorted by title. why: reasons by document; tones: how a row is marked.
    """
    known = _summaries([DocumentId(id) for id in ids])
    if part != "present" or list(ids) == sorted(ids):
        ids = sorted(ids, key=lambda id: _title(known, id).casefold())
    shown = ids[:SHOWN]
    cells = _cells(shown, fields)
    is_why = bool(why) and any(id in (why or {}) for id in shown)
    rows = []
    for id in shown:
        stated = [_stated(cells.get((id, field))) for field in fields]
        said = [(why or {}).get(id, "")] if is_why else []
        rows.append(
            {
                "cells": [_title(known, id), *said, *stated],
                "href": _place([cells.get((id, field)) for field in fields], id),
                "tone": (tones or {}).get(id, ""),
            }
        )
    columns = ["Document", *(["Why"] if is_why else []), *(_field_title(field) for field in fields)]
    label = f"Documents: {FULFILS[part].lower()}" if part in FULFILS else "All documents"
    return result_blocks.table(label, columns, rows, total=len(ids), note="" if rows else "There are none.")


def counts_table(named: Sequence[tuple[str, str, Result | None]]) -> Block:
    """Counts of input and output, in the four parts. named: what it is, what it gave, the result."""
    rows = []
    for name, said, result in named:
        parts = four_parts(result)
        numbers = [f"{len(parts[each]):,}" if each in parts else "—" for each in LEDGER_PARTS]
        scope = f"{sum(map(len, parts.values())):,}" if parts else "—"
        rows.append({"cells": [name, said, scope, *numbers]})
    columns = ["Node", "Gives", "In scope", *(FULFILS[each] for each in LEDGER_PARTS)]
    return result_blocks.table("What came in and what went out", columns, rows, right=columns[2:])


def evidence_of(results: Mapping[str, Result], answer: Answer | None) -> Evidence:
    """Evidence that the answer lists; without an answer, the passages that searches and readings found."""
    if answer is not None and answer.evidence:
        return answer.evidence
    hits = [hit for result in results.values() if isinstance(result, Passages) for hit in result.hits]
    known = _summaries([DocumentId(id) for id in {hit.document for hit in hits}])
    pieces = (
        EvidencePiece.of_hit(
            hit,
            _title(known, hit.document),
            found.source if (found := known.get(DocumentId(hit.document))) is not None else "",
        )
        for hit in hits
    )
    return list_evidence(pieces, answer.citations if answer is not None else ())


def _passages(hits: Sequence[PassageHit], *, is_whole: bool) -> Block:
    shown = hits[:SHOWN]
    known = _summaries({DocumentId(hit.document) for hit in shown})
    rows = [
        {
            "cells": [
                f"{_title(known, hit.document)}, p. {hit.page}",
                brief(hit.text, _LONGEST),
                f"{hit.score:.3f}",
                hit.method,
            ],
            "href": links.cited(hit),
        }
        for hit in shown
    ]
    note = "All of it was read." if is_whole else "The best, and not all: a search ranks and does not decide."
    columns = ["Document", "Passage", "Score", "Found by"]
    return result_blocks.table(
        "Passages", columns, rows, total=len(hits), note=note, right=("Score",), wide=("Passage",)
    )


def _groups(result: Groups, node: Node, plan: Plan, part: str) -> list[Block]:
    value_name = result.function.capitalize() + (f" of {_field_title(result.field)}" if result.field else "")
    names = [_field_title(name) for name in result.group_by]
    rows = [
        {
            "cells": [
                *(each.key if result.group_by else ("All",)),
                amount(each.value, each.unit) if each.value is not None else None,
                f"{each.rows:,}",
                f"{len(each.documents):,}",
            ]
        }
        for each in result.groups[:SHOWN]
    ]
    columns = [*(names or ["Group"]), value_name, "Values", "Documents"]
    found = [result_blocks.table("Groups", columns, rows, total=len(result.groups), right=columns[-3:])]
    if result.excluded:
        said = [
            {"cells": [_field_title(field) if field else "The document", reason, f"{number:,}"]}
            for field, reason, number in result.excluded
        ]
        found += [
            result_blocks.heading("What could not take part"),
            result_blocks.table(
                "What could not take part", ["Field", "Why", "Values"], said, right=("Values",)
            ),
        ]
    ids = sorted(getattr(result.documents, part))
    found += [
        result_blocks.heading("Documents"),
        documents_table(ids, fields_of(node, plan), None, part),
    ]
    return found


def _query_table(result: QueryTable) -> Block:
    """Rows of a query, each led to the first words that it rests on."""
    rows = [
        {
            "cells": [
                "—" if text is None else amount(text) if of.kind in _FIGURES else text
                for text, of in zip(row.values, result.columns, strict=True)
            ],
            "href": links.cited(row.citations[0]) if row.citations else "",
        }
        for row in result.rows[:SHOWN]
    ]
    columns = [f"{each.name} ({each.unit})" if each.unit else each.name for each in result.columns]
    right = [each for each, of in zip(columns, result.columns, strict=True) if of.kind in _FIGURES]
    return result_blocks.table("Rows", columns, rows, total=result.total, right=right)


def _comparison(result: Comparison) -> Block:
    shown = result.rows[:SHOWN]
    cells = _cells([row.document for row in shown], result.fields)
    known = _summaries({DocumentId(row.document) for row in shown})
    rows = [
        {
            "cells": [_title(known, row.document), row.side, *(text or "—" for text in row.values)],
            "href": _place([cells.get((row.document, field)) for field in result.fields], row.document),
        }
        for row in shown
    ]
    columns = ["Document", "Side", *(_field_title(field) for field in result.fields)]
    return result_blocks.table("Comparison", columns, rows, total=len(result.rows))


def _value(result: FoundValue) -> list[Block]:
    rows = [
        {"cells": [f"{each.title}, p. {each.page}", brief(each.quote, _LONGEST)], "href": links.cited(each)}
        for each in result.citations
    ]
    found = [result_blocks.value(amount(result.text, result.unit))]
    return (
        [
            *found,
            result_blocks.table("Where it stands", ["Document", "Words"], rows, wide=("Words",)),
        ]
        if rows
        else found
    )


def _summaries(ids: Collection[DocumentId]) -> Mapping[DocumentId, DocumentSummary]:
    """Those of the documents that may be seen."""
    return services.session().documents.by_id(ids)


def _field_title(name: str) -> str:
    stem, _, aspect = name.partition(".")
    entry = services.session().plans.catalogue().field(stem)
    return (f"{entry.title}, {aspect}" if aspect else entry.title) if entry is not None else name


def _cells(ids: Collection[str], fields: Collection[str]) -> Cells:
    found = services.session().matrix.cells([DocumentId(id) for id in ids], fields) if ids and fields else ()
    return {(str(cell.document), cell.field): cell for cell in found}


def _stated(cell: Cell | None) -> str:
    if cell is None:
        return "—"
    if cell.finding.status is CellStatus.PRESENT:
        return brief(shown_all(cell.finding.values), 90)
    return {CellStatus.ABSENT: "not stated"}.get(cell.finding.status, cell.finding.status.value)


def _place(cells: Sequence[Cell | None], id: str) -> str:
    """Place of the first of these cells; the document where none stands anywhere."""
    for cell in cells:
        if cell is not None and cell.finding.spans:
            return links.span(id, cell.version, cell.finding.spans[0].span)
    return links.place(id)


def _title(known: Mapping[DocumentId, Any], id: str) -> str:
    found = known.get(DocumentId(id))
    return found.name if found is not None else "A document that is gone"


def _words(field: str) -> str:
    return f"{field.replace('_', ' ')}: " if field else ""
