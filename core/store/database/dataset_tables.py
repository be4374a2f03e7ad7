"""The tables of datasets; what is known of their columns is JSON that SQL does not look into."""

from __future__ import annotations

import sqlalchemy as sa

from core.store.database.schema import Moment, Text, metadata

datasets = sa.Table(
    "datasets",
    metadata,
    sa.Column("id", Text, sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("name", Text, nullable=False),
    sa.Column("sql_name", Text, nullable=False, unique=True),
    sa.Column("source", Text, nullable=False),
    sa.Column("path", Text, nullable=False),  # "": an upload
    sa.Column("sheet", Text, nullable=False),
    sa.Column("owner", Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("removed_at", Moment),  # NULL: it is there; else it can be brought back
)

dataset_versions = sa.Table(
    "dataset_versions",
    metadata,
    sa.Column("dataset", Text, sa.ForeignKey("datasets.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("rows", sa.BigInteger, nullable=False),
    sa.Column("columns", sa.JSON, nullable=False),
    sa.Column("problems", sa.JSON, nullable=False),
    sa.Column("file", Text, nullable=False),  # Parquet, below the folder of datasets
    sa.Column("content_hash", Text, nullable=False),
    sa.Column("size_bytes", sa.BigInteger, nullable=False),
    sa.Column("modified_ns", sa.BigInteger, nullable=False),
    sa.Column("registered_at", Moment, nullable=False),
)
