"""Look-ups of documents and cells for tables of plans, as the one who asks may see them."""

from __future__ import annotations

from app import services
from app.components.plan_results import TableLookups


def reading() -> TableLookups:
    """Documents, cells and the titles of fields."""
    session = services.session()
    catalogue = session.plans.catalogue()

    def title(name: str) -> str:
        stem, _, aspect = name.partition(".")
        entry = catalogue.field(stem)
        return (f"{entry.title}, {aspect}" if aspect else entry.title) if entry is not None else name

    return TableLookups(
        summaries=lambda ids: session.documents.by_id(ids),
        cells=lambda ids, fields: session.matrix.cells(ids, fields),
        title=title,
    )
