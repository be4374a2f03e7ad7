"""Rows of tables as they are kept: their cells, versions, sheets, and what their files left out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import sqlalchemy as sa

from core.domain.document import FilePart, PartState
from core.domain.fields import AnnotationRow
from core.domain.ids import DocumentId
from core.store.cells.table_rows import PlainCell, RowKey, cells_of_table, read_rows
from core.store.database.among import among
from core.store.database.db import Repository
from core.store.database.field_tables import (
    annotation_rows,
    annotation_titles,
    extraction_state,
)
from core.store.database.schema import document_versions
from core.store.documents.rows import parts_of


class RowSelection(Repository):
    """Thread-safe. Who may see a document is decided before."""

    def versions(self, within: Collection[str]) -> dict[str, int]:
        """Of which version of each document its rows are."""
        row = annotation_rows.c
        statement = sa.select(row.document, sa.func.max(row.version)).group_by(row.document)
        with self._database.read() as connection:
            found = connection.execute(statement.where(among(row.document, within)))
            return {document: int(version) for document, version in found}

    def missing_parts(self, versions: Mapping[str, int]) -> dict[str, tuple[FilePart, ...]]:
        """Of each document what its rows are without: parts of its file that were left out or not read."""
        held = document_versions.c
        statement = sa.select(held.document, held.version, held.parts)
        with self._database.read() as connection:
            found = connection.execute(statement.where(among(held.document, versions)))
            parts = {
                each.document: parts_of(each.parts)
                for each in found
                if versions[each.document] == each.version
            }
        return {
            document: kept
            for document, several in parts.items()
            if (kept := tuple(each for each in several if each.state is not PartState.READ))
        }

    def cells_of_table(self, document: DocumentId, table_no: int) -> list[PlainCell]:
        """All cells of one table, by row and place."""
        with self._database.read() as connection:
            return list(cells_of_table(connection, document, table_no))

    def sheets(self, within: Collection[str]) -> dict[str, str]:
        """Names of the sheets of tables, or the lines above them, by "document|table"."""
        title = annotation_titles.c
        statement = sa.select(title.document, title.table_no, title.sheet, title.caption)
        with self._database.read() as connection:
            found = connection.execute(statement.where(among(title.document, within)))
            return {f"{each.document}|{each.table_no}": each.sheet or each.caption for each in found}

    def stamps(self, within: Collection[str]) -> dict[str, str]:
        """Of each document a text that is another one whenever its rows may be others."""
        state = extraction_state.c
        statement = sa.select(state.document, state.version, state.fingerprint, state.at)
        with self._database.read() as connection:
            found = connection.execute(statement.where(among(state.document, within)))
            return {each.document: f"{each.version} {each.fingerprint} {each.at}" for each in found}

    def read(self, keys: Sequence[RowKey]) -> dict[RowKey, AnnotationRow]:
        """Rows with all their cells."""
        with self._database.read() as connection:
            return read_rows(connection, keys)
