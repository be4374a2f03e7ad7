"""Uncovered words that were made known, or that nobody wants to see."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "settled_phrases",
        sa.Column("phrase", _TEXT, nullable=False),
        sa.Column("written", _TEXT, nullable=False),
        sa.Column("how", _TEXT, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("user", _TEXT, nullable=False),
        sa.PrimaryKeyConstraint("phrase"),
    )


def downgrade() -> None:
    """Drop it again."""
    op.drop_table("settled_phrases")
