"""Calls that read cells of one document over all of its text, as few as there is room for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.config.fields import FieldDefinition
from core.config.models import LlmSettings
from core.domain.fields import FieldType
from core.domain.frozen import Frozen
from core.domain.llm.use import ModelRole
from core.extract.base import DocumentText
from core.extract.model.windows import TextBlock, around, blocks_of, windows
from core.llm.base import Prompt
from core.llm.budget import CHARS_PER_TOKEN
from core.llm.prompts import fence, load_prompt, read_prompt, steady_fence
from core.llm.schema import strict_schema, with_values

PROMPT = "read_cells"
MOST_WINDOWS = 40
"""Calls over the text of one document; a longer one is not read: it would take the budget of hundreds."""

MOST_EXAMPLES = 10  # of a field
_MOST_GROUPS = 12
_FRAME_TOKENS = 900  # the prompt's own words and the schema
_LEAST_ROOM = 200
_TOKENS_A_CELL, _TOKENS_A_CALL = 45, 300  # of a reply, about; most cells are absent, which takes an id
_LONGEST_CELL, _LONGEST_CALL = 75, 800  # kept free for it: of 19 replies the longest took 62 a cell
_TOKENS_ASKED = 8  # of the id, in the list of fields and in the schema


@dataclass(frozen=True, slots=True)
class AskedCell:
    """A cell as a call asks for it. id: "c1", ... doubt: why an earlier answer about it did not count."""

    id: str
    definition: FieldDefinition
    doubt: str = ""

    @property
    def tokens(self) -> int:
        """Tokens that asking for it takes, its share of the reply included."""
        return len(described(self.definition)) // CHARS_PER_TOKEN + _TOKENS_ASKED + _LONGEST_CELL


@dataclass(frozen=True, slots=True)
class CellCall:
    """One call: cells of a document, and the blocks given for them.

    window, windows: which of how many that together give all of the text; 0 of 0 for a second look.
    """

    document: DocumentText
    cells: tuple[AskedCell, ...]
    blocks: tuple[TextBlock, ...]
    window: int
    windows: int

    @property
    def reply_tokens(self) -> int:
        """Tokens of the longest reply, kept free for it."""
        return _LONGEST_CALL + _LONGEST_CELL * len(self.cells)


class CellReply(Frozen):
    """A value that stands in the text; a field that takes several has as many."""

    cell: str
    value: str
    quote: str
    block: str


class CellReplies(Frozen):
    """Answers of one call. absent: cells that the given text does not have; all others are not settled."""

    found: tuple[CellReply, ...]
    absent: tuple[str, ...]


def pack(
    document: DocumentText, cells: Sequence[FieldDefinition], settings: LlmSettings
) -> list[tuple[CellCall, ...]]:
    """Calls for these cells in groups, each of which sees the whole text.

    All in one call where there is room, else as many groups as take the fewest tokens: each group repeats the
    text, and each window of it the fields. [] for no cells, no text, and a text of too many calls.
    """
    room, blocks = room_for(settings), blocks_of(document)
    packed = [
        _packed(document, blocks, cells, count, room) for count in range(1, min(_MOST_GROUPS, len(cells)) + 1)
    ]
    fitting = [each for each in packed if each and max(map(len, each)) <= MOST_WINDOWS]
    return min(fitting, key=_tokens, default=[]) if blocks else []


def _packed(
    document: DocumentText,
    blocks: Sequence[TextBlock],
    cells: Sequence[FieldDefinition],
    groups: int,
    room: int,
) -> list[tuple[CellCall, ...]]:
    """The calls of so many groups; [] where their fields leave little room for text."""
    size = -(-len(cells) // groups)
    made = []
    for first in range(0, len(cells), size):
        asked = tuple(AskedCell(f"c{at}", each) for at, each in enumerate(cells[first : first + size], 1))
        left = room - sum(each.tokens for each in asked)
        if left < room // 4 and size > 1:
            return []
        shown = windows(blocks, left)
        made.append(
            tuple(CellCall(document, asked, each, at, len(shown)) for at, each in enumerate(shown, 1))
        )
    return made


def _tokens(groups: Sequence[Sequence[CellCall]]) -> int:
    """Tokens of text and fields in all calls."""
    return sum(
        sum(each.tokens for each in call.cells) + sum(each.tokens for each in call.blocks)
        for group in groups
        for call in group
    )


def second_look(call: CellCall, doubts: Mapping[str, tuple[str, set[str]]]) -> CellCall | None:
    """The cells once more whose answers did not stand in the text, over the blocks that they named.

    doubts: by id of a cell why, and the blocks. None where no block was named: there is nowhere to look.
    """
    named = set().union(*(ids for _, ids in doubts.values())) if doubts else set()
    blocks = around(blocks_of(call.document), named)
    cells = tuple(replace(each, doubt=doubts[each.id][0]) for each in call.cells if each.id in doubts)
    return CellCall(call.document, cells, blocks, 0, 0) if blocks else None


def cell_prompt(call: CellCall) -> tuple[Prompt, Mapping[str, Any]]:
    """Asks for the cells of a call, and the schema of the reply: its ids are those of this call.

    Up to the title, prompt and schema are the same for all documents of which the same fields are asked.
    """
    document = call.document
    blocks = [
        fence(
            each.id,
            f"[page {document.page_at(each.start).page_no}]\n{document.text[each.start : each.end]}",
        )
        for each in call.blocks
    ]
    asked = [f"{each.id} {described(each.definition)}" for each in call.cells]
    doubts = [fence(each.id, each.doubt) for each in call.cells if each.doubt]
    prompt = load_prompt(
        PROMPT,
        ModelRole.READ,
        title=fence("title", document.title or document.source),
        fields=steady_fence("fields", "\n".join(asked)),
        extent=_extent(call),
        doubts="\n".join(doubts),
        text="\n\n".join(blocks),
    )
    ids = [each.id for each in call.cells]
    schema = with_values(with_values(strict_schema(CellReplies), "cell", ids), "absent", ids)
    return replace(prompt, reply_tokens=call.reply_tokens), schema


def _extent(call: CellCall) -> str:
    if not call.windows:
        return "The places of the document that the first answers named:"
    if call.windows == 1:
        return "The whole text of the document, in blocks:"
    return (
        f"Part {call.window} of {call.windows} of the document's text, in blocks; the others are read apart. "
        "Absent is what this part does not have:"
    )


def prompt_label() -> str:
    """Name and version of the prompt."""
    return f"{PROMPT}@{read_prompt(PROMPT).version}"


def described(definition: FieldDefinition) -> str:
    """A field as a model is told of it, in one line."""
    kind = [] if definition.type is FieldType.BOOLEAN else [definition.type.value]
    kind += ["several values"] if definition.many else []
    kind += [f"in {definition.unit}"] if definition.unit else []
    kind += ["one of " + ", ".join(definition.options)] if definition.options else []
    parts = [definition.title + (f" ({'; '.join(kind)})" if kind else "") + ":", definition.description]
    for said, given in (
        ("Counts:", [definition.includes]),
        ("Does not:", [definition.excludes]),
        ("Such as:", _quoted(definition.all_examples[:MOST_EXAMPLES])),
        ("Not such as:", _quoted(definition.counter_examples)),
    ):
        parts += [said, *given] if any(given) else []
    return " ".join(" ".join(parts).split())


def _quoted(examples: Sequence[str]) -> list[str]:
    return [f"\u201c{each}\u201d" for each in examples]


CALL_S = 3.0
"""Seconds of one call where nothing else holds it up."""


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
    """Tokens of text and descriptions that one call may hold, within the budget of a minute and of a day."""
    limits = [settings.reading_tokens, settings.tokens_per_day]
    if settings.tokens_per_minute:
        limits.append(settings.tokens_per_minute)
    return max(_LEAST_ROOM, min(limits) - _LONGEST_CALL - _FRAME_TOKENS)


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
    """Time that the calls take, as many at once as is set, the minute's budget of tokens kept."""
    by_calls = size.calls * CALL_S / settings.reading_at_once
    if not settings.tokens_per_minute:
        return by_calls
    return max(by_calls, (size.prompt + size.completion) / settings.tokens_per_minute * 60)
