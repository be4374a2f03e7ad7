"""Tables of fields of this home: told in the catalogue, and written when they are asked after a change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from core.datasets.base import DataTable, RowFile
from core.datasets.engine import Mount, no_table
from core.datasets.field_tables import FieldDocument, TableField, field_columns, write_fields
from core.datasets.parquet import ParquetCache, columns_of
from core.domain.fields import FieldType
from core.domain.ids import DocumentId
from core.domain.rows.place import OF_FIELDS, TablePlace
from core.plan.catalogue import Catalogue, ColumnEntry, SchemaEntry, TableEntry, TablePart
from core.store.database.visibility import Visibility
from core.store.store import Records

_FORM = "1"  # of the files: another one where they are written otherwise


def field_entries(schemas: Iterable[SchemaEntry]) -> tuple[TableEntry, ...]:
    """The tables of the fields of schemas that have documents, those of lists behind them."""
    return tuple(
        _entry(schema, name)
        for schema in schemas
        if schema.documents and schema.fields
        for name in ("", *(each.name for each in schema.fields if each.many))
    )


def _entry(schema: SchemaEntry, name: str) -> TableEntry:
    place = TablePlace.of_fields(schema.name, name)
    columns = tuple(
        ColumnEntry(each.column.name, FieldType(each.column.type.value), units=each.column.units)
        for each in field_columns(_fields(schema, name))
    )
    called = " ".join(filter(None, ("fields", schema.name, name)))
    part = TablePart(place.document, place.number, called)
    return TableEntry(columns, (place.document,), schema.name, schema.documents, (part,))


def _fields(schema: SchemaEntry, name: str) -> list[TableField]:
    return [
        TableField(each.name, each.type, each.many and not name, each.units)
        for each in schema.fields
        if name in ("", each.name)
    ]


class CatalogueTables:
    """Tables of fields, kept below a folder of the home, and tables that are alike. Thread-safe."""

    def __init__(self, folder: Path, records: Records, catalogue: Callable[[Visibility], Catalogue]) -> None:
        self._cache = ParquetCache(folder)
        self._records = records
        self._catalogue = catalogue

    def alike(self, place: TablePlace, visible: Visibility) -> dict[TablePlace, str]:
        """Every table with the columns of one, with what it is called; {} of one that is not known."""
        catalogue = self._catalogue(visible)
        name = str(place)
        parts = next(
            (e.parts for e in catalogue.rows_by_sql if any(part.name == name for part in e.parts)), ()
        )
        several = Counter(part.document for part in parts)
        called = {each: known.name for each in several if (known := catalogue.document(each)) is not None}
        return {
            TablePlace(part.document, part.number): " · ".join(
                filter(None, (called.get(part.document), part.sheet * (several[part.document] > 1)))
            )
            for part in parts
        }

    def mount(self, name: str, schema: str, field: str, visible: Visibility) -> Mount:
        """The documents of a schema as rows, or the values of one field. Raises QueryRefusedError."""
        catalogue = self._catalogue(visible)
        entry = catalogue.schema(schema)
        if entry is None or not entry.documents or (field and entry.field(field) is None):
            raise no_table(name)
        said = f"{_FORM}|{catalogue.fingerprint}|{schema}|{field}|{visible.promise}"
        write = partial(self._write, entry, field, catalogue, visible)
        file, kept = self._cache.get(said, write)
        parts = tuple(TablePlace(each, OF_FIELDS) for each in kept["documents"])
        keys = tuple((part, row) for part, row in kept["keys"])
        table = DataTable(name, columns_of(kept["columns"]), len(keys))
        return Mount(table, (RowFile(file),), parts, keys, undecided=kept["undecided"])

    def _write(
        self, schema: SchemaEntry, field: str, catalogue: Catalogue, visible: Visibility, target: Path
    ) -> dict[str, Any]:
        documents = [
            FieldDocument(each.id, each.name, each.source, each.bucket, not each.unreadable)
            for each in catalogue.documents
            if each.schema == schema.name
        ]
        fields = _fields(schema, field)
        cells = self._records.fields.cells(
            visible,
            documents=[DocumentId(each.id) for each in documents],
            fields=[each.name for each in fields],
        )
        return asdict(write_fields(target, fields, documents, cells, by_value=bool(field)))
