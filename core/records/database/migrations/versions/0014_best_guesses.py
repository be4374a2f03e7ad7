"""Best guesses of cells that nothing decided: what they may say, to be shown, sorted and filtered by."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_AT_ONCE = 1_000
_LARGEST = 2**63 - 1
_LONGEST_KEY = 1_000
_DIGITS = 4


def upgrade() -> None:
    """A table, filled from the candidates that are there."""
    table = op.create_table(
        "field_guesses",
        sa.Column("document", _TEXT, sa.ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("field", _TEXT, primary_key=True),
        sa.Column("bucket", _TEXT, nullable=False),
        sa.Column("type", _TEXT, nullable=False),
        sa.Column("text", _TEXT, nullable=False),
        sa.Column("folded", _TEXT, nullable=False),
        sa.Column("key", _TEXT, nullable=False),
        sa.Column("amount", sa.BigInteger()),
        sa.Column("unit", _TEXT, nullable=False),
        sa.Column("special", _TEXT, nullable=False),
        sa.Column("probability", sa.Float(), nullable=False),
        sa.Column("readings", sa.JSON(), nullable=False),
    )
    op.create_index("field_guesses_by_field", "field_guesses", ["field", "bucket", "document"])
    _fill(table)


def downgrade() -> None:
    """Take it away again."""
    op.drop_table("field_guesses")


def _fill(table: sa.Table) -> None:
    plain = ("document", "field", "bucket", "extracted_version", "status", "is_reviewed")
    cells = sa.table("field_cells", *map(sa.column, plain), sa.column("candidates", sa.JSON))
    documents = sa.table("documents", sa.column("id"), sa.column("version"))
    connection = op.get_bind()
    statement = (
        sa.select(cells.c.document, cells.c.field, cells.c.bucket, cells.c.candidates)
        .join(documents, documents.c.id == cells.c.document)
        .where(cells.c.status == "uncertain", cells.c.is_reviewed.is_(False))
        .where(cells.c.extracted_version == documents.c.version)
        .order_by(cells.c.document, cells.c.field)
    )
    rows: list[dict[str, Any]] = []
    for document, field, bucket, candidates in connection.execute(statement).all():
        given = json.loads(candidates) if isinstance(candidates, str) else candidates
        readings = _readings(given or [])
        if readings:
            _, probability, value = readings[0]
            rows.append(
                {
                    "document": document,
                    "field": field,
                    "bucket": bucket,
                    **_columns(value),
                    "probability": probability,
                    "readings": [[each, round(p, _DIGITS), said] for each, p, said in readings],
                }
            )
    for start in range(0, len(rows), _AT_ONCE):
        connection.execute(sa.insert(table), rows[start : start + _AT_ONCE])


def _readings(candidates: list[Any]) -> list[tuple[int | None, float, list[Any]]]:
    """Candidate, probability and value of each guess, the likeliest first."""
    if not candidates:
        return []
    value, _, confidence, method = candidates[0]
    if value[0] == "boolean" if value is not None else method == "head":
        found = [(0, confidence, ["boolean", "true", 1]), (None, 1 - confidence, ["boolean", "false", 0])]
        return sorted(found, key=lambda each: -each[1])
    surest: dict[tuple[str, str, str], tuple[int | None, float, list[Any]]] = {}
    for number, (value, _, confidence, _) in enumerate(candidates):
        if value is None or _part(value, 6) == "ambiguous":
            continue
        key = (_folded(_part(value, 5) or value[1]), _part(value, 3), _part(value, 6))
        known = surest.get(key)
        if known is None or confidence > known[1]:
            surest[key] = (number if known is None else known[0], confidence, known[2] if known else value)
    total = max(1.0, sum(each[1] for each in surest.values()))
    return sorted(((n, p / total, said) for n, p, said in surest.values()), key=lambda each: -each[1])


def _columns(value: list[Any]) -> dict[str, Any]:
    amount, special = value[2] if len(value) > 2 else None, _part(value, 6)
    is_computable = not special and amount is not None and abs(amount) <= _LARGEST
    return {
        "type": value[0],
        "text": value[1],
        "folded": _folded(value[1]),
        "key": _folded(_part(value, 5) or value[1])[:_LONGEST_KEY],
        "amount": amount if is_computable else None,
        "unit": _part(value, 3),
        "special": special,
    }


def _part(value: list[Any], at: int) -> str:
    return (value[at] if len(value) > at else "") or ""


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
