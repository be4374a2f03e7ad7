"""The first schema: what new homes get whole from the tables, and what homes of before hold already.

Migrations after this one change homes that are there; new homes never run them.
"""

from __future__ import annotations

revision = "0026"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing: no home is older."""


def downgrade() -> None:
    """Nothing is before it."""
