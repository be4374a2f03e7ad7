"""Measures, groups and orders of a question, how many are meant, and the currencies of its amounts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from core.domain.annotation import Calculation
from core.domain.fields import AMOUNTS, FieldType
from core.domain.predicate import INEQUALITIES, Operator
from core.plan.language.pieces import (
    Ask,
    Aspect,
    ClauseNoun,
    Comparator,
    Computed,
    Connective,
    Currency,
    DayRange,
    DocumentSet,
    FieldSenses,
    Filler,
    Grouping,
    HavingWord,
    Negator,
    Noun,
    Ordering,
    Parties,
    Piece,
    Policy,
    Quantity,
    Statistic,
    Top,
    Values,
)
from core.plan.language.syntax.conditions import fits
from core.plan.language.syntax.tree import GroupKey, Test

_SPENT = ("spend", "spent", "pay", "paid", "spending")
_PASSED = (Currency, Filler, ClauseNoun, Noun, Values, Parties, DocumentSet, Statistic, Connective)


@dataclass(slots=True)
class Work:
    """Pieces that are not yet understood, and what was."""

    pieces: list[Piece]
    groups: list[GroupKey] = field(default_factory=list)
    subject: Noun | None = None
    subject_at: int = -1
    noun_first: int = -1
    function: Statistic | None = None
    extreme: Statistic | None = None
    inner: Calculation | None = None
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
            if not isinstance(self.pieces[at].meaning, (Filler, ClauseNoun)):
                return at
        return -1


def groupings(work: Work) -> None:
    """ "by governing law", "per vendor and year", "for each quarter of expiry": taken out."""
    at = 0
    while at < len(work.pieces):
        if not isinstance(work.pieces[at].meaning, Grouping):
            at += 1
            continue
        end, groups = _group_after(work, at + 1)
        if groups and not _orders(work, at, groups):
            work.groups += groups
            del work.pieces[at:end]
            continue
        if groups and len(groups) == 1 and not groups[0].aspect:
            work.order = work.pieces[end - 1]  # "top 5 contracts by value"
            del work.pieces[at:end]
            continue
        work.pieces[at] = replace(work.pieces[at], meaning=Filler())
        at += 1


def _orders(work: Work, at: int, groups: Sequence[GroupKey]) -> bool:
    """True where "by" says what is ordered rather than grouped: "top 5 by value", "the oldest by date"."""
    before = work.pieces[:at]
    if any(isinstance(p.meaning, (Top, Ordering)) for p in before):
        return True
    fields = groups[0].fields
    if len(groups) > 1 or fields is None or groups[0].aspect is not None:
        return False
    types = {match.field.type for match in fields.matches[:1]}
    extremes = [p.meaning for p in before if isinstance(p.meaning, Statistic) and p.meaning.is_extreme]
    return any(bool(types & ({FieldType.DATE} if each.of_time else AMOUNTS)) for each in extremes)


def _group_after(work: Work, start: int) -> tuple[int, list[GroupKey]]:
    groups: list[GroupKey] = []
    at, end = start, start
    fields: Piece | None = None
    aspect: Piece | None = None
    while at < len(work.pieces):
        meaning = work.pieces[at].meaning
        if isinstance(meaning, Filler):
            at += 1
            continue
        following = work.content(at + 1)
        if _is_prefix(work, at, following):
            work.inner = Calculation.SUM
            at += 1
            continue
        if isinstance(meaning, FieldSenses) and fields is None and not has_operand(work, at):
            fields = work.pieces[at]
        elif isinstance(meaning, Aspect) and aspect is None:
            aspect = work.pieces[at]
        elif isinstance(meaning, Connective) and meaning.word in ("and", ",") and (fields or aspect):
            following = work.content(at + 1)
            if following < 0 or not isinstance(work.pieces[following].meaning, (FieldSenses, Aspect)):
                break
            if has_operand(work, following):
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


def _group(fields: Piece | None, aspect: Piece | None) -> GroupKey:
    text = " ".join(piece.text for piece in (fields, aspect) if piece is not None)
    meant = fields.meaning if fields is not None and isinstance(fields.meaning, FieldSenses) else None
    part = aspect.meaning if aspect is not None and isinstance(aspect.meaning, Aspect) else None
    return GroupKey(meant, part, text)


def has_operand(work: Work, at: int) -> bool:
    """True where the field at a place is compared with what follows it."""
    following = work.content(at + 1)
    fields = work.pieces[at].meaning
    if following < 0 or not isinstance(fields, FieldSenses):
        return False
    meaning = work.pieces[following].meaning
    if isinstance(meaning, Comparator):
        beyond = work.content(following + 1)  # "the cap over all contracts" compares nothing
        return beyond < 0 or not isinstance(work.pieces[beyond].meaning, (Noun, FieldSenses))
    if isinstance(meaning, Policy):
        return True
    return isinstance(meaning, (Quantity, DayRange, Values, Parties)) and fits(fields, meaning)


def orderings(work: Work) -> None:
    """ "top 5", "sorted by value": taken out."""
    for at, piece in enumerate(work.pieces):
        if isinstance(piece.meaning, Top):
            work.top = _both(work.top, piece.meaning)
        if isinstance(piece.meaning, Ordering):
            following = work.content(at + 1)
            if following >= 0 and isinstance(work.pieces[following].meaning, FieldSenses):
                work.order = work.pieces[following]
                work.top = work.top or Top(0, None)
    if work.top is not None and work.order is None and _function_in(work) is None:
        work.order = _only_bare(work, work.top)
    work.pieces = [
        p for p in work.pieces if not isinstance(p.meaning, (Top, Ordering)) and p is not work.order
    ]


def _function_in(work: Work) -> Piece | None:
    return next((piece for piece in work.pieces if isinstance(piece.meaning, Statistic)), None)


def _only_bare(work: Work, top: Top) -> Piece | None:
    """The one amount or date that is named and not compared: "5 smallest limits"."""
    wanted = {FieldType.DATE} if top.of_time else AMOUNTS
    found = [
        piece
        for at, piece in enumerate(work.pieces)
        if isinstance(piece.meaning, FieldSenses)
        and any(match.field.type in wanted for match in piece.meaning.matches)
        and not has_operand(work, at)
        and not _is_demanded(work, at)
    ]
    return found[0] if len(found) == 1 else None


def _is_demanded(work: Work, at: int) -> bool:
    """True where a field must only be there: "with a liability cap"."""
    before = next((p for p in reversed(work.pieces[:at]) if not isinstance(p.meaning, Filler)), None)
    return before is not None and isinstance(before.meaning, (HavingWord, Negator))


def _both(one: Top | None, other: Top) -> Top:
    """Order that two words say together: "top 5 ..., largest first"."""
    if one is None:
        return other
    descending = one.descending if one.descending is not None else other.descending
    of_time, hint = one.of_time or other.of_time, one.hint or other.hint
    return Top(one.count or other.count, descending, of_time, hint, one.ahead or other.ahead)


def functions(work: Work) -> None:
    """ "total", "average", "highest" with the field that they are of."""
    _computed(work)
    _verbs(work)
    found = [at for at, piece in enumerate(work.pieces) if isinstance(piece.meaning, Statistic)]
    named = [at for at in range(len(work.pieces)) if _is_total(work, at)]
    plain = [at for at in found if not _function(work.pieces[at]).is_extreme]
    extreme = [at for at in found if at not in plain]
    if found:
        at = (plain or found)[0]
        work.function, work.function_piece = _function(work.pieces[at]), work.pieces[at]
        work.extreme = _function(work.pieces[extreme[0]]) if extreme else None
        work.measure = _measure_after(work, at) or _measure_before(work, at)
        if work.measure is not None and work.measure.text.casefold() in _SPENT:
            work.inner = Calculation.SUM  # "which vendors do we pay the most"
        if named and not plain:
            work.inner = Calculation.SUM
        work.leftover += [work.pieces[other] for other in extreme[1:]]
    elif named:
        meaning = work.pieces[named[0]].meaning
        assert isinstance(meaning, FieldSenses)  # as `_is_total` has it
        work.function = Statistic(meaning.function or Calculation.SUM)
        work.function_piece = work.pieces[named[0]]
        after = _measure_after(work, named[0]) if len(work.function_piece.text.split()) == 1 else None
        work.measure = after or work.function_piece
    gone = {id(piece) for piece in (work.measure, work.function_piece)}
    if work.measure is not None and work.function_piece is not None and _is_before_period(work):
        gone.discard(id(work.measure))  # "which expires next after 1 January"
    work.pieces = [
        p
        for p in work.pieces
        if not isinstance(p.meaning, Statistic)
        and id(p) not in gone
        and not (
            work.inner
            and isinstance(p.meaning, FieldSenses)
            and p.meaning.function
            and len(p.text.split()) == 1
        )
    ]


def _is_before_period(work: Work) -> bool:
    """True where a period stands behind a date and the extreme of it."""
    assert work.measure is not None  # as the caller has it
    assert work.function_piece is not None
    if work.measure.first > work.function_piece.first:
        return False
    following = work.content(work.pieces.index(work.function_piece) + 1)
    return following >= 0 and isinstance(work.pieces[following].meaning, DayRange)


def _verbs(work: Work) -> None:
    """ "contracts that last longer than": no extreme, but what contracts do."""
    for at, piece in enumerate(work.pieces):
        following = work.content(at + 1)
        is_verb = isinstance(piece.meaning, Statistic) and piece.text.casefold() == "last"
        if is_verb and following >= 0 and isinstance(work.pieces[following].meaning, Comparator):
            work.pieces[at] = replace(piece, meaning=Filler())


def _measure_before(work: Work, at: int) -> Piece | None:
    """The field before an extreme: "which contract expires first", "is worth the most"."""
    function = _function(work.pieces[at])
    before = next((p for p in reversed(work.pieces[:at]) if not isinstance(p.meaning, Filler)), None)
    if not function.is_extreme or before is None or not isinstance(before.meaning, FieldSenses):
        return None
    wanted = {FieldType.DATE} if function.of_time else AMOUNTS
    return before if any(match.field.type in wanted for match in before.meaning.matches) else None


def _computed(work: Work) -> None:
    """ "above average": a function behind a comparison is a value that is computed first."""
    for at, piece in enumerate(work.pieces):
        if not isinstance(piece.meaning, Statistic) or piece.meaning.name is Calculation.DISTINCT:
            continue
        before = next((p for p in reversed(work.pieces[:at]) if not isinstance(p.meaning, Filler)), None)
        if (
            before is not None
            and isinstance(before.meaning, Comparator)
            and before.meaning.op in INEQUALITIES
        ):
            work.pieces[at] = replace(piece, meaning=Computed(piece.meaning.name))


def _function(piece: Piece) -> Statistic:
    assert isinstance(piece.meaning, Statistic)  # asked for where it is one
    return piece.meaning


def _is_total(work: Work, at: int) -> bool:
    """True where a field is named in a way that asks for its sum: "total value of contracts"."""
    meaning = work.pieces[at].meaning
    if not isinstance(meaning, FieldSenses) or not meaning.function or has_operand(work, at):
        return False
    if len(work.pieces[at].text.split()) == 1 and any(
        isinstance(p.meaning, DocumentSet) for p in work.pieces
    ):
        return False  # "the total of the Beta invoice" is what it states
    behind = [p for p in reversed(work.pieces[:at]) if not isinstance(p.meaning, Filler)]
    while [type(each.meaning) for each in behind[:2]] == [Connective, FieldSenses]:
        behind = behind[2:]  # "state no price or total value": both are what is stated
    return not behind or not isinstance(behind[0].meaning, (HavingWord, Negator, Comparator))


def _measure_after(work: Work, at: int) -> Piece | None:
    """The field behind a function, past what only says of which documents: "average ACME contract value"."""
    for place in range(at + 1, len(work.pieces)):
        piece = work.pieces[place]
        if isinstance(piece.meaning, FieldSenses):
            if has_operand(work, place):
                return None
            if _is_prefix(work, place, work.content(place + 1)):
                continue
            return piece
        if not isinstance(piece.meaning, _PASSED):
            return None
    return None


def _is_prefix(work: Work, at: int, following: int) -> bool:
    """True where the word at a place is the "total" of "total contract value", and no field by itself."""
    piece = work.pieces[at]
    if (
        not isinstance(piece.meaning, FieldSenses)
        or piece.meaning.function is None
        or len(piece.text.split()) > 1
    ):
        return False
    return following >= 0 and isinstance(work.pieces[following].meaning, FieldSenses)


def how_much(work: Work, ask: str) -> None:
    """ "How much did we pay for tires" adds up; "how much is the contract worth" looks it up."""
    if (
        ask not in ("much", "what")
        or work.function is not None
        or any(isinstance(p.meaning, DocumentSet) for p in work.pieces)
    ):
        return
    is_one = work.subject is not None and not work.subject.is_plural
    for at, piece in enumerate(work.pieces):
        if not isinstance(piece.meaning, FieldSenses) or has_operand(work, at) or is_one:
            continue
        if ask == "what" and piece.text.casefold() not in _SPENT:
            continue
        if any(match.field.type in AMOUNTS for match in piece.meaning.matches):
            work.function, work.measure = Statistic(Calculation.SUM), piece
            work.pieces.remove(piece)
            return


MOST = 100
_PASSED_COUNTS = (Statistic, Top, Parties, DocumentSet, Values, Filler)


def counts(work: Work) -> None:
    """Reads such numbers as how many are wanted, where the question has an order; else they say nothing."""
    for at, piece in enumerate(work.pieces):
        count = _count(piece)
        before = next((p for p in reversed(work.pieces[:at]) if not isinstance(p.meaning, Filler)), None)
        if not count or (before is not None and isinstance(before.meaning, Comparator)):
            continue
        if not _is_of_documents(work, at):
            continue
        extreme = next(
            (p.meaning for p in work.pieces if isinstance(p.meaning, Statistic) and p.meaning.is_extreme),
            None,
        )
        is_ordered = extreme is not None or any(isinstance(p.meaning, (Top, Ordering)) for p in work.pieces)
        meaning: Top | Filler = Filler()
        if is_ordered:
            descending = None if extreme is None else extreme.name is Calculation.MAX
            of_time = extreme is not None and extreme.of_time
            hint, ahead = ("", False) if extreme is None else (extreme.hint, extreme.ahead)
            meaning = Top(count, descending, of_time, hint, ahead)
        work.pieces[at] = replace(piece, meaning=meaning)


def _count(piece: Piece) -> int:
    """The small whole number that a piece is; 0 where it is none."""
    if not isinstance(piece.meaning, Quantity):
        return 0
    value = piece.meaning.value
    is_plain = value.type is FieldType.NUMBER and not value.unit and value.text.isdigit()
    number = int(value.text) if is_plain and len(value.text) < 4 else 0
    return number if number <= MOST else 0


def _is_of_documents(work: Work, at: int) -> bool:
    """True where what is counted comes right behind: a kind of document, or the values of a field."""
    for piece in work.pieces[at + 1 :]:
        if isinstance(piece.meaning, Noun) or piece.text.casefold() in ("ones", "of"):
            return True
        if isinstance(piece.meaning, FieldSenses):
            types = {match.field.type for match in piece.meaning.matches[:1]}
            is_many = piece.text.casefold().endswith("s") and not piece.meaning.is_verb
            return is_many and bool(types & {FieldType.PARTY, FieldType.TEXT, FieldType.ENUM})
        if not isinstance(piece.meaning, _PASSED_COUNTS):
            return False
        if isinstance(piece.meaning, (DocumentSet, Values)) and piece.text.casefold().endswith("s"):
            return True
    return False


def counted(pieces: Sequence[Piece]) -> list[str]:
    """The numbers among the pieces that count documents, as they are written."""
    work = Work([piece for piece in pieces if not isinstance(piece.meaning, Ask)])
    before = list(work.pieces)
    counts(work)
    return [old.text for old, new in zip(before, work.pieces, strict=True) if old is not new]


_EQUALS = (None, Operator.EQUAL, Operator.NOT_EQUAL)
_NEAR = 7  # words between an amount and its currency


def currencies(work: Work) -> list[Test]:
    """ "valued in US dollars", "in a currency other than euros": conditions, taken out of the pieces."""
    found = []
    while (at := _first(work)) >= 0:
        found.append(_taken(work, at))
    return found


def _first(work: Work) -> int:
    return next((at for at, piece in enumerate(work.pieces) if isinstance(piece.meaning, Currency)), -1)


def _taken(work: Work, at: int) -> Test:
    piece = work.pieces[at]
    start = at
    op, pieces = Operator.EQUAL, [piece]
    while start > 0 and isinstance(work.pieces[start - 1].meaning, (Filler, Aspect, Negator, Comparator)):
        before = work.pieces[start - 1]
        negates = isinstance(before.meaning, Negator) or _sign(before) is Operator.NOT_EQUAL
        if (negates and op is Operator.NOT_EQUAL) or _sign(before) not in _EQUALS:
            break
        if negates:
            op = Operator.NOT_EQUAL
            pieces.insert(0, before)
        start -= 1
    end = at + 1
    while end < len(work.pieces) and isinstance(work.pieces[end].meaning, Aspect):
        end += 1
    named = _amount_of(work, piece, start, end)
    alone = named is not None and named in work.pieces and _stands_alone(work, named, start, end)
    gone = {id(each) for each in work.pieces[start:end] if not isinstance(each.meaning, HavingWord)}
    if alone and named is not None:
        gone.add(id(named))
    work.pieces = [each for each in work.pieces if id(each) not in gone]
    fields = named.meaning if named is not None and isinstance(named.meaning, FieldSenses) else None
    meaning = piece.meaning
    assert isinstance(meaning, Currency)  # as `_first` has it
    return Test(tuple(pieces) if named is None else (named, *pieces), fields, op, meaning)


def _sign(piece: Piece) -> Operator | None:
    return piece.meaning.op if isinstance(piece.meaning, Comparator) else None


def _amount_of(work: Work, piece: Piece, start: int, end: int) -> Piece | None:
    """The amount that is stated in the currency: behind it, the nearest before it, or the computed one."""
    following = work.pieces[end] if end < len(work.pieces) else None
    if following is not None and _is_amount(following):
        return following
    before = next((each for each in reversed(work.pieces[:start]) if _is_amount(each)), None)
    if before is not None and piece.first - before.end <= _NEAR:
        return before
    return work.measure if work.measure is not None and _is_amount(work.measure) else before


def _is_amount(piece: Piece) -> bool:
    return isinstance(piece.meaning, FieldSenses) and any(
        match.field.type is FieldType.MONEY for match in piece.meaning.matches
    )


def _stands_alone(work: Work, named: Piece, start: int, end: int) -> bool:
    """True where nothing else is asked of the amount than its currency."""
    at = work.pieces.index(named)
    own = next(
        (p for p in work.pieces[at + 1 : start] if not isinstance(p.meaning, (Filler, HavingWord))), None
    )
    if own is not None and isinstance(own.meaning, (Comparator, Policy, Quantity)):
        return False  # "a cap above our policy, excluding euro contracts"
    behind = end if at < start else at + 1
    following = next(
        (p for p in work.pieces[behind:] if not isinstance(p.meaning, (Filler, HavingWord))), None
    )
    return following is None or not (isinstance(following.meaning, Comparator) or _is_money(following))


def _is_money(piece: Piece) -> bool:
    return isinstance(piece.meaning, Quantity) and piece.meaning.value.type is FieldType.MONEY
