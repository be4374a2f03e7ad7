"""Answers: each is kept once, beside its trace, and its follow-ups are added when they are planned."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Two columns; what is kept already stays where it is, and is read there."""
    op.add_column("traces", sa.Column("answer", _TEXT, nullable=True))
    op.add_column("traces", sa.Column("follow_ups", sa.JSON(), nullable=True))


def downgrade() -> None:
    """Take them away again."""
    op.drop_column("traces", "follow_ups")
    op.drop_column("traces", "answer")
