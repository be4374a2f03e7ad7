"""The tables of plans: those that are kept, what they gave, what nodes gave, and what went wrong.

Plans and results are JSON text (results packed with zlib): SQL looks at the columns beside them only.
"""

from __future__ import annotations

import sqlalchemy as sa

from core.records.database.schema import Moment, Text, metadata

plans = sa.Table(
    "plans",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("name", Text, nullable=False),  # "": kept for its link only
    sa.Column("question", Text, nullable=False),
    sa.Column("plan", Text, nullable=False),
    sa.Column("parameters", Text, nullable=False),
    sa.Column("owner", Text, nullable=False),
    sa.Column("acl", sa.JSON(none_as_null=True)),  # NULL: the owner alone
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("updated_at", Moment, nullable=False),
    sa.Column("updated_by", Text, nullable=False),
    sa.Column("removed_at", Moment),  # NULL: it is there; else it can be brought back for a while
    sa.Index("plans_by_name", "name", "updated_at"),
    sa.Index("plans_by_owner", "owner", "name", "updated_at"),
)

plan_runs = sa.Table(
    "plan_runs",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("plan", Text, sa.ForeignKey("plans.id", ondelete="CASCADE"), nullable=False),
    sa.Column("plan_version", sa.Integer, nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Column("user", Text, nullable=False),
    sa.Column("data_version", sa.BigInteger, nullable=False),
    sa.Column("parameters", Text, nullable=False),
    sa.Column("status", Text, nullable=False),
    sa.Column("latency_ms", sa.Float, nullable=False),
    sa.Column("result", sa.LargeBinary, nullable=False),  # a RunResult as JSON, zlib
    sa.Index("plan_runs_by_plan", "plan", "at"),
)

node_results = sa.Table(
    "node_results",
    metadata,
    sa.Column("key", Text, primary_key=True),
    sa.Column("data_version", sa.BigInteger, nullable=False),
    sa.Column("size_bytes", sa.Integer, nullable=False),
    sa.Column("used_at", Moment, nullable=False),
    sa.Column("result", sa.LargeBinary, nullable=False),  # a Result as JSON, zlib
    sa.Index("node_results_by_use", "used_at", "size_bytes"),
    sa.Index("node_results_by_version", "data_version"),
)

# Sums over earlier runs of a kind of node, from which a line through (rows in scope, ms) is drawn.
node_figures = sa.Table(
    "node_figures",
    metadata,
    sa.Column("kind", Text, primary_key=True),
    sa.Column("runs", sa.Float, nullable=False),
    sa.Column("rows", sa.Float, nullable=False),
    sa.Column("ms", sa.Float, nullable=False),
    sa.Column("rows_rows", sa.Float, nullable=False),
    sa.Column("rows_ms", sa.Float, nullable=False),
)

lessons = sa.Table(
    "lessons",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("trace", Text, nullable=False),  # of the answer
    sa.Column("question", Text, nullable=False),
    sa.Column("shape", Text, nullable=False),
    sa.Column("slots", sa.JSON, nullable=False),
    sa.Column("buckets", sa.JSON, nullable=False),
    sa.Column("user", Text, nullable=False),
    sa.Column("asked_at", Moment, nullable=False),
    sa.Column("outcome", Text, nullable=False),
    sa.Column("status", Text, nullable=False),
    sa.Column("plan", Text),
    sa.Column("corrected", Text),
    sa.Column("corrected_question", Text, nullable=False),
    sa.Column("corrected_at", Moment),
    sa.Column("corrected_by", Text, nullable=False),
    sa.Column("is_shared", sa.Boolean, nullable=False, server_default=sa.true()),  # read so for everybody
    # (2, d) float32, little endian: the question with plain words for its values, and its unknown words.
    sa.Column("vector", sa.LargeBinary),
    sa.Column("encoder", Text, nullable=False),  # the hash of its signature; "": there are no vectors
    sa.Column("taught", Text),  # how its words were marked, as JSON; NULL: it was corrected otherwise, or not
    sa.Column("forgotten_at", Moment),  # NULL: it is there; else it can be brought back for a while
    sa.Index("lessons_by_shape", "shape", "corrected_at"),
    sa.Index("lessons_by_user", "user", "asked_at"),
    sa.Index("lessons_by_trace", "trace"),
    sa.Index("lessons_by_time", "asked_at"),
    sa.Index("lessons_by_question", "question"),
)

uncovered_phrases = sa.Table(
    "uncovered_phrases",
    metadata,
    sa.Column("lesson", Text, sa.ForeignKey("lessons.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("phrase", Text, primary_key=True),  # case-folded
    sa.Column("written", Text, nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Index("uncovered_phrases_by_phrase", "phrase", "at"),
)

settled_phrases = sa.Table(
    "settled_phrases",
    metadata,
    sa.Column("phrase", Text, primary_key=True),  # case-folded
    sa.Column("written", Text, nullable=False),
    sa.Column("how", Text, nullable=False),  # "ignored" for good; "known" until it is uncovered again
    sa.Column("at", Moment, nullable=False),
    sa.Column("user", Text, nullable=False),
)
