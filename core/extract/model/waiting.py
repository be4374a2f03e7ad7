"""Uncertain cells that wait for a model, by document, and those of which it was asked before."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from core.config.fields import FieldDefinition
from core.config.models import LlmSettings
from core.domain.fields import CellStatus, Finding
from core.domain.ids import DocumentId
from core.extract.base import Definitions
from core.extract.model.estimate import room_for
from core.extract.model.prompt import described, prompt_label
from core.records.cells.model_readings import ModelReading, UncertainCell
from core.records.database.visibility import Visibility
from core.records.store import Records

_EVERYTHING = Visibility.everything()


@dataclass(slots=True)
class WaitingDocument:
    """Cells of one document. cells: to be asked. kept: answers that count, of this very text and question.

    in_vain: how many were asked before and did not count.
    """

    document: DocumentId
    version: int
    cells: list[tuple[FieldDefinition, Finding]] = field(default_factory=list)
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
) -> list[WaitingDocument]:
    """Cells that wait, by document. Those of which a model was asked the same in vain are only counted.

    Cells of fields that no schema has any more are left out.
    """
    cells = records.model_readings.open_cells(visible, bucket, fields, documents)
    known = records.model_readings.known({each.document for each in cells})
    schemas = {each.name: {own.name: own for own in each.fields} for each in definitions.schemas}
    found: dict[DocumentId, WaitingDocument] = {}
    for each in cells:
        definition = _definition(each, schemas)
        if definition is None:
            continue
        of = found.setdefault(each.document, WaitingDocument(each.document, each.version))
        version, reading = known.get((each.document, each.cell.field), (0, None))
        is_same = (
            reading is not None and version == each.version and reading.basis == basis(definition, settings)
        )
        if reading is None or not is_same:
            of.cells.append((definition, each.cell.finding))
        elif reading.finding.status is not CellStatus.UNCERTAIN:
            of.kept.append(reading)
        else:
            of.in_vain += 1
    return [each for each in found.values() if each.cells or each.kept or each.in_vain]


def basis(definition: FieldDefinition, settings: LlmSettings) -> str:
    """Equal where a model would be asked the same of the same text."""
    asked = [described(definition), prompt_label(), settings.reading_model, room_for(settings)]
    return hashlib.sha256(json.dumps(asked, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]


def _definition(
    cell: UncertainCell, schemas: Mapping[str, Mapping[str, FieldDefinition]]
) -> FieldDefinition | None:
    return schemas.get(cell.schema, {}).get(cell.cell.field)
