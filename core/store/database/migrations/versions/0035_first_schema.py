"""The first schema: what new homes get whole from the tables, and what older homes are completed to.

Migrations after this one change homes that are there; new homes never run them.
"""

from __future__ import annotations

revision = "0035"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing: `migrate` completes what is older."""


def downgrade() -> None:
    """Nothing is before it."""
