"""Parties in common of organisations: "customers of both A and B", "who buys from A but not from B"."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Literal

from core.domain.annotation import Calculation as Function
from core.domain.answer import Kind
from core.domain.predicate import Operator
from core.plan.build.builder import BuiltPlan
from core.plan.catalogue import SchemaEntry
from core.plan.ir import verbalise
from core.plan.ir.nodes import Condition, Note, Scope
from core.plan.ir.steps import PlanSteps
from core.plan.language import pieces as p
from core.plan.language.lexicon.lexicon import KIND, Lexicon
from core.plan.language.pieces import Piece, stems
from core.plan.language.reading.read import ParsedQuestion
from core.plan.language.reading.roles import is_side

_OPPOSITE = {"vendor": "customer", "customer": "vendor"}
_BUYING = frozenset(stems("buy buys purchase procure get order"))
_SELLING = frozenset(stems("supply supplies sell provide deliver serve"))
_BOTH = frozenset(["both", "common", "shared", "jointly"])
_IDLE = (p.Filler, p.HavingWord, p.Ask, p.Connective, p.Negator, p.ClauseNoun, p.Parties, p.Grouping)


def plan_common(
    reading: ParsedQuestion, lexicon: Lexicon, buckets: tuple[str, ...], today: date
) -> BuiltPlan | None:
    """The plan of such a question; None for any other."""
    pieces = reading.pieces
    named = [at for at, piece in enumerate(pieces) if isinstance(piece.meaning, p.Parties)]
    wanted = _wanted(pieces)
    schema = next((each for each in lexicon.catalogue.schemas if _has_sides(each)), None)
    if len(named) != 2 or wanted is None or schema is None:
        return None
    other = _OPPOSITE[wanted]
    if not _is_all_read(pieces, schema.name):
        return None
    shared = _shared(pieces, named)
    parties = [pieces[at].meaning for at in named]
    if not shared or any(not isinstance(m, p.Parties) or len(m.parties) != 1 for m in parties):
        return None
    steps = PlanSteps()
    for at in named:
        meaning = pieces[at].meaning
        assert isinstance(meaning, p.Parties)  # chosen for it
        conditions = (
            Condition(field=KIND, op=Operator.EQUAL, value="agreement", narrows=True),
            Condition(field=other, op=Operator.EQUAL, value=meaning.parties[0].normal),
        )
        steps.select(
            purpose=verbalise.select_text(schema.title.lower(), conditions, schema),
            reason=f"{wanted}s are asked for that stand in these",
            scope=Scope(buckets=buckets, schema_name=schema.name),
            conditions=conditions,
        )
    said = "in both" if shared == "all" else "in the first and not in the second"
    answer = steps.aggregate(
        purpose=f"Each {wanted} that is {said}",
        inputs=tuple(each.id for each in steps.nodes),
        function=Function.COUNT,
        group_by=(wanted,),
        shared=shared,
        reason="two sets are asked for what they share" if shared == "all" else "one set is left out",
    )
    notes = tuple(
        Note(phrase=piece.text, reading=f"as {other}" if at in named else "says which are wanted")
        for at, piece in enumerate(pieces)
        if not isinstance(piece.meaning, p.Filler)
    )
    return BuiltPlan(tuple(steps.nodes), answer.id, Kind.AGGREGATE, notes, ())


def _wanted(pieces: Sequence[Piece]) -> str | None:
    """The side that is asked for: by its name, or by what it does ("who buys from")."""
    for at, piece in enumerate(pieces):
        meaning, words = piece.meaning, stems(piece.text)
        if isinstance(meaning, p.Parties):
            return None
        before = [each for each in pieces[:at] if not isinstance(each.meaning, (p.Filler, p.Ask))]
        if is_side(piece) and isinstance(meaning, p.FieldSenses) and not before:
            name = meaning.matches[0].field.name
            return name if name in _OPPOSITE else None
        is_who = any(isinstance(each.meaning, p.Ask) and each.meaning.how == "who" for each in pieces[:at])
        if is_who and words and words[0] in _BUYING:
            return "customer"
        if is_who and words and words[0] in _SELLING:
            return "vendor"
    return None


def _has_sides(schema: SchemaEntry) -> bool:
    """True where documents of a schema are agreements that say who sells and who buys."""
    kind = schema.field(KIND)
    return kind is not None and "agreement" in kind.options and all(map(schema.field, _OPPOSITE))


def _is_all_read(pieces: Sequence[Piece], schema: str) -> bool:
    """True where nothing else is asked than who stands with whom."""
    for piece in pieces:
        meaning = piece.meaning
        is_plain = isinstance(meaning, p.Noun) and meaning.schema in ("", schema) and not meaning.title_words
        words = stems(piece.text)
        is_trade = bool(words) and words[0] in _BUYING | _SELLING
        is_common = piece.text.casefold() in _BOTH
        if not (isinstance(meaning, _IDLE) or is_plain or is_side(piece) or is_trade or is_common):
            return False
    return True


def _shared(pieces: Sequence[Piece], named: Sequence[int]) -> Literal["", "all", "first"]:
    """Set operation on the two sets; "" where the words do not say that both are meant at once."""
    between = pieces[named[0] + 1 : named[1]]
    if any(isinstance(each.meaning, p.Negator) for each in pieces[: named[0]]):
        return ""
    if any(isinstance(each.meaning, p.Negator) for each in between):
        return "first"
    if any(isinstance(each.meaning, p.Connective) and each.meaning.word in ("or", "nor") for each in between):
        return ""
    words = {word for piece in pieces for word in piece.text.casefold().split()}
    is_joined = any(
        each.text.casefold() in ("as well as", "and also", "but also", "and both") for each in between
    )
    return "all" if words & _BOTH or is_joined else ""
