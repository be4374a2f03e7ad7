"""Values of a reading as conditions have them: canonical, and as the collection writes them."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from core.domain.fields import TEXTS, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue, ColumnEntry, FieldEntry
from core.plan.compile.context import ReadingError
from core.plan.compile.formula import one_of
from core.plan.ir.nodes import Condition
from core.text.analyse import text_terms
from core.values.canonical import read_value
from core.values.names import normal_name
from core.values.numbers import parse_number
from core.values.places import canonical_place

MOST_NAMED = 50
"""Cells or columns that a condition or a search of rows names, at most."""

_PERIOD = re.compile(r"(\d{4})(?:-(?:(\d{2})|[Qq]([1-4])))?")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


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
        if is_part and (not self.is_whole or any(folded in each.casefold() for each in self.texts)):
            return self.condition(Operator.CONTAINS, said)
        found = tuple(each for each in self.texts if " ".join(each.casefold().split()) == folded)
        if not found and self.is_whole and (words := text_terms(said)):
            found = tuple(each for each in self.texts if words <= text_terms(each))
            found = found if len(found) <= MOST_NAMED else ()
        return one_of(self.key, found) if found else self.condition(Operator.CONTAINS, said)

    def require_in_a_cell(self, said: str, words: str) -> None:
        """Raise ReadingError for words that no cell of the column has: they may mean anything."""
        if not any(said.casefold() in text.casefold() for text in self.texts):
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
