from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa

from core.store.database.schema import documents
from core.store.database.trust_tables import access_entries
from core.store.documents.access import drop_entries, entries_of, put_entries, set_acl
from core.store.store import Records
from tests.support.versions import new_version

DAY = datetime(2026, 11, 26, 12, tzinfo=UTC)


def test_entries_are_replaced_and_everybody_is_not_nobody(records: Records) -> None:
    with records.database.write() as connection:
        put_entries(connection, "document", "a", ("legal", "user:ann"), "root", DAY)
        put_entries(connection, "document", "b", (), "root", DAY)
        put_entries(connection, "bucket", "a", ("admins:",), "root", DAY)
        assert entries_of(connection, "document", ["a", "b", "c"]) == {"a": ("legal", "user:ann"), "b": ()}
        assert entries_of(connection, "bucket", ["a"]) == {"a": ("admins:",)}

        put_entries(connection, "document", "a", ("finance",), "root", DAY)
        put_entries(connection, "document", "b", None, "root", DAY)
        assert entries_of(connection, "document", ["a", "b"]) == {"a": ("finance",)}
        drop_entries(connection, ["a"], DAY)
        assert entries_of(connection, "document", ["a"]) == {}
        assert entries_of(connection, "bucket", ["a"]) == {"a": ("admins:",)}


def test_the_same_entries_again_keep_who_gave_them(records: Records) -> None:
    with records.database.write() as connection:
        put_entries(connection, "document", "a", ("legal",), "root", DAY)
        put_entries(connection, "document", "a", ("legal",), "eve", datetime(2027, 1, 1, tzinfo=UTC))
        row = connection.execute(sa.select(access_entries)).one()
    assert (row.granted_by, row.granted_at) == ("root", DAY)


def test_an_acl_is_set_where_it_is_another_and_withdrawn_documents_stay_so(records: Records) -> None:
    gone, there = (records.documents.publish(new_version(name)).document for name in ("a", "b"))
    records.documents.withdraw([gone], "404")
    with records.database.write() as connection:
        assert set_acl(connection, sa.true(), ("legal",)) == sorted([gone, there])
        assert set_acl(connection, sa.true(), ("legal",)) == []
        found = dict(connection.execute(sa.select(documents.c.id, documents.c.access)).all())
    assert found[gone] == f"gone:{found[there]}"
