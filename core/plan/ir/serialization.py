"""Plans as documents: written out with a format number, read back with every mistake said in plain words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import ConfigDict, Field, ValidationError
from pydantic_core import PydanticSerializationError

from core.domain.audit import Parameter
from core.domain.frozen import Frozen
from core.errors import PlanError
from core.plan.ir.nodes import MAX_NODES, Plan, node_types
from core.plan.ir.spec import Problem, plan_error

LARGEST = 8_000_000
"""Characters of a document; a plan that names 100,000 documents has 2.4 million."""

_NEXT = "Write one with `groundwork plan QUESTION --json`, and change that."
_OF_NODE = re.compile(r"\b(?:node|nodes are called) '([^']{1,60})'")
_FRAMED = "Give every node an id of its own, and let it take in nodes of the plan only."


class PlanFile(Frozen):
    """A plan that leaves the home. format: rises when a reader of today could not read it any more."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    format: Literal[1] = 1
    plan: dict[str, Any]
    name: str = ""
    parameters: tuple[Parameter, ...] = ()

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True, serialize_by_alias=True)


def write_plan_file(file: PlanFile) -> dict[str, Any]:
    """The document as JSON has it."""
    return file.model_dump(mode="json", by_alias=True)


def read_plan_file(text: str | bytes | Mapping[str, Any]) -> PlanFile:
    """A document: as `write_plan_file` and `groundwork plan --json` write it, or a plan alone.

    Raises PlanError where it is none, or was written by a later version.
    """
    data = text if isinstance(text, Mapping) else _parsed(text)
    if "plan" not in data:
        data = {"plan": data}
    if data.get("format", 1) != 1 or data.get("schema", 1) != 1:
        written = data.get("format", data.get("schema"))
        raise PlanError(
            f"This plan was written in the format {written!r}, which this version cannot read.",
            next_step="Open it with the version of Groundwork that wrote it.",
        )
    try:
        return PlanFile.model_validate(data)
    except ValidationError as error:
        raise PlanError(f"The file holds no plan: {_first(error)}", next_step=_NEXT) from error


def plan_of(data: Mapping[str, Any]) -> Plan:
    """The plan that stored or sent JSON holds.

    Raises PlanError with a problem for each thing that is wrong; those of nodes name them.
    """
    nodes = data.get("nodes")
    if isinstance(nodes, list) and len(nodes) > MAX_NODES:
        problem = Problem(
            None, f"The plan has {len(nodes):,} nodes, more than {MAX_NODES}.", "Take some of them out."
        )
        raise plan_error((problem,))
    try:
        plan = Plan.model_validate(data)
        plan.model_dump_json()
    except ValidationError as error:
        raise plan_error(tuple(_problem(each, data) for each in error.errors())) from error
    except PydanticSerializationError as error:  # half of a pair, which JSON can say and nothing can keep
        problem = Problem(None, "The plan holds characters that no text has.", "Write its words anew.")
        raise plan_error((problem,)) from error
    return plan


def stored_plan(plan: Plan) -> dict[str, Any]:
    """A plan as it is kept: what was estimated and measured belongs to a run, not to it."""
    nodes = tuple(node.model_copy(update={"ran": None, "estimate": None}) for node in plan.nodes)
    return plan.model_copy(update={"nodes": nodes}).model_dump(mode="json")


def _parsed(text: str | bytes) -> Mapping[str, Any]:
    if len(text) > LARGEST:
        raise PlanError(
            f"The plan is larger than {LARGEST // 1_000_000} MB.",
            next_step="Choose documents by bucket or condition, and not one by one.",
        )
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = str(error).splitlines()[0]
        raise PlanError(f"The plan cannot be read as JSON: {reason}.", next_step=_NEXT) from error
    if not isinstance(data, dict):
        raise PlanError("The file holds no plan.", next_step=_NEXT)
    return data


def _problem(error: Any, data: Mapping[str, Any]) -> Problem:
    where = [str(part) for part in error["loc"] if part not in node_types()]
    node, message = None, str(error["msg"]).removeprefix("Value error, ")
    if where[:1] == ["nodes"] and len(where) > 1 and where[1].isdigit():
        node = _name_of(data["nodes"][int(where[1])]) or f"number {int(where[1]) + 1}"
        where = where[2:]
    at = ".".join(where)
    if node is None and (named := _OF_NODE.search(message)) is not None:
        node = named[1]
        message = message[:1].upper() + message[1:]
        return Problem(node, f"{message.rstrip('.')}.", _FRAMED)
    said = f"{at}: {message[:1].lower()}{message[1:]}" if at else message
    return Problem(node, f"{said.rstrip('.')}.", _step_for(str(error["type"]), at, error.get("ctx", {})))


def _step_for(kind: str, at: str, limits: Mapping[str, Any]) -> str:
    most = limits.get("le", limits.get("max_length"))
    if most is not None and kind in ("less_than_equal", "too_long", "string_too_long"):
        return f"Make {at!r} at most {most:,}."
    if kind == "string_pattern_mismatch":
        return "Use small letters, digits, - and _, a letter first."
    if kind == "union_tag_invalid":
        return f"Make it one of: {', '.join(node_types())}."
    if kind == "extra_forbidden":
        return f"Take {at!r} out: plans have no such part."
    if kind == "missing":
        return f"Add {at!r}."
    return "Correct it, or make the plan anew from its question."


def _name_of(node: object) -> str:
    id = node.get("id") if isinstance(node, Mapping) else None
    return id if isinstance(id, str) else ""


def _first(error: ValidationError) -> str:
    one = error.errors()[0]
    at = ".".join(str(part) for part in one["loc"])
    return f"{at}: {one['msg']}" if at else str(one["msg"])
