"""Readings in a few words, over the known collection and the tables, and their plans in a line."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from core.domain.predicate import Operator, parse_condition
from core.plan.catalogue import Catalogue
from core.plan.compile.compiler import compile_reading
from core.plan.compile.context import CompileContext
from core.plan.ir.nodes import Plan
from core.plan.ir.validate import validate
from core.plan.reading import (
    ReadCondition,
    ReaderName,
    ReadField,
    Reading,
    ReadName,
    ReadOrder,
    Step,
)
from tests.support.known_collection import in_a_line, known_collection
from tests.support.table_catalogue import catalogue

TODAY = date(2024, 11, 22)
COLLECTION = known_collection()
TABLES = catalogue()
_EITHER = re.compile(r"\s*\|(\d)\s+")
_PARTS = ("year", "month", "quarter", "unit")


def field_of(text: str) -> ReadField:
    """`agreement_date.year` as a field with its part."""
    name, _, part = text.rpartition(".")
    if part in _PARTS and name:
        return ReadField.model_validate({"name": name, "part": part})
    return ReadField(name=text)


def condition_of(text: str) -> ReadCondition:
    """`not governing_law = Texas`, `|1 insurance is present`; names with blanks stand in quotation marks."""
    found = _EITHER.match(text)
    either, text = (int(found[1]), text[found.end() :]) if found else (0, text)
    negated, text = text.startswith("not "), text.removeprefix("not ")
    parsed = parse_condition(text)
    values = tuple(str(each) for each in parsed.values)
    if parsed.operator in (Operator.IS, Operator.MISSING):
        values = ()
    return ReadCondition(
        field=field_of(parsed.field), op=parsed.operator, values=values, negated=negated, either=either
    )


def name_of(text: str) -> ReadName:
    """`party Halden`, `kind not franchise agreements`, `document = s1` (described by the step)."""
    role, _, words = text.partition(" ")
    negated, words = words.startswith("not "), words.removeprefix("not ")
    described = words[2:] if words.startswith("= ") else ""
    return ReadName.model_validate(
        {
            "words": f"that of {described}" if described else words,
            "role": role,
            "negated": negated,
            "described": described,
        }
    )


def order_of(text: str) -> ReadOrder:
    """`-contract_value 3`: the three highest; `- 3`: of groups."""
    by, *limit = text.split(" ")
    name = by.removeprefix("-").replace("_of_", " ")
    return ReadOrder(
        field=field_of(name) if name else None,
        descending=by.startswith("-"),
        limit=int(limit[0]) if limit else 0,
    )


def _parts(operation: str, given: dict[str, Any]) -> dict[str, Any]:
    made = dict(given)
    made["operation"] = operation
    made["conditions"] = tuple(map(condition_of, given.get("where", ())))
    made["names"] = tuple(map(name_of, given.get("names", ())))
    made["asked"] = tuple(map(field_of, given.get("asked", ())))
    made["groups"] = tuple(map(field_of, given.get("by", ())))
    made["order"] = order_of(given["order"]) if "order" in given else None
    made["having"] = condition_of(given["having"]) if "having" in given else None
    return {name: value for name, value in made.items() if name not in ("where", "by")}


def step(id: str, operation: str, **given: Any) -> Step:
    """A step in a few words; see `condition_of`, `name_of` and `order_of`."""
    return Step.model_validate({"id": id, **_parts(operation, given)})


def read(operation: str, *steps: Step, **given: Any) -> Reading:
    """A reading in a few words. question, by: of the reading."""
    by: ReaderName = given.pop("reader", "model")
    question = given.pop("question", "?")
    return Reading.model_validate(
        {"by": by, "question": question, "steps": steps, **_parts(operation, given)}
    )


def plan_of(reading: Reading, known: Catalogue = COLLECTION, **context: Any) -> Plan:
    """The plan of a reading, which can run. Raises ReadingError, AskBackError."""
    plan = compile_reading(reading, CompileContext(known, TODAY, **context))
    assert validate(plan, known) == ()
    return plan


def line_of(reading: Reading, known: Catalogue = COLLECTION, **context: Any) -> str:
    """The plan of a reading in a line; in tables without the document."""
    said = in_a_line(plan_of(reading, known, **context))
    return re.sub(r"all in d\d(?=\[)", "rows", said) if known is not COLLECTION else said
