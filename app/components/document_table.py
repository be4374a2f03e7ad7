"""The table of documents: filters in the address, counts, export, selection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

import streamlit as st

from app import state
from app.components.wording import STATUS, size
from core.domain.document import DocumentStatus, DocumentSummary
from core.domain.ids import DocumentId

ALL = "All"
ROW, HEIGHT = 34, 640
WORDS = {
    "Ready": DocumentStatus.READY,
    "Unreadable": DocumentStatus.UNREADABLE,
    "Failed": DocumentStatus.FAILED,
}
KINDS = {
    "application/pdf": "PDF",
    "text/html": "HTML",
    "text/plain": "Text",
    "text/markdown": "Markdown",
    "text/csv": "CSV",
    "message/rfc822": "E-mail",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the filters ask for; None means no condition."""

    bucket: str | None
    status: str | None
    text: str

    @property
    def is_filtered(self) -> bool:
        """Whether any condition is set."""
        return bool(self.bucket or self.status or self.text)


def draw_filters(buckets: Sequence[str]) -> Wanted:
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
        )
        bucket = st.selectbox(
            "Bucket",
            [ALL, *buckets],
            key="bucket",
            bind="query-params",
            width=200,
            label_visibility="collapsed",
            format_func=lambda name: "All buckets" if name == ALL else name,
        )
        status = st.segmented_control(
            "State",
            [ALL, *WORDS],
            default=ALL,
            key="status",
            bind="query-params",
            required=True,
            label_visibility="collapsed",
        )
    chosen = WORDS.get(status or "")
    return Wanted(None if bucket == ALL else bucket, chosen.value if chosen else None, (text or "").strip())


def draw_head(shown: int, total: int, wanted: Wanted) -> None:
    """`12 of 45 documents`, and the export of what is shown; the table's own buttons float beside it."""
    given = {"bucket": wanted.bucket, "status": wanted.status, "text": wanted.text}
    query = urlencode({name: value for name, value in given.items() if value})
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{shown:,}** of **{total:,}** documents", width="content")
        st.markdown(f"[Export as CSV](/api/documents.csv?{query})", width="content")


def kind_of(summary: DocumentSummary) -> str:
    """The format in a word."""
    if summary.media_type in KINDS:
        return KINDS[summary.media_type]
    if "wordprocessing" in summary.media_type:
        return "Word"
    if "sheet" in summary.media_type:
        return "Excel"
    return summary.media_type.rpartition("/")[2] or "unknown"


def draw_table(
    found: Sequence[DocumentSummary], key: str, picked: Callable[[list[DocumentId]], None]
) -> None:
    """The table; `picked` gets the chosen documents when the choice changes."""
    ids = [summary.id for summary in found]
    columns = st.column_config
    st.dataframe(
        _columns(found),
        key=key,
        height=min(HEIGHT, 38 + ROW * max(len(found), 3)),
        row_height=ROW,
        hide_index=True,
        selection_mode="multi-row",
        on_select=lambda: picked(shown_choice(key, ids)),
        alt="Documents of the collection",
        column_config={
            "Document": columns.TextColumn(width=230),
            "State": columns.MultiselectColumn(
                width=118, options=list(STATUS.values()), color=["blue", "violet", "yellow"]
            ),
            "Reason": columns.TextColumn(width="medium"),
            "Bucket": columns.TextColumn(width=110),
            "Pages": columns.NumberColumn(width=86, format="localized"),
            "Passages": columns.NumberColumn(width=86, format="localized"),
            "Kind": columns.TextColumn(width=90),
            "Changed": columns.DateColumn(width=110, format="D MMM YYYY"),
            "File": columns.TextColumn(width="medium"),
        },
    )


def shown_choice(key: str, ids: Sequence[DocumentId]) -> list[DocumentId]:
    """The documents chosen in the table of this key, whose rows are `ids`."""
    rows = state.widget(key, {}).get("selection", {}).get("rows", [])
    return [ids[row] for row in rows if row < len(ids)]


def _columns(found: Sequence[DocumentSummary]) -> dict[str, list[object]]:
    return {
        "Document": [summary.title or summary.source for summary in found],
        "State": [[STATUS[summary.status]] for summary in found],
        "Bucket": [summary.bucket for summary in found],
        "Pages": [summary.pages for summary in found],
        "Passages": [summary.passages for summary in found],
        "Kind": [summary.doc_type or kind_of(summary) for summary in found],
        "Changed": [summary.updated_at.date() for summary in found],
        "Size": [size(summary.size_bytes) for summary in found],
        "Version": [summary.version for summary in found],
        "File": [summary.source for summary in found],
        "Reason": [summary.reason for summary in found],
    }
