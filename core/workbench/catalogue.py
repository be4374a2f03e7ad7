"""The catalogue that plans are made and checked against, from records and schemas, kept until they change."""

from __future__ import annotations

import hashlib
from collections import defaultdict

from core.cache import Cache
from core.config.fields import Schema
from core.config.schema_store import SchemaStore
from core.domain.fields import FieldType
from core.plan.catalogue import (
    DocumentEntry,
    FieldEntry,
    KnownCatalogue,
    NounEntry,
    PartyEntry,
    SchemaEntry,
    ValueEntry,
)
from core.records.cells.tables import Tables
from core.records.database.visibility import Visibility
from core.records.query.vocabulary import KnownDocument, NamedParty, StatedText, Vocabulary
from core.records.store import Records
from core.workbench.tables import table_entries

KIND_FIELD = "document_kind"
KEPT = 16  # catalogues: one for each visibility that asks
_Key = tuple[int, frozenset[str] | None, str]


class CatalogueLoader:
    """Makes catalogues; one is made once for a data version, a visibility and a state of the schemas.

    Thread-safe.
    """

    def __init__(self, records: Records, schemas: SchemaStore) -> None:
        self._records = records
        self._vocabulary = Vocabulary(records.database)
        self._tables = Tables(records.database)
        self._schemas = schemas
        self._kept: Cache[_Key, KnownCatalogue] = Cache(KEPT)

    def load(self, visible: Visibility) -> KnownCatalogue:
        """The catalogue of what may be seen now."""
        schemas = self._schemas.schemas()
        key = (self._records.changes.version_for(visible), visible.groups, _fingerprint(schemas))
        return self._kept.get_or_make(key, lambda: self._make(visible, schemas, key))

    def _make(self, visible: Visibility, schemas: list[Schema], key: _Key) -> KnownCatalogue:
        read = self._vocabulary
        texts, named = read.texts(visible), read.parties(visible)
        known = read.documents(visible, KIND_FIELD)
        stated, units = read.stated(visible), read.units(visible)
        documents = _documents(known, named, self._schemas)
        counts: dict[str, int] = defaultdict(int)
        for document in documents:
            counts[document.schema] += 1
        entries = tuple(_schema(each, stated, units, counts[each.name]) for each in schemas)
        groups = "*" if key[1] is None else ",".join(sorted(key[1]))
        return KnownCatalogue(
            fingerprint=hashlib.sha256(f"{key[0]}|{groups}|{key[2]}".encode()).hexdigest()[:16],
            schemas=entries,
            parties=_parties(texts, named),
            documents=documents,
            values=tuple(
                ValueEntry(each.schema, each.field, each.text, each.documents)
                for each in texts
                if each.type is not FieldType.PARTY
            ),
            columns=tuple(read.columns(visible)),
            tables=table_entries(*self._tables.known(visible), documents),
        )


def _fingerprint(schemas: list[Schema]) -> str:
    """What of the schemas words are understood by; the extractors do not matter."""
    said = "|".join(
        f"{schema.name}:{schema.title}:{schema.buckets}:{nouns_of(schema)}:"
        + ";".join(
            f"{f.name},{f.title},{f.type},{f.many},{f.unit},{f.synonyms},{f.options},{f.description},"
            f"{f.verbs},{f.loose_verbs}"
            for f in schema.fields
        )
        for schema in schemas
    )
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def _schema(
    schema: Schema,
    stated: dict[tuple[str, str], int],
    units: dict[tuple[str, str], tuple[str, ...]],
    documents: int,
) -> SchemaEntry:
    fields = tuple(
        FieldEntry(
            schema=schema.name,
            name=each.name,
            title=each.title,
            type=each.type,
            many=each.many,
            unit=each.unit,
            description=each.description,
            synonyms=each.synonyms,
            options=each.options,
            documents=stated.get((schema.name, each.name), 0),
            units=units.get((schema.name, each.name), ()),
            verbs=each.verbs,
            loose_verbs=each.loose_verbs,
        )
        for each in schema.fields
    )
    return SchemaEntry(schema.name, schema.title, schema.buckets, (), fields, documents, nouns_of(schema))


def nouns_of(schema: Schema) -> tuple[NounEntry, ...]:
    """The nouns that a schema says its documents are called by."""
    return (
        *(NounEntry(word) for word in schema.nouns),
        *(NounEntry(word, is_thing=True) for word in schema.things),
        *(NounEntry(word, titles) for word, titles in schema.titled_nouns.items()),
    )


def _documents(
    known: list[KnownDocument], named: list[NamedParty], schemas: SchemaStore
) -> tuple[DocumentEntry, ...]:
    parties: dict[str, list[str]] = defaultdict(list)
    for each in named:
        if each.normal not in parties[each.document]:
            parties[each.document].append(each.normal)
    of_bucket: dict[str, str] = {}
    for document in known:
        if document.bucket not in of_bucket:
            schema = schemas.of_bucket(document.bucket)
            of_bucket[document.bucket] = schema.name if schema is not None else ""
    return tuple(
        DocumentEntry(
            id=each.id,
            title=each.title,
            source=each.source,
            bucket=each.bucket,
            schema=each.schema or of_bucket[each.bucket],
            kind=each.kind,
            parties=tuple(parties.get(each.id, ())),
            unreadable=each.unreadable,
        )
        for each in known
    )


def _parties(texts: list[StatedText], named: list[NamedParty]) -> tuple[PartyEntry, ...]:
    names: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    documents: dict[str, set[str]] = defaultdict(set)
    fields: dict[str, set[tuple[str, str]]] = defaultdict(set)
    stated: dict[str, int] = defaultdict(int)
    for each in named:
        names[each.normal][each.name] += 1
        documents[each.normal].add(each.document)
    for text in texts:
        if text.type is FieldType.PARTY:
            names[text.key][text.text] += text.documents
            fields[text.key].add((text.schema, text.field))
            stated[text.key] = max(stated[text.key], text.documents)
    return tuple(
        PartyEntry(
            name=min(spelled, key=lambda name: (-spelled[name], name)),
            normal=normal,
            documents=max(len(documents[normal]), stated[normal]),
            fields=tuple(sorted(fields[normal])),
        )
        for normal, spelled in sorted(names.items())
    )
