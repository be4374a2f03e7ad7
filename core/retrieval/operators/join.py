"""Join: rows of one table by those of another that say the same in a column."""

from __future__ import annotations

from collections.abc import Mapping

from core.domain.fields import TEXTS
from core.domain.ids import DocumentId
from core.domain.results import Result, Rows
from core.errors import UsageError
from core.plan.ir.nodes import ROW_PLACE, Join
from core.records.cells.table_rows import RowKey
from core.records.database.visibility import Visibility
from core.records.query.evaluate import RankedValue
from core.retrieval.operators.base import OperatorParts, runs
from core.retrieval.operators.ranking import first_rows
from core.retrieval.operators.select import MOST_SHOWN, rows_of


@runs(Join)
def join(node: Join, inputs: Mapping[str, Result], visible: Visibility, parts: OperatorParts) -> Rows:
    """The rows of the first input that have a match in the second, or that have none. Raises UsageError."""
    left, right = (inputs[name] for name in node.inputs)
    if not isinstance(left, Rows) or not isinstance(right, Rows):
        raise UsageError("Only rows of tables are matched.", next_step="Connect two nodes that give rows.")
    keys = row_keys(left.picked)
    own = parts.records.row_selection.values(keys, node.left)
    others = parts.records.row_selection.values(row_keys(right.picked), node.right)
    by_value: dict[str, list[RowKey]] = {}
    for key, value in others.items():
        by_value.setdefault(matched_by(value), []).append(key)
    if node.how == "with" and any(len(found) > 1 for found in by_value.values()):
        raise UsageError(
            f"Several rows say the same in {node.right!r}: none of them is the one that goes with a row.",
            next_step="Connect the tables the other way round, or keep rows that have any match.",
        )
    matches = {key: by_value.get(matched_by(own[key]), []) if key in own else [] for key in keys}
    chosen = [key for key in keys if bool(matches[key]) is not (node.how == "without")]
    scope = left.documents.model_copy(
        update={"present": left.documents.present, "absent": left.documents.absent}
    )
    without = len(keys) - len(chosen) if node.how == "with" else 0
    chosen = _first(node, chosen, matches, parts)
    excluded = (*left.excluded, *(((node.left, "in no row of the other table", without),) if without else ()))
    found = rows_of(chosen, scope, {}, excluded, parts)
    if node.how != "with":
        return found
    partners = tuple("|".join(map(str, matches[key][0])) for key in chosen)
    return found.model_copy(update={"partners": partners, "rows": found.rows[:MOST_SHOWN]})


def _first(
    node: Join, keys: list[RowKey], matches: Mapping[RowKey, list[RowKey]], parts: OperatorParts
) -> list[RowKey]:
    """Rows in the order of a column of theirs, or else of the one row that each goes with."""
    if node.order_by in ("", ROW_PLACE):
        return first_rows(node, keys, {})
    values = parts.records.row_selection.values(keys, node.order_by)
    if not values and node.how == "with":
        others = parts.records.row_selection.values([matches[key][0] for key in keys], node.order_by)
        values = {key: others[matches[key][0]] for key in keys if matches[key][0] in others}
    return first_rows(node, keys, values)


def row_keys(names: tuple[str, ...]) -> list[RowKey]:
    """Keys of rows by what results call them."""
    parts = (name.rsplit("|", 2) for name in names)
    return [(DocumentId(document), int(table), int(row)) for document, table, row in parts]


def matched_by(value: RankedValue) -> str:
    """What values are equal by, whether a column holds texts or numbers: 1001 is "1001"."""
    if value.type in TEXTS:
        return value.key.strip()
    return value.text.casefold()
