"""The specification of a kind of node but for its operator: its checks, traits, form and estimate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Generic, Literal, TypeVar

from core.config.pattern import compile_pattern
from core.domain.annotation import Calculation as Function
from core.domain.fields import TEXTS, WITH_UNITS, FieldType
from core.domain.predicate import INEQUALITIES, Operator
from core.domain.trust.permission import Trait
from core.errors import PlanError, SettingsError
from core.plan.catalogue import Catalogue, ColumnEntry, FieldEntry, SchemaEntry, column_key
from core.plan.ir.node import (
    MAX_ROWS,
    ROW_PLACE,
    Choice,
    Condition,
    Node,
    OtherField,
    Reference,
    Scope,
    ScopedNode,
    SelectionNode,
    ancestors,
    clause_parts,
    flattened,
    schema_of,
    without_aspect,
)
from core.plan.ir.statistics import Cost, Statistics
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
COMPUTED = frozenset({Function.SUM, Function.AVG, Function.MEDIAN, Function.MIN, Function.MAX})
_KIND, _POLICY = "document_kind", "policy"
_ABSENT = "absent"
Widget = Literal[
    "choice",  # one of many options
    "segments",  # one of a few options, all of them shown
    "line",
    "text",
    "lines",  # several texts, one a line
    "number",
    "share",  # 0 to 1
    "switch",
    "field",  # one field of the documents, or none
    "fields",
    "groups",  # fields, and aspects of dates and amounts
    "conditions",
    "scope",  # documents that are asked, by buckets, titles and perhaps kind
    "rates",  # conversion rates with `into`, the unit that they lead to
    "sides",  # inputs, with a label for each
]
Title = Callable[[str], str]
"""Titles of fields, and of aspects of them, by their names."""
N = TypeVar("N", bound=Node)
Joint = Literal["", "and", "or", "not"]


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

    def converted(self, node: Node, into: str, *names: str) -> Said:
        """Problems of a conversion: a currency that has no rate, or values that are no amounts of money."""
        if into not in self.catalogue.accounting.currencies:
            yield f"There is no exchange rate of {into!r}.", "An admin sets rates on the page Settings."
        for entry in (self.field(node, name) for name in names):
            if entry is not None and entry.type is not FieldType.MONEY:
                yield f"{entry.title} holds no amounts of money.", "Leave the currency out."

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
    return [column for table in catalogue.rows_by_sql for column in table.columns if column.key == key]


@dataclass(frozen=True, slots=True)
class TraitSetting:
    """The plan around a node, and the collection that it asks, by the catalogue of who asks."""

    nodes: Mapping[str, Node]
    catalogue: Catalogue

    def is_money(self, node: Node, name: str) -> bool:
        """True where a field or column of that name holds amounts of money; also where nobody knows it."""
        stem = without_aspect(name)
        if not stem or stem != name:  # `fee.unit` is a currency, `fee` the amount
            return False
        types = {each.type for each in self._fields(node, stem)}
        types |= {column.type for column in columns_of(stem, self.catalogue)}
        return FieldType.MONEY in types or not types

    def asks_absence(self, node: SelectionNode) -> bool:
        """True where a selection chooses documents by what they lack."""
        return any(self._is_absence(node, clause) for clause in node.conditions)

    def asks_presence(self, node: SelectionNode) -> bool:
        """True where a selection chooses documents by whether something stands in them, either way."""
        return any(
            each.op in (Operator.IS, Operator.MISSING) or self._is_clause(node, each.field)
            for each in flattened(node.conditions)
        )

    def is_held_against_policy(self, node: SelectionNode) -> bool:
        """True where documents are compared with a value that is read from a policy."""
        conditions = flattened(node.conditions)
        names = [each.value.node for each in conditions if isinstance(each.value, Reference)]
        return any(self._is_policy(each) for each in ancestors(names, self.nodes).values())

    def _fields(self, node: Node, name: str) -> list[FieldEntry]:
        """The fields of that name of every schema that a node may ask."""
        schema = schema_of(node, self.nodes) if all(id in self.nodes for id in node.inputs) else ""
        schemas = [each for each in self.catalogue.schemas if schema in ("", each.name)]
        return [entry for each in schemas if (entry := each.field(name)) is not None]

    def _is_clause(self, node: Node, name: str) -> bool:
        return any(each.type is FieldType.BOOLEAN for each in self._fields(node, name))

    def _is_absence(self, node: SelectionNode, clause: Condition | Choice) -> bool:
        parts = clause_parts(clause)
        return any(self._lacks(node, each) and not self._completes(node, each, parts) for each in parts)

    def _lacks(self, node: SelectionNode, condition: Condition) -> bool:
        if node.of == "rows" and columns_of(condition.field, self.catalogue):
            return False  # an empty cell of a table
        if condition.op is Operator.MISSING:
            return True
        values = set(condition.texts)
        if condition.op is Operator.IS:
            return _ABSENT in values or not values
        if not self._is_clause(node, condition.field):
            return False
        return condition.op is not Operator.EQUAL or values != {"true"}

    def _completes(self, node: SelectionNode, condition: Condition, parts: tuple[Condition, ...]) -> bool:
        """True where it completes "is not X" of a name by those that have none, or a date by an open end."""
        types = {each.type for each in self._fields(node, condition.field)}
        same = {each.op for each in parts if each.field == condition.field}
        is_name = bool(types) and types <= TEXTS and Operator.NOT_EQUAL in same
        return is_name or (types == {FieldType.DATE} and bool(same & INEQUALITIES))

    def _is_policy(self, node: Node) -> bool:
        if isinstance(node, ScopedNode):
            known = (self.catalogue.document(id) for id in node.scope.documents)
            if any(e and (e.kind == _POLICY or (not e.kind and _POLICY in e.title.lower())) for e in known):
                return True
        conditions = flattened(node.conditions) if isinstance(node, SelectionNode) else []
        return any(each.field == _KIND and _POLICY in " ".join(each.texts).casefold() for each in conditions)


@dataclass(frozen=True, slots=True)
class FormField:
    """One part of a form. name: the field of the node. label: of its widget; brief: where it is only read.

    key: ends the key of the widget. options: values with their words. none: said where nothing is chosen.
    needs: name and value of another part, without which it is off. is_needed: an empty choice is not taken.
    of_kind: whether a scope is chosen by the kind of documents too. low, high: of numbers.
    says: the words where it is read, of the whole node; "" leaves it out. None: those of the widget.
    """

    name: str
    label: str
    widget: Widget
    key: str = ""
    brief: str = ""
    options: Mapping[Any, str] = field(default_factory=dict)
    none: str = ""
    help: str | None = None
    low: int = 0
    high: int = 0
    needs: tuple[str, str] = ("", "")
    is_needed: bool = False
    of_kind: bool = True
    says: Callable[[Any, Title], str] | None = None


@dataclass(frozen=True, slots=True)
class FormRow:
    """Parts that stand side by side. widths: of each, relative to one another. is_level: on one base line."""

    fields: tuple[FormField, ...]
    widths: tuple[float, ...]
    is_level: bool = False


Form = tuple[FormField | FormRow, ...]


def order_row(none: str) -> FormRow:
    """The order of a node with its limit. none: said where no column is chosen to order by."""
    return FormRow(
        (
            FormField("order_by", "Ordered by", "field", key="order", none=none, says=_order),
            FormField("descending", "Highest first", "switch"),
            FormField("limit", "At most", "number", none="All", low=1, high=MAX_ROWS),
        ),
        (2.2, 1.4, 1.2),
        is_level=True,
    )


def _order(node: Any, title: Title) -> str:
    first = "highest" if node.descending else "lowest"
    if node.order_by == ROW_PLACE:
        return "Last row first" if node.descending else "As they stand"
    return f"{title(node.order_by)}, {first} first" if node.order_by else ""


def form_fields(form: Form) -> list[FormField]:
    """All parts in order, those side by side too."""
    return [each for part in form for each in (part.fields if isinstance(part, FormRow) else (part,))]


@dataclass(frozen=True, slots=True)
class EstimateSetting:
    """The surroundings of a node in an estimate. taken: rows of each input that is estimated."""

    taken: Sequence[int]
    catalogue: Catalogue
    statistics: Statistics

    @property
    def first(self) -> int:
        """Rows of the first input, 0 for none."""
        return next(iter(self.taken), 0)


@dataclass(frozen=True, slots=True)
class NodeEstimate:
    """Documents that a node looks at, rows that it gives, and what that rests on, in words.

    times: how often it does so, each at its cost.
    """

    looked_at: int
    rows: int
    because: str
    times: int = 1


@dataclass(frozen=True, slots=True)
class NodeStart:
    """Start of a new node. before: the node that it is put behind. scope: that of the plan so far."""

    before: Node | None
    scope: Scope
    question: str

    @property
    def any_kind(self) -> Scope:
        """The scope, of documents of any kind."""
        return self.scope.model_copy(update={"schema_name": ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSpec(Generic[N]):
    """A kind of node; the operator that runs it is known to `core.plan.operators`.

    word, about: its name, and a line on it, for people. takes: types of results that a new one connects to.
    gives: the type of its result, as in `core.domain.results`. unit: of what it gives, one of them.
    cost: cold, on the sample, before any run was measured. estimate: before it runs. checks: problems of
    a node, each with a next step. begins: the purpose of a new one, "" where nobody begins one, parts: what
    else it begins with. form: its parts in the inspector.
    purpose: in words, for documents that are called by a noun. fields: names that it looks at.
    shown: fields worth seeing of its result, where these differ. words: of a question, that it carries.
    rows: how many it asks for, 0 for no number. is_value: one value comes of it.
    is_exact: it rests on records alone, and its result may be kept. joins: how it joins sets of documents.
    looks_at: what its time depends on. is_hop: it has the deadline of a hop. source: where it looks.
    asks: the traits for which a policy may want a role.
    """

    node: type[N]
    word: str
    about: str
    takes: tuple[str, ...]
    gives: Callable[[N], str]
    unit: Callable[[N], str]
    cost: Cost
    estimate: Callable[[N, EstimateSetting], NodeEstimate]
    checks: Callable[[N, Checks], Said]
    begins: str
    parts: Callable[[NodeStart], Mapping[str, object]] = lambda start: {}
    form: Form = ()
    purpose: Callable[[N, str, SchemaEntry | None], str] = lambda node, noun, schema: str(node.purpose)
    fields: Callable[[N], tuple[str, ...]] = lambda node: ()
    shown: Callable[[N], tuple[str, ...]] | None = None
    words: Callable[[N], tuple[str, ...]] = lambda node: ()
    rows: Callable[[N], int] = lambda node: 0
    is_value: Callable[[N], bool] = lambda node: False
    is_exact: Callable[[N], bool] = lambda node: True
    joins: Callable[[N], Joint] = lambda node: ""
    looks_at: Literal["inputs", "scope", "nothing"] = "inputs"
    is_hop: bool = False
    source: Literal["sql", "index"] = "sql"
    asks: Callable[[N, TraitSetting], Iterable[Trait]] = lambda node, setting: ()

    @property
    def type(self) -> str:
        """By what plans know the kind: `select`."""
        return str(self.node.model_fields["type"].default)

    def new(self, id: str, inputs: tuple[str, ...], start: NodeStart) -> N:
        """A node to begin with."""
        return self.node(id=id, purpose=self.begins, inputs=inputs, **self.parts(start))
