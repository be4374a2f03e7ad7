"""Names of documents: what they are, between whom, and when, beside the titles that files state."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """A document is called by its title until its names are read."""
    op.add_column("documents", sa.Column("name", _TEXT, nullable=False, server_default=""))
    op.add_column(
        "documents", sa.Column("is_named_by_hand", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("documents", sa.Column("identity", sa.JSON(), nullable=True))
    op.execute("UPDATE documents SET name = title")


def downgrade() -> None:
    """Take the names away again."""
    for name in ("identity", "is_named_by_hand", "name"):
        op.drop_column("documents", name)
