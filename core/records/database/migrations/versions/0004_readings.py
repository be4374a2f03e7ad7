"""Text read off the images of pages: kept by the original, so that any version of it can use it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "page_readings",
        sa.Column("content_hash", _TEXT, nullable=False),
        sa.Column("page_no", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("text", _TEXT, nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("content_hash", "page_no"),
    )


def downgrade() -> None:
    """Drop it again."""
    op.drop_table("page_readings")
