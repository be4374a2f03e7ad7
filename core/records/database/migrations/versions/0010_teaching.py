"""Readings that were taught: how a question was marked, and what was forgotten but can be brought back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Two columns that what is kept already leaves empty, and an index by which a wording is found again."""
    op.add_column("lessons", sa.Column("taught", _TEXT, nullable=True))
    op.add_column("lessons", sa.Column("forgotten_at", sa.BigInteger(), nullable=True))
    op.create_index("lessons_by_question", "lessons", ["question"])


def downgrade() -> None:
    """Take them away again."""
    op.drop_index("lessons_by_question", "lessons")
    op.drop_column("lessons", "forgotten_at")
    op.drop_column("lessons", "taught")
