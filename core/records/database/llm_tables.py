"""The table of calls of language models: a row for each call, also for those that a limit kept back."""

from __future__ import annotations

import sqlalchemy as sa

from core.records.database.schema import Moment, Text, metadata

model_calls = sa.Table(
    "model_calls",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("at", Moment, nullable=False),
    sa.Column("user", Text, nullable=False),
    sa.Column("trace", Text, nullable=False),  # of the answer that it was made for; "" for none
    sa.Column("job", Text, nullable=False),  # that it was made for; "" for none
    sa.Column("role", Text, nullable=False),
    sa.Column("prompt", Text, nullable=False),  # name@version
    sa.Column("model", Text, nullable=False),
    sa.Column("outcome", Text, nullable=False),
    sa.Column("prompt_tokens", sa.Integer, nullable=False),
    sa.Column("completion_tokens", sa.Integer, nullable=False),
    sa.Column("cost_usd", sa.Float),  # NULL without a known price
    sa.Column("latency_ms", sa.Float, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("detail", Text, nullable=False),
    sa.Index("model_calls_by_time", "at"),
    sa.Index("model_calls_by_trace", "trace"),
)
