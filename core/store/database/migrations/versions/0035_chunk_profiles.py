"""Passages of a chunk profile beside those of the home."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from core.store.database.schema import Text

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

_INDEX = "passages_by_document"


def upgrade() -> None:
    """All passages and vectors there are belong to the home's profile."""
    op.drop_index(_INDEX, "passages")
    for table in ("passages", "vector_sets"):
        op.add_column(table, sa.Column("profile", Text, nullable=False, server_default=""))
    op.create_index(_INDEX, "passages", ["document", "profile", "ordinal"], unique=True)


def downgrade() -> None:
    """Passages of other profiles go, with their vectors."""
    op.execute("DELETE FROM passages WHERE profile <> ''")
    op.drop_index(_INDEX, "passages")
    for table in ("passages", "vector_sets"):
        op.drop_column(table, "profile")
    op.create_index(_INDEX, "passages", ["document", "ordinal"], unique=True)
