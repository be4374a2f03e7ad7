"""Heads of fields in words: what was learnt of each from the verdicts of this home."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """A table of its own: a head is small, belongs to one field, and changes by itself."""
    op.create_table(
        "word_heads",
        sa.Column("schema", _TEXT, primary_key=True),
        sa.Column("field", _TEXT, primary_key=True),
        sa.Column("learnt_at", sa.BigInteger(), nullable=False),
        sa.Column("verdicts", sa.Integer(), nullable=False),
        sa.Column("newest", sa.BigInteger(), nullable=True),
        sa.Column("head", _TEXT, nullable=False),
    )


def downgrade() -> None:
    """Take it away again."""
    op.drop_table("word_heads")
