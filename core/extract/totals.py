"""Rows that add up others of their table: they say nothing of their own, and no sum may hold them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from core.domain.fields import AMOUNTS, AnnotationRow, FieldType
from core.text.words import word_list

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SHARE = re.compile(r"(\d{1,2}(?:[.,]\d{1,2})?) ?%")
_ROUNDED = Decimal("0.005")
_LEAST_SHARE = 0.5
_EDGE = 3  # rows at the end of a table
_MOST_LABELS = 2  # cells with words, of a row that adds up others

Amounts = dict[int, Decimal]


def mark_totals(rows: Sequence[AnnotationRow]) -> list[AnnotationRow]:
    """The rows of one table, with those marked that add up others."""
    columns = _columns(rows)
    told = [_Row(_labels(row), _amounts(row, columns)) for row in rows]
    usual = sorted(len(each.labels) for each in told)[len(told) // 2] if told else 0
    full = sorted(len(each.amounts) for each in told)[len(told) // 2] if told else 0
    marked: set[int] = set()
    start = 0  # of the rows that were not added up yet
    for at, row in enumerate(told):
        above = [told[n].amounts for n in range(at) if n not in marked]
        since = [told[n].amounts for n in range(start, at) if n not in marked]
        is_sparse = len(row.amounts) < full and len(row.labels) <= usual
        if _is_total(row, at, len(told), usual, above, since) or (
            is_sparse and at >= len(told) - 2 * _EDGE and _adds_up(row.amounts, above)
        ):
            marked.add(at)
            start = at + 1
    marked |= _additions(told, sorted(marked), full)
    return [replace(row, is_total=True) if at in marked else row for at, row in enumerate(rows)]


def _additions(told: Sequence[_Row], totals: Sequence[int], full: int) -> set[int]:
    """Rows between two totals that lead from one to the other, as a tax does: they are no rows of data.

    They leave cells empty that rows of data fill, or name the share of the total above that they are.
    """
    found: set[int] = set()
    for first, last in pairwise(totals):
        between = range(first + 1, last)
        net, gross = told[first].amounts, told[last].amounts
        at = next((at for at, amount in gross.items() if at in net and amount), None)
        if at is None or not between or not all(at in told[n].amounts for n in between):
            continue
        parts = [told[n].amounts for n in between]
        if _is_sum(gross[at], [net, *parts], at) and all(
            len(told[n].amounts) < full or _is_share(told[n], net[at], at) for n in between
        ):
            found.update(between)
    return found


def _is_share(row: _Row, net: Decimal, at: int) -> bool:
    """True of "VAT 19 %" beside 19 % of an amount."""
    shares = [Decimal(each.replace(",", ".")) for label in row.labels for each in _SHARE.findall(label)]
    return any(abs(net * share / 100 - row.amounts[at]) <= Decimal("0.01") for share in shares)


@dataclass(frozen=True, slots=True)
class _Row:
    labels: list[str]
    amounts: Amounts


def _is_total(
    row: _Row, at: int, size: int, usual: int, above: Sequence[Amounts], since: Sequence[Amounts]
) -> bool:
    """usual: cells with words that most rows have. since: the rows behind the last that added up."""
    said = _said(row.labels)
    count = len(row.labels)
    if [label.casefold() for label in row.labels] == ["all"] and at >= size - _EDGE:
        return _adds_up(row.amounts, above)
    if not row.amounts:
        return said == "total" and count < usual
    if said == "total":
        if _adds_up(row.amounts, since) or _adds_up(row.amounts, above):
            return True
        is_edge = at >= size - _EDGE or at == 0
        is_bare = count < usual or _is_exact(row.labels)
        return is_bare and count <= _MOST_LABELS and (usual > 1 or is_edge)
    if said == "summary":
        return _is_exact(row.labels) and at >= size - 2 * _EDGE and count <= max(1, usual - 1)
    is_last = at >= size - _EDGE and len(above) > 2
    is_bare = not count or (count == 1 < usual)  # "Qtr" alone beside the sums of all that stands above
    return (
        is_bare
        and usual > 0
        and is_last
        and bool(row.amounts)
        and all(_is_sum(amount, above, column) for column, amount in row.amounts.items())
    )


def _columns(rows: Sequence[AnnotationRow]) -> dict[str, int]:
    """The columns that hold amounts, in most of their cells, each with a number."""
    cells = [cell for row in rows for cell in row.cells]
    counts = Counter(cell.column for cell in cells)
    figures = Counter(cell.column for cell in cells if cell.value.type in AMOUNTS)
    held = [name for name, count in counts.items() if figures[name] >= _LEAST_SHARE * count]
    return {name: number for number, name in enumerate(held)}


def _amounts(row: AnnotationRow, columns: Mapping[str, int]) -> Amounts:
    return {
        columns[cell.column]: amount
        for cell in row.cells
        if cell.column in columns
        and cell.value.type in AMOUNTS
        and (amount := cell.value.decimal) is not None
    }


def _labels(row: AnnotationRow) -> list[str]:
    return [cell.value.text for cell in row.cells if cell.value.type not in AMOUNTS | {FieldType.DATE}]


def _said(labels: Sequence[str]) -> str:
    """ "total" or "summary", where a cell begins or ends with such a word; "" for any other row."""
    for label in labels:
        words = _WORD.findall(label.casefold())
        if words and {words[0], words[-1]} & word_list("tables", "totals"):
            return "total"
        if words[:2] == ["grand", "total"] or words[:2] == ["sub", "total"]:
            return "total"
        if words and len(words) <= 2 and words[0] in word_list("tables", "summaries"):
            return "summary"
    return ""


def _is_exact(labels: Sequence[str]) -> bool:
    known = word_list("tables", "totals", "summaries") | {"grand", "sub", "overall"}
    return any((words := _WORD.findall(label.casefold())) and set(words) <= known for label in labels)


def _adds_up(own: Amounts, others: Sequence[Amounts]) -> bool:
    """True where one of a row's amounts is the sum of those of at least two others, and most are."""
    told = [_is_sum(amount, others, at) for at, amount in own.items() if amount]
    return bool(told) and sum(told) >= _LEAST_SHARE * len(told)


def _is_sum(amount: Decimal, rows: Sequence[Amounts], at: int) -> bool:
    parts = [row[at] for row in rows if at in row]
    if len(parts) < 2:
        return False
    gap = abs(sum(parts) - amount)
    return gap <= _ROUNDED * len(parts) or gap <= abs(amount) * Decimal("0.000001")
