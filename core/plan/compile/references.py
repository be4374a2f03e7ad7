"""Values that a step takes from earlier ones: "$s1", and organisations that are described."""

from __future__ import annotations

from core.domain.annotation import Calculation
from core.domain.fields import ORDERED, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import column_key
from core.plan.compile.context import Compilation, ReadingError, StepResult
from core.plan.compile.formula import Both, Formula, any_of
from core.plan.ir.nodes import Aggregate, Condition, Reference
from core.plan.reading import ReadCondition

_BELOW = (Operator.LESS, Operator.LESS_EQUAL)


def step_of(value: str, work: Compilation) -> str | None:
    """The step that a value refers to; None of a value itself, such as "$500"."""
    name = value[1:] if value[:1] == "$" else ""
    return name if name in work.results or name.isidentifier() else None


def compared_with_steps(name: str, read: ReadCondition, work: Compilation) -> Formula | None:
    """The comparison of a field with what steps come to; None where no value refers to one.

    Where a step asks for no field, the same of theirs is meant. Raises ReadingError.
    """
    op, values, words = read.op, read.values, read.words
    steps = [step_of(each, work) for each in values]
    if not any(each is not None for each in steps):
        return None
    if None in steps or op in (Operator.CONTAINS, Operator.MATCHES):
        raise ReadingError("A value of another step cannot be compared so.", "Compare it alone.", words=words)
    nodes = (value_node(each, work, wanted=name, words=words, op=op) for each in steps if each is not None)
    found = [Reference(node=each) for each in nodes]
    if op is Operator.BETWEEN and len(found) == 2:
        ends = zip((Operator.GREATER_EQUAL, Operator.LESS_EQUAL), found, strict=True)
        return Both(tuple(Condition(field=name, op=end, value=each) for end, each in ends))
    if op is Operator.NOT_EQUAL:
        return Both(tuple(Condition(field=name, op=op, value=each) for each in found))
    if op is Operator.IN and len(found) == 1:
        return Condition(field=name, op=op, value=found[0])
    if op in (Operator.EQUAL, Operator.IN):
        return any_of(Condition(field=name, op=Operator.EQUAL, value=each) for each in found)
    if len(found) > 1 or op is Operator.BETWEEN:
        raise ReadingError(
            f"{name} {op.value} is compared with {len(found)} values.", "Say one.", words=words
        )
    return Condition(field=name, op=op, value=found[0])


def value_node(
    name: str, work: Compilation, *, wanted: str = "", words: str = "", op: Operator = Operator.EQUAL
) -> str:
    """The node that gives the one value of an earlier step: of documents their asked field, looked up.

    wanted: the field that is meant where the step asks for none. Raises ReadingError.
    """
    result = work.result(name, words)
    if result.gives == "value":
        return result.node
    if result.gives == "documents" and result.schema is not None:
        named = _named(name, work, wanted)
        field = next((each for each in named if result.schema.field(each) is not None), "")
        if field:
            return _looked_up(result, field, work, words, op)
    if result.gives == "groups":
        node = next(each for each in work.steps.nodes if each.id == result.node)
        keys = node.group_by if isinstance(node, Aggregate) else ()
        if len(keys) == 1 and (result.schema is None or result.schema.field(keys[0]) is not None):
            return _looked_up(result, keys[0], work, words, op)
    if result.gives == "rows":
        return _of_rows(name, result, work, wanted, op, words)
    raise ReadingError(
        f"“{words or name}” comes to no single value.", "Ask for one of its fields.", words=words
    )


def _named(name: str, work: Compilation, wanted: str) -> list[str]:
    """The fields whose value a step may come to, the likeliest first."""
    step = work.step(name)
    asked = [each.name for each in step.asked[:1]] if step is not None else []
    by = step.order.field if step is not None and step.order is not None else None
    return [*asked, *filter(None, (wanted,)), *((by.name,) if by is not None else ())]


def _looked_up(result: StepResult, field: str, work: Compilation, words: str, op: Operator) -> str:
    key = (result.node, f"{op is Operator.IN}:{field}")
    known = work.looked_up.get(key)
    if known is not None:
        return known
    entry = result.schema.field(field.partition(".")[0]) if result.schema is not None else None
    title = entry.title.lower() if entry is not None else field
    is_party = entry is not None and entry.type is FieldType.PARTY
    asks = f"Who is the {title} in {{titles}}?" if is_party else f"What is the {title} of {{titles}}?"
    node = work.steps.hop(
        f"Read the {title} in them",
        result.node,
        field=field,
        template=asks if result.gives == "documents" else "",
        phrase=words,
        several=op is Operator.IN,
        reason="a later node needs this value",
    )
    work.looked_up[key] = node.id
    return node.id


def _of_rows(name: str, result: StepResult, work: Compilation, wanted: str, op: Operator, words: str) -> str:
    """The value that rows have in a column; of several the least for what is below, else the greatest."""
    keys = {column.key: column.type for table in work.context.catalogue.tables for column in table.columns}
    column = next((each for each in map(column_key, _named(name, work, wanted)) if each in keys), "")
    if not column or keys[column] not in ORDERED:
        raise ReadingError(
            f"“{words or name}” comes to no amount, number or day.",
            "Compare with a column of amounts, numbers or days.",
            words,
        )
    function = Calculation.MIN if op in _BELOW else Calculation.MAX
    key = (result.node, f"{function.value}:{column}")
    if key not in work.looked_up:
        purpose = f"Find the {'lowest' if op in _BELOW else 'highest'} {column} of them"
        made = work.steps.aggregate(
            purpose, (result.node,), function, column, reason="a later node needs this value"
        )
        work.looked_up[key] = made.id
    return work.looked_up[key]
