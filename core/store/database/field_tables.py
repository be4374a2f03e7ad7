"""The tables of what documents state: cells, their values and reviews, table rows, and typed facts.

`field_cells` is what counts now, a row a cell; `field_values` holds the values of present cells that can be
computed with, so that conditions, sorting and sums are exact in SQL: amounts are integers. A new version of a
document takes its values and table rows away until they are extracted anew; its cells stay, and are told by
`extracted_version`.
"""

from __future__ import annotations

import sqlalchemy as sa

from core.store.database.schema import BigId, Moment, Text, metadata


def _of_document() -> sa.Column[str]:
    return sa.Column("document", Text, sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)


def _number(name: str, *, is_key: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, primary_key=is_key, autoincrement=False, nullable=False)


def _value_columns() -> tuple[sa.Column[str] | sa.Column[int], ...]:
    return (
        sa.Column("type", Text, nullable=False),
        sa.Column("text", Text, nullable=False),
        sa.Column("folded", Text, nullable=False),  # the text, case-folded: what `contains` looks in
        sa.Column("key", Text, nullable=False),  # equal for equal values: what is compared and grouped by
        sa.Column("amount", sa.BigInteger),  # NULL for texts, special values, and what no BIGINT holds
        sa.Column("unit", Text, nullable=False),
        sa.Column("special", Text, nullable=False),
    )


def _span_columns() -> tuple[sa.Column[str] | sa.Column[int], ...]:
    return (
        sa.Column("page_no", sa.Integer, nullable=False),
        sa.Column("start", sa.Integer, nullable=False),
        sa.Column("end", sa.Integer, nullable=False),
        sa.Column("quote", Text, nullable=False),
    )


field_cells = sa.Table(
    "field_cells",
    metadata,
    _of_document(),
    sa.Column("field", Text, primary_key=True),
    sa.Column("bucket", Text, nullable=False),  # of the document, which never changes it: counts need no join
    sa.Column("version", sa.Integer, nullable=False),  # whose pages the spans point into
    sa.Column("extracted_version", sa.Integer, nullable=False),  # the version last extracted
    sa.Column("schema", Text, nullable=False),
    sa.Column("type", Text, nullable=False),  # of its values or candidates; "" where it has neither
    sa.Column("status", Text, nullable=False),
    sa.Column("confidence", sa.Float, nullable=False),
    sa.Column("probability", sa.Float, nullable=False),  # that the best candidate is right: for the work list
    sa.Column("method", Text, nullable=False),
    sa.Column("note", Text, nullable=False),
    sa.Column("value", sa.JSON, nullable=False),
    sa.Column("spans", sa.JSON, nullable=False),
    sa.Column("candidates", sa.JSON, nullable=False),
    sa.Column("reviewed_by", Text),  # NULL: nobody
    sa.Column("reviewed_at", Moment),
    sa.Column("is_reviewed", sa.Boolean, nullable=False),
    sa.Column("check_again", sa.Boolean, nullable=False),
    sa.Column("extracted", sa.JSON(none_as_null=True)),  # where a reviewer decided; NULL: the row itself
    sa.Column("event", BigId, nullable=False),  # the newest of cell_reviews, 0 for none
    sa.Index("field_cells_by_status", "bucket", "field", "status", "is_reviewed", "check_again", "document"),
    sa.Index("field_cells_by_doubt", "status", "check_again", "probability", "document", "field"),
    sa.Index("field_cells_by_field", "field", "document", "status"),
)

field_values = sa.Table(
    "field_values",
    metadata,
    _of_document(),
    sa.Column("field", Text, primary_key=True),
    _number("ordinal", is_key=True),
    *_value_columns(),
    sa.Index("field_values_by_field", "field", "document", "ordinal"),
)

field_guesses = sa.Table(
    "field_guesses",
    metadata,
    _of_document(),
    sa.Column("field", Text, primary_key=True),
    sa.Column("bucket", Text, nullable=False),  # of the document: counts need no join
    *_value_columns(),  # of the best guess
    sa.Column("probability", sa.Float, nullable=False),
    sa.Column("readings", sa.JSON, nullable=False),  # all guesses: candidate, probability, value
    sa.Index("field_guesses_by_field", "field", "bucket", "document"),
)
"""The best guess of each cell that nothing decided: what it may say is shown, sorted and filtered by it."""

cell_reviews = sa.Table(
    "cell_reviews",
    metadata,
    sa.Column("id", BigId, primary_key=True),
    sa.Column("document", Text, sa.ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    sa.Column("field", Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("action", Text, nullable=False),
    sa.Column("user", Text, nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Column("before", sa.JSON, nullable=False),
    sa.Column("after", sa.JSON, nullable=False),
    sa.Index("cell_reviews_by_cell", "document", "field", "id"),
    sqlite_autoincrement=True,
)

annotation_columns = sa.Table(
    "annotation_columns",
    metadata,
    _of_document(),
    _number("table_no", is_key=True),
    # Case-folded, single spaces, at most 200 characters: Postgres ends an index entry at 2,700 bytes.
    sa.Column("column", Text, primary_key=True),
    sa.Column("name", Text, nullable=False),  # as it is written first
    sa.Column("rows", sa.Integer, nullable=False),
    sa.Index("annotation_columns_by_column", "column", "document", "table_no"),
)

annotation_rows = sa.Table(
    "annotation_rows",
    metadata,
    _of_document(),
    _number("table_no", is_key=True),
    _number("row_no", is_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("is_total", sa.Boolean, nullable=False, server_default=sa.false()),  # it adds up others
    sqlite_with_rowid=False,
)

annotation_titles = sa.Table(
    "annotation_titles",
    metadata,
    _of_document(),
    _number("table_no", is_key=True),
    sa.Column("sheet", Text, nullable=False),
    sa.Column("caption", Text, nullable=False),  # the line above the table
)

annotation_cells = sa.Table(
    "annotation_cells",
    metadata,
    _of_document(),
    _number("table_no", is_key=True),
    _number("row_no", is_key=True),
    _number("ordinal", is_key=True),
    sa.Column("column", Text, nullable=False),  # as in annotation_columns
    sa.Column("name", Text, nullable=False),
    *_value_columns(),
    sa.Column("normal", Text, nullable=False),
    sa.Column("original", Text, nullable=False),  # "" where it is the quote
    *_span_columns(),
    sa.Index("annotation_cells_by_column", "column", "document", "table_no", "row_no"),
    sqlite_with_rowid=False,
)

TABLES_OF_ROWS = (annotation_cells, annotation_rows, annotation_columns, annotation_titles)
"""All that is kept of the tables of a document."""

clauses = sa.Table(
    "clauses",
    metadata,
    _of_document(),
    _number("ordinal", is_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("type", Text, nullable=False),
    sa.Column("title", Text, nullable=False),
    *_span_columns(),
    sa.Column("section", sa.JSON, nullable=False),
    sa.Column("conditions", sa.JSON, nullable=False),
    sa.Column("confidence", sa.Float, nullable=False),
    sa.Index("clauses_by_type", "type", "document"),
)

parties = sa.Table(
    "parties",
    metadata,
    _of_document(),
    _number("ordinal", is_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("name", Text, nullable=False),
    sa.Column("normal", Text, nullable=False),
    sa.Column("role", Text, nullable=False),
    sa.Column("entity_type", Text, nullable=False),
    sa.Column("jurisdiction", Text, nullable=False),
    sa.Column("identifiers", sa.JSON, nullable=False),
    *_span_columns(),
)

financials = sa.Table(
    "financials",
    metadata,
    _of_document(),
    _number("ordinal", is_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("metric", Text, nullable=False),
    *_value_columns(),
    sa.Column("normal", Text, nullable=False),
    sa.Column("original", Text, nullable=False),
    *_span_columns(),
    sa.Column("effective", Text, nullable=False),
    sa.Column("expires", Text, nullable=False),
    sa.Column("terms", Text, nullable=False),
    sa.Column("fiscal_year", sa.Integer),
    sa.Column("fiscal_quarter", sa.Integer),
    sa.Index("financials_by_metric", "metric", "document"),
)

summaries = sa.Table(
    "summaries",
    metadata,
    _of_document(),
    sa.Column("kind", Text, primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("sentences", sa.JSON, nullable=False),
    sa.Column("entities", sa.JSON, nullable=False),
    sa.Column("risks", sa.JSON, nullable=False),
)

extraction_state = sa.Table(
    "extraction_state",
    metadata,
    _of_document(),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("fingerprint", Text, nullable=False),
    sa.Column("schema", Text, nullable=False),
    sa.Column("family", Text, nullable=False),
    sa.Column("notes", sa.JSON, nullable=False),
    sa.Column("at", Moment, nullable=False),
)

reading_queue = sa.Table(
    "reading_queue",
    metadata,
    _of_document(),
    sa.Column("at", Moment, nullable=False),  # when a question first waited for the document
)

field_thresholds = sa.Table(
    "field_thresholds",
    metadata,
    sa.Column("bucket", Text, primary_key=True),
    sa.Column("field", Text, primary_key=True),
    sa.Column("absent_below", sa.Float, nullable=False),
    sa.Column("present_from", sa.Float, nullable=False),
    sa.Column("set_by", Text, nullable=False),
    sa.Column("set_at", Moment, nullable=False),
)

word_heads = sa.Table(
    "word_heads",
    metadata,
    sa.Column("schema", Text, primary_key=True),
    sa.Column("field", Text, primary_key=True),
    sa.Column("learnt_at", Moment, nullable=False),
    sa.Column("verdicts", sa.Integer, nullable=False),  # that stood when it was learnt
    sa.Column("newest", Moment),  # when the last of them was given
    sa.Column("head", Text, nullable=False),  # JSON
)

field_models = sa.Table(
    "field_models",
    metadata,
    sa.Column("id", Text, primary_key=True),
    sa.Column("created_at", Moment, nullable=False),
    sa.Column("figures", sa.JSON, nullable=False),
    sa.Column("is_active", sa.Boolean, nullable=False),
    sa.Column("artefact", sa.LargeBinary, nullable=False),
)

family_marks = sa.Table(
    "family_marks",
    metadata,
    _of_document(),
    sa.Column("bucket", Text, nullable=False),
    sa.Column("title", Text, nullable=False),  # as `family_key` gives it
    sa.Column("day", Text, nullable=False),  # ISO 8601, "" for none
    sa.Index("family_marks_by_title", "bucket", "title", "day"),
)

family_references = sa.Table(
    "family_references",
    metadata,
    _of_document(),
    _number("ordinal", is_key=True),
    sa.Column("bucket", Text, nullable=False),  # of the document, which never changes it
    sa.Column("kinship", Text, nullable=False),
    sa.Column("title", Text, nullable=False),
    sa.Column("day", Text, nullable=False),
    *_span_columns(),
    sa.Index("family_references_by_title", "bucket", "title", "day"),
)
