"""Flagged answers: why each waits for a person, its verdicts, and what people think of answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

WHOLE = -1
"""Number of the claim that stands for the answer as a whole."""


class FlagReason(StrEnum):
    """Reason for which an answer waits for a reviewer."""

    THUMBS_DOWN = "thumbs_down"
    GUARDRAIL = "guardrail"
    CONFLICT = "conflict"
    STRUCK = "claims_struck"
    LOW_CONFIDENCE = "low_confidence"
    POLICY = "policy"
    SAMPLE = "sample"


FLAG_WORDS: Mapping[FlagReason, str] = {
    FlagReason.THUMBS_DOWN: "marked as wrong",
    FlagReason.GUARDRAIL: "guardrail hit",
    FlagReason.CONFLICT: "sources conflict",
    FlagReason.STRUCK: "sentence struck",
    FlagReason.LOW_CONFIDENCE: "low confidence",
    FlagReason.POLICY: "policy-relevant kind",
    FlagReason.SAMPLE: "random sample",
}
"""Reasons in words, the most urgent first."""

SETTLED_BY_REVIEW = frozenset({FlagReason.CONFLICT, FlagReason.STRUCK, FlagReason.LOW_CONFIDENCE})
"""Doubts of the machine: where a person found the same answer correct before, they are not raised again."""


class AnswerVerdict(StrEnum):
    """Verdict of a reviewer on a claim, or on an answer as a whole."""

    CORRECT = "correct"
    WRONG = "wrong"
    PARTLY = "partly"


class ReviewState(StrEnum):
    """Progress of a flagged answer."""

    OPEN = "open"
    RESOLVED = "resolved"


class FeedbackWord(StrEnum):
    """Opinion of an answer or a citation."""

    UP = "up"
    DOWN = "down"


FEEDBACK_REASONS: Mapping[str, str] = {
    "": "no reason given",
    "wrong_value": "a value is wrong",
    "wrong_documents": "wrong documents",
    "incomplete": "something is missing",
    "misread": "the question was misread",
    "not_supported": "the quote does not say this",
    "unclear": "hard to understand",
    "other": "something else",
}
"""Reasons that go with an opinion, in words."""


@dataclass(frozen=True, slots=True)
class Flag:
    """One reason why an answer waits; note: what exactly, in words without the answer's own."""

    reason: FlagReason
    note: str = ""


@dataclass(frozen=True, slots=True)
class FlaggedAnswer:
    """An answer as the queue keeps it. flags: () where nothing speaks against it.

    fingerprint: equal for the same answer to the same question. documents: all that it may tell of, those
    behind its counts included: who may not see one of them may not see the answer.
    """

    trace: str
    asker: str
    question: str
    kind: str
    status: str
    confidence: float
    data_version: int
    fingerprint: str
    documents: tuple[str, ...]
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """A flagged answer in the queue. revision: rises with each change, so that two reviewers notice.

    verdict None: it is open. corrections: what was changed because of it, as JSON.
    """

    id: str
    trace: str
    asker: str
    question: str
    kind: str
    status: str
    confidence: float
    data_version: int
    flags: tuple[Flag, ...]
    state: ReviewState
    assignee: str
    verdict: AnswerVerdict | None
    reviewer: str
    note: str
    corrections: tuple[Mapping[str, Any], ...]
    revision: int
    flagged_at: datetime
    assigned_at: datetime | None = None
    resolved_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """Verdict of one reviewer on one claim of an item; claim WHOLE: on the answer."""

    item: str
    claim: int
    reviewer: str
    verdict: AnswerVerdict
    note: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ReviewFilter:
    """Part of the queue: what fulfils everything given. assignee "-": nobody's.

    by: flagged_at, confidence, question, asker or state. text: in the question.
    """

    state: ReviewState | None = ReviewState.OPEN
    reason: FlagReason | None = None
    assignee: str = ""
    asker: str = ""
    kind: str = ""
    text: str = ""
    by: str = "flagged_at"
    descending: bool = True
    offset: int = 0
    limit: int | None = 100


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """Some of the items that fit, and how many there are in all."""

    items: tuple[ReviewItem, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Feedback:
    """Opinion of the asker; citation: its number, 0 for the answer. reason: of FEEDBACK_REASONS."""

    trace: str
    citation: int
    account: str
    word: FeedbackWord
    reason: str = ""
    note: str = ""
    at: datetime | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ReviewOutcome:
    """Verdict on an answer, as its asker sees it."""

    verdict: AnswerVerdict
    reviewer: str
    note: str
    at: datetime
    corrections: int = 0
