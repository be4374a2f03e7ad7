"""Ways by which questions were tried, and the stage at which each failed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from core.store.database.schema import Moment, Text

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing was tried before."""
    op.create_table(
        "question_tries",
        sa.Column("trace", Text, primary_key=True),
        sa.Column("ordinal", sa.Integer, primary_key=True),
        sa.Column("question", Text, nullable=False),
        sa.Column("shape", Text, nullable=False),
        sa.Column("user", Text, nullable=False),
        sa.Column("sight", Text, nullable=False),
        sa.Column("at", Moment, nullable=False),
        sa.Column("route", Text, nullable=False),
        sa.Column("reader", Text, nullable=False),
        sa.Column("status", Text, nullable=False),
        sa.Column("stage", Text, nullable=False),
        sa.Column("buckets", sa.JSON, nullable=False),
        sa.Column("is_again", sa.Boolean, nullable=False),
    )
    op.create_index("question_tries_by_shape", "question_tries", ["shape", "sight", "at"])
    op.create_index("question_tries_by_user", "question_tries", ["user", "at"])
    op.create_index("question_tries_by_time", "question_tries", ["at"])


def downgrade() -> None:
    """What was tried goes; lessons stay."""
    op.drop_table("question_tries")
