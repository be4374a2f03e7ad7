"""Runs as one principal may see them, and what is different between two of them, with the reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from textwrap import shorten

from core.domain.audit import (
    CHANGE_WORDS,
    UNDECIDED,
    AuditRun,
    ChangeKind,
    DocumentChange,
    KeptDocument,
    Part,
    Reason,
    RunComparison,
    RunResult,
    by_title,
)
from core.domain.document import DocumentSummary
from core.domain.ids import DocumentId
from core.domain.principal import Principal
from core.errors import PlanError
from core.plan.ir.hashing import outline
from core.plan.ir.serialization import plan_of
from core.store.conversations.plans import counts_of
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.workbench.runs.results import values_at

_LONGEST_QUOTE = 160  # characters
_EVERYTHING = Visibility.everything()
_NO_RESULT = RunResult(text="", plan={})
REMOVED = "It has been removed since."


def seen_by(records: Records, runs: Sequence[AuditRun], principal: Principal) -> list[AuditRun]:
    """The runs with only those documents that this principal may see now, or might have seen then.

    Where others took part, what was computed over them is left out.
    """
    visible = Visibility.of(principal).including_gone()
    if visible.groups is None:
        return [replace(run, counts=counts_of(run.result or _NO_RESULT)) for run in runs]
    results = [run.result or _NO_RESULT for run in runs]
    ids = [DocumentId(id) for id in {id for each in results for id in (*each.documents, *each.sources)}]
    there = records.documents.get_many(ids, _EVERYTHING.including_gone())
    seen = records.documents.get_many(ids, visible)

    def may_see(id: str, acl: tuple[str, ...]) -> bool:
        if DocumentId(id) in there:
            return DocumentId(id) in seen
        return visible.may_see(acl)

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
            "cited": None
            if result.cited is None
            else {id: each for id, each in result.cited.items() if id in sources},
            "rows": tuple(row for row, _ in rows),
            "row_documents": tuple(id for _, id in rows),
            "gaps": (),
        }
    )
    return replace(run, result=less, value=None, counts=counts_of(less), is_whole=False)


def compared(records: Records, before: AuditRun, after: AuditRun, visible: Visibility) -> RunComparison:
    """Differences between two runs. Both hold only what may be seen: see `seen_by`."""
    return _Comparison(records, before, after, visible).made()


@dataclass(frozen=True, slots=True)
class _View:
    """A document as one run saw it. kept: None where it was only cited; version: None where it was not kept.

    quotes: the words that were cited, None where that was not kept.
    """

    title: str
    version: int | None
    kept: KeptDocument | None = None
    quotes: tuple[str, ...] | None = ()

    @property
    def belongs(self) -> bool:
        """True where it belongs to the answer."""
        return bool(self.quotes) or (self.kept is not None and self.kept.answers)

    @property
    def part(self) -> Part | None:
        """Its part in the ledger."""
        return self.kept.part if self.kept is not None else None

    @property
    def values(self) -> Mapping[str, str]:
        """What was looked at of it."""
        return self.kept.values if self.kept is not None else {}

    def is_other_version(self, version: int | None) -> bool:
        """True where this version is known to be another."""
        return None not in (self.version, version) and self.version != version


def _views(run: AuditRun) -> dict[str, _View]:
    """Each document of a run, also those that it only cites."""
    result = run.result or _NO_RESULT
    cited = result.cited
    found = {
        id: _View(
            kept.title, kept.version, kept, None if cited is None else cited[id].quotes if id in cited else ()
        )
        for id, kept in result.documents.items()
    }
    others = dict.fromkeys(result.sources) if cited is None else cited
    for id, each in others.items():
        if id not in found:
            title, quotes = ("", None) if each is None else (each.title, each.quotes)
            found[id] = _View(title, result.source_versions.get(id), None, quotes)
    return found


@dataclass(slots=True)
class _Comparison:
    """One comparison on its way."""

    records: Records
    before: AuditRun
    after: AuditRun
    visible: Visibility

    def made(self) -> RunComparison:
        """The comparison."""
        old, new = _views(self.before), _views(self.after)
        parameters, is_other = self._parameters(), _outline(self.before) != _outline(self.after)
        ids = sorted({*old, *new})
        there = self.records.documents.get_many([DocumentId(id) for id in ids], self.visible.including_gone())
        left = [id for id in old if id not in new and DocumentId(id) in there]
        added = self.records.documents.created_at(
            [DocumentId(id) for id in ids if id not in old], self.visible
        )
        now = values_at(self.records, left, {name for id in left for name in old[id].values}, self.visible)
        found: dict[ChangeKind, list[DocumentChange]] = {kind: [] for kind in CHANGE_WORDS}
        unchanged = 0
        for id in ids:
            one, other, summary = old.get(id), new.get(id), there.get(DocumentId(id))
            kind = _kind(one, other, summary)
            if kind is None:
                unchanged += 1
                continue
            reasons = _of_data(one, other, summary, now.get(id, {}))
            if one is None:
                reasons += _if_added(added.get(DocumentId(id)), self.before.at)
            if not any(reason.why != "document_updated" for reason in reasons):
                reasons += parameters
                if is_other:
                    reasons.append(Reason("plan", "The plan was changed between the two runs."))
            title = next((each.title for each in (other, one) if each is not None and each.title), "")
            found[kind].append(
                DocumentChange(
                    document=id,
                    title=title or (summary.name if summary is not None else id),
                    kind=kind,
                    reasons=tuple(reasons or [Reason("unknown", _not_in_scope(one, other))]),
                    before=one.part if one is not None else None,
                    after=other.part if other is not None else None,
                )
            )
        sorted_by_title = {kind: tuple(sorted(each, key=by_title)) for kind, each in found.items()}
        return RunComparison(
            before=self.before,
            after=self.after,
            new=sorted_by_title["new"],
            left=sorted_by_title["left"],
            gone=sorted_by_title["gone"],
            changed=sorted_by_title["changed"],
            outside=sorted_by_title["outside"],
            unchanged=unchanged,
            parameters=tuple(parameters),
            plan_changed=is_other,
        )

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


def _kind(one: _View | None, other: _View | None, summary: DocumentSummary | None) -> ChangeKind | None:
    """Change of a document; None where there is none."""
    is_gone = other is None and (summary is None or summary.is_gone)
    unknown = [each for each in (one, other) if each is not None and each.quotes is None and not each.kept]
    if unknown:  # of a run that kept no quotes it is not known whether the answer cites the document
        version = other.version if other is not None else summary.version if summary is not None else None
        if one is None:
            return None
        return "gone" if is_gone else "changed" if one.is_other_version(version) else None
    was, is_now = one is not None and one.belongs, other is not None and other.belongs
    if was and not is_now:
        return "gone" if is_gone else "left"
    if is_now and not was:
        return "new"
    if one is None or other is None:
        return "outside"
    if is_now:
        return "changed" if _is_other_row(one, other) or _has_other_quotes(one, other) else None
    return "outside" if (one.part, one.values) != (other.part, other.values) else None


def _is_other_row(one: _View, other: _View) -> bool:
    if one.kept is None or other.kept is None:
        return False
    return (one.title, one.part, one.values) != (other.title, other.part, other.values)


def _has_other_quotes(one: _View, other: _View) -> bool:
    """True where other words are cited of another version. Of one version, only the choice is another."""
    if not one.quotes or not other.quotes or not one.is_other_version(other.version):
        return False
    return set(one.quotes) != set(other.quotes)


def _of_data(
    one: _View | None, other: _View | None, summary: DocumentSummary | None, now: Mapping[str, str]
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
    if one.version is not None and version is not None and version != one.version:
        found.append(newer_version(one.version, version))
    if one.kept is not None and other is not None and other.kept is not None and one.title != other.title:
        text = f"Its title was {one.title!r}, and is {other.title!r} now."
        found.append(Reason("title_changed", text, "", one.title, other.title))
    current = other.values if other is not None else now
    for name in sorted(one.values.keys() | current.keys()):
        old, new = one.values.get(name), current.get(name)
        if old != new and (other is not None or new is not None):
            words = name.replace("_", " ")
            text = f"{words[:1].upper()}{words[1:]}: {old or 'not looked at'}, now {new or 'not looked at'}."
            found.append(Reason("cell_changed", text, name, old, new))
    found += _of_quotes(one, other)
    if other is not None and one.part != other.part:
        if one.part in UNDECIDED and other.part not in UNDECIDED:
            found.append(Reason("was_undecided", f"It was {one.part} at the first run."))
        elif other.part in UNDECIDED and one.part not in UNDECIDED:
            found.append(Reason("is_undecided", f"It is {other.part} now."))
    return found


def _of_quotes(one: _View, other: _View | None) -> list[Reason]:
    """Reason that lies in what is cited of a document, as far as it is known of both runs."""
    if other is None or one.quotes is None or other.quotes is None:
        return []
    if not _has_other_quotes(one, other):
        return []
    before = [each for each in one.quotes if each not in other.quotes]
    after = [each for each in other.quotes if each not in one.quotes]
    told = [
        f"{words} {_quoted(quotes)}"
        for words, quotes in (("Cited at the first run:", before), ("Cited now:", after))
        if quotes
    ]
    return [
        Reason("evidence_changed", " ".join(told), "", "\n".join(before) or None, "\n".join(after) or None)
    ]


def _quoted(quotes: Sequence[str]) -> str:
    """The first of some quotes, shortened, and how many others there are."""
    first = f"“{shorten(quotes[0], _LONGEST_QUOTE, placeholder=' …')}”"
    return f"{first} and {len(quotes) - 1} more." if len(quotes) > 1 else first


def newer_version(seen: int, version: int) -> Reason:
    """Reason of a document of which there is a newer version than a run saw."""
    text = f"Version {version} of it was ingested; the first run saw version {seen}."
    return Reason("document_updated", text, "", str(seen), str(version))


def _if_added(added: datetime | None, first_run: datetime) -> list[Reason]:
    if added is None or added <= first_run:
        return []
    text = f"It was ingested on {added:%Y-%m-%d at %H:%M} UTC, after the first run."
    return [Reason("document_added", text)]


def _not_in_scope(one: _View | None, other: _View | None) -> str:
    if all(each is None or each.kept is None for each in (one, other)):
        return "It was not cited at the first run." if one is None else "It is not cited any more."
    if one is None:
        return "It was not in scope at the first run."
    return "It is not in scope any more." if other is None else "Nothing that is kept says why."


def _values(values: tuple[str, ...] | None, name: str) -> str:
    if values is None:
        return "not a parameter"
    empty = "all" if name.startswith("bucket") else "none"
    return ", ".join(values) if values else empty


def _outline(run: AuditRun) -> str:
    """Outline of a plan whatever its values are."""
    try:
        return outline(plan_of((run.result or _NO_RESULT).plan))
    except PlanError:
        return ""
