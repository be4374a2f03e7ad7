"""Definitions of an extraction: schemas, thresholds and the model of the clause heads, as one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.config.fields import Schema
from core.config.schema_store import GENERIC, fingerprint
from core.extract.clauses.calibrate import Thresholds

EXTRACTION_VERSION = 4
"""Rises when the same text may give other findings: documents are then extracted anew."""


@dataclass(frozen=True, slots=True)
class Definitions:
    """Everything that decides what is found in a text. Can be pickled.

    schemas: all that there are. thresholds: by bucket and field, where an admin moved them. model: the id of
    retrained clause heads, "" for the shipped ones; artefact: their bytes, empty for the shipped ones.
    """

    schemas: tuple[Schema, ...]
    thresholds: Mapping[str, Mapping[str, Thresholds]] = field(default_factory=dict)
    model: str = ""
    artefact: bytes = b""

    def schema(self, name: str) -> Schema | None:
        """The schema of that name; None where there is none."""
        return next((each for each in self.schemas if each.name == name), None)

    def of_bucket(self, bucket: str) -> Schema | None:
        """The schema of all documents of a bucket, as SchemaStore tells; None where each is looked at."""
        wanted = bucket.strip().lower()
        claims = (each for each in self.schemas if wanted in (name.lower() for name in each.buckets))
        return next(claims, None) or self.schema(wanted)

    def possible(self, bucket: str) -> tuple[Schema, ...]:
        """The schemas that documents of a bucket may have."""
        chosen = self.of_bucket(bucket)
        return self.schemas if chosen is None else (chosen,)

    def generic(self, bucket: str) -> Schema:
        """The schema of a document of the bucket whose text tells nothing."""
        possible = self.possible(bucket)
        return next((each for each in possible if each.name == GENERIC), possible[0])

    def need_vectors(self, bucket: str, fields: tuple[str, ...]) -> bool:
        """True where any of these fields of the bucket's documents is found by meaning."""
        return any(
            extractor.method == "semantic"
            for schema in self.possible(bucket)
            for each in schema.fields
            if each.name in fields
            for extractor in each.extractors
        )

    def fingerprint(self, bucket: str) -> str:
        """Differs wherever documents of this bucket may have to be extracted again."""
        moved = [
            f"{name} {each.absent_below} {each.present_from}"
            for name, each in sorted(self.thresholds.get(bucket, {}).items())
        ]
        possible = self.possible(bucket)
        words = [" ".join(each.recognise) for each in possible] if len(possible) > 1 else []
        known = [fingerprint(each) for each in possible]
        return fingerprint(possible[0], str(EXTRACTION_VERSION), self.model, *known, *words, *moved)
