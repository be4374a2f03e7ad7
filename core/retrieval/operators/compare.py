"""Compare: documents of several inputs side by side on some fields."""

from __future__ import annotations

from collections.abc import Mapping

from core.domain.fields import CellStatus
from core.domain.results import ComparedRow, Comparison, Documents, Result, Stopped
from core.errors import UsageError
from core.plan.ir.nodes import Compare
from core.records.database.visibility import Visibility
from core.retrieval.operators.base import OperatorParts, documents_of, written
from core.retrieval.operators.sides import with_totals
from core.retrieval.sets import union


def compare(
    node: Compare, inputs: Mapping[str, Result], visible: Visibility, parts: OperatorParts
) -> Comparison | Stopped:
    """A row for each document of each side, by side and title, and what the sides come to."""
    sides: list[Documents] = []
    for name in node.inputs:
        found = documents_of(inputs[name])
        if found is None:
            raise UsageError(
                f"{name!r} gives a value, and no documents to compare.", next_step="Compare documents."
            )
        sides.append(found)
    if len(sides) != len(node.labels):
        raise UsageError(
            f"There are {len(sides)} sides and {len(node.labels)} names for them.",
            next_step="Give every side one name.",
        )
    everything = union(sides)
    known = parts.summaries(everything.present, visible)
    cells = parts.cells(everything.present, node.fields, visible)
    rows = []
    for label, side in zip(node.labels, sides, strict=True):
        ids = [id for id in side.order if id in known] or sorted(
            side.present & known.keys(), key=lambda id: (known[id].title.casefold(), id)
        )
        for id in ids:
            found_cells = [cells.get((id, field)) for field in node.fields]
            texts = tuple(
                written(cell) if cell is not None and cell.finding.status is CellStatus.PRESENT else None
                for cell in found_cells
            )
            rows.append(ComparedRow(side=label, document=id, values=texts))
    compared = Comparison(labels=node.labels, fields=node.fields, rows=tuple(rows), documents=everything)
    if node.function is None and node.outcome == "values":
        return compared
    return with_totals(node, compared, inputs, visible, parts)
