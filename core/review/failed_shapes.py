"""Failures put together by the shape of their questions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from core.domain.trust.failures import FailedQuestion, FailedShape, FailureStage, QuestionTry
from core.review.habits import ways_of

_ENDS = " ?!.…"
Wording = list[QuestionTry]


def failed_shapes(tries: Iterable[QuestionTry]) -> list[FailedShape]:
    """The shapes of which a question failed, those with the most that are open first. tries: newest first."""
    shapes: dict[str, list[QuestionTry]] = defaultdict(list)
    for each in tries:
        shapes[each.shape].append(each)
    found = (_shape(shape, tried) for shape, tried in shapes.items())
    return sorted(filter(None, found), key=lambda each: (-each.open, -each.failed, each.shape))


def _shape(shape: str, tries: Sequence[QuestionTry]) -> FailedShape | None:
    ends = list(_ends(tries))
    failed = [each for each in ends if each.stage]
    if not failed:
        return None
    stages = Counter[FailureStage](each.stage for each in failed if each.stage)
    wordings: dict[str, Wording] = defaultdict(list)
    for each in ends:
        wordings[" ".join(each.question.split()).casefold().rstrip(_ENDS)].append(each)
    questions = tuple(filter(None, map(_question, wordings.values())))
    last_at = max(each.at for each in failed)
    return FailedShape(
        shape, len(ends), len(failed), dict(stages.most_common()), questions, ways_of(tries), last_at
    )


def _ends(tries: Sequence[QuestionTry]) -> Iterator[QuestionTry]:
    """Of each answer the way by which it was given."""
    met: set[str] = set()
    for each in sorted(tries, key=lambda one: (one.at, one.ordinal), reverse=True):
        if each.trace not in met:
            met.add(each.trace)
            yield each


def _question(ends: Wording) -> FailedQuestion | None:
    """A question as it failed first and as it is now; None where it never failed. ends: newest first."""
    failed = [each for each in ends if each.stage]
    if not failed:
        return None
    now, last = ends[0], failed[0]
    assert last.stage
    return FailedQuestion(
        last.question, last.stage, failed[-1].status, now.status, last.at, now.at, not now.stage, now.buckets
    )
