"""Answers of a model about cells that count: those whose words stand in the evidence and say the value.

Nothing is taken on trust: a quote is looked for in the very block that was given, the value is read out of
the quote by the same readers that extraction uses, and an absence counts only where all was given that could
contradict it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from core.config.fields import FieldDefinition
from core.domain.fields import AMOUNTS, ORDERED, CellStatus, FieldType, Finding, Quote, TypedValue
from core.domain.llm.cells import MODEL, UNEARNED
from core.extract.absence import is_named, stems_of
from core.extract.base import DocumentText
from core.extract.decision import MAX_VALUES
from core.extract.model.calls import AskedCell, CellCall, CellReplies, CellReply
from core.extract.model.evidence import EvidenceSpan
from core.fields.typed import ValueSpan, boolean_value, is_usable, order_for, same, text_value, values_in
from core.text.sentences import split_sentences
from core.values.dates import Order
from core.values.names import parse_party

LONGEST_QUOTE = 1_500
_LEAST_CLAUSE_WORDS = 3
_YES = frozenset({"yes", "true", "present"})
_FILLER = re.compile(r"[\W_]+")


class Refusal(StrEnum):
    """Reason why an answer does not count, as people read it."""

    NO_ANSWER = "The model gave no answer about it."
    UNSETTLED = "The model found the evidence not enough."
    NOT_ALL_GIVEN = "The model found none, but it was not given everything that could state it."
    IS_STATED = "The model found none, but a sentence that it was given names the field and states a value."
    NO_BLOCK = "The answer names no block of the evidence."
    NO_QUOTE = "The words that the answer quotes do not stand in the evidence."
    SHORT_QUOTE = "The words that the answer quotes are too few or too many to state it."
    NOT_IN_QUOTE = "The value cannot be read from the words that the answer quotes."
    NO_VALUE = "The answer gives no value of the field's type."
    TWO_ANSWERS = "The model gave answers that contradict each other."


def findings_of(call: CellCall, replies: CellReplies) -> dict[str, Finding | Refusal]:
    """By field the finding that its answers come to, or why they do not count. Foreign ids are left aside."""
    by_cell: dict[str, list[CellReply]] = {}
    for each in replies.cells:
        by_cell.setdefault(each.cell, []).append(each)
    return {cell.definition.name: _judge(call, cell, by_cell.get(cell.id, [])) for cell in call.cells}


def _judge(call: CellCall, cell: AskedCell, replies: Sequence[CellReply]) -> Finding | Refusal:
    if not replies:
        return Refusal.NO_ANSWER
    statuses = {each.status for each in replies}
    if len(statuses) > 1:
        return Refusal.TWO_ANSWERS
    if statuses == {"uncertain"}:
        return Refusal.UNSETTLED
    if statuses == {"absent"}:
        if not cell.may_be_absent:
            return Refusal.NOT_ALL_GIVEN
        if _is_stated(call, cell.definition):
            return Refusal.IS_STATED
        return Finding(CellStatus.ABSENT, confidence=UNEARNED, method=MODEL)
    return _present(call, cell.definition, replies)


def _is_stated(call: CellCall, definition: FieldDefinition) -> bool:
    """True where a sentence has the field's own words and a value of its type: no absence is sure then."""
    if definition.type not in ORDERED:
        return False
    document = call.document
    order = order_for(definition, document.text, document.language)
    for block in call.evidence:
        text = document.text[block.start : block.end]
        for start, end in split_sentences(text):
            said = text[start:end]
            if is_named(definition, stems_of(said)) and any(
                is_usable(each.value) for each in values_in(said, definition, order)
            ):
                return True
    return False


def _present(call: CellCall, definition: FieldDefinition, replies: Sequence[CellReply]) -> Finding | Refusal:
    """All values or none: of a list with one wrong value nobody knows which others are wrong."""
    document = call.document
    read: list[tuple[TypedValue, Quote, Quote]] = []
    blocks = {each.id: each for each in call.evidence}
    order = order_for(definition, document.text, document.language)
    for reply in replies:
        found = _read(document, definition, order, reply, blocks.get(reply.evidence))
        if isinstance(found, Refusal):
            return found
        if not any(same(found[0], other) for other, _, _ in read):
            read.append(found)
    if definition.type is FieldType.BOOLEAN:
        quotes = tuple(dict.fromkeys(quote for _, quote, _ in read))
        return _finding((read[0][0],), quotes)
    if not definition.many and len(read) > 1:
        return Refusal.TWO_ANSWERS
    shown = read[:MAX_VALUES]
    places = [place for _, place, _ in shown]
    if not definition.many and shown[0][2] != places[0]:
        places.append(shown[0][2])  # the words around the value
    return _finding(tuple(value for value, _, _ in shown), tuple(places))


def _finding(values: tuple[TypedValue, ...], quotes: tuple[Quote, ...]) -> Finding:
    return Finding(CellStatus.PRESENT, values, quotes, UNEARNED, MODEL)


def _read(
    document: DocumentText,
    definition: FieldDefinition,
    order: Order,
    reply: CellReply,
    block: EvidenceSpan | None,
) -> tuple[TypedValue, Quote, Quote] | Refusal:
    """The value, where it stands, and the words quoted."""
    if block is None:
        return Refusal.NO_BLOCK
    if not reply.quote.strip() or len(reply.quote) > LONGEST_QUOTE:
        return Refusal.SHORT_QUOTE
    place = find_verbatim(document.text, reply.quote, block.start, block.end)
    if place is None:
        return Refusal.NO_QUOTE
    quote = document.quote(*place)
    start, end = document.span(quote)
    if definition.type is FieldType.BOOLEAN:
        if reply.value.strip().casefold() not in _YES:
            return Refusal.NO_VALUE
        if len(quote.quote.split()) < _LEAST_CLAUSE_WORDS:
            return Refusal.SHORT_QUOTE
        return boolean_value(True, quote.quote[:200]), quote, quote
    said = value_in_quote(quote.quote, reply.value, definition, order)
    if isinstance(said, Refusal):
        return said
    return said.value, document.quote(start + said.start, min(end, start + said.end)), quote


def value_in_quote(
    quote: str, written: str, definition: FieldDefinition, order: Order
) -> ValueSpan | Refusal:
    """The value that was written, as it is read from the quote, with its place there."""
    kind, bare = definition.type, written.strip()
    if not bare:
        return Refusal.NO_VALUE
    if kind is FieldType.ENUM:
        return _option_in(quote, bare, definition)
    if kind in (FieldType.TEXT, FieldType.PARTY):
        return _words_in(quote, bare, kind)
    wanted = [each.value for each in values_in(bare, definition, order)]
    if len(wanted) != 1:
        return Refusal.NO_VALUE
    for each in values_in(quote, definition, order):
        if is_usable(each.value) and same(each.value, wanted[0]) and _keeps_sign(each.value, quote, each):
            return each
    return Refusal.NOT_IN_QUOTE


def find_verbatim(text: str, quote: str, start: int, end: int) -> tuple[int, int] | None:
    """Place of the words within [start, end), as words of their own and white space apart; None for none."""
    words = quote.split()
    if not words:
        return None
    bare = r"\s+".join(map(re.escape, words))
    pattern = rf"(?<!\w){bare}(?!\w)"
    if not words[0][0].isalnum():
        pattern = pattern.removeprefix(r"(?<!\w)")
    if not words[-1][-1].isalnum():
        pattern = pattern.removesuffix(r"(?!\w)")
    found = re.compile(pattern).search(text, start, end)
    return None if found is None else found.span()


def _words_in(quote: str, written: str, kind: FieldType) -> ValueSpan | Refusal:
    place = find_verbatim(quote, written, 0, len(quote))
    if place is None:
        return Refusal.NOT_IN_QUOTE
    said = quote[slice(*place)]
    value = parse_party(said) if kind is FieldType.PARTY else text_value(said)
    return Refusal.NO_VALUE if value is None else ValueSpan(*place, value)


def _option_in(quote: str, written: str, definition: FieldDefinition) -> ValueSpan | Refusal:
    """The option, where the quote holds all its words."""
    option = next((each for each in definition.options if _letters(each) == _letters(written)), None)
    if option is None:
        return Refusal.NO_VALUE
    words = stems_of(option.replace("_", " "))
    if not words or not stems_of(quote) >= words:
        return Refusal.NOT_IN_QUOTE
    value = TypedValue(FieldType.ENUM, option, original=quote[:200], normal=option.casefold())
    return ValueSpan(0, len(quote), value)


def _letters(text: str) -> str:
    return _FILLER.sub("", text).casefold()


def _keeps_sign(value: TypedValue, quote: str, place: ValueSpan) -> bool:
    """False where a minus stands before an amount that was read as positive."""
    if value.type not in AMOUNTS or value.amount is None or value.amount < 0:
        return True
    return not re.search(r"[-\u2212]\s?$", quote[: place.start])
