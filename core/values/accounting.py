"""Exchange rates as people write them, checked, and the currency that they ask for."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches

from core.domain.annotation import Accounting, Rate
from core.errors import UsageError
from core.text.analyse import text_terms
from core.values.comparisons import currency_in
from core.values.money import CODES, CONVERTING, DOLLARS, currency_of

MOST_RATES = 50_000
_MOST_CHARS = 5_000_000
_LEAST, _GREATEST, _MOST_PLACES = Decimal("1e-9"), Decimal("1e9"), 18
_HEADS = ("currency", "rate", "source", "day")


def question_currency(question: str, accounting: Accounting) -> tuple[str, str]:
    """The question without words such as "converted to euros", and the currency; "" where it names no one."""
    words = question.split()
    near = [" ".join(words[max(at - 1, 0) : at + 2]) for at in range(len(words))]
    codes = {
        at: code
        for at, word in enumerate(words)
        if (code := currency_in(word.rstrip("?.,;!"))) and not any(map(str.isdigit, near[at]))
    }
    at = next(iter(codes), 0)
    into = codes[at] if len(codes) == 1 else ""
    if into in DOLLARS and accounting.base in DOLLARS and into.casefold() not in words[at].casefold():
        into = accounting.base  # "dollars" are those of the base, where that has them
    if into not in accounting.currencies or at < 2 or text_terms(words[at - 1]):
        return question, ""
    return " ".join((*words[: at - 1 - (words[at - 2].casefold() in CONVERTING)], *words[at + 1 :])), into


def read_currency(text: str) -> str:
    """The code of a currency. Raises UsageError for an unknown one, and for signs, which several share."""
    code = text.strip().upper()
    if code in CODES:
        return code
    shown = text.strip()[:20]
    if named := currency_of(text.strip()):
        also = " Several currencies share it." if named in DOLLARS else ""
        raise UsageError(
            f"{shown!r} is no code of a currency.{also}", next_step=f"Write the code, such as {named}."
        )
    close = get_close_matches(code[:20], sorted(CODES), 3, 0.5)
    raise UsageError(
        f"{shown!r} is no currency that is known.",
        next_step=f"Write its code of three letters, such as {' or '.join(close or ['EUR'])}.",
    )


def read_rate(currency: str, rate: str, day: str = "", source: str = "", today: date | None = None) -> Rate:
    """One rate as people write it; day: ISO 8601, "" for today. Raises UsageError with what is wrong."""
    code, text = read_currency(currency), rate.strip()
    try:
        number = Decimal(text) if len(text) <= 40 and "_" not in text else Decimal(0)
    except InvalidOperation:
        number = Decimal(0)
        if "," in text:
            raise UsageError(
                f"The rate {text[:40]!r} of {code} is written with a comma.",
                next_step="Write it with a point: 1.08.",
            ) from None
    exponent = number.as_tuple().exponent
    is_sound = number.is_finite() and _LEAST <= number <= _GREATEST
    if not is_sound or not isinstance(exponent, int) or -exponent > _MOST_PLACES:
        raise UsageError(
            f"The rate {text[:40]!r} of {code} is no number that can be used.",
            next_step="Write a number above 0 with a point, at most 18 digits behind it, such as 1.08.",
        )
    try:
        read = date.fromisoformat(day.strip()) if day.strip() else (today or date.today())
    except ValueError:
        raise UsageError(
            f"The day {day.strip()[:40]!r} of {code} cannot be read.", next_step="Write it as 2026-11-30."
        ) from None
    return Rate(code, number, read, " ".join(source.split())[:200])


def checked(rates: Iterable[Rate], base: str) -> tuple[Rate, ...]:
    """The rates, none of the base and none twice for a day. Raises UsageError."""
    found: dict[tuple[str, date], Rate] = {}
    for each in rates:
        if each.currency == base:
            raise UsageError(f"{base} is the base, whose rate is 1.", next_step="Take the line out.")
        if (each.currency, each.day) in found:
            raise UsageError(
                f"{each.currency} has two rates for {each.day.isoformat()}.", next_step="Keep one of them."
            )
        found[each.currency, each.day] = each
        if len(found) > MOST_RATES:
            raise UsageError(
                f"There are more than {MOST_RATES:,} rates.", next_step="Leave out days that no amount is of."
            )
    return tuple(found.values())


def read_csv(text: str, today: date | None = None) -> tuple[Rate, ...]:
    """The rates of a CSV with the heads currency, rate, source, day in any order; the last two may miss.

    Raises UsageError that names the line; of several wrong lines the first.
    """
    if len(text) > _MOST_CHARS:
        raise UsageError("The file is longer than 5 MB.", next_step="Leave out days that no amount is of.")
    first = text.lstrip("\ufeff\r\n ").partition("\n")[0]
    rows = csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=max(",;\t", key=first.count), strict=True)
    try:
        lines = [(rows.line_num, [cell.strip() for cell in row]) for row in rows if any(map(str.strip, row))]
    except csv.Error as error:
        raise UsageError(f"Line {rows.line_num}: {error}.", next_step="Save it as a plain CSV.") from error
    heads = [head.casefold() for head in lines[0][1]] if lines else []
    if (
        not {"currency", "rate"} <= set(heads)
        or len(set(heads)) < len(heads)
        or not set(heads) <= set(_HEADS)
    ):
        raise UsageError(
            "The first line of the file does not name its columns.",
            next_step="Begin it with: currency,rate,source,day",
        )
    return tuple(_of_lines(lines[1:], heads, today))


def _of_lines(lines: Iterable[tuple[int, list[str]]], heads: list[str], today: date | None) -> Iterator[Rate]:
    for number, row in lines:
        if len(row) != len(heads):
            raise UsageError(
                f"Line {number} has {len(row)} cells, and the first line names {len(heads)} columns.",
                next_step="Write rates with a point, and texts that hold a comma in quotes.",
            )
        cells = dict(zip(heads, row, strict=True))
        try:
            yield read_rate(today=today, **cells)
        except UsageError as error:
            raise UsageError(f"Line {number}: {error.message}", next_step=error.next_step) from error
