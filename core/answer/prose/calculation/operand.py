"""A figure of a calculation: found in the evidence that is named for it, with the scale its table states."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from core.answer.prose.calculation.expression import DAY, CalculationError, Quantity
from core.answer.prose.checks.quantities import StatedQuantity, quantities
from core.answer.prose.table_heads import table_heads
from core.text.analyse import text_terms
from core.values.dates import find_dates
from core.values.money import SYMBOLS
from core.values.scales import stated_scales

LONGEST_QUOTE = 400  # characters
_AROUND = 2_500  # characters of a page on both sides of a figure that are taken for its table
_NEGATIVE = r"[(\u2212-].{1,60}"  # a figure is read with the sign that it is copied with
_EXCEPT = re.compile(r"\bexcept\b(?P<what>[^)\n]{0,80})", re.IGNORECASE)
_ENDS_A_ROW = re.compile(r"(?:[\d)%]|[-\u2013\u2014])\s*$")
_OWN_SCALE = re.compile(r"(?:thousand|million|billion|trillion)s?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Operand:
    """A figure with its places on a page: that of its words, and those of the heads that it was read with.

    scale: the factor that these give it.
    """

    quantity: Quantity
    written: str
    start: int
    end: int
    heads: tuple[tuple[int, int], ...] = ()
    scale: Decimal = Decimal(1)


def operand(text: str, start: int, end: int, quote: str, figure: str) -> Operand:
    """The figure of a quote that stands on a page within [start, end). Raises CalculationError.

    text: of the page. quote: words of the page, blanks aside; figure: as it is written in them.
    """
    first, last = _place(text[start:end], quote)
    first, last = start + first, start + last
    day = _day(text[first:last], figure)
    if day is not None:
        return Operand(Quantity(Decimal(day), DAY), figure, first, last)
    whole = rf"(?<!\d){re.escape(figure)}(?!\d)"  # the 2 of "2019: 2"
    found = re.search(whole, text[first:last]) if figure.strip() else None
    at = first + found.start() if found is not None else -1
    if at < 0:
        raise CalculationError(
            f"{figure[:40]!r} does not stand in its quote.", next_step="Copy both exactly."
        )
    line_start = text.rfind("\n", 0, at) + 1
    line_end = text.find("\n", at)
    line = text[line_start : line_end if line_end >= 0 else len(text)]
    stated = next((q for q in quantities(line) if _touches(q, at - line_start, len(figure))), None)
    if stated is None or stated.value is None:
        raise CalculationError(f"{figure[:40]!r} is no figure.", next_step="Name a number of the quote.")
    heads = table_heads(text, at) if _ENDS_A_ROW.search(line) else ()
    label = _label(line[: at - line_start])
    said = [text[slice(*each)] for each in heads]
    if label:  # its row says what each cell is: what stands beside and above is of other cells
        names = line.partition(":")[0]  # the head of the column that names the rows: "(In thousands)"
        above = (f"{_cells(label, each)} {_cells(names, each)}" if ": " in each else each for each in said)
        said = [label, names, *above]
    scale = _scale(stated, line, said)
    sign = -1 if re.fullmatch(_NEGATIVE, figure.strip()) else 1
    around = text[max(0, at - _AROUND) : at + _AROUND] if heads or label else ""
    own = ("", said, _cells(label, around)) if label else (line, said, around)
    unit = stated.unit or _currency(*own)
    return Operand(Quantity(sign * abs(stated.value) * scale, unit), figure, first, last, heads, scale)


def _label(before: str) -> str:
    """The head that a row writes before a figure: "Fee" of "Item: Desk | Fee: 4"; "" in other rows."""
    cell = before.rpartition(" | ")[2] if " | " in before else ""
    return cell.partition(":")[0].strip() if ":" in cell else ""


def _cells(label: str, text: str) -> str:
    """What cells under a label say in a text."""
    return " ".join(re.findall(rf"{re.escape(label)}:\s{{0,2}}([^|\n]{{0,40}})", text))


def _place(text: str, quote: str) -> tuple[int, int]:
    """Where a quote stands in a text, whatever blanks are between its words. Raises CalculationError."""
    words = quote.split()
    if not words or len(quote) > LONGEST_QUOTE:
        raise CalculationError("A figure has no quote of a line.", next_step="Quote the words around it.")
    found = re.search(r"\s{1,20}".join(map(re.escape, words)), text)
    if found is None:
        raise CalculationError(
            f"“{' '.join(words)[:80]}” does not stand in the evidence that is named.",
            next_step="Copy the words exactly.",
        )
    return found.span()


def _day(quote: str, figure: str) -> int | None:
    """The ordinal of a figure that is a whole date of the quote; None for another."""
    for start, end, value in find_dates(quote):
        if value.amount is not None and figure.strip() == quote[start:end].strip():
            return value.amount
    return None


def _touches(stated: StatedQuantity, at: int, length: int) -> bool:
    return stated.start < at + length and at < stated.end


def _scale(stated: StatedQuantity, line: str, heads: Iterable[str]) -> Decimal:
    """The factor that the heads of a table give a figure of a row; 1 for what they leave out."""
    if stated.unit == "%" or _OWN_SCALE.search(stated.written):
        return Decimal(1)
    for head in heads:
        scales = stated_scales(head)
        excepted = _EXCEPT.search(head)
        if excepted is not None and text_terms(excepted["what"]) & text_terms(line):
            continue
        if len(scales) == 1:
            return next(iter(scales))
    return Decimal(1)


def _currency(line: str, heads: Iterable[str], around: str) -> str:
    """The one currency that a row, or else its heads, or its table name; "" for none or several.

    Many tables write "$" in their first and last rows alone.
    """
    for text in (line, " ".join(heads), around):
        named = {each.unit for each in quantities(text) if each.is_money}
        named |= {SYMBOLS[mark] for mark in SYMBOLS if not mark[0].isalpha() and mark in text}
        if named:
            return named.pop() if len(named) == 1 else ""
    return ""
