"""Conditions with and, or and not: which words each of them reaches over.

"without A or B" lacks both, "with A or B, and without C" has one of two and lacks the third, "not without A"
has it. A negation reaches over what is joined directly ("no A, B or C"), and ends where another begins to say
something ("with", "expiring").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.grammar.pieces import (
    Ask,
    Bridge,
    Clause,
    Comparator,
    Computed,
    Connective,
    Documents,
    Fields,
    Filler,
    Link,
    Meaning,
    Negator,
    Parties,
    Period,
    Piece,
    Policy,
    Quantity,
    Unknown,
    Values,
)
from core.plan.grammar.tree import All, Any, Expression, Not, Test

_OPERANDS = (Quantity, Period, Policy, Bridge, Computed, Values, Parties, Documents)
_IDLE = (Filler, Clause, Ask)
_LITERAL_TYPES = {
    FieldType.MONEY: (FieldType.MONEY,),
    FieldType.DURATION: (FieldType.DURATION,),
    FieldType.NUMBER: (FieldType.NUMBER, FieldType.MONEY),
}


class Conditions:
    """Parses pieces into one expression; `leftover` are those with content that no condition took."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = list(pieces)
        self._at = 0
        self.leftover: list[Piece] = []

    def parse(self) -> Expression | None:
        """The expression; None where the pieces hold no condition."""
        found = self._disjunction()
        while self._at < len(self._pieces):  # an "or" at the end
            self._at += 1
        return found

    # -- the levels ------------------------------------------------------------------------------------

    def _disjunction(self) -> Expression | None:
        parts = [self._conjunction()]
        while self._is(self._peek(), Connective) and self._word() in ("or", "nor"):
            self._next()
            parts.append(self._conjunction())
        return _any([part for part in parts if part is not None])

    def _conjunction(self) -> Expression | None:
        parts: list[Expression] = []
        while (piece := self._peek()) is not None:
            if isinstance(piece.meaning, Connective):
                if piece.meaning.word in ("or", "nor"):
                    break
                self._next()
                continue
            part = self._factor()
            if part is not None:
                parts.append(part)
        return _all(parts)

    def _factor(self) -> Expression | None:
        piece = self._peek()
        if piece is None:
            return None
        if isinstance(piece.meaning, Negator):
            return self._negated()
        if isinstance(piece.meaning, Link):
            self._next()
            following = self._peek()
            if following is not None and isinstance(following.meaning, (Link, Negator, Connective)):
                return self._factor() if not isinstance(following.meaning, Connective) else None
            return self._coordinated(is_negated=False)
        return self._joined_values()

    def _negated(self) -> Expression | None:
        """One negation, or several in a row, which cancel one another."""
        count, is_other, is_both = 0, False, self._says_both()
        while (piece := self._peek()) is not None and isinstance(piece.meaning, (Negator, Link)):
            if isinstance(piece.meaning, Negator):
                count += 1
                is_other = is_other or piece.meaning.is_other
            self._next()
        part = self._coordinated(is_negated=True)
        if part is None or count % 2 == 0:
            return part
        if isinstance(part, All) and not is_both:
            part = Any(part.parts)  # "without A and B" lacks either of them
        return Not(part, is_other)

    def _coordinated(self, *, is_negated: bool) -> Expression | None:
        """Conditions joined directly, as far as one "with" or "without" reaches."""
        first = self._joined_values()
        if first is None:
            return None
        items: list[tuple[str, Expression]] = [("", first)]
        while True:
            start = self._at
            word = self._connective()
            following = self._peek()
            if (
                not word
                or following is None
                or not isinstance(following.meaning, (Fields, Values, Parties, Unknown))
            ):
                self._at = start
                break
            kept = len(self.leftover)
            if self._says_either(start):
                item = self._coordinated(is_negated=is_negated)
                if item is not None:
                    items.append((word, item))
                break
            item = self._joined_values()
            is_own = isinstance(item, Test) and not item.is_bare and (is_negated or item.fields is None)
            says = isinstance(following.meaning, Fields) and following.meaning.is_verb
            if item is None or (is_negated and is_own) or (is_negated and says):
                self._at = start
                del self.leftover[kept:]
                break
            items.append((word, item))
        return _of_items(items)

    def _joined_values(self) -> Expression | None:
        """A condition, with further values of the same field: "New York, Texas or Delaware law"."""
        test = self._test()
        if test is not None and test.fields is not None and test.operand is None and test.op is None:
            return self._field_negated(test, test.fields)
        if test is None or test.operand is None:
            return test
        if not isinstance(test.operand, (Values, Parties, Period, Documents, Unknown)):
            return test
        items: list[tuple[str, Expression]] = [("", test)]
        while True:
            start = self._at
            word = self._connective()
            following = self._peek()
            if (
                not word
                or word == "but"
                or following is None
                or type(following.meaning) is not type(test.operand)
            ):
                self._at = start
                break
            self._next()
            operand = following.meaning
            assert isinstance(operand, (Values, Parties, Period, Documents, Unknown))
            tail = self._tail_field(operand)
            fields = test.fields or tail
            if tail is not None and test.fields is None:
                items = [(w, _with_field(each, tail)) for w, each in items]
            items.append((word, Test((following,), fields, test.op, operand)))
        # Of one field a document has one value: "New York and Texas law" means either.
        is_either = any(word in ("or", "nor") for word, _ in items) or isinstance(
            test.operand, (Values, Period)
        )
        parts = [each for _, each in items]
        return _any(parts) if is_either else _all(parts)

    def _field_negated(self, test: Test, fields: Fields) -> Expression:
        """ "expire neither in 2024 nor in 2025", "governing law is not New York": the value is negated."""
        start = self._at
        sign = self._peek()
        if sign is None or not isinstance(sign.meaning, Negator) or sign.meaning.lacks:
            return test
        self._next()
        parts: list[Expression] = []
        while (piece := self._peek()) is not None and fits(fields, piece.meaning):
            self._next()
            operand = piece.meaning
            assert isinstance(operand, (*_OPERANDS, Unknown))
            op = Operator.EQUAL if isinstance(operand, Quantity) else None
            parts.append(Test((*test.pieces, piece), fields, op, operand))
            before = self._at
            if not self._connective():
                break
            after = self._peek()
            if after is not None and isinstance(after.meaning, Negator):
                self._next()
                after = self._peek()
            if after is None or not fits(fields, after.meaning):
                self._at = before
        found = _any(parts)
        if found is None:
            self._at = start
            return test
        self._same_again(fields)
        return Not(found, sign.meaning.is_other)

    # -- one condition ---------------------------------------------------------------------------------

    def _test(self) -> Test | None:
        piece = self._next()
        if piece is None:
            return None
        meaning = piece.meaning
        if isinstance(meaning, Fields):
            return self._of_field(piece, meaning)
        if isinstance(meaning, Comparator):
            return self._of_comparator(piece, meaning.op, meaning.hint)
        if isinstance(meaning, (Quantity, Period)):
            fields = self._following_field(meaning)
            extra = (fields,) if fields else ()
            op = Operator.EQUAL if isinstance(meaning, Quantity) else None
            return Test((piece, *extra), _fields(fields), op, meaning)
        if isinstance(meaning, (Values, Unknown)):
            tail = self._tail_field(meaning)
            if isinstance(meaning, Unknown) and tail is None:
                self.leftover.append(piece)
                return None
            return Test((piece,), tail, None, meaning)
        if isinstance(meaning, (Parties, Documents)):
            return Test((piece,), None, None, meaning)
        if not isinstance(meaning, _IDLE):
            self.leftover.append(piece)
        return None

    def _of_field(self, piece: Piece, fields: Fields) -> Test:
        start = self._at
        following = self._peek()
        if following is None:
            return Test((piece,), fields)
        if isinstance(following.meaning, Link):
            self._next()
            following = self._peek()
        if following is not None and isinstance(following.meaning, Comparator):
            self._next()
            test = self._compared(piece, fields, following.meaning.op, (following,))
            if test is not None:
                return test
        elif following is not None and fits(fields, following.meaning):
            self._next()
            operand = following.meaning
            assert isinstance(operand, (*_OPERANDS, Unknown))
            op = Operator.EQUAL if isinstance(operand, Quantity) else None
            self._same_again(fields)
            return Test((piece, following), fields, op, operand)
        self._at = start
        return Test((piece,), fields)

    def _same_again(self, fields: Fields) -> None:
        """Takes a word for the same field behind its value: "governed by New York law"."""
        start = self._at
        following = self._peek()
        if following is not None and isinstance(following.meaning, Fields):
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
        self, piece: Piece, fields: Fields | None, op: Operator, signs: tuple[Piece, ...]
    ) -> Test | None:
        operand = self._peek()
        if operand is None or not isinstance(operand.meaning, (*_OPERANDS, Unknown)):
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
        if op is Operator.EQUAL and named is not None and isinstance(named.meaning, Fields):
            self._next()  # "the same governing law as the Gamma contract"
            test = self._compared(named, named.meaning, op, (piece,))
            if test is not None and isinstance(test.operand, Documents):
                return test
            self._at = start
        test = self._compared(piece, None, op, (piece,))
        if test is None:
            self.leftover.append(piece)
            return None
        assert test.operand is not None
        after = self._following_field(test.operand)
        if after is None:
            return replace(test, hint=hint)
        return Test((*test.pieces, after), _fields(after), test.op, test.operand, test.high)

    def _following_field(self, operand: Meaning) -> Piece | None:
        """The field behind an amount: "more than $100K in value", "60 days of notice"."""
        following = self._peek()
        if (
            following is None
            or not isinstance(following.meaning, Fields)
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

    def _tail_field(self, operand: Meaning) -> Fields | None:
        """The field behind a value: "New York law"."""
        following = self._peek()
        if following is None or not isinstance(following.meaning, Fields):
            return None
        if isinstance(operand, Values):
            owners = {(each.schema, each.field) for each in operand.values}
            if not any((m.field.schema, m.field.name) in owners for m in following.meaning.matches):
                return None
        elif isinstance(operand, Unknown):
            if all(m.field.type is not FieldType.TEXT for m in following.meaning.matches):
                return None
        else:
            return None
        self._next()
        return following.meaning

    # -- moving ----------------------------------------------------------------------------------------

    def _skip(self) -> None:
        while self._at < len(self._pieces) and isinstance(self._pieces[self._at].meaning, _IDLE):
            self._at += 1

    def _peek(self) -> Piece | None:
        self._skip()
        return self._pieces[self._at] if self._at < len(self._pieces) else None

    def _next(self) -> Piece | None:
        piece = self._peek()
        self._at += 1
        return piece

    def _says_either(self, start: int) -> bool:
        return any(piece.text.casefold() == "either" for piece in self._pieces[start : self._at])

    def _says_both(self) -> bool:
        near = self._pieces[self._at : self._at + 4]
        return any(piece.text.casefold().endswith("both") for piece in near)

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

    @staticmethod
    def _is(piece: Piece | None, kind: type) -> bool:
        return piece is not None and isinstance(piece.meaning, kind)


def _fields(piece: Piece | None) -> Fields | None:
    return piece.meaning if piece is not None and isinstance(piece.meaning, Fields) else None


def fits(fields: Fields, operand: Meaning) -> bool:
    """Whether one of the fields can have such a value."""
    types = {match.field.type for match in fields.matches}
    if isinstance(operand, Quantity):
        wanted = _LITERAL_TYPES.get(operand.value.type, ())
        return any(kind in types for kind in wanted)
    if isinstance(operand, Period):
        return FieldType.DATE in types or (operand.length is not None and FieldType.DURATION in types)
    if isinstance(operand, Values):
        owners = {(each.schema, each.field) for each in operand.values}
        return any((match.field.schema, match.field.name) in owners for match in fields.matches)
    if isinstance(operand, Bridge):
        return FieldType.TEXT in types
    if isinstance(operand, Parties):
        return FieldType.PARTY in types or fields.is_verb
    return False


def _with_field(expression: Expression, fields: Fields) -> Expression:
    if isinstance(expression, Test):
        return Test(expression.pieces, fields, expression.op, expression.operand, expression.high)
    return expression


def _of_items(items: Sequence[tuple[str, Expression]]) -> Expression:
    """A, B and C; A or B; of both, "and" binds more closely. Commas join as the last word does."""
    joined = [word for word, _ in items if word in ("and", "or", "nor", "but")]
    last = joined[-1] if joined else "and"
    groups: list[list[Expression]] = [[items[0][1]]]
    for word, item in items[1:]:
        if (last if word == "," else word) in ("or", "nor"):
            groups.append([item])
        else:
            groups[-1].append(item)
    parts = [found for group in groups if (found := _all(group)) is not None]
    found = _any(parts)
    assert found is not None  # there is at least one item
    return found


def _all(parts: Sequence[Expression]) -> Expression | None:
    return None if not parts else parts[0] if len(parts) == 1 else All(tuple(parts))


def _any(parts: Sequence[Expression]) -> Expression | None:
    return None if not parts else parts[0] if len(parts) == 1 else Any(tuple(parts))
