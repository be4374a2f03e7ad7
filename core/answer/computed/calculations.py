"""Answers that are calculated of other nodes' values: a difference, a share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from core.answer.computed.draft import ComputedDraft, DraftLine, computed_value
from core.answer.computed.lists import MOST_LINES, ledger_of
from core.answer.computed.source import AnswerFacts
from core.answer.computed.templates import CALCULATED, TRUTHS
from core.answer.computed.wording import counted
from core.answer.value import show_value
from core.domain.answer import Column, Ledger, Table, Value
from core.domain.results import Documents, FoundValue, Groups, QueryTable, Result
from core.plan.ir.nodes import Calculate, ComputationNode, Plan
from core.search.evidence.base import Span

_MOST_SPANS = 5  # of one side


def compose_calculation(
    plan: Plan,
    node: Calculate,
    found: FoundValue,
    results: Mapping[str, Result],
    facts_of: Callable[[Collection[str], tuple[str, ...]], AnswerFacts],
) -> ComputedDraft:
    """The value, with what each side of it comes to; figures side by side are none.

    facts_of: the cells of documents in fields, which a side over documents cites.
    """
    value = computed_value(found.text, found.unit, found.kind) if node.how != "values" else None
    sides = [_Side.of(plan, node, at, results) for at in range(len(node.inputs))]
    for side in sides:
        side.cite(facts_of)
    lines = [line for side in sides for line in side.lines()]
    return ComputedDraft(
        lead=DraftLine(_beside(sides) if value is None else _lead(node, value)),
        lines=tuple(lines[:MOST_LINES]),
        value=value,
        table=_table(sides),
        ledger=_ledger(sides),
        gaps=tuple(dict.fromkeys(gap for side in sides for gap in side.gaps())),
        left_out=max(0, len(lines) - MOST_LINES),
    )


def _beside(sides: Sequence[_Side]) -> str:
    """Figures side by side: "With insurance: 5; without: 7; difference: 2"."""
    cells = [cells for side in sides for cells in side.cells()]
    said = [f"{label}: {_shown(value, unit, kind)}" for label, value, unit, kind in cells]
    if len(cells) == 2 and cells[0][2:] == cells[1][2:] and cells[0][3] in ("number", "money"):
        with suppress(InvalidOperation):  # where one comes to no figure
            apart = abs(Decimal(str(cells[0][1])) - Decimal(str(cells[1][1])))
            said.append(f"difference: {_shown(f'{apart:f}', cells[0][2], cells[0][3])}")
    text = "; ".join(said) or "There is no figure to tell"
    return f"{text[:1].upper()}{text[1:]}."


def _shown(value: str | None, unit: str, kind: str) -> str:
    return "none" if value is None else show_value(computed_value(value, unit, kind))


def _lead(node: Calculate, value: Value) -> str:
    labels = [*node.labels, "the first", "the second"][: max(2, len(node.labels))]
    if node.how in TRUTHS:
        said = TRUTHS[node.how].format(*labels)
        return f"Yes: {said}." if value.value == "true" else f"No: it is not so that {said}."
    text = CALCULATED[node.how].format(*labels, value=show_value(value))
    return text[:1].upper() + text[1:]


@dataclass(slots=True)
class _Side:
    """One input with the cells that it rests on. is_told: it stands for itself."""

    label: str
    node: ComputationNode | None
    result: Result
    is_told: bool
    of_documents: tuple[Span, ...] = ()

    def cite(self, facts_of: Callable[[Collection[str], tuple[str, ...]], AnswerFacts]) -> None:
        """Cite the cells of a few documents that one figure is of."""
        result, field = self.result, self.node.field if self.node is not None else ""
        if not isinstance(result, Groups) or result.group_by or not field:
            return
        documents = sorted(result.documents.present)[:_MOST_SPANS]
        facts = facts_of(documents, (field,))
        self.of_documents = tuple(span for id in documents for span in facts.spans(id, field)[:1])

    @classmethod
    def of(cls, plan: Plan, node: Calculate, at: int, results: Mapping[str, Result]) -> _Side:
        name = node.inputs[at]
        behind = plan.node(name)
        label = node.labels[at] if at < len(node.labels) else ""
        own = behind if isinstance(behind, ComputationNode) else None
        return cls(label, own, results[name], node.how == "values")

    def lines(self) -> list[DraftLine]:
        """A line for each group, or one for the value."""
        if isinstance(self.result, FoundValue) and self.is_told:
            return [DraftLine(_shown(self.result.text, self.result.unit, self.result.kind), label=self.label)]
        if not isinstance(self.result, Groups):
            return []
        found = []
        for group in self.result.groups:
            label = " · ".join(group.key) or self.label
            shown = _shown(group.value, group.unit, self._kind)
            count = counted(group.rows, "documents")
            found.append(DraftLine(f"{shown} ({count})", self.of_documents, label=label))
        return found

    @property
    def _kind(self) -> str:
        assert isinstance(self.result, Groups)
        return "number" if self.result.function in ("count", "distinct") else self.result.value_type

    def cells(self) -> list[tuple[str, str | None, str, str]]:
        """Label, value, unit and type of each line."""
        if isinstance(self.result, FoundValue) and self.is_told:
            return [(self.label, self.result.text, self.result.unit, self.result.kind)]
        if not isinstance(self.result, Groups):
            return []
        if not self.result.groups and not self.result.group_by:
            return [(self.label, None, "", self._kind)]
        return [
            (" · ".join(each.key) or self.label, each.value, each.unit, self._kind)
            for each in self.result.groups
        ]

    def gaps(self) -> tuple[str, ...]:
        """What could not take part."""
        if not isinstance(self.result, Groups):
            return ()
        return tuple(
            f"{counted(count, 'rows')} could not take part: {field} is {reason}."
            for field, reason, count in self.result.excluded
        )

    @property
    def documents(self) -> Documents | None:
        """Documents that it rests on."""
        return self.result.documents if isinstance(self.result, Groups | QueryTable) else None


def _table(sides: Sequence[_Side]) -> Table | None:
    rows = [cells for side in sides for cells in side.cells()]
    if not rows:
        return None
    is_number = all(kind in ("number", "money", "duration") for *_, kind in rows)
    columns = (
        Column(name="", type="text"),
        Column(name="Value", type="number" if is_number else "text"),
        Column(name="Unit", type="text"),
    )
    return Table(columns=columns, rows=tuple((label, value, unit or None) for label, value, unit, _ in rows))


def _ledger(sides: Sequence[_Side]) -> Ledger | None:
    known = [side.documents for side in sides if side.documents is not None]
    if not known:
        return None
    scope = frozenset(id for each in known for id in each.scope)
    present = frozenset(id for each in known for id in each.present)
    unreadable = frozenset(id for each in known for id in each.unreadable) - present
    uncertain = frozenset(id for each in known for id in each.uncertain) - present - unreadable
    undecided = unreadable | uncertain
    whole = Documents(
        present=present,
        absent=scope - present - undecided,
        uncertain=uncertain,
        unreadable=unreadable,
        unknown={id: why for each in known for id, why in each.unknown.items() if id in undecided},
    )
    return ledger_of(whole, "documents")
