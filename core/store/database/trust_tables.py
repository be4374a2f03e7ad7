"""Tables of trust: accounts, what they may do and see, sessions, tokens, audit chain, links."""

from __future__ import annotations

import sqlalchemy as sa

from core.store.database.schema import Moment, Text, metadata

accounts = sa.Table(
    "accounts",
    metadata,
    sa.Column("name", Text, primary_key=True),
    sa.Column("display", Text, nullable=False),
    sa.Column("password", Text, nullable=False),  # argon2id; "": signs in elsewhere
    sa.Column("identity", Text, unique=True),  # issuer and subject at an identity provider; NULL without one
    sa.Column("disabled", sa.Boolean, nullable=False),
    sa.Column("must_change", sa.Boolean, nullable=False),  # the password was set by somebody else
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("updated_at", Moment, nullable=False),
    sa.Column("signed_in_at", Moment),
)

account_groups = sa.Table(
    "account_groups",
    metadata,
    sa.Column("name", Text, primary_key=True),
    sa.Column("note", Text, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
)

memberships = sa.Table(
    "memberships",
    metadata,
    sa.Column("account", Text, sa.ForeignKey("accounts.name", ondelete="CASCADE"), primary_key=True),
    sa.Column("group_name", Text, sa.ForeignKey("account_groups.name", ondelete="CASCADE"), primary_key=True),
    sa.Index("memberships_by_group", "group_name"),
)

role_grants = sa.Table(
    "role_grants",
    metadata,
    sa.Column("kind", Text, primary_key=True),  # account, or group: everybody in it
    sa.Column("holder", Text, primary_key=True),
    sa.Column("role", Text, primary_key=True),
)

browser_sessions = sa.Table(
    "browser_sessions",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("account", Text, sa.ForeignKey("accounts.name", ondelete="CASCADE"), nullable=False),
    sa.Column("secret", Text, nullable=False, unique=True),  # SHA-256 of what the cookie holds
    sa.Column("previous", Text, unique=True),  # of the one before, in a browser that has not got the new one
    sa.Column("previous_until", Moment),  # NULL until the new one was used
    sa.Column("rotated_at", Moment, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("used_at", Moment, nullable=False),
    sa.Column("expires_at", Moment, nullable=False),
    sa.Column("address", Text, nullable=False),
    sa.Column("browser", Text, nullable=False),
    sa.Index("browser_sessions_by_account", "account"),
)

api_tokens = sa.Table(
    "api_tokens",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("account", Text, sa.ForeignKey("accounts.name", ondelete="CASCADE"), nullable=False),
    sa.Column("name", Text, nullable=False),
    sa.Column("secret", Text, nullable=False),  # SHA-256; the token itself is shown once and never kept
    sa.Column("scopes", sa.JSON, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("expires_at", Moment, nullable=False),
    sa.Column("used_at", Moment),
    sa.Column("revoked_at", Moment),
    sa.Index("api_tokens_by_account", "account"),
)

sign_in_failures = sa.Table(
    "sign_in_failures",
    metadata,
    sa.Column("key", Text, primary_key=True),  # an account or an address, hashed
    sa.Column("failures", sa.Integer, nullable=False),
    sa.Column("last_at", Moment, nullable=False),
    sa.Column("blocked_until", Moment, nullable=False),
)

access_entries = sa.Table(
    "access_entries",
    metadata,
    sa.Column("kind", Text, primary_key=True),  # bucket, document, removed
    sa.Column("target", Text, primary_key=True),
    sa.Column("grantee_kind", Text, primary_key=True),  # group, user, admins, everybody
    sa.Column("grantee", Text, primary_key=True),
    sa.Column("granted_by", Text, nullable=False),
    sa.Column("granted_at", Moment, nullable=False),
    sa.Index("access_entries_by_grantee", "grantee_kind", "grantee"),
)

audit_entries = sa.Table(
    "audit_entries",
    metadata,
    sa.Column("sequence", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("at", Moment, nullable=False),
    sa.Column("deed", Text, nullable=False),
    sa.Column("outcome", Text, nullable=False),
    # From here to nonce: what a redaction takes away. The chain holds its hash alone.
    sa.Column("account", Text, nullable=False),
    sa.Column("origin", Text, nullable=False),
    sa.Column("subject", Text, nullable=False),
    sa.Column("trace", Text, nullable=False),
    sa.Column("detail", Text, nullable=False),  # canonical JSON
    sa.Column("nonce", Text, nullable=False),  # so that what was redacted cannot be guessed from its hash
    sa.Column("content", Text, nullable=False),  # hash of the above
    sa.Column("previous", Text, nullable=False),  # hash of the entry before
    sa.Column("hash", Text, nullable=False),
    sa.Index("audit_entries_by_account", "account", "sequence"),
    sa.Index("audit_entries_by_trace", "trace"),
    sa.Index("audit_entries_by_deed", "deed", "sequence"),
    sa.Index("audit_entries_by_subject", "subject"),
)

audit_head = sa.Table(
    "audit_head",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),  # always 1
    sa.Column("sequence", sa.BigInteger, nullable=False),
    sa.Column("hash", Text, nullable=False),
)
"""One row. Who appends holds it locked, so that writers of all processes take turns."""

shared_links = sa.Table(
    "shared_links",
    metadata,
    sa.Column("secret", Text, primary_key=True),  # SHA-256 of what the address holds
    sa.Column("kind", Text, nullable=False),  # answer, conversation, audit
    sa.Column("target", Text, nullable=False),
    sa.Column("account", Text, nullable=False),  # who shared it
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("expires_at", Moment),
    sa.Column("revoked_at", Moment),
    sa.Index("shared_links_by_target", "kind", "target"),
)

request_keys = sa.Table(
    "request_keys",
    metadata,
    sa.Column("key", Text, primary_key=True),  # SHA-256 of the caller, the address and what the caller sent
    sa.Column("claim", Text, nullable=False),  # who answers the request now, or has done so
    sa.Column("claimed_at", Moment, nullable=False),
    sa.Column("fingerprint", Text),  # SHA-256 of the body; NULL until there is a response
    sa.Column("view", Text, nullable=False),  # state of the collection and of the caller's access
    sa.Column("status", sa.Integer, nullable=False),
    sa.Column("headers", sa.JSON, nullable=False),
    sa.Column("body", sa.LargeBinary, nullable=False),
    sa.Index("request_keys_by_time", "claimed_at"),
)

review_items = sa.Table(
    "review_items",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("trace", Text, nullable=False, unique=True),
    sa.Column("asker", Text, nullable=False),
    sa.Column("question", Text, nullable=False),
    sa.Column("kind", Text, nullable=False),
    sa.Column("status", Text, nullable=False),
    sa.Column("confidence", sa.Float, nullable=False),
    sa.Column("data_version", sa.BigInteger, nullable=False),
    sa.Column("fingerprint", Text, nullable=False),
    sa.Column("documents", sa.JSON, nullable=False),  # ids: who may not see one may not see the item
    sa.Column("state", Text, nullable=False),  # open, resolved
    sa.Column("assignee", Text, nullable=False),  # "": nobody
    sa.Column("assigned_at", Moment),
    sa.Column("verdict", Text, nullable=False),  # "" while it is open
    sa.Column("reviewer", Text, nullable=False),
    sa.Column("note", Text, nullable=False),
    sa.Column("corrections", sa.JSON, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),  # rises with each change: two reviewers on one item
    sa.Column("flagged_at", Moment, nullable=False),
    sa.Column("resolved_at", Moment),
    sa.Index("review_items_by_state", "state", "flagged_at"),
    sa.Index("review_items_by_fingerprint", "fingerprint"),
)

review_flags = sa.Table(
    "review_flags",
    metadata,
    sa.Column("item", Text, sa.ForeignKey("review_items.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("reason", Text, primary_key=True),
    sa.Column("note", Text, nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Index("review_flags_by_reason", "reason"),
)

claim_verdicts = sa.Table(
    "claim_verdicts",
    metadata,
    sa.Column("item", Text, sa.ForeignKey("review_items.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("claim", sa.Integer, primary_key=True, autoincrement=False),  # -1: the answer as a whole
    sa.Column("reviewer", Text, primary_key=True),
    sa.Column("verdict", Text, nullable=False),  # correct, wrong, partly
    sa.Column("note", Text, nullable=False),
    sa.Column("at", Moment, nullable=False),
)

answer_feedback = sa.Table(
    "answer_feedback",
    metadata,
    sa.Column("trace", Text, primary_key=True),
    sa.Column("citation", sa.Integer, primary_key=True, autoincrement=False),  # 0: the answer
    sa.Column("account", Text, primary_key=True),
    sa.Column("word", Text, nullable=False),  # up, down
    sa.Column("reason", Text, nullable=False),
    sa.Column("note", Text, nullable=False),
    sa.Column("at", Moment, nullable=False),
)

evaluation_cases = sa.Table(
    "evaluation_cases",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("question", Text, nullable=False, unique=True),  # folded, with its bucket: one case for each
    sa.Column("item", Text, nullable=False),  # the flagged answer that it came from
    sa.Column("case", sa.JSON, nullable=False),
    sa.Column("account", Text, nullable=False),
    sa.Column("at", Moment, nullable=False),
)
