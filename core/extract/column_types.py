"""Types of columns of tables: by what their cells say, and what their names say of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from core.domain.fields import MONEY_SCALE, FieldType, Special, TypedValue
from core.fields.typed import currency_in, inferred, text_value
from core.text.marks import without_cell_note
from core.text.patterns import any_case
from core.text.table_shape import is_empty
from core.text.words import word_list
from core.values.dates import Order, date_order, find_dates
from core.values.money import CODES, currency_of, parse_money
from core.values.numbers import parse_number
from core.values.units import canonical_unit

SAMPLE = 500
"""Cells of a column that tell its type."""

_MIN_SHARE = 0.8
_MONEY_NAME = any_case(
    r"amount|price|total|cost|fee|value|sum|paid|net|gross|tax|vat|charge|rate|balance|revenue|salary|budget"
    r"|spend|sales|income|profit|expense|turnover|payment|wage|betrag|preis|umsatz|kosten"
)
_MEASURE = any_case(r"\b(?:per|of|count|quantity|qty)\b")
_BRACKET = re.compile(r"[(\[]\s*(?P<unit>[^)\]]{1,15})\s*[)\]]")
_UNIT = r"[A-Za-z%\u00b0\u00b5\u03bc\u03a9][A-Za-z0-9/\u00b2\u00b3^]{0,9}"
_WRITTEN_UNIT = re.compile(rf"[\d.,)]\s?(?P<unit>{_UNIT})$")
_EUROPEAN = re.compile(r"[-(]?[^\d]{0,4}(?:\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d{1,2}|\d+,\d{4,})[^\d]{0,5}")
_ENGLISH = re.compile(r"[-(]?[^\d]{0,4}(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d{1,2}|\d+\.\d{4,})[^\d]{0,5}")
_TIME_OF_DAY = re.compile(r"[T ,]\s?\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\s?(?:[AaPp]\.?[Mm]\.?)?(?:Z| ?UTC)?")
_CODE = re.compile(r"\d{1,3}\s?([A-Za-z])")
_ZEROS = re.compile(r"0\d{2,}")  # no figure is written so
_WORD = re.compile(r"[^\W_]+|#")
_SWAPPED = str.maketrans(",.", ".,")


@dataclass(frozen=True, slots=True)
class ColumnType:
    """Type of a column's cells; None: each says its own.

    unit: a currency, or the unit that most are written in. order: of day and month. is_european: 1.234,50.
    has_shares: some of the percentages are written as shares of 1, without a sign: 0.25 is 25 %.
    """

    type: FieldType | None
    unit: str = ""
    order: Order = ""
    is_european: bool = False
    has_shares: bool = False


def column_type(name: str, cells: Sequence[str]) -> ColumnType:
    """The type of a column, by its name and its cells."""
    filled = [without_cell_note(cell) for cell in cells[:SAMPLE] if not is_empty(cell)]
    if not filled or names_things(name) or _are_codes(filled):
        return ColumnType(FieldType.TEXT)
    is_european = _is_european(filled)
    currency = currency_in(name)
    unit = "" if currency else unit_of_name(name)
    plain = [_english(cell, is_european) for cell in filled]
    if _most(parse_number(cell) is not None and not _WRITTEN_UNIT.search(cell.strip()) for cell in plain):
        kind = FieldType.MONEY if currency else FieldType.NUMBER
        return ColumnType(kind, currency or unit, is_european=is_european)
    order = date_order("\n".join(filled)).order
    if _most(_day(cell, order) is not None for cell in filled):
        return ColumnType(FieldType.DATE, order=order)
    values = [inferred(cell) for cell in plain]
    for kind in (FieldType.MONEY, FieldType.NUMBER, FieldType.DURATION, FieldType.TEXT):
        if not _most(value is not None and value.type is kind for value in values):
            continue
        written = _written_unit(plain) if kind is FieldType.NUMBER else ""
        unit = currency if kind is FieldType.MONEY else written or unit
        return ColumnType(kind, unit, "", is_european, written == "%" and _has_shares(plain))
    return ColumnType(None, is_european=is_european)


def _has_shares(cells: Sequence[str]) -> bool:
    """True where cells without a sign are at most 1, and those with one are percentages of more."""
    sizes: dict[bool, list[Decimal]] = {True: [], False: []}
    for cell in cells:
        if (value := parse_number(cell)) is not None:
            sizes["%" in cell].append(abs(value.decimal or Decimal(0)))
    return bool(sizes[False]) and max(sizes[False]) <= 1 < max(sizes[True], default=Decimal(0))


def _are_codes(cells: Sequence[str]) -> bool:
    """True of "5A", "6B": figures with one letter each, which differ as no unit does; and of 00071."""
    if any(_ZEROS.fullmatch(cell.strip()) for cell in cells):
        return True
    letters = {match[1].casefold() for cell in cells if (match := _CODE.fullmatch(cell.strip()))}
    return len(letters) > 1 and _most(bool(_CODE.fullmatch(cell.strip())) for cell in cells)


def typed_cell(text: str, column: ColumnType, currency: str = "") -> TypedValue | None:
    """A cell's value where it is of its column's type; what it says itself where it is not.

    currency: of the row, where a column beside it says so.
    """
    kind, noted = column.type, text
    text = text if kind is FieldType.TEXT else without_cell_note(text)
    if kind is FieldType.DATE:
        day = _day(text, column.order)
        if day is None and (first := _day(f"1 {text.strip()}", column.order)) is not None:
            day = replace(first, original=text.strip())  # "Apr 2019" among days is the first of the month
        if day is not None:
            return day
        if text.strip().casefold() in word_list("tables", "placeholders"):
            return TypedValue(FieldType.DATE, "", original=text.strip(), special=Special.BLANK)
    if kind is FieldType.TEXT:
        return text_value(text)
    plain = _english(text, column.is_european)
    if kind is FieldType.MONEY or (kind is FieldType.NUMBER and currency):
        value = parse_money(plain, currency or column.unit) or _rounded(plain, currency or column.unit)
        if value is not None and value.unit:
            return replace(value, original=text.strip())
    if kind is FieldType.NUMBER and not currency:
        share = parse_number(plain) if column.has_shares and "%" not in plain else None
        if share is not None and share.decimal is not None:
            plain = f"{100 * share.decimal:f}"
        value = parse_number(plain, column.unit) or (parse_number(plain) if column.unit else None)
        if value is not None:
            return replace(value, original=text.strip())
    read = inferred(plain)
    return text_value(noted) if read is not None and read.type is FieldType.TEXT else read


def _rounded(text: str, currency: str) -> TypedValue | None:
    """Money of a number with more decimals than money is kept with, as formulas leave it."""
    number = parse_number(text) if currency else None
    if number is None or number.unit or number.decimal is None:
        return None
    return parse_money(f"{round(number.decimal, MONEY_SCALE):f}", currency)


def names_things(name: str) -> bool:
    """True where a column names what its rows are about: "Invoice no.", not "Item price"."""
    words = _WORD.findall(_BRACKET.sub("", name).casefold())
    if not words or words[-1] not in word_list("tables", "identifiers"):
        return False
    return not _MEASURE.search(name.replace("_", " ")) and not _MONEY_NAME.search(name)


def is_money_name(name: str) -> bool:
    """True where a column's name says that it holds money."""
    return bool(_MONEY_NAME.search(name))


def is_currency_column(name: str, cells: Sequence[str]) -> bool:
    """True where each cell of a column is a currency: "EUR", "$"."""
    filled = [cell.strip() for cell in cells[:SAMPLE] if not is_empty(cell)]
    if not filled or any(len(cell) > 4 for cell in filled):
        return False
    codes = [cell.upper() in CODES or bool(currency_of(cell)) for cell in filled]
    named = bool(set(_WORD.findall(name.casefold())) & word_list("tables", "currencies"))
    return all(codes) or (named and _most(codes))


def unit_of_name(name: str) -> str:
    """The unit that a column's name says: "Weight (kg)", "share_%"; "" where it says none."""
    if match := _BRACKET.search(name):
        unit = match["unit"].strip()
        return unit if _is_unit(unit) else ""
    return (
        "%" if "%" in name or re.search(r"\b(?:percent|pct)\b", name.replace("_", " "), re.IGNORECASE) else ""
    )


def _is_unit(unit: str) -> bool:
    return unit == "%" or (bool(re.fullmatch(_UNIT, unit)) and bool(canonical_unit(unit)))


def _most(said: Iterable[bool]) -> bool:
    verdicts = list(said)
    return bool(verdicts) and sum(verdicts) >= _MIN_SHARE * len(verdicts)


def _written_unit(cells: Sequence[str]) -> str:
    """The unit that most cells are written with; "" where they differ, and each is kept in a common one."""
    units = Counter(match["unit"] for cell in cells if (match := _WRITTEN_UNIT.search(cell.strip())))
    if not units:
        return ""
    unit, count = units.most_common(1)[0]
    return unit if count >= 0.6 * sum(units.values()) and _is_unit(unit) else ""


def _is_european(cells: Sequence[str]) -> bool:
    """True where a comma stands before the decimals: some cells can be read in no other way."""
    european = sum(bool(_EUROPEAN.fullmatch(cell)) and not _ENGLISH.fullmatch(cell) for cell in cells)
    english = sum(bool(_ENGLISH.fullmatch(cell)) and not _EUROPEAN.fullmatch(cell) for cell in cells)
    return european > 0 and english == 0


def _english(text: str, is_european: bool) -> str:
    return text.translate(_SWAPPED) if is_european else text


def _day(text: str, order: Order) -> TypedValue | None:
    """The day that a cell states, with or without a time of day."""
    bare = text.strip()
    dates = find_dates(bare, order)
    if len(dates) != 1 or dates[0][0] != 0:
        return None
    _, end, value = dates[0]
    rest = bare[end:]
    if rest and not _TIME_OF_DAY.fullmatch(rest):
        return None
    return None if value.special is Special.BLANK else replace(value, original=bare)
