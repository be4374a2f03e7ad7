"""The JSON of failures by shape."""

from __future__ import annotations

from core.domain.answer import Reader
from core.domain.trust.failures import FailureStage, TriedRoute
from core.domain.wire.shapes import Moment, Shape


class TriedRecord(Shape):
    """Number of tries of a route with a reader, and of its failures."""

    route: TriedRoute
    reader: Reader
    count: int
    failed: int


class FailedQuestionRecord(Shape):
    """A question that failed, and as it is now."""

    question: str
    stage: FailureStage
    before: str
    now: str
    failed_at: Moment
    last_at: Moment
    is_answered: bool


class ResultsRecord(Shape):
    """Number of questions that were asked, and of those that failed."""

    count: int
    failed: int


class LearntRecord(Shape):
    """Something that was learnt since, with the results of such questions before it and after."""

    kind: str
    words: str
    at: Moment
    by: str
    before: ResultsRecord
    after: ResultsRecord


class FailedShapeRecord(Shape):
    """Questions of one shape. first: what alike ones are asked by first, "" for the usual way."""

    shape: str
    count: int
    failed: int
    open: int
    stages: dict[FailureStage, int]
    questions: tuple[FailedQuestionRecord, ...]
    tried: tuple[TriedRecord, ...]
    last_at: Moment
    changes: tuple[LearntRecord, ...]
    first: str
