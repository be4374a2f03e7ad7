"""Holding answers against a suite: which are exactly right, and which are wrong without saying so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.domain.answer import Answer, Status, Table
from core.domain.frozen import Frozen
from core.evaluate.equality import is_equal, is_stated, same_name
from core.evaluate.suite import GIVEN, AnswerShape, Case, Expectation, ExpectedValue, Group, group_value
from core.values import canonical_unit

_SET_SHAPES = frozenset(
    [AnswerShape.COUNT, AnswerShape.SUM, AnswerShape.AVERAGE]
)  # their value is computed over a set
_QUOTED_SHAPES = frozenset(
    [AnswerShape.LOOKUP, AnswerShape.MULTI_HOP]
)  # their value may stand in a quoted sentence
_STANDING = re.compile(
    r"^[\d,]+ .+ (?:could not be read\.|(?:is|are) uncertain: .*)$|^Still reading [\d,]+ of "
    r"|^Not all of .+ was read: |^Left out, since amounts in different",
    re.DOTALL,
)
"""Gaps that name documents which do not count, whatever was asked: they warn of nothing else."""

_STEP = re.compile(r"(?:^|\s)(\d{1,2})[.)](?=\s)")


class CaseResult(Frozen):
    """Result of one answer; `problems` says in words what was not as expected."""

    id: str
    shape: AnswerShape
    is_paraphrase: bool
    expected: Status
    status: Status
    exact: bool
    silently_wrong: bool
    problems: tuple[str, ...] = ()


def score(case: Case, answer: Answer, names: Mapping[str, str]) -> CaseResult:
    """Hold one answer against its case.

    names: document id to its source, of which the last part is the file name; an id that is not in it
    counts as a document that nobody expects. Exact: the status is as expected, and so are the documents,
    the value, the groups, the ledger and the steps where the case has them. Silently wrong: answered
    without a question back or a gap that says more than which documents do not count, and not exact.
    """
    expect = case.expect
    problems: list[str] = []
    if answer.status is not expect.status:
        problems.append(f"status {answer.status.value} instead of {expect.status.value}")
    elif expect.status in GIVEN:
        problems += _documents(case, answer, names) + _value(case, answer) + _groups(expect, answer, names)
        problems += _ledger(expect, answer) + _steps(expect, answer)
    asks = answer.clarification is not None and answer.clarification.type != "overload"
    speaks_up = asks or any(not _STANDING.search(gap) for gap in answer.gaps)
    return CaseResult(
        id=case.id,
        shape=case.shape,
        is_paraphrase=case.paraphrase_of is not None,
        expected=expect.status,
        status=answer.status,
        exact=not problems,
        silently_wrong=bool(problems) and answer.status is Status.ANSWERED and not speaks_up,
        problems=tuple(problems),
    )


def _documents(case: Case, answer: Answer, names: Mapping[str, str]) -> list[str]:
    expected = case.expect.documents
    if expected is None:
        return []
    listed = _listed(answer, names)
    cited = list(dict.fromkeys(file_name(citation.document, names) for citation in answer.citations))
    cited += [name for source in answer.sources if (name := file_name(source.document, names)) not in cited]
    has_value = case.expect.value is not None
    if has_value and case.shape not in _SET_SHAPES:
        found = set(expected) & {*listed, *cited}
        return [] if found else [f"rests on none of {_names(expected)}"]
    if not listed and (has_value or case.expect.groups is not None):
        return []  # it names no set of its own; what was computed is compared
    return _set_problems(expected, listed or cited, in_order=case.expect.order)


def _set_problems(expected: Sequence[str], shown: Sequence[str], *, in_order: bool) -> list[str]:
    problems = []
    if missing := [name for name in expected if name not in shown]:
        problems.append(f"misses {_names(missing)}")
    if extra := [name for name in shown if name not in expected]:
        problems.append(f"adds {_names(extra)}")
    if in_order and not problems and list(expected) != list(shown):
        problems.append(f"order is {_names(shown)}")
    return problems


def _value(case: Case, answer: Answer) -> list[str]:
    expected = case.expect.value
    if expected is None:
        return []
    wanted = f"{expected.value} {expected.unit or ''}".strip()
    if answer.value is not None:
        shown = answer.value
        if is_equal(expected, shown.value, shown.unit):
            return []
        return [f"value {shown.value} {shown.unit or ''}".rstrip() + f" instead of {wanted}"]
    if case.shape in _QUOTED_SHAPES and any(is_stated(expected, claim.text) for claim in answer.claims):
        return []
    return [f"no value instead of {wanted}"]


def _groups(expect: Expectation, answer: Answer, names: Mapping[str, str]) -> list[str]:
    if expect.groups is None:
        return []
    if answer.table is None:
        return ["no table of groups"]
    rows = _rows(answer.table, names)
    places = [
        next((n for n, row in enumerate(rows) if _is_row_of(group, row)), None) for group in expect.groups
    ]
    missing = [group[0] for group, place in zip(expect.groups, places, strict=True) if place is None]
    problems = [f"no row with {_names(missing)} and its value"] if missing else []
    if len(rows) != len(expect.groups):
        problems.append(f"{len(rows)} rows instead of {len(expect.groups)}")
    if not problems and len(set(places)) < len(places):
        problems.append("one row stands for two groups")
    if not problems and expect.order and places != list(range(len(rows))):
        problems.append("rows are in another order")
    return problems


def _is_row_of(group: Group, row: tuple[tuple[Any, ...], str]) -> bool:
    cells, document = row
    expected = group_value(group)
    keys = [n for n, cell in enumerate(cells) if cell is not None and same_name(group[0], str(cell))]
    if document != group[0] and not keys:
        return False
    others = [cell for n, cell in enumerate(cells) if n not in keys and cell is not None]
    if expected is None:
        return True
    unit = _unit_beside(expected, others)
    return any(is_equal(expected, cell, unit, needs_unit=False) for cell in others)


def _unit_beside(expected: ExpectedValue, cells: Sequence[Any]) -> str | None:
    """The unit that stands in a cell of its own, or None."""
    words = [cell for cell in cells if isinstance(cell, str) and re.fullmatch(r"[^\d\s]{1,20}", cell)]
    if expected.type == "money":
        return next((word for word in words if re.fullmatch("[A-Z]{3}", word)), None)
    if expected.type == "number" and expected.unit:
        return next((word for word in words if canonical_unit(word)), None)
    return None


def _ledger(expect: Expectation, answer: Answer) -> list[str]:
    if expect.ledger is None:
        return []
    if answer.ledger is None:
        return ["no ledger"]
    ledger = answer.ledger
    wanted = (expect.ledger.scope, expect.ledger.present, expect.ledger.absent, expect.ledger.unreadable, 0)
    shown = (ledger.scope, ledger.present, ledger.absent, ledger.unreadable, ledger.uncertain)
    return [] if shown == wanted else [f"ledger {shown} instead of {wanted}"]


def _steps(expect: Expectation, answer: Answer) -> list[str]:
    if expect.steps is None:
        return []
    told = "\n".join([answer.text, *(claim.text for claim in answer.claims)])
    numbers = {int(number) for number in _STEP.findall(told)}
    given = next(n for n in range(100) if n + 1 not in numbers)
    return [] if given == expect.steps else [f"{given} steps instead of {expect.steps}"]


def _listed(answer: Answer, names: Mapping[str, str]) -> list[str]:
    """The documents of the answer's table, each once, in the order of its rows."""
    documents = answer.table.documents if answer.table else ()
    return list(dict.fromkeys(file_name(document, names) for document in documents if document))


def _rows(table: Table, names: Mapping[str, str]) -> list[tuple[tuple[Any, ...], str]]:
    documents = [*table.documents, *[""] * (len(table.rows) - len(table.documents))]
    return [
        (row, file_name(document, names) if document else "")
        for row, document in zip(table.rows, documents, strict=False)
    ]


def file_name(document: str, names: Mapping[str, str]) -> str:
    """The file name of a document; its id where `names` has not got it."""
    return re.split(r"[/\\]", names.get(document, document))[-1]


def _names(names: Iterable[str]) -> str:
    return ", ".join(names)
