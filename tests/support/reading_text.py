"""Readings in one line each, as a person may read them at a glance."""

from __future__ import annotations

from core.plan.reading import ReadCondition, ReadField, Reading, ReadName, Step


def reading_text(reading: Reading) -> str:
    """The steps of a reading, the answer last, with the words that nothing took."""
    steps = " >> ".join((*(f"{each.id}: {_step(each)}" for each in reading.steps), _step(reading)))
    return f"{steps} (left: {', '.join(reading.uncovered)})" if reading.uncovered else steps


def _step(step: Step) -> str:
    parts = [step.operation.value + (f"/{step.function.value}" if step.function else "")]
    parts += ["rows"] if step.is_rows else [step.kind] if step.kind else []
    parts += [_name(each) for each in step.names]
    parts += [_condition(each) for each in step.conditions]
    parts += [f"? {', '.join(map(_field, step.asked))}"] if step.asked else []
    parts += [f"by {', '.join(map(_field, step.groups))}"] if step.groups else []
    if step.order is not None:
        by = _field(step.order.field) if step.order.field is not None else "figure"
        direction = "desc" if step.order.descending else "asc"
        parts.append(f"order {by} {direction} {step.order.limit}+{step.order.skip}")
    parts += [f"within {', '.join(step.within)}"] if step.within else []
    parts += [f"{step.outcome.value} of {', '.join(step.sides)}"] if step.sides else []
    parts += [step.outcome.value] if not step.sides and step.outcome.value != "values" else []
    return "; ".join(parts)


def _field(field: ReadField) -> str:
    return f"{field.name}.{field.part}" if field.part else field.name


def _name(name: ReadName) -> str:
    said = f"{'not ' if name.negated else ''}{name.role}: {name.words}"
    return f"{said} = {name.described}" if name.described else said


def _condition(condition: ReadCondition) -> str:
    either = f"|{condition.either} " if condition.either else ""
    said = f"{_field(condition.field)} {condition.op.value} {' .. '.join(condition.values)}".rstrip()
    return f"{either}{'not ' if condition.negated else ''}{said}"
