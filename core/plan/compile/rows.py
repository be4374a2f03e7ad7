"""Compilation of a step over rows of tables, whose columns are fields like any other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.domain.annotation import Calculation
from core.domain.fields import AMOUNTS, TEXTS, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import ColumnEntry, TableEntry, TablePart, column_key
from core.plan.compile.conditions import (
    comparison,
    different_groups,
    group_order,
    of_units,
    on_groups,
    ordered,
    ordered_groups,
    ordering_figure,
    require_part,
    units_of,
)
from core.plan.compile.context import CompileContext, ReadingError
from core.plan.compile.formula import Both, Either, Except, Formula, any_of, negated, parted
from core.plan.compile.references import compared_with_steps, step_of
from core.plan.compile.row_pairs import (
    are_rows,
    combination,
    fields_in,
    matched_rows,
    of_two_columns,
    require_one_column,
)
from core.plan.compile.sides import compared_conditions, require_sides
from core.plan.compile.state import CALCULATED, Compilation, StepResult, unique_labels
from core.plan.compile.table_choice import NO_TABLE, called, has_column, keys_of, tables_of
from core.plan.compile.values import MOST_NAMED, target_of_column
from core.plan.ir import verbalise
from core.plan.ir.nodes import ROW_PLACE, Choice, Condition, Scope, Select
from core.plan.ir.steps import PlanSteps
from core.plan.reading import Function, Operation, ReadCondition, ReadField, ReadOrder, Step, either_groups
from core.text.analyse import text_terms

_RIVAL = 0.5  # probability of a second column from which on none is the one to compute
_ENDS = (Calculation.MIN, Calculation.MAX)
_UNKNOWN = -1  # number of a table of which only the document is known
_REASON = "the question is about rows of a table"
_OF_ALL = frozenset(("all", "every", "each"))
_LISTED = (Operation.LIST, Operation.LOOKUP, Operation.RANK, Operation.EXISTS, Operation.CHECK, Operation.ALL)


@dataclass(slots=True)
class RowsCompiler:
    """Compilation of one step over rows. partner: that of a second table, whose rows go with these."""

    step: Step
    work: Compilation
    table: TableEntry = NO_TABLE
    parts: tuple[TablePart, ...] = ()
    partner: RowsCompiler | None = None

    @property
    def steps(self) -> PlanSteps:
        """The nodes made so far."""
        return self.work.steps

    @property
    def context(self) -> CompileContext:
        """What it is compiled against."""
        return self.work.context

    @staticmethod
    def takes(step: Step, work: Compilation) -> bool:
        """True where rows are asked: the step says so, goes on from rows, or has columns alone."""
        catalogue = work.context.catalogue
        if step.is_rows or step.tables:
            return True
        if any(name in work.results and work.results[name].gives == "rows" for name in step.within):
            return all(has_column(catalogue, each.name) for each in step.fields)
        fields = list(step.fields)
        return (
            bool(fields)
            and not step.kind
            and all(not each.schema_name and catalogue.field(each.name) is None for each in fields)
            and all(has_column(catalogue, each.name) for each in fields)
        )

    def compile(self) -> StepResult:
        """The nodes of the step. Raises ReadingError."""
        step = self.step
        chosen, other = tables_of(step, self.work)
        self.table, self.parts = chosen.table, chosen.parts
        if other is not None:
            self.partner = RowsCompiler(step, self.work, other.table, other.parts)
        if step.operation is Operation.COMPARE and not step.sides:
            return self._compared()
        if step.operation is Operation.CHECK and _OF_ALL.intersection(self.work.reading.question.split()):
            raise ReadingError(
                "No plan says what holds for all rows.",
                next_step="List or count the rows that do not fulfil it.",
                words="all",
            )
        rows = self._rows(step.conditions, shown=step.asked)
        is_distinct = step.function is Function.DISTINCT and bool(step.asked)
        if step.operation in _LISTED and not step.groups and not is_distinct:
            if step.having is not None:
                self.work.uncovered.append(step.having.words or "a condition on groups")
            return StepResult(rows, "rows", rows)
        return self._computed(rows)

    def _column(self, read: ReadField) -> ColumnEntry:
        key = column_key(read.name)
        columns = (*self.table.columns, *(self.partner.table.columns if self.partner is not None else ()))
        found = next((column for column in columns if column.key == key), None)
        if found is None:
            raise ReadingError(
                f"The table has no column {read.name!r}.",
                next_step="Ask for one of its columns.",
                words=read.words,
            )
        return found

    # -- rows ------------------------------------------------------------------------------------------

    def _rows(
        self, conditions: Sequence[ReadCondition], *, shown: Sequence[ReadField] = (), within: bool = True
    ) -> str:
        """The node of the rows that fulfil conditions, in the order of the step where rows are the answer."""
        step = self.step
        matched = [each for each in conditions if self._is_matched(each)]
        plain = [each for each in conditions if each not in matched]
        made = [*self._formula(plain), *(self._names() if conditions is step.conditions else ())]
        is_listed = step.operation in _LISTED
        by = self._column(step.order.field) if step.order is not None and step.order.field else None
        is_first = step.operation is Operation.RANK and not step.groups and by is not None
        if is_first and by is not None and by.type in TEXTS and self.work.reading.by == "trained":
            raise ReadingError(
                f"{by.name} holds texts, of which none is the most.", next_step="Name a figure."
            )
        fields = tuple(dict.fromkeys(self._column(each).key for each in shown)) if is_listed else ()
        order = step.order if not step.groups and step.function is not Function.DISTINCT else None
        if not is_listed and (order is None or order.field is None or not order.limit):
            order = None
        for read in (*shown, *((order.field,) if order is not None and order.field is not None else ())):
            require_one_column(read, is_listed=is_listed)
        outer = self._narrowed() if within else ""
        if self.partner is None:
            answer = self._set(made, matched, outer, fields, order)
        else:
            answer = self._joined(made, matched, outer, fields, order)
        for read in shown:
            self._note(read.words, f"{self._column(read).name} is asked for", answer, read.probability)
        name = self._table_name()
        reading = f"counted over the rows of {name} alone, so that nothing stated elsewhere counts twice"
        self._note("", reading, answer)
        return answer

    def _set(
        self,
        made: Sequence[Formula],
        matched: Sequence[ReadCondition],
        outer: str,
        fields: tuple[str, ...] = (),
        order: ReadOrder | None = None,
    ) -> str:
        """The node of the rows of the one table that fulfil all of it."""
        split = parted(Both(tuple(made)))
        if split is None:
            raise ReadingError(
                "It joins or excludes more than one plan can say.", next_step="Ask for less at once."
            )
        is_whole = not split.left_out and not matched
        answer = self._selected(split.holds, outer, fields, order if is_whole else None).id
        for each in split.left_out:
            without = self._selected(each)
            answer = self.steps.combine(
                "Leave these out",
                (answer, without.id),
                "difference",
                of="rows",
                reason="the question excludes them",
            ).id
        for read in matched:
            answer = matched_rows(answer, self._column(read.field), read, self.work)
        if not is_whole and (order is not None or fields):
            answer = self._selected((), answer, fields, order).id
        return answer

    def _joined(
        self,
        made: Sequence[Formula],
        matched: Sequence[ReadCondition],
        outer: str,
        fields: tuple[str, ...],
        order: ReadOrder | None,
    ) -> str:
        """The node of the rows of the table, each with the row of its partner that goes with it."""
        assert self.partner is not None  # as its caller checks
        own = [each for each in made if fields_in(each) <= keys_of(self.table)]
        rest = [each for each in made if each not in own]
        others = [each for each in rest if fields_in(each) <= keys_of(self.partner.table)]
        between = [each for each in rest if each not in others]
        pairs = tuple(each for each in between if isinstance(each, Condition) and not each.minus)
        if len(pairs) < len(between):
            raise ReadingError(
                "Alternatives, or a difference, are of columns of two tables.",
                next_step="Compare one column with another, or write a condition for each table.",
            )
        own_matched = [each for each in matched if column_key(each.field.name) in keys_of(self.table)]
        left = self._set(own, own_matched, outer)
        right = self.partner._set(others, [each for each in matched if each not in own_matched], "")
        one, other = (column_key(each.name) for each in self.step.on)
        node = self.steps.join(
            f"Put the rows of {self._table_name()} and of {self.partner._table_name()} together",
            (left, right),
            one,
            other,
            conditions=pairs,
            is_narrowed=len(others) + len(matched) > len(own_matched),
            fields=fields,
            **self._ordered(order),
            reason="columns of both tables are asked for",
        )
        return node.id

    def _is_matched(self, read: ReadCondition) -> bool:
        """True where rows are held against those of an earlier step, of which one has to say the same."""
        name = step_of(read.values[0], self.work) if len(read.values) == 1 else None
        is_equal = read.op in (Operator.EQUAL, Operator.NOT_EQUAL) and self._column(read.field).type in TEXTS
        is_equal = is_equal or read.op is Operator.IN
        return name is not None and is_equal and are_rows(name, self.work)

    def _selected(
        self,
        clauses: tuple[Condition | Choice, ...],
        within: str = "",
        fields: tuple[str, ...] = (),
        order: ReadOrder | None = None,
    ) -> Select:
        said = verbalise.conditions_text(clauses, None)
        return self.steps.select(
            f"Find rows of {self._table_name()}{f': {said}' if said else ''}",
            Scope(
                buckets=self.work.reading.buckets or self.context.buckets,
                documents=tuple(dict.fromkeys(part.document for part in self.parts)) or self.table.documents,
            ),
            clauses,
            reason=_REASON,
            of="rows",
            fields=fields,
            columns=tuple(column.key for column in self.table.columns)[:MOST_NAMED],
            within=within,
            tables=tuple(p.name for p in self.parts or self.table.parts if p.number != _UNKNOWN),
            **self._ordered(order),
        )

    def _ordered(self, order: ReadOrder | None) -> dict[str, object]:
        by = self._column(order.field).key if order is not None and order.field else ROW_PLACE
        return ordered(order, by)

    def _narrowed(self) -> str:
        """The node of the one set that the step narrows, of rows or of documents; "" for none."""
        results = [self.work.result(name) for name in self.step.within]
        described = [each for each in self.step.names if each.described and each.role != "party"]
        results += [self.work.result(each.described, each.words) for each in described if not each.negated]
        nodes = tuple(
            dict.fromkeys(
                each.set_node or (each.node if each.gives in ("documents", "rows") else "")
                for each in results
            )
        )
        if not all(nodes) or any(each.negated for each in described):
            raise ReadingError("That is no set to go on from.", next_step="Ask for the rows first.")
        if len(nodes) < 2:
            return nodes[0] if nodes else ""
        kinds = {each.gives for each in results}
        of: Literal["documents", "rows"] = "rows" if kinds == {"rows"} else "documents"
        return self.steps.combine("Those in all", nodes, "intersect", of=of, reason="all of them hold").id

    def _table_name(self) -> str:
        """The table for a person: its sheet, or its document."""
        parts = self.parts or self.table.parts
        ids = tuple(dict.fromkeys(part.document for part in parts)) or self.table.documents
        documents = [self.context.catalogue.document(id) for id in ids]
        titles = [each.title for each in documents if each is not None]
        title = titles[0] if len(titles) == 1 else f"{len(titles):,} documents"
        sheets = list(dict.fromkeys(part.sheet for part in parts if part.sheet))
        return f"{sheets[0]} in {title}" if len(sheets) == 1 and len(titles) == 1 else title

    def _names(self) -> list[Formula]:
        """What names say that chose no table: cells in which they stand. Those that nothing says are told."""
        made: list[Formula] = []
        own_words = text_terms(" ".join(called(part, self.context.catalogue) for part in self.parts))
        for name in self.step.names:
            own = text_terms(name.words)
            if name.role == "kind" or name.documents or (name.described and name.role != "party"):
                continue
            if name.described:
                raise ReadingError(
                    f"“{name.words}” is looked up first, and rows are not compared with it.",
                    next_step="Ask for it first.",
                    words=name.words,
                )
            ways = self._cells_with(name.words)
            if ways:
                found = any_of(ways)
                made.append(_opposite(found) if name.negated else found)
                titles = " or ".join(verbalise.condition_text(each, None) for each in ways)
                self._note(name.words, f"{'not ' if name.negated else ''}{titles}", "", name.probability)
            elif not own or not own <= own_words or name.negated:
                self.work.uncovered.append(name.words)
        return made

    def _cells_with(self, words: str) -> list[Condition]:
        """The conditions that a cell is, or holds, what words say; those of whole cells before others."""
        exact: list[Condition] = []
        near: list[Condition] = []
        folded, own = " ".join(words.casefold().split()), text_terms(words)
        for column in self.table.columns:
            if column.type not in TEXTS:
                continue
            for text in column.texts:
                condition = Condition(field=column.key, op=Operator.EQUAL, value=text)
                if " ".join(text.casefold().split()) == folded:
                    exact.append(condition)
                elif own and own <= text_terms(text):
                    near.append(condition)
        return (exact or near)[:MOST_NAMED]

    def _formula(self, conditions: Sequence[ReadCondition]) -> list[Formula]:
        return [any_of(map(self._condition, some)) for some in either_groups(conditions)]

    def _condition(self, read: ReadCondition) -> Formula:
        made = self._plain_condition(read)
        self._note(read.words, _said(made), "", read.probability)
        return made

    def _plain_condition(self, read: ReadCondition) -> Formula:
        column = self._column(read.field)
        require_part(read.field.part, column.type, column.name, read.words)
        if read.of_field is not None or read.field.other:
            other = self._column(read.of_field or read.field.all_of_it[1])
            made = of_two_columns(column, other, read)
            return _opposite(made) if read.negated else made
        if not read.values or read.op in (Operator.IS, Operator.MISSING):
            if (read.op is Operator.MISSING) is not read.negated:
                return Condition(field=column.key, op=Operator.MISSING)
            return Condition(field=column.key, op=Operator.IS, value="present")
        referring = compared_with_steps(
            column.key, read.op, read.values, self.work, wanted=column.key, words=read.words
        )
        made = referring if referring is not None else self._comparison(column, read)
        return _opposite(made) if read.negated else made

    def _comparison(self, column: ColumnEntry, read: ReadCondition) -> Formula:
        target, op, values = target_of_column(column), read.op, read.values
        if read.field.part == "unit":
            return of_units(column.key, op, units_of(values))
        is_read = (Operator.EQUAL, Operator.NOT_EQUAL, Operator.IN, Operator.CONTAINS)
        if column.type not in TEXTS or op not in is_read:
            return comparison(column.key, op, values, target)
        ways: list[Formula] = []
        for each in values:
            how, texts = target.cells_with(each, is_part=op is Operator.CONTAINS)
            if how is Operator.CONTAINS and target.is_whole and self.work.reading.by == "trained":
                target.require_in_a_cell(each, read.words)
            value: str | tuple[str, ...] = texts if len(texts) > 1 else texts[0]
            ways.append(Condition(field=column.key, op=how, value=value))
        made = any_of(ways)
        return _opposite(made) if op is Operator.NOT_EQUAL else made

    # -- answers ---------------------------------------------------------------------------------------

    def _computed(self, rows: str) -> StepResult:
        step = self.step
        groups = tuple(self._group(each) for each in step.groups)
        measure = self._column(step.asked[0]) if step.asked else None
        function = self._function(measure)
        if function is Calculation.COUNT:
            measure = None
        combined = step.asked[0] if measure is not None and step.asked[0].other else None
        is_listed = step.operation in _LISTED or (step.operation is Operation.GROUP and not groups)
        if step.function is Function.DISTINCT and step.asked and is_listed:
            groups, function, measure = (self._column(step.asked[0]).key, *groups), Calculation.COUNT, None
        groups = different_groups(groups, "columns")
        if step.function is Function.SHARE and not groups:
            return self._share(rows, self._column(step.asked[0]) if step.asked else None)
        if step.function is Function.SHARE:
            self.work.uncovered.append("share")
            self._note("", "computed for each group; shares are not computed for groups")
        others = [e for e in step.asked[1:] if self._column(e).type in AMOUNTS and e.probability >= _RIVAL]
        if measure is not None and others:
            raise ReadingError(
                "One column is computed, and several are asked for.", next_step="Ask for each by itself."
            )
        groups = self._by_currency(groups, measure, function)
        name = measure.key if measure is not None else ""
        order, by_field = group_order(step, groups, name) if groups else (None, None)
        if by_field is not None:
            measure = self._column(by_field)
            function = ordering_figure(function, measure.type, measure.name, step)
        by = f" for each {' and '.join(groups)}" if groups else ""
        what = measure.name if measure is not None else "rows"
        kind = measure.type if measure is not None else FieldType.NUMBER
        name = measure.key if measure is not None else ""
        node = self.steps.aggregate(
            f"Compute the {function.value} of {what}{by}",
            (rows,),
            function,
            name,
            reason="computed over all rows that were found",
            combined=combination(combined, measure) if combined is not None and measure is not None else "",
            other=self._column(combined.all_of_it[1]).key if combined is not None else "",
            scale=combined.scale if combined is not None else 1,
            group_by=groups,
            having=on_groups(step.having, function, name, kind, groups),
            **ordered_groups(order),
        )
        if measure is not None:
            read = by_field or step.asked[0]
            self._note(read.words, f"{measure.name} is computed with", node.id, read.probability)
        return StepResult(node.id, "groups" if groups else "value", rows)

    def _function(self, measure: ColumnEntry | None) -> Calculation:
        step = self.step
        if step.operation is Operation.COMPUTE and step.function is Function.NONE and measure is None:
            raise ReadingError(
                "Nothing is said of what is computed.", next_step="Name a function and a column."
            )
        if step.function in (Function.NONE, Function.COUNT, Function.SHARE):
            sums = (
                step.operation in (Operation.COMPUTE, Operation.GROUP) and step.function is not Function.COUNT
            )
            is_amount = measure is not None and (measure.type in AMOUNTS or bool(step.asked[0].other))
            return Calculation.SUM if sums and is_amount else Calculation.COUNT
        if measure is None:
            if step.function is Function.DISTINCT:
                return Calculation.COUNT
            raise ReadingError(
                f"Nothing is said of what the {step.function.value} is to be.", next_step="Name a column."
            )
        function = Calculation(step.function.value)
        if step.asked[0].other:
            return function
        is_day = measure.type is FieldType.DATE and function in (*_ENDS, Calculation.MEDIAN)
        is_year = measure.is_of_years and function not in (*_ENDS, Calculation.DISTINCT)
        if function is not Calculation.DISTINCT and (measure.type not in AMOUNTS or is_year) and not is_day:
            raise ReadingError(
                f"The column {measure.name!r} has no {function.value}.",
                next_step="Count the rows, or choose a column of amounts or numbers.",
                words=step.asked[0].words,
            )
        return function

    def _share(self, rows: str, measure: ColumnEntry | None) -> StepResult:
        """The part of all rows, or of the sum of a column over them, that fulfils the conditions."""
        is_part = bool(self.step.conditions or self.step.names)
        if not is_part and not self.step.within:
            raise ReadingError(
                "Nothing is said of which part the share is to be.", next_step="Say which rows."
            )
        whole = self._rows((), within=is_part)
        function = Calculation.SUM if measure is not None and measure.type in AMOUNTS else Calculation.COUNT
        name = measure.key if function is Calculation.SUM and measure is not None else ""
        values = tuple(
            self.steps.aggregate(f"Compute the {function.value}", (each,), function, name).id
            for each in (rows, whole)
        )
        node = self.steps.calculate("Calculate the share", "share", values, ("those", "all"))
        return StepResult(node.id, "value", rows)

    def _group(self, read: ReadField) -> str:
        column = self._column(read)
        require_part(read.part, column.type, column.name, read.words)
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

    def _compared(self) -> StepResult:
        """What each condition comes to, held beside the others; the function is the same for all."""
        step = self.step
        if len(step.conditions) < 2:
            raise ReadingError("It compares fewer than two things.", next_step="Name both sides.")
        measure = self._column(step.asked[0]) if step.asked else None
        function = self._function(measure)
        sides = compared_conditions(step.conditions)
        require_sides(len(sides), step.outcome)
        shared = [each for each in step.conditions if each not in sides]
        values, labels = [], []
        rows = ""
        for side in sides:
            rows = self._rows([*shared, side])
            values.append(
                self.steps.aggregate(
                    f"Compute the {function.value}",
                    (rows,),
                    function,
                    measure.key if measure is not None and function is not Calculation.COUNT else "",
                ).id
            )
            labels.append((side.words or " ".join(side.values) or side.field.name)[:100])
        if step.outcome not in CALCULATED:
            raise ReadingError("Rows are not joined so.", next_step="Ask for each in a step of its own.")
        how = CALCULATED[step.outcome]
        node = self.steps.calculate(
            f"Calculate the {how}" if how != "values" else "Hold the figures beside each other",
            how,
            tuple(values),
            tuple(unique_labels(labels)),
            reason="of what both come to",
        )
        return StepResult(node.id, "value", rows)

    def _note(self, words: str, reading: str, node: str = "", probability: float = 1.0) -> None:
        self.work.note(words, reading, node, probability)


def _opposite(formula: Formula) -> Formula:
    """That cells say something else; of what they hold, all other rows."""
    if isinstance(formula, Both):
        return Either(tuple(map(_opposite, formula.parts)))
    if isinstance(formula, Either):
        return Both(tuple(map(_opposite, formula.parts)))
    if isinstance(formula, Condition) and formula.op is Operator.IN:
        return formula.model_copy(update={"op": Operator.NOT_EQUAL})
    if isinstance(formula, Condition) and formula.op is Operator.NOT_EQUAL:
        op = Operator.IN if isinstance(formula.value, tuple) else Operator.EQUAL
        return formula.model_copy(update={"op": op})
    return negated(formula, is_other=True)


def _said(formula: Formula) -> str:
    if isinstance(formula, Condition):
        return verbalise.condition_text(formula, None)
    if isinstance(formula, Except):
        return f"not {_said(formula.part)}"
    return (" or " if isinstance(formula, Either) else ", and ").join(map(_said, formula.parts))
