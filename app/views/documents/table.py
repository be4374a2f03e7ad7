"""The table of documents: filters, order and place in the address, counts, export, choice of rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from app import state
from app.components import mounts
from app.components.controls import draw_switch
from app.presenting.wording import STATUS, date, named, size
from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.ids import DocumentId
from core.records.base import DocumentOrder

ALL = "All"
PART = 100  # rows at a time: 60 KB on the wire, whatever the size of the collection
WORDS = {
    "Ready": DocumentStatus.READY,
    "Unreadable": DocumentStatus.UNREADABLE,
    "Failed": DocumentStatus.FAILED,
    "Gone": DocumentStatus.GONE,
}
KINDS = {
    "application/pdf": "PDF",
    "text/html": "HTML",
    "text/plain": "Text",
    "text/markdown": "Markdown",
    "text/csv": "CSV",
    "message/rfc822": "E-mail",
}


def _column(
    key: str, label: str, width: int, order: DocumentOrder | None = None, **more: object
) -> dict[str, object]:
    return {"key": key, "label": label, "width": width, "sort": order.value if order else None, **more}


COLUMNS = [
    _column("title", "Document", 420, DocumentOrder.NAME),
    _column("status", "State", 122, DocumentOrder.STATUS, kind="state"),
    _column("bucket", "Bucket", 116, DocumentOrder.BUCKET),
    _column("pages", "Pages", 76, DocumentOrder.PAGES, right=True, falling=True),
    _column("passages", "Passages", 96, DocumentOrder.PASSAGES, right=True, falling=True),
    _column("changed", "Changed", 112, DocumentOrder.UPDATED, falling=True),
    _column("kind", "Kind", 92),
    _column("size", "Size", 84, DocumentOrder.SIZE, right=True, falling=True),
    _column("version", "Version", 80, right=True),
    _column("file", "File", 260, DocumentOrder.SOURCE),
]

REASON = _column("reason", "Reason", 210, kind="words")


@dataclass(frozen=True, slots=True)
class DocumentFilters:
    """Conditions of the filters; None means no condition."""

    bucket: str | None
    status: str | None
    text: str

    @property
    def is_filtered(self) -> bool:
        """True where any condition is set."""
        return bool(self.bucket or self.status or self.text)


def draw_filters(buckets: Sequence[str], changed: Callable[[], None]) -> DocumentFilters:
    """One row of filters; the address carries them. `changed` runs when one is set."""
    with st.container(horizontal=True, vertical_alignment="center"):
        text = st.text_input(
            "Find",
            key="text",
            bind="query-params",
            placeholder="Find by title or file name",
            type="search",
            width=300,
            label_visibility="collapsed",
            on_change=changed,
        )
        bucket = st.selectbox(
            "Bucket",
            [ALL, *buckets],
            key="bucket",
            bind="query-params",
            width=200,
            label_visibility="collapsed",
            format_func=lambda name: "All buckets" if name == ALL else name,
            on_change=changed,
        )
        status = draw_switch("State", [ALL, *WORDS], "status", ALL, on_change=changed)
    chosen = WORDS.get(status or "")
    return DocumentFilters(
        None if bucket == ALL else bucket, chosen.value if chosen else None, (text or "").strip()
    )


def draw_head(matching: int, total: int, wanted: DocumentFilters, gone: int) -> None:
    """`12 of 45 documents, 2 of them gone`, and the export of all that match."""
    given = {"bucket": wanted.bucket, "status": wanted.status, "text": wanted.text}
    query = urlencode({name: value for name, value in given.items() if value})
    with st.container(horizontal=True, vertical_alignment="center"):
        if wanted.status == DocumentStatus.GONE:  # in no count of what is there
            shown = (
                f"**{matching:,}** {'document is' if matching == 1 else 'documents are'} gone from the site"
            )
        else:
            shown = f"**{matching:,}** of **{total:,}** documents"
            shown += f", **{gone:,}** of them gone" if gone else ""
        st.markdown(shown, width="content")
        files = " · ".join(f"[{kind.upper()}](/api/documents.{kind}?{query})" for kind in ("csv", "xlsx"))
        st.markdown(f"Export as {files}", width="content")


def kind_of(summary: DocumentSummary) -> str:
    """The format in a word."""
    if summary.media_type in KINDS:
        return KINDS[summary.media_type]
    if "wordprocessing" in summary.media_type:
        return "Word"
    if "sheet" in summary.media_type:
        return "Excel"
    return summary.media_type.rpartition("/")[2] or "unknown"


@dataclass(frozen=True, slots=True)
class TableActions:
    """Actions of the page for its table."""

    open: Callable[[DocumentId], None]
    choose: Callable[[list[DocumentId]], None]
    sort: Callable[[str, bool], None]
    turn: Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Part:
    """The rows that are shown of all that match. first: counts from 1."""

    rows: Sequence[DocumentSummary]
    first: int
    total: int
    order: DocumentOrder
    descending: bool
    open: str
    chosen: Collection[DocumentId]


def draw_table(part: Part, actions: TableActions) -> None:
    """One part of the rows; the server sorts, filters and turns, so that 20,000 are as quick as 20."""
    key = "documents-table"

    def sent(name: str, field: str) -> Any:
        return state.sent(key, name)[field]

    mounts.table(
        key=key,
        data={
            "name": "documents",
            "label": "Documents of the collection",
            "columns": _columns(part.rows),
            "rows": [_row(summary) for summary in part.rows],
            "sort": part.order.value,
            "descending": part.descending,
            "first": part.first,
            "total": part.total,
            "size": PART,
            "open": part.open,
            "chosen": list(part.chosen),
        },
        on_open_change=lambda: actions.open(DocumentId(str(sent("open", "id")))),
        on_choose_change=lambda: actions.choose([DocumentId(str(one)) for one in sent("choose", "ids")]),
        on_sort_change=lambda: actions.sort(str(sent("sort", "key")), bool(sent("sort", "descending"))),
        on_part_change=lambda: actions.turn(int(sent("part", "n"))),
    )


def _columns(rows: Sequence[DocumentSummary]) -> list[dict[str, object]]:
    """Reasons stand beside the state, where any row has one."""
    with_reason = any(summary.note for summary in rows)
    return [*COLUMNS[:2], REASON, *COLUMNS[2:]] if with_reason else list(COLUMNS)


def _row(summary: DocumentSummary) -> dict[str, object]:
    cells = {
        "title": named(summary),
        "status": STATUS[summary.status],
        "reason": summary.note,
        "bucket": summary.bucket,
        "pages": f"{summary.pages:,}",
        "passages": f"{summary.passages:,}",
        "kind": summary.doc_type or kind_of(summary),
        "changed": date(summary.updated_at),
        "size": size(summary.size_bytes),
        "version": f"{summary.version:,}" if summary.version else "",
        "file": summary.source,
    }
    hover = {"changed": summary.updated_at.isoformat(timespec="seconds")}
    return {
        "id": summary.id,
        "state": summary.status.value,
        "note": summary.note,
        "cells": cells,
        "hover": hover,
    }
