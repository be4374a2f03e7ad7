"""Lines of a promise level for one question, over all buckets of a home."""

from __future__ import annotations

from core.config.fields import HeadExtractor
from core.domain.fields import FieldType, PromiseLevel
from core.extract.base import Definitions, Thresholds
from core.extract.extractor import Heads
from core.fields.promise import ClauseLimit, QuestionPromise


def question_promise(
    level: PromiseLevel, definitions: Definitions, heads: Heads | None, buckets: list[str]
) -> QuestionPromise:
    """The lines by which extraction at that level would decide the clauses of these buckets.

    Fields whose lines an admin moved are left out: no level decides them.
    """
    known = heads.levels.get(level, {}) if heads is not None else {}
    limits: dict[tuple[str, str], ClauseLimit] = {}
    for bucket in buckets:
        moved = definitions.thresholds.get(bucket, {})
        for schema in definitions.possible(bucket):
            for each in schema.fields:
                head = next((own.head for own in each.extractors if isinstance(own, HeadExtractor)), "")
                if not head or each.type is not FieldType.BOOLEAN or each.name in moved or heads is None:
                    continue
                if each.candidates_only:
                    continue
                lines = known.get(head, Thresholds())
                limits[bucket, each.name] = ClauseLimit(
                    bucket, each.name, lines.absent_below, lines.present_from
                )
    return QuestionPromise(level, tuple(limits.values()))
