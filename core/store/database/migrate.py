"""Makes the tables of a new database, migrates an older one, and refuses one that is ahead of this code."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.errors import RecordsError
from core.store.database import (  # noqa: F401 - their tables belong to the metadata
    dataset_tables,
    field_tables,
    variant_tables,
    work_tables,
)
from core.store.database.db import Database
from core.store.database.postgres import require_utf8
from core.store.database.schema import OLDEST, REVISIONS, documents, metadata
from core.store.database.trust_tables import audit_head

_VERSIONS = sa.Table(  # as Alembic makes it
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
_MIGRATIONS = Path(__file__).parent / "migrations"


def ensure_schema(database: Database) -> None:
    """Make the tables, or migrate them; one SELECT where there is nothing to do.

    Two processes may do this at once: the second waits, then finds the work done. Raises RecordsError
    where the schema is newer than this code or older than any it knows, or the database holds something else.
    """
    with database.read() as connection:
        if stored_revision(connection) == REVISIONS[-1]:
            return
    with database.write() as connection:
        revision = stored_revision(connection)
        if revision == REVISIONS[-1]:
            return
        if revision is None:
            if sa.inspect(connection).get_table_names():
                raise RecordsError(
                    f"The database {database.place!r} holds the tables of another program.",
                    next_step="Choose another home with --home, or another database in records.url.",
                )
            if database.is_shared:
                require_utf8(connection, database.place)
            _make_tables(connection)
        else:
            require_known(revision, f"The records in {database.place!r} were written")
            if revision < REVISIONS[0]:
                _complete(connection)
            _upgrade(connection)


def stored_revision(connection: Connection) -> str | None:
    """The Alembic revision of a database; None where it has none."""
    if not sa.inspect(connection).has_table(_VERSIONS.name):
        return None
    return connection.execute(sa.select(_VERSIONS.c.version_num)).scalar()


def require_known(revision: str, beginning: str) -> None:
    """Raises RecordsError where no home of this revision can be opened. beginning: of its sentence."""
    if revision in REVISIONS or OLDEST <= revision < REVISIONS[0]:
        return
    if revision < OLDEST:
        raise RecordsError(
            f"{beginning} by a Groundwork from before the first release (schema {revision}).",
            next_step=f"Open it once with a build of schema {OLDEST}, or ingest the documents "
            "into a new home: groundwork --home NEW ingest FOLDER",
        )
    raise RecordsError(
        f"{beginning} by a newer Groundwork (schema {revision}).",
        next_step=f"Install that version; this one knows schemas up to {REVISIONS[-1]}.",
    )


def _make_tables(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        # A hash takes names of any length; said in the schema it would always import that dialect (30 ms).
        (by_name,) = (each for each in documents.indexes if each.name == "documents_by_name")
        by_name.dialect_options["postgresql"]["using"] = "hash"
    metadata.create_all(connection, checkfirst=False)
    connection.execute(sa.insert(audit_head).values(id=1, sequence=0, hash=""))
    _VERSIONS.create(connection)
    connection.execute(sa.insert(_VERSIONS).values(version_num=REVISIONS[-1]))


def _complete(connection: Connection) -> None:
    """Make the tables, columns and indices that a home from before the first revision lacks."""
    from alembic.migration import MigrationContext
    from alembic.operations import Operations

    metadata.create_all(connection)
    operations, found = Operations(MigrationContext.configure(connection)), sa.inspect(connection)
    for table in metadata.sorted_tables:
        columns = {each["name"] for each in found.get_columns(table.name)}
        for column in table.columns:
            if column.name not in columns:
                operations.add_column(table.name, column)
        told = {each["name"]: each["column_names"] for each in found.get_indexes(table.name)}
        for index in table.indexes:
            names = [column.name for column in index.columns]
            if None not in (held := told.get(index.name, names)) and held != names:
                index.drop(connection)
            index.create(connection, checkfirst=True)
    connection.execute(sa.update(_VERSIONS).values(version_num=REVISIONS[0]))


def _upgrade(connection: Connection) -> None:
    # Imported here: it takes 0.2 s, and only homes of an earlier release have anything to migrate.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
