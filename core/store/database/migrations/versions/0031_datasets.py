"""Registered datasets and their versions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from core.store.database.schema import Moment, Text

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """No dataset is registered."""
    op.create_table(
        "datasets",
        sa.Column("id", Text, sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("name", Text, nullable=False),
        sa.Column("sql_name", Text, nullable=False, unique=True),
        sa.Column("source", Text, nullable=False),
        sa.Column("path", Text, nullable=False),
        sa.Column("sheet", Text, nullable=False),
        sa.Column("owner", Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created_at", Moment, nullable=False),
        sa.Column("removed_at", Moment),
    )
    op.create_table(
        "dataset_versions",
        sa.Column("dataset", Text, sa.ForeignKey("datasets.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("rows", sa.BigInteger, nullable=False),
        sa.Column("columns", sa.JSON, nullable=False),
        sa.Column("problems", sa.JSON, nullable=False),
        sa.Column("file", Text, nullable=False),
        sa.Column("content_hash", Text, nullable=False),
        sa.Column("size_bytes", sa.BigInteger, nullable=False),
        sa.Column("modified_ns", sa.BigInteger, nullable=False),
        sa.Column("registered_at", Moment, nullable=False),
    )


def downgrade() -> None:
    """The datasets go."""
    op.drop_table("dataset_versions")
    op.drop_table("datasets")
