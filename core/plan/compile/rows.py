"""Compilation of a step over rows of tables, whose columns are fields like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from core.domain.annotation import Calculation
from core.domain.fields import AMOUNTS, TEXTS, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue, ColumnEntry, TableEntry, TablePart
from core.plan.compile.context import CompileContext, ReadingError
from core.plan.compile.state import CALCULATED, MANY_GROUPS, unique_labels
from core.plan.compile.values import compiled, target_of_column
from core.plan.ir import verbalise
from core.plan.ir.nodes import Choice, Condition, Note, Reference, Scope, Select
from core.plan.ir.steps import PlanSteps
from core.plan.reading import (
    Function,
    Operation,
    ReadCondition,
    ReadField,
    Reading,
    Step,
)
from core.text.analyse import text_terms

_MOST_COLUMNS = 50
_UNKNOWN = 0
_REASON = "the question is about rows of a table"
_LISTED = (Operation.LIST, Operation.LOOKUP, Operation.RANK, Operation.EXISTS, Operation.CHECK, Operation.ALL)


class RowsResult(Protocol):
    """Result of an earlier step, as far as rows go on from it."""

    @property
    def node(self) -> str:
        """Its node."""
        ...

    @property
    def gives(self) -> str:
        """A set of documents or rows, one value, groups, or a comparison."""
        ...


@dataclass(frozen=True, slots=True)
class RowsNode:
    """Node of a step over rows; set_node: that of the rows."""

    node: str
    gives: str
    set_node: str


@dataclass(slots=True)
class RowsCompiler:
    """Compilation of one step over rows. notes, uncovered: filled by `compile`."""

    step: Step
    reading: Reading
    context: CompileContext
    steps: PlanSteps
    results: Mapping[str, RowsResult]
    notes: list[Note] = field(default_factory=list)
    uncovered: list[str] = field(default_factory=list)
    table: TableEntry = field(init=False)
    parts: tuple[TablePart, ...] = ()

    @staticmethod
    def takes(step: Step, catalogue: Catalogue, results: Mapping[str, RowsResult]) -> bool:
        """True where rows are asked: the step says so, goes on from rows, or has columns alone."""
        if step.is_rows or step.tables or any(results[name].gives == "rows" for name in step.within):
            return True
        fields = list(step.fields)
        return (
            bool(fields)
            and not step.kind
            and all(not each.schema_name and catalogue.field(each.name) is None for each in fields)
            and all(_has_column(catalogue, each.name) for each in fields)
        )

    def compile(self) -> RowsNode:
        """The nodes of the step. Raises ReadingError."""
        self.table, self.parts = self._table()
        step = self.step
        if step.operation is Operation.COMPARE and not step.sides:
            return self._compared()
        rows = self._rows(step.conditions, shown=step.asked)
        if step.operation in _LISTED and not step.groups and step.function is not Function.DISTINCT:
            return RowsNode(rows, "rows", rows)
        return self._computed(rows)

    # -- the table -------------------------------------------------------------------------------------

    def _table(self) -> tuple[TableEntry, tuple[TablePart, ...]]:
        """The table that has all columns, and fits the names and words of the question best."""
        catalogue, step = self.context.catalogue, self.step
        wanted = {_key(each.name) for each in step.fields}
        chosen = set(step.tables)
        documents = {id for name in step.names for id in name.documents}
        said = text_terms(" ".join((*(each.words for each in step.names), self.reading.question)))
        ranked: list[tuple[tuple[float, ...], TableEntry, tuple[TablePart, ...]]] = []
        for table in catalogue.tables:
            if not self._is_in_scope(table):
                continue
            keys = {column.key for column in table.columns}
            missing = len(wanted - keys)
            parts = tuple(
                part
                for part in table.parts
                if (not chosen or part.name in chosen) and (not documents or part.document in documents)
            )
            if (chosen or documents) and not parts:
                continue
            near = [len(said & text_terms(self._called(part))) for part in table.parts]
            most = max(near, default=0)
            own = (
                parts
                if chosen or documents
                else tuple(
                    part for part, count in zip(table.parts, near, strict=True) if count == most and most
                )
            )
            ranked.append(((missing, -most, -table.rows), table, own))
        if not ranked:
            raise ReadingError(
                "There is no such table.", next_step="Ask without the table, or search the text."
            )
        figures, table, own = min(ranked, key=lambda each: each[0])
        if figures[0]:
            lacking = next(
                each for each in step.fields if _key(each.name) not in {c.key for c in table.columns}
            )
            raise ReadingError(
                f"No one table has all these columns; {lacking.name!r} stands apart.",
                next_step="Ask each table in a step of its own.",
                words=lacking.words,
            )
        return table, own

    def _is_in_scope(self, table: TableEntry) -> bool:
        buckets = self.reading.buckets or self.context.buckets
        if not buckets:
            return True
        documents = (self.context.catalogue.document(id) for id in table.documents)
        return any(each is not None and each.bucket in buckets for each in documents)

    def _called(self, part: TablePart) -> str:
        document = self.context.catalogue.document(part.document)
        names = (document.name, document.source.rsplit("/", 1)[-1]) if document is not None else ()
        return " ".join((part.sheet, part.caption, *names)).replace("_", " ").replace("-", " ")

    def _column(self, read: ReadField) -> ColumnEntry:
        key = _key(read.name)
        return next(column for column in self.table.columns if column.key == key)

    # -- rows ------------------------------------------------------------------------------------------

    def _rows(self, conditions: Sequence[ReadCondition], *, shown: Sequence[ReadField] = ()) -> str:
        step = self.step
        clauses = self._clauses(conditions)
        order = (
            step.order
            if step.order is not None and step.order.field is not None and not step.groups
            else None
        )
        said = verbalise.conditions_text(clauses, None)
        name = self._table_name()
        is_listed = step.operation in _LISTED
        node = self.steps.select(
            f"Find rows of {name}{f': {said}' if said else ''}",
            Scope(
                buckets=self.reading.buckets or self.context.buckets,
                documents=tuple(dict.fromkeys(part.document for part in self.parts)) or self.table.documents,
            ),
            clauses,
            reason=_REASON,
            of="rows",
            fields=tuple(dict.fromkeys(self._column(each).key for each in shown)) if is_listed else (),
            columns=tuple(column.key for column in self.table.columns)[:_MOST_COLUMNS],
            order_by=self._column(order.field).key
            if order is not None and order.field is not None and is_listed
            else "",
            descending=order.descending if order is not None else False,
            limit=(order.limit or None) if order is not None and is_listed else None,
            skip=order.skip if order is not None and is_listed else 0,
            tables=tuple(p.name for p in self.parts or self.table.parts if p.number != _UNKNOWN),
        )
        inputs = tuple(self.results[each].node for each in step.within)
        if inputs:
            node = self._with_inputs(node, inputs)
        for each in shown:
            self._note(each.words, f"{self._column(each).name} is asked for", node.id, each.probability)
        reading = f"counted over the rows of {name} alone, so that nothing stated elsewhere counts twice"
        self._note("", reading, node.id)
        return node.id

    def _with_inputs(self, node: Select, inputs: tuple[str, ...]) -> Select:
        at = self.steps.nodes.index(node)
        node = node.model_copy(update={"inputs": tuple(dict.fromkeys((*inputs, *node.inputs)))})
        self.steps.nodes[at] = node
        return node

    def _table_name(self) -> str:
        """The table for a person: its sheet, or its document."""
        parts = self.parts or self.table.parts
        ids = tuple(dict.fromkeys(part.document for part in parts)) or self.table.documents
        documents = [self.context.catalogue.document(id) for id in ids]
        titles = [each.title for each in documents if each is not None]
        title = titles[0] if len(titles) == 1 else f"{len(titles):,} documents"
        sheets = list(dict.fromkeys(part.sheet for part in parts if part.sheet))
        return f"{sheets[0]} in {title}" if len(sheets) == 1 and len(titles) == 1 else title

    def _clauses(self, conditions: Sequence[ReadCondition]) -> tuple[Condition | Choice, ...]:
        groups: dict[int, list[Condition]] = {}
        made: list[Condition | Choice] = []
        for each in conditions:
            condition = self._condition(each)
            if each.either:
                groups.setdefault(each.either, []).append(condition)
            else:
                made.append(condition)
            words = verbalise.condition_text(condition, None)
            self._note(each.words, words, "", each.probability)
        return (*made, *(Choice(any_of=tuple(group)) for group in groups.values()))

    def _condition(self, read: ReadCondition) -> Condition:
        column = self._column(read.field)
        name = f"{column.key}.{read.field.part}" if read.field.part == "unit" else column.key
        if not read.values:
            is_missing = (read.op is Operator.MISSING) is not read.negated
            return (
                Condition(field=name, op=Operator.MISSING)
                if is_missing
                else Condition(field=name, op=Operator.IS, value="present")
            )
        if read.values[0].startswith("$"):
            inner = self.results.get(read.values[0][1:])
            if inner is None:
                raise ReadingError(
                    f"{read.values[0]!r} is no step before this one.", next_step="Order the steps."
                )
            return Condition(field=name, op=read.op, value=Reference(node=inner.node))
        target = target_of_column(column)
        op, values = read.op, read.values
        if column.type in TEXTS and op in (Operator.EQUAL, Operator.NOT_EQUAL) and len(values) == 1:
            op, values = _text_match(op, values[0], target.texts, target.is_whole)
        found = compiled(op, values, target)
        if not read.negated:
            return Condition(field=name, op=found.op, value=found.value)
        opposite = _OPPOSITE.get(found.op)
        if opposite is None:
            raise ReadingError(
                f"That {column.name} is not so cannot be said of rows.",
                next_step="Ask for the opposite.",
                words=read.words,
            )
        return Condition(field=name, op=opposite, value=found.value)

    # -- answers ---------------------------------------------------------------------------------------

    def _computed(self, rows: str) -> RowsNode:
        step = self.step
        groups = tuple(self._group(each) for each in step.groups)
        measure = self._column(step.asked[0]) if step.asked else None
        function = self._function(measure)
        if function is Calculation.COUNT:
            measure = None
        if (
            step.function is Function.DISTINCT
            and step.asked
            and step.operation in (Operation.LIST, Operation.GROUP)
        ):
            groups, function, measure = (self._column(step.asked[0]).key, *groups), Calculation.COUNT, None
        if step.function is Function.SHARE and not groups:
            return self._share(rows, measure)
        groups = self._by_currency(groups, measure, function)
        order = step.order if groups else None
        by = f" for each {' and '.join(groups)}" if groups else ""
        what = measure.name if measure is not None else "rows"
        having = None
        if step.having is not None and step.having.values:
            having = Condition(
                field=measure.key if measure else "rows", op=step.having.op, value=step.having.values[0]
            )
        node = self.steps.aggregate(
            f"Compute the {function.value} of {what}{by}",
            (rows,),
            function,
            measure.key if measure is not None else "",
            reason="computed over all rows that were found",
            group_by=groups[:3],
            top=(order.limit or MANY_GROUPS) if order is not None else 0,
            descending=order.descending if order is not None else True,
            skip=order.skip if order is not None else 0,
            having=having,
        )
        if measure is not None:
            self._note(
                step.asked[0].words, f"{measure.name} is computed with", node.id, step.asked[0].probability
            )
        return RowsNode(node.id, "groups" if groups else "value", rows)

    def _function(self, measure: ColumnEntry | None) -> Calculation:
        step = self.step
        if step.function in (Function.NONE, Function.COUNT, Function.SHARE):
            sums = step.operation in (Operation.COMPUTE, Operation.GROUP) and measure is not None
            if (
                sums
                and measure is not None
                and measure.type in AMOUNTS
                and step.function is not Function.COUNT
            ):
                return Calculation.SUM
            return Calculation.COUNT
        if measure is None:
            if step.function is Function.DISTINCT:
                return Calculation.COUNT
            raise ReadingError(
                f"Nothing is said of what the {step.function.value} is to be.", next_step="Name a column."
            )
        return Calculation(step.function.value)

    def _share(self, rows: str, measure: ColumnEntry | None) -> RowsNode:
        """The part of all rows, or of the sum of a column over them, that fulfils the conditions."""
        whole = self._rows(())
        function = Calculation.SUM if measure is not None and measure.type in AMOUNTS else Calculation.COUNT
        name = measure.key if function is Calculation.SUM and measure is not None else ""
        values = tuple(
            self.steps.aggregate(f"Compute the {function.value}", (each,), function, name).id
            for each in (rows, whole)
        )
        node = self.steps.calculate("Calculate the share", "share", values, ("those", "all"))
        return RowsNode(node.id, "value", rows)

    def _group(self, read: ReadField) -> str:
        column = self._column(read)
        self._note(read.words, f"For each {column.name}", "", read.probability)
        if read.part:
            return f"{column.key}.{read.part}"
        return column.key

    def _by_currency(
        self, groups: tuple[str, ...], measure: ColumnEntry | None, function: Calculation
    ) -> tuple[str, ...]:
        """Amounts in several currencies are never added: each has a result of its own."""
        is_added = function in (Calculation.SUM, Calculation.AVG, Calculation.MEDIAN)
        if measure is None or not is_added or measure.type is not FieldType.MONEY or len(measure.units) < 2:
            return groups
        unit = f"{measure.key}.unit"
        chosen = any(each.field.part == "unit" for each in self.step.conditions)
        if chosen or unit in groups or len(groups) >= 3 or self.step.order is not None:
            return groups
        self._note("", f"for each currency by itself: {', '.join(measure.units)}")
        return (*groups, unit)

    def _compared(self) -> RowsNode:
        """What each condition comes to, held beside the others; the function is the same for all."""
        step = self.step
        if len(step.conditions) < 2:
            raise ReadingError("It compares fewer than two things.", next_step="Name both sides.")
        measure = self._column(step.asked[0]) if step.asked else None
        function = self._function(measure)
        sides = _sides(step.conditions)
        if len(sides) < 2:
            raise ReadingError("It compares fewer than two things.", next_step="Name both sides.")
        shared = [each for each in step.conditions if not any(each in side for side in sides)]
        values, labels = [], []
        rows = ""
        for side in sides:
            rows = self._rows((*shared, *side))
            values.append(
                self.steps.aggregate(
                    f"Compute the {function.value}",
                    (rows,),
                    function,
                    measure.key if measure is not None and function is not Calculation.COUNT else "",
                ).id
            )
            labels.append((side[0].words or " ".join(side[0].values))[:100])
        how = CALCULATED.get(step.outcome, "greatest")
        node = self.steps.calculate(
            f"Calculate the {how}",
            how,
            tuple(values),
            tuple(unique_labels(labels)),
            reason="of what both come to",
        )
        return RowsNode(node.id, "value", rows)

    def _note(self, words: str, reading: str, node: str = "", probability: float = 1.0) -> None:
        self.notes.append(Note(phrase=words[:500], reading=reading, node=node, confidence=probability))


_OPPOSITE = {
    Operator.EQUAL: Operator.NOT_EQUAL,
    Operator.IN: Operator.NOT_EQUAL,
    Operator.NOT_EQUAL: Operator.EQUAL,
    Operator.GREATER: Operator.LESS_EQUAL,
    Operator.LESS_EQUAL: Operator.GREATER,
    Operator.LESS: Operator.GREATER_EQUAL,
    Operator.GREATER_EQUAL: Operator.LESS,
}


def _sides(conditions: Sequence[ReadCondition]) -> list[tuple[ReadCondition, ...]]:
    """The conditions that differ: those of the field that most of them are on, one a side."""
    names = [_key(each.field.name) for each in conditions]
    most = max(names, key=names.count)
    own = [each for each in conditions if _key(each.field.name) == most]
    return [(each,) for each in own] if len(own) > 1 else [(each,) for each in conditions]


def _text_match(
    op: Operator, said: str, texts: Sequence[str], is_whole: bool
) -> tuple[Operator, tuple[str, ...]]:
    """How a text is compared with the cells of a column: equal to those that are it, else contained."""
    folded = " ".join(said.casefold().split())
    exact = tuple(each for each in texts if " ".join(each.casefold().split()) == folded)
    if exact:
        return (op, exact) if len(exact) == 1 or op is Operator.NOT_EQUAL else (Operator.IN, exact)
    words = text_terms(said)
    near = tuple(each for each in texts if words and words <= text_terms(each))
    if near and is_whole and len(near) <= _MOST_COLUMNS:
        if op is Operator.NOT_EQUAL or len(near) == 1:
            return op, near
        return Operator.IN, near
    return (Operator.CONTAINS, (said,)) if op is Operator.EQUAL else (op, (said,))


def _has_column(catalogue: Catalogue, name: str) -> bool:
    key = _key(name)
    return any(column.key == key for table in catalogue.tables for column in table.columns)


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()
