"""Tables of fields of this home: told in the catalogue, and written when they are asked after a change."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from core.datasets.base import DataTable
from core.datasets.engine import Mount, no_table
from core.datasets.field_tables import FieldDocument, TableField, field_columns, write_fields
from core.datasets.sheets import SheetPart, clear, column_of
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


class FieldTables:
    """Writes and keeps the files below a folder of the home. Thread-safe: a file is put in place whole."""

    def __init__(self, folder: Path, records: Records, catalogue: Callable[[Visibility], Catalogue]) -> None:
        self._folder = folder
        self._records = records
        self._catalogue = catalogue

    def mount(self, name: str, schema: str, field: str, visible: Visibility) -> Mount:
        """The documents of a schema as rows, or the values of one field. Raises QueryRefusedError."""
        catalogue = self._catalogue(visible)
        entry = catalogue.schema(schema)
        if entry is None or not entry.documents or (field and entry.field(field) is None):
            raise no_table(name)
        said = f"{_FORM}|{catalogue.fingerprint}|{schema}|{field}|{visible.promise}"
        stem = f"fields-{hashlib.sha256(said.encode()).hexdigest()[:24]}"
        file, about = self._folder / f"{stem}.parquet", self._folder / f"{stem}.json"
        if not about.is_file() or not file.is_file():
            self._write(file, about, entry, field, catalogue, visible)
        with suppress(OSError):
            os.utime(file)
        kept = json.loads(about.read_text("utf-8"))
        columns = tuple(column_of(each) for each in kept["columns"])
        parts = tuple(SheetPart(each, OF_FIELDS) for each in kept["documents"])
        keys = tuple((part, row) for part, row in kept["keys"])
        return Mount(DataTable(name, columns, len(keys)), file, parts, keys, undecided=kept["undecided"])

    def _write(
        self,
        file: Path,
        about: Path,
        schema: SchemaEntry,
        field: str,
        catalogue: Catalogue,
        visible: Visibility,
    ) -> None:
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
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            made = Path(folder) / "rows.parquet"
            written = write_fields(made, fields, documents, cells, by_value=bool(field))
            made.with_suffix(".json").write_text(json.dumps(asdict(written)), "utf-8")
            made.replace(file)
            made.with_suffix(".json").replace(about)
        clear(self._folder)
