"""Review: an item for each flagged answer, with its flags; opinions on answers; cases from verdicts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from core.records.database.schema import REVISIONS

revision = "0025"
down_revision = REVISIONS[REVISIONS.index(revision) - 1]
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_MOMENT = sa.BigInteger()


def upgrade() -> None:
    """One item for an answer, however many flags it has. Nothing was ever kept in the tables before it."""
    op.drop_table("claim_verdicts")
    op.drop_table("flagged_items")
    op.create_table(
        "review_items",
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("trace", _TEXT, nullable=False, unique=True),
        sa.Column("asker", _TEXT, nullable=False),
        sa.Column("question", _TEXT, nullable=False),
        sa.Column("kind", _TEXT, nullable=False),
        sa.Column("status", _TEXT, nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("data_version", sa.BigInteger(), nullable=False),
        sa.Column("fingerprint", _TEXT, nullable=False),
        sa.Column("documents", sa.JSON(), nullable=False),
        sa.Column("state", _TEXT, nullable=False),
        sa.Column("assignee", _TEXT, nullable=False),
        sa.Column("assigned_at", _MOMENT),
        sa.Column("verdict", _TEXT, nullable=False),
        sa.Column("reviewer", _TEXT, nullable=False),
        sa.Column("note", _TEXT, nullable=False),
        sa.Column("corrections", sa.JSON(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("flagged_at", _MOMENT, nullable=False),
        sa.Column("resolved_at", _MOMENT),
    )
    op.create_index("review_items_by_state", "review_items", ["state", "flagged_at"])
    op.create_index("review_items_by_fingerprint", "review_items", ["fingerprint"])
    op.create_table(
        "review_flags",
        sa.Column("item", _TEXT, sa.ForeignKey("review_items.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("reason", _TEXT, primary_key=True),
        sa.Column("note", _TEXT, nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
    )
    op.create_index("review_flags_by_reason", "review_flags", ["reason"])
    _create_claim_verdicts("review_items.id")
    op.create_table(
        "answer_feedback",
        sa.Column("trace", _TEXT, primary_key=True),
        sa.Column("citation", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("account", _TEXT, primary_key=True),
        sa.Column("word", _TEXT, nullable=False),
        sa.Column("reason", _TEXT, nullable=False),
        sa.Column("note", _TEXT, nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
    )
    op.create_table(
        "evaluation_cases",
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("question", _TEXT, nullable=False, unique=True),
        sa.Column("item", _TEXT, nullable=False),
        sa.Column("case", sa.JSON(), nullable=False),
        sa.Column("account", _TEXT, nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
    )


def downgrade() -> None:
    """The tables as they were before, empty."""
    for name in ("evaluation_cases", "answer_feedback", "claim_verdicts", "review_flags", "review_items"):
        op.drop_table(name)
    op.create_table(
        "flagged_items",
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("trace", _TEXT, nullable=False),
        sa.Column("reason", _TEXT, nullable=False),
        sa.Column("state", _TEXT, nullable=False),
        sa.Column("asker", _TEXT, nullable=False),
        sa.Column("assignee", _TEXT, nullable=False),
        sa.Column("verdict", _TEXT, nullable=False),
        sa.Column("reviewer", _TEXT, nullable=False),
        sa.Column("note", _TEXT, nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("flagged_at", _MOMENT, nullable=False),
        sa.Column("resolved_at", _MOMENT),
        sa.UniqueConstraint("trace", "reason", name="flagged_items_once"),
    )
    op.create_index("flagged_items_by_state", "flagged_items", ["state", "flagged_at"])
    _create_claim_verdicts("flagged_items.id")


def _create_claim_verdicts(item: str) -> None:
    op.create_table(
        "claim_verdicts",
        sa.Column("item", _TEXT, sa.ForeignKey(item, ondelete="CASCADE"), primary_key=True),
        sa.Column("claim", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("reviewer", _TEXT, primary_key=True),
        sa.Column("verdict", _TEXT, nullable=False),
        sa.Column("note", _TEXT, nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
    )
