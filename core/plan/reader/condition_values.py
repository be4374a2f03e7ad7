"""Values in the words of a span: the field is the network's, what is compared with it is read exactly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from core.domain.fields import AMOUNTS, FieldType
from core.domain.predicate import INEQUALITIES, Operator
from core.plan.catalogue import Catalogue, ColumnEntry, FieldEntry, affirmed
from core.text.analyse import STOP_WORDS, analyse
from core.text.words import word_list
from core.values.calendar_periods import Period
from core.values.comparisons import amounts_in, comparison_in
from core.values.periods import FoundPeriod, find_periods
from core.values.places import POSTAL, canonical_place

_WORD = re.compile(r"\w+(?:[-.'’/&,]\w+)*")
_OR = re.compile(r"[\s,]{0,4}(?:,|or|and|/|nor)[\s,]{0,4}(?:in|of|under|by|from)?\s{0,4}", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“”„«]([^\"“”„«»]{1,200})[\"“”»]")
_EDGES = (
    STOP_WORDS
    | word_list("reading", "verbs", "having")
    | word_list("checks", "negative")
    | word_list("reader", "leading", "trailing")
    | {"one", "ones"}
)
_OVER, RUNNING = word_list("reader", "over"), word_list("reader", "running")
_MOST_PLACE_WORDS = 4
_MOST_TEXTS = 200
_COMPARED = {
    each.value: each for each in (*INEQUALITIES, Operator.EQUAL, Operator.BETWEEN, Operator.CONTAINS)
}
_ABOVE = (Operator.GREATER, Operator.GREATER_EQUAL)


@dataclass(frozen=True, slots=True)
class ConditionValue:
    """A comparison with its canonical values, () where presence itself is what is compared."""

    op: Operator
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConditionTarget:
    """A field or column that a value is compared with. words: terms by which it is called; texts: its own.

    is_field: it is a field of documents, and no column.
    """

    type: FieldType
    unit: str
    texts: tuple[str, ...]
    words: frozenset[str]
    is_field: bool = True

    @property
    def is_of_places(self) -> bool:
        """True where its values are places, as far as any is known."""
        return self.type is FieldType.TEXT and any(map(canonical_place, self.texts))


def target_of(entry: FieldEntry | ColumnEntry, catalogue: Catalogue) -> ConditionTarget:
    """What a field or column is for values that are compared with it."""
    unit = entry.unit or (entry.units[0] if entry.units else "")
    name = entry.name.replace("_", " ")
    if isinstance(entry, ColumnEntry):
        return ConditionTarget(entry.type, unit, entry.texts[:_MOST_TEXTS], _terms((name,)), is_field=False)
    own = (v.text for v in catalogue.values if v.field == entry.name and v.schema == entry.schema)
    texts = tuple(dict.fromkeys((*entry.options, *own)))[:_MOST_TEXTS]
    plain = (each for each in entry.synonyms if " " not in each)  # "cash or card" are values
    called = (name, entry.title, *plain, *entry.verbs, *entry.loose_verbs)
    return ConditionTarget(entry.type, unit, texts, _terms(called))


def values_of(
    text: str, comparison: str, target: ConditionTarget, catalogue: Catalogue, today: date
) -> tuple[ConditionValue, ...]:
    """The comparisons in the words of a span, of which one has to hold; () where no value is read.

    comparison: what the network says of it, "" where it says nothing; then its words say it.
    """
    op = _COMPARED.get(comparison)
    if target.type is FieldType.DATE:
        return _dated(text, op, today)
    if target.type in AMOUNTS:
        said = comparison_in(text)
        is_turned = op in INEQUALITIES and said in INEQUALITIES and (op in _ABOVE) is not (said in _ABOVE)
        return _amounts(text, said if op is None or is_turned else op, target)
    if target.type is FieldType.BOOLEAN:
        return (ConditionValue(Operator.IS, ()),)
    return _texts(text, op, target, catalogue)


def content_words(text: str) -> tuple[tuple[int, int], ...]:
    """The words of a text, as places in it."""
    return tuple(match.span() for match in _WORD.finditer(text))


def _dated(text: str, op: Operator | None, today: date) -> tuple[ConditionValue, ...]:
    found = find_periods(text, today, is_dated=True)
    if not found:
        return _of_today(text, op, today)
    dated = next((each.base.first for each in reversed(found) if not each.period.is_relative), None)
    if dated is not None and any(each.period.is_relative for each in found):
        found = find_periods(text, dated, is_dated=True)  # "November or December 2024"
    if "within" in text.casefold().split():
        op = None  # both ends are said: "within 90 days after 1 October"
    if len(found) == 2 and _overlaps(found[1].base, found[0].base):
        found = found[1:]  # "FY2024 (July 1, 2023 through June 30, 2024)"
    if len(found) > 1 and op is Operator.BETWEEN and not _is_either(text, found):
        ends = Period(found[0].base.first, found[-1].base.last)
        return (_of_period(FoundPeriod(0, 0, ends, ends), op),)
    if op in INEQUALITIES or not _is_either(text, found):
        found = found[:1]
    return tuple(_of_period(each, op) for each in found)


def _overlaps(one: Period, other: Period) -> bool:
    """True where two bounded periods have days in common."""
    if not (one.first and one.last and other.first and other.last):
        return False
    return one.first <= other.last and other.first <= one.last


def _is_either(text: str, found: Sequence[FoundPeriod]) -> bool:
    """True where dates are listed, and are no two ends: "2019, 2020 or 2021"."""
    gaps = [text[one.end : other.start] for one, other in pairwise(found)]
    return bool(gaps) and all(map(_OR.fullmatch, gaps)) and (len(gaps) > 1 or "and" not in gaps[0].lower())


def _of_today(text: str, op: Operator | None, today: date) -> tuple[ConditionValue, ...]:
    """ "Overdue", "still valid": before today, or from today on."""
    said = {word.casefold() for word in text.split()}
    if not said & (_OVER | RUNNING):
        return ()
    if op not in INEQUALITIES:
        op = Operator.LESS if said & _OVER and "not" not in said else Operator.GREATER_EQUAL
    return (ConditionValue(op, (today.isoformat(),)),)


def _of_period(found: FoundPeriod, op: Operator | None) -> ConditionValue:
    """A period as a comparison: its own words bound it, unless the network says the other side."""
    period, base = found.period, found.base
    if op in INEQUALITIES:
        is_open = period.first is None or period.last is None
        is_behind = op in _ABOVE
        if not is_open or (period.last is None) is not is_behind:
            edge = base.last if op in (Operator.GREATER, Operator.LESS_EQUAL) else base.first
            edge = edge or base.first or base.last
            return ConditionValue(op, (edge.isoformat() if edge else "",))
    if period.first is None:
        last = period.last or base.last
        if op is Operator.LESS or (base.first is not None and last is not None and last < base.first):
            return ConditionValue(Operator.LESS, (_after(last),))
        return ConditionValue(Operator.LESS_EQUAL, (last.isoformat() if last else "",))
    if period.last is None:
        if base.last is not None and period.first > base.last:
            return ConditionValue(Operator.GREATER, (base.last.isoformat(),))
        return ConditionValue(Operator.GREATER_EQUAL, (period.first.isoformat(),))
    if period.first == period.last:
        return ConditionValue(Operator.EQUAL, (period.first.isoformat(),))
    return ConditionValue(Operator.BETWEEN, (period.first.isoformat(), period.last.isoformat()))


def _after(day: date | None) -> str:
    return (day + timedelta(days=1)).isoformat() if day is not None else ""


def _amounts(text: str, op: Operator | None, target: ConditionTarget) -> tuple[ConditionValue, ...]:
    found = amounts_in(text, target.type, target.unit)
    if not found:
        return ()
    if op is Operator.BETWEEN or (op is None and len(found) == 2 and " or " not in f" {text.casefold()} "):
        if len(found) >= 2:
            return (ConditionValue(Operator.BETWEEN, tuple(found[:2])),)
        op = comparison_in(text)
    if op in (None, Operator.EQUAL, Operator.CONTAINS, Operator.BETWEEN):
        unique = tuple(dict.fromkeys(found))
        return (ConditionValue(Operator.IN if len(unique) > 1 else Operator.EQUAL, unique),)
    return (ConditionValue(op, (found[0],)),)


def _texts(
    text: str, op: Operator | None, target: ConditionTarget, catalogue: Catalogue
) -> tuple[ConditionValue, ...]:
    quoted = [match[1].strip() for match in _QUOTED.finditer(text)]
    found = quoted or _known(text, target.texts)
    if target.type is FieldType.PARTY and not quoted:
        found = _known(text, [each.name for each in catalogue.parties]) or _known(
            text, [each.normal for each in catalogue.parties]
        )
    if target.is_of_places and not quoted:
        found = _places(text) or found
    if not found:
        rest = _rest(text, target)
        found = [affirmed(target.texts)] if not rest and target.texts else [rest]
    values = tuple(dict.fromkeys(filter(None, found)))
    if not values:
        return ()
    if op in (*INEQUALITIES, Operator.CONTAINS):
        return (ConditionValue(op, values[:1]),)
    return (ConditionValue(Operator.IN if len(values) > 1 else Operator.EQUAL, values),)


def _known(text: str, texts: Iterable[str]) -> list[str]:
    """The known texts that stand in a text, whatever the endings of their words, the longest first."""
    words = [_term(text[start:end]) for start, end in content_words(text)]
    keys = {each: tuple(_term(w) for w in _WORD.findall(each.replace("_", " "))) for each in texts}
    found: list[tuple[int, str]] = []
    taken: set[int] = set()
    for known, key in sorted(keys.items(), key=lambda item: -len(item[1])):
        if not key or all(word in STOP_WORDS for word in key):
            continue
        for at in range(len(words) - len(key) + 1):
            places = set(range(at, at + len(key)))
            if tuple(words[at : at + len(key)]) == key and not places & taken:
                taken |= places
                found.append((at, known))
                break
    return [known for _, known in sorted(found)]


def _places(text: str) -> list[str]:
    """The places in a text, canonical."""
    words = content_words(text)
    found: list[str] = []
    at = 0
    while at < len(words):
        for size in range(min(_MOST_PLACE_WORDS, len(words) - at), 0, -1):
            said = text[words[at][0] : words[at + size - 1][1]]
            place = canonical_place(said) or POSTAL.get(said, "")
            if place:
                found.append(place)
                at += size
                break
        else:
            at += 1
    return found


def _rest(text: str, target: ConditionTarget) -> str:
    """The words of a span that name a value: without those of the field, and those that say nothing.

    Where all of them are the field's, as "gloves" of protective equipment, they are the value. Words in small
    letters before a name or a code are not: "rated IP54".
    """
    words = content_words(text)
    said = [text[start:end] for start, end in words]
    says_nothing = [each.casefold() in _EDGES for each in said]
    is_of_field = [idle or _term(each) in target.words for idle, each in zip(says_nothing, said, strict=True)]
    first, last = _trimmed(is_of_field)
    if first == last and target.type is not FieldType.BOOLEAN:
        first, last = _trimmed(says_nothing) if target.is_field else (0, 0)
    if first == last:
        return ""
    telling = [at for at in range(first, last) if said[at][:1].isupper() or any(map(str.isdigit, said[at]))]
    first = telling[0] if telling else first
    return text[words[first][0] : words[last - 1][1]].removesuffix("'s").removesuffix("’s")


def _trimmed(idle: Sequence[bool]) -> tuple[int, int]:
    """The first word that is not idle, and the one behind the last; two equal numbers where all are."""
    first, last = 0, len(idle)
    while first < last and idle[first]:
        first += 1
    while first < last and idle[last - 1]:
        last -= 1
    return first, last


def _terms(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(_term(word) for text in texts for word in _WORD.findall(text)) - STOP_WORDS


def _term(word: str) -> str:
    """The analysed form of a word, by which others with the same stem are equal to it."""
    return (analyse(word) or [word.casefold()])[0]
