"""From pieces to a tree: intent, subject, measure, groups and order are taken out, the rest is conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.domain.annotation import Aggregate
from core.domain.fields import FieldType
from core.plan.grammar.negation import Conditions, fits
from core.plan.grammar.pieces import (
    Ask,
    Aspect,
    Clause,
    Comparator,
    Comparing,
    Computed,
    Connective,
    Documents,
    Fields,
    Filler,
    Function,
    Grouping,
    Link,
    Negator,
    Noun,
    Ordering,
    Parties,
    Period,
    Piece,
    Policy,
    Quantity,
    Top,
    Values,
)
from core.plan.grammar.read import Reading
from core.plan.grammar.tree import Expression, Group, Intent, Order, Side, Test, Tree, tests

_ASKED_LATER = ("count", "when", "much", "long", "who")
_MAY_CHANGE = ("", "what", "list", "whether", "text")
_SPENT = ("spend", "spent", "pay", "paid", "spending")
_PASSED = (Filler, Clause, Noun, Values, Parties, Documents, Function, Connective)
_BETWEEN = frozenset(["of", "for", "in", "among", "across", "from", "on", "amongst", "over"])
_NUMBERS = (FieldType.MONEY, FieldType.NUMBER, FieldType.DURATION)
_OPERAND = (Quantity, Period, Values, Parties, Policy, Comparator)


@dataclass(slots=True)
class _Work:
    """Pieces that are not yet understood, and what was."""

    pieces: list[Piece]
    groups: list[Group] = field(default_factory=list)
    subject: Noun | None = None
    subject_at: int = -1
    function: Function | None = None
    extreme: Function | None = None
    inner: Aggregate | None = None
    function_piece: Piece | None = None
    measure: Piece | None = None
    is_direct: bool = False
    top: Top | None = None
    order: Piece | None = None
    among: Piece | None = None
    leftover: list[Piece] = field(default_factory=list)

    def content(self, start: int = 0) -> int:
        """The index of the next piece that says something; -1 for none."""
        for at in range(start, len(self.pieces)):
            if not isinstance(self.pieces[at].meaning, (Filler, Clause)):
                return at
        return -1


def parse(reading: Reading) -> Tree:
    """The tree of a question; never raises, and every piece with content is in it or in `leftover`."""
    work = _Work(list(reading.pieces))
    ask = _ask(work)
    if any(isinstance(piece.meaning, Comparing) for piece in work.pieces):
        compared = _comparison(work)
        if compared is not None:
            return compared
        work = _Work([piece for piece in reading.pieces if not isinstance(piece.meaning, Comparing)])
        ask = _ask(work)
    _groupings(work)
    _orderings(work)
    _functions(work)
    _subject(work, reading.pieces)
    _how_much(work, ask)
    entity = _entity(work, ask)
    _among(work)
    where, leftover = _where(work)
    return _tree(work, ask, entity, where, leftover)


def _ask(work: _Work) -> str:
    """How the question asks; words that ask are taken out, and in its middle only join ("which have")."""
    how = ""
    kept = []
    for at, piece in enumerate(work.pieces):
        if isinstance(piece.meaning, Ask):
            is_first = all(isinstance(each.meaning, (Filler, Ask)) for each in work.pieces[:at])
            if (is_first and not how) or (piece.meaning.how in _ASKED_LATER and how in _MAY_CHANGE):
                how = piece.meaning.how
            continue
        kept.append(piece)
    work.pieces = kept
    return how


def _comparison(work: _Work) -> Tree | None:
    """Two or more named sides, and the fields that they are compared on."""
    pieces = [p for p in work.pieces if not isinstance(p.meaning, (Comparing, Filler, Clause))]
    sides = _sides(pieces)
    if len(sides) < 2:
        return None
    used = {piece for side in sides for piece in side.test.pieces}
    rest = [piece for piece in pieces if piece not in used]
    fields = [p for p in rest if isinstance(p.meaning, Fields)]
    noun = next((p.meaning for p in rest if isinstance(p.meaning, Noun)), None)
    where = Conditions(
        [p for p in rest if p not in fields and not isinstance(p.meaning, (Noun, Function, Comparator))]
    )
    function = next((p.meaning.name for p in rest if isinstance(p.meaning, Function)), None)
    expression = where.parse()
    shown = tuple(p.meaning for p in fields if isinstance(p.meaning, Fields))
    function = function or next((each.function for each in shown if each.function), None)
    return Tree(
        Intent.COMPARE,
        subject=noun,
        where=expression,
        function=function,
        sides=tuple(sides),
        shown=shown,
        leftover=tuple(where.leftover),
    )


def _sides(pieces: Sequence[Piece]) -> list[Side]:
    for kind in (Parties, Documents, Values):
        found = [p for p in pieces if isinstance(p.meaning, kind)]
        if len(found) >= 2:
            return [Side(p.text, Test((p,), None, None, p.meaning)) for p in found]  # type: ignore[arg-type]
    mixed = [p for p in pieces if isinstance(p.meaning, (Parties, Documents))]
    if len(mixed) >= 2:
        return [Side(p.text, Test((p,), None, None, p.meaning)) for p in mixed]  # type: ignore[arg-type]
    return []


def _groupings(work: _Work) -> None:
    """ "by governing law", "per vendor and year", "for each quarter of expiry": taken out."""
    at = 0
    while at < len(work.pieces):
        if not isinstance(work.pieces[at].meaning, Grouping):
            at += 1
            continue
        end, groups = _group_after(work, at + 1)
        if groups and not any(isinstance(p.meaning, (Top, Ordering)) for p in work.pieces[:at]):
            work.groups += groups
            del work.pieces[at:end]
            continue
        if groups and len(groups) == 1:
            work.order = work.pieces[end - 1]  # "top 5 contracts by value"
            del work.pieces[at:end]
            continue
        work.pieces[at] = replace(work.pieces[at], meaning=Filler())
        at += 1


def _group_after(work: _Work, start: int) -> tuple[int, list[Group]]:
    groups: list[Group] = []
    at, end = start, start
    fields: Piece | None = None
    aspect: Piece | None = None
    while at < len(work.pieces):
        meaning = work.pieces[at].meaning
        if isinstance(meaning, Filler):
            at += 1
            continue
        if isinstance(meaning, Fields) and fields is None and not _has_operand(work, at):
            fields = work.pieces[at]
        elif isinstance(meaning, Aspect) and aspect is None:
            aspect = work.pieces[at]
        elif isinstance(meaning, Connective) and meaning.word in ("and", ",") and (fields or aspect):
            following = work.content(at + 1)
            if following < 0 or not isinstance(work.pieces[following].meaning, (Fields, Aspect)):
                break
            if _has_operand(work, following):
                break
            groups.append(_group(fields, aspect))
            fields, aspect, at = None, None, following
            continue
        else:
            break
        at += 1
        end = at
    if fields or aspect:
        groups.append(_group(fields, aspect))
    return end, groups


def _group(fields: Piece | None, aspect: Piece | None) -> Group:
    text = " ".join(piece.text for piece in (fields, aspect) if piece is not None)
    meant = fields.meaning if fields is not None and isinstance(fields.meaning, Fields) else None
    part = aspect.meaning if aspect is not None and isinstance(aspect.meaning, Aspect) else None
    return Group(meant, part, text)


def _has_operand(work: _Work, at: int) -> bool:
    """Whether the field at a place is compared with what follows it."""
    following = work.content(at + 1)
    fields = work.pieces[at].meaning
    if following < 0 or not isinstance(fields, Fields):
        return False
    meaning = work.pieces[following].meaning
    if isinstance(meaning, (Comparator, Policy)):
        return True
    return isinstance(meaning, (Quantity, Period, Values, Parties)) and fits(fields, meaning)


def _orderings(work: _Work) -> None:
    for at, piece in enumerate(work.pieces):
        if isinstance(piece.meaning, Top):
            work.top = (
                piece.meaning
                if work.top is None or piece.meaning.count
                else replace(work.top, descending=piece.meaning.descending)
            )
        if isinstance(piece.meaning, Ordering):
            following = work.content(at + 1)
            if following >= 0 and isinstance(work.pieces[following].meaning, Fields):
                work.order = work.pieces[following]
                work.top = work.top or Top(0, None)
    work.pieces = [
        p for p in work.pieces if not isinstance(p.meaning, (Top, Ordering)) and p is not work.order
    ]


def _functions(work: _Work) -> None:
    """ "total", "average", "highest" with the field that they are of."""
    _computed(work)
    found = [at for at, piece in enumerate(work.pieces) if isinstance(piece.meaning, Function)]
    named = [at for at in range(len(work.pieces)) if _is_total(work, at)]
    plain = [at for at in found if not _function(work.pieces[at]).is_extreme]
    extreme = [at for at in found if at not in plain]
    if found:
        at = (plain or found)[0]
        work.function, work.function_piece = _function(work.pieces[at]), work.pieces[at]
        work.extreme = _function(work.pieces[extreme[0]]) if extreme else None
        work.measure = _measure_after(work, at)
        if named and not plain:
            work.inner = Aggregate.SUM
        work.leftover += [work.pieces[other] for other in extreme[1:]]
    elif named:
        meaning = work.pieces[named[0]].meaning
        assert isinstance(meaning, Fields)  # as `_is_total` has it
        work.function = Function(meaning.function or Aggregate.SUM)
        work.function_piece = work.pieces[named[0]]
        after = _measure_after(work, named[0]) if len(work.function_piece.text.split()) == 1 else None
        work.measure = after or work.function_piece
    gone = {id(piece) for piece in (work.measure, work.function_piece)}
    work.pieces = [
        p
        for p in work.pieces
        if not isinstance(p.meaning, Function)
        and id(p) not in gone
        and not (
            work.inner and isinstance(p.meaning, Fields) and p.meaning.function and len(p.text.split()) == 1
        )
    ]


def _computed(work: _Work) -> None:
    """ "above average": a function behind a comparison is a value that is computed first."""
    for at, piece in enumerate(work.pieces):
        if not isinstance(piece.meaning, Function) or piece.meaning.name is Aggregate.DISTINCT:
            continue
        before = next((p for p in reversed(work.pieces[:at]) if not isinstance(p.meaning, Filler)), None)
        if before is not None and isinstance(before.meaning, Comparator):
            work.pieces[at] = replace(piece, meaning=Computed(piece.meaning.name))


def _function(piece: Piece) -> Function:
    assert isinstance(piece.meaning, Function)  # asked for where it is one
    return piece.meaning


def _is_total(work: _Work, at: int) -> bool:
    """Whether a field is named in a way that asks for its sum: "total value of contracts"."""
    meaning = work.pieces[at].meaning
    if not isinstance(meaning, Fields) or not meaning.function or _has_operand(work, at):
        return False
    if len(work.pieces[at].text.split()) == 1 and any(isinstance(p.meaning, Documents) for p in work.pieces):
        return False  # "the total of the Beta invoice" is what it states
    before = next((p for p in reversed(work.pieces[:at]) if not isinstance(p.meaning, Filler)), None)
    return before is None or not isinstance(before.meaning, (Link, Negator, Comparator))


def _measure_after(work: _Work, at: int) -> Piece | None:
    """The field behind a function, past what only says of which documents: "average ACME contract value"."""
    for place in range(at + 1, len(work.pieces)):
        piece = work.pieces[place]
        if isinstance(piece.meaning, Fields):
            if _has_operand(work, place):
                return None
            following = work.content(place + 1)
            is_prefix = piece.meaning.function is not None and len(piece.text.split()) == 1
            if is_prefix and following >= 0 and isinstance(work.pieces[following].meaning, Fields):
                continue
            return piece
        if not isinstance(piece.meaning, _PASSED):
            return None
    return None


def _how_much(work: _Work, ask: str) -> None:
    """ "How much did we pay for tires" adds up; "how much is the contract worth" looks it up."""
    if (
        ask != "much"
        or work.function is not None
        or any(isinstance(p.meaning, Documents) for p in work.pieces)
    ):
        return
    is_one = work.subject is not None and not work.subject.is_plural
    for at, piece in enumerate(work.pieces):
        if not isinstance(piece.meaning, Fields) or _has_operand(work, at) or is_one:
            continue
        if ask == "what" and piece.text.casefold() not in _SPENT:
            continue
        if any(match.field.type in _NUMBERS for match in piece.meaning.matches):
            work.function, work.measure = Function(Aggregate.SUM), piece
            work.pieces.remove(piece)
            return


def _subject(work: _Work, pieces: Sequence[Piece]) -> None:
    """The first kind of document; further words for the same kind belong to it."""
    kept = []
    for at, piece in enumerate(work.pieces):
        if not isinstance(piece.meaning, Noun):
            kept.append(piece)
            continue
        noun = piece.meaning
        if work.subject is None:
            work.subject, work.subject_at = noun, at
            work.is_direct = _is_direct(work.function_piece, piece, pieces)
        elif work.subject.schema == "" or noun.schema in ("", work.subject.schema):
            work.subject = _merged(work.subject, noun)
        else:
            work.leftover.append(piece)
    work.pieces = kept


def _is_direct(function: Piece | None, noun: Piece, pieces: Sequence[Piece]) -> bool:
    """Whether a function stands right before what it is of: "the largest ACME contract"."""
    if function is None or noun.first < function.end:
        return False
    between = [p for p in pieces if function.end <= p.first < noun.first]
    return not any(p.text.casefold() in _BETWEEN for p in between)


def _merged(one: Noun, other: Noun) -> Noun:
    if not one.schema:
        return replace(other, is_plural=one.is_plural or other.is_plural)
    if not other.schema:
        return replace(one, is_plural=one.is_plural or other.is_plural)
    kind = other.kind or one.kind
    return Noun(one.schema, kind, one.title_words or other.title_words, one.is_plural or other.is_plural)


def _entity(work: _Work, ask: str) -> Piece | None:
    """What is asked for where it is the values of a field: "which vendors ...", "how many governing laws"."""
    if work.subject is not None and work.subject_at <= _first(work, Fields):
        return None
    at = work.content()
    if at < 0 or ask not in ("which", "what", "list", "count", "who", ""):
        return None
    if ask == "" and work.top is None and work.extreme is None:
        return None
    if work.measure is not None and (work.top is None and work.extreme is None):
        return None
    piece = work.pieces[at]
    if not isinstance(piece.meaning, Fields) or _has_operand(work, at):
        return None
    is_many = piece.text.lower().endswith("s")
    best = piece.meaning.matches[0].field
    if best.type in (FieldType.BOOLEAN, *_NUMBERS) or not (is_many or ask in ("which", "count")):
        return None
    if ask in ("what", "") and not is_many:
        return None
    work.pieces.remove(piece)
    return piece


def _among(work: _Work) -> None:
    """ "the panel width of AlphaSolar models": a field in the plural that stands for its documents."""
    if work.subject is not None:
        return
    for at, piece in enumerate(work.pieces):
        meaning = piece.meaning
        if not isinstance(meaning, Fields) or not piece.text.lower().endswith("s") or _has_operand(work, at):
            continue
        before = next((p for p in reversed(work.pieces[:at]) if not isinstance(p.meaning, Filler)), None)
        is_name = all(match.field.type in (FieldType.TEXT, FieldType.PARTY) for match in meaning.matches)
        if is_name and not (before is not None and isinstance(before.meaning, (Link, Negator))):
            work.among = piece
            work.pieces.remove(piece)
            return


def _first(work: _Work, kind: type) -> int:
    return next((at for at, piece in enumerate(work.pieces) if isinstance(piece.meaning, kind)), 10_000)


def _where(work: _Work) -> tuple[Expression | None, list[Piece]]:
    conditions = Conditions(work.pieces)
    found = conditions.parse()
    return found, [*work.leftover, *conditions.leftover]


def _tree(
    work: _Work, ask: str, entity: Piece | None, where: Expression | None, leftover: list[Piece]
) -> Tree:
    function, measure = work.function, _fields(work.measure)
    order = None
    intent = Intent.LIST
    names_document = any(isinstance(test.operand, Documents) for test in tests(where))
    if ask == "count" and (function is None or function.name is Aggregate.DISTINCT):
        intent = Intent.COUNT
    elif function is not None and not function.is_extreme:
        intent = Intent.COMPUTE
    elif ask in ("when", "who", "much", "long", "where"):
        intent = Intent.LOOKUP
    elif ask == "whether":
        intent = Intent.CHECK
    elif ask in ("what", "") and (names_document or work.subject is None or not work.subject.is_plural):
        says = measure is not None or any(t.fields is not None and t.operand is None for t in tests(where))
        intent = Intent.LOOKUP if says or work.subject is None else Intent.LIST
    if work.extreme is not None:
        intent, order = _extreme(work, ask, work.extreme, measure, entity)
    if work.top is not None:
        descending = work.top.descending if work.top.descending is not None else True
        intent, order = Intent.RANK, _top_order(work, measure, descending)
    if (
        work.groups or (entity is not None and intent in (Intent.LIST, Intent.RANK, Intent.LOOKUP))
    ) and order is None:
        intent = (
            Intent.GROUP if intent in (Intent.LIST, Intent.LOOKUP, Intent.GROUP) or work.groups else intent
        )
    return Tree(
        intent,
        subject=work.subject,
        entity=_fields(entity),
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
        among=_fields(work.among),
    )


def _top_order(work: _Work, measure: Fields | None, descending: bool) -> Order:
    assert work.top is not None  # asked for where there is one
    top = work.top
    return Order(_fields(work.order) or measure, descending, top.count, top.of_time, hint=top.hint)


def _extreme(
    work: _Work, ask: str, function: Function, measure: Fields | None, entity: Piece | None
) -> tuple[Intent, Order | None]:
    """ "The largest contract" and "which contract has the highest value" rank; "the highest value" computes."""
    order = Order(measure, function.name is Aggregate.MAX, 1, function.of_time, hint=function.hint)
    if entity is not None:
        return Intent.RANK, order
    if not _function_is(work, function):
        return Intent.GROUP if work.groups else Intent.COMPUTE, order if work.groups else None
    if ask in ("which", "list") and (work.subject is not None or measure is None):
        return Intent.RANK, order
    if work.is_direct or (work.subject is None and measure is None):
        return Intent.RANK, order
    return Intent.COMPUTE, None


def _function_is(work: _Work, function: Function) -> bool:
    return work.function is function


def _fields(piece: Piece | None) -> Fields | None:
    return piece.meaning if piece is not None and isinstance(piece.meaning, Fields) else None
