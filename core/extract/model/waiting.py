"""Cells that wait to be read by a model, by document, and what makes one asking the same as another."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from core.config.fields import FieldDefinition
from core.config.models import LlmSettings
from core.domain.fields import CellStatus
from core.domain.ids import DocumentId
from core.domain.llm.cells import MODEL
from core.errors import NotFoundError
from core.extract.base import Definitions
from core.extract.jobs.service import read_text
from core.extract.model.calls import CellCall, described, pack, prompt_label
from core.store.cells.model_readings import ModelReading, ReadingBasis
from core.store.database.visibility import Visibility
from core.store.store import Records

_EVERYTHING = Visibility.everything()
_FEW = 100  # documents that a statement may name


@dataclass(slots=True)
class WaitingDocument:
    """Cells of one document. cells: to be asked. kept: answers that count, of this very text and question.

    in_vain: how many were asked before and did not count.
    """

    document: DocumentId
    version: int
    cells: list[FieldDefinition] = field(default_factory=list)
    kept: list[ModelReading] = field(default_factory=list)
    in_vain: int = 0


def waiting(
    records: Records,
    definitions: Definitions,
    settings: LlmSettings,
    *,
    bucket: str | None = None,
    fields: Collection[str] | None = None,
    documents: Collection[DocumentId] | None = None,
    visible: Visibility = _EVERYTHING,
    with_decided: bool = False,
) -> list[WaitingDocument]:
    """Cells that wait, by document. Those of which a model was asked the same in vain are only counted.

    Cells of fields that no schema has any more are left out. with_decided: also what extraction decided. What
    a model read by a definition that changed since waits, too, whatever became of it.
    """
    few = documents is not None and len(documents) <= _FEW
    schemas = {each.name: {own.name: own for own in each.fields} for each in definitions.schemas}
    bases = {
        each.basis
        for each in records.model_readings.bases(visible, None, documents if few else None)
        if (own := schemas.get(each.schema, {}).get(each.field)) and is_of_before(each, own)
    }
    cells = records.model_readings.open_cells(
        visible, bucket, fields, documents, with_decided=with_decided, bases=bases
    )
    known = records.model_readings.known({each.document for each in cells})
    found: dict[DocumentId, WaitingDocument] = {}
    for each in cells:
        definition = schemas.get(each.schema, {}).get(each.cell.field)
        if definition is None or not definition.is_for(each.bucket):
            continue
        of = found.setdefault(each.document, WaitingDocument(each.document, each.version))
        version, reading = known.get((each.document, each.cell.field), (0, None))
        if each.cell.finding.method == MODEL and not (reading and is_of_before(reading, definition)):
            continue
        if reading is None or version != each.version or reading.basis != basis(definition, settings):
            of.cells.append(definition)
        elif reading.finding.status is not CellStatus.UNCERTAIN:
            of.kept.append(reading)
        else:
            of.in_vain += 1
    return [each for each in found.values() if each.cells or each.kept or each.in_vain]


def basis(definition: FieldDefinition, settings: LlmSettings) -> str:
    """Equal where a model would be asked the same of the same text."""
    return _basis(definition, prompt_label(), settings.reading_model)


def is_of_before(reading: ModelReading | ReadingBasis, definition: FieldDefinition) -> bool:
    """True where the field was defined otherwise when a model read it; another model is no reason."""
    return reading.basis != _basis(definition, reading.prompt, reading.model)


def _basis(definition: FieldDefinition, prompt: str, model: str) -> str:
    return _hash([described(definition), prompt, model])


def reply_key(call: CellCall, model: str) -> str:
    """Equal where a call asks a model the same of the same text of the same document."""
    asked = [(each.id, described(each.definition), each.doubt) for each in call.cells]
    given = [(each.id, each.start, each.end) for each in call.blocks]
    document = call.document
    told = [model, prompt_label(), document.document, document.version, call.windows, asked, given]
    return _hash(told)


def _hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]


def sequence_of_calls(
    records: Records, definitions: Definitions, settings: LlmSettings, found: Sequence[WaitingDocument]
) -> list[CellCall]:
    """The calls that these documents take, as the job would make them."""
    calls: list[CellCall] = []
    for each in found:
        try:
            text = read_text(records, each.document, each.version)
        except NotFoundError:
            continue
        calls += (call for group in pack(text, each.cells, settings) for call in group)
    return calls
