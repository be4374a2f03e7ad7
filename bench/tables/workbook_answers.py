"""Answers over workbooks held against what is expected: exact, wrong sums, questions back."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from bench.tables.denotation import Denoted
from core.domain.answer import Answer, Status

_CENT = Decimal("0.005")
_CURRENCY = re.compile(r"^[A-Z]{3}\s+(?=[-\d])")  # "EUR 89" as cells show amounts, of which 89 is wanted
_SHARE = Decimal("0.000001")


@dataclass(frozen=True, slots=True)
class WorkbookQuestion:
    """A question over a workbook with what is expected."""

    id: str
    workbook: str
    text: str
    expect: dict[str, Any]


def read_questions(path: Path) -> list[WorkbookQuestion]:
    """The questions of a file, in order."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            said = json.loads(line)
            found.append(WorkbookQuestion(said["id"], said["workbook"], said["question"], said["expect"]))
    return found


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of one question. is_wrong_sum: a number was given as the answer, and it is another one."""

    is_exact: bool
    is_wrong_sum: bool
    is_asked_back: bool
    given: str


def judge(answer: Answer, expect: dict[str, Any]) -> Outcome:
    """Outcome of an answer. A value is right by its number, day or words; rows by all that they say."""
    given = _said(answer)
    wanted_status = expect.get("status") or "answered"
    is_back = answer.status is Status.CLARIFY
    if wanted_status != "answered":
        return Outcome(answer.status.value == wanted_status, False, is_back, given)
    value, rows = expect.get("value"), expect.get("rows")
    is_right = _is_value(answer, value) if value else _are_rows(answer, rows or [], bool(expect.get("order")))
    is_number = answer.value is not None and answer.value.type in ("number", "money")
    wrong = is_number and answer.status is Status.ANSWERED and not is_right
    return Outcome(is_right and answer.status is Status.ANSWERED, wrong, is_back, given)


def _said(answer: Answer) -> str:
    if answer.value is not None:
        return f"{answer.value.value} {answer.value.unit or ''}".strip()
    if answer.table is not None:
        return "; ".join(" | ".join(str(cell) for cell in row) for row in answer.table.rows[:6])
    return answer.text[:120]


def _is_value(answer: Answer, wanted: dict[str, Any]) -> bool:
    given = answer.value
    if given is None:
        return _are_rows(answer, [[wanted["value"]]], False) and len(_rows(answer)) == 1
    if wanted.get("unit") and given.unit and not _same_unit(str(wanted["unit"]), given.unit):
        return False
    return _same(str(wanted["value"]), given.value)


def _same_unit(one: str, other: str) -> bool:
    short, long = sorted((one.casefold().rstrip("s"), other.casefold().rstrip("s")), key=len)
    return short == long or (len(short) > 2 and long.startswith(short))  # "mins" and "minutes"


def _same(wanted: str, given: str) -> bool:
    one, other = _number(wanted), _number(given)
    if one is not None and other is not None:
        return abs(one - other) <= max(_CENT if one != int(one) else Decimal(0), abs(one) * _SHARE)
    return Denoted.of(wanted).matches(Denoted.of(given))


def _number(text: str) -> Decimal | None:
    bare = text.replace(",", "").replace("\u00a0", " ").strip().rstrip("%").strip()
    bare = _CURRENCY.sub("", bare)
    bare = bare.split()[0] if bare.split() else ""
    try:
        return Decimal(bare.lstrip("$\u20ac\u00a3"))
    except InvalidOperation:
        return None


def _rows(answer: Answer) -> list[list[str]]:
    if answer.table is None:
        return [[answer.value.value]] if answer.value is not None else []
    return [[str(cell) for cell in row if cell is not None] for row in answer.table.rows]


def _are_rows(answer: Answer, wanted: Sequence[Sequence[Any]], in_order: bool) -> bool:
    """True where each wanted row is one of those given, and there are no others."""
    given = _rows(answer)
    if len(given) != len(wanted):
        return False
    left = list(given)
    for at, row in enumerate(wanted):
        cells = [str(cell) for cell in (row if isinstance(row, list) else [row])]
        pool = [given[at]] if in_order else left
        found = next((each for each in pool if _holds(each, cells)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def _holds(row: Sequence[str], cells: Sequence[str]) -> bool:
    return all(any(_same(cell, each) or cell.casefold() == each.casefold() for each in row) for cell in cells)
