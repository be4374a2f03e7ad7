"""Runs as one principal may see them, and what is different between two of them, with the reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.domain.audit import (
    AuditRun,
    ChangeKind,
    DocumentChange,
    KeptDocument,
    Part,
    Reason,
    RunComparison,
    RunResult,
)
from core.domain.document import DocumentSummary
from core.domain.ids import DocumentId
from core.domain.principal import Principal
from core.errors import PlanError
from core.plan.ir.hashing import outline
from core.plan.ir.serialization import plan_of
from core.records.database.visibility import Visibility
from core.records.store import Records
from core.records.work.plans import counts_of
from core.workbench.runs.results import values_at

_UNDECIDED: tuple[Part, ...] = ("uncertain", "unreadable")
_EVERYTHING = Visibility.everything()
_NO_RESULT = RunResult(text="", plan={})
REMOVED = "It has been removed since."


def seen_by(records: Records, runs: Sequence[AuditRun], principal: Principal) -> list[AuditRun]:
    """The runs with only those documents that this principal may see now, or might have seen then.

    Where others took part, what was computed over them is left out.
    """
    if principal.is_admin:
        return [replace(run, counts=counts_of(run.result or _NO_RESULT)) for run in runs]
    results = [run.result or _NO_RESULT for run in runs]
    ids = [DocumentId(id) for id in {id for each in results for id in (*each.documents, *each.sources)}]
    there = records.documents.get_many(ids, _EVERYTHING.including_gone())
    visible = records.documents.get_many(ids, Visibility.of(principal).including_gone())

    def may_see(id: str, acl: tuple[str, ...]) -> bool:
        if DocumentId(id) in there:
            return DocumentId(id) in visible
        return not acl or bool(principal.groups & set(acl))

    return [_narrowed(run, may_see, principal.user) for run in runs]


def _narrowed(run: AuditRun, may_see: Callable[[str, tuple[str, ...]], bool], user: str) -> AuditRun:
    result = run.result or _NO_RESULT
    seen = {id: kept for id, kept in result.documents.items() if may_see(id, kept.acl)}
    sources = {id: acl for id, acl in result.sources.items() if may_see(id, acl)}
    is_known = bool(seen or sources) or run.user == user  # else the text says how many were searched
    if is_known and (len(seen), len(sources)) == (len(result.documents), len(result.sources)):
        return replace(run, counts=counts_of(result))
    rows = [
        (row, id) for row, id in zip(result.rows, result.row_documents, strict=False) if not id or id in seen
    ]
    less = result.model_copy(
        update={
            "text": "",
            "value": None,
            "documents": seen,
            "sources": sources,
            "source_versions": {id: at for id, at in result.source_versions.items() if id in sources},
            "rows": tuple(row for row, _ in rows),
            "row_documents": tuple(id for _, id in rows),
            "gaps": (),
        }
    )
    return replace(run, result=less, value=None, counts=counts_of(less), is_whole=False)


def compared(records: Records, before: AuditRun, after: AuditRun, visible: Visibility) -> RunComparison:
    """Differences between two runs. Both hold only what may be seen: see `seen_by`."""
    return _Comparison(records, before, after, visible).made()


@dataclass(slots=True)
class _Comparison:
    """One comparison on its way."""

    records: Records
    before: AuditRun
    after: AuditRun
    visible: Visibility

    def made(self) -> RunComparison:
        """The comparison."""
        old, new = self._documents(self.before), self._documents(self.after)
        parameters, is_other = self._parameters(), _outline(self.before) != _outline(self.after)
        ids = [DocumentId(id) for id in sorted({*old, *new})]
        there = self.records.documents.get_many(ids, self.visible.including_gone())
        left = [id for id in old if id not in new and DocumentId(id) in there]
        added = self.records.documents.created_at([id for id in ids if id not in old], self.visible)
        fields = {name for id in left for name in old[id].values}
        now = values_at(self.records, left, fields, self.visible)
        found: dict[ChangeKind, list[DocumentChange]] = {"new": [], "gone": [], "changed": []}
        unchanged = 0
        for id in (str(each) for each in ids):
            one, other = old.get(id), new.get(id)
            kind = _kind(one, other)
            if kind is None:
                unchanged += 1
                continue
            reasons = _of_data(one, other, there.get(DocumentId(id)), now.get(id, {}))
            if one is None:
                reasons += _if_added(added.get(DocumentId(id)), self.before.at)
            if not any(reason.why != "document_updated" for reason in reasons):
                reasons += parameters
                if is_other:
                    reasons.append(Reason("plan", "The plan was changed between the two runs."))
            kept = other or one
            assert kept is not None  # it is in one of them
            found[kind].append(
                DocumentChange(
                    document=id,
                    title=kept.title,
                    kind=kind,
                    reasons=tuple(reasons or [Reason("unknown", _not_in_scope(one, other))]),
                    before=one.part if one is not None else None,
                    after=other.part if other is not None else None,
                )
            )
        return RunComparison(
            before=self.before,
            after=self.after,
            new=_by_title(found["new"]),
            gone=_by_title(found["gone"]),
            changed=_by_title(found["changed"]),
            unchanged=unchanged,
            parameters=tuple(parameters),
            plan_changed=is_other,
        )

    def _documents(self, run: AuditRun) -> Mapping[str, KeptDocument]:
        return (run.result or _NO_RESULT).documents

    def _parameters(self) -> list[Reason]:
        """Parameters that had other values."""
        names = dict.fromkeys((*self.before.values, *self.after.values))
        found = []
        for name in names:
            old, new = self.before.values.get(name), self.after.values.get(name)
            if old != new:
                said, now = _values(old, name), _values(new, name)
                text = f"The runs had other values of {name!r}: {said}, then {now}."
                found.append(Reason("parameter", text, name, said, now))
        return found


def _kind(one: KeptDocument | None, other: KeptDocument | None) -> ChangeKind | None:
    """Change of a document; None where there is none."""
    was, is_now = one is not None and one.answers, other is not None and other.answers
    if was != is_now:
        return "new" if is_now else "gone"
    if one is None or other is None:
        return "changed"
    return None if (one.part, one.values) == (other.part, other.values) else "changed"


def _of_data(
    one: KeptDocument | None,
    other: KeptDocument | None,
    summary: DocumentSummary | None,
    now: Mapping[str, str],
) -> list[Reason]:
    """Reasons for a document's change, as far as they lie in the document itself."""
    if one is None:
        return []
    if other is None and summary is None:
        return [Reason("document_removed", REMOVED)]
    if other is None and summary is not None and summary.is_gone:
        return [Reason("document_withdrawn", summary.note)]
    found = []
    version = other.version if other is not None else summary.version if summary is not None else one.version
    if version != one.version:
        found.append(newer_version(one.version, version))
    current = other.values if other is not None else now
    for name in sorted(one.values.keys() | current.keys()):
        old, new = one.values.get(name), current.get(name)
        if old != new and (other is not None or new is not None):
            words = name.replace("_", " ")
            text = f"{words[:1].upper()}{words[1:]}: {old or 'not looked at'}, now {new or 'not looked at'}."
            found.append(Reason("cell_changed", text, name, old, new))
    if other is not None and one.part != other.part:
        if one.part in _UNDECIDED and other.part not in _UNDECIDED:
            found.append(Reason("was_undecided", f"It was {one.part} at the first run."))
        elif other.part in _UNDECIDED and one.part not in _UNDECIDED:
            found.append(Reason("is_undecided", f"It is {other.part} now."))
    return found


def newer_version(seen: int, version: int) -> Reason:
    """Reason of a document of which there is a newer version than a run saw."""
    text = f"Version {version} of it was ingested; the first run saw version {seen}."
    return Reason("document_updated", text, "", str(seen), str(version))


def _if_added(added: datetime | None, first_run: datetime) -> list[Reason]:
    if added is None or added <= first_run:
        return []
    text = f"It was ingested on {added:%Y-%m-%d at %H:%M} UTC, after the first run."
    return [Reason("document_added", text)]


def _not_in_scope(one: KeptDocument | None, other: KeptDocument | None) -> str:
    if one is None:
        return "It was not in scope at the first run."
    return "It is not in scope any more." if other is None else "Nothing that is kept says why."


def _values(values: tuple[str, ...] | None, name: str) -> str:
    if values is None:
        return "not a parameter"
    empty = "all" if name.startswith("bucket") else "none"
    return ", ".join(values) if values else empty


def _by_title(changes: Sequence[DocumentChange]) -> tuple[DocumentChange, ...]:
    return tuple(sorted(changes, key=lambda change: (change.title.casefold(), change.document)))


def _outline(run: AuditRun) -> str:
    """Outline of a plan whatever its values are."""
    try:
        return outline(plan_of((run.result or _NO_RESULT).plan))
    except PlanError:
        return ""
