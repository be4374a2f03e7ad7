"""Questions about the document with the most or least of something: "when does the largest contract end?".

Two fields are in play: one chooses the document, another is asked of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from core.domain.annotation import Calculation as Function
from core.domain.answer import Kind
from core.domain.fields import ORDERED, FieldType
from core.plan.build.builder import BuiltPlan
from core.plan.build.conditions import (
    Both,
    Formula,
    as_condition,
    clauses,
    is_except,
    plain_conditions,
)
from core.plan.build.hops import Hops
from core.plan.build.typer import Typer
from core.plan.catalogue import FieldEntry, SchemaEntry
from core.plan.clarify import AskBackError
from core.plan.guards.ambiguity import by_length
from core.plan.ir import verbalise
from core.plan.ir.nodes import Note, Scope
from core.plan.language import pieces as p
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import Piece, stems
from core.plan.language.reading.read import ParsedQuestion
from core.plan.language.syntax.negation import ConditionParser
from core.plan.language.syntax.tree import LONG, AnswerIntent, Chooser, Expression, Tree, elect

_COUNTING = ("most", "least", "fewest", "most often")
_SHOWING = ("", "what", "which", "when", "who", "much", "long", "text", "where")
_STATES = (
    p.Quantity,
    p.DayRange,
    p.Policy,
    p.Bridge,
    p.Values,
    p.Parties,
    p.DocumentSet,
    p.Negator,
    p.Comparator,
)


@dataclass(slots=True)
class _Asked:
    """shown: the field that is asked for; chosen_by: that of the extreme, None where a word says it."""

    extreme: p.Statistic
    shown: Piece
    chosen_by: Piece | None
    noun: p.Noun | None
    rest: list[Piece]


def plan_extreme(
    reading: ParsedQuestion, lexicon: Lexicon, buckets: tuple[str, ...], today: date
) -> BuiltPlan | None:
    """The plan of a question for a field of the extreme document; None where it is no such question.

    Raises AskBackError where a word may mean several fields or organisations.
    """
    asked = _asked(reading)
    if asked is None:
        return None
    where = ConditionParser(asked.rest)
    expression = where.parse()
    if where.leftover:
        return None
    fields = tuple(
        piece.meaning
        for piece in (asked.shown, asked.chosen_by)
        if piece is not None and isinstance(piece.meaning, p.FieldSenses)
    )
    tree = Tree(AnswerIntent.RANK, subject=asked.noun, where=expression, shown=fields)
    schema = lexicon.catalogue.schema(elect(tree, lexicon))
    return None if schema is None else _built(reading, asked, expression, schema, lexicon, buckets, today)


def _asked(reading: ParsedQuestion) -> _Asked | None:
    pieces = [piece for piece in reading.pieces if not isinstance(piece.meaning, p.Filler | p.ClauseNoun)]
    asks: list[str] = [piece.meaning.how for piece in pieces if isinstance(piece.meaning, p.Ask)]
    extremes = [piece for piece in pieces if isinstance(m := piece.meaning, p.Statistic) and m.is_extreme]
    kinds = (p.Top, p.Grouping, p.Comparing, p.Ordering, p.UnknownWord, p.Aspect, p.Computed)
    others = [piece for piece in pieces if isinstance(piece.meaning, kinds)]
    plain = [x for x in pieces if isinstance(m := x.meaning, p.Statistic) and not m.is_extreme]
    if len(extremes) != 1 or others or plain or (asks[:1] or [""])[0] not in _SHOWING or "count" in asks:
        return None
    at = pieces.index(extremes[0])
    if extremes[0].text.casefold() in _COUNTING and not isinstance(
        pieces[-1 if at + 1 == len(pieces) else at + 1].meaning, p.FieldSenses
    ):
        return None  # "the most contracts"
    extreme = extremes[0].meaning
    assert isinstance(extreme, p.Statistic)  # chosen for it
    if extreme.ahead:
        return None  # "the next to expire" is one of those still to come
    chosen_by = _chosen_by(pieces, at, extreme)
    candidates = [x for x in pieces if isinstance(x.meaning, p.FieldSenses) and x is not chosen_by]
    shown = _shown(candidates, pieces)
    noun = next((m for piece in pieces if isinstance(m := piece.meaning, p.Noun)), None)
    if shown is None or (chosen_by is None and not extreme.hint and not extreme.of_time and noun is None):
        return None
    if any(_is_value_of(x, shown) for x in pieces):
        return None  # "the highest cap governed by Illinois law": the law chooses, and is not asked for
    stands_for = [x for x in candidates if x is not shown and _stands_for_document(x, noun)]
    if noun is None and not stands_for and not any(isinstance(x.meaning, p.DocumentSet) for x in pieces):
        return None  # "the highest efficiency": nothing that has another field
    again = [x for x in candidates if x is not shown and _is_same(x, shown)]  # "which law governs"
    taken = (extremes[0], chosen_by, shown, *stands_for, *again)
    rest = [x for x in pieces if x not in taken and not isinstance(x.meaning, p.Noun | p.Ask | p.HavingWord)]
    if any(isinstance(piece.meaning, p.FieldSenses) for piece in rest) and not any(
        isinstance(piece.meaning, _STATES) for piece in rest
    ):
        return None
    return _Asked(extreme, shown, chosen_by, noun, rest)


def _is_value_of(piece: Piece, shown: Piece) -> bool:
    """True where words are a value of the field that seems to be asked for."""
    if not isinstance(piece.meaning, p.Values) or not isinstance(shown.meaning, p.FieldSenses):
        return False
    named = {(m.field.schema, m.field.name) for m in shown.meaning.matches[:1]}
    return any((each.schema, each.field) in named for each in piece.meaning.values)


def _is_same(piece: Piece, other: Piece) -> bool:
    one, two = piece.meaning, other.meaning
    if not isinstance(one, p.FieldSenses) or not isinstance(two, p.FieldSenses):
        return False
    return {(m.field.schema, m.field.name) for m in one.matches[:1]} & {
        (m.field.schema, m.field.name) for m in two.matches[:1]
    } != set()


def _chosen_by(pieces: list[Piece], at: int, extreme: p.Statistic) -> Piece | None:
    """The field behind an extreme: "the highest efficiency", "most efficient"."""
    if at + 1 >= len(pieces):
        return None
    after = pieces[at + 1]
    if isinstance(after.meaning, p.FieldSenses) and not after.meaning.is_verb and not extreme.hint:
        return after
    return None


def _shown(candidates: list[Piece], pieces: list[Piece]) -> Piece | None:
    """The field that is asked for: "how wide", "the width of ...", "what does ... weigh", "when ... end"."""
    if not candidates:
        return None
    first, last = candidates[0], candidates[-1]
    is_verb = isinstance(last.meaning, p.FieldSenses) and last.meaning.is_verb
    if last.text.casefold().endswith("s") and _is_name(last) and not is_verb:
        return None  # "for AlphaSolar models": it stands for the documents
    content = [piece for piece in pieces if not isinstance(piece.meaning, p.Ask)]
    if content[0] is first:
        return first
    return last if content[-1] is last else None


def _stands_for_document(piece: Piece, noun: p.Noun | None) -> bool:
    """ "the model with the highest efficiency": a name that stands for what the document is about."""
    return noun is None and _is_name(piece)


def _is_name(piece: Piece) -> bool:
    fields = piece.meaning
    names = (FieldType.TEXT, FieldType.PARTY)
    return isinstance(fields, p.FieldSenses) and all(match.field.type in names for match in fields.matches)


def _built(
    reading: ParsedQuestion,
    asked: _Asked,
    where: Expression | None,
    schema: SchemaEntry,
    lexicon: Lexicon,
    buckets: tuple[str, ...],
    today: date,
) -> BuiltPlan | None:
    chooser = Chooser(lexicon, schema, reading.question)
    hops = Hops(lexicon, buckets, reading.question)
    typer = Typer(lexicon, chooser, hops, reading.question, today)
    shown = _entry(asked.shown, chooser)
    said = (x.text for x in reading.pieces if x.meaning is asked.extreme)
    length = next((text for text in said if text.casefold() in LONG), None)
    dates = typer.terms.ends() if length is not None and asked.chosen_by is None else None
    if length is not None and dates is not None:
        raise AskBackError(by_length(reading.question, length, schema.title.lower(), *dates))
    order = _order(asked, shown, chooser, lexicon)
    if order is None or shown is None or (order == shown and asked.chosen_by is not None):
        return None
    kind = typer.noun(asked.noun)
    formulas: list[Formula] = [kind] if kind is not None else []
    if where is not None and (found := typer.formula(where)) is not None:
        formulas.append(found)
    split = clauses(Both(tuple(formulas))) if formulas else []
    documents = typer.typed.documents
    if split is None or any(map(is_except, split)) or documents == () or typer.typed.uncovered:
        return None
    conditions = tuple(as_condition(plain_conditions(each)) for each in split)
    descending = asked.extreme.name is Function.MAX
    end = "highest" if descending else "lowest"
    what = verbalise.select_text(schema.title.lower(), conditions, schema)
    select = hops.select(
        f"{what}; the one with the {end} {order.title.lower()}",
        reason=f"{shown.title} is asked of the document that comes first by {order.title.lower()}",
        scope=Scope(buckets=buckets, schema_name=schema.name, documents=documents or ()),
        conditions=conditions,
        fields=(shown.name,),
        order_by=order.name,
        descending=descending,
        limit=1,
    )
    notes = [
        *typer.typed.notes,
        Note(phrase=asked.shown.text, reading=f"{shown.title} is asked for"),
        *(_note(piece, order) for piece in reading.pieces if piece.meaning is asked.extreme),
        *([_note(asked.chosen_by, order)] if asked.chosen_by is not None else []),
    ]
    return BuiltPlan(tuple(hops.nodes), select.id, Kind.LOOKUP, tuple(notes), ())


def _note(piece: Piece, order: FieldEntry) -> Note:
    return Note(phrase=piece.text, reading=f"chooses the document, by {order.title}")


def _order(asked: _Asked, shown: FieldEntry | None, chooser: Chooser, lexicon: Lexicon) -> FieldEntry | None:
    """The field that the document is chosen by."""
    if asked.chosen_by is not None and isinstance(asked.chosen_by.meaning, p.FieldSenses):
        return chooser.field(asked.chosen_by.meaning, asked.chosen_by.text, ORDERED)
    if asked.extreme.of_time:  # "when does the last contract expire": the last of these dates
        is_date = shown is not None and shown.type is FieldType.DATE
        return shown if is_date else chooser.first(FieldType.DATE)
    if not asked.extreme.hint:
        return chooser.first(FieldType.MONEY)  # "the largest contract"
    fields = lexicon.fields(stems(asked.extreme.hint))
    return None if fields is None else chooser.field(fields, asked.extreme.hint, ORDERED)


def _entry(piece: Piece, chooser: Chooser) -> FieldEntry | None:
    fields = piece.meaning
    if not isinstance(fields, p.FieldSenses):
        return None
    found = chooser.field(fields, piece.text, ORDERED) or chooser.field(fields, piece.text)
    return None if found is None or found.type is FieldType.BOOLEAN else found
