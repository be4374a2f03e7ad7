"""Promise levels of buckets: how sure is sure enough for a cell to count."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """A column with the level that holds where nobody chose another."""
    op.add_column("buckets", sa.Column("promise", _TEXT, nullable=False, server_default="balanced"))


def downgrade() -> None:
    """Take it away again."""
    op.drop_column("buckets", "promise")
