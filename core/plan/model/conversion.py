"""A model's steps as nodes of the plan language; what the language cannot say is an error for the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from core.domain.annotation import Calculation
from core.domain.answer import Kind, Route
from core.domain.predicate import Operator
from core.errors import PlanError
from core.plan.build.finish import told_apart
from core.plan.ir.nodes import Choice, Combine, Condition, Node, Note, Plan, Reference, Scope
from core.plan.ir.steps import PlanSteps
from core.plan.model.reading import checked_wordings
from core.plan.model.reply import PlannedCondition, PlannedStep, PlanReply
from core.plan.text.text_plan import TOP_K

READ_BY_MODEL = "Read by the language model."
_WITH_FALLBACK = (Kind.LOOKUP, Kind.COMPARISON)  # as of rules: what fields count or list, no text does
_SEVERAL = (Operator.IN, Operator.BETWEEN)
_HOW = {"intersect", "union", "difference"}
_OUTCOMES = {"values", "difference", "excess", "shortfall", "more", "less", "greatest", "least"}


def plan_from(
    reply: PlanReply, question: str, buckets: tuple[str, ...], documents: Mapping[str, str], today: date
) -> Plan:
    """The plan of a reply. documents: those that it may name, by short id. Raises PlanError."""
    ids: dict[str, str] = {}
    nodes: list[Node] = []
    for step in reply.steps:
        unknown = [name for name in step.inputs if name not in ids]
        if unknown:
            raise PlanError(
                f"Step {step.id!r} takes in {unknown[0]!r}, which is no step before it.",
                next_step="Order the steps so that every one stands behind its inputs.",
            )
        node = _node(step, ids, nodes, buckets, documents, question)
        ids[step.id] = node.id
        nodes.append(node)
    if reply.answer not in ids:
        raise PlanError(f"The answer is {reply.answer!r}, which is no step.", next_step="Name a step.")
    return Plan(
        question=question,
        kind=reply.kind,
        route=Route.STRUCTURED,
        nodes=tuple(told_apart(node) for node in nodes),
        answer_node=ids[reply.answer],
        uncovered=tuple(dict.fromkeys(each.strip() for each in reply.left_out if each.strip())),
        notes=(Note(phrase="", reading=READ_BY_MODEL), Note(phrase="", reading=reply.reading[:500])),
        today=today.isoformat(),
        fallbacks=(Route.HYBRID,) if "text" in reply.fallback and reply.kind in _WITH_FALLBACK else (),
        by="model",
    )


def _node(
    step: PlannedStep,
    ids: Mapping[str, str],
    before: Sequence[Node],
    buckets: tuple[str, ...],
    documents: Mapping[str, str],
    question: str,
) -> Node:
    steps = PlanSteps(before)
    inputs = tuple(ids[name] for name in step.inputs)
    makers: Mapping[str, Callable[[], Node]] = {
        "select": lambda: _select(step, steps, ids, inputs, _scope(step, buckets, documents)),
        "rows": lambda: _select(step, steps, ids, inputs, _scope(step, buckets, documents)),
        "search": lambda: steps.search(
            step.purpose,
            step.text,
            _scope(step, buckets, documents),
            top_k=TOP_K,
            wordings=checked_wordings(step.wordings, f"{question} {step.text}")[0],
        ),
        "combine": lambda: _combine(step, steps, inputs),
        "aggregate": lambda: steps.aggregate(
            step.purpose,
            inputs,
            _function(step),
            step.field,
            group_by=tuple(step.group_by),
            top=max(0, step.limit),
            descending=step.descending,
        ),
        "compare": lambda: _compare(step, steps, inputs),
    }
    try:
        return makers[step.do]()
    except ValueError as error:  # a part that no node may have, such as eleven labels
        raise PlanError(f"Step {step.id!r}: {error}", next_step="Correct that step.") from error


def _scope(step: PlannedStep, buckets: tuple[str, ...], documents: Mapping[str, str]) -> Scope:
    unknown = [name for name in step.documents if name not in documents]
    if unknown:
        raise PlanError(
            f"Step {step.id!r} names the document {unknown[0]!r}, which the catalogue does not list.",
            next_step="Name documents by the ids of the catalogue, or by a condition.",
        )
    return Scope(
        buckets=buckets, schema_name=step.kind, documents=tuple(documents[name] for name in step.documents)
    )


def _select(
    step: PlannedStep, steps: PlanSteps, ids: Mapping[str, str], inputs: tuple[str, ...], scope: Scope
) -> Node:
    node = steps.select(
        step.purpose,
        scope,
        _clauses(step.conditions, ids),
        of="rows" if step.do == "rows" else "documents",
        fields=tuple(step.shows),
        order_by=step.order_by,
        descending=step.descending,
        limit=step.limit if step.limit > 0 else None,
    )
    return node.model_copy(update={"inputs": tuple(dict.fromkeys((*inputs, *node.inputs)))})


def _clauses(
    conditions: Sequence[PlannedCondition], ids: Mapping[str, str]
) -> tuple[Condition | Choice, ...]:
    groups: dict[int, list[Condition]] = {}
    clauses: list[Condition | Choice] = []
    for each in conditions:
        if each.either:
            groups.setdefault(each.either, []).append(_condition(each, ids))
        else:
            clauses.append(_condition(each, ids))
    return (*clauses, *(Choice(any_of=tuple(group)) for group in groups.values()))


def _condition(planned: PlannedCondition, ids: Mapping[str, str]) -> Condition:
    if planned.op in _SEVERAL:
        return Condition(field=planned.field, op=planned.op, value=tuple(planned.values))
    if planned.op is Operator.MISSING:
        return Condition(field=planned.field, op=planned.op)
    if len(planned.values) != 1:
        raise PlanError(
            f"{planned.field} {planned.op.value} has {len(planned.values)} values, and needs one.",
            next_step="Give one value, or use `in`.",
        )
    value = planned.values[0]
    if value.startswith("$") and value[1:] in ids:
        return Condition(field=planned.field, op=planned.op, value=Reference(node=ids[value[1:]]))
    return Condition(field=planned.field, op=planned.op, value=value)


def _combine(step: PlannedStep, steps: PlanSteps, inputs: tuple[str, ...]) -> Node:
    if step.how not in _HOW:
        raise PlanError(
            f"Step {step.id!r} combines by {step.how!r}.", next_step=f"Use one of {', '.join(sorted(_HOW))}."
        )
    return Combine.model_validate(
        {"id": steps.next_id("combine"), "purpose": step.purpose[:300], "inputs": inputs, "how": step.how}
    )


def _function(step: PlannedStep) -> Calculation:
    try:
        return Calculation(step.how)
    except ValueError:
        known = ", ".join(each.value for each in Calculation)
        raise PlanError(
            f"Step {step.id!r} computes {step.how!r}.", next_step=f"Use one of {known}."
        ) from None


def _compare(step: PlannedStep, steps: PlanSteps, inputs: tuple[str, ...]) -> Node:
    outcome = step.how or "values"
    if outcome not in _OUTCOMES:
        raise PlanError(
            f"Step {step.id!r} compares by {step.how!r}.",
            next_step=f"Use one of {', '.join(sorted(_OUTCOMES))}.",
        )
    return steps.compare(
        step.purpose,
        inputs,
        tuple(step.labels),
        tuple(step.shows),
        outcome=outcome,  # type: ignore[arg-type]  # told above
    )
