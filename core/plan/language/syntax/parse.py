"""From pieces to a tree: intent, subject, measure, groups and order are taken out, the rest is conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.domain.annotation import Calculation
from core.domain.fields import AMOUNTS, FieldType
from core.domain.predicate import Operator
from core.plan.language.pieces import (
    Ask,
    ClauseNoun,
    Comparator,
    Comparing,
    DocumentSet,
    FieldSenses,
    Filler,
    HavingWord,
    Negator,
    Noun,
    Parties,
    Piece,
    Statistic,
    Values,
)
from core.plan.language.reading.read import ParsedQuestion
from core.plan.language.reading.roles import is_side, without_idle_roles
from core.plan.language.syntax.conditions import senses_of
from core.plan.language.syntax.measures import (
    Work,
    counts,
    currencies,
    functions,
    groupings,
    has_operand,
    how_much,
    orderings,
)
from core.plan.language.syntax.negation import ConditionParser
from core.plan.language.syntax.tree import (
    DURATION,
    LONG,
    All,
    AnswerIntent,
    Any,
    Expression,
    Order,
    Side,
    Test,
    Tree,
    tests,
)

_ASKED_LATER = ("count", "when", "much", "long", "who")
_MAY_CHANGE = ("", "what", "list", "whether", "text")
_BETWEEN = frozenset(["of", "for", "in", "among", "across", "from", "on", "amongst", "over"])


def parse(reading: ParsedQuestion) -> Tree:
    """The tree of a question; never raises, and every piece with content is in it or in `leftover`."""
    work = Work(list(reading.pieces))
    ask = _ask(work)
    counts(work)
    if any(isinstance(piece.meaning, Comparing) for piece in work.pieces):
        compared = _comparison(work)
        if compared is not None:
            return compared
        work = Work([piece for piece in reading.pieces if not isinstance(piece.meaning, Comparing)])
        ask = _ask(work)
        counts(work)
    groupings(work)
    orderings(work)
    functions(work)
    _ordered_by_time(work)
    _subject(work, reading.pieces)
    _side_of_subject(work)
    how_much(work, ask)
    entity = _entity(work, ask)
    _among(work)
    shown = _shown(work, ask, reading.pieces)
    told = currencies(work)
    where, leftover = _where(work, told, ask)
    return _of_groups(replace(_tree(work, ask, entity, where, leftover), shown=shown))


def _of_groups(tree: Tree) -> Tree:
    """ "the value of the contracts by supplier": an amount that is named for groups is added up in each."""
    if (
        not tree.groups
        or tree.function is not None
        or tree.order is not None
        or tree.intent is AnswerIntent.COUNT
    ):
        return tree
    named = tree.where
    if tree.subject is None and isinstance(named, Test) and named.is_bare and named.fields is not None:
        is_amount = named.fields.matches[0].field.type is FieldType.MONEY
        return (
            replace(tree, function=Calculation.SUM, measure=named.fields, where=None) if is_amount else tree
        )
    amounts = [
        each for each in tree.shown if each.matches[0].field.type in (FieldType.MONEY, FieldType.NUMBER)
    ]
    if len(amounts) != 1 or len(tree.shown) != 1:
        return tree
    return replace(tree, function=Calculation.SUM, measure=amounts[0], shown=())


def _ask(work: Work) -> str:
    """Interrogative of the question; its words are taken out, or only join in the middle ("which have")."""
    how = ""
    kept = []
    for at, piece in enumerate(work.pieces):
        if isinstance(piece.meaning, Ask):
            is_first = all(isinstance(each.meaning, (Filler, Ask)) for each in work.pieces[:at])
            if (is_first and not how) or (piece.meaning.how in _ASKED_LATER and how in _MAY_CHANGE):
                how = piece.meaning.how
            continue
        kept.append(piece)
    adjective = kept[0] if kept else None
    if how == "text" and adjective is not None and isinstance(adjective.meaning, FieldSenses):
        first = next(each for each in work.pieces if isinstance(each.meaning, Ask))
        if first.text.casefold() == "how" and adjective.first == first.end:
            how = "much"  # "how heavy is"
    work.pieces = kept
    return how


def _comparison(work: Work) -> Tree | None:
    """Two or more named sides, and the fields that they are compared on."""
    pieces = [p for p in work.pieces if not isinstance(p.meaning, (Comparing, Filler, ClauseNoun))]
    sides = _sides(pieces)
    if len(sides) < 2:
        return None
    used = {piece for side in sides for piece in side.test.pieces}
    rest = [piece for piece in pieces if piece not in used]
    fields = [p for p in rest if isinstance(p.meaning, FieldSenses)]
    noun = next((p.meaning for p in rest if isinstance(p.meaning, Noun)), None)
    where = ConditionParser(
        [p for p in rest if p not in fields and not isinstance(p.meaning, (Noun, Statistic, Comparator))]
    )
    function = next((p.meaning.name for p in rest if isinstance(p.meaning, Statistic)), None)
    expression = where.parse()
    shown = tuple(p.meaning for p in fields if isinstance(p.meaning, FieldSenses))
    function = function or next((each.function for each in shown if each.function), None)
    return Tree(
        AnswerIntent.COMPARE,
        subject=noun,
        where=expression,
        function=function,
        sides=tuple(sides),
        shown=shown,
        leftover=tuple(where.leftover),
    )


def _sides(pieces: Sequence[Piece]) -> list[Side]:
    for kind in (Parties, DocumentSet, Values):
        found = [p for p in pieces if isinstance(p.meaning, kind)]
        if len(found) >= 2:
            return [Side(p.text, Test((p,), None, None, p.meaning)) for p in found]  # type: ignore[arg-type]
    mixed = [p for p in pieces if isinstance(p.meaning, (Parties, DocumentSet))]
    if len(mixed) >= 2:
        return [Side(p.text, Test((p,), None, None, p.meaning)) for p in mixed]  # type: ignore[arg-type]
    return []


def _subject(work: Work, pieces: Sequence[Piece]) -> None:
    """The first kind of document; further words for the same kind belong to it."""
    kept = []
    for at, piece in enumerate(work.pieces):
        if not isinstance(piece.meaning, Noun):
            kept.append(piece)
            continue
        noun = piece.meaning
        if _is_left_out(work, at):
            kept.append(piece)  # "contracts other than leases": a condition of its own
            continue
        before = pieces[pieces.index(piece) - 1].text.casefold().split() if piece.first else []
        if before and before[-1] in ("each", "every", "all", "any"):
            noun = replace(noun, is_plural=True)
        if work.subject is None:
            work.subject, work.subject_at, work.noun_first = noun, at, piece.first
            work.is_direct = _is_direct(work.function_piece, piece, pieces)
        elif work.subject.schema == "" or noun.schema in ("", work.subject.schema):
            work.subject = _merged(work.subject, noun)
        else:
            work.leftover.append(piece)
    work.pieces = kept


def _side_of_subject(work: Work) -> None:
    """ "supplier contracts": a side right before the kind of document narrows nothing, and is left over."""
    for piece in work.pieces:
        is_before = work.subject is not None and piece.end == work.noun_first
        if is_before and is_side(piece) and not piece.text.casefold().endswith("s"):
            work.leftover.append(piece)
            work.pieces.remove(piece)
            return


def _is_left_out(work: Work, at: int) -> bool:
    """True where a noun says which documents are not meant: "excluding NDAs"."""
    noun = work.pieces[at].meaning
    before = next((p for p in reversed(work.pieces[:at]) if not isinstance(p.meaning, Filler)), None)
    negates = before is not None and isinstance(before.meaning, Negator) and not before.meaning.lacks
    others = [p for p in work.pieces if isinstance(p.meaning, Noun) and p is not work.pieces[at]]
    return negates and isinstance(noun, Noun) and bool(noun.title_words) and bool(others or work.subject)


def _is_direct(function: Piece | None, noun: Piece, pieces: Sequence[Piece]) -> bool:
    """True where a function stands right before what it is of: "the largest ACME contract"."""
    if function is None or noun.first < function.end:
        return False
    between = [p for p in pieces if function.end <= p.first < noun.first]
    return not any(p.text.casefold() in _BETWEEN for p in between)


def _merged(one: Noun, other: Noun) -> Noun:
    is_plural, is_thing = one.is_plural or other.is_plural, one.is_thing or other.is_thing
    if not one.schema:
        return replace(other, is_plural=is_plural)
    if not other.schema:
        return replace(one, is_plural=is_plural)
    kinds = dict.fromkeys(each for each in (*one.kind.split("|"), *other.kind.split("|")) if each)
    kind = "|".join(kinds)
    titles = tuple(dict.fromkeys((*one.title_words, *other.title_words)))
    return Noun(one.schema, kind, titles, is_plural, is_thing)


def _entity(work: Work, ask: str) -> Piece | None:
    """Piece whose field's values are asked for: "which vendors ...", "how many governing laws"."""
    if work.subject is not None and work.subject_at <= _first(work, FieldSenses):
        return None
    at = work.content()
    if at < 0 or ask not in ("which", "what", "list", "count", "who", ""):
        return None
    if ask == "" and work.top is None and work.extreme is None:
        return None
    if work.measure is not None and (work.top is None and work.extreme is None):
        return None
    piece = work.pieces[at]
    if not isinstance(piece.meaning, FieldSenses) or has_operand(work, at):
        return None
    if ask in ("who", "what") and any(isinstance(each.meaning, DocumentSet) for each in work.pieces):
        return None  # "who are the parties to the supply agreement" looks them up
    is_many = piece.text.lower().endswith("s")
    best = piece.meaning.matches[0].field
    if best.type in (FieldType.BOOLEAN, *AMOUNTS) or not (is_many or ask in ("which", "count")):
        return None
    if ask in ("what", "") and not is_many:
        return None
    work.pieces.remove(piece)
    return piece


def _ordered_by_time(work: Work) -> None:
    """ "the first three to expire": the date that an order in time is of, where it names none itself."""
    of_time = (work.top is not None and work.top.of_time) or (
        work.extreme is not None and work.extreme.of_time
    )
    if not of_time or work.order is not None or work.measure is not None:
        return
    dates = [
        at
        for at, piece in enumerate(work.pieces)
        if isinstance(piece.meaning, FieldSenses)
        and any(match.field.type is FieldType.DATE for match in piece.meaning.matches)
    ]
    bare = [at for at in dates if not has_operand(work, at)]
    if dates:
        work.measure = work.pieces[(bare or dates)[0]]
        if bare:
            del work.pieces[bare[0]]


def _among(work: Work) -> None:
    """ "the panel width of AlphaSolar models": a field in the plural that stands for its documents."""
    named = any(isinstance(piece.meaning, DocumentSet) for piece in work.pieces)
    if work.subject is not None or (named and work.measure is None):
        return
    for at, piece in enumerate(work.pieces):
        meaning = piece.meaning
        if (
            not isinstance(meaning, FieldSenses)
            or not piece.text.lower().endswith("s")
            or has_operand(work, at)
        ):
            continue
        before = next((p for p in reversed(work.pieces[:at]) if not isinstance(p.meaning, Filler)), None)
        is_name = all(match.field.type in (FieldType.TEXT, FieldType.PARTY) for match in meaning.matches)
        if is_name and not (before is not None and isinstance(before.meaning, (HavingWord, Negator))):
            work.among = piece
            work.pieces.remove(piece)
            return


def _shown(work: Work, ask: str, pieces: Sequence[Piece]) -> tuple[FieldSenses, ...]:
    """Fields that are named before the documents they are of: "the governing law of all contracts"."""
    if work.subject is None or not work.subject.is_plural or work.function or ask not in ("list", "what", ""):
        return ()
    found = []
    for at, piece in enumerate(work.pieces[: work.subject_at]):
        if not isinstance(piece.meaning, FieldSenses) or has_operand(work, at) or piece.meaning.is_verb:
            continue
        if piece.end <= work.noun_first:
            found.append(piece)
    if found and any(
        isinstance(p.meaning, Ask) and found[0].end <= p.first < work.noun_first for p in pieces
    ):
        return ()  # "exclusivity or insurance: which contracts have one of them"
    is_said = found and not any(
        isinstance(p.meaning, (HavingWord, Negator)) for p in work.pieces[: work.subject_at]
    )
    if not is_said:
        return ()
    work.pieces = [piece for piece in work.pieces if piece not in found]
    return tuple(piece.meaning for piece in found if isinstance(piece.meaning, FieldSenses))


def _first(work: Work, kind: type) -> int:
    return next((at for at, piece in enumerate(work.pieces) if isinstance(piece.meaning, kind)), 10_000)


def _where(work: Work, told: Sequence[Expression], ask: str) -> tuple[Expression | None, list[Piece]]:
    is_many = work.subject is not None and work.subject.is_plural and ask != "who"
    conditions = ConditionParser(without_idle_roles(work.pieces) if is_many else work.pieces)
    found = conditions.parse()
    if len(told) > 1 and all(isinstance(each, Test) and each.op is Operator.EQUAL for each in told):
        told = (Any(tuple(told)),)  # an amount is in one currency: "in USD and EUR" means either
    parts = (*told, *((found,) if found is not None else ()))
    whole = None if not parts else parts[0] if len(parts) == 1 else All(tuple(parts))
    return whole, [*work.leftover, *conditions.leftover]


def _tree(
    work: Work, ask: str, entity: Piece | None, where: Expression | None, leftover: list[Piece]
) -> Tree:
    function, measure = work.function, senses_of(work.measure)
    order = None
    intent = AnswerIntent.LIST
    names_document = any(isinstance(test.operand, DocumentSet) for test in tests(where))
    if ask == "count" and (function is None or function.name is Calculation.DISTINCT):
        intent = AnswerIntent.COUNT
    elif function is not None and not function.is_extreme:
        intent = AnswerIntent.COMPUTE
    elif ask in ("when", "who", "much", "long", "where"):
        intent = AnswerIntent.LOOKUP
    elif ask == "whether":
        intent = AnswerIntent.CHECK
    elif ask in ("what", "") and (names_document or work.subject is None or not work.subject.is_plural):
        says = measure is not None or any(t.fields is not None and t.operand is None for t in tests(where))
        intent = AnswerIntent.LOOKUP if says or work.subject is None else AnswerIntent.LIST
    if work.extreme is not None:
        intent, order = _extreme(work, ask, work.extreme, measure, entity)
    if work.top is not None:
        intent, order = AnswerIntent.RANK, _top_order(work)
    if (
        work.groups
        or (entity is not None and intent in (AnswerIntent.LIST, AnswerIntent.RANK, AnswerIntent.LOOKUP))
    ) and order is None:
        intent = (
            AnswerIntent.GROUP
            if intent in (AnswerIntent.LIST, AnswerIntent.LOOKUP, AnswerIntent.GROUP) or work.groups
            else intent
        )
    return Tree(
        intent,
        subject=work.subject,
        entity=senses_of(entity),
        where=where,
        function=function.name if function else None,
        measure=measure,
        groups=tuple(work.groups),
        order=order,
        leftover=tuple(leftover),
        of_time=function.of_time if function else False,
        hint=function.hint if function else "",
        inner=work.inner or (None if function is None or function.is_extreme else function.name),
        asks=ask,
        among=senses_of(work.among),
    )


def _top_order(work: Work) -> Order:
    """The largest first where nothing is said; days that are only put in order begin with the earliest."""
    assert work.top is not None  # asked for where there is one
    top = work.top
    fields = work.order or work.measure
    senses = senses_of(fields)
    text = fields.text if fields is not None else ""
    first = senses.matches[0].field if senses is not None and senses.matches else None
    is_of_days = first is not None and first.type is FieldType.DATE
    descending = top.descending if top.descending is not None else not (is_of_days and not top.count)
    return Order(senses, descending, top.count, top.of_time, text, top.hint, ahead=top.ahead)


def _extreme(
    work: Work, ask: str, function: Statistic, measure: FieldSenses | None, entity: Piece | None
) -> tuple[AnswerIntent, Order | None]:
    """ "Which contract has the highest value" ranks documents, "what is the highest value" computes."""
    most = function.name is Calculation.MAX
    chosen = senses_of(work.order) or measure
    said = work.function_piece.text.casefold() if work.function_piece is not None else ""
    hint = function.hint or (DURATION if said in LONG and chosen is None else "")
    order = Order(chosen, most, 1, function.of_time, hint=hint, ahead=function.ahead)
    if entity is not None:
        return AnswerIntent.RANK, order
    if not _function_is(work, function):
        return AnswerIntent.GROUP if work.groups else AnswerIntent.COMPUTE, order if work.groups else None
    if ask in ("which", "list") and (work.subject is not None or measure is None):
        return AnswerIntent.RANK, order
    if work.is_direct or (work.subject is None and measure is None):
        return AnswerIntent.RANK, order
    return AnswerIntent.COMPUTE, None


def _function_is(work: Work, function: Statistic) -> bool:
    return work.function is function
