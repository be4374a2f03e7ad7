"""Exchange rates that admins set."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from core.store.database.schema import Text

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """No rate is known."""
    op.create_table(
        "currency_rates",
        sa.Column("base", Text, primary_key=True),
        sa.Column("currency", Text, primary_key=True),
        sa.Column("day", sa.Integer, primary_key=True),
        sa.Column("rate", Text, nullable=False),
        sa.Column("source", Text, nullable=False),
    )


def downgrade() -> None:
    """The rates go."""
    op.drop_table("currency_rates")
