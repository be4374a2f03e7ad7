"""Summaries that a language model wrote, the newest of each set of documents, reader and model."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from core.store.database.schema import Moment, Text

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """None was kept before."""
    op.create_table(
        "written_summaries",
        sa.Column("scope", Text, primary_key=True),
        sa.Column("basis", Text, nullable=False),
        sa.Column("documents", sa.JSON, nullable=False),
        sa.Column("answer", Text, nullable=False),
        sa.Column("at", Moment, nullable=False),
    )


def downgrade() -> None:
    """They would be paid for again."""
    op.drop_table("written_summaries")
