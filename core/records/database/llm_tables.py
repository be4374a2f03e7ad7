"""What language models did: a row for each call, also where a limit kept it back, and each cell read."""

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

model_readings = sa.Table(
    "model_readings",
    metadata,
    sa.Column("document", Text, sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("field", Text, primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),  # of the document
    sa.Column("basis", Text, nullable=False),  # differs where the model would be asked something else
    sa.Column("status", Text, nullable=False),  # present, absent, or uncertain where its answer did not count
    sa.Column("finding", sa.JSON, nullable=False),
    sa.Column("reason", Text, nullable=False),  # why its answer did not count
    sa.Column("model", Text, nullable=False),
    sa.Column("prompt", Text, nullable=False),  # name@version
    sa.Column("job", Text, nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Index("model_readings_by_job", "job"),
)
"""The last answer of a model about a cell. It outlives the cell's finding: nobody pays for it twice."""
