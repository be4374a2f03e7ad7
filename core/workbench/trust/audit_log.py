"""The audit log, for those who may read it."""

from __future__ import annotations

import builtins
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from core.domain.trust.deed import AuditEntry, AuditQuery, ChainHead, ChainReport, Deed
from core.domain.trust.permission import Action
from core.errors import RefusedError, UsageError
from core.store.database.chain import doing
from core.store.people.audit_log import heads_in
from core.workbench.recorded import AUDIT_HEADS, recorded
from core.workbench.services.base import Service
from core.workbench.trust.files import csv_bytes, new_zip, put_files

ENTRY_HEADS: Final = (
    *("sequence", "at", "deed", "outcome", "account", "origin", "subject", "trace", "detail", "hash"),
)
"""Columns of a file of entries, in the order of `entry_line`."""


class AuditLogService(Service):
    """What was done in the home. Everybody sees their own deeds, admins and compliance officers all."""

    def entries(self, query: AuditQuery) -> builtins.list[AuditEntry]:
        """The entries that fit, newest first; one's own where one may not see all."""
        return self._parts.records.audit_log.entries(self._within(query))

    def count(self, query: AuditQuery) -> int:
        """Number of entries that fit, whatever the query's limit."""
        return self._parts.records.audit_log.count(self._within(query))

    def every(self, query: AuditQuery) -> Iterator[AuditEntry]:
        """All entries that fit, without a limit."""
        return self._parts.records.audit_log.every(self._within(query))

    def verify(self, heads: Sequence[ChainHead] | None = None) -> ChainReport:
        """Check every link, and exported heads (None: those of the home). Raises RefusedError."""
        self._require_auditor("verify the audit log")
        known = heads_in(self._heads) if heads is None else heads
        return self._parts.records.audit_log.verify(known)

    def head(self) -> ChainHead:
        """The chain's last entry. Raises RefusedError."""
        self._require_auditor("see the audit log's head")
        return self._parts.records.audit_log.head()

    @recorded("audit.export")
    def export(self, file: Path, query: AuditQuery | None = None) -> int:
        """Write a ZIP of the entries that fit (CSV and JSON lines), the check of the chain, its heads and
        checksums; gives the number of entries. Raises RefusedError, and UsageError for a bad place.
        """
        self._require_auditor("export the audit log")
        report = self.verify()
        entries = list(self.every(query or AuditQuery()))
        files = {
            "entries.jsonl": json_lines(entries),
            "entries.csv": csv_bytes(ENTRY_HEADS, map(entry_line, entries)),
            "check.json": json.dumps(report_json(report), indent=2).encode(),
            "heads.jsonl": self._heads.read_bytes() if self._heads.is_file() else b"",
        }
        with new_zip(file) as archive:
            put_files(archive, files)
        return len(entries)

    def redact(
        self, reason: str, *, sequences: Collection[int] = (), older_than_days: int | None = None
    ) -> int:
        """Take the content of entries away, by number or by age, and say why; gives how many.

        Number, time and deed stay, and the chain stays whole. Raises RefusedError, UsageError, NotFoundError.
        """
        self._permit(Action.CONFIGURE, "redact the audit log")
        words = " ".join(reason.split())[:200]
        if not words:
            raise UsageError(
                "A redaction needs a reason.", next_step="Say why, such as 'request of erasure'."
            )
        if not sequences and older_than_days is None:
            raise UsageError("Nothing to redact.", next_step="Give entries by number, or an age in days.")
        if older_than_days is not None and older_than_days < 1:
            raise UsageError("An age is at least one day.", next_step="Give more days.")
        before = None if older_than_days is None else datetime.now(UTC) - timedelta(days=older_than_days)
        deed = Deed("", self._principal.user, self._principal.origin, detail={"reason": words})
        return self._parts.records.audit_log.redact(deed, sequences=sequences, before=before)

    def export_head(self) -> ChainHead | None:
        """Add today's head to the home's file of heads; None where it stands there. Raises RefusedError."""
        self._require_auditor("export the audit log's head")
        return self._parts.records.audit_log.export_head(self._heads)

    def note(self, name: str, subject: str = "", **detail: Any) -> None:
        """Keep something that was shown or handed out by a page or a route."""
        deed = Deed(name, self._principal.user, self._principal.origin, subject, detail=detail)
        with doing(deed) as opened:
            if not opened.is_kept:
                self._parts.records.audit_log.append(opened.deed)
                opened.is_kept = True

    @property
    def sees_all(self) -> bool:
        """True where this principal sees deeds of others."""
        return self._door.may(Action.AUDIT)

    @property
    def _heads(self) -> Path:
        return self._parts.settings.home.joinpath(*AUDIT_HEADS)

    def _within(self, query: AuditQuery) -> AuditQuery:
        if self.sees_all:
            return query
        if query.account not in ("", self._principal.user):
            raise RefusedError(
                f"{self._principal.user!r} may not see what others did.",
                next_step="Ask an admin for the role 'compliance_officer'.",
            )
        return replace(query, account=self._principal.user)

    def _require_auditor(self, deed: str) -> None:
        self._permit(Action.AUDIT, deed)


def entry_json(entry: AuditEntry) -> dict[str, Any]:
    """An entry as JSON; what was redacted is null."""
    deed, is_there = entry.deed, not entry.is_redacted
    return {
        "sequence": entry.sequence,
        "at": entry.at.isoformat(),
        "deed": deed.name,
        "outcome": deed.outcome,
        "account": deed.account if is_there else None,
        "origin": deed.origin if is_there else None,
        "subject": deed.subject if is_there else None,
        "trace": deed.trace if is_there else None,
        "detail": dict(deed.detail) if is_there else None,
        "hash": entry.hash,
        "redacted": entry.is_redacted,
    }


def entry_line(entry: AuditEntry) -> builtins.list[str]:
    """An entry as a line of a file, by ENTRY_HEADS: the detail as JSON, "" for what was redacted."""
    row = entry_json(entry)
    detail = row["detail"]
    row["detail"] = None if detail is None else json.dumps(detail, ensure_ascii=False)
    return ["" if row[name] is None else str(row[name]) for name in ENTRY_HEADS]


def json_lines(entries: Iterable[AuditEntry]) -> bytes:
    """Entries as JSON, one a line."""
    return "".join(json.dumps(entry_json(each), ensure_ascii=False) + "\n" for each in entries).encode()


def report_json(report: ChainReport) -> dict[str, Any]:
    """The result of a check as JSON."""
    return {
        "ok": report.is_whole,
        "entries": report.entries,
        "head": {"sequence": report.head, "hash": report.hash},
        "broken": None
        if report.fault is None
        else {"sequence": report.sequence, "fault": report.fault.name.lower(), "text": report.text},
    }
