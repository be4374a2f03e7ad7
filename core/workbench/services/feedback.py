"""Opinions of askers on their answers: kept, and where they are bad, handed to the reviewers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from core.domain.ids import TraceId
from core.domain.trust.review import FEEDBACK_REASONS, Feedback, FeedbackWord, Flag, FlagReason
from core.errors import NotFoundError, UsageError
from core.guardrails.question_guard import masked_question
from core.review.flags import answer_in, flagged
from core.workbench.recorded import recorded
from core.workbench.services.base import Service

LONGEST_NOTE = 1000


class FeedbackService(Service):
    """Up or down for each of one's own answers, and each citation, with a reason."""

    @recorded("answer.feedback", "trace", "word", "citation", "reason")
    def give(
        self, trace: TraceId, word: FeedbackWord | str, *, citation: int = 0, reason: str = "", note: str = ""
    ) -> None:
        """Keep an opinion; down puts the answer into the review queue. word "": take it back.

        citation: its number, 0 for the answer. Raises NotFoundError for an answer of somebody else and for a
        citation that it has not, UsageError for a reason that is none.
        """
        answer = answer_in(kept := self._parts.records.traces.get(trace, self._principal.user))
        numbers = (
            set() if answer is None else {each.n for one in (answer, *answer.parts) for each in one.citations}
        )
        if citation and citation not in numbers:
            raise NotFoundError(
                f"This answer has no citation {citation}.", next_step="Choose one that it has."
            )
        if word == "":
            self._parts.records.feedback.take_back(trace, citation, self._principal.user)
            return
        opinion = Feedback(
            trace,
            citation,
            self._principal.user,
            _word(word),
            _reason(reason),
            masked_question(" ".join(note.split()))[:LONGEST_NOTE],
        )
        self._parts.records.feedback.give(opinion)
        if opinion.word is FeedbackWord.DOWN:
            found = flagged(kept, self._parts.settings.review)
            if found is not None:
                of = f"citation {citation}" if citation else "answer"
                flag = Flag(FlagReason.THUMBS_DOWN, f"{of}: {FEEDBACK_REASONS[opinion.reason]}")
                self._parts.records.review_queue.add(replace(found, flags=(flag,)))

    def of_traces(self, traces: Collection[str]) -> dict[str, list[Feedback]]:
        """This principal's opinions, by trace."""
        return self._parts.records.feedback.of_traces(traces, self._principal.user) if traces else {}


def _word(word: FeedbackWord | str) -> FeedbackWord:
    try:
        return FeedbackWord(word)
    except ValueError:
        raise UsageError(f"{word!r} is neither 'up' nor 'down'.", next_step="Give one of them.") from None


def _reason(reason: str) -> str:
    if reason not in FEEDBACK_REASONS:
        known = ", ".join(each for each in FEEDBACK_REASONS if each)
        raise UsageError(
            f"{reason!r} is no reason. Expected one of: {known}.", next_step="Choose one, or give none."
        )
    return reason
