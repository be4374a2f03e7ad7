"""Replies of a model about documents that are being read, and buckets whose new documents it reads."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from core.store.database.schema import Text

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing is known of earlier replies, and no bucket is read without being asked."""
    op.create_table(
        "model_replies",
        sa.Column("key", Text, primary_key=True),
        sa.Column("document", Text, sa.ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
        sa.Column("reply", Text, nullable=False),
    )
    op.add_column(
        "buckets", sa.Column("read_by_model", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.create_index("model_replies_by_document", "model_replies", ["document"])


def downgrade() -> None:
    """Replies under way go, and would be paid for again."""
    op.drop_column("buckets", "read_by_model")
    op.drop_table("model_replies")
