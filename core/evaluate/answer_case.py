"""Evaluation case of an answer that a person found correct: asked again, it must come out the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from core.domain.answer import Answer, Kind, Status, Table
from core.errors import UsageError
from core.evaluate.scoring import score
from core.evaluate.suite import GIVEN, AnswerShape, Case, is_decimal

_SHAPES = {"count": AnswerShape.COUNT, "distinct": AnswerShape.COUNT, "sum": AnswerShape.SUM}
_SHAPES |= {"avg": AnswerShape.AVERAGE, "median": AnswerShape.AVERAGE}
_SHAPES |= {"min": AnswerShape.MIN_MAX, "max": AnswerShape.MIN_MAX}
_TYPES = frozenset({"number", "money", "date", "text", "boolean"})
_CURRENCY = re.compile(r"[A-Z]{3}")


def case_of(
    id: str, question: str, answer: Answer, names: Mapping[str, str], *, bucket: str | None, why: str
) -> Case:
    """The strictest case of which this answer is exactly right.

    names: document id to its source. Raises UsageError for an answer that no case can hold: a remark, one to
    several questions at once, and one that names nothing to compare.
    """
    for shape, expect in _expectations(answer, names):
        try:
            case = Case.model_validate(
                {
                    "id": id,
                    "shape": shape,
                    "question": question,
                    "bucket": bucket,
                    "expect": expect,
                    "why": why,
                }
            )
        except ValidationError:
            continue
        if score(case, answer, names).exact:
            return case
    raise UsageError(
        "This answer cannot be an evaluation case: it names no value and no document to compare with.",
        next_step="Keep a case of another answer.",
    )


def _expectations(answer: Answer, names: Mapping[str, str]) -> Iterator[tuple[AnswerShape, dict[str, Any]]]:
    if answer.status is Status.CLARIFY:
        yield AnswerShape.CLARIFY, {"status": "clarify"}
    if answer.status is Status.ABSTAINED:
        yield AnswerShape.ABSTAIN, {"status": "abstained"}
    if answer.status not in GIVEN or answer.kind is Kind.GENERAL or answer.parts:
        return
    status = answer.status.value
    shape, ledger = _computed(answer), _ledger(answer)
    listed = _files(answer.table.documents if answer.table is not None else (), names)
    cited = _files([each.document for each in answer.citations], names)
    value = _value(answer)
    groups = _groups(answer.table)
    if value is not None:
        found: dict[str, Any] = {"status": status, "value": value}
        for documents in (listed or None, cited or None, None):
            for kept in (ledger, None):
                yield shape, {**found, "documents": documents, "ledger": kept}
    if groups:
        for kept in (ledger, None):
            yield AnswerShape.GROUP, {"status": status, "groups": groups, "ledger": kept}
    for documents, kind in ((listed, AnswerShape.LIST), (cited, AnswerShape.LOOKUP)):
        if documents:
            for kept in (ledger, None):
                yield kind, {"status": status, "documents": documents, "ledger": kept}
    if not listed and answer.ledger is not None and value is None:
        for kept in (ledger, None):
            yield AnswerShape.LIST, {"status": status, "documents": [], "ledger": kept}


def _computed(answer: Answer) -> AnswerShape:
    """The shape of a value: by the function that the last node of its plan computes."""
    plan = answer.plan or {}
    nodes: dict[str, Mapping[str, Any]] = {each.get("id", ""): each for each in plan.get("nodes", ())}
    last = nodes.get(plan.get("answer_node", ""), {})
    return _SHAPES.get(str(last.get("function") or ""), AnswerShape.LOOKUP)


def _value(answer: Answer) -> dict[str, Any] | None:
    value = answer.value
    if value is None or value.type not in _TYPES:
        return None
    return {"type": value.type, "value": value.value, "unit": value.unit}


def _ledger(answer: Answer) -> dict[str, int] | None:
    """The counts, where none of them is uncertain: only then can they be nothing else."""
    ledger = answer.ledger
    if ledger is None or ledger.uncertain or not ledger.is_exhaustive:
        return None
    return {
        "scope": ledger.scope,
        "present": ledger.present,
        "absent": ledger.absent,
        "unreadable": ledger.unreadable,
    }


def _files(documents: Sequence[str], names: Mapping[str, str]) -> list[str]:
    found = (re.split(r"[/\\]", names[each])[-1] for each in documents if each in names)
    return list(dict.fromkeys(found))


def _groups(table: Table | None) -> list[tuple[str, str | None, str | None]]:
    """Key, value and unit of each row of a grouped table; [] where it is another one."""
    if table is None or not table.members or len(table.columns) < 2:
        return []
    found = []
    for row in table.rows:
        key, value = (None if cell is None else str(cell).strip() for cell in row[:2])
        if not key:
            return []
        unit = next((str(cell) for cell in row[2:] if cell and _CURRENCY.fullmatch(str(cell))), None)
        found.append((key, value or None, unit if value and is_decimal(value) else None))
    return found
