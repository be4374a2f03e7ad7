"""What a node of a plan was told, in the words of its form, for where it is read and not changed."""

from __future__ import annotations

from app.presenting.plan_fields import FormSetting, day
from app.presenting.plan_words import FUNCTIONS, HOW, INDICES, MODES, amount, operator_word
from core.domain.fields import WITH_UNITS, FieldType
from core.domain.predicate import Operator
from core.plan.ir.nodes import (
    Aggregate,
    Choice,
    Combine,
    Compare,
    Condition,
    Hop,
    OtherField,
    Read,
    Reference,
    Scope,
    Search,
    Select,
)

Parameters = list[tuple[str, str]]


def parameters_of(setting: FormSetting) -> Parameters:
    """Name and value of each that says something, in the order of the form."""
    node = setting.node
    found: Parameters = [("Takes in", ", ".join(node.inputs))]
    if isinstance(node, Select):
        found += _of_select(setting, node)
    elif isinstance(node, Search):
        mixed = f", alpha {node.alpha:g}" if node.mode == "hybrid" else ""
        found += [
            ("Looks for", node.text),
            ("In", INDICES.get(node.index, node.index)),
            ("By", {"Both": "Words and meaning"}.get(MODES[node.mode], MODES[node.mode]) + mixed),
            ("At most", f"{node.top_k:,} passages"),
            *_of_scope(setting, node.scope),
            ("Only rows that fulfil", "\n".join(node.where)),
        ]
    elif isinstance(node, Combine):
        found.append(("Keeps documents that are", HOW[node.how]))
    elif isinstance(node, Aggregate):
        found += _of_aggregate(setting, node)
    elif isinstance(node, Compare):
        found.append(("Names", ", ".join(node.labels)))
        found.append(("On these fields", ", ".join(map(setting.title, node.fields))))
    elif isinstance(node, Hop):
        found.append(("Reads the field", setting.title(node.field) if node.field else ""))
        found.append(("Asks the text where no field states it", node.template))
    elif isinstance(node, Read):
        found += [("Only sections under", node.section), *_of_scope(setting, node.scope)]
    return [(name, words) for name, words in found if words]


def condition_words(setting: FormSetting, condition: Condition) -> str:
    """`Expiration date between 2024-10-01 and 2024-12-31`."""
    kind = setting.kind(condition.field, condition.minus)
    title = setting.title(condition.field)
    if condition.minus:
        title = f"{title}, time since {setting.title(condition.minus).lower()}"
    words = f"{title} {operator_word(condition.op, kind)}"
    return words if condition.op is Operator.MISSING else f"{words} {_value(setting, condition, kind)}"


def _of_select(setting: FormSetting, node: Select) -> Parameters:
    fields = ", ".join(map(setting.title, node.fields))
    order = setting.title(node.order_by) if node.order_by else ""
    return [
        ("Looks at", "Rows of tables" if node.of == "rows" else ""),
        *_of_scope(setting, node.scope),
        *(("Condition", _clause(setting, each)) for each in node.conditions),
        ("Ordered by", f"{order}, {'highest' if node.descending else 'lowest'} first" if order else ""),
        ("At most", f"{node.limit:,}" if node.limit else ""),
        ("Also shows", fields),
    ]


def _of_aggregate(setting: FormSetting, node: Aggregate) -> Parameters:
    rates = ", ".join(f"1 {unit} = {rate} {node.into}" for unit, rate in node.rates.items())
    first = f"The {'highest' if node.descending else 'lowest'} {node.top:,}" if node.top else ""
    return [
        ("Computes", FUNCTIONS[node.function]),
        ("Of", setting.title(node.field) if node.field else "Documents"),
        ("For each", ", ".join(map(setting.title, node.group_by))),
        ("First groups", first),
        ("Converts", rates),
    ]


def _of_scope(setting: FormSetting, scope: Scope) -> Parameters:
    schema = setting.catalogue.schema(scope.schema_name)
    known = setting.documents(scope.documents)
    return [
        ("Kind of documents", schema.title if schema is not None else scope.schema_name),
        ("Buckets", ", ".join(scope.buckets)),
        ("Only these documents", "\n".join(known.get(id, id) for id in scope.documents)),
    ]


def _clause(setting: FormSetting, clause: Condition | Choice) -> str:
    parts = clause.any_of if isinstance(clause, Choice) else (clause,)
    return " or ".join(condition_words(setting, each) for each in parts)


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
    if kind is FieldType.DATE and (found := day(text)) is not None:
        return f"{found.day} {found:%b %Y}"
    return text
