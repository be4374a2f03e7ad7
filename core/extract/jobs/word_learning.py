"""Heads of fields in words, learnt from the cells that people decided; what a worker and a service call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from core.config.fields import FieldDefinition
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
from core.records.cells.word_heads import StoredHead
from core.records.database.visibility import Visibility
from core.records.store import Records

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
