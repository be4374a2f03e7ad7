"""Audits whose evidence has changed since their last run, told by the change sequence: nothing is run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from core.domain.audit import Audit, AuditRun, DocumentChange, OutdatedAudit, Reason, RunResult, by_title
from core.domain.document import DocumentSummary
from core.domain.ids import DocumentId
from core.errors import PlanError
from core.plan.ir.nodes import Plan
from core.plan.ir.serialization import plan_of
from core.records.base import ChangesUpTo
from core.records.cells.extraction_states import ExtractionStates
from core.records.database.visibility import Visibility
from core.records.store import Records
from core.workbench.runs.comparison import REMOVED, newer_version


@dataclass(frozen=True, slots=True)
class OutdatedAudits:
    """Says which of some audits rest on documents that have changed. Reads only changed documents."""

    records: Records
    states: ExtractionStates
    visible: Visibility

    def among(self, runs: Iterable[tuple[Audit, AuditRun]]) -> list[OutdatedAudit]:
        """Those whose evidence changed. runs: audits with their last answered run, as it may be seen."""
        data_version = self.records.changes.data_version()
        since: dict[int, ChangesUpTo] = {}
        found = []
        for audit, run in runs:
            if run.result is None or run.data_version >= data_version:
                continue
            changed = since.get(run.data_version)
            if changed is None:
                changed = since[run.data_version] = self.records.changes.since(run.data_version)
            if changes := self._changes(run, run.result, changed.documents):
                found.append(OutdatedAudit(audit, replace(run, result=None), tuple(changes)))
        return found

    def _changes(
        self, run: AuditRun, result: RunResult, changed: frozenset[DocumentId]
    ) -> list[DocumentChange]:
        known = {DocumentId(id) for id in (*result.documents, *result.sources)}
        there = self.records.documents.get_many(changed, self.visible.including_gone())
        found = [
            change
            for id in sorted(changed & known)
            if (change := _of_known(id, result, there.get(id))) is not None
        ]
        others = {id: there[id] for id in changed - known if id in there and not there[id].is_gone}
        return sorted(
            [*found, *self._added(run, result, others)],
            key=by_title,
        )

    def _added(
        self, run: AuditRun, result: RunResult, others: Mapping[DocumentId, DocumentSummary]
    ) -> Iterable[DocumentChange]:
        """Documents in scope that were not there at the run: new ones, and those that came back."""
        scope = _scope_of(result)
        inside = {id: each for id, each in others.items() if scope.holds(each)}
        if scope.schema_name:  # what was not read yet may be of the kind, so it stays
            kinds = self.states.schemas_of(inside)
            inside = {
                id: each
                for id, each in inside.items()
                if kinds.get(id, scope.schema_name) == scope.schema_name
            }
        arrived = self.records.documents.created_at(inside, self.visible) if inside else {}
        for id, summary in inside.items():
            if arrived.get(id, run.at) > run.at:
                reason = Reason(
                    "document_added", f"It came into the collection after the run of {_day(run)}."
                )
                yield DocumentChange(id, summary.name, "new", (reason,))


@dataclass(frozen=True, slots=True)
class _PlanScope:
    """Documents that a plan asks, by bucket, id and kind; empty ones are no condition."""

    buckets: frozenset[str] = frozenset()
    documents: frozenset[str] = frozenset()
    schema_name: str = ""

    def holds(self, summary: DocumentSummary) -> bool:
        if self.documents and summary.id not in self.documents:
            return False
        return not self.buckets or summary.bucket in self.buckets


def _scope_of(result: RunResult) -> _PlanScope:
    try:
        plan: Plan = plan_of(result.plan)
    except PlanError:
        return _PlanScope()
    scopes = [each for node in plan.nodes if (each := getattr(node, "scope", None)) is not None]
    if not scopes:
        return _PlanScope()
    # A scope without buckets asks all of them, so it decides where there are several.
    buckets = [frozenset(each.buckets) for each in scopes]
    documents = [frozenset(each.documents) for each in scopes]
    kinds = {each.schema_name for each in scopes}
    return _PlanScope(
        frozenset().union(*buckets) if all(buckets) else frozenset(),
        frozenset(str(id) for each in documents for id in each) if all(documents) else frozenset(),
        kinds.pop() if len(kinds) == 1 else "",
    )


def _of_known(id: DocumentId, result: RunResult, summary: DocumentSummary | None) -> DocumentChange | None:
    """Change of a document that the last run rests on; None where its text is as it was."""
    kept = result.documents.get(id)
    told = kept or (result.cited or {}).get(id)
    title = told.title if told is not None else summary.name if summary is not None else str(id)
    if summary is None:
        return DocumentChange(id, title, "gone", (Reason("document_removed", REMOVED),))
    if summary.is_gone:
        return DocumentChange(id, title, "gone", (Reason("document_withdrawn", summary.note),))
    seen = kept.version if kept is not None else result.source_versions.get(id, summary.version)
    if summary.version <= seen:
        return None
    return DocumentChange(id, title, "changed", (newer_version(seen, summary.version),))


def _day(run: AuditRun) -> str:
    return f"{run.at.day} {run.at:%b %Y}"
