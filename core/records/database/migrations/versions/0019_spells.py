"""Spells of work of a crawl's run, so that the time between them is not counted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A column, empty for the runs that are there."""
    op.add_column("crawl_runs", sa.Column("spells", sa.JSON(), nullable=False, server_default="[]"))


def downgrade() -> None:
    """Without it."""
    op.drop_column("crawl_runs", "spells")
