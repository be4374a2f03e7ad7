"""The JSON of searches and computations over what documents state."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from core.domain.annotation import AggregateResult, AnnotationHit, AnnotationHits, Excluded
from core.domain.fields import Cell, RowCell
from core.domain.wire.fields import quote_json, value_json
from core.domain.wire.shapes import envelope


def hits_json(found: AnnotationHits) -> dict[str, Any]:
    """JSON of a search over cells or rows."""
    return envelope(
        source=found.source.value,
        total=found.total,
        scope=found.scope,
        hits=[_hit(rank, hit) for rank, hit in enumerate(found.hits, start=1)],
        excluded=[_excluded(each) for each in found.excluded],
    )


def aggregate_json(found: AggregateResult) -> dict[str, Any]:
    """JSON of a computation: values are decimal strings, or null where no row took part."""
    return envelope(
        aggregate=found.aggregate.value,
        field=found.field or None,
        group_by=list(found.group_by),
        type=found.type.value,
        source=found.source.value,
        scope=found.scope,
        rows=found.rows,
        groups=[
            {
                "key": list(group.key),
                "value": decimal_text(group.value),
                "unit": group.unit or None,
                "rows": group.rows,
                "documents": group.documents,
            }
            for group in found.groups
        ],
        excluded=[_excluded(each) for each in found.excluded],
        rates={unit: str(rate) for unit, rate in found.rates},
    )


def decimal_text(value: Decimal | str | None) -> str | None:
    """A number without an exponent; texts as they are."""
    return f"{value:f}" if isinstance(value, Decimal) else value


def _hit(rank: int, hit: AnnotationHit) -> dict[str, Any]:
    row = hit.row
    return {
        "rank": rank,
        "document": hit.document.id,
        "title": hit.document.name,
        "source": hit.document.source,
        "bucket": hit.document.bucket,
        "version": hit.document.version,
        "table": None if row is None else row.table,
        "row": None if row is None else row.row,
        "fields": [_cell(cell) for cell in hit.cells],
        "columns": [] if row is None else [_row_cell(cell) for cell in row.cells],
    }


def _cell(cell: Cell) -> dict[str, Any]:
    finding = cell.finding
    return {
        "field": cell.field,
        "status": finding.status.value,
        "values": [value_json(value) for value in finding.values],
        "units": [value.unit or None for value in finding.values],
        "confidence": round(finding.confidence, 4),
        "method": finding.method,
        "spans": [quote_json(quote) for quote in finding.spans],
    }


def _row_cell(cell: RowCell) -> dict[str, Any]:
    return {
        "column": cell.column,
        "type": cell.value.type.value,
        "value": value_json(cell.value),
        "unit": cell.value.unit or None,
        **quote_json(cell.quote),
    }


def _excluded(each: Excluded) -> dict[str, Any]:
    return {"field": each.field, "reason": each.reason, "rows": each.rows}
