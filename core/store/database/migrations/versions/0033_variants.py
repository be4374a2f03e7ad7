"""Variants of a home, and vectors of other encoders beside its own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from core.store.database.schema import BigId, Moment, Text

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """There is no variant, and no vector but the home's own."""
    op.create_table(
        "vector_sets",
        sa.Column("id", BigId, primary_key=True),
        sa.Column("name", Text, nullable=False),
        sa.Column("dimension", sa.Integer, nullable=False),
        sa.Column("sha256", Text, nullable=False),
        sa.Column("is_whole", sa.Boolean, nullable=False, server_default=sa.false()),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "variants",
        sa.Column("id", BigId, primary_key=True),
        sa.Column("name", Text, nullable=False, unique=True),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("vector_set", BigId, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("user", Text, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "variant_comparisons",
        sa.Column("job", Text, primary_key=True),
        sa.Column("at", Moment, nullable=False),
        sa.Column("report", Text, nullable=False),
    )
    for name, columns in (
        ("other_passage_vectors", [sa.Column("vector", sa.LargeBinary, nullable=False)]),
        (
            "other_sentence_vectors",
            [
                sa.Column("dimension", sa.Integer, nullable=False),
                sa.Column("vectors", sa.LargeBinary, nullable=False),
            ],
        ),
    ):
        op.create_table(
            name,
            sa.Column(
                "passage",
                BigId,
                sa.ForeignKey("passages.id", ondelete="CASCADE"),
                primary_key=True,
                autoincrement=False,
            ),
            sa.Column("vector_set", BigId, primary_key=True, autoincrement=False),
            *columns,
        )


def downgrade() -> None:
    """Variants and their vectors go."""
    for name in (
        "other_sentence_vectors",
        "other_passage_vectors",
        "variant_comparisons",
        "variants",
        "vector_sets",
    ):
        op.drop_table(name)
