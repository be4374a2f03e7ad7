"""Cells read by language models: a row for each, so that none is paid for twice."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """One table, empty at first."""
    op.create_table(
        "model_readings",
        sa.Column("document", _TEXT, sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("field", _TEXT, primary_key=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("basis", _TEXT, nullable=False),
        sa.Column("status", _TEXT, nullable=False),
        sa.Column("finding", sa.JSON(), nullable=False),
        sa.Column("reason", _TEXT, nullable=False),
        sa.Column("model", _TEXT, nullable=False),
        sa.Column("prompt", _TEXT, nullable=False),
        sa.Column("job", _TEXT, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("model_readings_by_job", "model_readings", ["job"])


def downgrade() -> None:
    """Take it away again."""
    op.drop_table("model_readings")
