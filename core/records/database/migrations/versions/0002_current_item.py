"""Current input of a job, and the progress with it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("jobs", sa.Column("current", sa.JSON(), nullable=True))


def downgrade() -> None:
    """Take the column away again."""
    op.drop_column("jobs", "current")
