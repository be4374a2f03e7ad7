"""Warm child processes that run checked selects, each bounded in time and memory."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Self

from core.datasets.base import CheckedQuery, QueryFailedError, QueryRows, RowFile, RowSources
from core.datasets.sql.child import QueryTask, RawRows
from core.processes.children import TaskPool

_SMALLER = "Ask for fewer rows, or group them before they are joined."
_KINDS = {"BOOL": "boolean", "DATE": "date", "TIME": "timestamp", "VARCHAR": "text"}
_NUMBERS = ("DECIMAL", "BIGINT", "INT", "HUGEINT", "DOUBLE", "FLOAT", "UINT", "SMALLINT", "TINYINT", "NUMBER")


class QueryProcess:
    """Runs queries, `size` at a time; children start when they are needed. Thread-safe.

    wait_s: how long a query waits for others before it is told that it does not run.
    """

    def __init__(self, *, timeout_s: float = 20.0, size: int = 1, wait_s: float = 10.0) -> None:
        self._timeout_s, self._wait_s = timeout_s, wait_s
        self._pool = TaskPool(
            "core.datasets.sql.child",
            None,
            size,
            "query",
            ("The query needs more memory than it may have.", _SMALLER),
        )

    def run(
        self, query: CheckedQuery, files: Mapping[str, Sequence[RowFile]], timeout_s: float | None = None
    ) -> QueryRows:
        """Rows of a query; blocks. files: at least those of its tables, by name.

        Raises QueryFailedError where it was ended or fails on its values, ChildStartError.
        """
        started = time.perf_counter()
        own = tuple(tuple(files[name]) for name in query.tables)
        most = min(timeout_s or self._timeout_s, self._timeout_s)
        task = QueryTask(query.traced, query.tables, own, query.limit, int(most) + 1)
        reply = self._pool.reply(task, most, late=_SMALLER, crashed=_SMALLER, wait_s=self._wait_s)
        if reply.value is None:
            raise QueryFailedError(reply.reason, next_step=reply.next_step)
        return _rows(query, reply.value, time.perf_counter() - started)

    def warm(self) -> None:
        """Start a child in the background, for a query that is soon to come."""
        self._pool.warm()

    def close(self) -> None:
        """End every child now; safe to call twice."""
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _rows(query: CheckedQuery, raw: RawRows, seconds: float) -> QueryRows:
    kinds = ("money" if unit else _kind(type) for type, unit in zip(raw.types, query.units, strict=True))
    sources = (
        RowSources(tuple((query.tables[at], row) for at, row in named), total)
        for named, total in zip(raw.sources, raw.counts, strict=True)
    )
    columns = tuple(zip(query.columns, kinds, strict=True))
    return QueryRows(columns, raw.rows, tuple(sources), raw.is_cut, seconds)


def _kind(type: str) -> str:
    if type.upper().startswith(_NUMBERS):
        return "number"
    return next((kind for start, kind in _KINDS.items() if type.upper().startswith(start)), "text")
