"""Tables of variants, and of the vectors of other encoders than the home's first."""

from __future__ import annotations

import sqlalchemy as sa

from core.store.database.schema import BigId, Moment, Text, metadata, of_passage

# Beside the vectors of the home's first encoder in `passage_vectors` and `sentence_vectors`, which are set 0.
other_passage_vectors = sa.Table(
    "other_passage_vectors",
    metadata,
    of_passage(),
    sa.Column("vector_set", BigId, primary_key=True, autoincrement=False),
    sa.Column("vector", sa.LargeBinary, nullable=False),
)

other_sentence_vectors = sa.Table(
    "other_sentence_vectors",
    metadata,
    of_passage(),
    sa.Column("vector_set", BigId, primary_key=True, autoincrement=False),
    sa.Column("dimension", sa.Integer, nullable=False),
    sa.Column("vectors", sa.LargeBinary, nullable=False),
)

vector_sets = sa.Table(  # from 1 on
    "vector_sets",
    metadata,
    sa.Column("id", BigId, primary_key=True),
    sa.Column("name", Text, nullable=False),
    sa.Column("dimension", sa.Integer, nullable=False),
    sa.Column("sha256", Text, nullable=False),
    sa.Column("is_whole", sa.Boolean, nullable=False, server_default=sa.false()),  # it was, once
    sa.Column("profile", Text, nullable=False, server_default=""),  # of its passages
    sqlite_autoincrement=True,  # an id names a folder of the index, too, and is never used again
)

variants = sa.Table(
    "variants",
    metadata,
    sa.Column("id", BigId, primary_key=True),
    sa.Column("name", Text, nullable=False, unique=True),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("vector_set", BigId, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("user", Text, nullable=False),
    sqlite_autoincrement=True,
)

variant_comparisons = sa.Table(
    "variant_comparisons",
    metadata,
    sa.Column("job", Text, primary_key=True),
    sa.Column("at", Moment, nullable=False),
    sa.Column("report", Text, nullable=False),  # a VariantComparison as JSON
)
