"""The parameters of a node as a form of widgets that fit their types; gives the node as it is now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st
from pydantic import ValidationError

from app.components.choice import draw_choice, draw_choices
from app.pages.plan.condition_form import draw_conditions
from app.presenting.plan_fields import FormSetting
from app.presenting.plan_words import FUNCTIONS, HOW, INDICES, MODES
from core.plan.ir.nodes import (
    Aggregate,
    Choice,
    Combine,
    Compare,
    Condition,
    Hop,
    Node,
    Read,
    Reference,
    Scope,
    Search,
    Select,
)


def draw_node_form(setting: FormSetting) -> tuple[Node | None, str]:
    """Draw it; gives the node as the widgets have it, or None and why they make none."""
    node = setting.node
    drawers: dict[type, Callable[[FormSetting, Any], dict[str, Any]]] = {
        Select: _select,
        Search: _search,
        Combine: _combine,
        Aggregate: _aggregate,
        Compare: _compare,
        Hop: _hop,
        Read: _read,
    }
    changed = drawers[type(node)](setting, node)
    inputs = _inputs(setting, changed.pop("inputs", None), changed)
    try:
        given = {name: getattr(node, name) for name in type(node).model_fields}
        return type(node).model_validate({**given, **changed, "inputs": inputs}), ""
    except ValidationError as error:
        first = error.errors()[0]
        return None, f"{' '.join(str(part) for part in first['loc'])}: {first['msg']}"


def _inputs(setting: FormSetting, chosen: tuple[str, ...] | None, changed: dict[str, Any]) -> tuple[str, ...]:
    """What it takes in; the nodes whose values its conditions compare with are always among them."""
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
    before = _referred(node.conditions) if isinstance(node, Select) else frozenset()
    now = _referred(changed.get("conditions", ()))
    kept = [id for id in picked if id not in before - now]
    return tuple(dict.fromkeys((*kept, *sorted(now))))


def _known_inputs(setting: FormSetting) -> list[str]:
    return [id for id in setting.node.inputs if id in setting.others]


def _referred(clauses: tuple[Condition | Choice, ...]) -> frozenset[str]:
    flat = [one for each in clauses for one in (each.any_of if isinstance(each, Choice) else (each,))]
    return frozenset(one.value.node for one in flat if isinstance(one.value, Reference))


def _scope(setting: FormSetting, scope: Scope, *, of_kind: bool = True) -> Scope:
    """Which documents are asked: their kind, buckets, or a list of them."""
    schema = scope.schema_name
    left, right = st.columns(2, gap="small")
    with left:
        if of_kind:
            titles = {"": "Any", **{each.name: each.title for each in setting.catalogue.schemas}}
            schema = draw_choice(
                "Kind of documents",
                list(titles),
                schema,
                f"{setting.key}-schema",
                says=lambda name: titles.get(name, name),
            )
    with right if of_kind else left:
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
    return scope.model_copy(update=changed)


def _select(setting: FormSetting, node: Select) -> dict[str, Any]:
    of = st.segmented_control(
        "Looks at",
        ["documents", "rows"],
        default=node.of,
        key=f"{setting.key}-of",
        required=True,
        format_func=lambda each: "Documents" if each == "documents" else "Rows of their tables",
    )
    scope = _scope(setting, node.scope)
    st.markdown(":small[**Conditions**, which must all hold]")
    conditions = draw_conditions(setting, node.conditions)
    left, middle, right = st.columns([2.2, 1.4, 1.2], gap="small", vertical_alignment="bottom")
    with left:
        order_by = _field("Ordered by", setting, node.order_by, "order", none="Title")
    with middle:
        descending = st.toggle("Highest first", node.descending, key=f"{setting.key}-descending")
    with right:
        limit = st.number_input(
            "At most", 1, 100_000, node.limit, key=f"{setting.key}-limit", placeholder="All"
        )
    fields = _fields("Also shows", setting, node.fields)
    return {
        "of": of,
        "scope": scope,
        "conditions": conditions,
        "order_by": order_by,
        "descending": descending,
        "limit": limit,
        "fields": fields,
    }


def _search(setting: FormSetting, node: Search) -> dict[str, Any]:
    text = st.text_area("Looks for", node.text, key=f"{setting.key}-text", height=70)
    left, middle, right = st.columns([1.3, 1.6, 1], gap="small")
    with left:
        index = draw_choice("In", list(INDICES), node.index, f"{setting.key}-index", says=INDICES.__getitem__)
    with middle:
        mode = st.segmented_control(
            "By",
            list(MODES),
            default=node.mode,
            key=f"{setting.key}-mode",
            required=True,
            format_func=lambda each: MODES[each],
        )
    with right:
        top_k = st.number_input("At most", 1, 1000, node.top_k, key=f"{setting.key}-top")
    alpha = st.slider(
        "Words 0 · alpha · 1 meaning",
        0.0,
        1.0,
        node.alpha,
        0.05,
        key=f"{setting.key}-alpha",
        disabled=mode != "hybrid",
        help="How much meaning counts beside words where both are searched.",
    )
    scope = _scope(setting, node.scope, of_kind=False)
    where = st.text_area(
        "Only rows that fulfil (one condition a line)",
        "\n".join(node.where),
        key=f"{setting.key}-where",
        height=70,
        placeholder="page <= 3",
    )
    lines = tuple(line.strip() for line in where.splitlines() if line.strip())
    return {
        "text": text,
        "index": index,
        "mode": mode,
        "alpha": alpha,
        "top_k": top_k,
        "scope": scope.model_copy(update={"schema_name": node.scope.schema_name}),
        "where": lines,
    }


def _combine(setting: FormSetting, node: Combine) -> dict[str, Any]:
    how = st.segmented_control(
        "Keeps documents that are",
        list(HOW),
        default=node.how,
        key=f"{setting.key}-how",
        required=True,
        format_func=lambda each: HOW[each],
    )
    return {"how": how}


def _aggregate(setting: FormSetting, node: Aggregate) -> dict[str, Any]:
    left, right = st.columns([1, 1.6], gap="small")
    with left:
        key = f"{setting.key}-function"
        function = draw_choice("Computes", list(FUNCTIONS), node.function, key, says=FUNCTIONS.__getitem__)
    with right:
        field = _field("Of", setting, node.field, "field", none="Documents")
    group_by = draw_choices(
        "For each",
        setting.groupings(),
        node.group_by,
        f"{setting.key}-groups",
        says=setting.title,
        most=3,
        placeholder="All together",
    )
    left, right = st.columns([1, 1.6], gap="small", vertical_alignment="bottom")
    with left:
        top = st.number_input("First groups (0: all)", 0, 100_000, node.top, key=f"{setting.key}-top")
    with right:
        descending = st.toggle("Highest first", node.descending, key=f"{setting.key}-descending")
    rates, into = node.rates, node.into
    with st.expander("Convert currencies or units", expanded=bool(rates)):
        into = st.text_input("Into", into, key=f"{setting.key}-into", placeholder="USD").strip()
        lines = st.text_area(
            "What one of each is worth in it (a line each)",
            "\n".join(f"{unit} = {rate}" for unit, rate in rates.items()),
            key=f"{setting.key}-rates",
            height=70,
            placeholder="EUR = 1.08",
        )
        pairs = (line.partition("=") for line in lines.splitlines() if line.strip())
        rates = {unit.strip(): rate.strip() for unit, _, rate in pairs}
    return {
        "function": function,
        "field": field,
        "group_by": group_by,
        "top": top,
        "descending": descending,
        "rates": rates,
        "into": into,
    }


def _compare(setting: FormSetting, node: Compare) -> dict[str, Any]:
    key = f"{setting.key}-inputs"
    inputs = draw_choices("Puts side by side", setting.others, _known_inputs(setting), key)
    labels = []
    for at, name in enumerate(inputs):
        label = node.labels[at] if at < len(node.labels) else name
        labels.append(st.text_input(f"Name of {name}", label, key=f"{setting.key}-label-{name}"))
    fields = _fields("On these fields", setting, node.fields)
    return {
        "inputs": inputs,
        "labels": tuple(labels) if len(labels) > 1 else node.labels,
        "fields": fields or node.fields,
    }


def _hop(setting: FormSetting, node: Hop) -> dict[str, Any]:
    field = _field("Reads the field", setting, node.field, "field", none="None: only the text")
    template = st.text_input(
        "Asks the text where no field states it",
        node.template,
        key=f"{setting.key}-template",
        help="{titles} stands for what was found, {value} for the value of a look-up before.",
    )
    return {"field": field, "template": template}


def _read(setting: FormSetting, node: Read) -> dict[str, Any]:
    section = st.text_input(
        "Only sections under a heading that says",
        node.section,
        key=f"{setting.key}-section",
        placeholder="Whole documents",
    )
    return {"section": section.strip(), "scope": _scope(setting, node.scope, of_kind=False)}


def _field(label: str, setting: FormSetting, chosen: str, key: str, *, none: str) -> str:
    """One field or none of them; `none` says what that means."""
    return draw_choice(
        label,
        ["", *setting.names],
        chosen,
        f"{setting.key}-{key}",
        says=lambda name: setting.title(name) if name else none,
    )


def _fields(label: str, setting: FormSetting, chosen: tuple[str, ...]) -> tuple[str, ...]:
    return draw_choices(
        label,
        setting.names,
        chosen,
        f"{setting.key}-fields",
        says=setting.title,
        placeholder="No more fields",
    )
