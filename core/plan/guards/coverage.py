"""Coverage of a question's words by a plan: each is in a node, in a note that says how it was read, or
not covered.

The nodes themselves are asked, not the steps that made them: a piece that some step took and no node kept
would otherwise be dropped in silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from itertools import pairwise

from core.domain.annotation import Calculation
from core.domain.fields import FieldType
from core.domain.predicate import INEQUALITIES, Operator
from core.plan.ir.nodes import (
    ComputationNode,
    Node,
    Note,
    Plan,
    ScopedNode,
    SelectionNode,
    SidesNode,
    flattened,
    spec_of,
)
from core.plan.language.lexicon.words import IDLE_VERBS, PHRASES
from core.plan.language.pieces import (
    Bridge,
    Comparator,
    Comparing,
    Computed,
    Currency,
    DayRange,
    Described,
    DocumentSet,
    FieldSenses,
    Filler,
    Mentions,
    Negator,
    Noun,
    Parties,
    Piece,
    Policy,
    Quantity,
    Statistic,
    Top,
    UnknownWord,
    Values,
    stems,
)
from core.plan.language.reading.composition import IDLE
from core.plan.language.reading.roles import without_idle_roles
from core.plan.language.syntax.measures import counted
from core.text.analyse import STOP_WORDS

_ORDERS = INEQUALITIES | {Operator.BETWEEN}
_NEGATIONS = (Operator.NOT_EQUAL, Operator.MISSING)
_TIMES = frozenset(["before", "after", "until", "since", "unless", "while"])
_SENDING = frozenset(["send", "sends", "sent", "sending"])
_OF_STUFF = ("on", "for")
_THINGS = ("model", "product")
_OPERANDS = (Quantity, DayRange, Computed, Policy, FieldSenses)
_LITERAL = (Quantity, DayRange)  # only the value itself shows that it was used
_SAID = (Noun, FieldSenses, Statistic, Top)
CARRYING = (
    Quantity, DayRange, Policy, Bridge, Described, Computed, Noun, FieldSenses, Parties, DocumentSet, Values,
    Currency,
    Statistic, Top, Negator, Comparator, Comparing, UnknownWord,
)  # fmt: skip
"""Meanings that carry part of a question: each is in a node, explained by a note, or not covered."""


@dataclass(frozen=True, slots=True)
class WordCoverage:
    """Coverage of the question's words, as a plan gives it."""

    notes: tuple[Note, ...]
    uncovered: tuple[str, ...]


@dataclass(slots=True)
class CoveredWords:
    """Words of a question that the nodes of a plan keep."""

    fields: set[str] = field(default_factory=set)
    values: list[str] = field(default_factory=list)
    documents: set[str] = field(default_factory=set)
    schemas: set[str] = field(default_factory=set)
    functions: set[Calculation] = field(default_factory=set)
    operators: set[Operator] = field(default_factory=set)
    limits: set[int] = field(default_factory=set)
    is_ordered: bool = False
    is_negated: bool = False
    is_compared: bool = False
    has_hop: bool = False

    @property
    def stems(self) -> frozenset[str]:
        """The stems of all values."""
        return frozenset(stem for value in self.values for stem in stems(value.replace("_", " ")))


def kept_by(nodes: Iterable[Node]) -> CoveredWords:
    """Words that some nodes keep."""
    kept = CoveredWords()
    for node in nodes:
        spec = spec_of(node)
        kept.fields |= {_plain(each) for each in spec.fields(node) if each}
        kept.values += spec.words(node)
        kept.has_hop = kept.has_hop or spec.is_hop
        kept.is_negated = kept.is_negated or spec.joins(node) == "not"
        if isinstance(node, ScopedNode):
            kept.documents |= set(node.scope.documents)
        if isinstance(node, SelectionNode):
            _add_selection(kept, node)
        elif isinstance(node, ComputationNode):
            kept.functions.add(node.function)
            kept.limits.add(node.top)
            kept.is_ordered = kept.is_ordered or bool(node.top)
            kept.is_negated = kept.is_negated or node.shared == "first"
        elif isinstance(node, SidesNode):
            kept.is_compared = True
            kept.is_ordered = kept.is_ordered or node.outcome != "values"
            kept.functions |= {node.function} if node.function is not None else set()
    return kept


def _add_selection(kept: CoveredWords, node: SelectionNode) -> None:
    kept.schemas.add(node.scope.schema_name)
    kept.is_compared = kept.is_compared or bool(node.fields)  # shown side by side
    kept.is_ordered = kept.is_ordered or bool(node.order_by)
    kept.limits |= {node.limit} if node.limit is not None else set()
    for condition in flattened(node.conditions):
        kept.operators.add(condition.op)
        if isinstance(condition.value, (str, tuple)):
            texts = (condition.value,) if isinstance(condition.value, str) else condition.value
            kept.values += texts
            denied = {"false", "absent", "uncertain", "unreadable"} & {each.casefold() for each in texts}
            kept.is_negated = kept.is_negated or bool(denied)
        kept.is_negated = kept.is_negated or condition.op in _NEGATIONS


def _plain(name: str) -> str:
    return name.partition(".")[0]


def accounted(
    mentions: Mentions, nodes: Iterable[Node], said: Sequence[Note], left: Sequence[str]
) -> WordCoverage:
    """A note for every word that was understood; what no node keeps and no decision explains is not covered.

    said: the decisions that made the nodes; left: what they know not to cover.
    """
    kept = kept_by(nodes)
    notes, uncovered = list(said), list(left)
    notes += [Note(phrase=text, reading="how many are meant") for text in counted(mentions.pieces)]
    plain = without_idle_roles(mentions.pieces)
    for piece, bare in zip(mentions.pieces, plain, strict=True):
        if not isinstance(piece.meaning, CARRYING) or any(_has(text, piece.text) for text in left):
            continue
        explains = any(_has(note.phrase, piece.text) and note.reading != piece.reason for note in notes)
        is_exact = isinstance(piece.meaning, _LITERAL) and not _has_unit(piece)
        if bare is not piece or _is_kept(piece, mentions, kept) or (explains and not is_exact):
            if not explains and isinstance(piece.meaning, _SAID):
                notes.append(Note(phrase=piece.text, reading=piece.reason))
        elif not (explains and piece.text in counted(mentions.pieces)):
            uncovered.append(piece.text)
    notes += [Note(phrase=text, reading="goes with the words beside it") for text in _between(mentions)]
    uncovered += _unkept_times(mentions, notes)
    uncovered += sent_to([token.word for token in mentions.tokens], kept)
    return WordCoverage(tuple(dict.fromkeys(notes)), tuple(dict.fromkeys(uncovered)))


def covered(mentions: Mentions, plan: Plan) -> Plan:
    """The plan with a note for every word that was understood, and the words that it does not cover."""
    account = accounted(mentions, plan.nodes, plan.notes, plan.uncovered)
    return plan.model_copy(update={"notes": account.notes, "uncovered": account.uncovered})


def _unkept_times(mentions: Mentions, notes: Sequence[Note]) -> list[str]:
    """Words that put one thing before or after another and stand in no period: "after they are renewed"."""
    at = {n for p in mentions.pieces if isinstance(p.meaning, Filler) for n in range(p.first, p.end)}
    said = (token for n, token in enumerate(mentions.tokens) if n in at and token.word in _TIMES)
    return [token.text for token in said if not any(_has(note.phrase, token.text) for note in notes)]


def sent_to(words: Sequence[str], kept: CoveredWords) -> list[str]:
    """ "Sent to ACME": whom papers went to, where no node asks for customers."""
    pairs = [f"{one} {other}" for one, other in pairwise(words) if one in _SENDING and other == "to"]
    return [] if "customer" in kept.fields and "vendor" not in kept.fields else pairs


def _between(mentions: Mentions) -> list[str]:
    """The words that steps took out of the pieces or emptied, such as the side that an organisation is on."""
    of = {at: piece for piece in mentions.pieces for at in range(piece.first, piece.end)}
    left = []
    for at, token in enumerate(mentions.tokens):
        piece = of.get(at)
        is_taken = piece is not None and _has(piece.text, token.text)
        if piece is not None and isinstance(piece.meaning, Filler):
            is_idle = piece.reason == IDLE or (token.word,) in PHRASES or " " in piece.text
            is_taken = is_idle and is_taken
        if token.is_word and token.word not in STOP_WORDS and not is_taken:
            left.append(token.text)
    return left


def _has(phrase: str, text: str) -> bool:
    """True where words stand in a phrase as words: "law" is not in "lawn"."""
    return bool(re.search(rf"(?<!\w){re.escape(text)}(?!\w)", phrase))


def _is_kept(piece: Piece, mentions: Mentions, kept: CoveredWords) -> bool:
    meaning = piece.meaning
    if isinstance(meaning, FieldSenses):
        return _has_field(piece, meaning, kept)
    if isinstance(meaning, Noun):
        before = mentions.tokens[piece.first - 1].word if piece.first else ""
        if not meaning.schema and not meaning.is_plural and before in _OF_STUFF:
            return False  # "spend on paper" is on the stuff
        return not meaning.schema or bool(kept.schemas & {meaning.schema, ""})
    if isinstance(meaning, Values):
        stated = any(each.text in kept.values for each in meaning.values)
        return stated or set(stems(piece.text)) <= kept.stems
    if isinstance(meaning, Parties):
        return any(each.normal in kept.values for each in meaning.parties) or bool(kept.documents)
    if isinstance(meaning, DocumentSet):
        return bool(kept.documents & {each.id for each in meaning.documents}) or kept.is_negated
    if isinstance(meaning, DayRange):
        return _has_days(meaning, kept)
    if isinstance(meaning, Quantity):
        return _has_number(meaning, kept)
    if isinstance(meaning, (Policy, Bridge, Described, Computed)):
        return kept.has_hop
    if isinstance(meaning, Currency):
        return meaning.code in " ".join(kept.values)
    return _is_done(piece, mentions, kept)


def _is_done(piece: Piece, mentions: Mentions, kept: CoveredWords) -> bool:
    """True where the request behind a word of the grammar is done."""
    meaning = piece.meaning
    if isinstance(meaning, Statistic):
        is_chosen = meaning.is_extreme and kept.is_ordered
        return is_chosen or meaning.name in kept.functions
    if isinstance(meaning, Top):
        return kept.is_ordered and (not meaning.count or meaning.count in kept.limits)
    if isinstance(meaning, Negator):
        cancelled = sum(isinstance(each.meaning, Negator) for each in mentions.pieces) % 2 == 0
        return cancelled or kept.is_negated or bool(kept.operators & _ORDERS) or bool(kept.documents)
    if isinstance(meaning, Comparator):
        is_order = meaning.op in _ORDERS and _is_compared(piece, mentions)
        done = bool(kept.operators & _ORDERS) or kept.is_ordered or kept.is_negated or kept.is_compared
        return done or not is_order
    if isinstance(meaning, Comparing):
        return kept.is_compared
    is_more = kept.is_ordered and piece.text.endswith("er")  # "heavier": which of two sides it is
    return is_more or set(stems(piece.text)) <= kept.stems


def _has_field(piece: Piece, meaning: FieldSenses, kept: CoveredWords) -> bool:
    if meaning.is_verb and piece.text.casefold() in IDLE_VERBS:
        return True
    if any(match.field.name in kept.fields for match in meaning.matches):
        return True
    if meaning.function is not None and meaning.function in kept.functions:
        return True  # "total" asks for a sum where no field of that name is
    # "models" are what datasheets are of, as "contracts" are what contracts are
    own = (match.field for match in meaning.matches if match.field.schema in kept.schemas)
    return any(each.name in _THINGS for each in own)


def _has_unit(piece: Piece) -> bool:
    """True where a number may stand in a condition in another unit: 0.4 kW as 400 W."""
    value = piece.meaning.value if isinstance(piece.meaning, Quantity) else None
    return value is not None and value.type is FieldType.NUMBER and bool(value.unit)


def _is_compared(piece: Piece, mentions: Mentions) -> bool:
    """True where a value to compare with follows: "over the contracts" compares nothing."""
    behind = (each for each in mentions.pieces if each.first >= piece.end)
    after = next((each for each in behind if not isinstance(each.meaning, Filler)), None)
    return after is not None and isinstance(after.meaning, _OPERANDS)


def _has_days(period: DayRange, kept: CoveredWords) -> bool:
    days = [each for each in (period.first, period.last) if each is not None]
    near = {(each + timedelta(days=n)).isoformat() for each in days for n in (-1, 0, 1) if _is_day(each, n)}
    is_length = period.length is not None and period.length.text in kept.values
    return is_length or any(value in near for value in kept.values)


def _is_day(day: date, more: int) -> bool:
    return date.min.toordinal() <= day.toordinal() + more <= date.max.toordinal()


def _has_number(quantity: Quantity, kept: CoveredWords) -> bool:
    wanted = _number(quantity.value.text)
    return quantity.value.text in kept.values or (
        wanted is not None and any(_number(value) == wanted for value in kept.values)
    )


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text.split()[0])
    except (InvalidOperation, IndexError):
        return None
