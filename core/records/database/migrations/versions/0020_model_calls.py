"""Calls of language models: a row for each, by which budgets of a day are kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """One table, empty at first."""
    op.create_table(
        "model_calls",
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("user", _TEXT, nullable=False),
        sa.Column("trace", _TEXT, nullable=False),
        sa.Column("job", _TEXT, nullable=False),
        sa.Column("role", _TEXT, nullable=False),
        sa.Column("prompt", _TEXT, nullable=False),
        sa.Column("model", _TEXT, nullable=False),
        sa.Column("outcome", _TEXT, nullable=False),
        sa.Column("prompt_tokens", sa.Integer(), nullable=False),
        sa.Column("completion_tokens", sa.Integer(), nullable=False),
        sa.Column("cost_usd", sa.Float()),
        sa.Column("latency_ms", sa.Float(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("detail", _TEXT, nullable=False),
    )
    op.create_index("model_calls_by_time", "model_calls", ["at"])
    op.create_index("model_calls_by_trace", "model_calls", ["trace"])


def downgrade() -> None:
    """Take it away again."""
    op.drop_table("model_calls")
