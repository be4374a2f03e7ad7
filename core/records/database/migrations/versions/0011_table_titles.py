"""Tables in documents: what they are called, and which of their rows add up others."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """A table, and a column that is filled when documents are extracted anew."""
    op.create_table(
        "annotation_titles",
        sa.Column("document", _TEXT, sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("table_no", sa.Integer(), primary_key=True, autoincrement=False, nullable=False),
        sa.Column("sheet", _TEXT, nullable=False),
        sa.Column("caption", _TEXT, nullable=False),
    )
    op.add_column(
        "annotation_rows", sa.Column("is_total", sa.Boolean(), nullable=False, server_default=sa.false())
    )


def downgrade() -> None:
    """Take them away again."""
    op.drop_column("annotation_rows", "is_total")
    op.drop_table("annotation_titles")
