"""Audits: plans kept under a name, run again, and compared run with run."""

from __future__ import annotations

import builtins
import hashlib
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Any

from core.domain.answer import Answer
from core.domain.audit import (
    Audit,
    AuditRun,
    DocumentChange,
    OutdatedAudit,
    Parameter,
    Reason,
    RunComparison,
    RunResult,
    by_title,
)
from core.domain.document import DocumentSummary
from core.domain.ids import DocumentId
from core.domain.trust.permission import Action
from core.domain.value_text import day_text
from core.errors import NotFoundError, PlanError, UsageError
from core.plan.catalogue import Catalogue
from core.plan.ir.hashing import canonical_json, outline
from core.plan.ir.nodes import Plan
from core.plan.ir.parameters import BUCKET, TODAY, bound, moved, parameters_of, values_in
from core.plan.ir.serialization import PlanFile, plan_of, read_plan_file, stored_plan, write_plan_file
from core.store.base import ChangesUpTo
from core.store.cells.extraction_states import ExtractionStates
from core.store.conversations.plans import PlanToKeep, unknown_audit, unknown_run
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.workbench.recorded import recorded
from core.workbench.runs.comparison import REMOVED, compared, newer_version, seen_by
from core.workbench.runs.results import result_of
from core.workbench.services.base import Service
from core.workbench.services.learning import LearningService
from core.workbench.services.plans import PlanService

Values = Mapping[str, Sequence[str] | str]
_NO_ANSWER = ("failed", "clarify")
_ANOTHER_DAY = timedelta(days=400)  # so far that every date which depends on the day is another


class AuditService(Service):
    """Plans that are kept.

    A plan may be seen by its owner, by admins, and by those of its `acl` (() everybody). For anybody else it
    is unknown, as is a run of it; and so is one of somebody else that tells of a document which may not be
    seen. Whoever may see an audit may change it; what a run gave is shown only as
    far as the one who looks may see its documents.
    """

    _plans = cached_property(lambda self: PlanService(self._parts, self._principal))
    _learning = cached_property(lambda self: LearningService(self._parts, self._principal))

    @recorded("plan.save", "acl")
    def save(
        self,
        plan: Plan,
        name: str,
        *,
        acl: Sequence[str] | None = None,
        parameters: Sequence[Parameter] | None = None,
    ) -> Audit:
        """Keep a plan under a name; it corrects its question, too, where that went wrong.

        parameters None: those that `parameters` finds.

        Raises PlanError where the plan cannot run, UsageError where the name is empty or taken, and
        RefusedError for whom the policies let ask nothing at all.
        """
        self._permit(Action.QUERY, "keep audits")
        if not name.strip():
            raise UsageError("An audit needs a name.", next_step="Give it one, such as 'Contracts to renew'.")
        self._check(plan)
        found = tuple(parameters) if parameters is not None else self.parameters(plan)
        made = self._parts.records.plans.create(_to_keep(plan, name, found, acl), self._principal)
        self._learning.adopt(plan)
        return made

    @recorded("plan.share", "acl")
    def share(self, plan: Plan, *, acl: Sequence[str] | None = None) -> str:
        """Keep a plan for its link only; gives the id. The same plan of the same user has the same id."""
        text = f"{self._principal.user}\0{acl}\0{canonical_json(plan)}"
        id = f"l{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:24]}"
        return self._parts.records.plans.link(_to_keep(plan, "", (), acl), id, self._principal).id

    def get(self, id: str) -> Audit:
        """An audit, or a plan that was kept for its link. Raises NotFoundError."""
        found = self._parts.records.plans.get(id, self._principal)
        if not self._is_shown(found):
            raise unknown_audit(id)
        return found

    @recorded("plan.change", "id", "acl")
    def change(
        self,
        id: str,
        expected: int,
        *,
        plan: Plan | None = None,
        name: str | None = None,
        parameters: Sequence[Parameter] | None = None,
        acl: Sequence[str] | str | None = "as it is",
    ) -> Audit:
        """Change what is given of an audit. expected: the `version` that was looked at.

        Raises ConflictError, which says who changed it meanwhile and when, and changes nothing, and
        NotFoundError, PlanError, UsageError. parameters None: of another plan they are found anew.
        """
        known = self.get(id)
        if plan is not None:
            self._check(plan)
        found = known.parameters if plan is None else self.parameters(plan)
        kept = PlanToKeep(
            name=known.name if name is None else name,
            question=known.question if plan is None else plan.question,
            plan=known.plan if plan is None else stored_plan(plan),
            parameters=found if parameters is None else tuple(parameters),
            acl=known.acl if isinstance(acl, str) else None if acl is None else tuple(acl),
        )
        if known.name and not kept.name.strip():
            raise UsageError("An audit needs a name.", next_step="Give it one.")
        return self._parts.records.plans.change(id, self._principal, expected, kept)

    @recorded("plan.change", "id")
    def rename(self, id: str, name: str, expected: int) -> Audit:
        """Give an audit another name; as `change`."""
        return self.change(id, expected, name=name)

    @recorded("plan.remove", "id")
    def remove(self, id: str) -> None:
        """Take an audit away with its runs; `restore` brings both back for 30 days."""
        self.get(id)
        self._parts.records.plans.remove(id, self._principal)

    @recorded("plan.restore", "id")
    def restore(self, id: str) -> Audit:
        """Bring a removed audit back. Raises NotFoundError."""
        found = self._parts.records.plans.restore(id, self._principal)
        if not self._is_shown(found):
            raise unknown_audit(id)
        return found

    def parameters(self, plan: Plan) -> tuple[Parameter, ...]:
        """Parameters of a plan that a run may change: buckets, `today`, values of conditions."""
        catalogue = self._catalogue
        return parameters_of(plan, catalogue, moves=self._moves(plan, catalogue))

    def bind(self, id: str, values: Values | None = None, *, buckets: Sequence[str] | None = None) -> Plan:
        """The plan of an audit with these parameter values; `today` is the day itself where it is not given.

        Raises PlanError with a problem for each thing that is wrong, also where a field of it is gone since.
        """
        audit = self.get(id)
        return self._bound(audit, _with_buckets(audit, values or {}, buckets))

    @recorded("plan.run", "id", "buckets")
    def run(
        self, id: str, values: Values | None = None, *, buckets: Sequence[str] | None = None
    ) -> tuple[AuditRun, Answer]:
        """Run an audit with these parameter values (else its own) and keep what it gave.

        buckets: in place of all of the plan's own. Raises NotFoundError, PlanError, UsageError.
        """
        audit = self.get(id)
        chosen = _with_buckets(audit, values or {}, buckets)
        plan = self._bound(audit, chosen)
        self._door.require_plan(plan)
        started = time.perf_counter()
        answer = self._plans.answer(plan)
        spent = round((time.perf_counter() - started) * 1000, 3)
        return self._kept_run(audit, answer, plan, spent), answer

    @recorded("plan.run", "id")
    def run_again(self, id: str) -> RunComparison:
        """Run an audit with the values of its last run, as of today, and compare with that run.

        Raises NotFoundError, PlanError, UsageError where it was never answered.
        """
        before = next((run for run in self.runs(id, limit=50) if run.status not in _NO_ANSWER), None)
        if before is None:
            raise UsageError("This audit has not been answered yet.", next_step="Run it first.")
        names = {each.name for each in self.get(id).parameters} - {TODAY}
        run, _ = self.run(id, {name: each for name, each in before.values.items() if name in names})
        return self.compare(before.id, run.id)

    @recorded("plan.keep_run", "id")
    def keep_run(self, id: str, answer: Answer, plan: Plan) -> AuditRun:
        """Keep what a run of an audit gave that was followed event by event. plan: of `bind`."""
        self._door.require_plan(plan)
        return self._kept_run(self.get(id), answer, plan, answer.timings_ms.get("total", 0.0))

    def runs(self, id: str, *, limit: int | None = None) -> list[AuditRun]:
        """The runs of an audit, the newest first, without their results; `get_run` has them."""
        self._permit_results(id)
        runs = self._parts.records.plans.runs(id, self._principal, limit)
        return [replace(run, result=None) for run in seen_by(self._parts.records, runs, self._principal)]

    def get_run(self, run: str) -> AuditRun:
        """A run with what it gave, as far as this principal may see it. Raises NotFoundError."""
        found = self._parts.records.plans.run(run, self._principal)
        try:
            self._permit_results(found.audit)
        except NotFoundError:
            raise unknown_run(run) from None
        return seen_by(self._parts.records, [found], self._principal)[0]

    def compare(self, before: str, after: str) -> RunComparison:
        """Differences between two runs, document by document, with reasons.

        Raises NotFoundError, and UsageError where one of them failed.
        """
        one, other = self.get_run(before), self.get_run(after)
        for run in (one, other):
            if run.status in _NO_ANSWER:
                raise UsageError(
                    f"The run of {run.at:%Y-%m-%d %H:%M} UTC gave no answer, so there is nothing to compare.",
                    next_step="Choose a run that was answered, or run the audit again.",
                )
        return compared(self._parts.records, one, other, self._visible)

    def last_two_runs(self, id: str) -> tuple[str, str]:
        """The ids of the last two runs of an audit that gave an answer, the earlier one first.

        Raises UsageError where there are not two.
        """
        runs = [run for run in self.runs(id, limit=50) if run.status not in _NO_ANSWER]
        if len(runs) < 2:
            raise UsageError(
                "This audit has not been answered twice, so there is nothing to compare.",
                next_step="Run it again.",
            )
        return runs[1].id, runs[0].id

    @recorded("plan.export", "id")
    def export(self, id: str) -> dict[str, Any]:
        """An audit with its name and parameters as such a document; its runs stay here."""
        audit = self.get(id)
        return write_plan_file(PlanFile(plan=audit.plan, name=audit.name, parameters=audit.parameters))

    @recorded("plan.load", "acl")
    def load(
        self, text: str | bytes | Mapping[str, Any], *, name: str = "", acl: Sequence[str] | None = None
    ) -> Audit:
        """Keep the plan of such a document; its name is that of the document unless another is given."""
        read = read_plan_file(text)
        plan = plan_of(read.plan)
        chosen = name.strip() or read.name or plan.question[:200]
        return self.save(plan, chosen, acl=acl, parameters=read.parameters or None)

    def _permit_results(self, id: str) -> None:
        """Raises RefusedError where the plan of an audit would be refused: so are its results."""
        self._door.require_plan(plan_of(self.get(id).plan))

    def _kept_run(self, audit: Audit, answer: Answer, plan: Plan, latency_ms: float) -> AuditRun:
        """audit: as it was when the run began, whatever others made of it meanwhile."""
        result = result_of(self._parts.records, answer, plan, self._visible)
        run = AuditRun(
            id=f"r{uuid.uuid4().hex}",
            audit=audit.id,
            audit_version=audit.version,
            at=datetime.now(UTC),
            user=self._principal.user,
            data_version=answer.data_version,
            values=values_in(plan, audit.parameters),
            status=answer.status.value,
            value=answer.value,
            counts={},
            latency_ms=latency_ms,
            result=result,
        )
        self._parts.records.plans.add_run(run, result)
        return seen_by(self._parts.records, [run], self._principal)[0]

    def _bound(self, audit: Audit, values: Values) -> Plan:
        plan = plan_of(audit.plan)
        names = {each.name for each in audit.parameters}
        if TODAY in names or TODAY in values:
            plan = self._as_of(plan, values.get(TODAY, ()))
        plan = bound(plan, audit.parameters, values)
        self._check(plan)
        return plan

    def _as_of(self, plan: Plan, given: Sequence[str] | str) -> Plan:
        said = given if isinstance(given, str) else "".join(given[:1])
        try:
            day = date.fromisoformat(said.strip()) if said.strip() else date.today()
        except ValueError:
            raise UsageError(
                f"The parameter 'today' is no date: {said!r}.", next_step="Write it as 2024-12-31."
            ) from None
        catalogue = self._catalogue
        before, after = self._planned(plan, catalogue, _day_of(plan)), self._planned(plan, catalogue, day)
        if before is None:
            return plan.model_copy(update={"today": day.isoformat()})
        if after is None or outline(before) != outline(after):
            raise UsageError(
                f"The dates of this plan cannot be moved to {day.isoformat()}: “{plan.question}” cannot be "
                "asked in the same way as of that day.",
                next_step="Choose another day, or leave 'today' out and give the dates themselves.",
            )
        return moved(plan, before, after)

    def _moves(self, plan: Plan, catalogue: Catalogue) -> bool:
        """True where dates of the plan depend on the day."""
        day = _day_of(plan)
        before = self._planned(plan, catalogue, day)
        another = day - _ANOTHER_DAY if day > date.max - 2 * _ANOTHER_DAY else day + _ANOTHER_DAY
        after = self._planned(plan, catalogue, another)
        if before is None or after is None:
            return False
        return moved(plan, before, after).nodes != plan.nodes

    def _planned(self, plan: Plan, catalogue: Catalogue, day: date) -> Plan | None:
        """Plan of the question of a plan on a day; None where it is asked back."""
        found = replace(self._parts.planners.planner(catalogue), today=day).plan(plan.question)
        return found if isinstance(found, Plan) else None

    def outdated(self) -> builtins.list[OutdatedAudit]:
        """The audits whose evidence changed since their last run: to be run again. Nothing is run for it.

        Documents of the last result that have a newer version, were withdrawn or removed, and documents that
        are new in its scope.
        """
        return OutdatedAudits(self._parts.records, self._parts.extraction_states, self._visible).among(
            self._last_runs()
        )

    def _last_runs(self) -> Iterator[tuple[Audit, AuditRun]]:
        """Each audit that was answered, with its last run as far as it may be seen."""
        data_version = self._parts.records.changes.data_version()
        for audit in self.list():
            last = self._parts.records.plans.last_run(audit.id, self._principal, data_version, _NO_ANSWER)
            if last is not None:
                yield audit, seen_by(self._parts.records, [last], self._principal)[0]

    def list(self) -> builtins.list[Audit]:
        """The audits that this principal may see, the last changed first."""
        return [each for each in self._parts.records.plans.list(self._principal) if self._is_shown(each)]

    def _is_shown(self, audit: Audit) -> bool:
        """True of one's own, and of those of others that name no document which may not be seen."""
        if audit.owner == self._principal.user:
            return True
        parameters = [each.model_dump(mode="json") for each in audit.parameters]
        return not self._mask.tells([audit.name, audit.question, audit.plan, parameters])


def _day_of(plan: Plan) -> date:
    try:
        return date.fromisoformat(plan.today)
    except ValueError:
        return date.today()


def _to_keep(
    plan: Plan, name: str, parameters: tuple[Parameter, ...], acl: Sequence[str] | None
) -> PlanToKeep:
    return PlanToKeep(name, plan.question, stored_plan(plan), parameters, None if acl is None else tuple(acl))


def _with_buckets(audit: Audit, values: Values, buckets: Sequence[str] | None) -> dict[str, tuple[str, ...]]:
    chosen = {name: (each,) if isinstance(each, str) else tuple(each) for name, each in values.items()}
    if buckets is not None:
        known = [each.name for each in audit.parameters if each.type == "bucket"]
        chosen |= {name: tuple(buckets) for name in known or [BUCKET]}
    return chosen


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
        return sorted([*found, *self._added(run, result, others)], key=by_title)

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
                    "document_added", f"It came into the collection after the run of {day_text(run.at)}."
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
