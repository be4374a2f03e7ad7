"""Shows what a field would find before it is saved."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from core.config.fields import FieldDefinition, Schema
from core.domain.document import DocumentSummary
from core.domain.fields import CellStatus, Finding
from core.extract.jobs.pool import ExtractPool
from core.extract.jobs.service import read_task
from core.workbench.wiring import Parts

_TRIAL = "trial"


def try_field(
    parts: Parts, definition: FieldDefinition, bucket: str, documents: Sequence[DocumentSummary]
) -> list[tuple[DocumentSummary, Finding]]:
    """Findings of the field in each document, in child processes: a bad pattern harms nothing."""
    parts.schema_editor.check(_TRIAL, definition)
    schema = Schema(name=_TRIAL, title="Trial", buckets=(bucket,), fields=(definition,))
    current = parts.definitions()
    definitions = replace(current, schemas=(schema,))
    settings = parts.settings.model_copy(
        update={"ingest": parts.settings.ingest.model_copy(update={"processes": 1})}
    )

    def find(summary: DocumentSummary) -> tuple[DocumentSummary, Finding]:
        task = replace(read_task(parts.records, definitions, summary.id), schema=_TRIAL)
        if not task.text.is_readable:
            return summary, Finding(CellStatus.UNREADABLE, note=summary.reason)
        reply = pool.extract(task)
        if reply.value is None:
            return summary, Finding(CellStatus.UNCERTAIN, note=reply.reason)
        absent = Finding(CellStatus.ABSENT)
        return summary, reply.value.findings.get(definition.name, absent)

    with ExtractPool(settings, definitions) as pool, ThreadPoolExecutor(2) as threads:
        return list(threads.map(find, documents))
