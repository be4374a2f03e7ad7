"""Places of tables and of their rows, as plans, queries and results write them down."""

from __future__ import annotations

from typing import NamedTuple, Self

_FIELDS = "fields:"
OF_FIELDS = -2
"""Number, in its document, of the table whose rows are the document's fields."""


class TablePlace(NamedTuple):
    """A table: of a document by its number there, of a dataset (number 0), or of the fields of a schema."""

    document: str
    number: int = 0

    @classmethod
    def of(cls, text: str) -> Self:
        """The place that a text says. Raises ValueError where it says none."""
        document, _, number = text.rpartition("|")
        return cls(document, int(number))

    @classmethod
    def of_fields(cls, schema: str, field: str = "") -> Self:
        """The table of the documents of a schema, or of each value of one field of theirs."""
        return cls(f"{_FIELDS}{schema}:{field}" if field else f"{_FIELDS}{schema}")

    @property
    def fields(self) -> tuple[str, str] | None:
        """Schema and field ("" for all) of a table of fields; None of another table."""
        if not self.document.startswith(_FIELDS):
            return None
        schema, _, field = self.document.removeprefix(_FIELDS).partition(":")
        return schema, field

    def __str__(self) -> str:
        return f"{self.document}|{self.number}"


class RowPlace(NamedTuple):
    """A row: its document, table and number there."""

    document: str
    table: int
    row: int

    @classmethod
    def of(cls, text: str) -> Self:
        """The row that a text says. Raises ValueError where it says none."""
        document, table, row = text.rsplit("|", 2)
        return cls(document, int(table), int(row))

    def __str__(self) -> str:
        return "|".join(map(str, self))
