"""Computation over rows that go with rows of another table, by columns of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal

from core.domain.annotation import AggregateGroup, AggregateResult, AnnotationSource, Excluded
from core.domain.annotation import Calculation as Function
from core.domain.fields import AMOUNTS, TEXTS, FieldType
from core.domain.results import Rows
from core.errors import UsageError
from core.plan.ir.nodes import Aggregate, without_aspect
from core.records.cells.table_rows import RowKey
from core.records.query.derived import RankedValue
from core.records.query.groups import GroupValues, make_groups
from core.retrieval.operators.base import OperatorParts
from core.retrieval.operators.combined_values import combined_value, quotients
from core.retrieval.operators.join import row_keys

_SEPARATOR = "\x1f"
_COUNTING = (Function.COUNT, Function.DISTINCT)
_Key = tuple[str, ...]


def joined_groups(node: Aggregate, rows: Rows, parts: OperatorParts) -> AggregateResult:
    """The groups, each with the documents that it is made of. Raises UsageError for mixed units."""
    keys = row_keys(rows.picked)
    named = rows.partners or ("",) * len(keys)
    partners = [row_keys((name,))[0] if name else None for name in named]
    columns = {name: _values(name, keys, partners, parts) for name in _columns(node)}
    members: dict[_Key, list[int]] = {}
    excluded: Counter[tuple[str, str]] = Counter()
    for at in range(len(keys)):
        key = _group_key(node, columns, at)
        if key is None:
            excluded[node.group_by[0], "missing"] += 1
        else:
            members.setdefault(key, []).append(at)
    found = columns.get(node.field, [])
    if node.combined == "per" and node.function is Function.SUM:
        groups, kind = quotients(node, members, found, columns[node.other]), FieldType.NUMBER
    else:
        if node.combined:
            pairs = zip(found, columns[node.other], strict=True)
            found = [combined_value(node.combined, one, other, node.scale) for one, other in pairs]
        groups, kind = _computed(node, members, found, excluded)
    of = {key: tuple(sorted({str(keys[at][0]) for at in taken})) for key, taken in members.items()}
    return AggregateResult(
        aggregate=node.function,
        field=node.field,
        group_by=node.group_by,
        groups=tuple(groups),
        type=kind,
        source=AnnotationSource.ROWS,
        scope=len(keys),
        rows=sum(group.rows for group in groups),
        excluded=tuple(Excluded(field, why, count) for (field, why), count in sorted(excluded.items())),
        members=tuple(of.get(group.key, ()) for group in groups),
    )


def _columns(node: Aggregate) -> list[str]:
    own = tuple(name for name in (node.field, node.other) if name)
    return list(dict.fromkeys((*own, *map(without_aspect, node.group_by))))


def _values(
    name: str, keys: Sequence[RowKey], partners: Sequence[RowKey | None], parts: OperatorParts
) -> list[RankedValue | None]:
    """The values of a column in rows: their own, else those of their partners."""
    own = parts.records.row_selection.values(keys, name)
    if own:
        return [own.get(key) for key in keys]
    others = parts.records.row_selection.values([each for each in partners if each is not None], name)
    return [others.get(each) if each is not None else None for each in partners]


def _group_key(node: Aggregate, columns: dict[str, list[RankedValue | None]], at: int) -> _Key | None:
    key = []
    for name in node.group_by:
        value = columns[without_aspect(name)][at]
        if value is None:
            return None
        aspect = name.removeprefix(without_aspect(name)).removeprefix(".")
        key.append(_aspect(value, aspect))
    return tuple(key)


def _aspect(value: RankedValue, aspect: str) -> str:
    if aspect == "unit":
        return value.unit
    if aspect and value.type is FieldType.DATE:
        year, month = value.text[:4], value.text[:7]
        quarter = f"{year}-Q{(int(value.text[5:7]) + 2) // 3}"
        return {"year": year, "month": month, "quarter": quarter}[aspect]
    return f"{value.text} {value.unit}".strip()


def _computed(
    node: Aggregate,
    members: dict[_Key, list[int]],
    found: Sequence[RankedValue | None],
    excluded: Counter[tuple[str, str]],
) -> tuple[list[AggregateGroup], FieldType]:
    if node.function in _COUNTING:
        return [_counted(node, key, taken, found) for key, taken in sorted(members.items())], FieldType.NUMBER
    parts: list[GroupValues] = []
    for key, taken in members.items():
        of_kind: dict[tuple[FieldType, str], list[RankedValue]] = {}
        for at in taken:
            value = found[at]
            if value is None:
                excluded[node.field, "missing"] += 1
            elif value.type in TEXTS or value.amount is None:
                excluded[node.field, "not a number"] += 1
            else:
                of_kind.setdefault((value.type, value.unit), []).append(value)
        parts += [_part(key, kind, unit, values) for (kind, unit), values in of_kind.items()]
    if any(part.type not in AMOUNTS for part in parts) and node.function in (Function.SUM, Function.AVG):
        raise UsageError(
            f"{node.field!r} holds dates, which have no {node.function.value}.", next_step="Count the rows."
        )
    groups = make_groups(parts, node.function, node.field, {}, "")
    if not groups and not node.group_by:
        groups = [AggregateGroup((), None, "", 0, 0)]
    return groups, parts[0].type if parts else FieldType.NUMBER


def _counted(
    node: Aggregate, key: _Key, taken: Sequence[int], found: Sequence[RankedValue | None]
) -> AggregateGroup:
    values = [found[at] for at in taken] if node.field else []
    known = [each for each in values if each is not None]
    count = len(known) if node.field else len(taken)
    if node.function is Function.DISTINCT:
        count = len({each.key + _SEPARATOR + each.unit for each in known})
    return AggregateGroup(key, Decimal(count), "", len(taken), 0)


def _part(key: _Key, kind: FieldType, unit: str, values: Sequence[RankedValue]) -> GroupValues:
    amounts = sorted(each.amount for each in values if each.amount is not None)
    return GroupValues(
        key=key,
        name=key,
        type=kind,
        unit=unit,
        rows=len(amounts),
        documents=len({each.document for each in values}),
        total=sum(amounts),
        low=amounts[0],
        high=amounts[-1],
        values=tuple(amounts[(len(amounts) - 1) // 2 : len(amounts) // 2 + 1]),
    )
