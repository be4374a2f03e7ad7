"""Shows what a field would find before it is saved."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from core.config.fields import FieldDefinition, Schema
from core.config.models import Settings
from core.domain.document import DocumentSummary
from core.domain.fields import CellStatus, Finding
from core.extract.base import Definitions
from core.extract.jobs.pool import ExtractPool
from core.extract.jobs.service import read_task
from core.records.store import Records

TRIAL = "trial"
"""Name of the schema that a field on trial stands in."""


def try_field(
    records: Records,
    settings: Settings,
    current: Definitions,
    definition: FieldDefinition,
    bucket: str,
    documents: Sequence[DocumentSummary],
) -> list[tuple[DocumentSummary, Finding]]:
    """Findings of the field in each document, in child processes: a bad pattern harms nothing."""
    by_itself = definition.model_copy(update={"checks": ()})  # there is nothing to compare it with
    schema = Schema(name=TRIAL, title="Trial", buckets=(bucket,), fields=(by_itself,))
    definitions = replace(current, schemas=(schema,))
    alone = settings.model_copy(update={"ingest": settings.ingest.model_copy(update={"processes": 1})})

    def find(summary: DocumentSummary) -> tuple[DocumentSummary, Finding]:
        task = replace(read_task(records, definitions, summary.id), schema=TRIAL)
        if not task.text.is_readable:
            return summary, Finding(CellStatus.UNREADABLE, note=summary.reason)
        reply = pool.extract(task)
        if reply.value is None:
            return summary, Finding(CellStatus.UNCERTAIN, note=reply.reason)
        absent = Finding(CellStatus.ABSENT)
        return summary, reply.value.findings.get(definition.name, absent)

    with ExtractPool(alone, definitions) as pool, ThreadPoolExecutor(2) as threads:
        return list(threads.map(find, documents))
