"""Behind the counts of an answer: the documents by id, and their cells."""

from __future__ import annotations

from collections.abc import Collection

from core.domain.document import DocumentSummary
from core.domain.fields import Cell
from core.domain.ids import DocumentId
from core.domain.principal import LOCAL_ADMIN, Principal
from core.records.database.visibility import Visibility
from core.workbench.wiring import Parts


class DrillCalls:
    """What a principal may not see is left out."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def documents_by_id(
        self, documents: Collection[DocumentId], principal: Principal = LOCAL_ADMIN
    ) -> dict[DocumentId, DocumentSummary]:
        """Those of the documents that are still there."""
        return self._parts.records.documents.get_many(documents, Visibility.of(principal))

    def cells(
        self,
        documents: Collection[DocumentId],
        fields: Collection[str],
        principal: Principal = LOCAL_ADMIN,
    ) -> list[Cell]:
        """Cells whole, by document and field."""
        if not documents or not fields:
            return []
        visible = Visibility.of(principal)
        return list(self._parts.records.fields.cells(visible, documents=documents, fields=fields))
