"""Combine: set algebra over what was found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.domain.results import Documents, Result, Rows
from core.errors import UsageError
from core.plan.ir.nodes import Combine
from core.plan.operators.base import OperatorParts, difference, documents_of, intersect, runs, union
from core.plan.operators.join import row_keys
from core.plan.operators.select import rows_of


@runs(Combine)
def combine(node: Combine, inputs: Mapping[str, Result], parts: OperatorParts) -> Documents | Rows:
    """The documents or rows that belong to all inputs, to any, or to the first and none of the others."""
    if node.of == "rows":
        return _rows(node, [inputs[name] for name in node.inputs], parts)
    sides: list[Documents] = []
    for name in node.inputs:
        found = documents_of(inputs[name])
        if found is None:
            raise UsageError(
                f"{name!r} gives a value, and no documents to combine.",
                next_step="Combine what gives documents.",
            )
        sides.append(found)
    if not sides:
        raise UsageError("There is nothing to combine.", next_step="Connect two nodes that give documents.")
    if node.how == "intersect":
        return intersect(sides)
    if node.how == "union":
        return union(sides)
    return difference(sides[0], union(sides[1:])) if len(sides) > 1 else sides[0]


def _rows(node: Combine, given: Sequence[Result], parts: OperatorParts) -> Rows:
    """The rows of all sides, of any, or of the first and none of the others, in the order of the first."""
    sides = [each for each in given if isinstance(each, Rows)]
    if len(sides) < len(given) or not sides:
        raise UsageError("Only rows are combined with rows.", next_step="Connect nodes that give rows.")
    first, *others = sides
    if node.how == "union":
        picked = list(dict.fromkeys(name for side in sides for name in side.picked))
    else:
        sets = [set(side.picked) for side in others]
        is_kept = all if node.how == "intersect" else _none
        picked = [name for name in first.picked if is_kept(name in each for each in sets)]
    scope = union([side.documents for side in sides])
    scope = scope.model_copy(update={"unknown": {}, "uncertain": frozenset(), "order": ()})
    unsure = {id: why for side in sides for id, why in side.documents.unknown.items()}
    known = scope.model_copy(update={"absent": scope.absent | (unsure.keys() - scope.present)})
    excluded = tuple(dict.fromkeys(each for side in sides for each in side.excluded))
    return rows_of(row_keys(tuple(picked)), known, unsure, excluded, parts)


def _none(holds: Iterable[bool]) -> bool:
    return not any(holds)
