"""Heads of fields in words, learnt from the cells that people decided; what a worker and a service call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from pydantic import Field

from core.config.fields import FieldDefinition
from core.domain.frozen import Frozen
from core.domain.ids import DocumentId
from core.errors import NotFoundError
from core.extract.base import Definitions
from core.extract.jobs.service import read_task
from core.extract.semantic import Encode
from core.extract.words.candidates import RankedSentences, rank
from core.extract.words.head import WordHead
from core.extract.words.learning import MOST_JUDGED, learn, words_extractor
from core.extract.words.ranking import FieldWords, words_of
from core.fields.word_field import FieldVerdict
from core.jobs.base import JobContext, JobHandler
from core.jobs.kinds import EXTRACT
from core.store.cells.word_heads import StoredHead
from core.store.database.visibility import Visibility
from core.store.store import Records

_EVERYTHING = Visibility.everything()


def rank_document(
    records: Records,
    definitions: Definitions,
    document: DocumentId,
    definition: FieldDefinition,
    words: FieldWords,
) -> RankedSentences | None:
    """The sentences of a stored document; None where it is gone or has no readable text."""
    try:
        task = read_task(records, definitions, document)
    except NotFoundError:
        return None
    return rank(task.text, definition, words, task.vectors) if task.text.is_readable else None


def learn_field(
    records: Records,
    definitions: Definitions,
    schema: str,
    definition: FieldDefinition,
    encode: Encode | None,
    now: datetime,
    check: Callable[[], None] = lambda: None,
) -> WordHead | None:
    """Learn the head of a field in words from all verdicts that stand, and keep it; None without any.

    check: called between documents; what it raises ends the work, and the head stays as it was.
    """
    extractor = words_extractor(definition)
    if extractor is None:
        return None
    state = records.word_heads.verdicts(schema, definition.name)
    words = words_of(definition.title, extractor, encode)
    judged = []
    for verdict in _verdicts(records, schema, definition.name):
        check()
        ranked = rank_document(records, definitions, verdict.document, definition, words)
        if ranked is not None and len(ranked):
            judged.append((ranked, verdict))
    if not judged:
        records.word_heads.remove(schema, definition.name)
        return None
    head = learn(judged)
    records.word_heads.put(
        StoredHead(schema, definition.name, now, state.verdicts, state.newest, head.to_json())
    )
    return head


def _verdicts(records: Records, schema: str, field: str) -> Iterator[FieldVerdict]:
    documents = records.word_heads.judged(schema, field, _EVERYTHING, MOST_JUDGED)
    cells = {
        cell.document: cell for cell in records.fields.cells(_EVERYTHING, documents=documents, fields=[field])
    }
    for document in documents:
        if document in cells:
            yield FieldVerdict.of(document, cells[document].finding)


class LearnPayload(Frozen):
    """Fields to learn, by schema; none for all in words whose verdicts changed."""

    fields: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class LearnJob(JobHandler):
    """The handler of the job kind `learn`; some seconds a field, all of it in one slice."""

    def __init__(self, records: Records, load: Callable[[], Definitions], encode: Encode) -> None:
        self._records = records
        self._load = load
        self._encode = encode

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
                found += [(schema.name, each)] if each.name in wanted.get(schema.name, ()) else []
                continue
            known = records.word_heads.get(schema.name, each.name)
            now = records.word_heads.verdicts(schema.name, each.name)
            learnt = known.verdicts if known is not None else 0
            is_other = known is not None and now.newest != known.newest and now.verdicts == learnt
            if abs(now.verdicts - learnt) >= least or (is_other and least == 1):
                found.append((schema.name, each))
    return found
