"""A plan in somebody's hands: what it was, what it is, and what was changed, to be undone and done again."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.errors import UsageError
from core.plan.ir.nodes import Plan

MOST_STEPS = 50
LONGEST = 6_000  # characters of an address; servers and proxies take 8,000
MOST_BYTES = 500_000


@dataclass(frozen=True, slots=True)
class Draft:
    """Steps are whole plans, as JSON. first: as it was made or opened.

    audit: the saved audit that it is of, "" for none; version: of that audit when it was opened.
    """

    first: Plan
    plan: Plan
    past: tuple[str, ...] = ()
    future: tuple[str, ...] = ()
    audit: str = ""
    version: int = 0

    @classmethod
    def of(cls, plan: Plan, audit: str = "", version: int = 0) -> Draft:
        """A draft in which nothing was changed yet."""
        bare = without_figures(plan)
        return cls(bare, bare, audit=audit, version=version)

    @property
    def is_changed(self) -> bool:
        """True where the plan differs from the one that was opened."""
        return self.plan != self.first


def without_figures(plan: Plan) -> Plan:
    """The plan as it is edited and kept: what was estimated and measured belongs to a run."""
    nodes = tuple(node.model_copy(update={"ran": None, "estimate": None}) for node in plan.nodes)
    return plan.model_copy(update={"nodes": nodes})


def changed(draft: Draft, plan: Plan) -> Draft:
    """The draft with another plan; the same one changes nothing, and leaves what was undone to be redone."""
    plan = without_figures(plan)
    if plan == draft.plan:
        return draft
    past = (*draft.past, draft.plan.model_dump_json())[-MOST_STEPS:]
    return replace(draft, plan=plan, past=past, future=())


def undone(draft: Draft) -> Draft:
    """The draft before its last change; without one it stays."""
    if not draft.past:
        return draft
    *past, last = draft.past
    future = (draft.plan.model_dump_json(), *draft.future)
    return replace(draft, plan=Plan.model_validate_json(last), past=tuple(past), future=future)


def redone(draft: Draft) -> Draft:
    """The draft with what was undone last; without that it stays."""
    if not draft.future:
        return draft
    first, *future = draft.future
    past = (*draft.past, draft.plan.model_dump_json())
    return replace(draft, plan=Plan.model_validate_json(first), past=past, future=tuple(future))


def reset(draft: Draft) -> Draft:
    """The draft with its first plan, which can be undone like any change."""
    return changed(draft, draft.first)


def to_json(draft: Draft) -> dict[str, Any]:
    """Plain values, for a browser session."""
    return {
        "first": draft.first.model_dump_json(),
        "plan": draft.plan.model_dump_json(),
        "past": list(draft.past),
        "future": list(draft.future),
        "audit": draft.audit,
        "version": draft.version,
    }


def from_json(data: Mapping[str, Any]) -> Draft:
    """The draft that `to_json` gave."""
    return Draft(
        Plan.model_validate_json(data["first"]),
        Plan.model_validate_json(data["plan"]),
        tuple(data["past"]),
        tuple(data["future"]),
        data["audit"],
        data["version"],
    )


def packed(plan: Plan) -> str:
    """The plan as a piece of an address, begun with `z`; "" where it is too long for one."""
    data = plan.model_dump(mode="json", exclude_defaults=True, by_alias=True)
    for node, written in zip(plan.nodes, data.get("nodes", ()), strict=True):
        written["type"] = node.type  # a default of its kind, and what tells the kinds apart
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    found = "z" + base64.urlsafe_b64encode(zlib.compress(text, 9)).decode().rstrip("=")
    return found if len(found) <= LONGEST else ""


def unpacked(text: str) -> bytes:
    """The JSON of a plan that `packed` gave. Raises UsageError for anything else."""
    body = text.removeprefix("z")
    unpacking = zlib.decompressobj()
    try:
        data = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
        found = unpacking.decompress(data, MOST_BYTES)
    except (ValueError, zlib.error):
        found = b""
    if not found or not unpacking.eof:
        raise UsageError(
            "The plan in this address is not complete.", next_step="Copy the whole address, or ask again."
        )
    return found
