"""Failures put together by the shape of their questions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from core.domain.trust.failures import FailedQuestion, FailedShape, FailureStage, QuestionTry
from core.review.habits import ways_of

_ENDS = " ?!.…"
Wording = list[QuestionTry]


def failed_shapes(tries: Iterable[QuestionTry]) -> list[FailedShape]:
    """The shapes of which a question failed, those with the most that are open first. tries: newest first.

    A question counts for the shape by which it failed last: words that are learnt give it another.
    """
    newest = list(tries)
    failed_as: dict[str, str] = {}
    for each in newest:
        if each.stage:
            failed_as.setdefault(_wording(each), each.shape)
    shapes: dict[str, list[QuestionTry]] = defaultdict(list)
    for each in newest:
        shapes[failed_as.get(_wording(each), each.shape)].append(each)
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
        wordings[_wording(each)].append(each)
    questions = tuple(filter(None, map(_question, wordings.values())))
    last_at = max(each.at for each in failed)
    return FailedShape(
        shape,
        len(ends),
        len(failed),
        dict(stages.most_common()),
        questions,
        ways_of(tries),
        last_at,
        tuple((each.at, bool(each.stage)) for each in ends),
    )


def _wording(tried: QuestionTry) -> str:
    return " ".join(tried.question.split()).casefold().rstrip(_ENDS)


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
