"""Computation over rows that go with rows of another table, by columns of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal, localcontext

from core.domain.annotation import AggregateGroup, AggregateResult, AnnotationSource, Excluded
from core.domain.annotation import Calculation as Function
from core.domain.fields import AMOUNTS, MONEY_SCALE, NUMBER_SCALE, TEXTS, FieldType
from core.domain.results import Rows
from core.errors import UsageError
from core.plan.ir.node import Combined, ComputationNode
from core.plan.ir.nodes import Aggregate, without_aspect
from core.plan.operators.base import OperatorParts
from core.plan.operators.join import row_keys
from core.store.cells.table_rows import RowKey
from core.store.query.derived import RankedValue
from core.store.query.groups import GroupValues, make_groups

_SCALES = {FieldType.MONEY: MONEY_SCALE}
_DIGITS = 28
_SHOWN = 6  # decimal places of a quotient


def combined_value(
    how: Combined, one: RankedValue | None, other: RankedValue | None, scale: int = 1
) -> RankedValue | None:
    """What a row's two values come to together; None where either is no number, or is missing.

    Of "rest" and "plus" a row that says nothing of the other has none of it.
    """
    if how in ("rest", "plus") and (one is None or other is None):
        return one if how == "rest" or other is None else other
    if one is None or other is None or one.type in TEXTS or other.type in TEXTS:
        return None
    if FieldType.DATE in (one.type, other.type):
        return _between(one, other) if how == "less" and one.type is other.type else None
    left, right = _amount(one), _amount(other)
    if left is None or right is None:
        return None
    if how in ("less", "rest", "plus"):
        if one.unit and other.unit and one.unit != other.unit:
            return None
        return _made(one, one.type, one.unit, left + right if how == "plus" else left - right)
    if how == "times":
        kind = FieldType.MONEY if FieldType.MONEY in (one.type, other.type) else FieldType.NUMBER
        return _made(one, kind, unit_of_product(one, other), left * right)
    if not right:
        return None
    with localcontext(prec=_DIGITS):
        return _made(one, FieldType.NUMBER, unit_of_quotient(one, other, scale), left / right * scale)


def quotients(
    node: ComputationNode,
    members: Mapping[tuple[str, ...], Sequence[int]],
    ones: Sequence[RankedValue | None],
    others: Sequence[RankedValue | None],
) -> list[AggregateGroup]:
    """For each group the sum of one column by that of the other, over the rows that have both.

    Where a group's amounts are in several units there is no value: they are never added up.
    """
    found = []
    for key, taken in sorted(members.items()):
        pairs = [(one, other) for at in taken if (one := ones[at]) and (other := others[at])]
        amounts = [(_amount(one), _amount(other)) for one, other in pairs]
        known = [(left, right) for left, right in amounts if left is not None and right is not None]
        below = sum((right for _, right in known), Decimal(0))
        value = None
        units = {(one.unit, other.unit) for one, other in pairs}
        if below and len(units) == 1:
            with localcontext(prec=_DIGITS):
                above = sum((left for left, _ in known), Decimal(0))
                value = round(above / below * node.scale, _SHOWN).normalize()
        unit = unit_of_quotient(*pairs[0], node.scale) if len(units) == 1 else ""
        found.append(AggregateGroup(key, value, unit, len(known), 0))
    return found


def unit_of_product(one: RankedValue, other: RankedValue) -> str:
    """kg/hl times hl is kg; money times pieces stays money."""
    for rate, of in ((one.unit, other.unit), (other.unit, one.unit)):
        above, slash, below = rate.partition("/")
        if slash and below.strip() == of.strip():
            return above.strip()
    money = [each.unit for each in (one, other) if each.type is FieldType.MONEY]
    return money[0] if money else ""


def unit_of_quotient(one: RankedValue, other: RankedValue, scale: int) -> str:
    """l by km is l/km, or l/100 km."""
    if not one.unit or not other.unit or one.unit == other.unit:
        return one.unit if not other.unit else ""
    return f"{one.unit}/{scale} {other.unit}" if scale > 1 else f"{one.unit}/{other.unit}"


def _between(one: RankedValue, other: RankedValue) -> RankedValue | None:
    try:
        days = (date.fromisoformat(one.text) - date.fromisoformat(other.text)).days
    except ValueError:
        return None
    return _made(one, FieldType.NUMBER, "days", Decimal(days))


def _amount(value: RankedValue) -> Decimal | None:
    if value.amount is None:
        return None
    return Decimal(value.amount).scaleb(-_SCALES.get(value.type, NUMBER_SCALE))


def _made(of: RankedValue, kind: FieldType, unit: str, value: Decimal) -> RankedValue:
    amount = round(value.scaleb(_SCALES.get(kind, NUMBER_SCALE)))
    return RankedValue(of.document, kind, unit, amount, f"{value:f}", "")


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
    groups = make_groups(parts, node.function, node.field)
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
