"""Tables of review: flagged answers with their flags and verdicts, opinions of askers, evaluation cases."""

from __future__ import annotations

import sqlalchemy as sa

from core.records.database.schema import Moment, Text, metadata

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
