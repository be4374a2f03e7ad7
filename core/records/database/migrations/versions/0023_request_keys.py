"""Requests that a program may send twice: the response that the first one got."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from core.records.database.schema import REVISIONS

revision = "0023"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_MOMENT = sa.BigInteger()


def upgrade() -> None:
    """One table, empty at first."""
    op.create_table(
        "request_keys",
        sa.Column("key", _TEXT, primary_key=True),
        sa.Column("claim", _TEXT, nullable=False),
        sa.Column("claimed_at", _MOMENT, nullable=False),
        sa.Column("fingerprint", _TEXT),
        sa.Column("view", _TEXT, nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("headers", sa.JSON(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
    )
    op.create_index("request_keys_by_time", "request_keys", ["claimed_at"])


def downgrade() -> None:
    """Take it away again."""
    op.drop_table("request_keys")
