"""Replay of an answer: the same question on the same terms, held against what was answered then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import cast

from core.ask.request import Question, Way
from core.domain.answer import Answer, Citation
from core.domain.conversation import Turn
from core.domain.event import AskingTerms, Trace, last_answer
from core.domain.ids import DocumentId, TraceId
from core.domain.principal import Principal
from core.domain.trust.permission import Action
from core.errors import GroundworkError, NotFoundError, PlanError, RefusedError
from core.plan.ir.nodes import Plan
from core.plan.ir.serialization import plan_of
from core.review.difference import AnswerDifference, differences
from core.review.flags import answer_in, documents_behind
from core.store.database.visibility import Visibility
from core.workbench.recorded import recorded
from core.workbench.services.base import Service

_NOT_SEEN = "It cannot be asked again with what you may see."


@dataclass(frozen=True, slots=True)
class ChangedDocument:
    """A document behind an answer that is not as it was then. is_gone: removed, or taken from its site."""

    document: DocumentId
    name: str
    is_gone: bool
    version: int | None = None  # now; None where it is gone


@dataclass(frozen=True, slots=True)
class Replay:
    """An answer and the same question asked again. after None: it could not be, for `refusal` says why.

    changed: documents behind it that changed since its data version, in text, cells or access. held: how
    many of its `cited` places still say, in the stored version that was cited, exactly what was quoted.
    notes: in what the replay is not the same asking, in sentences.
    """

    trace: Trace
    before: Answer
    after: Answer | None
    data_version: int
    differences: tuple[AnswerDifference, ...]
    changed: tuple[ChangedDocument, ...]
    cited: int
    held: int
    notes: tuple[str, ...] = ()
    refusal: str = ""

    @property
    def is_equal(self) -> bool:
        """True where the same came out."""
        return self.after is not None and not self.differences

    @property
    def is_same_data(self) -> bool:
        """True where nothing of the collection changed since."""
        return self.data_version == self.before.data_version

    @property
    def text(self) -> str:
        """The outcome in sentences for people."""
        if self.is_same_data:
            when = f"The collection is as it was (state {self.data_version:,})."
        elif self.changed:
            many = len(self.changed)
            behind = f"{many:,} document{'s' if many != 1 else ''} behind the answer"
            what = f"{behind} changed in text, fields or access"
            gone = sum(each.is_gone for each in self.changed)
            lost = f", {gone:,} of them gone" if gone else ""
            when = (
                f"The collection has changed since (state {self.before.data_version:,} then, "
                f"{self.data_version:,} now): {what}{lost}."
            )
        else:
            when = (
                f"The collection has changed since (state {self.before.data_version:,} then, "
                f"{self.data_version:,} now), but no document behind the answer."
            )
        if self.after is None:
            return f"{when} {self.refusal}"
        if self.is_equal:
            return f"{when} Asked again, the answer is equal."
        many = len(self.differences)
        return f"{when} Asked again, the answer differs in {many:,} thing{'s' if many != 1 else ''}."


class ReplayService(Service):
    """Answers asked again: one's own, and, for reviewers and auditors, those of others."""

    @recorded("answer.replay", "trace")
    def replay(self, trace: TraceId) -> Replay:
        """The answer of a trace, and what comes of its question now, on the terms of then; no trace is kept.

        Whoever asked, the question is asked with their roles and groups of then. Without a language model: of
        an answer that one wrote, the quotes beside it are compared. Raises NotFoundError, also where the
        answer rests on documents that this principal may not see.
        """
        kept, before = self.answer_of(trace)
        records = self._parts.records
        behind = documents_behind(before)
        notes: list[str] = []
        after, refusal = None, ""
        try:
            after = self._mask.answer(self._again(kept, before, notes))
        except (PlanError, RefusedError, NotFoundError) as error:
            refusal = f"It could not be asked again: {error.message}"
            if self._mask.tells({"refusal": refusal}, kept.question):  # it is worded for who asked
                refusal = _NOT_SEEN
        compared = _without_model(before, notes)
        if after is not None and not self._may_look_at(after):
            after, refusal = None, _NOT_SEEN
        names = self._names([*behind, *(documents_behind(after) if after is not None else ())])
        return Replay(
            kept,
            compared,
            after,
            records.changes.data_version(),
            differences(compared, after, names) if after is not None else (),
            self._changed(behind, before.data_version),
            len(before.citations),
            sum(self._holds(each) for each in before.citations),
            tuple(notes),
            refusal,
        )

    def answer_of(self, trace: TraceId) -> tuple[Trace, Answer]:
        """A trace with its answer that this principal may look at.

        Raises NotFoundError, and RefusedError where one's own question would be refused now.
        """
        may = self._door.may(Action.REVIEW) or self._door.may(Action.AUDIT)
        traces = self._parts.records.traces
        kept = traces.of_anybody(trace) if may else traces.get(trace, self._principal.user)
        answer = answer_in(kept)
        if answer is None or not self._may_look_at(answer):
            raise NotFoundError(
                f"There is no answer {trace!r} that you may look at.",
                next_step="It rests on documents that you may not see, or was never given.",
            )
        if not may:  # who audits others looks at what was asked with other roles
            self._permit_answer(answer)
        return self._mask.trace(kept), self._mask.answer(answer)

    def _may_look_at(self, answer: Answer) -> bool:
        """True where the documents behind an answer may be seen, and all that it tells of by name."""
        return self._sees(documents_behind(answer)) and not self._mask.answer(answer).is_masked

    def _sees(self, ids: Sequence[str]) -> bool:
        """True where this principal may see every document that there still is; of what was removed, admins
        alone may see what is left of it.
        """
        if self._visible.groups is None:
            return True
        found = self._parts.records.documents.get_many([DocumentId(each) for each in ids], self._openable)
        return len(found) == len(set(ids))

    def _names(self, ids: Sequence[str]) -> Mapping[str, str]:
        found = self._parts.records.documents.get_many([DocumentId(each) for each in ids], self._openable)
        return {str(id): each.name for id, each in found.items()}

    def _again(self, kept: Trace, before: Answer, notes: list[str]) -> Answer:
        terms = kept.terms
        if terms is None:
            notes.append("The terms on which it was asked were not kept; it was asked with your own.")
            terms = AskingTerms(
                roles=tuple(self._principal.roles), groups=tuple(self._principal.groups), offline=True
            )
        asker = Principal(kept.user, frozenset(terms.roles), frozenset(terms.groups), self._principal.origin)
        history = self._history(kept) if terms.follows else ()
        plan = self._plan(kept, before, terms, history, notes)
        question = Question(
            terms.asked or kept.question,
            asker,
            terms.buckets,
            history=tuple(history),
            chosen=terms.chosen,
            way=cast(Way, terms.way),
            plan=plan,
            offline=True,
        )
        promise = self._promise(terms.promise)
        return last_answer(self._parts.orchestrator.stream(question, promise=promise, keeps=False))

    def _plan(
        self, kept: Trace, before: Answer, terms: AskingTerms, history: Sequence[Turn], notes: list[str]
    ) -> Plan | None:
        """The plan of then, where planning anew would not be the same: another day, a chosen reading, or a
        conversation that is gone.
        """
        planned = plan_of(before.plan) if before.plan else None
        if planned is None or not planned.nodes:
            if terms.follows and not history:
                notes.append("Its conversation is gone: it was asked without the turns before it.")
            return None
        is_other_day = planned.today not in ("", datetime.now(UTC).date().isoformat())
        is_alone = terms.follows and not history
        if not (terms.plan_given or is_other_day or is_alone):
            return None
        if is_other_day and not terms.plan_given:
            notes.append(f"Its plan of {planned.today} was run again, so that dates are counted from then.")
        return planned

    def _history(self, kept: Trace) -> Sequence[Turn]:
        """The turns before it, as they are now; () where its conversation is gone."""
        with suppress(NotFoundError):
            return self._parts.records.conversations.turns_before(kept.trace_id, kept.user)
        return ()

    def _changed(self, behind: Sequence[str], since: int) -> tuple[ChangedDocument, ...]:
        """Documents behind an answer whose text, cells or access changed after a data version."""
        records = self._parts.records
        touched = records.changes.of_facts_since(since).documents & {DocumentId(each) for each in behind}
        if not touched:
            return ()
        there = records.documents.get_many(sorted(touched), self._visible)
        everybody = Visibility.everything().including_gone()
        known = records.documents.get_many(sorted(touched), everybody)
        return tuple(
            ChangedDocument(
                each,
                known[each].name if each in known else str(each),
                each not in there,
                there[each].version if each in there else None,
            )
            for each in sorted(touched)
        )

    def _holds(self, place: Citation) -> bool:
        """True where the stored version that was cited says there what was quoted."""
        try:
            page = self._parts.records.documents.page(
                DocumentId(place.document), place.version, place.page, self._openable
            )
        except GroundworkError:
            return False
        return page.text[place.start : place.end] == place.quote


def _without_model(answer: Answer, notes: list[str]) -> Answer:
    """The answer as it was without the sentences of a model, which never come twice the same."""
    if not answer.written_by or answer.quoted is None:
        return answer
    notes.append(f"{answer.written_by} wrote its sentences; the quotes beside them are compared.")
    fields = {"text": answer.quoted.text, "claims": answer.quoted.claims, "calculations": ()}
    return answer.model_copy(update={**fields, "written_by": "", "struck": ()})
