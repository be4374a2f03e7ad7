"""Compilation of a reading: each of its steps becomes nodes, in order, the last of them the answer."""

from __future__ import annotations

from core.domain.answer import Kind, Route
from core.domain.predicate import Operator
from core.plan.compile.context import CompileContext, ReadingError
from core.plan.compile.documents import DocumentsCompiler
from core.plan.compile.finish import told_apart
from core.plan.compile.rows import RowsCompiler
from core.plan.compile.sides import of_steps
from core.plan.compile.state import Compilation, StepResult
from core.plan.ir.nodes import (
    MAX_NODES,
    Plan,
)
from core.plan.reading import (
    IN_HAND,
    Function,
    Operation,
    Reading,
    Step,
)

MANY_GROUPS = 1_000
_OF_ONE = (Operation.LOOKUP, Operation.CHECK)
_KINDS = {Operation.LOOKUP: Kind.LOOKUP, Operation.CHECK: Kind.LOOKUP, Operation.COMPARE: Kind.COMPARISON}


def compile_reading(reading: Reading, context: CompileContext) -> Plan:
    """The plan of a reading that asks for fields, sets or rows.

    Raises ReadingError where no plan says it, UnknownNameError where nothing is called as it says, and
    AskBackError where two documents fit a name as well.
    """
    work = Compilation(reading, context)
    _take_in_hand(work)
    for step in reading.all_steps:
        work.results[step.id] = _step(step, work)
    answer = work.results[reading.id]
    nodes = tuple(told_apart(node) for node in work.steps.nodes)
    if len(nodes) > MAX_NODES:
        raise ReadingError(
            f"It takes {len(nodes)} steps, and {MAX_NODES} are possible.", next_step="Ask less at once."
        )
    return Plan(
        question=reading.question,
        kind=_KINDS.get(reading.operation, Kind.AGGREGATE),
        route=Route.STRUCTURED,
        nodes=nodes,
        answer_node=answer.node,
        uncovered=tuple(dict.fromkeys((*reading.uncovered, *work.uncovered))),
        notes=tuple(dict.fromkeys(work.notes)),
        today=context.today.isoformat(),
        fallbacks=(Route.HYBRID,) if reading.operation in (*_OF_ONE, Operation.COMPARE) else (),
        decides=_decides(reading),
        by="model" if reading.by == "model" else "person" if reading.by == "person" else "reader",
        reading=reading,
    )


def _take_in_hand(work: Compilation) -> None:
    """The nodes of the result set that the conversation has in hand come first."""
    plan = work.context.in_hand
    named = {name for step in work.reading.all_steps for name in step.within}
    if plan is None or IN_HAND not in named or plan.answer_node is None:
        return
    from core.plan.ir.nodes import ComputationNode, SelectionNode, schema_of

    work.steps.nodes.extend(plan.nodes)
    node = plan.node(plan.answer_node)
    if isinstance(node, ComputationNode) and len(node.inputs) == 1:
        node = plan.node(node.inputs[0])
    schema = work.context.catalogue.schema(schema_of(node, {each.id: each for each in plan.nodes}))
    is_rows = isinstance(node, SelectionNode) and node.of == "rows"
    work.results[IN_HAND] = StepResult(node.id, "rows" if is_rows else "documents", node.id, schema)


def _decides(reading: Reading) -> str:
    if reading.operation is Operation.EXISTS:
        return "any"
    if reading.operation is not Operation.CHECK:
        return ""
    if not reading.of_role("document", "party") and not reading.within:
        return "all" if reading.function is Function.NONE else "any"
    is_negated = [each.negated or each.op is Operator.MISSING for each in reading.conditions]
    return "missing" if is_negated and all(is_negated) else "there"


def _step(step: Step, work: Compilation) -> StepResult:
    if step.sides:
        return of_steps(step, work)
    if RowsCompiler.takes(step, work.context.catalogue, work.results):
        made = RowsCompiler(step, work.reading, work.context, work.steps, work.results)
        result = made.compile()
        work.notes.extend(made.notes)
        work.uncovered.extend(made.uncovered)
        return StepResult(result.node, result.gives, result.set_node)
    return DocumentsCompiler(step, work).compile()
