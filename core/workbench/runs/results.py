"""Kept result of a run: its answer, and the outcome of every document with the values looked at."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import get_args

from core.domain.answer import Answer
from core.domain.audit import CitedDocument, KeptDocument, Part, RunResult
from core.domain.fields import Cell, CellStatus
from core.domain.ids import DocumentId
from core.domain.value_text import shown_all
from core.plan.ir.nodes import Plan, spec_of, without_aspect
from core.store.database.visibility import Visibility
from core.store.store import Records

MOST_VALUES = 5_000
"""Documents whose values are kept; of more, only of those that belong to the answer."""

_MOST_TEXT = 300


def result_of(records: Records, answer: Answer, plan: Plan, visible: Visibility) -> RunResult:
    """Record of an answer to a plan, as it is kept."""
    parts = _parts(answer)
    answering = answer_set(answer)
    sources = answer.document_ids
    ids = {*parts, *answering}
    summaries = records.documents.get_many([DocumentId(id) for id in sorted(ids | sources)], visible)
    looked_at = ids if len(ids) <= MOST_VALUES else set(sorted(answering)[:MOST_VALUES])
    values = values_at(records, looked_at, fields_of(plan), visible)
    documents = {
        id: KeptDocument(
            title=summary.name,
            version=summary.version,
            bucket=summary.bucket,
            acl=summary.acl,
            part=parts.get(id),
            answers=id in answering,
            values=values.get(id, {}),
        )
        for id, summary in ((str(each), summary) for each, summary in summaries.items())
        if id in ids
    }
    table = answer.table
    rows = table.rows if table is not None else ()
    listed = table.documents if table is not None else ()
    return RunResult(
        text=answer.text,
        plan=plan.model_dump(mode="json"),
        value=answer.value,
        columns=tuple(column.name for column in table.columns) if table is not None else (),
        rows=rows,
        row_documents=listed if len(listed) == len(rows) else (),
        documents=documents,
        sources={str(id): summary.acl for id, summary in summaries.items() if str(id) in sources},
        source_versions={str(id): each.version for id, each in summaries.items() if str(id) in sources},
        cited=_cited(answer),
        gaps=answer.gaps,
    )


def _cited(answer: Answer) -> dict[str, CitedDocument]:
    quotes: dict[str, dict[str, None]] = {}
    for each in answer.citations:
        quotes.setdefault(each.document, {})[each.quote] = None
    titles = {each.document: each.title for each in answer.citations}
    return {id: CitedDocument(title=titles[id], quotes=tuple(each)) for id, each in quotes.items()}


def answer_set(answer: Answer) -> frozenset[str]:
    """The documents that belong to an answer: those listed, else those that were counted or summed."""
    table = answer.table
    if table is not None and any(column.name == "Document" for column in table.columns):
        return frozenset(table.documents)
    return frozenset(answer.ledger.documents.present) if answer.ledger is not None else frozenset()


def fields_of(plan: Plan) -> tuple[str, ...]:
    """The fields that a plan looks at, in the order of its nodes."""
    found = (name for node in plan.nodes for name in spec_of(node).fields(node) if name)
    return tuple(dict.fromkeys(without_aspect(name) for name in found))


def values_at(
    records: Records, documents: Collection[str], fields: Collection[str], visible: Visibility
) -> dict[str, dict[str, str]]:
    """Values of documents in fields, in words, by document and field."""
    found: dict[str, dict[str, str]] = {}
    if not documents or not fields:
        return found
    cells: Iterable[Cell] = records.fields.cells(
        visible, documents=[DocumentId(id) for id in sorted(documents)], fields=set(fields)
    )
    for cell in cells:
        found.setdefault(str(cell.document), {})[cell.field] = said(cell)
    return found


def said(cell: Cell) -> str:
    """A cell in words: its values, or what is known of it."""
    status = cell.finding.status
    if status is CellStatus.PRESENT:
        return shown_all(cell.finding.values)[:_MOST_TEXT]
    return "not stated" if status is CellStatus.ABSENT else status.value


def _parts(answer: Answer) -> Mapping[str, Part]:
    if answer.ledger is None:
        return {}
    lists = answer.ledger.documents
    parts: tuple[Part, ...] = get_args(Part)
    return {id: part for part in parts for id in getattr(lists, part)}
