"""Answers of a model about cells that count: those whose words stand in the evidence and say the value.

Nothing is taken on trust: a quote is looked for in the very block that was given, the value is read out of
the quote by the same readers that extraction uses, and an absence counts only where the whole text was given.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from core.config.fields import FieldDefinition
from core.domain.fields import (
    AMOUNTS,
    ORDERED,
    Candidate,
    CellStatus,
    FieldType,
    Finding,
    Quote,
    TypedValue,
)
from core.domain.llm.cells import MODEL, UNEARNED
from core.extract.absence import is_named, stems_of
from core.extract.base import DocumentText, uncertain
from core.extract.decision import MAX_VALUES
from core.extract.model.calls import AskedCell, CellCall, CellReplies, CellReply
from core.extract.model.windows import TextBlock
from core.fields.promise import clause_probability
from core.fields.typed import ValueSpan, boolean_value, is_usable, order_for, same, text_value, values_in
from core.text.sentences import split_sentences
from core.values.dates import Order
from core.values.durations import parse_duration
from core.values.names import parse_party
from core.values.places import find_places

LONGEST_QUOTE = 1_500
_LEAST_CLAUSE_WORDS = 3
_OTHER = "other"
_YES = frozenset({"yes", "true", "present"})
_FILLER = re.compile(r"[\W_]+")


class Refusal(StrEnum):
    """Reason why an answer does not count, as people read it."""

    UNSETTLED = "The model found the text not enough to settle it."
    NOT_ALL_GIVEN = "The model found none, but a part of the document has no text that it could be given."
    IS_STATED = "The model found none, but a sentence that it was given names the field and states a value."
    NO_BLOCK = "The answer names no block of the text."
    NO_QUOTE = "The words that the answer quotes do not stand in the block that it names."
    SHORT_QUOTE = "The words that the answer quotes are too few or too many to state it."
    NOT_IN_QUOTE = "The value cannot be read from the words that the answer quotes."
    NO_VALUE = "The answer gives no value of the field's type."
    TWO_ANSWERS = "The model gave answers that contradict each other."


WORTH_A_SECOND_LOOK = frozenset(
    {Refusal.NO_QUOTE, Refusal.SHORT_QUOTE, Refusal.NOT_IN_QUOTE, Refusal.NO_VALUE, Refusal.TWO_ANSWERS}
)
"""What a model can mend that is told of it; the other reasons tell of the text."""

Answered = Sequence[tuple[CellCall, CellReplies]]
"""Calls of one group, which together saw all of the text, with their replies."""


def findings_of(answered: Answered) -> dict[str, Finding | Refusal]:
    """By field the finding that its answers come to, or why they do not count. Foreign ids are left aside."""
    return {
        cell.definition.name: _judge(answered, cell) for cell in (answered[0][0].cells if answered else ())
    }


def _judge(answered: Answered, cell: AskedCell) -> Finding | Refusal:
    found = [(call, each) for call, replies in answered for each in replies.found if each.cell == cell.id]
    if found:
        is_both = any(
            cell.id in replies.absent and any(each.cell == cell.id for each in replies.found)
            for _, replies in answered
        )
        return Refusal.TWO_ANSWERS if is_both else _present(cell.definition, found)
    if not all(cell.id in replies.absent for _, replies in answered):
        return Refusal.UNSETTLED
    call = answered[0][0]
    if not call.windows or not all(page.text.strip() for page in call.document.pages):
        return Refusal.NOT_ALL_GIVEN
    if _is_stated(call.document, cell.definition):
        return Refusal.IS_STATED
    return Finding(CellStatus.ABSENT, confidence=UNEARNED, method=MODEL)


SPEAKS_FOR, SPEAKS_AGAINST = 23.0, 0.1
"""How much likelier a model is to find a clause where it stands than where not, and to find none: of 31 that
stood in 396 cells it found 28, and 14 more (`docs/performance/fields.md`)."""

WEIGHED_FROM = 0.9
"""How sure the head's probability and the model's answer together must be for a fact."""

DISAGREE = "The model's answer and the probability of the trained head speak against each other."


def weighed(judged: Finding, known: Finding | None) -> Finding:
    """A model's answer about a clause of which a head was not sure, by what both say together.

    known: the cell as extraction has it. The answer as a candidate where they leave it open.
    """
    p = clause_probability(known) if known is not None and known.status is CellStatus.UNCERTAIN else None
    if p is None or judged.status is CellStatus.UNCERTAIN:
        return judged
    is_there = judged.status is CellStatus.PRESENT
    for_it = p * (SPEAKS_FOR if is_there else SPEAKS_AGAINST)
    together = for_it / (for_it + 1 - p) if for_it else 0.0
    if (together if is_there else 1 - together) >= WEIGHED_FROM:
        return judged
    said = [Candidate(value, judged.spans, together, MODEL) for value in judged.values]
    return uncertain(together, MODEL, said, DISAGREE)


def _is_stated(document: DocumentText, definition: FieldDefinition) -> bool:
    """True where a sentence has the field's own words and a value of its type: no absence is sure then."""
    if definition.type not in ORDERED:
        return False
    order = order_for(definition, document.text, document.language)
    for start, end in split_sentences(document.text):
        said = document.text[start:end]
        if is_named(definition, stems_of(said)) and any(
            is_usable(each.value) for each in values_in(said, definition, order)
        ):
            return True
    return False


def _present(definition: FieldDefinition, found: Sequence[tuple[CellCall, CellReply]]) -> Finding | Refusal:
    """All values or none: of a list with one wrong value nobody knows which others are wrong.

    Windows share a block, and a value may stand in many: equal ones are one, on the words that say most.
    """
    document = found[0][0].document
    read: list[tuple[TypedValue, Quote, Quote]] = []
    order = order_for(definition, document.text, document.language)
    for call, reply in found:
        block = next((each for each in call.blocks if each.id == reply.block), None)
        own = _read(document, definition, order, reply, block)
        if isinstance(own, Refusal):
            return own
        at = next((at for at, other in enumerate(read) if same(own[0], other[0])), None)
        if at is None or definition.type is FieldType.BOOLEAN:
            read.append(own)
        elif len(own[2].quote) > len(read[at][2].quote):
            read[at] = own
    if definition.type is FieldType.BOOLEAN:
        return _finding((read[0][0],), tuple(dict.fromkeys(quote for _, _, quote in read)))
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
    block: TextBlock | None,
) -> tuple[TypedValue, Quote, Quote] | Refusal:
    """The value, where it stands, and the words quoted."""
    if block is None:
        return Refusal.NO_BLOCK
    if not reply.quote.strip() or len(reply.quote) > LONGEST_QUOTE:
        return Refusal.SHORT_QUOTE
    place = find_verbatim(document.text, reply.quote, block.start, block.end + LONGEST_QUOTE)
    if place is None or place[0] >= block.end:  # it may end in the next block, over the end of a page
        return Refusal.NO_QUOTE
    quote, (start, end) = document.quote(*place), place
    if definition.type is FieldType.BOOLEAN:
        if reply.value.strip().casefold() not in _YES:
            return Refusal.NO_VALUE
        if len(quote.quote.split()) < _LEAST_CLAUSE_WORDS:
            return Refusal.SHORT_QUOTE
        return boolean_value(True, quote.quote[:200]), quote, quote
    said = value_in_quote(document.text[start:end], reply.value, definition, order)
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
        return _words_in(quote, bare, definition)
    wanted = [each.value for each in values_in(bare, definition, order)]
    rate = parse_duration(bare) if kind is FieldType.DURATION else None
    place = find_verbatim(quote, bare, 0, len(quote)) if rate is not None else None
    if rate is not None and place is not None:  # "annual", which is no length in other words
        return ValueSpan(*place, rate)
    if len(wanted) != 1:
        return Refusal.NO_VALUE
    for each in values_in(quote, definition, order):
        if is_usable(each.value) and same(each.value, wanted[0]) and _keeps_sign(each.value, quote, each):
            return each
    return Refusal.NOT_IN_QUOTE


def find_verbatim(text: str, quote: str, start: int, end: int) -> tuple[int, int] | None:
    """Place of the words within [start, end), as words of their own; None for none.

    White space, hyphens and case are forgiven, nothing else: lines break, and so do words at their ends.
    """
    wanted, _ = _folded(quote, 0, len(quote))
    if not wanted:
        return None
    held, places = _folded(text, start, end)
    at = held.find(wanted)
    while at >= 0:
        first, last = places[at], places[at + len(wanted) - 1] + 1
        if not _goes_on(text, first, -1) and not _goes_on(text, last - 1, 1):
            while first > start and text[first - 1] in _HYPHENS:
                first -= 1  # the sign of an amount is a part of it
            return first, last
        at = held.find(wanted, at + 1)
    return None


_HYPHENS = frozenset("-\u00ad\u2010\u2011\u2012\u2212")


def _folded(text: str, start: int, end: int) -> tuple[str, list[int]]:
    """Characters without white space, hyphens and case, and where each of them stands."""
    held: list[str] = []
    places: list[int] = []
    for at in range(start, min(end, len(text))):
        if not text[at].isspace() and text[at] not in _HYPHENS:
            folded = text[at].casefold()
            held.append(folded)
            places += [at] * len(folded)
    return "".join(held), places


def _goes_on(text: str, at: int, step: int) -> bool:
    """True where the word that holds a character goes on beyond it, to the left (-1) or right (1)."""
    beside = at + step
    return 0 <= beside < len(text) and text[at].isalnum() and text[beside].isalnum()


def _words_in(quote: str, written: str, definition: FieldDefinition) -> ValueSpan | Refusal:
    place = find_verbatim(quote, written, 0, len(quote))
    if place is None:
        return Refusal.NOT_IN_QUOTE
    said = quote[slice(*place)]
    if any(each.method == "rule" and each.rule == "governing_law" for each in definition.extractors):
        named = {each.name for each in find_places(said)}  # "State of Nevada" is the law of Nevada
        said = named.pop() if len(named) == 1 else said
    value = parse_party(said) if definition.type is FieldType.PARTY else text_value(said)
    return Refusal.NO_VALUE if value is None else ValueSpan(*place, value)


def _option_in(quote: str, written: str, definition: FieldDefinition) -> ValueSpan | Refusal:
    """The option, where the quote holds all its words."""
    option = next((each for each in definition.options if _letters(each) == _letters(written)), None)
    if option is None:
        return Refusal.NO_VALUE
    held, words = stems_of(quote), {each: stems_of(each.replace("_", " ")) for each in definition.options}
    # Nobody writes that a document is something else: that stands where none of the others does.
    others = option == _OTHER and not any(
        held >= words[each] for each in definition.options if each != _OTHER
    )
    if not words[option] or not (held >= words[option] or others):
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
