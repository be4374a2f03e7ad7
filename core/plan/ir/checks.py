"""Checks that the nodes of a plan share: inputs that fit, fields that exist, values that can be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from core.config.pattern import compile_pattern
from core.domain.annotation import Calculation as Function
from core.domain.fields import TEXTS, WITH_UNITS, FieldType
from core.domain.predicate import INEQUALITIES, Operator
from core.errors import PlanError, SettingsError
from core.plan.catalogue import Catalogue, ColumnEntry, FieldEntry, column_key
from core.plan.ir.node import Condition, Node, OtherField, Reference, Scope, schema_of
from core.values.canonical import read_value

SETS = ("documents", "rows", "passages")
"""Types of results that are about documents."""
SUMMED = frozenset({Function.SUM, Function.AVG, Function.MEDIAN})

Said = Iterator[tuple[str, str]]
"""Problems of a node, each with a next step."""

_OF_STATUS = frozenset({Operator.IS, Operator.MISSING})
_OF_TEXT = frozenset({Operator.CONTAINS, Operator.MATCHES})
_OF_UNITS = frozenset({Operator.EQUAL, Operator.NOT_EQUAL, Operator.IN})
_EXAMPLES = {
    FieldType.DATE: "2024-12-31",
    FieldType.MONEY: "100000 USD",
    FieldType.DURATION: "60 days",
    FieldType.NUMBER: "12.5",
    FieldType.BOOLEAN: "true",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """Problem that keeps a plan from running. node: which one is meant; None for the plan as a whole."""

    node: str | None
    message: str
    next_step: str = ""


def plan_error(problems: tuple[Problem, ...]) -> PlanError:
    """The error that tells the first of some problems, and has all of them."""
    first = problems[0]
    more = f" And {len(problems) - 1} more." if len(problems) > 1 else ""
    where = f"Node {first.node!r}: " if first.node else ""
    return PlanError(f"{where}{first.message}{more}", next_step=first.next_step, problems=problems)


@dataclass(frozen=True, slots=True)
class Checks:
    """Checks over the nodes of one plan. types: of all results; values: the nodes that give one value."""

    nodes: Mapping[str, Node]
    types: Mapping[str, str]
    values: frozenset[str]
    catalogue: Catalogue

    def narrowing(self, node: Node, most: int) -> Said:
        """Problems of inputs that narrow a node: too many of them, or none that are sets."""
        if len(node.inputs) > most:
            yield f"It has {counted_inputs(node)}, and takes {most}.", "Combine the sets first."
        yield from self.inputs(node, SETS)

    def inputs(self, node: Node, allowed: tuple[str, ...]) -> Said:
        """Inputs whose results are of none of the allowed types."""
        for name in node.inputs:
            if self.types[name] not in allowed:
                yield (
                    f"{name!r} gives {_article(self.types[name])}, which it cannot take.",
                    "Connect another node.",
                )

    def scope(self, scope: Scope) -> Said:
        """Parts of a scope that do not exist, or may not be seen."""
        if scope.schema_name and self.catalogue.schema(scope.schema_name) is None:
            names = [each.name for each in self.catalogue.schemas]
            yield f"There is no schema {scope.schema_name!r}.", _closest(scope.schema_name, names)
        buckets = {each.bucket for each in self.catalogue.documents} if scope.buckets else set()
        for bucket in scope.buckets:
            if bucket not in buckets:
                yield f"There is no bucket {bucket!r} that you may see.", _closest(bucket, sorted(buckets))
        for id in scope.documents:
            if self.catalogue.document(id) is None:
                yield f"There is no document {id!r} that you may see.", "Take it out of the plan."

    def condition(self, node: Node, condition: Condition) -> Said:
        """Problems of a condition on a field: unknown, of another type, with values that cannot be read."""
        other = condition.value.field if isinstance(condition.value, OtherField) else condition.minus
        unknown = [*self.known(node, _without_unit(condition.field))]
        unknown += [*self.known(node, other)] if other else []
        yield from unknown
        entry = self.field(node, _without_unit(condition.field))
        if unknown or entry is None or condition.op in _OF_STATUS or isinstance(condition.value, Reference):
            return
        if other or entry.name != condition.field:
            yield from _of_derived(condition, entry, self.field(node, other) if other else None)
            return
        values = condition.texts
        if not values or (condition.op is Operator.BETWEEN and len(values) != 2):
            yield f"{entry.title} {condition.op.value} needs another number of values.", "Give the value."
        if condition.op in INEQUALITIES and entry.type in TEXTS:
            yield f"{entry.title} holds texts, which are not compared by {condition.op.value}.", "Use = or ~."
        if condition.op is Operator.MATCHES:
            yield from _compiles(values)
        if condition.op in _OF_TEXT or entry.type in TEXTS:
            return
        mixed = [*_one_currency(entry, values)]
        yield from mixed
        for text in () if mixed else values:
            yield from _readable(entry, text)

    def known(self, node: Node, name: str) -> Said:
        """A field that the documents of a node do not have, with those that are called alike."""
        if self.field(node, name) is not None:
            return
        schema = schema_of(node, self.nodes)
        entries = [each for each in self.catalogue.schemas if schema in ("", each.name)]
        names = [field.name for entry in entries for field in entry.fields]
        yield f"There is no field {name!r}" + (f" in {schema}." if schema else "."), _closest(name, names)

    def field(self, node: Node, name: str) -> FieldEntry | None:
        """The field of that name of the documents that a node asks; None where they have none."""
        return self.catalogue.field(name, schema_of(node, self.nodes))


def _of_derived(condition: Condition, entry: FieldEntry, other: FieldEntry | None) -> Said:
    """Problems of a condition on a unit, on the time between two dates, or on another field."""
    if other is None:
        if entry.type not in WITH_UNITS or condition.op not in _OF_UNITS:
            yield f"{entry.title} has no unit to compare so.", "Use = or != on the unit of an amount."
        return
    if isinstance(condition.value, OtherField):
        if condition.minus:
            yield "It compares with two fields at once.", "Take one of them out."
        elif entry.type is not other.type or condition.op not in {*INEQUALITIES, *_OF_UNITS} - {Operator.IN}:
            yield (
                f"{entry.title} and {other.title} do not compare by {condition.op.value}.",
                "Compare two fields of one type.",
            )
        return
    if {entry.type, other.type} != {FieldType.DATE}:
        yield f"There is no time between {other.title} and {entry.title}.", "Choose two dates."
        return
    lengths = [read_value(text, FieldType.DURATION) for text in condition.texts]
    if len(lengths) != (2 if condition.op is Operator.BETWEEN else 1) or None in lengths:
        yield "It compares a length of time.", f"Write it as {_EXAMPLES[FieldType.DURATION]}."


def counted_inputs(node: Node) -> str:
    """`1 input`, `3 inputs`."""
    return f"{len(node.inputs)} input{'' if len(node.inputs) == 1 else 's'}"


def _without_unit(name: str) -> str:
    return name.removesuffix(".unit")


def _readable(entry: FieldEntry, text: str) -> Said:
    value = read_value(text, entry.type)
    if value is None:
        example = _EXAMPLES.get(entry.type, "a value")
        yield f"{text!r} is no value of {entry.title}.", f"Write it as {example}."
    elif value.unit and entry.units and value.unit not in entry.units and entry.type is FieldType.MONEY:
        yield (
            f"{entry.title} holds {', '.join(entry.units)} and no {value.unit}.",
            "Write the amount in one of these, or convert it.",
        )


def _one_currency(entry: FieldEntry, values: tuple[str, ...]) -> Said:
    found = [read_value(text, entry.type) for text in values] if entry.type is FieldType.MONEY else []
    units = list(dict.fromkeys(each.unit for each in found if each is not None and each.unit))
    if len(units) > 1:
        yield (
            f"Its values of {entry.title} are in different currencies: {', '.join(units)}.",
            "Write all of them in one currency.",
        )


def _compiles(patterns: tuple[str, ...]) -> Said:
    for pattern in patterns:
        try:
            compile_pattern(pattern)
        except SettingsError as error:
            yield error.message, error.next_step


def _closest(name: str, known: Iterable[str]) -> str:
    names = list(dict.fromkeys(known))
    close = get_close_matches(name, names, 3, 0.5) or names[:8]
    return f"Did you mean one of: {', '.join(close)}?" if close else "Nothing of that kind is known yet."


def _article(type: str) -> str:
    return {"value": "a value", "groups": "groups", "comparison": "a comparison"}.get(type, type)


def columns_of(name: str, catalogue: Catalogue) -> list[ColumnEntry]:
    """The columns of tables that a name means, in any table."""
    key = column_key(name)
    return [column for table in catalogue.tables for column in table.columns if column.key == key]


def known_column(name: str, catalogue: Catalogue) -> Said:
    """A column that no table has, with those that are called alike."""
    is_listed = column_key(name) in map(column_key, catalogue.columns)
    if columns_of(name, catalogue) or catalogue.field(name) is not None or is_listed:
        return
    known = [*catalogue.columns, *(c.name for t in catalogue.tables for c in t.columns)]
    yield (
        f"No table has a column {name!r}.",
        _closest(name, known) if known else "No document has a table yet.",
    )
