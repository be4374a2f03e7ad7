"""Columns as questions call them: names in plain words, and what the values of each are good for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache

from core.domain.fields import AMOUNTS, FieldType
from core.plan.catalogue import ColumnEntry, TableEntry
from core.plan.language.pieces import singular, stem
from core.text.words import word_lines, word_list
from core.values.dates import month_number

YES = frozenset(["yes", "y", "true", "x", "\u2713", "\u2714", "1", "ja", "oui", "si"])
NO = frozenset(["no", "n", "false", "-", "0", "nein", "non"])
_BRACKET = re.compile(r"[(\[][^)\]]*[)\]]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
_WORD = re.compile(r"[^\W_]+|[#%]")
_PLACES = frozenset(["rank", "place", "position", "ranking", "standing", "#"])
_OF_MEMBERS = frozenset(["member", "mbr", "customer", "item", "employee", "student"])  # numbered, not ranked
_NO_UNIT = ("", "yr", "year", "yyyy")  # "Born (yr)" is in years, and no length of time
_FEW_ROWS = 5
_YEARS = (Decimal(1000), Decimal(2200))
_QUARTER = re.compile(
    r"(?:q[1-4]|h[12]|(?:fy)?\s?(?:19|20)\d\d)(?:[\s/-]?(?:q[1-4]|h[12]|(?:19|20)\d\d))?", re.I
)
_ID_TEXT = re.compile(r"[A-Za-z]{0,6}[-_/ ]?\d[\w/-]*")


class ColumnKind(StrEnum):
    """Kind of a column: what is done with it."""

    MEASURE = "measure"  # it is added up, compared, ranked
    YEAR = "year"
    PLACE = "place"  # a rank
    DAY = "day"
    PERIOD = "period"  # texts that say months, quarters, years
    FLAG = "flag"  # yes or no
    IDENTITY = "identity"  # it numbers or codes rows, or what they refer to
    NAME = "name"  # another text in each row: what rows are about
    CATEGORY = "category"  # texts that come again


@dataclass(frozen=True, slots=True, eq=False)
class ColumnWords:
    """A column with its words. stems: of its plain name; aliases: words that stand for it, with their weight.

    unit: the unit that its name or its values say, in small letters; place: in its table.
    """

    entry: ColumnEntry
    table: TableEntry
    place: int
    kind: ColumnKind
    words: tuple[str, ...]
    stems: tuple[str, ...]
    unit: str

    def __repr__(self) -> str:
        return f"ColumnWords({self.entry.name!r})"

    @property
    def key(self) -> str:
        """By what conditions know it."""
        return self.entry.key

    @property
    def name(self) -> str:
        """Name in plain words."""
        return " ".join(self.words) or self.entry.name

    @property
    def is_number(self) -> bool:
        """True where its values are compared as numbers."""
        return self.entry.type in AMOUNTS

    @property
    def is_text(self) -> bool:
        """True where its values are compared as words."""
        return self.entry.type not in AMOUNTS and self.entry.type is not FieldType.DATE


def columns_of(table: TableEntry) -> tuple[ColumnWords, ...]:
    """The columns of a table with their words."""
    found = []
    games = _of_games(table)
    for place, entry in enumerate(table.columns):
        words = plain_words(entry.name)
        if games and len(words) == 1:
            words = games.get(words[0], words)
        found.append(
            ColumnWords(
                entry,
                table,
                place,
                _kind(entry, words, table.rows)
                if place or not _numbers_rows(entry, words, table.rows)
                else ColumnKind.IDENTITY,
                words,
                tuple(stem(word) for word in words),
                _unit(entry),
            )
        )
    return tuple(found)


def _of_games(table: TableEntry) -> dict[str, tuple[str, ...]]:
    """What single letters stand for in a table of games; {} for any other table."""
    known = {line[0]: line[1:] for line in word_lines("tables", "games")}
    names = [plain_words(entry.name) for entry in table.columns]
    letters = {words[0] for words in names if len(words) == 1 and words[0] in known}
    is_of_games = len(letters) > 1 and any(
        {"points", "point", "played", "game"} & set(words) for words in names
    )
    return known if is_of_games or len(letters) > 2 else {}


@lru_cache(maxsize=8_192)
def plain_words(name: str) -> tuple[str, ...]:
    """The words of a header, in the singular: "custNo." is "customer number", "Price (EUR)" is "price"."""
    bare = _BRACKET.sub(" ", name)
    bare = bare if _WORD.search(bare) else name
    symbol = _symbols().get(bare.strip().casefold())
    if symbol is not None:
        return symbol
    whole = _CAMEL.sub(" ", bare.replace("'", "").replace("\u2019", ""))
    parts = [word.casefold() for word in _WORD.findall(whole)]
    found: list[str] = []
    for part in parts:
        found += _abbreviations().get(part, (singular(part),))
    codes = {"usd", "eur", "gbp", "chf", "jpy", "\u20ac", "$"}
    kept = [word for word in found if word not in codes]
    return tuple(dict.fromkeys(kept or found))


@lru_cache(maxsize=1)
def _abbreviations() -> dict[str, tuple[str, ...]]:
    return {line[0]: line[1:] for line in word_lines("tables", "abbreviations")}


def is_short_of_other(part: str, word: str) -> bool:
    """True of a short form of which it is known what it stands for, and that is not the word."""
    known = _abbreviations().get(part)
    return known is not None and word not in known


@lru_cache(maxsize=1)
def _symbols() -> dict[str, tuple[str, ...]]:
    return {line[0]: line[1:] for line in word_lines("tables", "symbols")}


def _unit(entry: ColumnEntry) -> str:
    if entry.unit:
        return entry.unit.casefold()
    bare = entry.name.casefold().strip(" .")
    if len(bare) > 1 and bare in {line[0] for line in word_lines("tables", "units")}:
        return bare
    match = _BRACKET.search(entry.name)
    return match[0].strip("()[] ").casefold() if match else ""


def _kind(entry: ColumnEntry, words: tuple[str, ...], rows: int) -> ColumnKind:
    texts = {text.casefold().strip() for text in entry.texts}
    if entry.type is FieldType.BOOLEAN or (texts and entry.is_whole and texts <= YES | NO):
        return ColumnKind.FLAG
    if entry.type is FieldType.DATE:
        return ColumnKind.DAY
    if entry.type in AMOUNTS:
        return _kind_of_number(entry, words, rows)
    if texts and all(_is_period(text) for text in texts):
        return ColumnKind.PERIOD
    if words and words[-1] in word_list("tables", "identifiers") and _looks_coded(entry):
        return ColumnKind.IDENTITY
    if len(entry.texts) >= max(2, 0.9 * rows) and _looks_coded(entry):
        return ColumnKind.IDENTITY
    is_unique = entry.is_whole and len(entry.texts) >= max(2, 0.9 * rows)
    return ColumnKind.NAME if is_unique else ColumnKind.CATEGORY


def _kind_of_number(entry: ColumnEntry, words: tuple[str, ...], rows: int) -> ColumnKind:
    low, high = entry.low, entry.high
    if set(words) & _OF_MEMBERS and len(entry.numbers) >= max(2, 0.9 * rows):
        return ColumnKind.IDENTITY
    is_whole = low is not None and high is not None and low == int(low) and high == int(high)
    if low is not None and high is not None and is_whole and entry.unit.casefold() in _NO_UNIT:
        is_in_range = _YEARS[0] <= low and high <= _YEARS[1]
        if is_in_range and ("year" in words or "season" in words or (low >= 1800 and not _is_amount(words))):
            return ColumnKind.YEAR
        if set(words) & _PLACES and low in (0, 1):
            return ColumnKind.PLACE
        if words == ("number",) and low in (0, 1):
            return ColumnKind.PLACE
        if (
            not _is_amount(words)
            and low in (0, 1)
            and high - low == rows - 1 == len(entry.numbers) - 1
            and rows > 3
        ):
            return ColumnKind.PLACE  # it counts the rows
    if (
        entry.type is FieldType.NUMBER
        and words
        and words[-1] in ("id", "number", "code", "postcode", "phone")
    ):
        return ColumnKind.IDENTITY if "of" not in words else ColumnKind.MEASURE
    return ColumnKind.MEASURE


def _numbers_rows(entry: ColumnEntry, words: tuple[str, ...], rows: int) -> bool:
    """True of a first column of whole numbers that go on from one to the next: 701 to 733 of 31 dockets."""
    low, high = entry.low, entry.high
    if entry.type is not FieldType.NUMBER or entry.unit or low is None or high is None or rows < _FEW_ROWS:
        return False
    is_whole = all(text.isdigit() for text in entry.numbers)
    is_other = low <= 1 or _is_amount(words) or "year" in words or (low >= _YEARS[0] and high <= _YEARS[1])
    return is_whole and not is_other and len(entry.numbers) >= 0.95 * rows and high - low < 2 * rows


def _is_amount(words: tuple[str, ...]) -> bool:
    return bool(set(words) & word_list("tables", "money"))


def _looks_coded(entry: ColumnEntry) -> bool:
    sample = entry.texts[:50]
    return bool(sample) and sum(bool(_ID_TEXT.fullmatch(text)) for text in sample) >= 0.8 * len(sample)


def _is_period(text: str) -> bool:
    if month_number(text):
        return True
    words = text.split()
    if len(words) == 2 and month_number(words[0]) and words[1].strip("'").isdigit():
        return True
    return bool(_QUARTER.fullmatch(text)) or bool(re.fullmatch(r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])", text))
