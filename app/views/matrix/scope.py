"""Scope of the matrix: a bucket, and one kind of its documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.config.fields import Schema
from core.domain.matrix import MatrixColumn
from core.records.base import BucketSummary

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
    )
    return named[chosen]


def choose_schema(columns: Sequence[MatrixColumn], schemas: Mapping[str, Schema]) -> str:
    """One of several kinds of documents in the bucket; "" for all, and where there is only one."""
    found = [name for name in schemas if any(name in column.schemas for column in columns)]
    if len(found) < 2:
        return ""
    chosen = st.selectbox(
        "Kind of documents",
        [ALL, *found],
        key="kind",
        bind="query-params",
        width=220,
        label_visibility="collapsed",
        format_func=lambda name: name if name == ALL else schemas[name].title,
    )
    return "" if chosen == ALL else str(chosen)
