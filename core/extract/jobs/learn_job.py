"""Learning of fields in words as a durable job: verdicts in, their heads out, and their cells filled anew."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from pydantic import BaseModel, ConfigDict

from core.config.fields import FieldDefinition
from core.extract.base import Definitions
from core.extract.jobs.word_learning import learn_field
from core.extract.semantic import Encode
from core.extract.words.learning import words_extractor
from core.jobs.base import JobContext
from core.jobs.kinds import EXTRACT
from core.records.database.visibility import Visibility
from core.records.store import Records


class LearnPayload(BaseModel):
    """Fields to learn, by schema; none for all in words whose verdicts changed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fields: dict[str, tuple[str, ...]] = {}


class LearnJob:
    """The handler of the job kind `learn`; some seconds a field, all of it in one slice."""

    def __init__(self, records: Records, load: Callable[[], Definitions], encode: Encode) -> None:
        self._records = records
        self._load = load
        self._encode = encode

    def prepare(self, context: JobContext) -> None:
        """Nothing: it has no items."""

    def work(self, context: JobContext) -> bool:
        """Learn each field, then have the cells of those that changed filled by an extraction."""
        payload = LearnPayload.model_validate(context.order.payload)
        before = self._load()
        buckets = [each.name for each in self._records.documents.buckets(Visibility.everything())]
        old = {name: before.fingerprint(name) for name in buckets}
        for schema, definition in unlearnt(self._records, before, payload.fields):
            context.check()
            learn_field(
                self._records, before, schema, definition, self._encode, datetime.now(UTC), context.check
            )
            self._refill(schema, definition.name, old, context)
            old = {name: self._load().fingerprint(name) for name in buckets}
        return False

    def _refill(self, schema: str, field: str, old: dict[str, str], context: JobContext) -> None:
        after = self._load()
        new = {name: after.fingerprint(name) for name in old}
        changed = [name for name in old if old[name] != new[name]]
        if changed:
            payload = {
                "bucket": changed[0] if len(changed) == 1 else None,
                "before": {name: old[name] for name in changed},
                "after": {name: new[name] for name in changed},
                "only": [field],
                "of": schema,
            }
            self._records.jobs.create(
                EXTRACT, f"Field {field} of {schema}, learnt", payload, user=context.order.user
            )


def unlearnt(
    records: Records,
    definitions: Definitions,
    wanted: dict[str, tuple[str, ...]] | None = None,
    least: int = 1,
) -> list[tuple[str, FieldDefinition]]:
    """Fields in words, with their schema, of which at least so many verdicts came or went since they learnt.

    wanted: only these, whatever changed; {} or None for all.
    """
    found = []
    for schema in definitions.schemas:
        for each in schema.fields:
            if words_extractor(each) is None:
                continue
            if wanted:
                if each.name in wanted.get(schema.name, ()):
                    found.append((schema.name, each))
                continue
            known, now = (
                records.word_heads.get(schema.name, each.name),
                records.word_heads.verdicts(schema.name, each.name),
            )
            learnt = known.verdicts if known is not None else 0
            is_other = known is not None and now.newest != known.newest and now.verdicts == learnt
            if abs(now.verdicts - learnt) >= least or (is_other and least == 1):
                found.append((schema.name, each))
    return found
