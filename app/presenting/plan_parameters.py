"""Parameters of a plan's node, in the words of its form, for where it is read and not changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.presenting.plan_fields import FormSetting
from app.presenting.plan_words import amount, operator_word
from core.domain.fields import WITH_UNITS, FieldType
from core.domain.predicate import Operator
from core.domain.value_text import day_of, day_text
from core.plan.ir.nodes import Choice, Condition, OtherField, Reference, Scope, clause_parts, spec_of
from core.plan.ir.spec import FormField, Widget, form_fields

Parameters = list[tuple[str, str]]
_Words = Callable[[FormSetting, FormField, Any], Parameters]


def parameters_of(setting: FormSetting) -> Parameters:
    """Name and value of each that says something, in the order of the form."""
    node = setting.node
    found: Parameters = [("Takes in", ", ".join(node.inputs))]
    for each in form_fields(spec_of(node).form):
        if each.says is not None:
            found.append((each.brief or each.label, each.says(node, setting.title)))
        else:
            found += _WIDGETS[each.widget](setting, each, getattr(node, each.name))
    return [(name, words) for name, words in found if words]


def condition_words(setting: FormSetting, condition: Condition) -> str:
    """`Expiration date between 2024-10-01 and 2024-12-31`."""
    kind = setting.kind(condition.field, condition.minus)
    title = setting.title(condition.field)
    if condition.minus:
        title = f"{title}, time since {setting.title(condition.minus).lower()}"
    words = f"{title} {operator_word(condition.op, kind)}"
    return words if condition.op is Operator.MISSING else f"{words} {_value(setting, condition, kind)}"


def _of_rates(setting: FormSetting, part: FormField, value: Any) -> Parameters:
    into = getattr(setting.node, "into", "")
    return [(part.label, ", ".join(f"1 {unit} = {rate} {into}" for unit, rate in value.items()))]


def _one(says: Callable[[FormSetting, FormField, Any], str]) -> _Words:
    """A part that is said in one line, under its name."""
    return lambda setting, part, value: [(part.brief or part.label, says(setting, part, value))]


def _of_conditions(setting: FormSetting, part: FormField, value: Any) -> Parameters:
    return [(part.label, _clause(setting, each)) for each in value]


def _titles(setting: FormSetting, names: Sequence[str]) -> str:
    return ", ".join(map(setting.title, names))


def _of_scope(setting: FormSetting, part: FormField, scope: Scope) -> Parameters:
    schema = setting.catalogue.schema(scope.schema_name)
    known = setting.documents(scope.documents)
    return [
        ("Kind of documents", schema.title if schema is not None else scope.schema_name),
        ("Buckets", ", ".join(scope.buckets)),
        ("Only these documents", "\n".join(known.get(id, id) for id in scope.documents)),
    ]


def _clause(setting: FormSetting, clause: Condition | Choice) -> str:
    return " or ".join(condition_words(setting, each) for each in clause_parts(clause))


def _value(setting: FormSetting, condition: Condition, kind: FieldType | None) -> str:
    value = condition.value
    if isinstance(value, Reference):
        return f"the value of {value.node}"
    if isinstance(value, OtherField):
        return f"the field {setting.title(value.field)}"
    texts = [_text(each, kind) for each in ((value,) if isinstance(value, str) else value)]
    return (" and " if condition.op is Operator.BETWEEN else " or ").join(texts)


def _text(text: str, kind: FieldType | None) -> str:
    if kind is FieldType.BOOLEAN:
        return {"true": "Yes", "false": "No"}.get(text, text)
    if kind in WITH_UNITS:
        number, _, unit = text.partition(" ")
        return amount(number, unit)
    if kind is FieldType.DATE and (found := day_of(text)) is not None:
        return day_text(found)
    return text


_WIDGETS: Mapping[Widget, _Words] = {
    "choice": _one(lambda setting, part, value: part.options.get(value, str(value))),
    "segments": _one(lambda setting, part, value: part.options.get(value, str(value))),
    "line": _one(lambda setting, part, value: value),
    "text": _one(lambda setting, part, value: value),
    "lines": _one(lambda setting, part, value: "\n".join(value)),
    "number": _one(lambda setting, part, value: f"{value:,}" if value else ""),
    "share": lambda setting, part, value: [],
    "switch": lambda setting, part, value: [],
    "field": _one(lambda setting, part, value: setting.title(value) if value else ""),
    "fields": _one(lambda setting, part, value: _titles(setting, value)),
    "groups": _one(lambda setting, part, value: _titles(setting, value)),
    "conditions": _of_conditions,
    "scope": _of_scope,
    "rates": _of_rates,
    "sides": _one(lambda setting, part, value: ", ".join(value)),
}
