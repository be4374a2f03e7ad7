"""Identity of these records among all others: a random id, made once and kept with them."""

from __future__ import annotations

import secrets

import sqlalchemy as sa

from core.records.database.db import insert_or_ignore
from core.records.database.schema import meta
from core.records.store import Records

_KEY = "installation"


def installation_id(records: Records) -> str:
    """The id of these records; made at the first call, the same for every process from then on.

    A backup holds it, so a home that is restored is the same installation. Raises RecordsError.
    """
    wanted = sa.select(meta.c.value).where(meta.c.key == _KEY)
    found = records.database.scalar(wanted)
    if found is None:
        with records.database.write_rows() as connection:
            insert_or_ignore(connection, meta, [{"key": _KEY, "value": {"id": secrets.token_hex(16)}}])
            found = connection.execute(wanted).scalar_one()
    return str(found["id"])
