"""The conditions of a selection as lines: a field, an operator that fits it, and a value of its type."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app.plan_fields import FormSetting, amount_parts, day, plain_number
from app.plan_words import STATES, operator_word, operators_of
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import FieldEntry
from core.plan.ir import Choice, Condition, Reference

CLAUSES = tuple[Condition | Choice, ...]
_SEVERAL = (Operator.IN, Operator.BETWEEN)
_UNITS = ["USD", "EUR", "GBP", "CHF", "JPY", "CAD", "AUD"]
_TO_LOOK_UP = "the value of "


def draw_conditions(setting: FormSetting, clauses: Sequence[Condition | Choice]) -> CLAUSES:
    """Draw them; gives what they are now. All must hold; of those joined by "or", one."""
    found: list[Condition | Choice] = []
    with st.container(key=f"{setting.key}-conditions"):
        for number, clause in enumerate(clauses):
            drawn = _draw_clause(setting, clause, f"{setting.key}-{number}")
            if drawn is not None:
                found.append(drawn)
    with st.container(horizontal=True):
        if st.button("Add a condition", icon=":material/add:", key=f"{setting.key}-add", type="tertiary"):
            found.append(_fresh(setting))
    return tuple(found)


def _fresh(setting: FormSetting) -> Condition:
    """A condition to begin with, which holds of what states the field that is stated most."""
    name = max(setting.fields, key=lambda each: setting.fields[each].documents, default="")
    return Condition(field=name or "field", op=Operator.IS, value="present")


def _draw_clause(setting: FormSetting, clause: Condition | Choice, key: str) -> Condition | Choice | None:
    parts = clause.any_of if isinstance(clause, Choice) else (clause,)
    drawn: list[Condition] = []
    for number, each in enumerate(parts):
        found = _draw_condition(setting, each, f"{key}-{number}", number)
        if found is not None:
            drawn.extend(found)
    if not drawn:
        return None
    return drawn[0] if len(drawn) == 1 else Choice(any_of=tuple(drawn))


def _draw_condition(
    setting: FormSetting, condition: Condition, key: str, number: int
) -> tuple[Condition, ...] | None:
    """The condition now, with another behind it where "or" was pressed; None where it is taken out."""
    said = f"{'Or condition' if number else 'Condition'} on {setting.title(condition.field)}"
    name_column, operator_column, value_column, menu_column = st.columns(
        [3.1, 2.4, 4.1, 0.9], vertical_alignment="bottom", gap="small"
    )
    with name_column:
        names = list(setting.fields)
        if condition.field not in names:
            names.insert(0, condition.field)
        name = st.selectbox(
            f"{said}: field",
            names,
            index=names.index(condition.field),
            key=f"{key}-field",
            format_func=setting.title,
            label_visibility="collapsed",
        )
    entry = setting.fields.get(name)
    kind = entry.type if entry else None
    with operator_column:
        operators = list(operators_of(kind))
        if name == condition.field and condition.op not in operators:
            operators.insert(0, condition.op)
        chosen = condition.op if condition.op in operators else operators[0]
        operator = st.selectbox(
            f"{said}: operator",
            operators,
            index=operators.index(chosen),
            key=f"{key}-{name}-op",
            format_func=lambda each: operator_word(each, kind),
            label_visibility="collapsed",
        )
    is_same = name == condition.field
    with value_column:
        value = _draw_value(setting, entry, condition, operator, f"{key}-{name}", said, is_same)
    with menu_column, st.popover("", icon=":material/more_vert:", help=said, key=f"{key}-menu"):
        narrows = st.checkbox(
            "Says what is asked about",
            condition.narrows,
            key=f"{key}-narrows",
            help="Documents that do not fulfil it are then out of scope, and not counted as absent.",
        )
        is_gone = st.button("Take it out", icon=":material/close:", key=f"{key}-gone")
        is_or = st.button(
            "Or …", icon=":material/add:", key=f"{key}-or", help="Another that may hold instead"
        )
    if is_gone:
        return None
    now = Condition(field=name, op=operator, value=value, narrows=narrows)
    return (now, now.model_copy()) if is_or else (now,)


def _draw_value(
    setting: FormSetting,
    entry: FieldEntry | None,
    condition: Condition,
    operator: Operator,
    key: str,
    said: str,
    is_same: bool,
) -> str | tuple[str, ...] | Reference:
    label, given = f"{said}: value", condition.value if is_same else ""
    if operator is Operator.MISSING:
        st.text_input(label, "", disabled=True, key=f"{key}-none", label_visibility="collapsed")
        return ()
    if operator is Operator.IS:
        states = list(STATES) if given in (*STATES, "") or not isinstance(given, str) else [given, *STATES]
        at = states.index(given) if given in states else 0
        return st.selectbox(label, states, index=at, key=f"{key}-state", label_visibility="collapsed")
    if setting.values and operator not in _SEVERAL:
        ways = ["a value", *(f"{_TO_LOOK_UP}{id}" for id in setting.values)]
        now = f"{_TO_LOOK_UP}{given.node}" if isinstance(given, Reference) else ways[0]
        way = st.selectbox(
            f"{said}: compared with",
            ways,
            index=ways.index(now) if now in ways else 0,
            key=f"{key}-way",
            label_visibility="collapsed",
        )
        if way != ways[0]:
            return Reference(node=way.removeprefix(_TO_LOOK_UP))
    elif isinstance(given, Reference):
        st.text_input(
            label, f"{_TO_LOOK_UP}{given.node}", disabled=True, key=f"{key}-ref", label_visibility="collapsed"
        )
        return given
    texts = () if isinstance(given, Reference) else (given,) if isinstance(given, str) else given
    if operator is Operator.BETWEEN:
        return _draw_both(entry, texts, key, label)
    if operator is Operator.IN:
        return _draw_several(setting, entry, texts, key, label)
    first = next(iter(texts), "")
    return _draw_one(setting, entry, operator, first, f"{key}-{operator.name}", label)


def _draw_both(entry: FieldEntry | None, texts: Sequence[str], key: str, label: str) -> tuple[str, ...]:
    low, high = st.columns(2, gap="small")
    with low:
        first = _draw_typed(entry, next(iter(texts), ""), f"{key}-low", f"{label}, from")
    with high:
        second = _draw_typed(entry, next(iter(texts[1:]), ""), f"{key}-high", f"{label}, to")
    return tuple(each for each in (first, second) if each)


def _draw_several(
    setting: FormSetting, entry: FieldEntry | None, texts: Sequence[str], key: str, label: str
) -> tuple[str, ...]:
    known = setting.known_values(entry.name) if entry else []
    return tuple(
        st.multiselect(
            label,
            list(dict.fromkeys((*texts, *known))),
            default=list(texts),
            key=f"{key}-in",
            accept_new_options=True,
            placeholder="Choose or write values",
            label_visibility="collapsed",
        )
    )


def _draw_one(
    setting: FormSetting, entry: FieldEntry | None, operator: Operator, text: str, key: str, label: str
) -> str:
    kind = entry.type if entry else None
    known = setting.known_values(entry.name) if entry else []
    is_of_text = kind in (FieldType.TEXT, FieldType.ENUM, FieldType.PARTY)
    if kind is FieldType.BOOLEAN:
        at = 1 if text == "false" else 0
        chosen = st.selectbox(label, ["Yes", "No"], index=at, key=f"{key}-yes", label_visibility="collapsed")
        return "false" if chosen == "No" else "true"
    if is_of_text and known and operator in (Operator.EQUAL, Operator.NOT_EQUAL):
        options = known if not text or text in known else [text, *known]
        picked: str | None = st.selectbox(
            label,
            options,
            index=options.index(text) if text else None,
            key=f"{key}-known",
            accept_new_options=True,
            placeholder="Choose or write one",
            label_visibility="collapsed",
        )
        return picked or ""
    return _draw_typed(entry, text, key, label)


def _draw_typed(entry: FieldEntry | None, text: str, key: str, label: str) -> str:
    kind = entry.type if entry else None
    if kind is FieldType.DATE and (not text or day(text)):
        picked = st.date_input(
            label, day(text), key=f"{key}-day", format="YYYY-MM-DD", label_visibility="collapsed",
            min_value=day("1900-01-01"), max_value=day("2200-12-31"),
        )  # fmt: skip
        return picked.isoformat() if picked else ""
    if kind is FieldType.MONEY:
        number, unit = amount_parts(text)
        units = list(dict.fromkeys((*((unit,) if unit else ()), *(entry.units if entry else ()), *_UNITS)))
        left, right = st.columns([1.5, 1], gap="small")
        with left:
            number = st.text_input(label, number, key=f"{key}-amount", label_visibility="collapsed")
        with right:
            unit = st.selectbox(
                f"{label}: currency", units, key=f"{key}-unit", accept_new_options=True,
                label_visibility="collapsed",
            )  # fmt: skip
        return f"{plain_number(number)} {unit or ''}".strip() if number.strip() else ""
    example = {FieldType.DURATION: "60 days", FieldType.NUMBER: "12.5"}.get(kind or FieldType.TEXT, "")
    return st.text_input(
        label, text, key=f"{key}-text", placeholder=example, label_visibility="collapsed"
    ).strip()
