"""Results of plans' nodes, kept for the state of the collection that they were computed over."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

import sqlalchemy as sa
from pydantic import TypeAdapter, ValidationError
from sqlalchemy.engine import Connection

from core.domain.results import Result
from core.store.database.changes import version_of
from core.store.database.db import Database, insert_or_ignore, slices
from core.store.database.work_tables import node_figures, node_results

MOST_BYTES = 64 * 2**20
LARGEST_BYTES = 4 * 2**20
_RESULT: TypeAdapter[Result] = TypeAdapter(Result)
_LEVEL = 1  # of zlib: 2,000 ids take 0.4 ms


@dataclass(frozen=True, slots=True)
class NodeResult:
    """A result with its key and the data version that it was computed over."""

    key: str
    data_version: int
    result: Result


@dataclass(frozen=True, slots=True)
class NodeFigures:
    """Sums over runs of a kind of node: of documents looked at (x) and milliseconds (y)."""

    runs: float = 0.0
    rows: float = 0.0
    ms: float = 0.0
    rows_rows: float = 0.0
    rows_ms: float = 0.0


class NodeResults:
    """Keeps results. Thread-safe, for any number of processes. The least used go where there is no room."""

    def __init__(
        self, database: Database, most_bytes: int = MOST_BYTES, largest_bytes: int = LARGEST_BYTES
    ) -> None:
        self._database = database
        self._most_bytes = most_bytes
        self._largest_bytes = largest_bytes

    def get(self, key: str) -> Result | None:
        """The kept result; None where there is none, or it cannot be read any more."""
        packed = self._database.scalar(sa.select(node_results.c.result).where(node_results.c.key == key))
        if packed is None:
            return None
        try:
            return _RESULT.validate_json(zlib.decompress(packed))
        except (zlib.error, ValidationError):
            return None

    def put(
        self, results: Sequence[NodeResult], used: Collection[str] = (), now: datetime | None = None
    ) -> None:
        """Keep results of the collection as it is now, and let go of all that were of another.

        used: keys of results that were given since. Results of an older data version, and those that are too
        large, are not kept.
        """
        now = now or datetime.now(UTC)
        packed = [(each, zlib.compress(_RESULT.dump_json(each.result), _LEVEL)) for each in results]
        rows = [
            {
                "key": each.key,
                "data_version": each.data_version,
                "size_bytes": len(data),
                "used_at": now,
                "result": data,
            }
            for each, data in sorted(packed, key=lambda pair: pair[0].key)
            if len(data) <= self._largest_bytes
        ]
        with self._database.write_rows(is_upkeep=True) as connection:
            current = version_of(connection)
            connection.execute(sa.delete(node_results).where(node_results.c.data_version != current))
            for some in slices(list(used)):
                connection.execute(
                    sa.update(node_results).where(node_results.c.key.in_(sorted(some))).values(used_at=now)
                )
            insert_or_ignore(
                connection, node_results, [row for row in rows if row["data_version"] == current]
            )
            self._make_room(connection)

    def size(self) -> tuple[int, int]:
        """Number of results that are kept, and their bytes."""
        count, size = self._database.one(
            sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(node_results.c.size_bytes), 0))
        )
        return int(count), int(size)

    def figures(self) -> dict[str, NodeFigures]:
        """The figures of every kind of node that ran."""
        rows = self._database.rows(sa.select(node_figures))
        return {row.kind: NodeFigures(row.runs, row.rows, row.ms, row.rows_rows, row.rows_ms) for row in rows}

    def add_figures(self, ran: Mapping[str, NodeFigures], keep: float = 0.98) -> None:
        """Add the figures of runs to those there are, of which `keep` counts on for each new run."""
        with self._database.write_rows(is_upkeep=True) as connection:
            for kind in sorted(ran):
                insert_or_ignore(connection, node_figures, [{"kind": kind, **asdict(NodeFigures())}])
                new, fades = ran[kind], keep ** ran[kind].runs
                connection.execute(
                    sa.update(node_figures)
                    .where(node_figures.c.kind == kind)
                    .values(
                        {name: node_figures.c[name] * fades + value for name, value in asdict(new).items()}
                    )
                )

    def _make_room(self, connection: Connection) -> None:
        total = connection.execute(sa.select(sa.func.coalesce(sa.func.sum(node_results.c.size_bytes), 0)))
        over = int(total.scalar_one()) - self._most_bytes
        if over <= 0:
            return
        oldest = sa.select(node_results.c.key, node_results.c.size_bytes).order_by(
            node_results.c.used_at, node_results.c.key
        )
        gone = []
        for row in connection.execute(oldest):
            gone.append(row.key)
            over -= row.size_bytes
            if over <= 0:
                break
        for some in slices(gone):
            connection.execute(sa.delete(node_results).where(node_results.c.key.in_(some)))
