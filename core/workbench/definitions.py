"""Puts together what is asked of documents, from the home's schemas and from what its people decided."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache

from core.config.schema_store import SchemaStore
from core.domain.fields import DEFAULT_LEVEL
from core.extract.base import Definitions, Thresholds
from core.extract.clauses.artefact_file import FACTS, SHIPPED
from core.store.database.visibility import Visibility
from core.store.store import Records


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The names that the extractors of a field may use."""

    heads: frozenset[str]
    rules: frozenset[str]


def known_names() -> KnownNames:
    """The clause heads and the rules of the product."""
    from core.extract.clauses.head_names import HEADS
    from core.extract.jobs.work import ALL_RULES

    return KnownNames(frozenset(HEADS), frozenset(ALL_RULES))


class DefinitionsLoader:
    """Reads what is asked of documents, and keeps the bytes of a retrained model. Thread-safe."""

    def __init__(self, records: Records, schemas: SchemaStore) -> None:
        self._records = records
        self._schemas = schemas
        self._artefact: tuple[str, bytes] = ("", b"")

    def load(self) -> Definitions:
        """Definitions of everything asked of documents now."""
        thresholds = {
            bucket.name: {
                name: Thresholds(each.absent_below, each.present_from)
                for name, each in self._records.thresholds.of_bucket(bucket.name).items()
            }
            for bucket in self._records.documents.buckets(Visibility.everything())
        }
        model, artefact = self._model()
        schemas = tuple(self._schemas.schemas())
        moved = {bucket: fields for bucket, fields in thresholds.items() if fields}
        levels = self._records.documents.promise_levels()
        chosen = {bucket: level for bucket, level in levels.items() if level is not DEFAULT_LEVEL}
        return Definitions(schemas, moved, model, artefact, chosen, self._records.word_heads.all())

    def _model(self) -> tuple[str, bytes]:
        """The model in use: its id, and its bytes where the home trained it."""
        active = self._records.models.active_id()
        if active != self._artefact[0]:
            self._artefact = self._records.models.active() or ("", b"")
        return self._artefact if self._artefact[1] else (shipped_model(), b"")


@cache
def shipped_model() -> str:
    """Identity of the heads that ship with this release; "" where there are none."""
    try:
        return "shipped-" + hashlib.sha256((SHIPPED / FACTS).read_bytes()).hexdigest()[:12]
    except OSError:
        return ""
