"""Readings: other ones of an answer, the answer of the first one, and sets in hand that were cleared."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NULLABLE = (
    ("traces", "other_readings", sa.JSON()),
    ("turns", "first_answer", _TEXT),
    ("turns", "first_trace", _TEXT),
)


def upgrade() -> None:
    """Columns that what is kept already leaves empty: nothing was changed or cleared then."""
    for table, name, kind in _NULLABLE:
        op.add_column(table, sa.Column(name, kind, nullable=True))
    op.add_column("conversations", sa.Column("cleared", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Take them away again."""
    op.drop_column("conversations", "cleared")
    for table, name, _ in _NULLABLE:
        op.drop_column(table, name)
