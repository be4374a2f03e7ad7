"""Two columns of a row held against each other, and rows held against those of another table."""

from __future__ import annotations

from core.domain.fields import TEXTS, FieldType
from core.domain.predicate import INEQUALITIES, Operator
from core.plan.catalogue import Catalogue, ColumnEntry, column_key
from core.plan.compile.context import ReadingError
from core.plan.compile.formula import Both, Either, Except, Formula
from core.plan.compile.references import step_of
from core.plan.compile.state import Compilation
from core.plan.compile.values import compiled, target_of
from core.plan.ir.node import Combined, OtherField
from core.plan.ir.nodes import Condition
from core.plan.reading import Function, ReadCondition, ReadField
from core.values.canonical import read_value
from core.values.durations import months_and_days


def of_two_columns(
    column: ColumnEntry, other: ColumnEntry, read: ReadCondition, catalogue: Catalogue
) -> Formula:
    """That two columns of a row compare so, or that what lies between them does. Raises ReadingError."""
    if (column.type in TEXTS) is not (other.type in TEXTS) or (
        read.op in INEQUALITIES and column.type in TEXTS
    ):
        raise ReadingError(
            f"{column.name} and {other.name} are not compared by {read.op.value}.",
            next_step="Compare two columns of amounts, numbers or days.",
            words=read.words,
        )
    if read.of_field is not None:
        if read.field.other or read.op not in (*INEQUALITIES, Operator.EQUAL, Operator.NOT_EQUAL):
            raise ReadingError(
                f"{column.name} is compared with {other.name} by one of = != > >= < <=.",
                next_step="Write one column, the comparison, and the other column.",
                words=read.words,
            )
        return Condition(field=column.key, op=read.op, value=OtherField(field=other.key))
    if read.field.combined != "less":
        raise ReadingError(
            f"No condition is on {column.name} {read.field.combined} {other.name}.",
            next_step="Write the operation group: `groups` the column that names a row, `asked` both columns "
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
            next_step="Write the length in days, such as 30 days.",
            words=read.words,
        )
    value = lengths if read.op is Operator.BETWEEN else lengths[0]
    return Condition(field=column.key, op=read.op, value=value, minus=other.key)


def combination(read: ReadField, column: ColumnEntry) -> Combined:
    """What is made of two columns of a row: of amounts, a cell with nothing in it takes nothing away."""
    is_rest = read.combined == "less" and column.type is not FieldType.DATE
    return "rest" if is_rest else read.combined


def require_one_column(read: ReadField, *, is_listed: bool) -> None:
    """Raise ReadingError where rows are to be ordered by two columns together, or to show what these make."""
    if read.other and is_listed:
        raise ReadingError(
            f"Rows neither show nor are ordered by {read.name} {read.combined} {read.other}.",
            next_step="Write the operation group: `groups` the column that names a row, `asked` both columns "
            "together, function sum, and the order with its field empty.",
            words=read.words,
        )


def are_rows(name: str, work: Compilation) -> bool:
    """True where an earlier step gives rows, or the different values of a column of some."""
    result, step = work.results.get(name), work.step(name)
    if result is None or result.gives == "rows":
        return result is not None
    is_plain = step is not None and step.order is None and step.having is None
    return result.gives == "groups" and result.schema is None and is_plain and bool(result.set_node)


def matched_rows(column: ColumnEntry, read: ReadCondition, work: Compilation, rows: str) -> str:
    """The node of the rows that say in a column what a row of an earlier step says, or of those that do not.

    Which of its columns is meant is asked first there, or is called as that of the condition. Raises.
    """
    name = step_of(read.values[0], work) or ""
    result, step = work.result(name, read.words), work.step(name)
    is_listed = step is not None and step.function in (Function.NONE, Function.DISTINCT)
    named = () if step is None else (*step.asked, *step.groups) if is_listed else step.groups
    right = column_key(named[0].name) if named else column.key
    is_other = read.negated is not (read.op is Operator.NOT_EQUAL)
    known = {each.key for table in work.context.catalogue.tables for each in table.columns}
    if right not in known:
        raise ReadingError(
            f"Step {name!r} has no column that {column.name} is compared with.",
            next_step=f"Write in `asked` of {name!r} the column that says the same.",
            words=read.words,
        )
    made = work.steps.join(
        f"Those whose {column.name} is {'not ' if is_other else ''}among them",
        (rows, result.any_set),
        column.key,
        right,
        how="without" if is_other else "matching",
        reason="they are held against those of another table",
    )
    work.note(read.words, f"{column.name} {'not ' if is_other else ''}among those", made.id, read.probability)
    return made.id


def fields_in(formula: Formula) -> set[str]:
    """The columns that a formula is on."""
    if isinstance(formula, Both | Either):
        return {name for part in formula.parts for name in fields_in(part)}
    if isinstance(formula, Except):
        return fields_in(formula.part)
    value = formula.value
    others = {formula.minus, value.field if isinstance(value, OtherField) else ""} - {""}
    return {formula.field.removesuffix(".unit"), *others}
