"""Flagged answers, for those who review them; and what their verdicts tell and change."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from core.domain.answer import Answer
from core.domain.event import Trace
from core.domain.fields import Quote, ReviewAction, TypedValue
from core.domain.ids import DocumentId, TraceId
from core.domain.matrix import CellDetails
from core.domain.trust.permission import Action, PolicyRequest
from core.domain.trust.review import (
    WHOLE,
    AnswerVerdict,
    ClaimVerdict,
    Feedback,
    FlagReason,
    ReviewFilter,
    ReviewItem,
    ReviewOutcome,
    ReviewPage,
)
from core.errors import NotFoundError, UsageError
from core.plan.ir.nodes import Plan
from core.review.agreement import FlagPrecision, ReviewerAgreement, agreements, precisions
from core.review.flags import answer_in, claims_in, documents_behind
from core.store.people.feedback import KeptCase
from core.store.people.review_queue import ReviewedItem
from core.workbench.recorded import note_once, recorded
from core.workbench.services.base import Service
from core.workbench.services.learning import LearningService
from core.workbench.services.matrix import MatrixService

if TYPE_CHECKING:
    from core.evaluate.suite import Case

_LONGEST_NOTE = 2000
_HIDDEN = "The answer tells of documents that you may not see."


@dataclass(frozen=True, slots=True)
class ReviewDetails:
    """A flagged answer with all that a reviewer needs. trace None: it is gone, for `missing` says why."""

    item: ReviewItem
    trace: Trace | None
    answer: Answer | None
    verdicts: tuple[ClaimVerdict, ...]
    feedback: tuple[Feedback, ...]
    missing: str = ""


class ReviewService(Service):
    """The review queue. For reviewers and admins; what rests on a document that they may not see is
    not there.

    `outcomes` alone is for everybody: verdicts on their own answers.
    """

    _matrix = cached_property(lambda self: MatrixService(self._parts, self._principal))
    _learning = cached_property(lambda self: LearningService(self._parts, self._principal))

    def page(self, wanted: ReviewFilter) -> ReviewPage:
        """Items of the queue that fit. Raises RefusedError."""
        self._require("see the review queue")
        return self._parts.records.review_queue.page(wanted, self._visible)

    def counts(self) -> dict[FlagReason, int]:
        """Open items by reason. Raises RefusedError."""
        self._require("see the review queue")
        return self._parts.records.review_queue.counts(self._visible)

    def get(self, item: str) -> ReviewDetails:
        """One item with its answer, verdicts and opinions. Raises NotFoundError, RefusedError."""
        self._require("see the review queue")
        queue = self._parts.records.review_queue
        found = queue.get(item, self._visible)
        note_once(self._parts.records, self._principal, "review.show", {"item": item})
        verdicts = tuple(queue.verdicts([item]))
        feedback = tuple(self._parts.records.feedback.of_traces([found.trace]).get(found.trace, ()))
        try:
            trace = self._parts.records.traces.of_anybody(TraceId(found.trace))
        except NotFoundError as error:
            return ReviewDetails(found, None, None, verdicts, feedback, error.message)
        answer = answer_in(trace)
        shown = None if answer is None else self._mask.answer(answer)
        if shown is not None and shown.is_masked:  # by a name, such as that of a choice that was offered
            return ReviewDetails(found, None, None, verdicts, feedback, _HIDDEN)
        return ReviewDetails(found, self._mask.trace(trace), shown, verdicts, feedback)

    @recorded("review.claim", "item", "take_over")
    def claim(self, item: str, *, take_over: bool = False) -> ReviewItem:
        """Work on an item. Raises ConflictError where another one does, NotFoundError, RefusedError."""
        self._require("review answers")
        who = self._principal.user
        return self._parts.records.review_queue.assign(item, who, self._visible, by=who, take_over=take_over)

    @recorded("review.assign", "item", "account")
    def assign(self, item: str, account: str) -> ReviewItem:
        """Give an item to a reviewer, or to nobody (""). Raises UsageError for one who may not review."""
        self._require("assign answers to reviewers")
        if account not in ("", self._principal.user):
            known = self._reviewers()
            if account not in known:
                raise UsageError(
                    f"{account!r} is no reviewer.",
                    next_step=f"Choose of: {', '.join(sorted(known)) or 'nobody yet'}.",
                )
        return self._parts.records.review_queue.assign(
            item, account, self._visible, by=self._principal.user, take_over=True
        )

    def reviewers(self) -> list[str]:
        """Names of the accounts to whom an item can be given. Raises RefusedError."""
        self._require("see the review queue")
        return sorted({self._principal.user, *self._reviewers()})

    @recorded("review.resolve", "item", "verdict")
    def resolve(
        self,
        item: str,
        verdict: AnswerVerdict | str,
        *,
        claims: Mapping[int, AnswerVerdict | str] | None = None,
        note: str = "",
        expected: int | None = None,
    ) -> ReviewItem:
        """Keep a verdict on an answer and its claims; the asker sees that on the answer.

        A correct answer becomes an evaluation case where it can. expected: the revision that was seen; None:
        as it is now. Raises ConflictError where somebody else came first, UsageError, NotFoundError,
        RefusedError.
        """
        self._require("review answers")
        queue = self._parts.records.review_queue
        found = self.get(item)
        numbers = set(range(len(claims_in(found.answer)))) if found.answer is not None else set()
        given = {number: verdict_of(each) for number, each in (claims or {}).items() if number != WHOLE}
        if unknown := sorted(set(given) - numbers):
            raise UsageError(
                f"This answer has no claim {unknown[0]}.",
                next_step=f"Its claims are numbered from 0 to {len(numbers) - 1}."
                if numbers
                else "Leave claims out.",
            )
        if found.missing == _HIDDEN:
            raise NotFoundError(_HIDDEN, next_step="Leave it to a reviewer who may see them.")
        said = " ".join(note.split())
        if len(said) > _LONGEST_NOTE:
            raise UsageError(f"A note has at most {_LONGEST_NOTE:,} characters.", next_step="Shorten it.")
        reviewed = ReviewedItem(
            verdict_of(verdict), given, said, found.item.revision if expected is None else expected
        )
        kept = queue.resolve(item, reviewed, self._visible, by=self._principal.user)
        if reviewed.verdict is AnswerVerdict.CORRECT and found.answer is not None:
            with suppress(UsageError):  # an answer that no case can hold is reviewed all the same
                self._keep(kept, found.answer)
        return kept

    @recorded("review.reopen", "item")
    def reopen(self, item: str) -> ReviewItem:
        """Take the verdict on an answer back; it waits again. Raises NotFoundError, RefusedError."""
        self._require("review answers")
        return self._parts.records.review_queue.reopen(item, self._visible)

    @recorded("review.correct_cell", "item", "document", "field")
    def correct_cell(
        self,
        item: str,
        document: DocumentId,
        field: str,
        action: ReviewAction | str,
        *,
        value: TypedValue | Sequence[TypedValue] | str | None = None,
        quotes: Sequence[Quote] = (),
        expected: int | None = None,
    ) -> CellDetails:
        """Decide a cell that an answer went wrong by. Raises what `MatrixService.decide` raises."""
        self._require("review cells")
        found = self._parts.records.review_queue.get(item, self._visible)
        decided = self._matrix.decide(document, field, action, value=value, quotes=quotes, expected=expected)
        self._corrected(found, "cell", document=str(document), field=field, action=str(action))
        return decided

    @recorded("review.correct_word", "item", "field", "schema")
    def correct_word(self, item: str, phrase: str, field: str, *, schema: str = "") -> ReviewItem:
        """Let words of the question mean a field from now on. Raises what `add_phrase` does."""
        self._require("review answers")
        found = self._parts.records.review_queue.get(item, self._visible)
        self._learning.add_phrase(field, phrase, schema=schema)
        return self._corrected(found, "word", field=field, phrase=phrase)

    @recorded("review.correct_plan", "item")
    def correct_plan(self, item: str, plan: Plan) -> ReviewItem:
        """Have questions like this one planned so from now on. Raises PlanError, NotFoundError."""
        self._require("review answers")
        found = self._parts.records.review_queue.get(item, self._visible)
        lesson = self._learning.correct(found.question, plan)
        return self._corrected(found, "plan", lesson=lesson.id)

    @recorded("review.keep_case", "item")
    def keep_case(self, item: str, answer: Answer) -> KeptCase:
        """Keep a right answer to the question of an item, such as one after a correction, as a case.

        Raises UsageError where no case can hold it, NotFoundError, RefusedError.
        """
        self._require("keep evaluation cases")
        return self._keep(self._parts.records.review_queue.get(item, self._visible), answer)

    @recorded("review.remove_case", "case")
    def remove_case(self, case: str) -> None:
        """Forget a case. Raises NotFoundError, RefusedError."""
        self._permit(Action.CONFIGURE, "remove evaluation cases")
        self._parts.records.evaluation_cases.remove(case)

    def kept_cases(self) -> list[KeptCase]:
        """The cases that came from verdicts, the oldest first. Raises RefusedError."""
        self._require("see evaluation cases")
        queue = self._parts.records.review_queue
        every = self._parts.records.evaluation_cases.list()
        if self._visible.groups is None:
            return every
        seen = {each.id for each in queue.page(ReviewFilter(state=None, limit=None), self._visible).items}
        return [each for each in every if each.item in seen]

    def cases(self) -> tuple[Case, ...]:
        """The same as a suite that `evaluate` runs. Raises RefusedError."""
        from core.evaluate.suite import Case

        return tuple(Case.model_validate(dict(each.case)) for each in self.kept_cases())

    def agreement(self) -> list[ReviewerAgreement]:
        """Agreement between each two reviewers, over what both of them judged. Raises RefusedError."""
        return agreements(self._parts.records.review_queue.verdicts([each.id for each in self._every()]))

    def precision(self) -> list[FlagPrecision]:
        """Precision of the flags by reason. Raises RefusedError."""
        return precisions(self._every())

    @recorded("review.export")
    def export(self, wanted: ReviewFilter) -> tuple[list[str], Iterator[list[Any]]]:
        """Heads and lines of all items that fit, for a file. Raises RefusedError."""
        self._require("export the review queue")
        page = self._parts.records.review_queue.page(replace(wanted, offset=0, limit=None), self._visible)
        return EXPORT_HEADS, (_line(each) for each in page.items)

    def outcomes(self, traces: Collection[str]) -> dict[str, ReviewOutcome]:
        """Verdicts on this principal's own answers, by trace; those without one are left out."""
        return self._parts.records.review_queue.outcomes(traces, self._principal.user) if traces else {}

    def case_for(self, item: str, answer: Answer | None = None) -> Case:
        """The case of an item's answer, or of another right answer to its question; nothing is kept.

        Raises UsageError where no case can hold it, NotFoundError, RefusedError.
        """
        found = self.get(item)
        right = answer or found.answer
        if right is None:
            raise UsageError(found.missing or "The answer is gone.", next_step="Choose another one.")
        return self._case(found.item, right)

    def _every(self) -> tuple[ReviewItem, ...]:
        return self.page(ReviewFilter(state=None, limit=None)).items

    def _keep(self, item: ReviewItem, answer: Answer) -> KeptCase:
        case = self._case(item, answer)
        return self._parts.records.evaluation_cases.keep(
            item.id, case.model_dump(mode="json"), self._principal.user
        )

    def _case(self, item: ReviewItem, answer: Answer) -> Case:
        from core.evaluate.answer_case import case_of
        from core.store.people.feedback import case_id

        ids = [DocumentId(each) for each in documents_behind(answer)]
        found = self._parts.records.documents.get_many(ids, self._openable)
        names = {str(id): each.source for id, each in found.items()}
        bucket = self._bucket_of(item)
        day = f"{datetime.now(UTC):%Y-%m-%d}"
        why = f"Found correct by {self._principal.user} on {day}."
        return case_of(case_id(item.trace), item.question, answer, names, bucket=bucket, why=why)

    def _bucket_of(self, item: ReviewItem) -> str | None:
        """The one bucket that the question was asked in; None for all."""
        terms = self._parts.records.traces.of_anybody(TraceId(item.trace)).terms
        buckets = terms.buckets if terms is not None else ()
        if len(buckets) > 1:
            raise UsageError(
                "A case is about one bucket or all of them, and this was asked of several.",
                next_step="Ask it of one bucket.",
            )
        return buckets[0] if buckets else None

    def _corrected(self, item: ReviewItem, kind: str, **what: Any) -> ReviewItem:
        note = {"kind": kind, **what, "by": self._principal.user, "at": datetime.now(UTC).isoformat()}
        return self._parts.records.review_queue.note_correction(item.id, note, self._visible)

    def _reviewers(self) -> frozenset[str]:
        """Names of the accounts that the policies let review."""
        request = PolicyRequest(Action.REVIEW)
        return frozenset(
            each.name
            for each in self._parts.records.accounts.list()
            if not each.is_disabled and self._parts.policies.decide(each.principal(), request).is_allowed
        )

    def _require(self, deed: str) -> None:
        self._permit(Action.REVIEW, deed)


EXPORT_HEADS = [
    "id",
    "flagged_at",
    "question",
    "asker",
    "reasons",
    "kind",
    "status",
    "confidence",
    "state",
    "assignee",
    "verdict",
    "reviewer",
    "resolved_at",
    "note",
    "corrections",
    "trace",
]


def verdict_of(word: AnswerVerdict | str) -> AnswerVerdict:
    """The verdict of that name. Raises UsageError."""
    try:
        return AnswerVerdict(word)
    except ValueError:
        known = ", ".join(each.value for each in AnswerVerdict)
        raise UsageError(
            f"{word!r} is no verdict. Expected one of: {known}.", next_step="Choose one of them."
        ) from None


def _line(item: ReviewItem) -> list[Any]:
    return [
        item.id,
        item.flagged_at.isoformat(timespec="seconds"),
        item.question,
        item.asker,
        ", ".join(each.reason.value for each in item.flags),
        item.kind,
        item.status,
        item.confidence,
        item.state.value,
        item.assignee,
        item.verdict.value if item.verdict is not None else "",
        item.reviewer,
        item.resolved_at.isoformat(timespec="seconds") if item.resolved_at is not None else "",
        item.note,
        len(item.corrections),
        item.trace,
    ]
