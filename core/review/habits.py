"""What to try first of a question, after what was tried of alike ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from core.domain.trust.failures import WRONG, Habit, QuestionTry, TriedWay

LOOKED_BACK = timedelta(days=30)
"""Age of a failure after which it tells nothing: documents and fields have changed."""
_VAIN = frozenset({"", "abstained", "failed", "clarify", "refused", WRONG})
_UNKNOWN = "?"  # stands in shapes for words that nothing is called by: what they ask is not known


def is_known(shape: str) -> bool:
    """True of a shape whose questions ask the same: none of their words is unknown."""
    return bool(shape) and _UNKNOWN not in shape.replace(":", " ").split()


def ways_of(tries: Iterable[QuestionTry]) -> tuple[TriedWay, ...]:
    """How often each route was tried with each reader, the most frequent first."""
    counts: dict[tuple[str, str], list[int]] = {}
    for each in tries:
        found = counts.setdefault((each.route, each.reader), [0, 0])
        found[0] += 1
        found[1] += bool(each.stage)
    ways = (TriedWay(route, reader, *found) for (route, reader), found in counts.items())  # type: ignore[arg-type]
    return tuple(sorted(ways, key=lambda way: (-way.count, way.route, way.reader)))


def habit_of(tries: Sequence[QuestionTry], least: int, share: float) -> Habit:
    """What is tried first after these tries of alike questions, newest first.

    A way is left for another one where `share` of its questions failed, `least` of them or more, and by the
    other not as many did. The text is asked before the fields; of two readers, the other one is followed.
    """
    fields, texts = (_last(each for each in tries if each.route == route) for route in ("fields", "text"))
    said = "found nothing in fields" if not any(map(_is_wrong, fields)) else "found nothing right in fields"
    by_text = _reason(fields, texts, list(filter(_is_failed, fields)), least, share, said)
    model, trained = (_last(each for each in tries if each.reader == name) for name in ("model", "reader"))
    by_reader = _reason(model, trained, _misread(model), least, share, "were misread with it")
    if by_reader:
        return Habit(
            _first("Asked by text first", by_text), "reader", _first("Read without the model", by_reader)
        )
    by_reader = _reason(trained, model, _misread(trained), least, share, "were misread without it")
    is_other = bool(by_reader)
    return Habit(
        _first("Asked by text first", by_text),
        "model" if is_other else "",
        _first("Read by the model", by_reader),
    )


def _first(what: str, since: str) -> str:
    return f"{what}, since {since}" if since else ""


def _last(tries: Iterable[QuestionTry]) -> list[QuestionTry]:
    """Of each question the last try: what failed once and does no more is mended."""
    found: dict[str, QuestionTry] = {}
    for each in tries:
        found.setdefault(" ".join(each.question.casefold().split()), each)
    return list(found.values())


def _is_wrong(each: QuestionTry) -> bool:
    return each.status == WRONG


def _is_failed(each: QuestionTry) -> bool:
    return bool(each.stage) and each.status in _VAIN


def _misread(tries: Sequence[QuestionTry]) -> list[QuestionTry]:
    """Those that failed since they were misread: another reader mends nothing else."""
    return [each for each in tries if each.stage == "planner" and _is_failed(each)]


def _reason(
    tries: Sequence[QuestionTry],
    other: Sequence[QuestionTry],
    failed: Sequence[QuestionTry],
    least: int,
    share: float,
    what: str,
) -> str:
    """`3 of 3 questions of this shape found nothing in fields`; "" where too few failed, or as many else."""
    if len(failed) < max(least, share * len(tries)):
        return ""
    by_other = sum(map(_is_failed, other)) / len(other) if other else 0.0
    if by_other >= len(failed) / len(tries):
        return ""
    return f"{len(failed):,} of {len(tries):,} questions of this shape {what}"
