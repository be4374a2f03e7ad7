"""Values of a reading as conditions have them, and comparisons with them as formulas over a field."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from core.domain.annotation import Calculation
from core.domain.fields import AMOUNTS, TEXTS, FieldType
from core.domain.predicate import INEQUALITIES, Operator
from core.plan.catalogue import Catalogue, ColumnEntry, FieldEntry
from core.plan.clarify import AskBackError, Clarify, option_for
from core.plan.compile.context import (
    MANY_GROUPS,
    OPPOSITE,
    Both,
    Either,
    Except,
    Formula,
    ReadingError,
    any_of,
    negated,
    one_of,
)
from core.plan.ir.nodes import Condition
from core.plan.ir.nodes.aggregate import OF_GROUPS
from core.plan.reading import ReadCondition, ReadField, ReadOrder, Step
from core.text.analyse import text_terms
from core.text.patterns import is_within
from core.values.canonical import read_value
from core.values.comparisons import currency_in
from core.values.names import normal_name
from core.values.numbers import parse_number
from core.values.places import canonical_place

MOST_NAMED = 50
"""Cells or columns that a condition or a search of rows names, at most."""
_PERIOD = re.compile(r"(\d{4})(?:-(?:(\d{2})|[Qq]([1-4])))?")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOST_GROUPS = 3
_COUNTED = (Calculation.COUNT, Calculation.DISTINCT)
EQUALS = (Operator.EQUAL, Operator.IN, Operator.NOT_EQUAL)
_OF_DAYS = ("year", "month", "quarter")


@dataclass(frozen=True, slots=True)
class ValueTarget:
    """What a value belongs to: the type and units of a field or a column, and the texts that it has.

    key: by what conditions know it.
    """

    key: str
    title: str
    type: FieldType
    units: tuple[str, ...]
    texts: tuple[str, ...]
    is_whole: bool = False

    def condition(self, op: Operator, value: str | tuple[str, ...]) -> Condition:
        """The condition that it compares so."""
        return Condition(field=self.key, op=op, value=value)

    def in_cells(self, said: str, *, is_part: bool = False) -> Condition:
        """The condition on cells of a column: that they are a text, else that they have it in them.

        is_part: they only have to hold it where any cell has it as it stands.
        """
        folded = " ".join(said.casefold().split())
        if is_part and (not self.is_whole or any(is_within(folded, each.casefold()) for each in self.texts)):
            return self.condition(Operator.CONTAINS, said)
        found = tuple(each for each in self.texts if " ".join(each.casefold().split()) == folded)
        if not found and self.is_whole and (words := text_terms(said)):
            found = tuple(each for each in self.texts if words <= text_terms(each))
            found = found if len(found) <= MOST_NAMED else ()
        return one_of(self.key, found) if found else self.condition(Operator.CONTAINS, said)

    def require_in_a_cell(self, said: str, words: str) -> None:
        """Raise ReadingError for words that no cell of the column has: they may mean anything."""
        if not any(is_within(said.casefold(), text.casefold()) for text in self.texts):
            step = "Search the text for it."
            raise ReadingError(f"No cell of {self.title} says “{said}”.", step, words)


def key_of(entry: FieldEntry | ColumnEntry | None) -> str:
    """By what conditions know a field or a column; "" for none."""
    return "" if entry is None else entry.name if isinstance(entry, FieldEntry) else entry.key


def title_of(entry: FieldEntry | ColumnEntry) -> str:
    """A field or a column as people call it."""
    return entry.title if isinstance(entry, FieldEntry) else entry.name


def target_of(entry: FieldEntry | ColumnEntry, catalogue: Catalogue) -> ValueTarget:
    """The target that a field or a column is."""
    units = entry.units or ((entry.unit,) if entry.unit else ())
    if isinstance(entry, ColumnEntry):
        return ValueTarget(entry.key, entry.name, entry.type, units, entry.texts, entry.is_whole)
    own = (each for each in catalogue.values if each.field == entry.name)
    texts = (each.text for each in own if not entry.schema or each.schema == entry.schema)
    return ValueTarget(entry.name, entry.title, entry.type, units, (*entry.options, *texts))


def compiled(op: Operator, values: Sequence[str], target: ValueTarget) -> Condition:
    """The comparison with canonical values. Raises ReadingError where one is no value of the target."""
    if not values:
        raise ReadingError(f"{target.title} {op.value} has no value.", "Say the value.")
    if op in (Operator.CONTAINS, Operator.MATCHES) and target.type not in TEXTS:
        raise ReadingError(f"{target.title} is no text that contains something.", "Compare it with a value.")
    if target.type is FieldType.DATE:
        return _dated(op, values, target)
    canonical = tuple(canonical_value(each, target) for each in values)
    if target.type is FieldType.TEXT and op in (Operator.EQUAL, Operator.NOT_EQUAL, Operator.IN):
        wider = tuple(text for each in canonical for text in (each, *_places_in(each, target)))
        op = Operator.IN if op is Operator.EQUAL and len(wider) > len(canonical) else op
        canonical = tuple(dict.fromkeys(wider))
    if op in (Operator.CONTAINS, Operator.MATCHES):
        return target.condition(op, canonical[0])
    if op is Operator.BETWEEN:
        if len(canonical) == 2:
            return target.condition(op, canonical)
        said = f"A range of {target.title} needs two ends, and has {len(canonical)}."
        raise ReadingError(said, "Give both ends, or compare with one.")
    if len(canonical) > 1 and op not in (Operator.IN, Operator.EQUAL, Operator.NOT_EQUAL):
        raise ReadingError(
            f"{target.title} {op.value} is compared with {len(canonical)} values, and with one it has to be.",
            "Say one of them.",
        )
    if op is Operator.IN or len(canonical) > 1:
        several = tuple(dict.fromkeys(canonical))
        return target.condition(op, several) if op is Operator.NOT_EQUAL else one_of(target.key, several)
    if target.type is FieldType.TEXT and op is Operator.EQUAL and not _is_known(canonical[0], target):
        return _of_unknown_text(values[0], canonical[0], target)
    return target.condition(op, canonical[0])


def in_currency(target: ValueTarget, read: ReadCondition, question: str) -> ValueTarget:
    """What an amount is held against, of several currencies. Raises AskBackError for one without."""
    found = [parse_number(each) for each in read.values]
    if all(each is not None and not each.decimal for each in found):
        return replace(target, units=())
    if any(map(currency_in, read.values)):
        return target
    units = [each for each in target.units if each]
    back = Clarify(
        type="several_meanings",
        question=question,
        reason=f"{target.title} is in {' and '.join(units)}, which are not compared. Which is meant?",
        phrase=read.words,
        options=tuple(option_for(question, read.words, f"{read.words} {each}") for each in units),
    )
    raise AskBackError(back)


def canonical_value(text: str, target: ValueTarget) -> str:
    """One value, canonical. Raises ReadingError where the target has none that is written so."""
    text = " ".join(text.split())
    if target.type in (FieldType.TEXT, FieldType.ENUM):
        return _known_text(text, target)
    if target.type is FieldType.PARTY:
        return normal_name(text) or text.casefold()
    found = read_value(text, target.type)
    if found is None and target.type is FieldType.NUMBER:
        found = parse_number(text, target.units[0] if target.units else "")
    if found is None:
        raise ReadingError(
            f"{text!r} is no value of {target.title}, which holds {_HOLDS.get(target.type, 'texts')}.",
            "Write it so, or compare another field.",
            words=text,
        )
    if target.type in (FieldType.MONEY, FieldType.NUMBER):
        unit = "%" if found.unit == "percent" and target.type is FieldType.NUMBER else found.unit
        return _with_unit(found.text, unit, target)
    return found.text


_HOLDS = {
    FieldType.MONEY: "amounts such as 100000 USD",
    FieldType.NUMBER: "numbers such as 12.5",
    FieldType.DURATION: "lengths of time such as 30 days",
    FieldType.BOOLEAN: "true or false",
    FieldType.DATE: "days such as 2024-03-31",
}


def _with_unit(number: str, unit: str, target: ValueTarget) -> str:
    own = target.units[0] if target.units else ""
    own = "%" if own == "percent" else own
    if target.type is FieldType.NUMBER and unit and own and unit != own:
        converted = parse_number(f"{number} {unit}", own)
        number, unit = (converted.text, own) if converted is not None else (number, unit)
    return f"{number} {unit or own}".strip()


def _known_text(text: str, target: ValueTarget) -> str:
    """The text as the collection writes it; as it is where no document states it."""
    known = {each.casefold(): each for each in reversed(target.texts)}
    plain = text.casefold().replace(" ", "_").replace("-", "_") if target.type is FieldType.ENUM else ""
    place = canonical_place(text)
    ways = (text.casefold(), plain, plain.removesuffix("s"), place.casefold() if place else "")
    if (found := next((known[each] for each in ways if each and each in known), None)) is not None:
        return found
    return next((each for each in target.texts if place and canonical_place(each) == place), place or text)


def _places_in(text: str, target: ValueTarget) -> tuple[str, ...]:
    """The known texts of places in a country: Ontario of Canada; of a place with its country after it."""
    if not canonical_place(text):
        return ()
    known = (each for each in target.texts if each != text)
    return tuple(each for each in known if each.endswith(f", {text}") or each.startswith(f"{text}, "))


def _is_known(text: str, target: ValueTarget) -> bool:
    return text in target.texts or bool(canonical_place(text))


def _of_unknown_text(said: str, text: str, target: ValueTarget) -> Condition:
    """The known texts that have all its words, in any form; or a condition on what the text has in it."""
    words = text_terms(said)
    near = tuple(each for each in target.texts if words and words <= text_terms(each))
    is_wider = any(text.casefold() not in each.casefold() for each in near)
    if len(near) == 1 or (len(near) <= MOST_NAMED and is_wider):
        return one_of(target.key, near)
    return target.condition(Operator.CONTAINS, text)


def _dated(op: Operator, values: Sequence[str], target: ValueTarget) -> Condition:
    periods = [_period(each, target) for each in values]
    (first, last), *others = periods
    if op is Operator.BETWEEN and others:
        last = others[0][1]
    if op is Operator.IN and others:
        return target.condition(Operator.IN, tuple(day.isoformat() for day, _ in periods))
    if op in (Operator.GREATER, Operator.LESS_EQUAL):
        return target.condition(op, last.isoformat())
    if op in (Operator.GREATER_EQUAL, Operator.LESS):
        return target.condition(op, first.isoformat())
    if first > last:
        raise ReadingError(
            f"Nothing lies between {first.isoformat()} and {last.isoformat()}: the first is the later.",
            "Give the earlier day first.",
        )
    if first == last:
        return target.condition(Operator.EQUAL if op is Operator.BETWEEN else op, first.isoformat())
    if op is Operator.NOT_EQUAL:
        raise ReadingError(f"{target.title} outside of a period is two conditions.", "Say before, or after.")
    return target.condition(Operator.BETWEEN, (first.isoformat(), last.isoformat()))


def _period(text: str, target: ValueTarget) -> tuple[date, date]:
    """The first and the last day of a day, month, quarter or year. Raises ReadingError."""
    text = text.strip()
    if _DAY.fullmatch(text):
        found = read_value(text, FieldType.DATE)
        if found is not None:
            day = date.fromisoformat(found.text)
            return day, day
    match = _PERIOD.fullmatch(text)
    if match is None or not 1 <= int(match[1]) <= 9999 or not 1 <= int(match[2] or 1) <= 12:
        raise ReadingError(
            f"{text!r} is no day of {target.title}.",
            "Write days as 2024-03-31, months as 2024-03, years as 2024.",
            words=text,
        )
    year = int(match[1])
    low, high = (int(match[2]),) * 2 if match[2] else (1, 12)
    if match[3]:
        low, high = 3 * int(match[3]) - 2, 3 * int(match[3])
    return date(year, low, 1), date(year, high, calendar.monthrange(year, high)[1])


def comparison(op: Operator, values: Sequence[str], target: ValueTarget) -> Formula:
    """That a field or column compares so. Raises ReadingError where no condition says it."""
    if op in (INEQUALITIES | {Operator.BETWEEN}) and target.type in TEXTS:
        raise ReadingError(
            f"{target.title} holds texts, which are not more or less than others.",
            "Ask which it is, or what it contains.",
        )
    if op in EQUALS and values and target.type is FieldType.DATE:
        return _any_of(op, values, target)
    if op in EQUALS and values and target.type is FieldType.TEXT:
        known = all(canonical_value(each, target) in target.texts for each in values)
        if not known and (len(values) > 1 or op is not Operator.EQUAL):
            return _any_of(op, values, target)
    return compiled(op, values, target)


def _any_of(op: Operator, values: Sequence[str], target: ValueTarget) -> Formula:
    """That it is one of several, each compared by itself; or that it is stated, and none of them."""
    made = any_of(compiled(Operator.EQUAL, (each,), target) for each in values)
    if op is not Operator.NOT_EQUAL:
        return made
    other = negated(made, is_other=True)
    is_stated = Condition(field=target.key, op=Operator.IS, value="present")
    return Both((other, is_stated)) if _excludes(other) else other


def _excludes(formula: Formula) -> bool:
    if isinstance(formula, (Both, Either)):
        return any(map(_excludes, formula.parts))
    return isinstance(formula, Except)


def require_part(part: str, kind: FieldType, title: str, words: str = "") -> None:
    """Raise ReadingError where values of a type have no such part."""
    has_part = kind is FieldType.DATE if part in _OF_DAYS else kind in (FieldType.MONEY, FieldType.NUMBER)
    if part and not has_part:
        raise ReadingError(
            f"{title} has no {part}.", f"Ask for {title} itself, or for another field.", words=words
        )


def of_units(entry: FieldEntry | ColumnEntry, read: ReadCondition) -> Condition:
    """That amounts are stated in one of some currencies or units, or in none of them. Raises ReadingError."""
    units = tuple(dict.fromkeys(each.upper() for each in read.values))
    if entry.units and not {each.upper() for each in entry.units}.intersection(units):
        raise ReadingError(
            f"{title_of(entry)} holds {', '.join(entry.units)} and no {' or '.join(units)}.",
            "Ask for one of these.",
            words=read.words,
        )
    name = f"{key_of(entry)}.unit"
    if read.op is not Operator.NOT_EQUAL:
        return one_of(name, units)
    return Condition(field=name, op=read.op, value=units if len(units) > 1 else units[0])


def ordered(order: ReadOrder | None, by: str) -> dict[str, object]:
    """Parts of a node whose documents or rows are ordered and cut. by: the field, "" for none."""
    if order is None:
        return {}
    descending = bool(by) and order.descending
    return {"order_by": by, "descending": descending, "limit": order.limit or None, "skip": order.skip}


def ordered_groups(order: ReadOrder | None) -> dict[str, object]:
    """The same of groups, which are ordered by what they come to."""
    if order is None:
        return {}
    return {"top": order.limit or MANY_GROUPS, "descending": order.descending, "skip": order.skip}


def different_groups(groups: Iterable[str], noun: str) -> tuple[str, ...]:
    """What is grouped by, each once. Raises ReadingError where it is too many."""
    found = tuple(dict.fromkeys(groups))
    if len(found) > _MOST_GROUPS:
        raise ReadingError(
            f"It groups by {len(found)} {noun}, and {_MOST_GROUPS} are possible.", "Group by fewer."
        )
    return found


def on_groups(
    having: ReadCondition | None, function: Calculation, field: str, kind: FieldType, groups: Sequence[str]
) -> Condition | None:
    """The condition on what each group comes to; None where there is none. Raises ReadingError."""
    if having is None or not having.values:
        return None
    wanted = 2 if having.op is Operator.BETWEEN else 1
    op = OPPOSITE.get(having.op) if having.negated else having.op
    if op not in OF_GROUPS or len(having.values) != wanted:
        raise ReadingError(
            "What groups come to is compared with one number, or with two that it lies between.",
            "Say more than, at least, less than, at most or between.",
            words=having.words,
        )
    of = FieldType.NUMBER if function in _COUNTED else kind
    for text in having.values:
        if read_value(text, FieldType.NUMBER) is None and read_value(text, of) is None:
            raise ReadingError(
                f"{text!r} is no number that groups compare with.", "Write a number.", words=text
            )
    if not groups:
        raise ReadingError(
            "There is a condition on groups, and nothing to group by.",
            "Say for each of what.",
            words=having.words,
        )
    value = having.values if wanted == 2 else having.values[0]
    return Condition(field=field or "rows", op=op, value=value)


def group_order(step: Step, groups: Sequence[str], measure: str) -> tuple[ReadOrder | None, ReadField | None]:
    """The order of groups, and the field that they are ordered by where it is not what is computed.

    Groups stand in the order of their names by themselves. Raises ReadingError.
    """
    order = step.order
    if order is None or order.field is None:
        return order, None
    name = " ".join(order.field.name.split()).casefold()
    if name in {each.partition(".")[0] for each in groups} | set(groups):
        if order.limit or order.skip:
            raise ReadingError(
                "Groups are ordered by what they come to, not by their names.",
                "Say by which figure, or ask for all.",
                words=order.words,
            )
        return None, None
    return order, None if name == measure else order.field


def ordering_figure(function: Calculation, kind: FieldType, title: str, step: Step) -> Calculation:
    """What groups are ordered by where a field is named beside: its sum, or its last or first day."""
    if function not in _COUNTED:
        raise ReadingError(
            f"Groups are ordered by what they come to, not by {title}.",
            "Ask for one figure of each group.",
            words=step.order.words if step.order is not None else "",
        )
    if kind in AMOUNTS:
        return Calculation.SUM
    if kind is FieldType.DATE:
        is_last = step.order is None or step.order.descending
        return Calculation.MAX if is_last else Calculation.MIN
    raise ReadingError(f"{title} has no order.", "Order by amounts, numbers or dates.")
