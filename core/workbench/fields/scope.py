"""Fields asked of documents, as the schemas of the home say now."""

from __future__ import annotations

from collections.abc import Collection

from core.config.schema_store import SchemaStore
from core.domain.matrix import Asking
from core.store.cells.extraction_states import ExtractionStates
from core.store.database.visibility import Visibility
from core.store.store import Records


def asking_of(schemas: SchemaStore, records: Records, visible: Visibility, bucket: str | None) -> Asking:
    """Fields asked of a bucket's documents (None: of all); a field that was taken out, of none of them."""
    fields: dict[str, set[str]] = {}
    for schema in schemas.schemas():
        for each in schema.fields:
            fields.setdefault(each.name, set()).add(schema.name)
        for each in schemas.removed(schema.name):
            fields.setdefault(each.name, set())
    kinds = kinds_of(schemas, records, visible, bucket)
    recognised = frozenset(name for name in kinds if schemas.of_bucket(name) is None)
    places = frozenset(
        (each.name, schema.name, frozenset(each.buckets))
        for schema in schemas.schemas()
        for each in schema.fields
        if each.buckets
    )
    return Asking({name: frozenset(found) for name, found in fields.items()}, kinds, recognised, places)


def kinds_of(
    schemas: SchemaStore, records: Records, visible: Visibility, bucket: str | None
) -> dict[str, frozenset[str]]:
    """The schemas of the documents of each bucket: the one assigned to it, else those that were used."""
    known = frozenset(each.name for each in schemas.schemas())
    used = ExtractionStates(records.database).kinds(visible, bucket)
    names: Collection[str] = (
        [each.name for each in records.documents.buckets(visible)] if bucket is None else [bucket]
    )
    found = {}
    for name in names:
        assigned, own = schemas.of_bucket(name), used.get(name, frozenset()) & known
        found[name] = (
            own if own and not assigned else frozenset({(assigned or schemas.schema_for(name)).name})
        )
    return found
