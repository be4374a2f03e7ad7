"""Compilation of one step, and of steps over steps: sets joined, sides held against one another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from core.domain.annotation import Calculation
from core.domain.fields import AMOUNTS, ORDERED, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue, ColumnEntry, FieldEntry, SchemaEntry, column_key
from core.plan.compile.context import (
    Both,
    Clauses,
    Compilation,
    Either,
    Except,
    Formula,
    ReadingError,
    StepResult,
    any_of,
    negated,
    parted,
    unique_labels,
)
from core.plan.compile.names import compared_with_steps
from core.plan.compile.values import (
    different_groups,
    group_order,
    key_of,
    of_units,
    on_groups,
    ordered_groups,
    ordering_figure,
    require_part,
    title_of,
)
from core.plan.ir import verbalise
from core.plan.ir.nodes import Calculate, Combine, Compare, Condition
from core.plan.reading import (
    Function,
    Operation,
    Outcome,
    ReadCondition,
    ReadField,
    ReadOrder,
    Step,
    either_groups,
)

MOST_SIDES = 10
MOST_FIELDS = 20
SETS = (Outcome.INTERSECT, Outcome.UNION, Outcome.WITHOUT)
"""Outcomes that are sets."""
_PURPOSES = {"intersect": "Those in all", "union": "Those in any"}
_NO_CALCULATION = (Function.NONE, Function.SHARE)
_OF_FIGURES = (Outcome.RATIO, Outcome.SHARE, Outcome.SUM)
_OF_TWO = (Outcome.DIFFERENCE, Outcome.RATIO, Outcome.SHARE, Outcome.MORE, Outcome.LESS)
MOST_NODES_OUT = 10
Entry = FieldEntry | ColumnEntry
Texts = tuple[str, ...]
LISTED = (Operation.LIST, Operation.LOOKUP, Operation.RANK, Operation.EXISTS, Operation.CHECK, Operation.ALL)
"""Operations whose answer is a set itself."""
EXCLUDED = "the question excludes them"


def require_sides(count: int, outcome: Outcome) -> None:
    """Raise ReadingError where that many sides have no such outcome."""
    if outcome in SETS:
        raise ReadingError("Sets are joined, not compared.", "Ask for each in a step of its own.")
    if count < 2:
        raise ReadingError("It compares fewer than two things.", "Name both sides.")
    if outcome in _OF_TWO and count != 2:
        raise ReadingError(
            f"{count} things have no {outcome.value}, which is of two.",
            "Compare two, or ask which is the greatest.",
        )
    if count > MOST_SIDES:
        raise ReadingError(
            f"It compares {count} things, and {MOST_SIDES} are possible.", "Compare fewer at once."
        )


def set_of_steps(step: Step, work: Compilation) -> StepResult:
    """A set made of those of earlier steps. Raises ReadingError."""
    results = [work.result(name) for name in step.sides]
    nodes = [each.any_set for each in results]
    if len(nodes) < 2 or not all(nodes):
        raise ReadingError("Only sets are joined, and two at least.", "Ask for the documents of each first.")
    are_rows = [each.gives == "rows" or _is_of_rows(each, work) for each in results]
    if any(are_rows) and not all(are_rows):
        raise ReadingError(
            "Rows of a table and documents are not joined.", "Ask for each in a step of its own."
        )
    of = "rows" if all(are_rows) else "documents"
    if step.outcome is Outcome.WITHOUT:
        first, *others = nodes
        rest = others[0]
        if len(others) > 1:
            rest = work.steps.add(Combine, "Those in any", tuple(others), how="union", of=of).id
        made = work.steps.add(Combine, "Leave these out", (first, rest), how="difference", of=of)
    else:
        how = "intersect" if step.outcome is Outcome.INTERSECT else "union"
        made = work.steps.add(Combine, _PURPOSES[how], tuple(dict.fromkeys(nodes)), how=how, of=of)
        if len(made.inputs) < 2:
            work.steps.nodes.remove(made)
            return StepResult(nodes[0], of, nodes[0], results[0].schema)
    schemas = {each.schema.name for each in results if each.schema is not None}
    schema = results[0].schema if len(schemas) == 1 else None
    return StepResult(made.id, of, made.id, schema)


def compared_conditions(conditions: Sequence[ReadCondition]) -> tuple[ReadCondition, ...]:
    """The conditions that are held against each other: those of the field of most of them, or all."""
    names = [column_key(each.field.name) for each in conditions]
    most = max(names, key=names.count, default="")
    own = tuple(each for each, name in zip(conditions, names, strict=True) if name == most)
    return own if len(own) > 1 else tuple(conditions)


def _is_of_rows(result: StepResult, work: Compilation) -> bool:
    name = result.set_node or result.node
    return any(each.id == name and getattr(each, "of", "") == "rows" for each in work.steps.nodes)


def of_steps(step: Step, work: Compilation) -> StepResult:
    """A figure made of those of earlier steps. Raises ReadingError."""
    inputs = [work.result(name) for name in step.sides]
    require_sides(len(inputs), step.outcome)
    labels = unique_labels([*step.labels, *(step.sides[len(step.labels) :])])[: len(inputs)]
    if step.asked and all(each.gives == "documents" for each in inputs):
        return compared(step, inputs, labels, work)
    values = tuple(_as_value(each, step, work) for each in inputs)
    return StepResult(_beside(values, labels, step.outcome, work), "value")


def figures_beside(
    sets: Sequence[str],
    labels: tuple[str, ...],
    outcome: Outcome,
    work: Compilation,
    said: str,
    function: Calculation,
    name: str,
) -> str:
    """The node of what sets come to beside each other. said: the purpose of each figure."""
    values = tuple(work.steps.aggregate(said, (each,), function, name).id for each in sets)
    return _beside(values, labels, outcome, work)


def _beside(values: tuple[str, ...], labels: tuple[str, ...], outcome: Outcome, work: Compilation) -> str:
    is_share = outcome is Outcome.SHARE
    said = "Calculate the share" if is_share else f"Hold {' and '.join(labels)} beside each other"
    return work.steps.add(Calculate, said, values, how=outcome.value, labels=labels).id


def _as_value(result: StepResult, step: Step, work: Compilation) -> str:
    """A node that gives one value: what a step computes, else the number of its set."""
    if result.gives in ("documents", "rows"):
        return work.steps.aggregate("Count them", (result.node,), Calculation.COUNT).id
    if result.gives != "value":
        raise ReadingError(
            "What each of several groups comes to is not compared.",
            "Ask for one figure of each side.",
            words=step.labels[0] if step.labels else "",
        )
    return result.node


def compared(
    step: Step, inputs: Sequence[StepResult], labels: tuple[str, ...], work: Compilation
) -> StepResult:
    """Sets of documents held against one another on the fields that a step asks for. Raises ReadingError."""
    require_sides(len(inputs), step.outcome)
    schema = next((each.schema for each in inputs if each.schema is not None), None)
    fields = tuple(dict.fromkeys(each.name for each in step.asked))
    entries = [_entry(name, inputs, work) for name in fields]
    function = Calculation(step.function.value) if step.function not in _NO_CALCULATION else None
    if step.outcome is not Outcome.VALUES:
        if len(entries) != 1:
            raise ReadingError(
                f"{len(entries)} fields at once have no {step.outcome.value}.",
                "Compare one field, or hold them beside each other.",
            )
        if entries[0].type not in ORDERED:
            raise ReadingError(
                f"{entries[0].title} has no order in which documents differ.",
                "Compare amounts, numbers or dates.",
                words=step.asked[0].words,
            )
    if len(fields) > MOST_FIELDS:
        raise ReadingError(f"It compares {len(fields)} fields.", "Compare fewer at once.")
    if function in (Calculation.SUM, Calculation.AVG, Calculation.MEDIAN):
        for entry in entries:
            if entry.type not in AMOUNTS:
                raise ReadingError(
                    f"{entry.title} has no {step.function.value}.",
                    "Compare amounts or numbers, or hold them beside each other.",
                )
    if step.outcome in _OF_FIGURES:
        return _calculated(step, inputs, labels, work, entries[0])
    said = " and ".join(verbalise.title_of(schema, each) for each in fields)
    node = work.steps.add(
        Compare,
        f"Compare {said} of {', '.join(labels)}",
        tuple(each.node for each in inputs),
        labels=labels,
        fields=fields,
        function=function,
        outcome=step.outcome.value,
        reason="the question compares these sides",
    )
    return StepResult(node.id, "comparison", schema=schema)


def _calculated(
    step: Step, inputs: Sequence[StepResult], labels: tuple[str, ...], work: Compilation, entry: FieldEntry
) -> StepResult:
    """A ratio, a share or a sum of what a field of each side comes to."""
    if entry.type not in AMOUNTS:
        raise ReadingError(f"{entry.title} is not calculated with.", "Choose an amount or a number.")
    function = Calculation(step.function.value) if step.function not in _NO_CALCULATION else Calculation.SUM
    said = verbalise.aggregate_text(function, entry.name, (), "documents", inputs[0].schema)
    nodes = [each.node for each in inputs]
    return StepResult(figures_beside(nodes, labels, step.outcome, work, said, function, entry.name), "value")


def _entry(name: str, inputs: Sequence[StepResult], work: Compilation) -> FieldEntry:
    """The field that all sides have. Raises ReadingError."""
    sources = [each.schema or work.context.catalogue for each in inputs]
    found = [entry for each in sources if (entry := each.field(name)) is not None]
    if not found or len(found) < len(inputs):
        raise ReadingError(f"Not all of these have a field {name!r}.", "Compare another field.")
    return found[-1]


@dataclass(slots=True)
class StepCompiler:
    """Compilation of one step. of: over documents, or over rows; columns: what its fields are called."""

    of: ClassVar[Literal["documents", "rows"]]
    columns: ClassVar[str]
    computed_over: ClassVar[str]

    step: Step
    work: Compilation
    schema: SchemaEntry | None = None

    def entry(self, read: ReadField) -> Entry:
        """The field or column that is meant. Raises ReadingError where there is none."""
        raise NotImplementedError

    def note(self, words: str, reading: str, probability: float = 1.0, node: str = "") -> None:
        """Say how words were read; of documents it is said of the whole plan."""
        self.work.note(words, reading, node if self.of == "rows" else "", probability)

    @property
    def catalogue(self) -> Catalogue:
        """Of what the asker may see."""
        return self.work.context.catalogue

    @property
    def buckets(self) -> Texts:
        """Those that are asked."""
        return self.work.reading.buckets or self.work.context.buckets

    # -- conditions ------------------------------------------------------------------------------------

    def formulas(self, conditions: Sequence[ReadCondition]) -> list[Formula]:
        """All conditions, of alternatives one for all."""
        return [any_of(map(self._condition, some)) for some in either_groups(conditions)]

    def opposite(self, formula: Formula) -> Formula:
        """That it is not so: that cells say something else; of documents, or that nothing is known."""
        return negated(formula, is_other=self.of == "rows")

    def of_two(self, read: ReadCondition) -> Formula:
        """That two fields or columns compare so, or that what lies between them does. Raises ReadingError."""
        raise NotImplementedError

    def compared(self, entry: Entry, read: ReadCondition) -> Formula:
        """That a field or column compares with values so. Raises ReadingError."""
        raise NotImplementedError

    def present(self, entry: Entry) -> Condition:
        """That it is stated."""
        if isinstance(entry, FieldEntry) and entry.type is FieldType.BOOLEAN:
            return Condition(field=entry.name, op=Operator.EQUAL, value="true")
        return Condition(field=key_of(entry), op=Operator.IS, value="present")

    def _condition(self, read: ReadCondition) -> Formula:
        made = self._plain_condition(read)
        made = self.opposite(made) if read.negated else made
        self.note(read.words, _said(made, self.schema), read.probability)
        return made

    def _plain_condition(self, read: ReadCondition) -> Formula:
        if read.of_field is not None or read.field.other:
            return self.of_two(read)
        entry, name = self.entry(read.field), key_of(self.entry(read.field))
        require_part(read.field.part, entry.type, title_of(entry), read.words)
        yes = entry.affirmed if isinstance(entry, ColumnEntry) else ""
        if yes and read.op in (Operator.MISSING, Operator.IS) and not read.values:
            op = (
                Operator.EQUAL if read.op is Operator.IS else Operator.NOT_EQUAL
            )  # "not paid", of a column "Paid"
            return Condition(field=name, op=op, value=yes)
        if read.op is Operator.MISSING:
            return Condition(field=name, op=Operator.MISSING)
        if not read.values or read.op is Operator.IS:
            return self.present(entry)
        referring = compared_with_steps(name, read, self.work)
        if referring is not None:
            return referring
        return of_units(entry, read) if read.field.part == "unit" else self.compared(entry, read)

    # -- sets ------------------------------------------------------------------------------------------

    def selected(
        self,
        conditions: Clauses,
        within: str = "",
        fields: Texts = (),
        order: ReadOrder | None = None,
    ) -> str:
        """The node of those that fulfil conditions."""
        raise NotImplementedError

    def make(
        self,
        parts: Iterable[Formula],
        within: str,
        fields: Texts = (),
        order: ReadOrder | None = None,
        narrowing: Sequence[Callable[[str], str]] = (),
    ) -> str:
        """The node of those that fulfil all of it. narrowing: what makes a smaller set of a node's.

        Raises ReadingError.
        """
        split = parted(Both(tuple(parts)))
        if split is None or len(split.left_out) > MOST_NODES_OUT:
            raise ReadingError("It joins or excludes more than one plan can say.", "Ask for less at once.")
        is_split = bool(split.left_out or narrowing)
        answer = self.selected(split.holds, within, fields, None if is_split else order)
        for each in split.left_out:
            answer = self.without(answer, self.selected(each))
        for narrow in narrowing:
            answer = narrow(answer)
        if is_split and (order is not None or (fields and self.of == "rows")):
            answer = self.selected((), answer, fields, order)
        return answer

    def without(self, whole: str, rest: str) -> str:
        """The node of those of one set that are not in another."""
        parts = {"how": "difference", "of": self.of, "reason": EXCLUDED}
        return self.work.steps.add(Combine, "Leave these out", (whole, rest), **parts).id

    def narrowed(self, described: Sequence[StepResult]) -> str:
        """The node of the one set that the step narrows; several are intersected first. "" for none."""
        results = [*map(self.work.result, self.step.within), *described]
        sets = (each for each in results if each.gives == "documents" and each.schema is not None)
        kinds = {each.schema.title for each in sets if each.schema}
        if self.schema is not None and kinds - {self.schema.title}:
            held = " and ".join(sorted(kinds))
            raise ReadingError(f"The set to go on from holds {held}, no {self.schema.title}.", "Start anew.")
        nodes = tuple(dict.fromkeys(each.any_set for each in results))
        if not all(nodes):
            raise ReadingError("That is no set to go on from.", f"Ask for the {self.of} first.")
        if len(nodes) < 2:
            return nodes[0] if nodes else ""
        of = "rows" if {each.gives for each in results} == {"rows"} else "documents"
        parts = {"how": "intersect", "of": of, "reason": "all of them hold"}
        return self.work.steps.add(Combine, "Those in all", nodes, **parts).id

    # -- figures ---------------------------------------------------------------------------------------

    def purpose(self, function: Calculation, name: str, groups: Texts = ()) -> str:
        """What a node computes, in words."""
        raise NotImplementedError

    def usual(self, function: Calculation) -> Entry:
        """What is computed where nothing is said of it. Raises ReadingError."""
        raise ReadingError(
            f"Nothing is said of what the {function.value} is to be.", f"Name one of the {self.columns}."
        )

    def split_groups(self, groups: Texts, measure: Entry, function: Calculation) -> Texts:
        """The groups, with those that the measure makes necessary."""
        return groups

    def combined(self, measure: Entry) -> dict[str, object]:
        """Parts of a node that computes with two columns."""
        return {}

    def whole(self, *, within: bool) -> str:
        """The node of all that is asked about, whatever else the step says."""
        raise NotImplementedError

    def sets_of(self, sides: Sequence[ReadCondition], rest: Sequence[ReadCondition]) -> list[str]:
        """The nodes of those that fulfil each of some conditions, and the rest of them."""
        raise NotImplementedError

    def computed(self, source: str) -> StepResult:
        """What a set comes to: one value, or one for each group. Raises ReadingError."""
        step, work = self.step, self.work
        groups = tuple(map(self._group, step.groups))
        read = step.asked[0] if step.asked else None
        measure = self.entry(read) if read is not None else None
        function = self._function(measure)
        if measure is None and function not in (Calculation.COUNT, Calculation.DISTINCT):
            measure = self.usual(function)
        is_listed = step.operation in LISTED or (step.operation is Operation.GROUP and not groups)
        if step.function is Function.DISTINCT and measure is not None and is_listed:
            groups, function = (key_of(measure), *groups), Calculation.COUNT
        groups = different_groups(groups, self.columns)
        if step.function is Function.SHARE and not groups:
            return self.share(source, measure)
        if step.function is Function.SHARE:
            work.uncovered.append("share")
            self.note("", "computed for each group; shares are not computed for groups")
        measure = measure if function is not Calculation.COUNT else None
        parts = self.combined(measure) if measure is not None else {}
        order, by = group_order(step, groups, key_of(measure)) if groups else (None, None)
        if by is not None:
            read, measure = by, self.entry(by)
            function = ordering_figure(function, measure.type, title_of(measure), step)
        if measure is not None:
            groups = self.split_groups(groups, measure, function)
        name, kind = (key_of(measure), measure.type) if measure is not None else ("", FieldType.NUMBER)
        having = on_groups(step.having, function, name, kind, groups)
        parts |= {"group_by": groups, "having": having, "reason": self.computed_over, **ordered_groups(order)}
        node = work.steps.aggregate(self.purpose(function, name, groups), (source,), function, name, **parts)
        if measure is not None and read is not None:
            self.note(read.words, f"{title_of(measure)} is computed with", read.probability, node.id)
        return StepResult(node.id, "groups" if groups else "value", source, self.schema)

    def _group(self, read: ReadField) -> str:
        entry = self.entry(read)
        require_part(read.part, entry.type, title_of(entry), read.words)
        self.note(read.words, f"For each {title_of(entry)}", read.probability)
        is_day = isinstance(entry, FieldEntry) and entry.type is FieldType.DATE
        part = read.part or ("year" if is_day else "")
        return f"{key_of(entry)}.{part}" if part else key_of(entry)

    def _function(self, measure: Entry | None) -> Calculation:
        """The calculation; a number of documents or rows where nothing else is asked. Raises ReadingError."""
        step = self.step
        is_open = step.operation is Operation.COMPUTE and step.function is Function.NONE
        if is_open and measure is None and self.of == "rows":
            raise ReadingError("Nothing is said of what is computed.", f"Name one of the {self.columns}.")
        if step.function in (Function.NONE, Function.COUNT, Function.SHARE):
            adds = step.operation in (Operation.COMPUTE, Operation.GROUP, Operation.COMPARE)
            is_amount = measure is not None and (measure.type in AMOUNTS or bool(step.asked[0].other))
            is_sum = adds and is_amount and step.function is Function.NONE
            return Calculation.SUM if is_sum else Calculation.COUNT
        function = Calculation(step.function.value)
        if measure is None:
            return Calculation.COUNT if function is Calculation.DISTINCT else function
        is_end = function in (Calculation.MIN, Calculation.MAX)
        if measure.type is FieldType.DATE:
            fits = is_end or function is Calculation.MEDIAN
        else:
            is_year = isinstance(measure, ColumnEntry) and measure.is_of_years
            fits = measure.type in AMOUNTS and (is_end or not is_year)
        if not (fits or function is Calculation.DISTINCT or step.asked[0].other):
            title = f"The column {measure.name!r}" if self.of == "rows" else title_of(measure)
            raise ReadingError(
                f"{title} has no {function.value}.",
                f"Count, or choose one of the {self.columns} of amounts or numbers.",
                words=step.asked[0].words,
            )
        return function

    def share(self, part: str, measure: Entry | None) -> StepResult:
        """The part of all, or of an amount summed over all, that is asked about. Raises ReadingError."""
        is_part = bool(self.step.conditions) or any(each.role != "kind" for each in self.step.names)
        if not is_part and not self.step.within:
            raise ReadingError("Nothing is said of which part the share is to be.", f"Say which {self.of}.")
        is_sum = measure is not None and measure.type in AMOUNTS
        function = Calculation.SUM if is_sum else Calculation.COUNT
        name = key_of(measure) if measure is not None and is_sum else ""
        sets, said = (part, self.whole(within=is_part)), self.purpose(function, name)
        node = figures_beside(sets, ("those", "all"), Outcome.SHARE, self.work, said, function, name)
        if measure is not None and is_sum:
            asked = self.step.asked[0]
            self.note(asked.words, f"{title_of(measure)} is added up", asked.probability, node)
        return StepResult(node, "value", part, self.schema)

    def compared_counts(self) -> StepResult:
        """What each condition comes to, beside the others; those that are no sides hold of all of them."""
        conditions = self.step.conditions
        sides = compared_conditions(conditions)
        require_sides(len(sides), self.step.outcome)
        labels = [each.words or " ".join(each.values) or title_of(self.entry(each.field)) for each in sides]
        sets = self.sets_of(sides, [each for each in conditions if each not in sides])
        return self.beside(sets, unique_labels(labels))

    def beside(self, sets: Sequence[str], labels: Texts) -> StepResult:
        """What sets come to, beside each other, or what is told of these figures."""
        measure = self.entry(self.step.asked[0]) if self.step.asked else None
        function = self._function(measure)
        if measure is None and function is not Calculation.COUNT:
            measure = self.usual(function)
        name = key_of(measure) if measure is not None and function is not Calculation.COUNT else ""
        said = self.purpose(function, name)
        node = figures_beside(sets, labels, self.step.outcome, self.work, said, function, name)
        return StepResult(node, "value", schema=self.schema)


def _said(formula: Formula, schema: SchemaEntry | None) -> str:
    if isinstance(formula, Condition):
        return verbalise.condition_text(formula, schema)
    if isinstance(formula, Except):
        return f"not {_said(formula.part, schema)}"
    joined = " or " if isinstance(formula, Either) else ", and "
    return joined.join(dict.fromkeys(_said(each, schema) for each in formula.parts))
