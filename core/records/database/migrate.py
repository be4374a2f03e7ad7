"""Brings a database to the schema of this code, and refuses one that is ahead of it."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.errors import RecordsError
from core.records.database.db import Database
from core.records.database.postgres import require_utf8
from core.records.database.schema import REVISIONS

_VERSION = sa.table("alembic_version", sa.column("version_num", sa.String))
_MIGRATIONS = Path(__file__).parent / "migrations"


def ensure_schema(database: Database) -> None:
    """Make the tables, or migrate them; one SELECT where there is nothing to do.

    Two processes may do this at once: the second waits, then finds the work done. Raises RecordsError
    where the schema is newer than this code, or the database holds something else.
    """
    with database.read() as connection:
        revision = stored_revision(connection)
    if revision == REVISIONS[-1]:
        return
    with database.write() as connection:
        revision = stored_revision(connection)
        if revision == REVISIONS[-1]:
            return
        if revision is not None and revision not in REVISIONS:
            raise RecordsError(
                f"The records in {database.place!r} were written by a newer Groundwork (schema {revision}).",
                next_step=f"Install that version; this one knows schemas up to {REVISIONS[-1]}.",
            )
        if revision is None and sa.inspect(connection).get_table_names():
            raise RecordsError(
                f"The database {database.place!r} holds the tables of another program.",
                next_step="Choose another home with --home, or another database in records.url.",
            )
        if database.is_shared:
            require_utf8(connection, database.place)
        _upgrade(connection)


def stored_revision(connection: Connection) -> str | None:
    """The Alembic revision of a database; None where it has none."""
    if not sa.inspect(connection).has_table(_VERSION.name):
        return None
    found = connection.execute(sa.select(_VERSION.c.version_num)).scalar()
    return None if found is None else str(found)


def _upgrade(connection: Connection) -> None:
    # Imported here: it takes 0.2 s, and all but the first start have nothing to migrate.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
