"""One condition of a question at a time: a field with what it is compared with, a value, a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.domain.fields import ORDERED, FieldType
from core.domain.predicate import Operator
from core.plan.language.pieces import (
    Ask,
    Bridge,
    ClauseNoun,
    Comparator,
    Computed,
    Connective,
    DateInterval,
    DayRange,
    Described,
    DocumentSet,
    FieldSenses,
    Filler,
    HavingWord,
    Meaning,
    Noun,
    Parties,
    Piece,
    Policy,
    Quantity,
    UnknownWord,
    Values,
)
from core.plan.language.syntax.tree import Test

OPERANDS = (Quantity, DayRange, Policy, Bridge, Described, Computed, Values, Parties, DocumentSet)
IDLE = (Filler, ClauseNoun, Ask)
_PREPOSITIONS = ("under", "over", "above", "below", "within", "top", "up to", "beyond")  # also said of places
_LITERAL_TYPES = {
    FieldType.MONEY: (FieldType.MONEY,),
    FieldType.DURATION: (FieldType.DURATION,),
    FieldType.NUMBER: (FieldType.NUMBER, FieldType.MONEY),
}


class Tests:
    """Reads conditions from pieces; `leftover` are those with content that no condition took."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = list(pieces)
        self._at = 0
        self.leftover: list[Piece] = []

    def _test(self) -> Test | None:
        piece = self._next()
        if piece is None:
            return None
        meaning = piece.meaning
        if isinstance(meaning, FieldSenses):
            return self._of_field(piece, meaning)
        if isinstance(meaning, Comparator):
            return self._of_comparator(piece, meaning.op, meaning.hint)
        if isinstance(meaning, (Quantity, DayRange)):
            op = self._sign_behind() if isinstance(meaning, Quantity) else None
            if (span := self._following_span(meaning)) is not None:
                return Test((piece, span), None, op, meaning, span=_span(span))
            fields = self._following_field(meaning)
            extra = (fields,) if fields else ()
            return Test((piece, *extra), senses_of(fields), op, meaning)
        if isinstance(meaning, (Values, UnknownWord)):
            tail = self._tail_field(piece)
            if isinstance(meaning, UnknownWord) and tail is None:
                self.leftover.append(piece)
                return None
            return Test((piece,), tail, None, meaning)
        if isinstance(meaning, Parties):
            return Test((piece,), meaning.role or self._role_behind(), None, meaning)
        if isinstance(meaning, Described):
            return Test((piece,), self._role_behind(), None, meaning)
        if isinstance(meaning, DateInterval):
            return self._of_span(piece, meaning)
        if isinstance(meaning, (DocumentSet, Noun)):
            return Test((piece,), None, None, meaning)
        if not isinstance(meaning, IDLE):
            self.leftover.append(piece)
        return None

    def _of_field(self, piece: Piece, fields: FieldSenses) -> Test:
        start = self._at
        following = self._peek()
        if following is None:
            return Test((piece,), fields)
        if isinstance(following.meaning, HavingWord):
            self._next()
            following = self._peek()
        if following is not None and isinstance(following.meaning, Comparator):
            self._next()
            test = self._compared(piece, fields, following.meaning.op, (following,))
            test = test or self._against_field(piece, fields, following)
            if test is not None:
                return test
        elif following is not None and fits(fields, following.meaning):
            self._next()
            operand = following.meaning
            assert isinstance(operand, (*OPERANDS, UnknownWord))
            op = self._sign_behind() if isinstance(operand, Quantity) else None
            self._same_again(fields)
            return Test((piece, following), fields, op, operand)
        self._at = start
        return Test((piece,), fields)

    def _against_field(self, piece: Piece, fields: FieldSenses, sign: Piece) -> Test | None:
        """A field with another behind its sign, which has nothing of its own: "a cap above the value"."""
        other = self._peek()
        if (
            other is None
            or not isinstance(other.meaning, FieldSenses)
            or not isinstance(sign.meaning, Comparator)
        ):
            return None
        if not _are_alike(fields, other.meaning) or sign.meaning.op is Operator.BETWEEN:
            return None
        start = self._at
        self._next()
        after = self._peek()
        if after is not None and (
            isinstance(after.meaning, Comparator) or fits(other.meaning, after.meaning)
        ):
            self._at = start
            return None
        return Test((piece, sign, other), fields, sign.meaning.op, other.meaning)

    def _role_behind(self) -> FieldSenses | None:
        """The role behind a name: "Halden as vendor"."""
        start = self._at
        following = self._peek()
        says_as = any(piece.text.casefold().startswith("as") for piece in self._pieces[start : self._at])
        if following is None or not says_as or not isinstance(following.meaning, FieldSenses):
            self._at = start
            return None
        if all(match.field.type is not FieldType.PARTY for match in following.meaning.matches):
            self._at = start
            return None
        self._next()
        return following.meaning

    def _sign_behind(self) -> Operator:
        """Comparison of an amount that has no sign before it: "90 days or more", or simply that it equals."""
        following = self._peek()
        if following is None or not isinstance(following.meaning, Comparator):
            return Operator.EQUAL
        start = self._at
        self._next()
        after = self._peek()
        if after is not None and isinstance(after.meaning, OPERANDS):
            self._at = start
            return Operator.EQUAL
        return following.meaning.op

    def _same_again(self, fields: FieldSenses) -> None:
        """Takes a word for the same field behind its value: "governed by New York law"."""
        start = self._at
        following = self._peek()
        if following is not None and isinstance(following.meaning, FieldSenses):
            names = {(m.field.schema, m.field.name) for m in fields.matches}
            self._next()
            after = self._peek()
            is_own = after is None or not (
                isinstance(after.meaning, Comparator) or fits(following.meaning, after.meaning)
            )
            if is_own and any((m.field.schema, m.field.name) in names for m in following.meaning.matches[:1]):
                return
        self._at = start

    def _compared(
        self, piece: Piece, fields: FieldSenses | None, op: Operator, signs: tuple[Piece, ...]
    ) -> Test | None:
        operand = self._peek()
        if operand is None or not isinstance(operand.meaning, (*OPERANDS, UnknownWord)):
            return None
        self._next()
        pieces = (piece, *signs, operand) if piece not in signs else (*signs, operand)
        if op is Operator.BETWEEN and isinstance(operand.meaning, Quantity):
            start = self._at
            if self._connective():
                pass
            high = self._peek()
            if high is not None and isinstance(high.meaning, Quantity):
                self._next()
                return Test((*pieces, high), fields, op, operand.meaning, high.meaning)
            self._at = start
            return None
        return Test(pieces, fields, op, operand.meaning)

    def _of_comparator(self, piece: Piece, op: Operator, hint: str) -> Test | None:
        start = self._at
        named = self._peek()
        if op is Operator.EQUAL and named is not None and isinstance(named.meaning, FieldSenses):
            self._next()  # "the same governing law as the Gamma contract"
            test = self._compared(named, named.meaning, op, (piece,))
            if test is not None and isinstance(test.operand, DocumentSet):
                return test
            self._at = start
        test = self._compared(piece, None, op, (piece,))
        if test is None:
            if piece.text.casefold() not in _PREPOSITIONS:
                self.leftover.append(piece)
            return None
        assert test.operand is not None
        if (span := self._following_span(test.operand)) is not None:
            return replace(test, pieces=(*test.pieces, span), span=_span(span))
        after = self._following_field(test.operand)
        if after is None:
            return replace(test, hint=hint)
        return Test((*test.pieces, after), senses_of(after), test.op, test.operand, test.high)

    def _following_span(self, operand: Meaning) -> Piece | None:
        """The two dates behind a length of time: "18 months from their effective date to their expiry"."""
        following = self._peek()
        is_length = isinstance(operand, Quantity) and operand.value.type is FieldType.DURATION
        if following is None or not isinstance(following.meaning, DateInterval) or not is_length:
            return None
        return self._next()

    def _of_span(self, piece: Piece, span: DateInterval) -> Test | None:
        """ "between signing and expiry more than two years"."""
        start = self._at
        sign = self._peek()
        op = Operator.EQUAL
        if sign is not None and isinstance(sign.meaning, Comparator):
            self._next()
            op = sign.meaning.op
        length = self._peek()
        if length is None or not isinstance(length.meaning, Quantity):
            self._at = start
            self.leftover.append(piece)
            return None
        self._next()
        return Test((piece, length), None, op, length.meaning, span=span)

    def _following_field(self, operand: Meaning) -> Piece | None:
        """The field behind an amount: "more than $100K in value", "60 days of notice"."""
        following = self._peek()
        if (
            following is None
            or not isinstance(following.meaning, FieldSenses)
            or not fits(following.meaning, operand)
        ):
            return None
        start = self._at
        self._next()
        after = self._peek()
        if after is not None and (
            isinstance(after.meaning, Comparator) or fits(following.meaning, after.meaning)
        ):
            self._at = start  # it has an amount of its own
            return None
        return following

    def _tail_field(self, value: Piece) -> FieldSenses | None:
        """The field behind a value: "New York law"; right behind one that nothing states."""
        operand, following = value.meaning, self._peek()
        if following is None or not isinstance(following.meaning, FieldSenses):
            return None
        if isinstance(operand, Values):
            owners = {(each.schema, each.field) for each in operand.values}
            if not any((m.field.schema, m.field.name) in owners for m in following.meaning.matches):
                return None
        elif isinstance(operand, UnknownWord):
            if following.first != value.end:
                return None  # "what share of contracts is governed by ..." names no law
            if all(m.field.type is not FieldType.TEXT for m in following.meaning.matches):
                return None
        else:
            return None
        self._next()
        return following.meaning

    def _skip(self) -> None:
        while self._at < len(self._pieces) and isinstance(self._pieces[self._at].meaning, IDLE):
            self._at += 1

    def _peek(self) -> Piece | None:
        self._skip()
        return self._pieces[self._at] if self._at < len(self._pieces) else None

    def _next(self) -> Piece | None:
        piece = self._peek()
        self._at += 1
        return piece

    def _word(self) -> str:
        piece = self._peek()
        return piece.meaning.word if piece is not None and isinstance(piece.meaning, Connective) else ""

    def _connective(self) -> str:
        """The word that joins, after any commas before it."""
        word = ""
        while found := self._word():
            word = found if found != "," or not word else word
            self._next()
        return word


def _span(piece: Piece) -> DateInterval:
    assert isinstance(piece.meaning, DateInterval)  # asked for where it is one
    return piece.meaning


def senses_of(piece: Piece | None) -> FieldSenses | None:
    """The fields that a piece names; None where it is none, or names none."""
    return piece.meaning if piece is not None and isinstance(piece.meaning, FieldSenses) else None


def _are_alike(one: FieldSenses, other: FieldSenses) -> bool:
    """True where two phrases name different fields of one schema whose values can be compared."""
    return any(
        a.field.type is b.field.type in ORDERED
        and a.field.schema == b.field.schema
        and a.field.name != b.field.name
        for a in one.matches
        for b in other.matches
    )


def fits(fields: FieldSenses, operand: Meaning) -> bool:
    """True where one of the fields can have such a value."""
    types = {match.field.type for match in fields.matches}
    if isinstance(operand, Quantity):
        wanted = _LITERAL_TYPES.get(operand.value.type, ())
        return any(kind in types for kind in wanted)
    if isinstance(operand, DayRange):
        return FieldType.DATE in types or (operand.length is not None and FieldType.DURATION in types)
    if isinstance(operand, Values):
        owners = {(each.schema, each.field) for each in operand.values}
        return any((match.field.schema, match.field.name) in owners for match in fields.matches)
    if isinstance(operand, Bridge):
        return FieldType.TEXT in types
    if isinstance(operand, Parties):
        return FieldType.PARTY in types or fields.is_verb
    return False
