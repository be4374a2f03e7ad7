"""Join: rows of one table by those of another that say the same in a column."""

from __future__ import annotations

from collections.abc import Mapping

from core.domain.fields import TEXTS
from core.domain.ids import DocumentId
from core.domain.predicate import OfField, Predicate
from core.domain.results import Result, Rows
from core.errors import UsageError
from core.plan.ir.nodes import ROW_PLACE, Join, OtherField
from core.plan.operators.base import OperatorParts, runs
from core.plan.operators.ranking import first_rows
from core.plan.operators.select import MOST_SHOWN, rows_of
from core.store.cells.table_rows import RowKey
from core.store.query.derived import against
from core.store.query.evaluate import RankedValue


@runs(Join)
def join(node: Join, inputs: Mapping[str, Result], parts: OperatorParts) -> Rows:
    """The rows of the first input that have a match in the second, or that have none. Raises UsageError.

    Where several of the second go with one of the first, the first go with those of the second.
    """
    left, right = (inputs[name] for name in node.inputs)
    if not isinstance(left, Rows) or not isinstance(right, Rows):
        raise UsageError("Only rows of tables are matched.", next_step="Connect two nodes that give rows.")
    keys, other_keys = row_keys(left.picked), row_keys(right.picked)
    own = parts.records.row_selection.values(keys, node.left)
    others = parts.records.row_selection.values(other_keys, node.right)
    by_value = _by_value(others)
    if node.how == "with" and _has_several(by_value) and not _has_several(_by_value(own)):
        left, keys, own, by_value = right, other_keys, others, _by_value(own)
    if node.how == "with" and _has_several(by_value):
        raise UsageError(
            f"Several rows say the same in {node.right!r}: none of them is the one that goes with a row.",
            next_step="Connect the tables the other way round, or keep rows that have any match.",
        )
    matches = {key: by_value.get(matched_by(own[key]), []) if key in own else [] for key in keys}
    chosen = [key for key in keys if bool(matches[key]) is not (node.how == "without")]
    scope = left.documents.model_copy(
        update={"present": left.documents.present, "absent": left.documents.absent}
    )
    without = len(keys) - len(chosen) if node.how == "with" and not node.is_narrowed else 0
    chosen = _first(node, _compared(node, chosen, matches, parts), matches, parts)
    excluded = (*left.excluded, *(((node.left, "in no row of the other table", without),) if without else ()))
    found = rows_of(chosen, scope, {}, excluded, parts)
    if node.how != "with":
        return found
    partners = tuple("|".join(map(str, matches[key][0])) for key in chosen)
    return found.model_copy(update={"partners": partners, "rows": found.rows[:MOST_SHOWN]})


def _by_value(values: Mapping[RowKey, RankedValue]) -> dict[str, list[RowKey]]:
    found: dict[str, list[RowKey]] = {}
    for key, value in values.items():
        found.setdefault(matched_by(value), []).append(key)
    return found


def _has_several(by_value: Mapping[str, list[RowKey]]) -> bool:
    return any(len(found) > 1 for found in by_value.values())


def _compared(
    node: Join, keys: list[RowKey], matches: Mapping[RowKey, list[RowKey]], parts: OperatorParts
) -> list[RowKey]:
    """The rows whose columns compare so with those of the rows that they go with."""
    for each in node.conditions:
        assert isinstance(each.value, OtherField)  # as validation has it
        one = _of_pairs(each.field, keys, matches, parts)
        other = _of_pairs(each.value.field, keys, matches, parts)
        test = against(Predicate(each.field, each.op, OfField(each.value.field)))
        keys = [key for key in keys if key in one and key in other and test(one[key], other[key]) is True]
    return keys


def _of_pairs(
    column: str, keys: list[RowKey], matches: Mapping[RowKey, list[RowKey]], parts: OperatorParts
) -> Mapping[RowKey, RankedValue]:
    """The values of a column in rows, or else in those that they go with."""
    values = parts.records.row_selection.values(keys, column)
    if not values:
        others = parts.records.row_selection.values([matches[key][0] for key in keys], column)
        values = {key: others[matches[key][0]] for key in keys if matches[key][0] in others}
    return values


def _first(
    node: Join, keys: list[RowKey], matches: Mapping[RowKey, list[RowKey]], parts: OperatorParts
) -> list[RowKey]:
    """Rows in the order of a column of theirs, or else of the one row that each goes with."""
    if node.order_by in ("", ROW_PLACE):
        return first_rows(node, keys, {})
    if node.how == "with":
        return first_rows(node, keys, _of_pairs(node.order_by, keys, matches, parts))
    return first_rows(node, keys, parts.records.row_selection.values(keys, node.order_by))


def row_keys(names: tuple[str, ...]) -> list[RowKey]:
    """Keys of rows by what results call them."""
    parts = (name.rsplit("|", 2) for name in names)
    return [(DocumentId(document), int(table), int(row)) for document, table, row in parts]


def matched_by(value: RankedValue) -> str:
    """What values are equal by, whether a column holds texts or numbers: 1001 is "1001"."""
    if value.type in TEXTS:
        return value.key.strip()
    return value.text.casefold()
