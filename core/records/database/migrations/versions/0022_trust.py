"""Trust: accounts, groups, roles, sessions, tokens, access, the audit chain, reviews and shared links."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_MOMENT = sa.BigInteger()


def upgrade() -> None:
    """Empty tables, and a head for the audit chain to begin from."""
    op.create_table(
        "accounts",
        sa.Column("name", _TEXT, primary_key=True),
        sa.Column("display", _TEXT, nullable=False),
        sa.Column("password", _TEXT, nullable=False),
        sa.Column("identity", _TEXT, unique=True),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        sa.Column("must_change", sa.Boolean(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.Column("signed_in_at", _MOMENT),
    )
    op.create_table(
        "account_groups",
        sa.Column("name", _TEXT, primary_key=True),
        sa.Column("note", _TEXT, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
    )
    op.create_table(
        "memberships",
        sa.Column("account", _TEXT, sa.ForeignKey("accounts.name", ondelete="CASCADE"), primary_key=True),
        sa.Column(
            "group_name", _TEXT, sa.ForeignKey("account_groups.name", ondelete="CASCADE"), primary_key=True
        ),
    )
    op.create_index("memberships_by_group", "memberships", ["group_name"])
    op.create_table(
        "role_grants",
        sa.Column("kind", _TEXT, primary_key=True),
        sa.Column("holder", _TEXT, primary_key=True),
        sa.Column("role", _TEXT, primary_key=True),
    )
    op.create_table(
        "browser_sessions",
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("account", _TEXT, sa.ForeignKey("accounts.name", ondelete="CASCADE"), nullable=False),
        sa.Column("secret", _TEXT, nullable=False, unique=True),
        sa.Column("previous", _TEXT, unique=True),
        sa.Column("previous_until", _MOMENT),
        sa.Column("rotated_at", _MOMENT, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("used_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        sa.Column("address", _TEXT, nullable=False),
        sa.Column("browser", _TEXT, nullable=False),
    )
    op.create_index("browser_sessions_by_account", "browser_sessions", ["account"])
    op.create_table(
        "api_tokens",
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("account", _TEXT, sa.ForeignKey("accounts.name", ondelete="CASCADE"), nullable=False),
        sa.Column("name", _TEXT, nullable=False),
        sa.Column("secret", _TEXT, nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT, nullable=False),
        sa.Column("used_at", _MOMENT),
        sa.Column("revoked_at", _MOMENT),
    )
    op.create_index("api_tokens_by_account", "api_tokens", ["account"])
    op.create_table(
        "sign_in_failures",
        sa.Column("key", _TEXT, primary_key=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("last_at", _MOMENT, nullable=False),
        sa.Column("blocked_until", _MOMENT, nullable=False),
    )
    op.create_table(
        "access_entries",
        sa.Column("kind", _TEXT, primary_key=True),
        sa.Column("target", _TEXT, primary_key=True),
        sa.Column("grantee_kind", _TEXT, primary_key=True),
        sa.Column("grantee", _TEXT, primary_key=True),
        sa.Column("granted_by", _TEXT, nullable=False),
        sa.Column("granted_at", _MOMENT, nullable=False),
    )
    op.create_index("access_entries_by_grantee", "access_entries", ["grantee_kind", "grantee"])
    op.create_table(
        "audit_entries",
        sa.Column("sequence", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("deed", _TEXT, nullable=False),
        sa.Column("outcome", _TEXT, nullable=False),
        # From here to nonce: what a redaction takes away. The chain holds its hash alone.
        sa.Column("account", _TEXT, nullable=False),
        sa.Column("origin", _TEXT, nullable=False),
        sa.Column("subject", _TEXT, nullable=False),
        sa.Column("trace", _TEXT, nullable=False),
        sa.Column("detail", _TEXT, nullable=False),
        sa.Column("nonce", _TEXT, nullable=False),
        sa.Column("content", _TEXT, nullable=False),
        sa.Column("previous", _TEXT, nullable=False),
        sa.Column("hash", _TEXT, nullable=False),
    )
    op.create_index("audit_entries_by_account", "audit_entries", ["account", "sequence"])
    op.create_index("audit_entries_by_trace", "audit_entries", ["trace"])
    op.create_index("audit_entries_by_deed", "audit_entries", ["deed", "sequence"])
    op.create_index("audit_entries_by_subject", "audit_entries", ["subject"])
    head = op.create_table(
        "audit_head",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("hash", _TEXT, nullable=False),
    )
    op.bulk_insert(head, [{"id": 1, "sequence": 0, "hash": ""}])
    op.create_table(
        "flagged_items",
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("trace", _TEXT, nullable=False),
        sa.Column("reason", _TEXT, nullable=False),
        sa.Column("state", _TEXT, nullable=False),
        sa.Column("asker", _TEXT, nullable=False),
        sa.Column("assignee", _TEXT, nullable=False),
        sa.Column("verdict", _TEXT, nullable=False),
        sa.Column("reviewer", _TEXT, nullable=False),
        sa.Column("note", _TEXT, nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("flagged_at", _MOMENT, nullable=False),
        sa.Column("resolved_at", _MOMENT),
        sa.UniqueConstraint("trace", "reason", name="flagged_items_once"),
    )
    op.create_index("flagged_items_by_state", "flagged_items", ["state", "flagged_at"])
    op.create_table(
        "claim_verdicts",
        sa.Column("item", _TEXT, sa.ForeignKey("flagged_items.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("claim", sa.Integer(), primary_key=True),
        sa.Column("reviewer", _TEXT, primary_key=True),
        sa.Column("verdict", _TEXT, nullable=False),
        sa.Column("note", _TEXT, nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
    )
    op.create_table(
        "shared_links",
        sa.Column("secret", _TEXT, primary_key=True),
        sa.Column("kind", _TEXT, nullable=False),
        sa.Column("target", _TEXT, nullable=False),
        sa.Column("account", _TEXT, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("expires_at", _MOMENT),
        sa.Column("revoked_at", _MOMENT),
    )
    op.create_index("shared_links_by_target", "shared_links", ["kind", "target"])


def downgrade() -> None:
    """Take them away again; children first."""
    for name in (
        "shared_links",
        "claim_verdicts",
        "flagged_items",
        "audit_head",
        "audit_entries",
        "access_entries",
        "sign_in_failures",
        "api_tokens",
        "browser_sessions",
        "role_grants",
        "memberships",
        "account_groups",
        "accounts",
    ):
        op.drop_table(name)
