"""What is said of amounts beside their size: the currency that they are stated in."""

from __future__ import annotations

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.language.pieces import (
    Aspect,
    Comparator,
    Currency,
    Fields,
    Filler,
    Link,
    Negator,
    Piece,
    Policy,
    Quantity,
)
from core.plan.language.syntax.measures import Work
from core.plan.language.syntax.tree import Test

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
    gone = {id(each) for each in work.pieces[start:end] if not isinstance(each.meaning, Link)}
    if alone and named is not None:
        gone.add(id(named))
    work.pieces = [each for each in work.pieces if id(each) not in gone]
    fields = named.meaning if named is not None and isinstance(named.meaning, Fields) else None
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
    return isinstance(piece.meaning, Fields) and any(
        match.field.type is FieldType.MONEY for match in piece.meaning.matches
    )


def _stands_alone(work: Work, named: Piece, start: int, end: int) -> bool:
    """Whether nothing else is asked of the amount than its currency."""
    at = work.pieces.index(named)
    own = next((p for p in work.pieces[at + 1 : start] if not isinstance(p.meaning, (Filler, Link))), None)
    if own is not None and isinstance(own.meaning, (Comparator, Policy, Quantity)):
        return False  # "a cap above our policy, excluding euro contracts"
    behind = end if at < start else at + 1
    following = next((p for p in work.pieces[behind:] if not isinstance(p.meaning, (Filler, Link))), None)
    return following is None or not (isinstance(following.meaning, Comparator) or _is_money(following))


def _is_money(piece: Piece) -> bool:
    return isinstance(piece.meaning, Quantity) and piece.meaning.value.type is FieldType.MONEY
