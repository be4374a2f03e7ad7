"""Set algebra over documents in three values; the laws of sets hold, also for what is not known.

What one side settles is settled, whatever the other does not know (Kleene's strong logic, as in
`core.records.query.evaluate`). A document that a side never asked does not belong to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from core.domain.results import Documents, Unknown


def intersect(sides: Sequence[Documents]) -> Documents:
    """Documents that belong to every side; the scope is that of all sides together."""
    return reduce(_both, sides)


def union(sides: Sequence[Documents]) -> Documents:
    """Documents that belong to any side; the scope is that of all sides together."""
    return reduce(_either, sides)


def difference(left: Documents, right: Documents) -> Documents:
    """Documents of the left side that are not of the right one; the scope is that of both together."""
    return _both(left, complement(_widened(right, left.scope)))


def complement(side: Documents) -> Documents:
    """The documents of the scope that do not belong."""
    return side.model_copy(update={"present": side.absent, "absent": side.present, "order": ()})


def narrowed(within: Documents, judged: Documents) -> Documents:
    """What `judged` says of the documents that belong to `within`, or may; no others are in scope."""
    scope, merged = within.scope - within.absent, _both(within, judged)
    return merged.model_copy(
        update={
            "absent": merged.absent & scope,
            "uncertain": merged.uncertain & scope,
            "unreadable": merged.unreadable & scope,
            "unknown": {id: why for id, why in merged.unknown.items() if id in scope},
        }
    )


def _both(left: Documents, right: Documents) -> Documents:
    left, right = _widened(left, right.scope), _widened(right, left.scope)
    return _settled(left, right, left.present & right.present, left.absent | right.absent)


def _either(left: Documents, right: Documents) -> Documents:
    left, right = _widened(left, right.scope), _widened(right, left.scope)
    return _settled(left, right, left.present | right.present, left.absent & right.absent)


def _widened(side: Documents, scope: frozenset[str]) -> Documents:
    return side.model_copy(update={"absent": side.absent | (scope - side.scope)})


def _settled(left: Documents, right: Documents, present: frozenset[str], absent: frozenset[str]) -> Documents:
    """The rest is not known: unreadable where either side could read nothing, else uncertain."""
    rest = left.scope - present - absent
    unreadable = rest & (left.unreadable | right.unreadable)
    return Documents(
        present=present,
        absent=absent,
        uncertain=rest - unreadable,
        unreadable=unreadable,
        order=tuple(id for id in left.order or right.order if id in present),
        unknown={id: why for id in rest if (why := _why(id, left, right)) is not None},
        is_exhaustive=left.is_exhaustive and right.is_exhaustive,
    )


def _why(id: str, left: Documents, right: Documents) -> Unknown | None:
    """One reason, the same whichever side comes first."""
    reasons = [side.unknown[id] for side in (left, right) if id in side.unknown]
    return min(reasons, key=lambda each: (each.field, each.reason), default=None)
