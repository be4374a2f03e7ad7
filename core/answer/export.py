"""The whole list behind an answer as lines of a file, with what may be seen of it when it is fetched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.domain.answer import Answer
from core.domain.document import DocumentSummary
from core.domain.ids import DocumentId

_HEADS = ("document", "title", "source", "bucket")
_TITLE = "Document"  # the column of an answer's table that says the title once more


@dataclass(frozen=True, slots=True)
class Export:
    """A list as a file has it, a line each. left_out: lines of documents that are gone or may not be seen."""

    question: str
    heads: tuple[str, ...]
    lines: tuple[tuple[Any, ...], ...]
    left_out: int = 0


def address(trace_id: str) -> str:
    """Address of an answer's list by REST, as `clarification.export` gives it."""
    return f"/api/v1/answers/{trace_id}/export.csv"


def has_list(answer: Answer) -> bool:
    """True where documents are listed, each in a line."""
    return answer.table is not None and bool(answer.table.documents)


def export_of(answer: Answer, seen: Mapping[DocumentId, DocumentSummary]) -> Export:
    """The lines of an answer's table, in its order. seen: the documents that may be seen now, by id."""
    table = answer.table
    if table is None:
        return Export(answer.question, _HEADS, ())
    kept = [at for at, column in enumerate(table.columns) if column.name != _TITLE]
    lines = tuple(
        (*_document(seen[id]), *(row[at] for at in kept))
        for id, row in zip(map(DocumentId, table.documents), table.rows, strict=True)
        if id in seen
    )
    heads = (*_HEADS, *(table.columns[at].name for at in kept))
    return Export(answer.question, heads, lines, len(table.documents) - len(lines))


def export_of_all(question: str, documents: Sequence[DocumentSummary]) -> Export:
    """A line for each document, for a question that every one of them fits."""
    return Export(question, _HEADS, tuple(_document(each) for each in documents))


def _document(summary: DocumentSummary) -> tuple[str, ...]:
    return (summary.id, summary.name, summary.source, summary.bucket)
