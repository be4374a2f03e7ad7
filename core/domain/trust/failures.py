"""Questions as they went: the stage that failed, what was tried, and what to try first of alike questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from core.domain.answer import Reader

FailureStage = Literal["planner", "retrieval", "facts", "writing"]
FAILURE_STAGES: Mapping[FailureStage, str] = {
    "planner": "The question was not understood",
    "retrieval": "Nothing was found in the text",
    "facts": "The fields do not state it, or not surely",
    "writing": "What was written did not hold",
}
"""What went wrong, by the stage at which it did."""

WRONG = "wrong"
"""Status of an answer that a person found wrong, whatever it was."""

TriedRoute = Literal["fields", "text", "none"]


@dataclass(frozen=True, slots=True)
class QuestionTry:
    """One way by which a question was tried. ordinal: its place among those of one answer, from 0.

    trace: of the answer, or of the job that asked it again. shape: equal for alike questions. sight: key of
    what its asker could see. stage: at which it failed, "" where it did not. status: of the answer; "" of a
    way that was left for the next one.
    """

    trace: str
    ordinal: int
    question: str
    shape: str
    user: str
    sight: str
    at: datetime
    route: TriedRoute
    reader: Reader = ""
    status: str = ""
    stage: FailureStage | Literal[""] = ""
    buckets: tuple[str, ...] = ()
    is_again: bool = False


@dataclass(frozen=True, slots=True)
class TriedWay:
    """Number of times that a route was tried with a reader, and how often that failed."""

    route: TriedRoute
    reader: Reader
    count: int
    failed: int


@dataclass(frozen=True, slots=True)
class FailedQuestion:
    """A question that failed at its last or an earlier time. is_answered: it was answered since.

    before, now: the statuses of its first failure and of the last time it was asked.
    """

    question: str
    stage: FailureStage
    before: str
    now: str
    failed_at: datetime
    last_at: datetime
    is_answered: bool = False
    buckets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FailureCount:
    """Number of questions that were asked, and of those that failed."""

    count: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class LearntChange:
    """Something that may have mended a shape since it failed. kind: a lesson, words of a field, cells.

    before, after: results of the questions of the shape that were asked before it and since.
    """

    kind: Literal["lesson", "phrase", "cells"]
    words: str
    at: datetime
    by: str = ""
    before: FailureCount = FailureCount()
    after: FailureCount = FailureCount()


@dataclass(frozen=True, slots=True)
class FailedShape:
    """Questions of one shape of which some failed. count: all that were asked; failed: of these.

    stages: how often each failed, the most frequent first. questions: that failed, the last first. asked:
    when each was asked, and whether it failed, the last first.
    """

    shape: str
    count: int
    failed: int
    stages: Mapping[FailureStage, int]
    questions: tuple[FailedQuestion, ...]
    tried: tuple[TriedWay, ...]
    last_at: datetime
    asked: tuple[tuple[datetime, bool], ...] = ()
    changes: tuple[LearntChange, ...] = ()
    first: str = ""  # what alike questions are asked by first, in words; "" for the usual way

    @property
    def open(self) -> int:
        """Number of questions that were not answered since they failed."""
        return sum(not each.is_answered for each in self.questions)

    def with_results(self, change: LearntChange) -> LearntChange:
        """A change with the results of the shape before it and since."""
        sides = [[failed for at, failed in self.asked if (at > change.at) is late] for late in (False, True)]
        before, after = (FailureCount(len(each), sum(each)) for each in sides)
        return replace(change, before=before, after=after)


@dataclass(frozen=True, slots=True)
class Habit:
    """What is tried first of a question, since the usual way failed before. "" throughout: the usual way.

    by_text: why the text is asked before the fields. reader: whose reading is followed, and why: by_reader.
    """

    by_text: str = ""
    reader: Reader = ""
    by_reader: str = ""


USUAL = Habit()
