"""Catalogue of a collection as a planning model is told it: what is near the question first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.llm.budget import CHARS_PER_TOKEN
from core.plan.catalogue import Catalogue, DocumentEntry, FieldEntry, SchemaEntry
from core.text.analyse import text_terms

MOST_DOCUMENTS = 20
MOST_PARTIES = 15
MOST_VALUES = 6
MOST_TABLES = 4


@dataclass(frozen=True, slots=True)
class ToldCatalogue:
    """The text, and the documents that it names by short ids ("d1") with their own ids."""

    text: str
    documents: dict[str, str]


def catalogue_text(catalogue: Catalogue, question: str, most_tokens: int) -> ToldCatalogue:
    """Kinds with their fields, then documents, parties and tables that share words with the question."""
    wanted = text_terms(question)
    named = _near_documents(catalogue, wanted)
    ids = {f"d{at}": each.id for at, each in enumerate(named, 1)}
    lines = [
        *(line for schema in _schemas(catalogue, wanted) for line in _kind(schema, catalogue, wanted)),
        *_listed("Documents whose names are near the question:", _documents(named)),
        *_listed("Organisations that are near it:", _parties(catalogue, wanted)),
        *_listed("Tables in documents:", _tables(catalogue, wanted)),
    ]
    return ToldCatalogue(_cut(lines, most_tokens * CHARS_PER_TOKEN), ids)


def _cut(lines: Sequence[str], most: int) -> str:
    kept: list[str] = []
    for line in lines:
        most -= len(line) + 1
        if most < 0:
            break
        kept.append(line)
    return "\n".join(kept)


def _listed(title: str, lines: Sequence[str]) -> Sequence[str]:
    return (title, *lines) if lines else ()


def _near(texts: Iterable[str], wanted: frozenset[str]) -> int:
    return len(wanted & text_terms(" ".join(texts)))


def _schemas(catalogue: Catalogue, wanted: frozenset[str]) -> list[SchemaEntry]:
    held = [each for each in catalogue.schemas if each.documents]
    return sorted(held, key=lambda each: -_near((each.title, *each.words), wanted))


def _kind(schema: SchemaEntry, catalogue: Catalogue, wanted: frozenset[str]) -> list[str]:
    fields = sorted(schema.fields, key=lambda each: (-_near(_words(each), wanted), -each.documents))
    return [
        f"Kind {schema.name}: {schema.title}, {schema.documents:,} documents. Fields:",
        *(_field(each, catalogue, wanted) for each in fields),
    ]


def _words(field: FieldEntry) -> tuple[str, ...]:
    return (field.name, field.title, field.description, *field.synonyms, *field.phrases)


def _field(field: FieldEntry, catalogue: Catalogue, wanted: frozenset[str]) -> str:
    unit = f" in {', '.join(field.units[:3])}" if field.units else ""
    options = field.options or _examples(field, catalogue, wanted)
    values = f"; such as {' | '.join(options[:MOST_VALUES])}" if options else ""
    return f"- {field.name} ({field.type.value}{unit}): {field.title}; stated by {field.documents:,}{values}"


def _examples(field: FieldEntry, catalogue: Catalogue, wanted: frozenset[str]) -> tuple[str, ...]:
    own = [each for each in catalogue.values if (each.schema, each.field) == (field.schema, field.name)]
    own.sort(key=lambda each: (-_near((each.text,), wanted), -each.documents))
    return tuple(each.text for each in own[:MOST_VALUES])


def _near_documents(catalogue: Catalogue, wanted: frozenset[str]) -> list[DocumentEntry]:
    scored = [(_near((each.name, each.source), wanted), each) for each in catalogue.documents]
    near = sorted((pair for pair in scored if pair[0]), key=lambda pair: -pair[0])
    return [each for _, each in near[:MOST_DOCUMENTS]]


def _documents(named: Sequence[DocumentEntry]) -> list[str]:
    return [f"- d{at}: {each.name} (kind {each.schema or 'unknown'})" for at, each in enumerate(named, 1)]


def _parties(catalogue: Catalogue, wanted: frozenset[str]) -> list[str]:
    near = [each for each in catalogue.parties if _near((each.name,), wanted)]
    near.sort(key=lambda each: -each.documents)
    return [
        f"- {each.name}: in {', '.join(sorted({field for _, field in each.fields}))}"
        for each in near[:MOST_PARTIES]
    ]


def _tables(catalogue: Catalogue, wanted: frozenset[str]) -> list[str]:
    def score(columns: Sequence[str]) -> int:
        return _near(columns, wanted)

    near = [each for each in catalogue.tables if score([column.name for column in each.columns])]
    near.sort(key=lambda each: -score([column.name for column in each.columns]))
    return [
        f"- {each.rows:,} rows with the columns "
        + ", ".join(f"{column.name} ({column.type.value})" for column in each.columns)
        for each in near[:MOST_TABLES]
    ]
