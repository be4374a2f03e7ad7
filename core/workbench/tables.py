"""Tables of documents as a catalogue has them: those with the same columns are one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal

from core.domain.fields import MONEY_SCALE, NUMBER_SCALE, FieldType
from core.plan.catalogue import ColumnEntry, DocumentEntry, TableEntry, TablePart
from core.records.cells.tables import KnownColumn, KnownTable

MOST_TEXTS = 2_000  # of one column
_OF_ONE_KIND = 0.6  # at least this share of a column's cells are of its type and unit


def table_entries(
    known: Sequence[KnownTable], is_whole: bool, documents: Sequence[DocumentEntry]
) -> tuple[TableEntry, ...]:
    """The tables, in the order of the documents that have them first."""
    schemas = {each.id: each.schema for each in documents}
    alike: dict[tuple[str, frozenset[str]], list[KnownTable]] = {}
    for table in known:
        key = (schemas.get(table.document, ""), frozenset(table.columns))
        alike.setdefault(key, []).append(table)
    return tuple(
        TableEntry(
            columns=tuple(
                _column([table.columns[key] for table in tables], is_whole) for key in tables[0].columns
            ),
            documents=tuple(dict.fromkeys(table.document for table in tables)),
            schema=schema,
            rows=sum(map(_rows, tables)),
            parts=tuple(
                TablePart(table.document, table.number, table.sheet, table.caption) for table in tables
            ),
        )
        for (schema, _), tables in alike.items()
    )


def _rows(table: KnownTable) -> int:
    return max(each.rows for each in table.columns.values())


def _column(parts: Sequence[KnownColumn], is_whole: bool) -> ColumnEntry:
    kinds, texts, numbers = Counter[tuple[FieldType, str]](), Counter[str](), Counter[str]()
    for part in parts:
        kinds.update(part.kinds)
        texts.update(part.texts)
        numbers.update(part.numbers)
    types = Counter[FieldType]()
    for (kind, _), count in kinds.items():
        types[kind] += count
    main = types.most_common(1)[0][0] if types else FieldType.TEXT
    units = [unit for (kind, unit), _ in kinds.most_common() if kind is main]
    # "Value" of a table of facts holds watts, percents and texts; money in several currencies is all money
    alike = types[main] if main is FieldType.MONEY else kinds.most_common(1)[0][1] if kinds else 0
    if kinds and alike < _OF_ONE_KIND * sum(kinds.values()):
        main, units = FieldType.TEXT, []
    ends = [end for part in parts for (kind, _), both in part.ranges.items() if kind is main for end in both]
    scale = {FieldType.MONEY: MONEY_SCALE, FieldType.NUMBER: NUMBER_SCALE, FieldType.DURATION: NUMBER_SCALE}
    low, high = (
        Decimal(end).scaleb(-scale.get(main, 0)) for end in (min(ends, default=0), max(ends, default=0))
    )
    return ColumnEntry(
        name=parts[0].name,
        type=main,
        unit=units[0] if units else "",
        rows=sum(part.rows for part in parts),
        texts=tuple(text for text, _ in texts.most_common(MOST_TEXTS)),
        is_whole=is_whole and len(texts) <= MOST_TEXTS,
        units=tuple(units),
        numbers=tuple(text for text, _ in numbers.most_common(MOST_TEXTS)),
        low=low if ends else None,
        high=high if ends else None,
    )
