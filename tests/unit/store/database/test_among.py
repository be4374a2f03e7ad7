"""Columns among many values, on every database."""

from __future__ import annotations

import sqlalchemy as sa

from core.store.database.among import MOST_PARAMETERS, among
from core.store.database.db import rows_among
from core.store.database.schema import buckets, documents
from core.store.store import Records

NAMES = [f"b{number:05}" for number in range(4)]


def test_no_values_mean_all_and_few_and_many_the_same(records: Records) -> None:
    for name in NAMES:
        records.documents.add_bucket(name)
    absent = [f"x{number}'\"\0" for number in range(3 * MOST_PARAMETERS)]

    with records.database.read() as connection:

        def found(values: list[str] | None) -> list[str]:
            statement = sa.select(buckets.c.name).where(buckets.c.name.in_(NAMES))
            listed = connection.execute(statement.where(among(buckets.c.name, values)))
            assert sorted(row.name for row in listed) == sorted(
                row.name for row in rows_among(connection, statement, buckets.c.name, values)
            )
            return sorted(connection.execute(statement.where(among(buckets.c.name, values))).scalars().all())

        assert found(None) == NAMES
        assert found(NAMES[:2]) == NAMES[:2]
        assert found([*NAMES[1:], *absent]) == NAMES[1:]
        assert found([]) == []


def test_numbers_are_taken_by_several_statements(records: Records) -> None:
    statement = sa.select(documents.c.version)
    with records.database.read() as connection:
        assert list(rows_among(connection, statement, documents.c.version, range(2 * MOST_PARAMETERS))) == []
