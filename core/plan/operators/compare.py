"""Compare: documents of several inputs side by side on some fields, and what is said of the sides."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from core.domain.annotation import Calculation as Function
from core.domain.fields import CellStatus, FieldType
from core.domain.results import (
    ComparedRow,
    Comparison,
    Conversion,
    Documents,
    FoundValue,
    Groups,
    Result,
    SideTotal,
    Stopped,
    together,
)
from core.errors import UsageError
from core.plan.ir.graph_edits import PlanSteps
from core.plan.ir.nodes import Compare
from core.plan.operators.aggregate import aggregate
from core.plan.operators.base import OperatorParts, documents_of, runs, union, written
from core.plan.operators.calculate import number_in


@runs(Compare)
def compare(node: Compare, inputs: Mapping[str, Result], parts: OperatorParts) -> Comparison | Stopped:
    """A row for each document of each side, by side and title, and what the sides come to."""
    sides: list[Documents] = []
    for name in node.inputs:
        found = documents_of(inputs[name])
        if found is None:
            raise UsageError(
                f"{name!r} gives a value, and no documents to compare.", next_step="Compare documents."
            )
        sides.append(found)
    if len(sides) != len(node.labels):
        raise UsageError(
            f"There are {len(sides)} sides and {len(node.labels)} names for them.",
            next_step="Give every side one name.",
        )
    everything = union(sides)
    known = parts.summaries(everything.present)
    cells = parts.cells(everything.present, node.fields)
    rows = []
    for label, side in zip(node.labels, sides, strict=True):
        ids = [id for id in side.order if id in known] or sorted(
            side.present & known.keys(), key=lambda id: (known[id].name.casefold(), id)
        )
        for id in ids:
            found_cells = [cells.get((id, field)) for field in node.fields]
            texts = tuple(
                written(cell) if cell is not None and cell.finding.status is CellStatus.PRESENT else None
                for cell in found_cells
            )
            rows.append(ComparedRow(side=label, document=id, values=texts))
    compared = Comparison(labels=node.labels, fields=node.fields, rows=tuple(rows), documents=everything)
    if node.function is None and node.outcome == "values":
        return compared
    return _with_totals(node, compared, inputs, parts)


def _with_totals(
    node: Compare, found: Comparison, inputs: Mapping[str, Result], parts: OperatorParts
) -> Comparison | Stopped:
    """The comparison with what each side comes to; stops where a side has no one value to compare."""
    totals: list[SideTotal] = []
    conversions: list[Conversion] = []
    sets: list[Documents] = []
    for label, name in zip(node.labels, node.inputs, strict=True):
        given = [_groups(node, name, field, inputs, parts) for field in node.fields]
        if node.function is None and (stopped := _not_one(node, label, given[0], parts)) is not None:
            return stopped
        totals.append(_total(label, given))
        sets += [each.documents for each in given]
        conversions += [each.conversion for each in given if each.conversion is not None]
    outcome = None
    if node.outcome != "values":
        said = _outcome(node, totals)
        if isinstance(said, Stopped):
            return said
        outcome = said
    return found.model_copy(
        update={
            "totals": tuple(totals),
            "outcome": outcome,
            "documents": union(sets),
            "conversion": together(conversions),
        }
    )


def _groups(
    node: Compare, name: str, field: str, inputs: Mapping[str, Result], parts: OperatorParts
) -> Groups:
    # Of the one document of a side, the greatest of its values is its value.
    function = node.function or Function.MAX
    one = PlanSteps().aggregate("", (name,), function, field).model_copy(update={"into": node.into})
    return aggregate(one, {name: inputs[name]}, parts)


def _total(label: str, given: list[Groups]) -> SideTotal:
    firsts = [groups.groups[0] if groups.groups else None for groups in given]
    documents = frozenset(id for groups in given for id in groups.documents.present)
    return SideTotal(
        side=label,
        values=tuple(None if group is None else group.value for group in firsts),
        units=tuple("" if group is None else group.unit for group in firsts),
        types=tuple("number" if _counts(groups) else groups.value_type for groups in given),
        documents=tuple(sorted(documents)),
    )


def _counts(groups: Groups) -> bool:
    return groups.function in ("count", "distinct")


def _not_one(node: Compare, label: str, groups: Groups, parts: OperatorParts) -> Stopped | None:
    """Reason why a side that stands for one document has no one value."""
    stating = groups.documents.present
    if len(stating) == 1 and groups.rows == 1:
        return None
    titles = sorted(each.name for each in parts.summaries(stating).values())
    if len(stating) > 1:
        return Stopped(
            node=node.id,
            reason=f"{len(stating):,} documents may be meant by “{label}”. Which of them?",
            options=tuple(titles[:8]),
            is_question=True,
        )
    why = "states several values" if stating else "states no value that is known"
    return Stopped(
        node=node.id,
        reason=f"“{label}” {why} of {node.fields[0].replace('_', ' ')}, so it cannot be compared.",
        next_step="Look at the document, or compare another field.",
    )


def _outcome(node: Compare, totals: list[SideTotal]) -> FoundValue | Stopped:
    """Statement on the two sides."""
    lacking = next((each.side for each in totals if each.values[0] is None), None)
    if lacking is not None:
        return Stopped(
            node=node.id,
            reason=f"“{lacking}” comes to no value, so that nothing can be said of both.",
            next_step="Look at its documents.",
        )
    kind = totals[0].types[0]
    if node.outcome in ("greatest", "least"):
        return _first_of(node, totals, kind) or _no_order(node, totals)
    amounts = _amounts(totals, kind)
    if amounts is None:
        return _no_order(node, totals)
    first, second, unit = amounts
    if node.outcome in ("more", "less"):
        holds = first > second if node.outcome == "more" else first < second
        return FoundValue(kind="boolean", text="true" if holds else "false", field=node.fields[0])
    gap = second - first if node.outcome == "shortfall" else first - second
    gap = abs(gap) if node.outcome == "difference" else gap
    shown = "number" if kind in (FieldType.DATE, FieldType.DURATION) else kind
    return FoundValue(kind=shown, text=f"{gap.normalize():f}", unit=unit, field=node.fields[0])


def _no_order(node: Compare, totals: list[SideTotal]) -> Stopped:
    said = " and ".join(dict.fromkeys(each.units[0] or each.types[0] for each in totals))
    return Stopped(
        node=node.id,
        reason=f"The sides are in {said}, which cannot be compared.",
        next_step="Compare fields of one unit.",
    )


def _first_of(node: Compare, totals: list[SideTotal], kind: str) -> FoundValue | None:
    """The sides with the greatest or the least, by their labels; None where they have no common order."""
    ranked: list[tuple[Decimal, str]] = []
    for total in totals:
        found = _amounts([totals[0], total], kind)
        if found is None:
            return None
        ranked.append((found[1], total.side))
    values = [value for value, _ in ranked]
    best = max(values) if node.outcome == "greatest" else min(values)
    named = [side for value, side in ranked if value == best]
    return FoundValue(kind="text", text=" and ".join(named), field=node.fields[0])


def _amounts(totals: list[SideTotal], kind: str) -> tuple[Decimal, Decimal, str] | None:
    """Both values as numbers of one unit; None where they have none in common."""
    one, other = (FoundValue(kind=t.types[0], text=t.values[0] or "", unit=t.units[0]) for t in totals)
    first, second = number_in(one, one), number_in(other, one)
    if first is None or second is None:
        return None
    return first, second, "days" if kind == FieldType.DATE else one.unit
