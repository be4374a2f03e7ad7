"""Beside: the rows that stand before or behind others."""

from __future__ import annotations

from collections.abc import Mapping

from core.domain.results import Result, Rows
from core.errors import UsageError
from core.plan.ir.nodes import Beside
from core.plan.operators.base import OperatorParts, runs
from core.plan.operators.join import row_keys
from core.plan.operators.select import rows_of


@runs(Beside)
def beside(node: Beside, inputs: Mapping[str, Result], parts: OperatorParts) -> Rows:
    """For each row of the first input the one that stands some steps from it in the second."""
    rows, among = (inputs[name] for name in node.inputs)
    if not isinstance(rows, Rows) or not isinstance(among, Rows):
        raise UsageError("Only rows stand beside one another.", next_step="Connect two nodes that give rows.")
    places = {name: at for at, name in enumerate(among.picked)}
    wanted = [places[name] + node.steps for name in rows.picked if name in places]
    found = tuple(among.picked[at] for at in wanted if 0 <= at < len(among.picked))
    keys = [key for name, key in zip(found, row_keys(found), strict=True) if _is_of(name, rows.picked)]
    return rows_of(keys, among.documents, among.documents.unknown, among.excluded, parts)


def _is_of(name: str, picked: tuple[str, ...]) -> bool:
    """True where a row stands in a table of those that it is beside of."""
    return any(name.rsplit("|", 1)[0] == each.rsplit("|", 1)[0] for each in picked)
