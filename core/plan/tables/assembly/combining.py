"""Two columns in one computation: which columns a question computes together, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.fields import FieldType
from core.plan.tables.abbreviation import expansions
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.links import spoken_units
from core.plan.tables.measures import is_additive, quantity_of
from core.plan.tables.query import CombinedWith
from core.plan.tables.vocabulary import TableVocabulary
from core.text.words import word_list


@dataclass(frozen=True, slots=True)
class Combination:
    """A measure with what it is combined with."""

    measure: ColumnWords
    combined: CombinedWith


def days_between(words: TableVocabulary, named: Sequence[ColumnWords]) -> Combination | None:
    """Days from the earlier of two columns of days to the later one; None where it is not plain which two.

    One of them is named, or there are no others.
    """
    days = words.of_kind(ColumnKind.DAY)
    chosen = [column for column in named if any(column is day for day in days)]
    pair = list(dict.fromkeys(chosen))[:2]
    if len(pair) < 2 and len(days) == 2:
        pair = days
    if len(pair) < 2 and len(days) > 2 and pair:
        others = [day for day in days if day is not pair[0] and _begin(day) < _begin(pair[0])]
        pair += sorted(others, key=_begin)[:1]
    if len(pair) != 2:
        return None
    first, last = sorted(pair, key=_begin)
    return Combination(last, CombinedWith("less", first))


def _begin(column: ColumnWords) -> tuple[float, float]:
    low, high = column.entry.low, column.entry.high
    return (float(low), float(high)) if low is not None and high is not None else (0.0, 0.0)


def remainder(words: TableVocabulary, named: Sequence[ColumnWords]) -> Combination | None:
    """What a column says less a part of it: due less paid; None where no two are a whole and a part."""
    measures = words.of_kind(ColumnKind.MEASURE)
    parts = [c for c in measures if spoken_words(c) & word_list("tables", "parts_of")]
    wholes = [c for c in measures if c not in parts and spoken_words(c) & word_list("tables", "wholes")]
    for whole in _first_named(wholes, named):
        for part in _first_named(parts, named):
            if are_alike(whole, part):
                is_given = bool(
                    spoken_words(part) & word_list("tables", "parts_of") - {"cost", "actual", "out"}
                )
                return Combination(whole, CombinedWith("rest" if is_given else "less", part))
    return None


def both_together(named: Sequence[ColumnWords]) -> Combination | None:
    """Two columns of one kind added up in each row: "adults and children"; None where no two are."""
    numbers = list(dict.fromkeys(c for c in named if is_additive(c)))
    if len(numbers) != 2 or not are_alike(numbers[0], numbers[1]):
        return None
    return Combination(numbers[0], CombinedWith("plus", numbers[1]))


def spoken_words(column: ColumnWords) -> set[str]:
    """The words of a column, and those that short ones of money may stand for: "Dep." is a deposit."""
    is_money = column.entry.type is FieldType.MONEY
    written = [each.split() for each in expansions(column.entry.name)] if is_money else []
    return {*column.words, *(word.casefold() for words in written for word in words)}


def _first_named(columns: Sequence[ColumnWords], named: Sequence[ColumnWords]) -> list[ColumnWords]:
    return sorted(columns, key=lambda column: (not any(column is each for each in named), column.place))


def are_alike(one: ColumnWords, other: ColumnWords) -> bool:
    """True where the values of two columns may be compared: money with money, and the same unit."""
    money = FieldType.MONEY
    is_money = {one.entry.type is money, other.entry.type is money}
    return one is not other and len(is_money) == 1 and one.unit == other.unit


def compared(columns: Sequence[ColumnWords], named: Sequence[ColumnWords]) -> Combination | None:
    """Two columns of one unit of which a row may say more in one than in the other: a load and its limit.

    Two that are named; else one that is named, or any, with the only other that shares a word of its name.
    """
    measures = [column for column in columns if column.kind is ColumnKind.MEASURE]
    pool = [column for column in named if any(column is each for each in measures)]
    if len(pool) >= 2 and are_alike(pool[0], pool[1]):
        return Combination(pool[0], CombinedWith("less", pool[1]))
    pairs = [
        (one, other)
        for one in measures
        for other in measures
        if are_alike(one, other) and set(one.words) & set(other.words) and len(one.words) <= len(other.words)
        if not pool or pool[0] in (one, other)
    ]
    if len(pairs) != 1:
        return None
    return Combination(pairs[0][0], CombinedWith("less", pairs[0][1]))


def product(columns: Sequence[ColumnWords], rate: ColumnWords, said: Sequence[str]) -> Combination | None:
    """A rate times what it is a rate of: kilos of malt out of kg/hl and hl; None where nothing is."""
    above, slash, below = rate.unit.partition("/")
    if not slash or not set(said) & spoken_units(above):
        return None
    of = [c for c in columns if c.kind is ColumnKind.MEASURE and c.unit == below and c is not rate]
    return Combination(rate, CombinedWith("times", of[0])) if len(of) == 1 else None


def takings(words: TableVocabulary) -> Combination | None:
    """Price times pieces of a table that has no total of its own; None for any other table."""
    money = [c for c in words.of_kind(ColumnKind.MEASURE) if c.entry.type is FieldType.MONEY]
    if len(money) != 1 or is_additive(money[0]):
        return None
    return worth(words, money[0])


def worth(words: TableVocabulary, price: ColumnWords) -> Combination | None:
    """The price of a piece times the number of pieces, where a row has both and no total."""
    pieces = _priced(words, price) or quantity_of(words)
    is_price = price.entry.type is FieldType.MONEY or set(price.words) & {"price", "cost", "rate"}
    if pieces is None or not is_price or is_additive(price):
        return None
    return Combination(price, CombinedWith("times", pieces))


def _priced(words: TableVocabulary, price: ColumnWords) -> ColumnWords | None:
    """The column of what a price is paid for: kilos for a price of a kilo; None where none is plainly so."""
    below = (price.unit or price.entry.name.casefold()).rpartition("/")[2].strip()
    named = price.entry.name.casefold().rpartition("/")[2].strip()
    measures = [c for c in words.of_kind(ColumnKind.MEASURE) if c is not price and is_additive(c)]
    for unit in (below, named):
        same = [c for c in measures if unit and unit in (c.unit, c.entry.name.casefold().strip())]
        plain = [c for c in same if c.entry.name.casefold().strip() == unit]
        if len(plain or same) == 1:
            return (plain or same)[0]
    return None


def worths() -> frozenset[str]:
    """Words that ask what prices times pieces come to."""
    return word_list("tables", "worths") | {"value", "revenue", "turnover", "money"}
