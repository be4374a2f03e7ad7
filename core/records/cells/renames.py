"""Fields that are called otherwise now: what people decided of them goes by the new name."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.ids import DocumentId
from core.records.database.changes import append_changes
from core.records.database.db import Database, slices
from core.records.database.field_tables import cell_reviews, field_cells, field_guesses, field_values


def carry_verdicts(database: Database, schema: str, old: str, new: str, now: datetime) -> int:
    """Move the cells that anybody ever decided to the new name, with their history; gives how many.

    Only in documents of `schema`, and where nobody has decided a cell of the new name. Cells that nobody
    decided stay with the old definition. All or nothing; a second time there is nothing left to move.
    """
    with database.write() as connection:
        found = _decided(connection, old, schema) - _decided(connection, new)
        for some in slices(sorted(found)):
            for table in (field_cells, field_values, field_guesses):
                taken = sa.delete(table).where(table.c.document.in_(some), table.c.field == new)
                connection.execute(taken)
            for table in (field_cells, field_values, field_guesses, cell_reviews):
                own = sa.update(table).where(table.c.document.in_(some), table.c.field == old)
                connection.execute(own.values(field=new))
        append_changes(connection, sorted(found), "reviewed", now)
    return len(found)


def _decided(connection: Connection, field: str, schema: str = "") -> set[DocumentId]:
    """The documents in which a cell of that name has a history."""
    statement = sa.select(field_cells.c.document).where(field_cells.c.field == field, field_cells.c.event > 0)
    if schema:
        statement = statement.where(field_cells.c.schema == schema)
    return {DocumentId(found) for found in connection.execute(statement).scalars()}
