"""The prompt that asks for cells, its schema, and the form of the reply."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from core.config.fields import FieldDefinition
from core.domain.fields import FieldType
from core.domain.llm.use import ModelRole
from core.extract.model.packing import AskedCell, CellCall
from core.llm.base import Prompt
from core.llm.prompts import fence, load_prompt, read_prompt
from core.llm.schema import strict_schema, with_values

PROMPT = "read_cells"

_WHOLE = "The whole text of the document, in blocks:"
_PLACES = "The places of the document that are nearest to these fields, in blocks; other parts were left out:"


class CellReply(BaseModel):
    """Answer about one cell, or of a field that takes several values about one of them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cell: str
    status: Literal["present", "absent", "uncertain"]
    value: str
    quote: str
    evidence: str


class CellReplies(BaseModel):
    """Answers of one call."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cells: tuple[CellReply, ...]


def cell_prompt(call: CellCall) -> tuple[Prompt, Mapping[str, Any]]:
    """Asks for the cells of a call, and the schema of the reply: its ids are those of this call."""
    document = call.document
    listed = [
        fence(
            each.id, f"[page {document.page_at(each.start).page_no}]\n{document.text[each.start : each.end]}"
        )
        for each in call.evidence
    ]
    prompt = load_prompt(
        PROMPT,
        ModelRole.READ,
        title=fence("title", document.title or document.source),
        fields=fence("fields", "\n".join(_described(each) for each in call.cells)),
        extent=_WHOLE if call.is_whole else _PLACES,
        evidence="\n\n".join(listed),
    )
    schema = with_values(strict_schema(CellReplies), "cell", [each.id for each in call.cells])
    return prompt, with_values(schema, "evidence", ["", *(each.id for each in call.evidence)])


def prompt_label() -> str:
    """Name and version of the prompt."""
    return f"{PROMPT}@{read_prompt(PROMPT).version}"


def _described(cell: AskedCell) -> str:
    return f"{cell.id}: {json.dumps(described(cell.definition), ensure_ascii=False)}"


def described(definition: FieldDefinition) -> dict[str, Any]:
    """A field as a model is told of it."""
    told: dict[str, Any] = {"title": definition.title, "type": definition.type.value}
    if definition.description:
        told["what it is"] = definition.description
    if definition.unit:
        told["unit"] = definition.unit
    if definition.type is FieldType.ENUM:
        told["options"] = list(definition.options)
    if definition.many:
        told["several values"] = True
    return told
