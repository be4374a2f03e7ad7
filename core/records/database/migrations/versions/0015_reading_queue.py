"""Documents that questions wait for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """A table of what is to be read first, gone with its documents."""
    op.create_table(
        "reading_queue",
        sa.Column("document", _TEXT, sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    """Take it away again."""
    op.drop_table("reading_queue")
