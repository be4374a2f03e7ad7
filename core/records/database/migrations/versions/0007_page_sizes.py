"""Sizes of pages, so that nobody who shows one has to open the original first."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_COLUMNS = ("width_pt", "height_pt")


def upgrade() -> None:
    """Add the columns; pages that are stored stay without, and are measured when they are shown."""
    for name in _COLUMNS:
        op.add_column("pages", sa.Column(name, sa.Float(), nullable=True))


def downgrade() -> None:
    """Take them away again."""
    for name in _COLUMNS:
        op.drop_column("pages", name)
