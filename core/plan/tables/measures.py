"""Columns that a question computes with or asks for where it does not name them outright."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.fields import FieldType
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.mentions import ColumnMention
from core.plan.tables.vocabulary import TableVocabulary
from core.text.words import word_lines, word_list

_WORD = re.compile(r"[^\W_]+")
_CURRENCY_SIGNS = frozenset(["$", "\u20ac", "\u00a3", "ct", "p", "cent"])
_TIMES = frozenset(["d", "day", "week", "wk", "month", "mo", "yr", "year", "hour", "hr"])


def default_measure(words: TableVocabulary) -> ColumnWords | None:
    """The column that is added up where none is named; None where there is none, or several that may be."""
    measures = words.of_kind(ColumnKind.MEASURE)
    if len(measures) == 1:
        return measures[0]
    money = [column for column in measures if column.entry.type is FieldType.MONEY]
    if len(money) == 1:
        return money[0]
    if any("currency" in column.words for column in words.columns):
        paid = [c for c in measures if set(c.words) & word_list("tables", "money") or "bill" in c.words]
        if len(paid) == 1:
            return paid[0]
    pool = money or measures
    for wanted in ("total", "amount", "sum", "value", "revenue", "sale"):
        named = [column for column in pool if wanted in column.words]
        if len(named) == 1:
            return named[0]
    return None


def is_additive(column: ColumnWords) -> bool:
    """True where the values of several rows make a sum that says something: no price, no rate, no age."""
    if column.kind is not ColumnKind.MEASURE or column.entry.unit == "%" or "/" in column.entry.unit:
        return False
    if is_rate_name(column.entry.name):
        return False
    is_of_each = len(column.words) > 1 and column.words[0] in ("unit", "each", "single")
    return not is_of_each and not set(column.words) & word_list("tables", "rates")


def is_rate_name(header: str) -> bool:
    """True of a header that says so much for each of something: "\u20ac/kg", "Mites/d"."""
    above, slash, below = header.casefold().partition("/")
    if not slash:
        return False
    left, right = above.split()[-1:], _WORD.findall(below)[:1]
    units = {*(line[0] for line in word_lines("tables", "units")), *_CURRENCY_SIGNS, *_TIMES}
    return bool(set(left) & units or set(right) & units) and not {"am", "pm"} & {*left, *right}


def of_class(words: TableVocabulary, ask: str) -> ColumnWords | None:
    """The column that "who", "when" or "where" asks for."""
    if ask == "when":
        dated = (
            *words.of_kind(ColumnKind.DAY),
            *words.of_kind(ColumnKind.YEAR),
            *words.of_kind(ColumnKind.PERIOD),
        )
        return next(iter(dated), None)
    wanted = word_list("tables", "named_persons" if ask == "who" else "named_places")
    texts = [column for column in words.columns if column.is_text and column.kind is not ColumnKind.FLAG]
    named = [column for column in texts if set(column.words) & wanted]
    named.sort(key=lambda column: column.kind is ColumnKind.IDENTITY)
    if named:
        return named[0]
    return words.subject if ask == "who" else None


def by_adjective(words: TableVocabulary, word: str) -> tuple[ColumnWords | None, bool]:
    """The column that an adjective in any form is of, and whether the most of it is wanted."""
    base = adjective_of(word)
    if base is None:
        return None, True
    columns: dict[int, tuple[float, ColumnWords]] = {}
    for place, noun in enumerate(base[2:]):
        for column, weight in words.called(noun):
            is_ordered = column.is_number or column.kind is ColumnKind.DAY
            value = weight - 0.02 * place
            if is_ordered and value > columns.get(id(column), (0.0, column))[0]:
                columns[id(column)] = (value, column)
    best = max(columns.values(), key=lambda pair: pair[0], default=None)
    found = best[1] if best is not None and best[0] >= 0.58 else None
    most = base[1] == "+"
    if found is not None and base[0] in ("old", "young"):
        is_dated = found.kind in (ColumnKind.DAY, ColumnKind.YEAR)
        most = (base[0] == "young") is is_dated  # the oldest was born first, and has most years
    return found, most


def adjective_of(word: str) -> tuple[str, ...] | None:
    """The line of the list that an adjective in any form stands in."""
    for line in word_lines("tables", "adjectives"):
        if word in forms_of(line[0]):
            return line
    return None


def forms_of(base: str) -> tuple[str, ...]:
    """An adjective with its comparative and its superlative."""
    root = base[:-1] if base.endswith("e") else base[:-1] + "i" if base.endswith("y") else base
    is_doubled = len(base) == 3 and base[-1] in "gtnm" and base[-2] in "aeiou"
    root = root + base[-1] if is_doubled else root
    return base, f"{root}er", f"{root}est"


def says_sum(words: Sequence[str]) -> bool:
    """True where words ask for a sum in passing: "altogether", "come to"."""
    text = f" {' '.join(words)} "
    return any(f" {each.replace('_', ' ')} " in text for each in word_list("tables", "sums"))


def numeric_of(mention: ColumnMention | None) -> ColumnWords | None:
    """The likeliest column of numbers that words may name."""
    if mention is None:
        return None
    return next((column for column, _ in mention.columns if column.is_number), None)


def text_of(mention: ColumnMention | None) -> ColumnWords | None:
    """The likeliest column of texts that words may name."""
    if mention is None:
        return None
    return next((column for column, _ in mention.columns if column.is_text), None)


def is_unique(column: ColumnWords) -> bool:
    """True where each row has another text."""
    return column.entry.is_whole and len(column.entry.texts) >= max(2, 0.95 * column.table.rows)


def given_name(words: TableVocabulary, name: ColumnWords) -> ColumnWords | None:
    """The column of given names beside one of family names; None where there is none."""
    if not {"surname", "last", "family"} & set(name.words):
        return None
    return next(
        (c for c in words.columns if c.is_text and {"first", "given", "forename"} & set(c.words)), None
    )


def quantity_of(words: TableVocabulary) -> ColumnWords | None:
    """The column that says how many of what a row is about; None where none or several do."""
    wanted = word_list("tables", "quantities")
    found = [c for c in words.of_kind(ColumnKind.MEASURE) if set(c.words) & wanted and is_additive(c)]
    return found[0] if len(found) == 1 else None
