"""Plans that are kept, their runs, what nodes gave, how long they took, and questions that went wrong."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_TABLES = ("uncovered_phrases", "lessons", "node_figures", "node_results", "plan_runs", "plans")


def upgrade() -> None:
    """Make the tables."""
    _create_plans()
    _create_nodes()
    _create_lessons()


def downgrade() -> None:
    """Drop them again."""
    for table in _TABLES:
        op.drop_table(table)


def _create_plans() -> None:
    op.create_table(
        "plans",
        sa.Column("id", _TEXT, nullable=False),
        sa.Column("name", _TEXT, nullable=False),
        sa.Column("question", _TEXT, nullable=False),
        sa.Column("plan", _TEXT, nullable=False),
        sa.Column("parameters", _TEXT, nullable=False),
        sa.Column("owner", _TEXT, nullable=False),
        sa.Column("acl", sa.JSON(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_by", _TEXT, nullable=False),
        sa.Column("removed_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("plans_by_name", "plans", ["name", "updated_at"])
    op.create_index("plans_by_owner", "plans", ["owner", "name", "updated_at"])
    op.create_table(
        "plan_runs",
        sa.Column("id", _TEXT, nullable=False),
        sa.Column("plan", _TEXT, nullable=False),
        sa.Column("plan_version", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("user", _TEXT, nullable=False),
        sa.Column("data_version", sa.BigInteger(), nullable=False),
        sa.Column("parameters", _TEXT, nullable=False),
        sa.Column("status", _TEXT, nullable=False),
        sa.Column("latency_ms", sa.Float(), nullable=False),
        sa.Column("result", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["plan"], ["plans.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("plan_runs_by_plan", "plan_runs", ["plan", "at"])


def _create_nodes() -> None:
    op.create_table(
        "node_results",
        sa.Column("key", _TEXT, nullable=False),
        sa.Column("data_version", sa.BigInteger(), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=False),
        sa.Column("result", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_index("node_results_by_use", "node_results", ["used_at", "size_bytes"])
    op.create_index("node_results_by_version", "node_results", ["data_version"])
    op.create_table(
        "node_figures",
        sa.Column("kind", _TEXT, nullable=False),
        sa.Column("runs", sa.Float(), nullable=False),
        sa.Column("rows", sa.Float(), nullable=False),
        sa.Column("ms", sa.Float(), nullable=False),
        sa.Column("rows_rows", sa.Float(), nullable=False),
        sa.Column("rows_ms", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("kind"),
    )


def _create_lessons() -> None:
    op.create_table(
        "lessons",
        sa.Column("id", _TEXT, nullable=False),
        sa.Column("trace", _TEXT, nullable=False),
        sa.Column("question", _TEXT, nullable=False),
        sa.Column("shape", _TEXT, nullable=False),
        sa.Column("slots", sa.JSON(), nullable=False),
        sa.Column("buckets", sa.JSON(), nullable=False),
        sa.Column("user", _TEXT, nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("outcome", _TEXT, nullable=False),
        sa.Column("status", _TEXT, nullable=False),
        sa.Column("plan", _TEXT, nullable=True),
        sa.Column("corrected", _TEXT, nullable=True),
        sa.Column("corrected_question", _TEXT, nullable=False),
        sa.Column("corrected_at", sa.BigInteger(), nullable=True),
        sa.Column("corrected_by", _TEXT, nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=True),
        sa.Column("encoder", _TEXT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("lessons_by_shape", "lessons", ["shape", "corrected_at"])
    op.create_index("lessons_by_user", "lessons", ["user", "asked_at"])
    op.create_index("lessons_by_trace", "lessons", ["trace"])
    op.create_index("lessons_by_time", "lessons", ["asked_at"])
    op.create_table(
        "uncovered_phrases",
        sa.Column("lesson", _TEXT, nullable=False),
        sa.Column("phrase", _TEXT, nullable=False),
        sa.Column("written", _TEXT, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["lesson"], ["lessons.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("lesson", "phrase"),
    )
    op.create_index("uncovered_phrases_by_phrase", "uncovered_phrases", ["phrase", "at"])
