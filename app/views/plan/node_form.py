"""The parameters of a node as a form of widgets that fit their types; gives the node as it is now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import streamlit as st
from pydantic import ValidationError

from app.components.controls import draw_choice, draw_choices
from app.presenting.plan_fields import FormSetting
from app.presenting.validation_words import first_problem
from app.views.plan.condition_form import draw_conditions
from core.plan.ir.nodes import Node, Scope, SelectionNode, referenced, spec_of
from core.plan.ir.spec import FormField, Widget


def draw_node_form(setting: FormSetting) -> tuple[Node | None, str]:
    """Draw it; gives the node as the widgets have it, or None and why they make none."""
    node = setting.node
    changed: dict[str, Any] = {}
    for part in spec_of(node).form:
        if isinstance(part, FormField):
            changed |= _draw(setting, part, changed)
            continue
        level: Literal["top", "bottom"] = "bottom" if part.is_level else "top"
        columns = st.columns(list(part.widths), gap="small", vertical_alignment=level)
        for column, each in zip(columns, part.fields, strict=True):
            with column:
                changed |= _draw(setting, each, changed)
    inputs = _inputs(setting, changed.pop("inputs", None), changed)
    try:
        given = {name: getattr(node, name) for name in type(node).model_fields}
        return type(node).model_validate({**given, **changed, "inputs": inputs}), ""
    except ValidationError as error:
        return None, first_problem(error, _labels(node))


def _labels(node: Node) -> dict[str, str]:
    """What the form calls each field of a node."""
    parts = (part if isinstance(part, FormField) else part.fields for part in spec_of(node).form)
    fields = (each for part in parts for each in ([part] if isinstance(part, FormField) else part))
    return {"inputs": "Takes in"} | {each.name: each.label for each in fields if each.label}


def _inputs(setting: FormSetting, chosen: tuple[str, ...] | None, changed: dict[str, Any]) -> tuple[str, ...]:
    """Inputs of the node; those whose values its conditions compare with are always among them."""
    node = setting.node
    picked = chosen
    if picked is None:
        picked = draw_choices(
            "Takes in",
            setting.others,
            _known_inputs(setting),
            f"{setting.key}-inputs",
            placeholder="Nothing: it stands at the beginning",
            why="The nodes whose results this one works on.",
        )
    before = referenced(node.conditions) if isinstance(node, SelectionNode) else ()
    now = referenced(changed.get("conditions", ()))
    kept = [id for id in picked if id not in before or id in now]
    return tuple(dict.fromkeys((*kept, *sorted(now))))


def _known_inputs(setting: FormSetting) -> list[str]:
    return [id for id in setting.node.inputs if id in setting.others]


def _draw(setting: FormSetting, part: FormField, changed: Mapping[str, Any]) -> dict[str, Any]:
    """Draw a part; gives the fields of the node that it changes. changed: by those before it."""
    needed, value = part.needs
    is_off = bool(needed) and changed[needed] != value
    return _WIDGETS[part.widget](setting, part, getattr(setting.node, part.name), is_off)


def _key(setting: FormSetting, part: FormField) -> str:
    return f"{setting.key}-{part.key or part.name}"


def _scope(setting: FormSetting, part: FormField, scope: Scope, is_off: bool) -> dict[str, Any]:
    """The documents that are asked: their kind, buckets, or a list of them."""
    schema = scope.schema_name
    left, right = st.columns(2, gap="small")
    with left:
        if part.of_kind:
            titles = {"": "Any", **{each.name: each.title for each in setting.catalogue.schemas}}
            schema = draw_choice(
                "Kind of documents",
                list(titles),
                schema,
                f"{setting.key}-schema",
                says=lambda name: titles.get(name, name),
            )
    with right if part.of_kind else left:
        key = f"{setting.key}-buckets"
        buckets = draw_choices("Buckets", setting.buckets, scope.buckets, key, placeholder="All")
    documents = setting.documents(scope.documents)
    chosen = draw_choices(
        "Only these documents",
        list(documents),
        scope.documents,
        f"{setting.key}-documents",
        says=lambda id: documents.get(id, id),
        placeholder="All of them",
    )
    changed = {"buckets": buckets, "schema_name": schema, "documents": chosen}
    return {part.name: scope.model_copy(update=changed)}


def _choice(setting: FormSetting, part: FormField, value: Any, is_off: bool) -> dict[str, Any]:
    key, options = _key(setting, part), part.options
    return {part.name: draw_choice(part.label, list(options), value, key, says=options.__getitem__)}


def _segments(setting: FormSetting, part: FormField, value: Any, is_off: bool) -> dict[str, Any]:
    chosen = st.segmented_control(
        part.label,
        list(part.options),
        default=value,
        key=_key(setting, part),
        required=True,
        format_func=part.options.__getitem__,
    )
    return {part.name: chosen}


def _line(setting: FormSetting, part: FormField, value: Any, is_off: bool) -> dict[str, Any]:
    text = st.text_input(
        part.label, value, key=_key(setting, part), help=part.help, placeholder=part.none or None
    )
    return {part.name: text.strip()}


def _text(setting: FormSetting, part: FormField, value: Any, is_off: bool) -> dict[str, Any]:
    return {part.name: st.text_area(part.label, value, key=_key(setting, part), height=70)}


def _lines(setting: FormSetting, part: FormField, value: Any, is_off: bool) -> dict[str, Any]:
    text = st.text_area(
        part.label, "\n".join(value), key=_key(setting, part), height=70, placeholder=part.none
    )
    return {part.name: tuple(line.strip() for line in text.splitlines() if line.strip())}


def _number(setting: FormSetting, part: FormField, value: Any, is_off: bool) -> dict[str, Any]:
    key, none = _key(setting, part), part.none or None
    return {part.name: st.number_input(part.label, part.low, part.high, value, key=key, placeholder=none)}


def _share(setting: FormSetting, part: FormField, value: Any, is_off: bool) -> dict[str, Any]:
    key = _key(setting, part)
    share = st.slider(part.label, 0.0, 1.0, value, 0.05, key=key, disabled=is_off, help=part.help)
    return {part.name: share}


def _switch(setting: FormSetting, part: FormField, value: Any, is_off: bool) -> dict[str, Any]:
    return {part.name: st.toggle(part.label, value, key=_key(setting, part))}


def _field(setting: FormSetting, part: FormField, value: Any, is_off: bool) -> dict[str, Any]:
    chosen = draw_choice(
        part.label,
        ["", *setting.names],
        value,
        _key(setting, part),
        says=lambda name: setting.title(name) if name else part.none,
    )
    return {part.name: chosen}


def _fields(setting: FormSetting, part: FormField, value: Any, is_off: bool) -> dict[str, Any]:
    chosen = draw_choices(
        part.label,
        setting.groupings() if part.widget == "groups" else setting.names,
        value,
        _key(setting, part),
        says=setting.title,
        most=part.high or None,
        placeholder=part.none,
    )
    return {part.name: value if part.is_needed and not chosen else chosen}


def _conditions(setting: FormSetting, part: FormField, value: Any, is_off: bool) -> dict[str, Any]:
    st.markdown(":small[**Conditions**, which must all hold]")
    return {part.name: draw_conditions(setting, value)}


def _rates(setting: FormSetting, part: FormField, value: Any, is_off: bool) -> dict[str, Any]:
    into = getattr(setting.node, "into", "")
    with st.expander("Convert currencies or units", expanded=bool(value or into)):
        into = st.text_input("Into", into, key=f"{setting.key}-into", placeholder="USD").strip()
        lines = st.text_area(
            "What one of each is worth in it (a line each; none: the rates in Settings)",
            "\n".join(f"{unit} = {rate}" for unit, rate in value.items()),
            key=_key(setting, part),
            height=70,
            placeholder="EUR = 1.08",
        )
    pairs = (line.partition("=") for line in lines.splitlines() if line.strip())
    return {part.name: {unit.strip(): rate.strip() for unit, _, rate in pairs}, "into": into}


def _sides(setting: FormSetting, part: FormField, value: Any, is_off: bool) -> dict[str, Any]:
    inputs = draw_choices(part.label, setting.others, _known_inputs(setting), f"{setting.key}-inputs")
    labels = []
    for at, name in enumerate(inputs):
        label = value[at] if at < len(value) else name
        labels.append(st.text_input(f"Name of {name}", label, key=f"{setting.key}-label-{name}"))
    return {"inputs": inputs, part.name: tuple(labels) if len(labels) > 1 else value}


_WIDGETS: Mapping[Widget, Callable[[FormSetting, FormField, Any, bool], dict[str, Any]]] = {
    "choice": _choice,
    "segments": _segments,
    "line": _line,
    "text": _text,
    "lines": _lines,
    "number": _number,
    "share": _share,
    "switch": _switch,
    "field": _field,
    "fields": _fields,
    "groups": _fields,
    "conditions": _conditions,
    "scope": _scope,
    "rates": _rates,
    "sides": _sides,
}
