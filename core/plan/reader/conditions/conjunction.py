"""Conditions of several spans joined by "and" and "or", as the words between them say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from core.plan.language.syntax.tree import All, Any, Expression
from core.plan.reader.reading import ReadSpan, SpanRole
from core.text.words import word_list

LACKING = word_list("reading", "lacking")
_EITHER = re.compile(r"\b(?:or|alternatively)\b|^\s*either\b", re.IGNORECASE)
_BETWEEN_TWO = 3  # words at most, between two conditions that "or" binds


def join(parts: Sequence[tuple[ReadSpan, Expression]], question: str) -> Expression | None:
    """Conditions joined by the words between their spans, which are in order; None for none.

    "or" binds less than "and" does. "without A or B" lacks both, "lacking A or lacking B" one of them.
    """
    if not parts:
        return None
    groups: list[list[Expression]] = [[parts[0][1]]]
    for (before, _), (span, part) in pairwise(parts):
        if before.role is span.role is SpanRole.DOCUMENT and not (before.is_negated or span.is_negated):
            groups[-1].append(_either(groups[-1].pop(), part))
            continue
        between = question[before.end : span.start]
        is_either = bool(_EITHER.search(between))
        is_said_again = bool(set(between.casefold().split()) & LACKING)
        is_shared = before.is_negated and span.is_negated and not is_said_again
        if not is_either or is_shared:
            groups[-1].append(part)
        elif _is_pair(before, span, between):
            groups[-1].append(_either(groups[-1].pop(), part))
        else:
            groups.append([part])
    parts_of = [each[0] if len(each) == 1 else All(tuple(each)) for each in groups]
    return parts_of[0] if len(parts_of) == 1 else Any(tuple(parts_of))


def _either(one: Expression, other: Expression) -> Any:
    return Any((*one.parts, other) if isinstance(one, Any) else (one, other))


def _is_pair(before: ReadSpan, span: ReadSpan, between: str) -> bool:
    """True where "or" stands between two conditions alone: it then binds these two, and no more."""
    return before.role is span.role or len(between.split()) <= _BETWEEN_TWO
