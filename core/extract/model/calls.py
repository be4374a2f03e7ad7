"""Calls that read the uncertain cells of one document: many cells each, with the places that they share."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from core.config.fields import FieldDefinition
from core.config.models import LlmSettings
from core.domain.fields import FieldType, Finding
from core.domain.llm.use import ModelRole
from core.extract.base import DocumentText
from core.extract.model.evidence import (
    EvidenceSpan,
    PlaceFinder,
    Places,
    Span,
    holds_all,
    merged,
    numbered,
    size_of,
    whole_of,
)
from core.llm.base import Prompt
from core.llm.budget import CHARS_PER_TOKEN
from core.llm.prompts import fence, load_prompt, read_prompt
from core.llm.roles import REPLY_TOKENS
from core.llm.schema import strict_schema, with_values

MOST_CELLS = 10
"""Cells of one call: each answer takes some 80 tokens of the reply, and its reasoning the rest."""

_DEFINITION_TOKENS = 25


@dataclass(frozen=True, slots=True)
class AskedCell:
    """A cell as a call asks for it. id: "c1", ... may_be_absent: what was given suffices to say so."""

    id: str
    definition: FieldDefinition
    finding: Finding
    may_be_absent: bool


@dataclass(frozen=True, slots=True)
class CellCall:
    """One call: cells of a document, and the evidence given for them. is_whole: that is all of its text."""

    document: DocumentText
    cells: tuple[AskedCell, ...]
    evidence: tuple[EvidenceSpan, ...]
    is_whole: bool

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields that it asks for."""
        return tuple(each.definition.name for each in self.cells)


def pack(finder: PlaceFinder, cells: Sequence[tuple[FieldDefinition, Finding]], room: int) -> list[CellCall]:
    """Calls for these cells, in their order; [] for none. room: tokens of evidence and definitions in one.

    A document that fits is given in full. A place that alone is larger than the room is cut.
    """
    document = finder.document
    whole = whole_of(document)
    given = size_of((each.start, each.end) for each in whole)
    asked = max((_definition_size(definition) for definition, _ in cells), default=0)
    if given + asked * min(MOST_CELLS, len(cells)) <= room:
        is_read = all(page.text.strip() for page in document.pages)
        return [
            CellCall(document, _numbered_cells([(*each, is_read) for each in some]), whole, True)
            for some in (cells[at : at + MOST_CELLS] for at in range(0, len(cells), MOST_CELLS))
        ]
    return _by_places(finder, cells, room)


def _by_places(
    finder: PlaceFinder, cells: Sequence[tuple[FieldDefinition, Finding]], room: int
) -> list[CellCall]:
    calls: list[CellCall] = []
    group: list[tuple[FieldDefinition, Finding, Places]] = []
    spans: list[Span] = []
    left = room
    for definition, finding in cells:
        places = finder.places(definition, finding)
        own = _definition_size(definition)
        best = _fitting(places.best, room - own)
        together = merged([*spans, *best], finder.document)
        if group and (len(group) == MOST_CELLS or size_of(together) + own > left):
            calls.append(_call(finder, group, spans))
            group, spans, left = [], [], room
            together = merged(best, finder.document)
        group.append((definition, finding, places))
        spans, left = together, left - own
    return [*calls, _call(finder, group, spans)] if group else calls


def _call(
    finder: PlaceFinder, group: Sequence[tuple[FieldDefinition, Finding, Places]], spans: Sequence[Span]
) -> CellCall:
    evidence = numbered(spans)
    is_read = all(page.text.strip() for page in finder.document.pages)
    cells = _numbered_cells(
        [
            (definition, finding, is_read and bool(places.best) and holds_all(evidence, places.named))
            for definition, finding, places in group
        ]
    )
    return CellCall(finder.document, cells, evidence, False)


def _fitting(spans: Sequence[Span], room: int) -> list[Span]:
    """The first places that have room; of the first one at least its beginning."""
    kept: list[Span] = []
    for start, end in spans:
        if size_of([*kept, (start, end)]) > room:
            if not kept:
                kept.append((start, start + max(1, room // 2) * CHARS_PER_TOKEN))
            break
        kept.append((start, end))
    return kept


def _numbered_cells(cells: Sequence[tuple[FieldDefinition, Finding, bool]]) -> tuple[AskedCell, ...]:
    return tuple(AskedCell(f"c{at}", *each) for at, each in enumerate(cells, 1))


def _definition_size(definition: FieldDefinition) -> int:
    said = len(definition.title) + len(definition.description) + sum(map(len, definition.options))
    return said // CHARS_PER_TOKEN + _DEFINITION_TOKENS


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
    blocks = [
        (each.id, f"[page {document.page_at(each.start).page_no}]\n{document.text[each.start : each.end]}")
        for each in call.evidence
    ]
    asked = [
        f"{each.id}: {json.dumps(described(each.definition), ensure_ascii=False)}" for each in call.cells
    ]
    prompt = load_prompt(
        PROMPT,
        ModelRole.READ,
        title=fence("title", document.title or document.source),
        fields=fence("fields", "\n".join(asked)),
        extent=_WHOLE if call.is_whole else _PLACES,
        evidence="\n\n".join(fence(*each) for each in blocks),
    )
    schema = with_values(strict_schema(CellReplies), "cell", [each.id for each in call.cells])
    return prompt, with_values(schema, "evidence", ["", *(each.id for each in call.evidence)])


def prompt_label() -> str:
    """Name and version of the prompt."""
    return f"{PROMPT}@{read_prompt(PROMPT).version}"


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


CALL_S = 3.0
"""Seconds of one call where nothing else holds it up."""

_FRAME_TOKENS = 900  # the prompt's own words and the schema
_TOKENS_A_CELL, _TOKENS_A_CALL = 80, 200  # of a reply; the second for its reasoning
_LEAST_ROOM = 200


@dataclass(frozen=True, slots=True)
class CallSize:
    """Tokens of calls."""

    calls: int
    prompt: int
    completion: int

    def scaled(self, factor: float) -> CallSize:
        """The same for as many times as much."""
        return CallSize(*(round(each * factor) for each in (self.calls, self.prompt, self.completion)))


def room_for(settings: LlmSettings) -> int:
    """Tokens of evidence and definitions that one call may hold, within every budget that counts it."""
    reserved = REPLY_TOKENS[ModelRole.READ] + _FRAME_TOKENS
    limits = [settings.context_tokens, settings.tokens_per_question - reserved]
    if settings.tokens_per_minute:
        limits.append(settings.tokens_per_minute - reserved)
    return max(_LEAST_ROOM, min(limits))


def size_of_calls(calls: Sequence[CellCall]) -> CallSize:
    """Tokens that these calls take, about."""
    prompt = completion = 0
    for call in calls:
        filled, schema = cell_prompt(call)
        characters = sum(len(message.content) for message in filled.messages) + len(json.dumps(dict(schema)))
        prompt += characters // CHARS_PER_TOKEN
        completion += _TOKENS_A_CALL + _TOKENS_A_CELL * len(call.cells)
    return CallSize(len(calls), prompt, completion)


def cost_of(size: CallSize, settings: LlmSettings) -> float | None:
    """US dollars by the price of the model that reads; None where it has none."""
    price = settings.price_of(settings.reading_model)
    return None if price is None else price.cost_usd(size.prompt, size.completion)


def seconds_of(size: CallSize, settings: LlmSettings) -> float:
    """Time that the calls take one after the other, the minute's budget of tokens kept."""
    by_calls = size.calls * CALL_S
    if not settings.tokens_per_minute:
        return by_calls
    return max(by_calls, (size.prompt + size.completion) / settings.tokens_per_minute * 60)
