"""Whether a corrected question is read so for everybody, or for who corrected it alone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from core.records.database.schema import REVISIONS

revision = "0026"
down_revision = max(each for each in REVISIONS if each < revision)
branch_labels = None
depends_on = None


def upgrade() -> None:
    """What was corrected before holds for everybody, as it did."""
    op.add_column("lessons", sa.Column("is_shared", sa.Boolean(), nullable=False, server_default=sa.true()))


def downgrade() -> None:
    """Every correction holds for everybody."""
    op.drop_column("lessons", "is_shared")
