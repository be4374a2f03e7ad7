"""Suites of a home, runs of suites with what came of each case, and cases that do not count."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from core.store.database.schema import Moment, Text

revision = "0032"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing was run yet."""
    op.create_table(
        "evaluation_suites",
        sa.Column("name", Text, primary_key=True),
        sa.Column("title", Text, nullable=False),
        sa.Column("cases", Text, nullable=False),
        sa.Column("account", Text, nullable=False),
        sa.Column("updated_at", Moment, nullable=False),
    )
    op.create_table(
        "evaluation_runs",
        sa.Column("id", Text, primary_key=True),
        sa.Column("suite", Text, nullable=False),
        sa.Column("job", Text, nullable=False),
        sa.Column("user", Text, nullable=False),
        sa.Column("with_model", sa.Boolean, nullable=False),
        sa.Column("versions", sa.JSON, nullable=False),
        sa.Column("cases", Text, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
    )
    op.create_index("evaluation_runs_by_time", "evaluation_runs", ["created_at"])
    op.create_index("evaluation_runs_by_suite", "evaluation_runs", ["suite", "created_at"])
    op.create_table(
        "evaluation_results",
        sa.Column("run", Text, sa.ForeignKey("evaluation_runs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("case", Text, primary_key=True),
        sa.Column("ordinal", sa.Integer, nullable=False),
        sa.Column("result", Text, nullable=False),
        sa.Column("at", Moment, nullable=False),
    )
    op.create_table(
        "muted_cases",
        sa.Column("suite", Text, primary_key=True),
        sa.Column("case", Text, primary_key=True),
        sa.Column("reason", Text, nullable=False),
        sa.Column("account", Text, nullable=False),
        sa.Column("at", Moment, nullable=False),
    )


def downgrade() -> None:
    """Runs and own suites go."""
    for table in ("muted_cases", "evaluation_results", "evaluation_runs", "evaluation_suites"):
        op.drop_table(table)
