"""Families of documents: by what others may name each, and which agreement its own words name."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def _of_document() -> sa.Column[str]:
    return sa.Column("document", _TEXT, sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)


def upgrade() -> None:
    """Two tables, filled as documents are read again."""
    op.create_table(
        "family_marks",
        _of_document(),
        sa.Column("bucket", _TEXT, nullable=False),
        sa.Column("title", _TEXT, nullable=False),
        sa.Column("day", _TEXT, nullable=False),
    )
    op.create_index("family_marks_by_title", "family_marks", ["bucket", "title", "day"])
    op.create_table(
        "family_references",
        _of_document(),
        sa.Column("ordinal", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("bucket", _TEXT, nullable=False),
        sa.Column("kinship", _TEXT, nullable=False),
        sa.Column("title", _TEXT, nullable=False),
        sa.Column("day", _TEXT, nullable=False),
        sa.Column("page_no", sa.Integer(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("quote", _TEXT, nullable=False),
    )
    op.create_index("family_references_by_title", "family_references", ["bucket", "title", "day"])


def downgrade() -> None:
    """Take them away again."""
    op.drop_table("family_references")
    op.drop_table("family_marks")
