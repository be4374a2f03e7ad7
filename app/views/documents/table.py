"""The table of documents: filters, order and place in the address, counts, export, choice of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import PurePath
from urllib.parse import urlencode

import streamlit as st

from app import services, state
from app.components.controls import draw_switch
from app.components.table import Column, Row, column, draw_table, row
from app.presenting.wording import date, size, state_of
from app.views.documents import actions
from app.views.documents.summaries import draw_summarise_all
from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.ids import DocumentId
from core.store.base import DocumentOrder

ALL = "All"
GAPS, COPIED = "With gaps", "Copies"
PART = 100  # rows at a time: 60 KB on the wire, whatever the size of the collection
WORDS = {
    "Ready": DocumentStatus.READY,
    GAPS: DocumentStatus.READY,
    "Unreadable": DocumentStatus.UNREADABLE,
    "Failed": DocumentStatus.FAILED,
    "Gone": DocumentStatus.GONE,
    COPIED: None,
}
KINDS = {
    "application/pdf": "PDF",
    "text/html": "HTML",
    "text/plain": "Text",
    "text/markdown": "Markdown",
    "text/csv": "CSV",
    "message/rfc822": "E-mail",
    "text/calendar": "Calendar",
}


COLUMNS = [
    column("title", "Document", 420, DocumentOrder.NAME.value),
    column("status", "State", 122, DocumentOrder.STATUS.value, kind="state"),
    column("bucket", "Bucket", 116, DocumentOrder.BUCKET.value),
    column("pages", "Pages", 76, DocumentOrder.PAGES.value, right=True, falling=True),
    column("passages", "Passages", 96, DocumentOrder.PASSAGES.value, right=True, falling=True),
    column("changed", "Changed", 112, DocumentOrder.UPDATED.value, falling=True),
    column("kind", "Kind", 92),
    column("size", "Size", 84, DocumentOrder.SIZE.value, right=True, falling=True),
    column("version", "Version", 80, right=True),
    column("file", "File", 260, DocumentOrder.SOURCE.value),
]

COPIES = column("copies", "Copies", 92, kind="act")
REASON = column("reason", "Reason", 280, kind="words")


@dataclass(frozen=True, slots=True)
class DocumentFilters:
    """Conditions of the filters; None means no condition."""

    bucket: str | None
    status: str | None
    text: str
    has_gaps: bool = False
    has_copies: bool = False

    @property
    def is_filtered(self) -> bool:
        """True where any condition is set."""
        return bool(self.bucket or self.status or self.text or self.has_copies)


def draw_filters(buckets: Sequence[str]) -> DocumentFilters:
    """One row of filters; the address carries them."""
    with st.container(horizontal=True, vertical_alignment="center"):
        text = st.text_input(
            "Find",
            key="text",
            bind="query-params",
            placeholder="Find by title or file name",
            type="search",
            width=300,
            label_visibility="collapsed",
            on_change=actions.begin_again,
        )
        bucket = st.selectbox(
            "Bucket",
            [ALL, *buckets],
            key="bucket",
            bind="query-params",
            width=200,
            label_visibility="collapsed",
            format_func=lambda name: "All buckets" if name == ALL else name,
            on_change=actions.begin_again,
        )
        status = draw_switch("State", [ALL, *WORDS], "status", ALL, on_change=actions.begin_again)
    chosen = WORDS.get(status or "")
    return DocumentFilters(
        None if bucket == ALL else bucket,
        chosen.value if chosen else None,
        (text or "").strip(),
        status == GAPS,
        status == COPIED,
    )


def draw_head(matching: int, total: int, wanted: DocumentFilters, gone: int, files: int) -> None:
    """`12 of 45 documents, 2 of them gone`, and the export of all that match. files: with all copies."""
    given = asdict(wanted)
    query = urlencode({name: value for name, value in given.items() if value})
    with st.container(horizontal=True, vertical_alignment="center"):
        if wanted.status == DocumentStatus.GONE:  # in no count of what is there
            shown = f"**{matching:,}** {'document is' if matching == 1 else 'documents are'} gone"
        else:
            shown = f"**{matching:,}** of **{total:,}** documents"
            shown += f", **{gone:,}** of them gone" if gone else ""
            more = files - matching
            shown += f" · {files:,} files, {more:,} of them copies, which count once" if more else ""
        st.markdown(shown, width="content")
        exports = " · ".join(f"[{kind.upper()}](/api/documents.{kind}?{query})" for kind in ("csv", "xlsx"))
        st.markdown(f"Export as {exports}", width="content")
        draw_summarise_all(given, matching)


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
class Part:
    """The rows that are shown of all that match. first: counts from 1."""

    rows: Sequence[DocumentSummary]
    first: int
    total: int
    order: DocumentOrder
    descending: bool
    open: str
    chosen: Sequence[DocumentId]


def read_part(wanted: DocumentFilters, matching: int) -> Part:
    """The rows that the address asks for; a part beyond the last one is the last one."""
    asked, number = state.from_address("sort"), state.from_address("part")
    order = DocumentOrder(asked) if asked in {each.value for each in DocumentOrder} else DocumentOrder.NAME
    descending = state.from_address("order") == "falling"
    last = max(1, -(-matching // PART))
    first = PART * (min(last, max(1, int(number))) - 1) if number.isdecimal() else 0
    rows = services.session().documents.list(
        **asdict(wanted),
        limit=PART,
        offset=first,
        order=order,
        descending=descending,
        with_gone=True,
        once=True,
    )
    ticked = set(state.chosen())
    chosen = [each.id for each in rows if each.id in ticked]
    return Part(rows, first + 1, matching, order, descending, state.from_address("document"), chosen)


def draw_documents(part: Part, bucket: str | None) -> None:
    """One part of the rows; the server sorts, filters and turns, so that 20,000 are as quick as 20.

    bucket: in which copies count, None for all.
    """
    documents = services.session().documents
    alike = documents.with_copies([each.id for each in part.rows], bucket)
    shown = [
        (each, of)
        for top in part.rows
        for each, of in [(top, ""), *((c, top.id) for c in _below(top, alike))]
    ]
    gaps = documents.gaps([each.id for each, _ in shown if each.gaps])
    draw_table(
        "documents-table",
        "documents",
        "Documents of the collection",
        _columns(part.rows, bool(alike)),
        [_row(each, gaps.get(each.id, ""), alike.get(each.id, ()), of) for each, of in shown],
        order=(part.order.value, part.descending),
        first=part.first,
        total=part.total,
        size=PART,
        opened=part.open,
        chosen=part.chosen,
        open=lambda sent: actions.open_document(str(sent["id"])),
        act=lambda sent: actions.show_copies(str(sent["id"])),
        choose=lambda sent: state.chosen.set([str(id) for id in sent["ids"]]),
        sort=lambda sent: actions.sort(str(sent["key"]), bool(sent["descending"])),
        part=lambda sent: actions.turn(int(sent["n"])),
    )


def _below(
    document: DocumentSummary, alike: Mapping[DocumentId, Sequence[DocumentSummary]]
) -> Sequence[DocumentSummary]:
    """The copies of a document that are shown below it."""
    return alike.get(document.id, ()) if document.id in actions.copies_shown() else ()


def _columns(rows: Sequence[DocumentSummary], has_copies: bool) -> list[Column]:
    """Copies and reasons stand beside the state, where any row has them."""
    shown = [COPIES] if has_copies else []
    shown += [REASON] if any(summary.note for summary in rows) else []
    return [*COLUMNS[:2], *shown, *COLUMNS[2:]]


def _row(summary: DocumentSummary, gaps: str, alike: Sequence[DocumentSummary], of: str) -> Row:
    """gaps: what of its file was not read, in words. alike: others that have its words. of: as in `row`."""
    note = f"Not read: {gaps}" if gaps and not summary.reason else summary.note
    cells = {
        "title": PurePath(summary.source).name if of else summary.name,  # its title is that of the row above
        "status": state_of(summary),
        "reason": note,
        "bucket": summary.bucket,
        "pages": f"{summary.pages:,}",
        "passages": f"{summary.passages:,}",
        "kind": summary.doc_type or kind_of(summary),
        "changed": date(summary.updated_at),
        "size": size(summary.size_bytes),
        "version": f"{summary.version:,}" if summary.version else "",
        "file": summary.source,
        "copies": f"{len(alike) + 1:,} copies" if alike else "",
    }
    hover = {
        "changed": summary.updated_at.isoformat(timespec="seconds"),
        "copies": "\n".join(("The same words as", *(each.source for each in alike))) if alike else "",
    }
    state = "gaps" if summary.gaps and summary.status is DocumentStatus.READY else summary.status.value
    return row(summary.id, cells, state, note, hover, of=of)
