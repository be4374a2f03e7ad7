"""Effect of an edit: the value, documents that came and went, and which nodes had to run for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from app.presenting.plan_words import amount
from core.domain.answer import LEDGER_PARTS, Answer, Ledger
from core.domain.results import Documents, Groups, Passages, Result
from core.plan.ir.hashing import node_hashes
from core.plan.ir.nodes import Plan
from core.plan.operators.base import documents_of
from core.workbench.services.plans import PlanRan

How = Literal["ran", "kept", "stopped"]


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value of one group ("" for the only one) before and after; None where there was none."""

    group: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Moved:
    """A document that is in another part of the ledger; None where it is in none."""

    document: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Difference:
    """Between two runs. new, left: documents of the answer; moved: other parts of the ledger.

    ran, kept, stopped: nodes of the later run by what became of them; same: the plans ask for the same.
    """

    values: tuple[ValueChange, ...] = ()
    new: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    moved: tuple[Moved, ...] = ()
    counts: tuple[tuple[str, int, int], ...] = ()
    ran: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    stopped: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True where the answer is the same as before."""
        return not (self.values or self.new or self.left or self.moved)


def difference(before: PlanRan, after: PlanRan) -> Difference:
    """Difference of the later run from the earlier; lists of documents are in no order."""
    old, new = belonging(before), belonging(after)
    one, other = _parts(before), _parts(after)
    differ = (id for id in {*one, *other} if one.get(id) != other.get(id))
    moved = tuple(Moved(id, one.get(id), other.get(id)) for id in sorted({*differ} - (old ^ new)))
    sides = [_count(before), _count(after)]
    counts = tuple((part, sides[0].get(part, 0), sides[1].get(part, 0)) for part in LEDGER_PARTS)
    return Difference(
        values=_values(before, after),
        new=tuple(sorted(new - old)),
        left=tuple(sorted(old - new)),
        moved=moved,
        counts=tuple(each for each in counts if any(each[1:])),
        **how(after),
    )


def how(run: PlanRan) -> dict[str, tuple[str, ...]]:
    """The nodes of a run by what became of them: run, given from what was kept, or stopped."""
    found: dict[How, list[str]] = {"ran": [], "kept": [], "stopped": []}
    for node in run.plan.nodes:
        if node.id in run.stopped:
            found["stopped"].append(node.id)
        elif node.ran is not None:
            found["kept" if node.ran.source in ("memory", "store") else "ran"].append(node.id)
    return {name: tuple(ids) for name, ids in found.items()}


def asks_the_same(one: Plan, other: Plan) -> bool:
    """True where two plans ask for the same: figures, purposes and reasons do not count."""
    if one.answer_node != other.answer_node:
        return False
    try:
        return node_hashes(one) == node_hashes(other)
    except ValueError:
        return False


def belonging(run: PlanRan) -> frozenset[str]:
    """The documents that belong to the answer of a run: those that its answer node found."""
    result = _answering(run)
    found = documents_of(result) if result is not None else None
    return found.present if found is not None else frozenset()


def _answering(run: PlanRan) -> Result | None:
    return run.results.get(run.plan.answer_node or "")


def _parts(run: PlanRan) -> dict[str, str]:
    ledger = run.answer.ledger if run.answer is not None else None
    if ledger is None:
        return {}
    return {id: part for part in LEDGER_PARTS for id in getattr(ledger.documents, part)}


def _count(run: PlanRan) -> Mapping[str, int]:
    ledger: Ledger | None = run.answer.ledger if run.answer is not None else None
    return {part: getattr(ledger, part) for part in LEDGER_PARTS} if ledger is not None else {}


def _values(before: PlanRan, after: PlanRan) -> tuple[ValueChange, ...]:
    old, new = _groups(before), _groups(after)
    if old is None or new is None or (len(old) < 2 and len(new) < 2):
        texts = [_said(run.answer) for run in (before, after)]
        return () if texts[0] == texts[1] else (ValueChange("", texts[0], texts[1]),)
    names = list(dict.fromkeys((*old, *new)))
    return tuple(
        ValueChange(name, old.get(name), new.get(name)) for name in names if old.get(name) != new.get(name)
    )


def _groups(run: PlanRan) -> dict[str, str] | None:
    result = _answering(run)
    if not isinstance(result, Groups):
        return None
    return {
        " · ".join(each.key) or "All": amount(each.value, each.unit)
        for each in result.groups
        if each.value is not None
    }


def _said(answer: Answer | None) -> str | None:
    if answer is None:
        return None
    if answer.value is not None:
        return amount(answer.value.value, answer.value.unit or "")
    first = answer.text.strip().split("\n", 1)[0]
    return first or None


def four_parts(result: Result | None) -> dict[str, frozenset[str]]:
    """The documents of a result by part; {} of a value. What searches found is all present."""
    found: Documents | None = None
    if isinstance(result, Passages):
        found = documents_of(result)
    elif isinstance(result, Groups):
        found = result.documents
    elif result is not None:
        found = documents_of(result)
    return {part: getattr(found, part) for part in LEDGER_PARTS} if found is not None else {}
