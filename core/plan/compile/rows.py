"""Compilation of a step over rows: which table is meant, whose columns are fields like any other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from core.domain.annotation import Calculation
from core.domain.fields import AMOUNTS, TEXTS, FieldType
from core.domain.predicate import INEQUALITIES, Operator
from core.extract.unpivot import UNPIVOTED
from core.plan.catalogue import Catalogue, ColumnEntry, TableEntry, TablePart, column_key, sheets_of
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
)
from core.plan.compile.names import documents_named, step_of
from core.plan.compile.step import LISTED, Entry, StepCompiler, Texts
from core.plan.compile.values import (
    MOST_NAMED,
    comparison,
    compiled,
    in_currency,
    key_of,
    ordered,
    require_part,
    target_of,
)
from core.plan.ir import verbalise
from core.plan.ir.node import OtherField
from core.plan.ir.nodes import ROW_PLACE, Condition, Join, Scope
from core.plan.reading import Function, Operation, ReadCondition, ReadField, ReadOrder, Step
from core.text.analyse import text_terms
from core.values.canonical import read_value
from core.values.durations import months_and_days
from core.values.stated_years import years_said

NO_TABLE = TableEntry((), ())
"""Table of a step before one is chosen."""
_MOST_EACH = 20  # tables of which pairs are weighed, the likeliest
_RIVAL = 0.5  # probability of a second column from which on none is the one to compute
_REASON = "the question is about rows of a table"
_TRAINED_LOOKUP = (Operation.LOOKUP, "trained")
_ADDED = (Function.SUM, Function.AVG, Function.MEDIAN)
_YEARS = text_terms("year annual")
_ALL_YEARS = 0.6  # that figures of several years are to be added up, which nothing says
_OF_ALL = frozenset(("all", "every", "each"))


@dataclass(frozen=True, slots=True)
class ChosenTable:
    """A table that may be meant, with the parts of it that are. figure: the least is the likeliest."""

    table: TableEntry
    parts: tuple[TablePart, ...]
    figure: tuple[int, ...]


def tables_of(step: Step, work: Compilation) -> tuple[ChosenTable, ChosenTable | None]:
    """The table that has all columns, and fits names and words best; and the one that it goes together with.

    Raises ReadingError where the step names a column that they do not have.
    """
    wanted = {column_key(each.name) for each in step.fields}
    if not step.on:
        chosen, other = min(_candidates(step, wanted, work), key=lambda each: each.figure), None
    else:
        chosen, other = _pair(step, wanted, work)
    keys = keys_of(chosen.table) | (keys_of(other.table) if other is not None else set())
    lacking = next((each for each in step.fields if column_key(each.name) not in keys), None)
    if lacking is not None:
        raise ReadingError(
            f"No one table has all these columns; {lacking.name!r} stands apart.",
            "Join two tables by a column of each (`on`), or ask each in a step of its own, the "
            'second with a condition `in` ["$s1"].',
            words=lacking.words,
        )
    return chosen, other


def _pair(step: Step, wanted: set[str], work: Compilation) -> tuple[ChosenTable, ChosenTable]:
    left, right = (column_key(each.name) for each in step.on)
    ranked = sorted(_candidates(step, set(), work), key=lambda each: each.figure)
    lefts = [each for each in ranked if left in keys_of(each.table)][:_MOST_EACH]
    rights = [each for each in ranked if right in keys_of(each.table)][:_MOST_EACH]
    pairs = [(one, other) for one in lefts for other in rights if one is not other]
    if not pairs:
        raise ReadingError(
            f"No two of these tables have {step.on[0].name!r} and {step.on[1].name!r}.",
            "Name two tables in `tables`, and in `on` a column of the first and one of the second "
            "that say the same.",
        )
    return min(pairs, key=lambda pair: len(wanted - keys_of(pair[0].table) - keys_of(pair[1].table)))


def _candidates(step: Step, wanted: set[str], work: Compilation) -> list[ChosenTable]:
    """The tables that may be meant. Raises ReadingError where there is none."""
    catalogue = work.context.catalogue
    chosen = set(step.tables)
    documents = {id for name in step.names for id in name.documents}
    said = text_terms(" ".join((*(each.words for each in step.names), work.reading.question)))
    found: list[ChosenTable] = []
    for table in catalogue.rows_by_sql:
        parts = tuple(
            part
            for part in table.parts
            if (not chosen or part.name in chosen) and (not documents or part.document in documents)
        )
        if not _is_in_scope(table, work) or ((chosen or documents) and not parts):
            continue
        if len({part.sheet for part in parts}) > 1:  # of all sheets, those that the question names
            named = tuple(each for each in parts if each.sheet and text_terms(each.sheet) <= said)
            parts = named if chosen and named else parts
        near = [len(said & text_terms(called(part, catalogue))) for part in table.parts]
        most = max(near, default=0)
        if not (chosen or documents):
            parts = tuple(part for part, count in zip(table.parts, near, strict=True) if count == most > 0)
        found.append(ChosenTable(table, parts, (len(wanted - keys_of(table)), -most, -table.rows)))
    if not found:
        raise ReadingError("There is no such table.", "Ask without the table, or search the text.")
    return found


def _is_in_scope(table: TableEntry, work: Compilation) -> bool:
    buckets = work.reading.buckets or work.context.buckets
    documents = (work.context.catalogue.document(id) for id in table.documents)
    return not buckets or any(each is not None and each.bucket in buckets for each in documents)


def called(part: TablePart, catalogue: Catalogue) -> str:
    """All words that a part of a table is called by: sheet, caption, document, file."""
    document = catalogue.document(part.document)
    names = (document.name, document.source.rsplit("/", 1)[-1]) if document is not None else ()
    return " ".join((part.sheet, part.caption, *names)).replace("_", " ").replace("-", " ")


def has_column(catalogue: Catalogue, name: str) -> bool:
    """True where any table has a column of that name."""
    key = column_key(name)
    return any(column.key == key for table in catalogue.rows_by_sql for column in table.columns)


def keys_of(table: TableEntry) -> set[str]:
    """The columns of a table, as conditions know them."""
    return {column.key for column in table.columns}


@dataclass(slots=True)
class RowsCompiler(StepCompiler):
    """Compilation of one step over rows. partner: that of a second table, whose rows go with these."""

    of = "rows"
    columns = "columns"
    computed_over = "computed over all rows that were found"

    table: TableEntry = NO_TABLE
    parts: tuple[TablePart, ...] = ()
    partner: RowsCompiler | None = None

    @staticmethod
    def takes(step: Step, work: Compilation) -> bool:
        """True where rows are asked: it says so, goes on from rows, has columns alone, or counts a sheet."""
        catalogue = work.context.catalogue
        if step.is_rows or step.tables:
            return True
        if any(name in work.results and work.results[name].gives == "rows" for name in step.within):
            return all(has_column(catalogue, each.name) for each in step.fields)
        fields, named = list(step.fields), step.of_role("document")
        if step.operation is Operation.COUNT and named and not (fields or step.within):
            question = work.reading.question
            found = [documents_named(name, work.context, None, question, of_several=True) for name in named]
            return {each.id for several in found for each in several} <= sheets_of(catalogue)
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
            self.partner = RowsCompiler(step, self.work, None, other.table, other.parts)
        if step.operation is Operation.COMPARE and not step.sides:
            return self.compared_counts()
        if step.operation is Operation.CHECK and _OF_ALL.intersection(self.work.reading.question.split()):
            raise ReadingError(
                "No plan says what holds for all rows.",
                "List or count the rows that do not fulfil it.",
                words="all",
            )
        step = self.step = step.model_copy(update={"conditions": (*step.conditions, *self._of_periods())})
        rows = self._rows(step.conditions, shown=step.asked)
        is_distinct = step.function is Function.DISTINCT and bool(step.asked)
        if step.operation not in LISTED or step.groups or is_distinct:
            return self.computed(rows)
        if step.having is not None:
            self.work.uncovered.append(step.having.words or "a condition on groups")
        return StepResult(rows, "rows", rows)

    def _of_periods(self) -> list[ReadCondition]:
        """Conditions on the column of years that words of another column say: "2024 Plan".

        Where nothing says which years are meant, and those of each row are added up, it is told.
        """
        years = next((each for each in self.table.columns if each.key == "year"), None)
        if years is None or any(column_key(each.name) == years.key for each in self.step.fields):
            return []
        field, made = ReadField(name=years.name), list[ReadCondition]()
        for read in self.step.asked:
            said = tuple(each for each in years_said(read.words) if each not in read.name)
            if said:
                op = Operator.EQUAL if len(said) == 1 else Operator.IN
                made.append(ReadCondition(field=field, op=op, values=said, words=read.words))
        is_made_of_another = any(part.number >= UNPIVOTED for part in self.parts or self.table.parts)
        is_open = is_made_of_another and not (made or _YEARS & text_terms(self.work.reading.question))
        if is_open and self.step.function in _ADDED:
            self.work.note("", f"over all values of {years.name} together", probability=_ALL_YEARS)
        return made

    def entry(self, read: ReadField) -> ColumnEntry:
        """The column of the table, or of its partner. Raises ReadingError where there is none."""
        key = column_key(read.name)
        columns = (*self.table.columns, *(self.partner.table.columns if self.partner is not None else ()))
        found = next((column for column in columns if column.key == key), None)
        if found is None:
            raise ReadingError(
                f"The table has no column {read.name!r}.", "Ask for one of its columns.", words=read.words
            )
        return found

    # -- rows ------------------------------------------------------------------------------------------

    def _rows(
        self, conditions: Sequence[ReadCondition], *, shown: Sequence[ReadField] = (), within: bool = True
    ) -> str:
        """The node of the rows that fulfil conditions, in the order of the step where rows are the answer."""
        step = self.step
        matched = [each for each in conditions if self._is_matched(each)]
        made = self.formulas([each for each in conditions if each not in matched])
        made += self._names() if conditions is step.conditions else ()
        is_listed = step.operation in LISTED
        by = self.entry(step.order.field) if step.order is not None and step.order.field else None
        is_first = step.operation is Operation.RANK and not step.groups and by is not None
        if is_first and by is not None and by.type in TEXTS and self.work.reading.by == "trained":
            raise ReadingError(f"{by.name} holds texts, of which none is the most.", "Name a figure.")
        fields = tuple(dict.fromkeys(self.entry(each).key for each in shown)) if is_listed else ()
        given = {column_key(each.field.name) for each in conditions if each.op is Operator.EQUAL}
        if fields and given >= {*fields} and (step.operation, self.work.reading.by) == _TRAINED_LOOKUP:
            raise ReadingError(
                "The question gives itself what would be looked up.", "Ask for another column."
            )
        order = step.order if not step.groups and step.function is not Function.DISTINCT else None
        if not is_listed and (order is None or order.field is None or not order.limit):
            order = None
        for read in (*shown, *((order.field,) if order is not None and order.field is not None else ())):
            _require_one_column(read, is_listed=is_listed)
        outer = self._narrowed() if within else ""
        joined = self._matching if self.partner is None else self._joined
        answer = joined(made, matched, outer, fields, order)
        for read in shown:
            self.note(read.words, f"{self.entry(read).name} is asked for", read.probability, answer)
        name = self._table_name()
        reading = f"counted over the rows of {name} alone, so that nothing stated elsewhere counts twice"
        self.note("", reading, node=answer)
        return answer

    def _matching(
        self,
        made: Sequence[Formula],
        matched: Sequence[ReadCondition],
        outer: str,
        fields: Texts = (),
        order: ReadOrder | None = None,
    ) -> str:
        """The node of the rows of the one table that fulfil all of it."""
        narrowing = [partial(_matched_rows, self.entry(read.field), read, self.work) for read in matched]
        return self.make(made, outer, fields, order, narrowing)

    def _joined(
        self,
        made: Sequence[Formula],
        matched: Sequence[ReadCondition],
        outer: str,
        fields: Texts,
        order: ReadOrder | None,
    ) -> str:
        """The node of the rows of the table, each with the row of its partner that goes with it."""
        assert self.partner is not None  # as its caller checks
        own = [each for each in made if _fields_in(each) <= keys_of(self.table)]
        rest = [each for each in made if each not in own]
        others = [each for each in rest if _fields_in(each) <= keys_of(self.partner.table)]
        between = [each for each in rest if each not in others]
        pairs = tuple(each for each in between if isinstance(each, Condition) and not each.minus)
        if len(pairs) < len(between):
            raise ReadingError(
                "Alternatives, or a difference, are of columns of two tables.",
                "Compare one column with another, or write a condition for each table.",
            )
        own_matched = [each for each in matched if column_key(each.field.name) in keys_of(self.table)]
        left = self._matching(own, own_matched, outer)
        right = self.partner._matching(others, [each for each in matched if each not in own_matched], "")
        one, other = (column_key(each.name) for each in self.step.on)
        node = self.work.steps.add(
            Join,
            f"Put the rows of {self._table_name()} and of {self.partner._table_name()} together",
            (left, right),
            left=one,
            right=other,
            conditions=pairs,
            fields=fields,
            **self._ordered(order),
            reason="columns of both tables are asked for",
        )
        return node.id

    def _is_matched(self, read: ReadCondition) -> bool:
        """True where rows are held against those of an earlier step, of which one has to say the same."""
        name = step_of(read.values[0], self.work) if len(read.values) == 1 else None
        is_equal = read.op in (Operator.EQUAL, Operator.NOT_EQUAL) and self.entry(read.field).type in TEXTS
        is_equal = is_equal or read.op is Operator.IN
        return name is not None and is_equal and _are_rows(name, self.work)

    def selected(
        self,
        conditions: Clauses,
        within: str = "",
        fields: Texts = (),
        order: ReadOrder | None = None,
    ) -> str:
        """The node of the rows that fulfil conditions."""
        said = verbalise.conditions_text(conditions, None)
        documents = tuple(dict.fromkeys(part.document for part in self.parts)) or self.table.documents
        return self.work.steps.select(
            f"Find rows of {self._table_name()}{f': {said}' if said else ''}",
            Scope(buckets=self.buckets, documents=documents),
            conditions,
            reason=_REASON,
            of="rows",
            fields=fields,
            within=within,
            tables=tuple(p.name for p in self.parts or self.table.parts),
            **self._ordered(order),
        ).id

    def _ordered(self, order: ReadOrder | None) -> dict[str, object]:
        return ordered(order, self.entry(order.field).key if order is not None and order.field else ROW_PLACE)

    def _narrowed(self) -> str:
        """The node of the one set that the step narrows, of rows or of documents; "" for none."""
        described = [each for each in self.step.names if each.described and each.role != "party"]
        if any(each.negated for each in described):
            raise ReadingError("That is no set to go on from.", "Ask for the rows first.")
        return self.narrowed([self.work.result(each.described, each.words) for each in described])

    def _table_name(self) -> str:
        """The table for a person: its sheet, or its document."""
        parts = self.parts or self.table.parts
        ids = tuple(dict.fromkeys(part.document for part in parts)) or self.table.documents
        documents = [self.catalogue.document(id) for id in ids]
        titles = [each.title for each in documents if each is not None]
        title = titles[0] if len(titles) == 1 else f"{len(titles):,} documents"
        sheets = list(dict.fromkeys(part.sheet for part in parts if part.sheet))
        return f"{sheets[0]} in {title}" if len(sheets) == 1 and len(titles) == 1 else title

    def _names(self) -> list[Formula]:
        """What names say that chose no table: cells in which they stand. Those that nothing says are told."""
        made: list[Formula] = []
        own_words = text_terms(" ".join(called(part, self.catalogue) for part in self.parts))
        for name in self.step.names:
            own = text_terms(name.words)
            if name.role == "kind" or name.documents or (name.described and name.role != "party"):
                continue
            if name.described:
                raise ReadingError(
                    f"“{name.words}” is looked up first, and rows are not compared with it.",
                    "Ask for it first.",
                    words=name.words,
                )
            ways = self._cells_with(name.words)
            if ways:
                found = any_of(ways)
                made.append(self.opposite(found) if name.negated else found)
                titles = " or ".join(verbalise.condition_text(each, None) for each in ways)
                self.note(name.words, f"{'not ' if name.negated else ''}{titles}", name.probability)
            elif not own or not own <= own_words or name.negated:
                self.work.uncovered.append(name.words)
        return made

    def _cells_with(self, words: str) -> list[Condition]:
        """The conditions that a cell is, or holds, what words say; those of whole cells before others."""
        folded, own = words.casefold().split(), text_terms(words)
        cells = [
            (column.key, t) for column in self.table.columns if column.type in TEXTS for t in column.texts
        ]
        found = [cell for cell in cells if cell[1].casefold().split() == folded]
        found = found or [cell for cell in cells if own and own <= text_terms(cell[1])]
        return [Condition(field=key, op=Operator.EQUAL, value=text) for key, text in found[:MOST_NAMED]]

    def of_two(self, read: ReadCondition) -> Formula:
        """That two columns of a row compare so, or that what lies between them does. Raises ReadingError."""
        column, other = self.entry(read.field), self.entry(read.of_field or read.field.all_of_it[1])
        require_part(read.field.part, column.type, column.name, read.words)
        return _of_two_columns(column, other, read, self.catalogue)

    def compared(self, entry: Entry, read: ReadCondition) -> Formula:
        """That a column compares with values so. Raises ReadingError."""
        target, op = target_of(entry, self.catalogue), read.op
        is_side = entry.type is FieldType.MONEY and op in (*INEQUALITIES, Operator.BETWEEN)
        if is_side and not self._is_in_one(entry):
            target = in_currency(target, read, self.work.reading.question)
        is_read = (Operator.EQUAL, Operator.NOT_EQUAL, Operator.IN, Operator.CONTAINS)
        if entry.type not in TEXTS or op not in is_read:
            return comparison(op, read.values, target)
        ways = [target.in_cells(each, is_part=op is Operator.CONTAINS) for each in read.values]
        for said, way in zip(read.values, ways, strict=True):
            is_strange = way.op is Operator.CONTAINS and target.is_whole
            if is_strange and self.work.reading.by == "trained":
                target.require_in_a_cell(said, read.words)
        made = any_of(ways)
        return self.opposite(made) if op is Operator.NOT_EQUAL else made

    # -- figures ---------------------------------------------------------------------------------------

    def purpose(self, function: Calculation, name: str, groups: Texts = ()) -> str:
        """What a node computes, in words."""
        column = next((each.name for each in self.table.columns if each.key == name), name or "rows")
        return (
            f"Compute the {function.value} of {column}{' for each ' if groups else ''}{' and '.join(groups)}"
        )

    def combined(self, measure: Entry) -> dict[str, object]:
        """Parts of a node that computes with two columns. Raises ReadingError for several figures."""
        first, *others = self.step.asked
        if any(self.entry(e).type in AMOUNTS and e.probability >= _RIVAL for e in others):
            raise ReadingError("One column is computed, several are asked for.", "Ask for each by itself.")
        if not first.other or not isinstance(measure, ColumnEntry):
            return {}
        other = self.entry(first.all_of_it[1]).key
        # Of amounts, a cell with nothing in it takes nothing away.
        is_rest = first.combined == "less" and measure.type is not FieldType.DATE
        return {"combined": "rest" if is_rest else first.combined, "other": other, "scale": first.scale}

    def split_groups(self, groups: Texts, measure: Entry, function: Calculation) -> Texts:
        """Amounts in several currencies are never added: each has a result of its own."""
        unit = f"{key_of(measure)}.unit"
        is_told = function in (Calculation.COUNT, Calculation.DISTINCT) or measure.type is not FieldType.MONEY
        if is_told or self._is_in_one(measure) or unit in groups or len(groups) >= 3:
            return groups
        self.note("", f"for each currency by itself: {', '.join(measure.units)}")
        return (*groups, unit)

    def _is_in_one(self, entry: Entry) -> bool:
        """True of amounts that are in one currency, as far as they are asked about."""
        return len(entry.units) < 2 or any(each.field.part == "unit" for each in self.step.conditions)

    def whole(self, *, within: bool) -> str:
        """The node of all rows of the table, in the sets that the step narrows or in all."""
        return self._rows((), within=within)

    def sets_of(self, sides: Sequence[ReadCondition], rest: Sequence[ReadCondition]) -> list[str]:
        """The nodes of the rows that fulfil each of some conditions, and the rest of them."""
        return [self._rows([*rest, each]) for each in sides]


def _of_two_columns(
    column: ColumnEntry, other: ColumnEntry, read: ReadCondition, catalogue: Catalogue
) -> Formula:
    """That two columns of a row compare so, or that what lies between them does. Raises ReadingError."""
    if (column.type in TEXTS) is not (other.type in TEXTS) or (
        read.op in INEQUALITIES and column.type in TEXTS
    ):
        raise ReadingError(
            f"{column.name} and {other.name} are not compared by {read.op.value}.",
            "Compare two columns of amounts, numbers or days.",
            words=read.words,
        )
    if read.of_field is not None:
        if read.field.other or read.op not in (*INEQUALITIES, Operator.EQUAL, Operator.NOT_EQUAL):
            raise ReadingError(
                f"{column.name} is compared with {other.name} by one of = != > >= < <=.",
                "Write one column, the comparison, and the other column.",
                words=read.words,
            )
        return Condition(field=column.key, op=read.op, value=OtherField(field=other.key))
    if read.field.combined != "less":
        raise ReadingError(
            f"No condition is on {column.name} {read.field.combined} {other.name}.",
            "Write the operation group: `groups` the column that names a row, `asked` both columns "
            "together, function sum, and the condition in `having`.",
            words=read.words,
        )
    if column.type is not FieldType.DATE:
        made = compiled(read.op, read.values, target_of(column, catalogue))
        return made.model_copy(update={"minus": other.key})
    lengths = tuple(f"{each} days" if each.isdigit() else each for each in read.values)
    known = [read_value(each, FieldType.DURATION) for each in lengths]
    if not all(each is not None and (months_and_days(each) or (1, 0))[0] == 0 for each in known):
        raise ReadingError(
            f"Between {other.name} and {column.name} lie days.",
            "Write the length in days, such as 30 days.",
            words=read.words,
        )
    value = lengths if read.op is Operator.BETWEEN else lengths[0]
    return Condition(field=column.key, op=read.op, value=value, minus=other.key)


def _require_one_column(read: ReadField, *, is_listed: bool) -> None:
    """Raise ReadingError where rows are to be ordered by two columns together, or to show what these make."""
    if read.other and is_listed:
        raise ReadingError(
            f"Rows neither show nor are ordered by {read.name} {read.combined} {read.other}.",
            "Write the operation group: `groups` the column that names a row, `asked` both columns "
            "together, function sum, and the order with its field empty.",
            words=read.words,
        )


def _are_rows(name: str, work: Compilation) -> bool:
    """True where an earlier step gives rows, or the different values of a column of some."""
    result, step = work.results.get(name), work.step(name)
    if result is None or result.gives == "rows":
        return result is not None
    is_plain = step is not None and step.order is None and step.having is None
    return result.gives == "groups" and result.schema is None and is_plain and bool(result.set_node)


def _matched_rows(column: ColumnEntry, read: ReadCondition, work: Compilation, rows: str) -> str:
    """The node of the rows that say in a column what a row of an earlier step says, or of those that do not.

    Which of its columns is meant is asked first there, or is called as that of the condition. Raises.
    """
    name = step_of(read.values[0], work) or ""
    result, step = work.result(name, read.words), work.step(name)
    is_listed = step is not None and step.function in (Function.NONE, Function.DISTINCT)
    named = () if step is None else (*step.asked, *step.groups) if is_listed else step.groups
    right = column_key(named[0].name) if named else column.key
    is_other = read.negated is not (read.op is Operator.NOT_EQUAL)
    known = {each.key for table in work.context.catalogue.rows_by_sql for each in table.columns}
    if right not in known:
        raise ReadingError(
            f"Step {name!r} has no column that {column.name} is compared with.",
            f"Write in `asked` of {name!r} the column that says the same.",
            words=read.words,
        )
    made = work.steps.add(
        Join,
        f"Those whose {column.name} is {'not ' if is_other else ''}among them",
        (rows, result.any_set),
        left=column.key,
        right=right,
        how="without" if is_other else "matching",
        reason="they are held against those of another table",
    )
    work.note(read.words, f"{column.name} {'not ' if is_other else ''}among those", made.id, read.probability)
    return made.id


def _fields_in(formula: Formula) -> set[str]:
    """The columns that a formula is on."""
    if isinstance(formula, Both | Either):
        return {name for part in formula.parts for name in _fields_in(part)}
    if isinstance(formula, Except):
        return _fields_in(formula.part)
    value = formula.value
    others = {formula.minus, value.field if isinstance(value, OtherField) else ""} - {""}
    return {formula.field.removesuffix(".unit"), *others}
