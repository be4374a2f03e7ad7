"""What was read of each file, and a hash of its words by which copies are known."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from core.store.database.schema import Text

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing is known of the files that are there until they are ingested again."""
    for table in ("documents", "document_versions"):
        op.add_column(table, sa.Column("gaps", sa.Integer, nullable=False, server_default="0"))
        op.add_column(table, sa.Column("text_hash", Text, nullable=False, server_default=""))
    op.add_column("document_versions", sa.Column("parts", sa.JSON, nullable=False, server_default="[]"))
    op.create_index("documents_by_text", "documents", ["text_hash", "id", "access"])


def downgrade() -> None:
    """The columns and what was noted in them go."""
    op.drop_index("documents_by_text", "documents")
    op.drop_column("document_versions", "parts")
    for table in ("documents", "document_versions"):
        op.drop_column(table, "text_hash")
        op.drop_column(table, "gaps")
