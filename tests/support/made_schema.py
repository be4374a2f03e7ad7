"""The tables of a new home made from the statements of the first: its migrations take a quarter second."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy.engine import Connection

from core.records.database.migrate import stored_revision

Upgrade = Callable[[Connection], None]


class MadeSchema:
    """Stands in for the upgrade of a database: an empty SQLite file gets what the migrations made of one.

    The first one, files that have tables, and Postgres are migrated as always.
    """

    def __init__(self, migrate: Upgrade) -> None:
        self.migrate = migrate
        self._statements: tuple[str, ...] = ()

    def __call__(self, connection: Connection) -> None:
        if connection.dialect.name != "sqlite" or stored_revision(connection) is not None:
            self.migrate(connection)
            return
        driver = connection.connection.driver_connection
        assert driver is not None
        for statement in self._statements:
            driver.execute(statement)
        if not self._statements:
            self.migrate(connection)
            self._statements = _dumped(connection)


def _dumped(connection: Connection) -> tuple[str, ...]:
    driver = connection.connection.driver_connection
    assert driver is not None
    return tuple(each for each in driver.iterdump() if not each.startswith(("BEGIN", "COMMIT")))
