"""Ground that all operators share: sets of documents, what is read from, and how inputs are read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, InvalidOperation
from functools import reduce
from typing import TYPE_CHECKING, Protocol, TypeVar

from core.domain.answer import Citation, Value
from core.domain.document import DocumentSummary
from core.domain.fields import MONEY_SCALE, NUMBER_SCALE, Cell, FieldType, Quote
from core.domain.ids import DocumentId
from core.domain.matrix import Asking
from core.domain.predicate import OfField, Operator, Predicate
from core.domain.results import (
    Comparison,
    Connections,
    Documents,
    FoundValue,
    Groups,
    Passages,
    QueryTable,
    Result,
    Stopped,
    Unknown,
)
from core.domain.search import SearchQuery, SearchReport
from core.errors import UsageError
from core.plan.ir.nodes import Choice, Condition, Node, OtherField, Reference, ScopedNode, flattened
from core.search.search import PassageFinder
from core.store.cells.amendments import StandIns
from core.store.database.visibility import Visibility
from core.store.query.derived import UNIT
from core.store.query.evaluate import Clause
from core.store.query.sources import JudgedScope
from core.store.store import Records

if TYPE_CHECKING:
    from core.datasets.engine import RowEngine
    from core.graph.maps import Maps

_PLACES: dict[str, int] = {FieldType.MONEY: MONEY_SCALE, FieldType.NUMBER: NUMBER_SCALE}


def as_stored(found: FoundValue, op: Operator) -> str:
    """The text of a value, an average that is finer than what is stored on the side that decides the same.

    Nothing that is stored lies between 367.5937 and 367.59375: it is above both, or above none.
    """
    places = _PLACES.get(found.kind)
    try:
        number = Decimal(found.text)
    except InvalidOperation:
        return found.text
    exponent = number.as_tuple().exponent
    if places is None or not isinstance(exponent, int) or -exponent <= places:
        return found.text
    is_below = op in (Operator.GREATER, Operator.LESS_EQUAL)
    is_above = op in (Operator.LESS, Operator.GREATER_EQUAL)
    rounding = ROUND_FLOOR if is_below else ROUND_CEILING if is_above else ROUND_HALF_EVEN
    return f"{number.quantize(Decimal(1).scaleb(-places), rounding):f}"


ValueReader = Callable[[str, str], Sequence[Value]]
"""Finds the values that a sentence states of the sort that a question asks for."""


def intersect(sides: Sequence[Documents]) -> Documents:
    """Documents that belong to every side; the scope is that of all sides together."""
    return reduce(_both, sides)


def union(sides: Sequence[Documents]) -> Documents:
    """Documents that belong to any side; the scope is that of all sides together."""
    return reduce(_either, sides)


def difference(left: Documents, right: Documents) -> Documents:
    """Documents of the left side that are not of the right one; the scope is that of both together."""
    return _both(left, complement(_widened(right, left.scope)))


def complement(side: Documents) -> Documents:
    """The documents of the scope that do not belong."""
    return side.model_copy(update={"present": side.absent, "absent": side.present, "order": ()})


def narrowed(within: Documents, judged: Documents) -> Documents:
    """Part of `judged` on the documents that belong to `within`, or may; no others are in scope."""
    scope, merged = within.scope - within.absent, _both(within, judged)
    return merged.model_copy(
        update={
            "absent": merged.absent & scope,
            "uncertain": merged.uncertain & scope,
            "unreadable": merged.unreadable & scope,
            "unknown": {id: why for id, why in merged.unknown.items() if id in scope},
        }
    )


def _both(left: Documents, right: Documents) -> Documents:
    left, right = _widened(left, right.scope), _widened(right, left.scope)
    return _settled(left, right, left.present & right.present, left.absent | right.absent)


def _either(left: Documents, right: Documents) -> Documents:
    left, right = _widened(left, right.scope), _widened(right, left.scope)
    return _settled(left, right, left.present | right.present, left.absent & right.absent)


def _widened(side: Documents, scope: frozenset[str]) -> Documents:
    return side.model_copy(update={"absent": side.absent | (scope - side.scope)})


def _settled(left: Documents, right: Documents, present: frozenset[str], absent: frozenset[str]) -> Documents:
    """The rest is not known: unreadable where either side could read nothing, else uncertain."""
    rest = left.scope - present - absent
    unreadable = rest & (left.unreadable | right.unreadable)
    return Documents(
        present=present,
        absent=absent,
        uncertain=rest - unreadable,
        unreadable=unreadable,
        order=tuple(id for id in left.order or right.order if id in present),
        unknown={id: why for id in rest if (why := _why(id, left, right)) is not None},
        is_exhaustive=left.is_exhaustive and right.is_exhaustive,
    )


def _why(id: str, left: Documents, right: Documents) -> Unknown | None:
    """One reason, the same whichever side comes first."""
    reasons = [side.unknown[id] for side in (left, right) if id in side.unknown]
    return min(reasons, key=lambda each: (each.field, each.reason), default=None)


WhoIsAsked = Callable[[Visibility], Asking]
N = TypeVar("N", bound=Node)
R = TypeVar("R", bound=Result | Stopped)


class Finder(PassageFinder, Protocol):
    """Finds passages, or facts where the query names another index."""

    def search(self, query: SearchQuery, visibility: Visibility) -> SearchReport:
        """The hits, best first. Raises IndexUnavailableError, UsageError."""
        ...


@dataclass(frozen=True, slots=True)
class OperatorParts:
    """Parts that operators read from. visible: what may be seen. deadline_s: how long one may take.

    engine: asks rows by SQL; maps: makes maps; None where there is none.
    """

    records: Records
    finder: Finder
    asking_of: WhoIsAsked
    values: ValueReader
    visible: Visibility
    follows_amendments: bool = True
    deadline_s: float = 8.0
    engine: RowEngine | None = None
    maps: Maps | None = None

    @property
    def asking(self) -> Asking:
        """The documents that are asked for fields."""
        return self.asking_of(self.visible)

    def stand_ins(self, fields: Collection[str]) -> StandIns:
        """Documents that say what holds of others, by field."""
        return self.records.amendments.stand_ins(self.visible, fields) if self.follows_amendments else {}

    def summaries(self, ids: Collection[str]) -> dict[str, DocumentSummary]:
        """The documents of these ids that may be seen."""
        found = self.records.documents.get_many([DocumentId(each) for each in ids], self.visible)
        return {str(id): summary for id, summary in found.items()}

    def cells(self, ids: Collection[str], fields: Collection[str]) -> dict[tuple[str, str], Cell]:
        """By document and field the cells that count; of an amended field that of the amendment."""
        stand_ins = self.stand_ins(fields)
        others = {other for of in stand_ins.values() for id, other in of.items() if id in ids}
        wanted = [DocumentId(each) for each in {*ids, *others}]
        found = {
            (str(cell.document), cell.field): cell
            for cell in self.records.fields.cells(self.visible, documents=wanted, fields=fields)
        }
        names = {(id, field): (stand_ins.get(field, {}).get(id, id), field) for id in ids for field in fields}
        return {name: found[source] for name, source in names.items() if source in found}


NodeOperator = Callable[[N, Mapping[str, Result], OperatorParts], R]
_OPERATORS: dict[type[Node], Callable[..., Result | Stopped]] = {}


def runs(kind: type[N]) -> Callable[[NodeOperator[N, R]], NodeOperator[N, R]]:
    """Register a function as the operator of a kind of node."""

    def registered(operator: NodeOperator[N, R]) -> NodeOperator[N, R]:
        _OPERATORS[kind] = operator
        return operator

    return registered


def operator_of(node: Node) -> Callable[..., Result | Stopped]:
    """The operator that runs a node. Raises KeyError where its kind has none."""
    return _OPERATORS[type(node)]


def documents_of(result: Result) -> Documents | None:
    """The documents that a result is about; None of a value.

    Of groups, those of the groups that are shown; of passages, those that they stand in: these are not all.
    """
    if isinstance(result, Documents):
        return result
    if isinstance(result, Passages):
        found = frozenset(hit.document for hit in result.hits)
        return Documents(present=found, is_exhaustive=result.is_exhaustive)
    if isinstance(result, Groups):
        shown = frozenset(id for group in result.groups for id in group.documents)
        return result.documents.keeping(result.documents.present & shown, order=result.documents.order)
    return result.documents if isinstance(result, Comparison | QueryTable | Connections) else None


def sets_of(inputs: Iterable[Result]) -> Documents | None:
    """The documents that all inputs have in common; None where none of them is about documents."""
    found = [each for result in inputs if (each := documents_of(result)) is not None]
    return intersect(found) if found else None


def value_of(result: Result, name: str) -> FoundValue:
    """The one value of a result. Raises UsageError where it has none, or several."""
    if isinstance(result, FoundValue):
        return result
    if isinstance(result, Groups):
        groups = [group for group in result.groups if group.value is not None]
        if len(groups) == 1 and groups[0].value is not None:
            return FoundValue(
                kind=result.value_type, text=groups[0].value, unit=groups[0].unit, field=result.field
            )
        raise UsageError(
            f"{name!r} gives {len(groups) or 'no'} values, where one is needed.",
            next_step="Take away its grouping, or ask for the first group only.",
        )
    if isinstance(result, QueryTable) and result.total == 1 and len(result.columns) == 1:
        column, text = result.columns[0], result.rows[0].values[0]
        if text is not None:
            return FoundValue(kind=column.kind, text=text, unit=column.unit)
    raise UsageError(
        f"{name!r} gives no value that a condition could compare with.",
        next_step="Refer to a look-up of a value, or to a computation.",
    )


def cited(n: int, document: DocumentId, version: int, quote: Quote, title: str, source: str) -> Citation:
    """A quote as a citation. title, source: of its document."""
    return Citation(
        n=n,
        document=document,
        title=title,
        source=source,
        version=version,
        page=quote.span.page_no,
        start=quote.span.start,
        end=quote.span.end,
        quote=quote.quote,
    )


def clauses_of(conditions: Iterable[Condition | Choice], inputs: Mapping[str, Result]) -> list[Clause]:
    """Conditions as records judge them, with the values that they refer to."""
    return [
        tuple(_predicate(each, inputs) for each in condition.any_of)
        if isinstance(condition, Choice)
        else _predicate(condition, inputs)
        for condition in conditions
    ]


def fields_of(conditions: Iterable[Condition | Choice]) -> frozenset[str]:
    """The fields whose values conditions need."""
    found = set[str]()
    for each in flattened(conditions):
        found.add(each.field.removesuffix(UNIT))
        found |= {each.minus} if each.minus else set()
        found |= {each.value.field} if isinstance(each.value, OtherField) else set()
    return frozenset(found)


def scope_of(node: Node) -> JudgedScope:
    """The scope of a node that has one."""
    if not isinstance(node, ScopedNode):
        return JudgedScope()
    return JudgedScope(node.scope.buckets, node.scope.schema_name, node.scope.documents)


def written(cell: Cell) -> str:
    """Words of a cell, as a person reads them: values with their units, several with a semicolon between."""
    return "; ".join(f"{value.text} {value.unit}".strip() for value in cell.finding.values)


def _predicate(condition: Condition, inputs: Mapping[str, Result]) -> Predicate:
    value = condition.value
    if isinstance(value, OtherField):
        return Predicate(condition.field, condition.op, OfField(value.field))
    if not isinstance(value, Reference):
        return Predicate(condition.field, condition.op, value, condition.minus)
    if value.node not in inputs:
        raise UsageError(
            f"The condition on {condition.field!r} needs the value of {value.node!r}, which is no input.",
            next_step=f"Make {value.node!r} an input of it.",
        )
    found = value_of(inputs[value.node], value.node)
    if found.options:
        return Predicate(condition.field, condition.op, found.options, condition.minus)
    text = as_stored(found, condition.op)
    return Predicate(condition.field, condition.op, f"{text} {found.unit}".strip(), condition.minus)
