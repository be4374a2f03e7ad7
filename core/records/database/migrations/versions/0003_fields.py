"""Facts of documents: cells with their values and reviews, table rows, clauses, parties, amounts."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")  # ordered as SQLite orders

_TABLES = (
    "field_cells",
    "field_values",
    "cell_reviews",
    "annotation_columns",
    "annotation_rows",
    "annotation_cells",
    "clauses",
    "parties",
    "financials",
    "summaries",
    "extraction_state",
    "field_thresholds",
    "field_models",
)


def upgrade() -> None:
    """Make the tables."""
    _create_cells()
    _create_annotations()
    _create_facts()
    _create_extraction()


def downgrade() -> None:
    """Drop them again."""
    for table in _TABLES:
        op.drop_table(table)


def _of_document() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["document"], ["documents.id"], ondelete="CASCADE")


def _value_columns() -> tuple[sa.Column[Any], ...]:
    return (
        sa.Column("type", _TEXT, nullable=False),
        sa.Column("text", _TEXT, nullable=False),
        sa.Column("folded", _TEXT, nullable=False),
        sa.Column("key", _TEXT, nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=True),
        sa.Column("unit", _TEXT, nullable=False),
        sa.Column("special", _TEXT, nullable=False),
    )


def _span_columns() -> tuple[sa.Column[Any], ...]:
    return (
        sa.Column("page_no", sa.Integer(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("quote", _TEXT, nullable=False),
    )


def _create_cells() -> None:
    op.create_table(
        "field_cells",
        sa.Column("document", _TEXT, nullable=False),
        sa.Column("field", _TEXT, nullable=False),
        sa.Column("bucket", _TEXT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("extracted_version", sa.Integer(), nullable=False),
        sa.Column("schema", _TEXT, nullable=False),
        sa.Column("type", _TEXT, nullable=False),
        sa.Column("status", _TEXT, nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("probability", sa.Float(), nullable=False),
        sa.Column("method", _TEXT, nullable=False),
        sa.Column("note", _TEXT, nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("spans", sa.JSON(), nullable=False),
        sa.Column("candidates", sa.JSON(), nullable=False),
        sa.Column("reviewed_by", _TEXT, nullable=True),
        sa.Column("reviewed_at", sa.BigInteger(), nullable=True),
        sa.Column("is_reviewed", sa.Boolean(), nullable=False),
        sa.Column("check_again", sa.Boolean(), nullable=False),
        sa.Column("extracted", sa.JSON(), nullable=True),
        sa.Column("event", _BIG_ID, nullable=False),
        _of_document(),
        sa.PrimaryKeyConstraint("document", "field"),
    )
    op.create_index(
        "field_cells_by_doubt", "field_cells", ["status", "check_again", "probability", "document", "field"]
    )
    op.create_index("field_cells_by_field", "field_cells", ["field", "document", "status"])
    op.create_index(
        "field_cells_by_status",
        "field_cells",
        ["bucket", "field", "status", "is_reviewed", "check_again", "document"],
    )
    op.create_table(
        "field_values",
        sa.Column("document", _TEXT, nullable=False),
        sa.Column("field", _TEXT, nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False, autoincrement=False),
        *_value_columns(),
        _of_document(),
        sa.PrimaryKeyConstraint("document", "field", "ordinal"),
    )
    op.create_index("field_values_by_field", "field_values", ["field", "document", "ordinal"])
    op.create_table(
        "cell_reviews",
        sa.Column("id", _BIG_ID, nullable=False),
        sa.Column("document", _TEXT, nullable=False),
        sa.Column("field", _TEXT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("action", _TEXT, nullable=False),
        sa.Column("user", _TEXT, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.Column("after", sa.JSON(), nullable=False),
        _of_document(),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("cell_reviews_by_cell", "cell_reviews", ["document", "field", "id"])


def _create_annotations() -> None:
    op.create_table(
        "annotation_columns",
        sa.Column("document", _TEXT, nullable=False),
        sa.Column("table_no", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("column", _TEXT, nullable=False),
        sa.Column("name", _TEXT, nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        _of_document(),
        sa.PrimaryKeyConstraint("document", "table_no", "column"),
    )
    op.create_index("annotation_columns_by_column", "annotation_columns", ["column", "document", "table_no"])
    op.create_table(
        "annotation_rows",
        sa.Column("document", _TEXT, nullable=False),
        sa.Column("table_no", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("row_no", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("version", sa.Integer(), nullable=False),
        _of_document(),
        sa.PrimaryKeyConstraint("document", "table_no", "row_no"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "annotation_cells",
        sa.Column("document", _TEXT, nullable=False),
        sa.Column("table_no", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("row_no", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("ordinal", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("column", _TEXT, nullable=False),
        sa.Column("name", _TEXT, nullable=False),
        *_value_columns(),
        sa.Column("normal", _TEXT, nullable=False),
        sa.Column("original", _TEXT, nullable=False),
        *_span_columns(),
        _of_document(),
        sa.PrimaryKeyConstraint("document", "table_no", "row_no", "ordinal"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "annotation_cells_by_column", "annotation_cells", ["column", "document", "table_no", "row_no"]
    )


def _create_facts() -> None:
    op.create_table(
        "clauses",
        sa.Column("document", _TEXT, nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("type", _TEXT, nullable=False),
        sa.Column("title", _TEXT, nullable=False),
        *_span_columns(),
        sa.Column("section", sa.JSON(), nullable=False),
        sa.Column("conditions", sa.JSON(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        _of_document(),
        sa.PrimaryKeyConstraint("document", "ordinal"),
    )
    op.create_index("clauses_by_type", "clauses", ["type", "document"])
    op.create_table(
        "parties",
        sa.Column("document", _TEXT, nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("name", _TEXT, nullable=False),
        sa.Column("normal", _TEXT, nullable=False),
        sa.Column("role", _TEXT, nullable=False),
        sa.Column("entity_type", _TEXT, nullable=False),
        sa.Column("jurisdiction", _TEXT, nullable=False),
        sa.Column("identifiers", sa.JSON(), nullable=False),
        *_span_columns(),
        _of_document(),
        sa.PrimaryKeyConstraint("document", "ordinal"),
    )
    op.create_table(
        "financials",
        sa.Column("document", _TEXT, nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("metric", _TEXT, nullable=False),
        *_value_columns(),
        sa.Column("normal", _TEXT, nullable=False),
        sa.Column("original", _TEXT, nullable=False),
        *_span_columns(),
        sa.Column("effective", _TEXT, nullable=False),
        sa.Column("expires", _TEXT, nullable=False),
        sa.Column("terms", _TEXT, nullable=False),
        sa.Column("fiscal_year", sa.Integer(), nullable=True),
        sa.Column("fiscal_quarter", sa.Integer(), nullable=True),
        _of_document(),
        sa.PrimaryKeyConstraint("document", "ordinal"),
    )
    op.create_index("financials_by_metric", "financials", ["metric", "document"])
    op.create_table(
        "summaries",
        sa.Column("document", _TEXT, nullable=False),
        sa.Column("kind", _TEXT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("sentences", sa.JSON(), nullable=False),
        sa.Column("entities", sa.JSON(), nullable=False),
        sa.Column("risks", sa.JSON(), nullable=False),
        _of_document(),
        sa.PrimaryKeyConstraint("document", "kind"),
    )


def _create_extraction() -> None:
    op.create_table(
        "extraction_state",
        sa.Column("document", _TEXT, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("fingerprint", _TEXT, nullable=False),
        sa.Column("schema", _TEXT, nullable=False),
        sa.Column("family", _TEXT, nullable=False),
        sa.Column("notes", sa.JSON(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        _of_document(),
        sa.PrimaryKeyConstraint("document"),
    )
    op.create_table(
        "field_thresholds",
        sa.Column("bucket", _TEXT, nullable=False),
        sa.Column("field", _TEXT, nullable=False),
        sa.Column("absent_below", sa.Float(), nullable=False),
        sa.Column("present_from", sa.Float(), nullable=False),
        sa.Column("set_by", _TEXT, nullable=False),
        sa.Column("set_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("bucket", "field"),
    )
    op.create_table(
        "field_models",
        sa.Column("id", _TEXT, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("figures", sa.JSON(), nullable=False),
        sa.Column("is_active", sa.Boolean(), nullable=False),
        sa.Column("artefact", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
