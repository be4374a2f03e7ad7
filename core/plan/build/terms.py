"""Conditions on more than one field, or less than a value: in force, how long it runs, in which currency."""

from __future__ import annotations

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import FieldEntry
from core.plan.build.boolean_form import Both, Either, Formula
from core.plan.language.syntax.choose import Chooser
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import Fields, Period, Quantity, stems
from core.plan.language.syntax.tree import Test
from core.plan.ir.nodes import Condition

_BEGINS = ("effective date", "start date", "valid from", "issue date")
_ENDS = ("expiration date", "end date", "valid until", "expiry")


class Terms:
    """Says which fields of one schema such conditions are on."""

    def __init__(self, lexicon: Lexicon, chooser: Chooser) -> None:
        self._lexicon = lexicon
        self._chooser = chooser
        self.codes: dict[str, str] = {}  # the currency that a question names for a field

    def in_force(self, period: Period) -> tuple[Formula, str] | None:
        """Begun by the last day of a period and not ended before its first; None without such dates."""
        begins, ends = self._date(_BEGINS), self._date(_ENDS)
        if ends is None or period.first is None or period.last is None:
            return None
        first, last = period.first.isoformat(), period.last.isoformat()
        runs = Condition(field=ends.name, op=Operator.GREATER_EQUAL, value=first)
        said = f"{ends.title} not before {first}, or none"
        ongoing = Either((runs, Condition(field=ends.name, op=Operator.MISSING)))
        if begins is None or begins.name == ends.name:
            return ongoing, said
        begun = Condition(field=begins.name, op=Operator.LESS_EQUAL, value=last)
        return Both((begun, ongoing)), f"{begins.title} not after {last}, and {said}"

    def lasting(self, test: Test, operand: Quantity) -> tuple[Condition, str] | None:
        """How long it runs, from the day on which it begins to that on which it ends."""
        if operand.value.type is not FieldType.DURATION:
            return None
        begins = self._of(test.span.start) if test.span else self._date(_BEGINS)
        ends = self._of(test.span.end) if test.span else self._date(_ENDS)
        if begins is None or ends is None or begins.name == ends.name:
            return None
        op = test.op or Operator.EQUAL
        value: str | tuple[str, str] = operand.value.text
        if op is Operator.BETWEEN:
            if test.high is None:
                return None
            value = (operand.value.text, test.high.value.text)
        said = " and ".join(value) if isinstance(value, tuple) else value
        condition = Condition(field=ends.name, minus=begins.name, op=op, value=value)
        return condition, f"the time from {begins.title.lower()} to {ends.title.lower()} is {op.value} {said}"

    def stated_in(self, test: Test, code: str) -> tuple[Condition, str] | None:
        """In which currency an amount is stated."""
        entry = None
        if test.fields is not None:
            entry = self._chooser.field(test.fields, test.pieces[0].text, (FieldType.MONEY,))
        entry = entry or self._chooser.first(FieldType.MONEY)
        if entry is None:
            return None
        op = test.op or Operator.EQUAL
        if op is Operator.EQUAL:
            self.codes[entry.name] = code
        said = f"{entry.title} is {'not ' if op is Operator.NOT_EQUAL else ''}stated in {code}"
        return Condition(field=f"{entry.name}.unit", op=op, value=code), said

    def ends(self) -> tuple[FieldEntry, FieldEntry] | None:
        """The dates on which documents begin and end; None where they do not state both."""
        begins, ends = self._date(_BEGINS), self._date(_ENDS)
        return None if begins is None or ends is None or begins.name == ends.name else (begins, ends)

    def _of(self, fields: Fields) -> FieldEntry | None:
        return self._chooser.field(fields, fields.matches[0].field.title, (FieldType.DATE,))

    def _date(self, phrases: tuple[str, ...]) -> FieldEntry | None:
        for phrase in phrases:
            fields = self._lexicon.fields(stems(phrase))
            own = (
                [m.field for m in fields.matches if m.field.schema == self._chooser.schema.name]
                if fields
                else []
            )
            dates = [each for each in own if each.type is FieldType.DATE]
            if dates:
                return dates[0]
        return None
