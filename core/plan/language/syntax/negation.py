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
from core.plan.language.pieces import (
    Comparator,
    Connective,
    DayRange,
    DocumentSet,
    FieldSenses,
    HavingWord,
    Negator,
    Parties,
    Piece,
    Quantity,
    UnknownWord,
    Values,
)
from core.plan.language.syntax.conditions import OPERANDS, Tests, fits
from core.plan.language.syntax.tree import All, Any, Expression, Not, Test

_LACKING = ("lack", "miss", "omit")  # "lack both A and B" has neither, "do not have both" lacks one of them


class ConditionParser(Tests):
    """Parses pieces into one expression."""

    def parse(self) -> Expression | None:
        """The expression; None where the pieces hold no condition."""
        is_exclusive = self._takes_not_both()
        found = self._disjunction()
        while self._at < len(self._pieces):  # an "or" at the end
            self._at += 1
        return _one_of(found) if is_exclusive else found

    def _takes_not_both(self) -> bool:
        """True where "but not both" ends the conditions; its words are taken out then."""
        said = [piece for piece in self._pieces if not isinstance(piece.meaning, HavingWord)]
        ends = len(said) > 1 and said[-1].text.casefold() == "both" and isinstance(said[-2].meaning, Negator)
        if ends:
            gone = (said[-1], said[-2])
            self._pieces = [piece for piece in self._pieces if not any(piece is each for each in gone)]
        return ends

    def _disjunction(self) -> Expression | None:
        parts = [self._conjunction()]
        while self._is(self._peek(), Connective) and (word := self._word()) in ("or", "nor"):
            self._next()
            part = self._conjunction()
            before = parts[-1]
            if word == "nor" and part is not None and isinstance(before, (Not, All)):
                parts[-1] = All((before, part if isinstance(part, Not) else Not(part)))
            else:
                parts.append(part)
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
        if isinstance(piece.meaning, HavingWord):
            self._next()
            following = self._peek()
            if following is not None and isinstance(following.meaning, (HavingWord, Negator, Connective)):
                return self._factor() if not isinstance(following.meaning, Connective) else None
            return self._coordinated(is_negated=False)
        return self._joined_values()

    def _negated(self) -> Expression | None:
        """One negation, or several in a row, which cancel one another."""
        count, is_other, is_both, is_neither = 0, False, self._says_both(), False
        while (piece := self._peek()) is not None and isinstance(piece.meaning, (Negator, HavingWord)):
            if isinstance(piece.meaning, Negator):
                count += 1
                is_other = is_other or piece.meaning.is_other
                is_neither = is_neither or piece.text.casefold().startswith("neither")
                is_both = is_both and not piece.text.casefold().startswith(_LACKING)
            self._next()
        part = self._coordinated(is_negated=True)
        if part is None or count % 2 == 0:
            # "lack neither A nor B" has both of them
            return All(part.parts) if is_neither and isinstance(part, Any) else part
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
                or not isinstance(following.meaning, (FieldSenses, Values, Parties, UnknownWord))
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
            says = isinstance(following.meaning, FieldSenses) and following.meaning.is_verb
            if item is None or (is_negated and is_own) or (is_negated and says):
                self._at = start
                del self.leftover[kept:]
                break
            if not _says_again(items[-1][1], item):
                items.append((word, item))
        return _of_items(items)

    def _joined_values(self) -> Expression | None:
        """A condition, with further values of the same field: "New York, Texas or Delaware law"."""
        test = self._test()
        if test is not None and test.fields is not None and test.operand is None and test.op is None:
            return self._field_negated(test, test.fields)
        if test is None or test.operand is None:
            return test
        if isinstance(test.operand, Quantity):
            return self._ranged(test)
        if not isinstance(test.operand, (Values, Parties, DayRange, DocumentSet, UnknownWord)):
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
            assert isinstance(operand, (Values, Parties, DayRange, DocumentSet, UnknownWord))
            tail = self._tail_field(following)
            own = isinstance(operand, Parties) and operand.role
            shared = isinstance(test.operand, Parties) and test.operand.role is not None
            fields = own or (None if shared else test.fields) or tail
            if tail is not None and test.fields is None:
                items = [(w, _with_field(each, tail)) for w, each in items]
            items.append((word, Test((following,), fields, test.op, operand)))
        # Of one field a document has one value: "New York and Texas law" means either.
        is_either = any(word in ("or", "nor") for word, _ in items) or (
            isinstance(test.operand, (Values, DayRange)) and not _is_between([each for _, each in items])
        )
        parts = [each for _, each in items]
        return _any(parts) if is_either else _all(parts)

    def _ranged(self, test: Test) -> Expression:
        """ "at least $200K and no more than $500K": two limits of one field."""
        start = self._at
        word = self._connective()
        sign = self._peek()
        if word not in ("and", "but", ",") or sign is None or not isinstance(sign.meaning, Comparator):
            self._at = start
            return test
        self._next()
        limit = self._peek()
        if limit is None or not isinstance(limit.meaning, Quantity) or test.op is None:
            self._at = start
            return test
        self._next()
        own = self._peek()
        if own is not None and isinstance(own.meaning, FieldSenses) and fits(own.meaning, limit.meaning):
            self._at = start
            return test
        other = Test((*test.pieces[:1], sign, limit), test.fields, sign.meaning.op, limit.meaning)
        return All((test, replace(other, hint=test.hint, span=test.span)))

    def _field_negated(self, test: Test, fields: FieldSenses) -> Expression:
        """ "expire neither in 2024 nor in 2025", "governing law is not New York": the value is negated."""
        start = self._at
        sign = self._peek()
        if sign is None or not isinstance(sign.meaning, Negator):
            return test
        if sign.meaning.lacks:
            self._next()
            after = self._peek()
            if after is None or isinstance(after.meaning, Connective):
                return Not(test)  # "where the termination clause is missing"
            self._at = start
            return test
        self._next()
        parts: list[Expression] = []
        while (piece := self._peek()) is not None and fits(fields, piece.meaning):
            self._next()
            operand = piece.meaning
            assert isinstance(operand, (*OPERANDS, UnknownWord))
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

    def _says_either(self, start: int) -> bool:
        return any(piece.text.casefold() == "either" for piece in self._pieces[start : self._at])

    def _says_both(self) -> bool:
        near = self._pieces[self._at : self._at + 4]
        return any(piece.text.casefold().endswith("both") for piece in near)

    @staticmethod
    def _is(piece: Piece | None, kind: type) -> bool:
        return piece is not None and isinstance(piece.meaning, kind)


def _says_again(one: Expression, other: Expression) -> bool:
    """True where a clause is only called by another of its names: "a ROFR, ROFO or ROFN"."""
    if not (isinstance(one, Test) and isinstance(other, Test)) or one.operand or other.operand:
        return False
    if one.fields is None or other.fields is None:
        return False
    first, second = one.fields.matches[0].field, other.fields.matches[0].field
    return first == second and first.type is FieldType.BOOLEAN


def _one_of(found: Expression | None) -> Expression | None:
    """ "A or B, but not both": what the last choice says, and not all of it."""
    if isinstance(found, Any):
        return All((found, Not(All(found.parts))))
    if isinstance(found, All) and isinstance(found.parts[-1], Any):
        return All((*found.parts, Not(All(found.parts[-1].parts))))
    return found


def _is_between(items: Sequence[Expression]) -> bool:
    """ "after 2020 and before 2030": two open periods that overlap are the two ends of one."""
    periods = [
        each.operand for each in items if isinstance(each, Test) and isinstance(each.operand, DayRange)
    ]
    if len(items) != 2 or len(periods) != 2:
        return False
    firsts = [each.first for each in periods if each.last is None]
    lasts = [each.last for each in periods if each.first is None]
    return bool(firsts and lasts and firsts[0] and lasts[0]) and firsts[0] <= lasts[0]  # type: ignore[operator]


def _with_field(expression: Expression, fields: FieldSenses) -> Expression:
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
