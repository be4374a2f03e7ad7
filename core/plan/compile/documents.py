"""Compilation of a step over documents and their fields: what is computed of its sets, or compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.annotation import Calculation
from core.domain.fields import AMOUNTS, FieldType
from core.plan.catalogue import FieldEntry
from core.plan.compile.conditions import (
    different_groups,
    group_order,
    on_groups,
    ordered_groups,
    ordering_figure,
    require_part,
)
from core.plan.compile.context import ReadingError
from core.plan.compile.document_sets import DocumentSets
from core.plan.compile.sides import compared, compared_conditions, require_sides
from core.plan.compile.state import CALCULATED, StepResult, unique_labels
from core.plan.ir import verbalise
from core.plan.reading import Function, Operation, ReadCondition, ReadField, ReadName, Step

_LISTED = (
    Operation.LIST,
    Operation.LOOKUP,
    Operation.CHECK,
    Operation.RANK,
    Operation.EXISTS,
    Operation.ALL,
    Operation.COMPARE,
)


@dataclass(slots=True)
class DocumentsCompiler(DocumentSets):
    """Compilation of one step over documents and their fields."""

    def compile(self) -> StepResult:
        """The nodes of the step. Raises ReadingError, AskBackError."""
        step = self.step
        self.choose_schema()
        if step.operation is Operation.COMPARE:
            return self._comparison()
        if step.function is Function.SHARE and not step.groups:
            measure = self.entry(step.asked[0]) if step.asked else None
            if measure is not None and measure.type in AMOUNTS:
                return self._share(measure)
        lists = self._lists
        is_cut = step.order is not None and step.order.field is not None and step.order.limit > 0
        is_ordered = not step.groups and (lists or (is_cut and step.function is not Function.DISTINCT))
        names = self.names_formula(step.names)
        shown = step.asked if lists else ()
        for each in step.asked if self.schema is not None else ():
            self.entry(each)
        source = self.make_set(names, step.conditions, shown=shown, order=is_ordered)
        if lists:
            for each in step.asked if self.schema is not None else ():
                self.note(each.words, f"{self.entry(each).title} is asked for", each.probability)
            if step.having is not None:
                self.work.uncovered.append(step.having.words or "a condition on groups")
            return StepResult(source, "documents", source, self.schema)
        return self._aggregate(source)

    @property
    def _lists(self) -> bool:
        """True where documents themselves are the answer, and not values of theirs ("which vendors ...")."""
        step = self.step
        return not step.groups and step.function is not Function.DISTINCT and step.operation in _LISTED

    def _aggregate(self, source: str) -> StepResult:
        step = self.step
        groups = tuple(self._group(each) for each in step.groups)
        measure = self.entry(step.asked[0]) if step.asked else None
        function, name = self._function(measure)
        is_listed = step.operation in (Operation.LIST, Operation.RANK) or not groups
        is_value = step.operation in (Operation.COUNT, Operation.COMPUTE)
        if step.function is Function.DISTINCT and measure is not None and is_listed and not is_value:
            groups, function, name = (measure.name, *groups), Calculation.COUNT, ""
        groups = different_groups(groups, "fields")
        if step.function is Function.SHARE and groups:
            self.work.uncovered.append(
                _word_of(self.work.reading.question, ("share", "percentage", "percent"))
            )
            self.note("", "counted for each group; shares are not computed for groups")
        order, by = group_order(step, groups, name) if groups else (None, None)
        if by is not None:
            entry = self.entry(by)
            function, name = ordering_figure(function, entry.type, entry.title, step), entry.name
            self.note(by.words, f"by {entry.title}", by.probability)
        kind = measure.type if measure else FieldType.NUMBER
        node = self.work.steps.aggregate(
            verbalise.aggregate_text(function, name, groups, self.noun, self.schema),
            (source,),
            function,
            name,
            group_by=groups,
            having=on_groups(step.having, function, name, kind, groups),
            **ordered_groups(order),
            reason="computed over all that were found, never over a selection of hits",
        )
        if step.function is Function.SHARE and not groups:
            return self._counted_share(node.id, source)
        return StepResult(node.id, "groups" if groups else "value", source, self.schema)

    def _counted_share(self, count: str, source: str) -> StepResult:
        """A count as a share: told as one where it is the answer, calculated where others go on from it."""
        steps = self.work.steps
        if self.step is self.work.reading:
            node = next(each for each in steps.nodes if each.id == count)
            steps.replaced(node, as_share=True)
            return StepResult(count, "value", source, self.schema)
        whole = steps.aggregate("Count all", (self._whole(within=self.step.within),), Calculation.COUNT)
        made = steps.calculate("Calculate the share", "share", (count, whole.id), ("those", "all"))
        return StepResult(made.id, "value", source, self.schema)

    def _share(self, measure: FieldEntry) -> StepResult:
        """The sum of an amount over what is asked for, as a share of that over all."""
        step, steps = self.step, self.work.steps
        is_part = bool(step.conditions) or any(each.role != "kind" for each in step.names)
        if not is_part and not step.within:
            raise ReadingError(
                "Nothing is said of which part the share is to be.", next_step="Say which documents."
            )
        part = self.make_set(self.names_formula(step.names), step.conditions)
        whole = self._whole(within=step.within if is_part else ())
        title = measure.title.lower()
        values = tuple(
            steps.aggregate(f"Add up {title}", (each,), Calculation.SUM, measure.name).id
            for each in (part, whole)
        )
        node = steps.calculate(f"Calculate the share of {title}", "share", values, ("those", "all"))
        self.note(step.asked[0].words, f"{measure.title} is added up", step.asked[0].probability)
        return StepResult(node.id, "value", part, self.schema)

    def _whole(self, *, within: tuple[str, ...]) -> str:
        """The set of all documents of the kind in some sets, whatever else the step says."""
        kinds = tuple(each for each in self.step.names if each.role == "kind")
        bare = replace_step(self.step, names=kinds, conditions=(), order=None, within=within)
        return DocumentsCompiler(bare, self.work, self.schema).make_set(None, ())

    def _function(self, measure: FieldEntry | None) -> tuple[Calculation, str]:
        """The calculation with its field; the number of documents where nothing else is asked."""
        step = self.step
        if step.function in (Function.NONE, Function.COUNT, Function.SHARE):
            is_summed = measure is not None and measure.type in AMOUNTS and step.function is Function.NONE
            if measure is None or step.operation not in (Operation.COMPUTE, Operation.GROUP) or not is_summed:
                return Calculation.COUNT, ""
            self._is_computed(measure)
            return Calculation.SUM, measure.name
        if step.function is Function.DISTINCT:
            return (Calculation.DISTINCT, measure.name) if measure is not None else (Calculation.COUNT, "")
        function = Calculation(step.function.value)
        if measure is None:
            usual = self._usual(FieldType.MONEY)
            if usual is None:
                raise ReadingError(
                    f"Nothing is said of what the {step.function.value} is to be.", next_step="Name a field."
                )
            self.work.note("", f"{usual.title} is what is computed, since no field is named")
            return function, usual.name
        is_ordered = function in (Calculation.MIN, Calculation.MAX)
        fits = measure.type in AMOUNTS or (
            measure.type is FieldType.DATE and (is_ordered or function is Calculation.MEDIAN)
        )
        if not fits:
            raise ReadingError(
                f"{measure.title} has no {function.value}.",
                next_step="Count, or choose a field of amounts, numbers or lengths of time.",
                words=step.asked[0].words,
            )
        self._is_computed(measure)
        return function, measure.name

    def _is_computed(self, measure: FieldEntry) -> None:
        asked = self.step.asked[0]
        self.note(asked.words, f"{measure.title} is computed with", asked.probability)

    def _usual(self, kind: FieldType) -> FieldEntry | None:
        fields = self.schema.fields if self.schema is not None else ()
        own = sorted((each for each in fields if each.type is kind), key=lambda each: -each.documents)
        return own[0] if own else None

    def _group(self, read: ReadField) -> str:
        entry = self.entry(read)
        require_part(read.part, entry.type, entry.title, read.words)
        self.note(read.words, f"For each {entry.title}", read.probability)
        if read.part:
            return f"{entry.name}.{read.part}"
        return f"{entry.name}.year" if entry.type is FieldType.DATE else entry.name

    def _comparison(self) -> StepResult:
        """Documents that are named held against one another, or the numbers of several conditions."""
        step = self.step
        if step.outcome not in CALCULATED:
            raise ReadingError(
                "Sets are joined, not compared.", next_step="Ask for each in a step of its own."
            )
        named = tuple(each for each in step.of_role("document") if not each.negated)
        if len(named) < 2:
            named = tuple(each for each in step.of_role("party") if not each.negated)
        if len(named) >= 2:
            return self._compared_names(named)
        if len(step.conditions) >= 2:
            return self._compared_counts()
        raise ReadingError("It compares fewer than two things.", next_step="Name both sides.")

    def _compared_names(self, named: Sequence[ReadName]) -> StepResult:
        whole = self.step
        asked = whole.asked or tuple(each.field for each in whole.conditions if not each.values)
        rest = tuple(each for each in whole.conditions if each.values or whole.asked)
        others = tuple(each for each in whole.names if each not in named)
        results: list[StepResult] = []
        labels = tuple(unique_labels([each.words or each.described for each in named]))
        require_sides(len(named), whole.outcome)
        shared = self.schema
        for name, label in zip(named, labels, strict=True):
            side = DocumentsCompiler(
                replace_step(whole, asked=asked, names=(*others, name)), self.work, shared
            )
            formula = side.names_formula(side.step.names)
            node = side.make_set(formula, rest, label=label, shown=asked)
            self.schema = self.schema or side.schema
            results.append(StepResult(node, "documents", node, side.schema))
        if not asked:
            return self._calculated([each.node for each in results], labels)
        made = compared(replace_step(whole, asked=asked), results, labels, self.work)
        for each in asked:
            self.note(each.words, f"{self.entry(each).title} is compared", each.probability)
        return made

    def _compared_counts(self) -> StepResult:
        """What each condition comes to; those that are no sides hold of all of them."""
        step = self.step
        sides = compared_conditions(step.conditions)
        rest = tuple(each for each in step.conditions if each not in sides)
        labels = [each.words or _label(each, self.entry(each.field).title) for each in sides]
        require_sides(len(sides), step.outcome)
        names = self.names_formula(step.names)
        sets = [self.make_set(names, (*rest, each)) for each in sides]
        return self._calculated(sets, tuple(unique_labels(labels)))

    def _calculated(self, sets: Sequence[str], labels: tuple[str, ...]) -> StepResult:
        measure = self.entry(self.step.asked[0]) if self.step.asked else None
        function, name = self._side_function(measure)
        said = verbalise.aggregate_text(function, name, (), self.noun, self.schema)
        values = tuple(self.work.steps.aggregate(said, (each,), function, name).id for each in sets)
        node = self.work.steps.calculate(
            "Hold the numbers beside each other", CALCULATED[self.step.outcome], values, labels
        )
        return StepResult(node.id, "value", schema=self.schema)

    def _side_function(self, measure: FieldEntry | None) -> tuple[Calculation, str]:
        """What each side comes to: the sum of an amount that is asked for, else how many there are."""
        is_figure = self.step.function not in (Function.NONE, Function.COUNT, Function.SHARE)
        if is_figure:
            return self._function(measure)
        if measure is not None and measure.type in AMOUNTS and self.step.function is Function.NONE:
            return Calculation.SUM, measure.name
        return Calculation.COUNT, ""


def replace_step(step: Step, **parts: object) -> Step:
    """The step with some of its parts exchanged."""
    return step.model_copy(update=parts)


def _label(read: ReadCondition, title: str) -> str:
    return " ".join(read.values) or title


def _word_of(question: str, words: Sequence[str]) -> str:
    said = question.casefold()
    return next((each for each in words if each in said), words[0])
