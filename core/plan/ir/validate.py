"""One place that says whether a plan can run, wherever it comes from: a planner, a person, a file, a link."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches

from core.config.pattern import compile_pattern
from core.domain.annotation import Aggregate as Function
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.errors import PlanError, SettingsError
from core.plan.catalogue import Catalogue, FieldEntry
from core.plan.ir.compare_checks import compare_problems
from core.plan.ir.graph_checks import Problem, caps, frame_problems
from core.plan.ir.nodes import (
    Aggregate,
    Combine,
    Compare,
    Condition,
    Hop,
    Node,
    OtherField,
    Plan,
    Read,
    Reference,
    Scope,
    Search,
    Select,
)
from core.plan.ir.row_checks import rows_aggregate_problems, rows_select_problems
from core.records.query.readings import TEXTS, read_value

__all__ = ["Problem", "check", "gives", "validate"]

_ASPECTS = ("unit", "year", "month", "quarter")
_ORDERED = frozenset({Operator.GREATER, Operator.GREATER_EQUAL, Operator.LESS, Operator.LESS_EQUAL})
_OF_STATUS = frozenset({Operator.IS, Operator.MISSING})
_OF_TEXT = frozenset({Operator.CONTAINS, Operator.MATCHES})
_OF_UNITS = frozenset({Operator.EQUAL, Operator.NOT_EQUAL, Operator.IN})
_WITH_UNITS = frozenset({FieldType.MONEY, FieldType.NUMBER})
_SETS = ("documents", "rows", "passages")
_SUMMED = frozenset({Function.SUM, Function.AVG, Function.MEDIAN})
_EXAMPLES = {
    FieldType.DATE: "2024-12-31",
    FieldType.MONEY: "100000 USD",
    FieldType.DURATION: "60 days",
    FieldType.NUMBER: "12.5",
    FieldType.BOOLEAN: "true",
}


def check(plan: Plan, catalogue: Catalogue) -> None:
    """Raise PlanError with every problem of a plan; nothing where it can run."""
    problems = validate(plan, catalogue)
    if problems:
        first = problems[0]
        more = f" And {len(problems) - 1} more." if len(problems) > 1 else ""
        where = f"Node {first.node!r}: " if first.node else ""
        raise PlanError(f"{where}{first.message}{more}", next_step=first.next_step, problems=problems)


def validate(plan: Plan, catalogue: Catalogue) -> tuple[Problem, ...]:
    """Every problem of a plan, in the order of its nodes; () where it can run.

    What a principal may not see is not in the catalogue, so that it is unknown here too.
    """
    if broken := frame_problems(plan):
        return broken
    if problems := list(caps(plan)):
        return tuple(problems)
    types = {node.id: gives(node) for node in plan.nodes}
    checks = _Checks(plan, catalogue, types)
    for node in plan.nodes:
        problems += [Problem(node.id, message, step) for message, step in checks.of(node)]
    return tuple(problems)


def gives(node: Node) -> str:
    """The type of what a node gives, as in `core.domain.results`."""
    if isinstance(node, Select):
        return node.of
    if isinstance(node, Search | Read):
        return "passages"
    if isinstance(node, Aggregate):
        return "groups"
    if isinstance(node, Compare):
        return "comparison"
    return "value" if isinstance(node, Hop) and not node.follow else "documents"


_Said = Iterator[tuple[str, str]]


class _Checks:
    """The checks of single nodes."""

    def __init__(self, plan: Plan, catalogue: Catalogue, types: dict[str, str]) -> None:
        self._plan = plan
        self._catalogue = catalogue
        self._types = types

    def of(self, node: Node) -> _Said:
        """What is wrong with a node, and what to do."""
        checks: dict[type, Callable[..., _Said]] = {
            Search: self._search,
            Select: self._select,
            Combine: self._combine,
            Aggregate: self._aggregate,
            Compare: self._compare,
            Hop: self._hop,
            Read: self._read,
        }
        yield from checks[type(node)](node)

    def _search(self, node: Search) -> _Said:
        beside = node.pairs_with.node if node.pairs_with is not None else None
        yield from self._narrowing(node, 1 if beside is None else 2)
        if beside is not None and beside not in node.inputs:
            yield f"It pairs with {beside!r}, which is not an input of it.", "Connect the two nodes."
        elif beside is not None and self._types[beside] != "passages":
            yield f"{beside!r} gives no passages to pair with.", "Pair with a search."
        yield from self._scope(node.scope)
        if not node.text.strip() and not node.where:
            yield "It looks for nothing.", "Give it a text to search for."

    def _read(self, node: Read) -> _Said:
        yield from self._narrowing(node, 1)
        yield from self._scope(node.scope)
        if not node.inputs and not node.scope.documents:
            yield "It reads everything there is.", "Name documents, or connect a node that finds them."

    def _select(self, node: Select) -> _Said:
        yield from self._scope(node.scope)
        conditions = [
            each
            for clause in node.conditions
            for each in ((clause,) if isinstance(clause, Condition) else clause.any_of)
        ]
        referred = {each.value.node for each in conditions if isinstance(each.value, Reference)}
        for name in referred - set(node.inputs):
            yield f"It takes a value from {name!r}, which is not an input of it.", "Connect the two nodes."
        for name in referred & set(node.inputs):
            if not self._gives_value(name):
                yield (
                    f"{name!r} gives no single value.",
                    "Refer to a hop, or to one computed value.",
                )
        sets = [name for name in node.inputs if name not in referred]
        if len(sets) > 1:
            yield "It is narrowed by more than one set.", "Combine the sets first."
        for name in sets:
            if self._types[name] not in _SETS:
                yield f"{name!r} gives no documents.", "Connect a node that gives documents."
        if node.of == "rows":
            yield from rows_select_problems(node, self._catalogue)
            return
        for condition in conditions:
            yield from self._condition(node, condition)
        for name in (*node.fields, *((node.order_by,) if node.order_by else ())):
            yield from self._known(node, name)

    def _combine(self, node: Combine) -> _Said:
        if len(node.inputs) < 2 or (node.how == "difference" and len(node.inputs) != 2):
            wanted = "exactly two" if node.how == "difference" else "at least two"
            yield (
                f"It has {_inputs(node)}, and needs {wanted}.",
                "Connect nodes that give documents.",
            )
        yield from self._inputs(node, _SETS)

    def _aggregate(self, node: Aggregate) -> _Said:
        if node.shared and (len(node.inputs) < 2 or not node.group_by or node.function is not Function.COUNT):
            yield (
                "Groups are shared by two sets or more.",
                "Connect them, count, and choose what to group by.",
            )
        if not node.shared and len(node.inputs) != 1:
            yield f"It has {_inputs(node)}, and needs one.", "Connect a node that gives documents."
        yield from self._inputs(node, ("documents",) if node.shared else ("documents", "rows"))
        if not node.field and node.function is not Function.COUNT:
            yield f"A {node.function.value} needs a field.", "Choose the field to compute over."
        is_of_rows = any(self._types[name] == "rows" for name in node.inputs)
        if is_of_rows:
            yield from rows_aggregate_problems(node, self._catalogue)
        if node.field and not is_of_rows:
            yield from self._known(node, node.field)
            entry = self._field(node, node.field)
            if entry is not None and node.function in _SUMMED and not _is_summed(entry.type, node.function):
                yield (
                    f"{entry.title} holds {_plural(entry.type)}, which have no {node.function.value}.",
                    "Count them, or choose a field of amounts, numbers or durations.",
                )
        for name in () if is_of_rows else node.group_by:
            yield from self._known(node, _without_aspect(name))
        for unit, rate in node.rates.items():
            if not _is_decimal(rate):
                yield f"The rate {rate!r} of {unit} is no number.", "Write it with a point: 1.08."

    def _compare(self, node: Compare) -> _Said:
        if len(node.inputs) != len(node.labels):
            yield (
                f"It has {_inputs(node)} and {len(node.labels)} labels.",
                "Give each side a label.",
            )
        if len(set(node.labels)) < len(node.labels):
            yield "Two sides have the same label.", "Call them differently."
        yield from self._inputs(node, ("documents",))
        for name in node.fields:
            yield from self._known(node, name)
        entries = [entry for name in node.fields if (entry := self._field(node, name)) is not None]
        yield from compare_problems(node, entries)

    def _hop(self, node: Hop) -> _Said:
        if not node.inputs:
            yield "It has no input to read from.", "Connect a node that finds documents."
        if node.follow:
            yield from self._inputs(node, ("passages",))
            return
        if not node.field and not node.template:
            yield "It asks for nothing.", "Choose a field, or write a question for the documents found."
        yield from self._inputs(node, ("documents", "rows", "groups", "value", "passages"))
        if node.field:
            yield from self._known(node, node.field)

    # -- parts -------------------------------------------------------------------------------------------

    def _narrowing(self, node: Node, most: int) -> _Said:
        if len(node.inputs) > most:
            yield f"It has {_inputs(node)}, and takes {most}.", "Combine the sets first."
        yield from self._inputs(node, _SETS)

    def _inputs(self, node: Node, allowed: tuple[str, ...]) -> _Said:
        for name in node.inputs:
            if self._types[name] not in allowed:
                yield (
                    f"{name!r} gives {_article(self._types[name])}, which it cannot take.",
                    "Connect another node.",
                )

    def _gives_value(self, name: str) -> bool:
        node = self._plan.node(name)
        return self._types[name] == "value" or (isinstance(node, Aggregate) and not node.group_by)

    def _scope(self, scope: Scope) -> _Said:
        if scope.schema_name and self._catalogue.schema(scope.schema_name) is None:
            names = [each.name for each in self._catalogue.schemas]
            yield f"There is no schema {scope.schema_name!r}.", _closest(scope.schema_name, names)
        buckets = {each.bucket for each in self._catalogue.documents} if scope.buckets else set()
        for bucket in scope.buckets:
            if bucket not in buckets:
                yield f"There is no bucket {bucket!r} that you may see.", _closest(bucket, sorted(buckets))
        for id in scope.documents:
            if self._catalogue.document(id) is None:
                yield f"There is no document {id!r} that you may see.", "Take it out of the plan."

    def _condition(self, node: Select, condition: Condition) -> _Said:
        other = condition.value.field if isinstance(condition.value, OtherField) else condition.minus
        unknown = [*self._known(node, _without_unit(condition.field))]
        unknown += [*self._known(node, other)] if other else []
        yield from unknown
        entry = self._field(node, _without_unit(condition.field))
        if unknown or entry is None or condition.op in _OF_STATUS or isinstance(condition.value, Reference):
            return
        if other or entry.name != condition.field:
            yield from _of_derived(condition, entry, self._field(node, other) if other else None)
            return
        values = (condition.value,) if isinstance(condition.value, str) else condition.value
        assert not isinstance(values, OtherField)  # as above
        if not values or (condition.op is Operator.BETWEEN and len(values) != 2):
            yield f"{entry.title} {condition.op.value} needs another number of values.", "Give the value."
        if condition.op in _ORDERED and entry.type in TEXTS:
            yield f"{entry.title} holds texts, which are not compared by {condition.op.value}.", "Use = or ~."
        if condition.op is Operator.MATCHES:
            yield from _compiles(values)
        if condition.op in _OF_TEXT or entry.type in TEXTS:
            return
        mixed = [*_one_currency(entry, values)]
        yield from mixed
        for text in () if mixed else values:
            yield from _readable(entry, text)

    def _known(self, node: Node, name: str) -> _Said:
        if self._field(node, name) is not None:
            return
        schema = self._schema_of(node)
        entries = [each for each in self._catalogue.schemas if schema in ("", each.name)]
        names = [field.name for entry in entries for field in entry.fields]
        yield f"There is no field {name!r}" + (f" in {schema}." if schema else "."), _closest(name, names)

    def _field(self, node: Node, name: str) -> FieldEntry | None:
        return self._catalogue.field(name, self._schema_of(node))

    def _schema_of(self, node: Node) -> str:
        """The schema whose documents a node asks: its own, or that of the only schema behind it."""
        if isinstance(node, Select | Search | Read):
            return node.scope.schema_name
        found = {self._schema_of(self._plan.node(name)) for name in node.inputs}
        return found.pop() if len(found) == 1 else ""


def _of_derived(condition: Condition, entry: FieldEntry, other: FieldEntry | None) -> _Said:
    """What is wrong with a condition on a unit, on the time between two dates, or on another field."""
    if other is None:
        if entry.type not in _WITH_UNITS or condition.op not in _OF_UNITS:
            yield f"{entry.title} has no unit to compare so.", "Use = or != on the unit of an amount."
        return
    if isinstance(condition.value, OtherField):
        if condition.minus:
            yield "It compares with two fields at once.", "Take one of them out."
        elif entry.type is not other.type or condition.op not in {*_ORDERED, *_OF_UNITS} - {Operator.IN}:
            yield (
                f"{entry.title} and {other.title} do not compare by {condition.op.value}.",
                "Compare two fields of one type.",
            )
        return
    if {entry.type, other.type} != {FieldType.DATE}:
        yield f"There is no time between {other.title} and {entry.title}.", "Choose two dates."
        return
    values = (condition.value,) if isinstance(condition.value, str) else condition.value
    lengths = [read_value(text, FieldType.DURATION) for text in (values if isinstance(values, tuple) else ())]
    if len(lengths) != (2 if condition.op is Operator.BETWEEN else 1) or None in lengths:
        yield "It compares a length of time.", f"Write it as {_EXAMPLES[FieldType.DURATION]}."


def _inputs(node: Node) -> str:
    return f"{len(node.inputs)} input{'' if len(node.inputs) == 1 else 's'}"


def _without_unit(name: str) -> str:
    return name.removesuffix(".unit")


def _readable(entry: FieldEntry, text: str) -> _Said:
    value = read_value(text, entry.type)
    if value is None:
        example = _EXAMPLES.get(entry.type, "a value")
        yield f"{text!r} is no value of {entry.title}.", f"Write it as {example}."
    elif value.unit and entry.units and value.unit not in entry.units and entry.type is FieldType.MONEY:
        yield (
            f"{entry.title} holds {', '.join(entry.units)} and no {value.unit}.",
            "Write the amount in one of these, or convert it.",
        )


def _one_currency(entry: FieldEntry, values: tuple[str, ...]) -> _Said:
    found = [read_value(text, entry.type) for text in values] if entry.type is FieldType.MONEY else []
    units = list(dict.fromkeys(each.unit for each in found if each is not None and each.unit))
    if len(units) > 1:
        yield (
            f"Its values of {entry.title} are in different currencies: {', '.join(units)}.",
            "Write all of them in one currency.",
        )


def _compiles(patterns: tuple[str, ...]) -> _Said:
    for pattern in patterns:
        try:
            compile_pattern(pattern)
        except SettingsError as error:
            yield error.message, error.next_step


def _is_summed(kind: FieldType, function: Function) -> bool:
    amounts = (FieldType.MONEY, FieldType.NUMBER, FieldType.DURATION)
    return kind in amounts or (function is Function.MEDIAN and kind is FieldType.DATE)


def _is_decimal(text: str) -> bool:
    try:
        return Decimal(text).is_finite() and Decimal(text) > 0
    except InvalidOperation:
        return False


def _without_aspect(name: str) -> str:
    stem, _, aspect = name.rpartition(".")
    return stem if stem and aspect in _ASPECTS else name


def _closest(name: str, known: Iterable[str]) -> str:
    names = list(dict.fromkeys(known))
    close = get_close_matches(name, names, 3, 0.5) or names[:8]
    return f"Did you mean one of: {', '.join(close)}?" if close else "Nothing of that kind is known yet."


def _plural(kind: FieldType) -> str:
    words = {FieldType.BOOLEAN: "yes or no", FieldType.DATE: "dates", FieldType.PARTY: "names"}
    return words.get(kind, "texts")


def _article(type: str) -> str:
    return {"value": "a value", "groups": "groups", "comparison": "a comparison"}.get(type, type)
