"""What documents state, made up for tests: values, quotes and findings of a text."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from core.domain.fields import (
    MONEY_SCALE,
    NUMBER_SCALE,
    AnnotationRow,
    Candidate,
    CellStatus,
    Extraction,
    FieldType,
    Finding,
    Quote,
    RowCell,
    Special,
    TypedValue,
)
from core.domain.span import PageSpan
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.versions import new_version

ALL = Visibility.everything()


def text(value: str, kind: FieldType = FieldType.TEXT, normal: str = "") -> TypedValue:
    return TypedValue(kind, value, original=value, normal=normal)


def money(amount: str, unit: str = "USD") -> TypedValue:
    scaled = int(Decimal(amount).scaleb(MONEY_SCALE))
    return TypedValue(FieldType.MONEY, amount, scaled, unit, f"{amount} {unit}")


def number(amount: str, unit: str = "") -> TypedValue:
    scaled = int(Decimal(amount).scaleb(NUMBER_SCALE))
    return TypedValue(FieldType.NUMBER, amount, scaled, unit, amount)


def day(iso: str) -> TypedValue:
    return TypedValue(FieldType.DATE, iso, date.fromisoformat(iso).toordinal(), original=iso)


def days(count: int) -> TypedValue:
    return TypedValue(FieldType.DURATION, f"P{count}D", count * 10**NUMBER_SCALE, original=f"{count} days")


def special(kind: FieldType, what: Special) -> TypedValue:
    return TypedValue(kind, what.value, original="____", special=what)


def quote(page: str, piece: str, page_no: int = 1) -> Quote:
    start = page.index(piece)
    return Quote(PageSpan(page_no, start, start + len(piece)), piece)


def present(*values: TypedValue, spans: tuple[Quote, ...] = (), confidence: float = 0.97) -> Finding:
    return Finding(CellStatus.PRESENT, values, spans, confidence, "pattern")


def absent(confidence: float = 0.99) -> Finding:
    return Finding(CellStatus.ABSENT, confidence=confidence, method="head")


def uncertain(probability: float = 0.5, value: TypedValue | None = None, *spans: Quote) -> Finding:
    candidate = Candidate(value, spans, probability, "head")
    return Finding(CellStatus.UNCERTAIN, confidence=0.5, method="head", candidates=(candidate,))


def unreadable() -> Finding:
    return Finding(CellStatus.UNREADABLE)


def row(table: int, number_of_row: int, **cells: TypedValue | str) -> AnnotationRow:
    made = []
    for name, given in cells.items():
        value = text(given) if isinstance(given, str) else given
        made.append(RowCell(name.replace("_", " "), value, Quote(PageSpan(1, 0, 5), value.original)))
    return AnnotationRow(table, number_of_row, tuple(made))


def put(
    records: Records,
    source: str = "a.txt",
    page: str | None = None,
    *,
    bucket: str = "b",
    acl: tuple[str, ...] = (),
    rows: tuple[AnnotationRow, ...] = (),
    fingerprint: str = "f1",
    **findings: Finding,
) -> str:
    """Publish a document of one page and put what it states; gives its id."""
    text = f"First text. {source}" if page is None else page  # documents of equal words are copies
    new = new_version(source, text, bucket=bucket, acl=acl, passages=0)
    published = records.documents.publish(new)
    extraction = Extraction("contracts", findings, rows)
    records.fields.put(published.document, published.version, extraction, fingerprint)
    return published.document
