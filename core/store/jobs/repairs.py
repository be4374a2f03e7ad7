"""Health of a search server, remembered: the start it was last checked after, and its repairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.ids import DocumentId
from core.domain.upkeep import Repair, RepairReport
from core.store.database.db import Repository, insert_or_update
from core.store.database.schema import meta

_START = "index.start"
_SUSPICION = "index.suspicion"
_REPAIR = "index.repair."


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Some process could not reach the server; at: when, as it wrote it."""

    at: str
    reason: str


class Repairs(Repository):
    """Remembers repairs, for every process on these records. Thread-safe."""

    def last(self, engine: str) -> Repair | None:
        """The newest repair of an engine; None before the first."""
        found = self._get(_REPAIR + engine)
        return None if found is None else _repair_of(engine, found)

    def checked_start(self) -> str | None:
        """The server's start after which the collection is known to be whole; None before the first."""
        found = self._get(_START)
        return None if found is None else str(found["start"])

    def suspicion(self) -> Suspicion | None:
        """The newest note that the server could not be reached; None where there is none since a repair."""
        found = self._get(_SUSPICION)
        return None if found is None else Suspicion(str(found["at"]), str(found["reason"]))

    def suspect(self, reason: str, now: datetime | None = None) -> None:
        """Note that the server could not be reached; it may have been killed."""
        at = (now or datetime.now(UTC)).isoformat()
        with self._database.write_rows(is_upkeep=True) as connection:
            _set(connection, _SUSPICION, {"at": at, "reason": reason})

    def trust(self, start: str, suspicion: Suspicion | None) -> None:
        """Note that the collection is whole as of this start, and that a suspicion is settled."""
        with self._database.write_rows(is_upkeep=True) as connection:
            _settle(connection, start, suspicion)

    def save(self, repair: Repair) -> None:
        """Keep the report of a repair."""
        value = {
            "at": repair.at.isoformat(),
            "seconds": repair.seconds,
            "reason": repair.reason,
            "report": {**asdict(repair.report), "unrepaired": list(repair.report.unrepaired)},
        }
        with self._database.write_rows(is_upkeep=True) as connection:
            _set(connection, _REPAIR + repair.engine, value)

    def _get(self, key: str) -> Mapping[str, Any] | None:
        with self._database.read() as connection:
            value: Mapping[str, Any] | None = _read(connection, key)
        return value


def _settle(connection: Connection, start: str, suspicion: Suspicion | None) -> None:
    _set(connection, _START, {"start": start})
    # One that came up since the repair began is another outage.
    found = _read(connection, _SUSPICION)
    if suspicion is not None and found is not None and found["at"] == suspicion.at:
        connection.execute(sa.delete(meta).where(meta.c.key == _SUSPICION))


def _read(connection: Connection, key: str) -> Mapping[str, Any] | None:
    value: Mapping[str, Any] | None = connection.execute(
        sa.select(meta.c.value).where(meta.c.key == key)
    ).scalar()
    return value


def _set(connection: Connection, key: str, value: Mapping[str, Any]) -> None:
    insert_or_update(connection, meta, {"key": key, "value": dict(value)})


def _repair_of(engine: str, value: Mapping[str, Any]) -> Repair:
    facts = dict(value["report"])
    facts["unrepaired"] = tuple(DocumentId(one) for one in facts["unrepaired"])
    return Repair(
        engine,
        datetime.fromisoformat(value["at"]),
        float(value["seconds"]),
        str(value["reason"]),
        RepairReport(**facts),
    )
