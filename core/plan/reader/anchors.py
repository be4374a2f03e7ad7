"""Texts by which fields and columns are known, and their vectors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue, ColumnEntry, FieldEntry

_JOIN = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_MOST_TEXTS = 14
_MOST_VALUES = 60


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """A field or column that words may mean. schema: "" for a column; texts: those by which it is known.

    type: None where it is not known; values: texts that it has in the collection.
    """

    schema: str
    field: str
    texts: tuple[str, ...]
    type: FieldType | None = None
    values: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """By what it is known."""
        return self.schema, self.field


def plain_words(header: str) -> str:
    """A header in plain words: "unit_price" and "UnitPrice" are "unit price"."""
    text = header.replace("_", " ")
    if not text.isupper():
        text = _JOIN.sub(" ", text)
    return " ".join(text.split()).lower()


def field_texts(title: str, description: str, synonyms: Sequence[str]) -> tuple[str, ...]:
    """The texts by which a field is known, its title first."""
    texts = [title, *synonyms[:_MOST_TEXTS]]
    if description:
        texts += [description, f"{title}: {description}"]
    return tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))


def column_texts(name: str, unit: str = "") -> tuple[str, ...]:
    """The texts by which a column is known: its header in plain words, with its unit."""
    plain = plain_words(name)
    bare = re.sub(r"\s*[(\[].*?[)\]]", "", plain).strip()
    with_unit = f"{bare} in {unit}" if unit and unit.lower() not in plain else ""
    return tuple(dict.fromkeys(text for text in (plain, bare, with_unit) if text)) or (name,)


def of_field(entry: FieldEntry, values: Sequence[str] = ()) -> LinkTarget:
    """The candidate that a field is."""
    texts = (*field_texts(entry.title, entry.description, entry.synonyms), *entry.phrases)
    known = tuple(dict.fromkeys((*entry.options, *values)))[:_MOST_VALUES]
    return LinkTarget(entry.schema, entry.name, tuple(dict.fromkeys(texts)), entry.type, known)


def of_column(entry: ColumnEntry) -> LinkTarget:
    """The candidate that a column is."""
    return LinkTarget(
        "", entry.name, column_texts(entry.name, entry.unit), entry.type, entry.texts[:_MOST_VALUES]
    )


def candidates(catalogue: Catalogue) -> tuple[LinkTarget, ...]:
    """All that the words of a question may mean: fields by schema, then columns, those of one name once.

    Schemas without documents count only where no schema has any.
    """
    schemas = [each for each in catalogue.schemas if each.documents] or list(catalogue.schemas)
    values: dict[tuple[str, str], list[str]] = {}
    for value in catalogue.values:
        values.setdefault((value.schema, value.field), []).append(value.text)
    found = [
        of_field(field, values.get((field.schema, field.name), ()))
        for schema in schemas
        for field in schema.fields
    ]
    columns: dict[str, ColumnEntry] = {}
    for table in catalogue.tables:
        for column in table.columns:
            columns.setdefault(column.key, column)
    found += [of_column(column) for column in columns.values()]
    return tuple(found)


def distinct_texts(known: Iterable[LinkTarget]) -> list[str]:
    """All texts of some candidates, each once, in order."""
    return list(dict.fromkeys(text for each in known for text in each.texts))
