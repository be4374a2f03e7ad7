"""Entries for the access that documents were given when they were brought in."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

from core.records.database.schema import REVISIONS

revision = "0024"
down_revision = max(each for each in REVISIONS if each < revision)
branch_labels = None
depends_on = None

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DOCUMENTS = sa.table("documents", sa.column("id"), sa.column("acl"), sa.column("access"))
_ENTRIES = sa.table(
    "access_entries",
    *(sa.column(name) for name in ("kind", "target", "grantee_kind", "grantee", "granted_by", "granted_at")),
)


def upgrade() -> None:
    """An entry for each group that a document was open to; documents for everybody follow their bucket."""
    op.create_index("documents_by_name", "documents", ["name"], postgresql_using="hash")
    connection = op.get_bind()
    now = (datetime.now(UTC) - _EPOCH).total_seconds()
    restricted = sa.select(_DOCUMENTS.c.id, _DOCUMENTS.c.acl).where(_DOCUMENTS.c.access.not_in(("", "gone:")))
    for id, acl in connection.execute(restricted).all():
        groups = json.loads(acl) if isinstance(acl, str | bytes) else acl
        rows = [
            {
                "kind": "document",
                "target": id,
                "grantee_kind": "group",
                "grantee": group,
                "granted_by": "ingest",
                "granted_at": int(now * 1_000_000),
            }
            for group in sorted(set(groups))
        ]
        if rows:
            connection.execute(sa.insert(_ENTRIES), rows)


def downgrade() -> None:
    """Without them; what documents are open to stays in their rows."""
    op.drop_index("documents_by_name", "documents")
    op.execute(sa.delete(_ENTRIES).where(_ENTRIES.c.kind == "document"))
