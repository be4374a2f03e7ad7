"""Compilation of a reading: each of its steps becomes nodes, in order, the last of them the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pydantic import ValidationError

from core.domain.annotation import Calculation
from core.domain.answer import Kind, Route
from core.domain.predicate import Operator
from core.domain.search import MAX_HOPS
from core.domain.trust.permission import Trait
from core.plan.compile.context import MANY_GROUPS, Compilation, CompileContext, ReadingError, StepResult
from core.plan.compile.documents import DocumentsCompiler
from core.plan.compile.rows import RowsCompiler
from core.plan.compile.step import SETS, of_steps, set_of_steps
from core.plan.door import request_of
from core.plan.ir.node import ancestors
from core.plan.ir.nodes import (
    MAX_NODES,
    Choice,
    ComputationNode,
    Condition,
    Connect,
    Hop,
    Node,
    Plan,
    Query,
    Reference,
    Scope,
    SelectionNode,
    SidesNode,
    schema_of,
)
from core.plan.ir.nodes.connect import connect_said
from core.plan.ir.sql_tables import query_sources, sql_said
from core.plan.ir.validate import gives
from core.plan.reading import IN_HAND, Function, Operation, Reading, Step

__all__ = ["MANY_GROUPS", "compile_reading"]

_OF_ONE = (Operation.LOOKUP, Operation.CHECK)
_SHOWN = (Operation.LIST, Operation.LOOKUP, Operation.EXISTS, Operation.CHECK, Operation.ALL)
_KINDS = {Operation.LOOKUP: Kind.LOOKUP, Operation.CHECK: Kind.LOOKUP, Operation.COMPARE: Kind.COMPARISON}


def compile_reading(reading: Reading, context: CompileContext) -> Plan:
    """The plan of a reading that asks for fields, sets or rows.

    Raises ReadingError where no plan says it, UnknownNameError where nothing is called as it says, and
    AskBackError where two documents fit a name as well.
    """
    work = Compilation(reading, context)
    try:
        return _compiled(work)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise ReadingError(
            f"No plan says all of this: {found['msg'].lower()}.", "Ask for less at once."
        ) from None


def _compiled(work: Compilation) -> Plan:
    reading, context = work.reading, work.context
    _take_in_hand(work)
    for step in reading.all_steps:
        work.results[step.id] = _step(step, work)
    answer = work.results[reading.id]
    reasons = [work.results[each.id].node for each in reading.steps] if reading.explains else []
    needed = ancestors((answer.node, *reasons), {node.id: node for node in work.steps.nodes})
    nodes = tuple(_told_apart(node) for node in work.steps.nodes if node.id in needed)
    if sum(isinstance(node, Hop) for node in nodes) > MAX_HOPS:
        raise ReadingError(
            f"It looks up more than {MAX_HOPS} values first.", "Ask the question in two steps."
        )
    if len(nodes) > MAX_NODES:
        raise ReadingError(f"It takes {len(nodes)} steps, and {MAX_NODES} are possible.", "Ask less at once.")
    is_of_rows = reading.by == "model" and any(step.tables for step in reading.all_steps)
    may_be_in_text = reading.operation in (*_OF_ONE, Operation.COMPARE) and not is_of_rows
    return Plan(
        question=reading.question,
        kind=_kind(reading, nodes, context),
        route=Route.STRUCTURED,
        nodes=nodes,
        answer_node=answer.node,
        uncovered=tuple(dict.fromkeys((*reading.uncovered, *work.uncovered))),
        notes=tuple(dict.fromkeys(work.notes)),
        today=context.today.isoformat(),
        fallbacks=(Route.HYBRID,) if may_be_in_text else (),
        decides=_decides(reading),
        by="model" if reading.by == "model" else "person" if reading.by == "person" else "reader",
        reading=reading,
    )


def _kind(reading: Reading, nodes: Sequence[Node], context: CompileContext) -> Kind:
    """The kind of question: of a set that lacks something or breaks a rule, compliance."""
    kind = _KINDS.get(reading.operation, Kind.AGGREGATE)
    is_of_compliance = Trait.COMPLIANCE in request_of(nodes, context.catalogue).traits
    return Kind.COMPLIANCE if kind is Kind.AGGREGATE and is_of_compliance else kind


def _take_in_hand(work: Compilation) -> None:
    """The nodes of the result set that the conversation has in hand come first.

    Where its plan gives no set, its documents are selected.
    """
    plan, members = work.context.in_hand, work.context.members
    if not any(IN_HAND in _named(step) for step in work.reading.all_steps):
        return
    if plan is not None and plan.reading is not None and any(isinstance(each, Query) for each in plan.nodes):
        plan = compile_reading(plan.reading, replace(work.context, in_hand=None))
    found = _set_in_hand(plan) if plan is not None else None
    catalogue = work.context.catalogue
    if plan is not None and found is not None:
        work.steps.nodes.extend(plan.nodes)
        schema = catalogue.schema(schema_of(found, {each.id: each for each in plan.nodes}))
        kind = "rows" if gives(found) == "rows" else "documents"
        work.results[IN_HAND] = StepResult(found.id, kind, found.id, schema)
        return
    known = tuple(each for each in members if catalogue.document(each) is not None)
    if known:
        names = {entry.schema for each in known if (entry := catalogue.document(each)) is not None}
        schema = catalogue.schema(names.pop()) if len(names) == 1 else None
        scope = Scope(schema_name=schema.name if schema is not None else "", documents=known)
        node = work.steps.select("Take the documents of the answer before", scope)
        work.results[IN_HAND] = StepResult(node.id, "documents", node.id, schema)


def _named(step: Step) -> tuple[str, ...]:
    values = (value[1:] for each in step.conditions for value in each.values if value.startswith("$"))
    return (*step.within, *step.sides, *(each.described for each in step.names), *values)


def _set_in_hand(plan: Plan) -> Node | None:
    """The node whose set a plan's answer is about; None where there is not one."""
    if plan.answer_node is None:
        return None
    node = plan.node(plan.answer_node)
    while gives(node) not in ("documents", "rows", "passages"):
        is_about_one = isinstance(node, ComputationNode | SidesNode) and len(node.inputs) == 1
        if not is_about_one:
            return None
        node = plan.node(node.inputs[0])
    return node


def _decides(reading: Reading) -> str:
    if reading.explains:
        return "why"
    if reading.operation is Operation.EXISTS:
        return "any"
    if reading.operation is not Operation.CHECK:
        return ""
    if not reading.of_role("document", "party") and not reading.within and not reading.is_rows:
        return "all" if reading.function is Function.NONE else "any"
    is_negated = [each.negated or each.op is Operator.MISSING for each in reading.conditions]
    return "missing" if is_negated and all(is_negated) else "there"


def _step(step: Step, work: Compilation) -> StepResult:
    for name in (*step.within, *step.sides):
        work.result(name)
    if step.operation in (Operation.TEXT, Operation.HELP):
        return _of_text(step, work)
    if step.operation is Operation.QUERY:
        tables = query_sources(step.tables, work.context.catalogue)
        return StepResult(work.steps.add(Query, sql_said(step.sql), sql=step.sql, tables=tables).id, "query")
    if step.operation is Operation.CONNECT:
        return _of_connection(step, work)
    if step.sides and step.outcome in SETS:
        return _of_set(step, set_of_steps(step, work), work)
    if step.sides:
        return of_steps(step, work)
    if RowsCompiler.takes(step, work):
        return RowsCompiler(step, work).compile()
    return DocumentsCompiler(step, work).compile()


def _of_connection(step: Step, work: Compilation) -> StepResult:
    """The ways between the two names of a step. Raises ReadingError where it has not two."""
    names = [each for each in step.of_role("document", "party") if not each.negated]
    if len(names) != 2 or step.conditions or step.within:
        raise ReadingError("A connection is between two names, and no more.", "Name two things.")
    entries = [work.context.catalogue.document(id) for name in names for id in name.documents[:1]]
    called = {entry.id: entry.name for entry in entries if entry is not None}
    one, other = (next(filter(None, map(called.get, each.documents[:1])), each.words) for each in names)
    scope = Scope(buckets=work.reading.buckets or work.context.buckets)
    node = work.steps.add(Connect, connect_said(one, other), scope=scope, one=one[:500], other=other[:500])
    return StepResult(node.id, "connections")


def _of_text(step: Step, work: Compilation) -> StepResult:
    """The documents whose text speaks of something, for steps that go on from them. Raises ReadingError."""
    if step is work.reading or step.operation is Operation.HELP:
        raise ReadingError("No plan over fields says this.", "Search the text for it.")
    made = DocumentsCompiler(step.model_copy(update={"operation": Operation.LIST}), work).compile()
    text = step.text or work.reading.question
    scope = Scope(buckets=work.reading.buckets or work.context.buckets)
    found = work.steps.search(f"Find what is said of {text}", text, scope, inputs=(made.node,))
    name = made.schema.name if made.schema is not None else ""
    of_kind = scope.model_copy(update={"schema_name": name})
    node = work.steps.select("The documents that speak of it", of_kind, within=found.id)
    return StepResult(node.id, "documents", node.id, made.schema)


def _of_set(step: Step, made: StepResult, work: Compilation) -> StepResult:
    """What a step asks of the set that it makes of others; the set itself where it asks for no more."""
    is_plain = step.operation in (*_SHOWN, Operation.COMPARE) and step.function is Function.NONE
    is_bare = not (step.asked or step.order or step.groups or step.conditions or step.names)
    if is_plain and is_bare:
        return made
    if is_bare and step.operation is Operation.COUNT and step.function in (Function.NONE, Function.COUNT):
        count = work.steps.aggregate("Count them", (made.node,), Calculation.COUNT)
        return StepResult(count.id, "value", made.node, made.schema)
    name = f"{step.id} set"
    work.results[name] = made
    operation = Operation.LIST if step.operation is Operation.COMPARE else step.operation
    rest = step.model_copy(
        update={"sides": (), "labels": (), "within": (*step.within, name), "operation": operation}
    )
    compiler = RowsCompiler if RowsCompiler.takes(rest, work) else DocumentsCompiler
    return compiler(rest, work).compile()


def _told_apart(node: Node) -> Node:
    """The node, with every condition beside the only one on presence as what it is about.

    Then its ledger says of the documents asked about how many have the thing, and how many lack it.
    """
    if not isinstance(node, SelectionNode) or node.limit is not None or node.of == "rows":
        return node
    presence = [each for each in node.conditions if _is_presence(each)]
    others = [each for each in node.conditions if isinstance(each, Condition) and each not in presence]
    is_plain = len(presence) + len(others) == len(node.conditions)
    if len(presence) != 1 or not is_plain or any(isinstance(each.value, Reference) for each in others):
        return node
    marked: dict[Condition | Choice, Condition] = {
        each: each.model_copy(update={"narrows": True}) for each in others
    }
    return node.model_copy(update={"conditions": tuple(marked.get(each, each) for each in node.conditions)})


def _is_presence(condition: Condition | Choice) -> bool:
    if isinstance(condition, Choice) or condition.narrows:
        return False
    return condition.op in (Operator.MISSING, Operator.IS) or (
        condition.op is Operator.EQUAL and condition.value == "true"
    )
