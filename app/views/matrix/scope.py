"""Scope of the matrix: a bucket, and one kind of its documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from app import state
from app.components.controls import draw_page_link
from app.presenting.wording import STATUS
from app.views.matrix.grid import forget
from core.config.fields import Schema
from core.domain.document import DocumentStatus
from core.domain.matrix import MatrixColumn
from core.store.base import BucketSummary

ALL = "All kinds"


def choose_bucket(buckets: Sequence[BucketSummary]) -> BucketSummary:
    """One of the buckets; the address carries it."""
    named = {bucket.name: bucket for bucket in buckets}
    chosen = st.selectbox(
        "Bucket",
        list(named),
        key="bucket",
        bind="query-params",
        persist_state="session",
        width=260,
        label_visibility="collapsed",
        on_change=_leave_bucket,
    )
    return named[chosen]


def draw_unread(bucket: str, counts: Mapping[DocumentStatus, int]) -> None:
    """That documents of the bucket are no rows here, since nothing tells their kind, with where they are."""
    total = sum(counts.values())
    if not total:
        return
    one = total == 1
    with st.container(horizontal=True, vertical_alignment="center", key="unread"):
        st.caption(
            f"{total:,} {'document' if one else 'documents'} of this bucket could not be read: "
            f"{'its kind is' if one else 'their kinds are'} unknown, so {'it is' if one else 'they are'} no "
            f"{'row' if one else 'rows'} here.",
            width="content",
        )
        for status, count in sorted(counts.items()):
            draw_page_link(
                "documents", f"{STATUS[status]} ({count:,})", bucket=bucket, status=status.value.title()
            )


def _leave_bucket() -> None:
    forget()
    state.forget_widget("kind")
    state.to_address(kind=None)


def of_schema(columns: Sequence[MatrixColumn], schema: str) -> list[MatrixColumn]:
    """The columns that documents of a schema are asked for; "" for all."""
    return [each for each in columns if not schema or schema in each.schemas]


def choose_schema(
    columns: Sequence[MatrixColumn],
    schemas: Mapping[str, Schema],
    counts: Mapping[str, int],
    *,
    has_others: bool = False,
) -> str:
    """One of several kinds of documents in the bucket; "" for all, and where there is only one.

    counts: number of documents by schema; the one with most is open at first. has_others: there are documents
    that may be of any kind; without them even one kind is not all.
    """
    found = [name for name in schemas if any(name in column.schemas for column in columns)]
    if len(found) < 2 and not (found and has_others):
        return ""
    found.sort(key=lambda name: -counts.get(name, 0))
    chosen = st.selectbox(
        "Kind of documents",
        [*found, ALL],
        key="kind",
        bind="query-params",
        width=220,
        label_visibility="collapsed",
        format_func=lambda name: name if name == ALL else f"{schemas[name].title} ({counts.get(name, 0):,})",
        on_change=forget,
    )
    return "" if chosen == ALL else str(chosen)
