"""Making of a proposed calculation: its figures found in the evidence, its expression evaluated."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from core.answer.cite import Numbering
from core.answer.prose.calculation.expression import (
    DAY,
    PERCENT,
    CalculationError,
    Quantity,
    evaluate,
    written,
)
from core.answer.prose.calculation.operand import Operand, operand
from core.answer.prose.claim_lines import WrittenCalculation, WrittenFigure
from core.answer.prose.units import EvidenceUnit, PackedEvidence, ValueUnit
from core.answer.value import show_value
from core.domain.answer import CitedCalculation, CitedFigure, Value
from core.domain.value_text import shortened
from core.search.evidence.base import Span
from core.text.nouns import plural
from core.values.money import CODES

_ID = re.compile(r"c\d{1,2}")
_NAMES = {Decimal(10**3): "thousand", Decimal(10**6): "million", Decimal(10**9): "billion"}
_MOST = Decimal(10) ** 18
_SHORT_UNIT = 3  # letters of a symbol, such as "kg", which has no plural
_NAME = re.compile(r"[A-Za-z_]\w{0,30}")


@dataclass(frozen=True, slots=True)
class FoundFigure:
    """A figure of a calculation. row: the place of its words; heads: those that it was read with."""

    name: str
    operand: Operand
    row: Span
    heads: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class CalculatedValue:
    """What a calculation came to. earlier: those whose results it goes on from."""

    proposed: WrittenCalculation
    quantity: Quantity
    figures: tuple[FoundFigure, ...]
    earlier: tuple[CalculatedValue, ...] = ()

    @property
    def value(self) -> Value:
        """The result as answers have values."""
        return _value(self.quantity)

    @property
    def shown(self) -> str:
        """The expression with the figures as they are written in place of their names."""
        by_name = {each.name: each.operand.written for each in self.figures}
        by_name |= {each.proposed.id: each.said for each in self.earlier}
        return written(self.proposed.expression, by_name)

    @property
    def said(self) -> str:
        """The result as a person reads it: in the scale of its table, where all figures have one."""
        scales = {each.operand.scale for each in self.all_figures}
        scale = scales.pop() if len(scales) == 1 else Decimal(1)
        unit = self.quantity.unit
        is_word = unit.islower() and (len(unit) > _SHORT_UNIT or unit == "day")
        if is_word and self.quantity.value != 1:
            many = unit if unit.endswith("s") else plural(unit)
            return show_value(self.value.model_copy(update={"unit": many}))
        if unit not in CODES:
            return show_value(self.value)
        if scale == 1:
            scale = _readable(self.quantity.value)
        if scale == 1:
            return show_value(self.value)
        shown = show_value(_value(Quantity(self.quantity.value / scale, self.quantity.unit)))
        return f"{shown.removesuffix('.00')} {_NAMES[scale]}"

    @property
    def unit(self) -> ValueUnit:
        """The result as sentences may name it."""
        steps = "".join(f"; {each.said} is {each.proposed.label}: {each.shown}" for each in self.earlier)
        return ValueUnit(self.proposed.id, f"{self.proposed.label}: {self.shown}{steps}", self.said)

    @property
    def rows(self) -> tuple[Span, ...]:
        """The places of its figures; their heads are shown with the calculation."""
        return tuple(dict.fromkeys(each.row for each in self.all_figures))

    @property
    def all_figures(self) -> tuple[FoundFigure, ...]:
        """Its own figures, and those of the calculations that it goes on from."""
        return (*self.figures, *(figure for each in self.earlier for figure in each.all_figures))

    def as_part(self, numbering: Numbering) -> CitedCalculation:
        """The calculation as a part of an answer, its places numbered."""
        return CitedCalculation(
            label=self.proposed.label,
            expression=self.proposed.expression,
            shown=self.shown,
            value=self.value,
            figures=tuple(
                CitedFigure(
                    name=each.name,
                    written=each.operand.written,
                    value=f"{each.operand.quantity.value.normalize():f}",
                    unit=each.operand.quantity.unit,
                    citations=tuple(numbering.cite(span) for span in (each.row, *each.heads)),
                )
                for each in self.all_figures
            ),
        )


def calculate(
    proposed: WrittenCalculation,
    packed: PackedEvidence,
    page_text: Callable[[Span], str | None],
    known: Mapping[str, CalculatedValue],
) -> CalculatedValue:
    """Make a calculation over figures of the evidence, and over the results of those before it.

    Raises CalculationError where a figure does not stand where it is said to, or the expression comes to
    nothing.
    """
    if not _ID.fullmatch(proposed.id):
        raise CalculationError("It has no id of its own.", next_step="Call it c1, the next c2.")
    if not proposed.label:
        raise CalculationError("It does not say what it comes to.", next_step="Write a label.")
    units = {unit.id: unit for unit in packed.units}
    figures = tuple(_found(each, units, page_text) for each in proposed.figures)
    earlier = tuple(each for id, each in known.items() if re.search(rf"\b{id}\b", proposed.expression))
    quantities = {each.name: each.operand.quantity for each in figures}
    quantities |= {each.proposed.id: each.quantity for each in earlier}
    result = _sayable(evaluate(proposed.expression, quantities))
    if not figures and not earlier:
        raise CalculationError("It is over no figure of the evidence.", next_step="Name its figures.")
    return CalculatedValue(proposed, result, figures, earlier)


def _found(
    figure: WrittenFigure, units: Mapping[str, EvidenceUnit], page_text: Callable[[Span], str | None]
) -> FoundFigure:
    unit = units.get(figure.id)
    if unit is None or not _NAME.fullmatch(figure.name):
        raise CalculationError(
            f"There is no evidence {figure.id[:20]!r} for {figure.name[:40]!r}.",
            next_step="Name the block that the figure stands in.",
        )
    place = unit.place
    whole = Span.of(place)
    text = page_text(whole)
    if text is None:
        raise CalculationError("The page of a figure is gone.", next_step="Ask again.")
    read = operand(text, place.start, place.end, figure.quote, figure.figure)
    row, *heads = (whole.part(text, start, end) for start, end in ((read.start, read.end), *read.heads))
    return FoundFigure(figure.name, read, row, tuple(heads))


def _sayable(found: Quantity) -> Quantity:
    """A result that can be stated. Raises CalculationError for days of no calendar and absurd amounts."""
    is_day = found.unit != DAY or date.min.toordinal() <= found.value <= date.max.toordinal()
    if not is_day or abs(found.value) >= _MOST:
        raise CalculationError("It comes to nothing that can be said.", next_step="Choose other figures.")
    return found


def _readable(value: Decimal) -> Decimal:
    """The scale in which a large amount has two decimal places at most."""
    fitting = (each for each in (Decimal(10**9), Decimal(10**6)) if abs(value) >= each)
    return next((each for each in fitting if not value / each * 100 % 1), Decimal(1))


def _value(quantity: Quantity) -> Value:
    if quantity.unit == DAY:
        return Value(type="date", value=date.fromordinal(int(quantity.value)).isoformat())
    rounded = shortened(quantity.value).normalize()
    if quantity.unit == PERCENT:
        rounded = quantity.value.quantize(Decimal("0.01")).normalize()
    kind = "money" if quantity.unit in CODES else "number"
    return Value(type=kind, value=f"{rounded:f}", unit=quantity.unit or None)
