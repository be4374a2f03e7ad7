"""The conditions of a selection as lines: a field, an operator that fits it, and a value of its type."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app.components.controls import draw_choice, draw_choices
from app.presenting.plan_fields import FormSetting, amount_parts, plain_number
from app.presenting.plan_words import STATES, operator_word, operators_of
from core.domain.fields import TEXTS, FieldType
from core.domain.predicate import Operator
from core.domain.value_text import day_of
from core.plan.catalogue import FieldEntry
from core.plan.ir.nodes import Choice, Condition, OtherField, Reference

CLAUSES = tuple[Condition | Choice, ...]
_SEVERAL = (Operator.IN, Operator.BETWEEN)
_UNITS = ["USD", "EUR", "GBP", "CHF", "JPY", "CAD", "AUD"]
_A_VALUE, _TO_LOOK_UP, _TO_FIELD = "a value", "the value of ", "field:"


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
    stated = {name: entry.documents for name in setting.names if (entry := setting.fields.get(name))}
    name = max(stated, key=lambda each: stated[each], default=next(iter(setting.names), "field"))
    return Condition(field=name, op=Operator.IS, value="present")


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
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"{key}-line"):
        name_place, operator_place = st.container(width=206), st.container(width=142)
        value_place, menu_place = st.container(width=272), st.container(width=48)
    with name_place:
        name = draw_choice(
            f"{said}: field",
            setting.names,
            condition.field,
            f"{key}-field",
            says=lambda each: _named(setting, each, condition),
            hides_label=True,
        )
    now = condition if name == condition.field else Condition(field=name, op=condition.op, value="")
    with menu_place, st.popover("", icon=":material/more_vert:", help=said, key=f"{key}-menu"):
        minus, narrows = _draw_more(setting, now, condition.narrows, f"{key}-{name}")
        other = _draw_way(setting, now, setting.kind(name, minus), f"{key}-{name}")
        is_gone = st.button("Take it out", icon=":material/close:", key=f"{key}-gone")
        is_or = st.button(
            "Or …", icon=":material/add:", key=f"{key}-or", help="Another that may hold instead"
        )
    kind = setting.kind(name, minus)
    with operator_place:
        operators = operators_of(kind)
        stays = now is condition or now.op in operators
        operator = draw_choice(
            f"{said}: operator",
            operators,
            now.op if stays else operators[0],
            f"{key}-{name}-op",
            says=lambda each: operator_word(each, kind),
            hides_label=True,
        )
    with value_place:
        value = _draw_value(setting, now, operator, kind, other, f"{key}-{name}-{kind}", said)
    if is_gone:
        return None
    now = Condition(field=name, op=operator, value=value, minus=minus, narrows=narrows)
    return (now, now.model_copy()) if is_or else (now,)


def _named(setting: FormSetting, name: str, condition: Condition) -> str:
    title = setting.title(name)
    counted = condition.minus if name == condition.field else ""
    return f"{title}, time since {setting.title(counted).lower()}" if counted else title


def _draw_more(setting: FormSetting, now: Condition, narrows: bool, key: str) -> tuple[str, bool]:
    """Rare settings: the date from which time is counted, and the purpose of the condition."""
    says = st.checkbox(
        "Says what is asked about",
        narrows,
        key=f"{key}-narrows",
        help="Documents that do not fulfil it are then out of scope, and not counted as absent.",
    )
    dates = [name for name, entry in setting.fields.items() if entry.type is FieldType.DATE]
    if now.field not in dates:
        return now.minus, says
    minus = draw_choice(
        "Compares the time since",
        ["", *(name for name in dates if name != now.field)],
        now.minus,
        f"{key}-minus",
        says=lambda name: setting.title(name) if name else "Nothing: the date itself",
    )
    return minus, says


def _draw_value(
    setting: FormSetting,
    now: Condition,
    operator: Operator,
    kind: FieldType | None,
    other: Reference | OtherField | None,
    key: str,
    said: str,
) -> str | tuple[str, ...] | Reference | OtherField:
    label, given = f"{said}: value", now.value
    if operator is Operator.MISSING:
        st.text_input(label, "", disabled=True, key=f"{key}-none", label_visibility="collapsed")
        return ()
    if operator is Operator.IS:
        is_state = isinstance(given, str) and given != ""
        return draw_choice(
            label, STATES, str(given) if is_state else STATES[0], f"{key}-state", hides_label=True
        )
    if other is not None and operator not in _SEVERAL:
        words = f"the value of {other.node}" if isinstance(other, Reference) else setting.title(other.field)
        st.text_input(label, words, disabled=True, key=f"{key}-{words}", label_visibility="collapsed")
        return other
    texts = (given,) if isinstance(given, str) else given if isinstance(given, tuple) else ()
    entry = setting.fields.get(now.field)
    if operator is Operator.BETWEEN:
        return _draw_both(entry, kind, texts, key, label)
    if operator is Operator.IN:
        return _draw_several(setting, entry, texts, key, label)
    first = next(iter(texts), "")
    return _draw_one(setting, entry, kind, operator, first, f"{key}-{operator.name}", label)


def _draw_way(
    setting: FormSetting, now: Condition, kind: FieldType | None, key: str
) -> Reference | OtherField | None:
    """Other side of a comparison that is no written value: a look-up, another field."""
    given = now.value
    likely = [name for name, entry in setting.fields.items() if entry.type is kind and name != now.field]
    others = likely if kind in (FieldType.DATE, FieldType.MONEY) and not now.minus else []
    ways = [*(f"{_TO_LOOK_UP}{id}" for id in setting.values), *(f"{_TO_FIELD}{name}" for name in others)]
    current = _A_VALUE
    if isinstance(given, Reference):
        current = f"{_TO_LOOK_UP}{given.node}"
    elif isinstance(given, OtherField):
        current = f"{_TO_FIELD}{given.field}"
    if current == _A_VALUE and not ways:
        return None

    def titled(way: str) -> str:
        name = way.removeprefix(_TO_FIELD)
        return f"the field {setting.title(name)}" if name != way else way

    way = draw_choice("Compared with", [_A_VALUE, *ways], current, f"{key}-way", says=titled)
    if way.startswith(_TO_LOOK_UP):
        return Reference(node=way.removeprefix(_TO_LOOK_UP))
    return OtherField(field=way.removeprefix(_TO_FIELD)) if way.startswith(_TO_FIELD) else None


def _draw_both(
    entry: FieldEntry | None, kind: FieldType | None, texts: Sequence[str], key: str, label: str
) -> tuple[str, ...]:
    low, high = st.columns(2, gap="small")
    with low:
        first = _draw_typed(entry, kind, next(iter(texts), ""), f"{key}-low", f"{label}, from")
    with high:
        second = _draw_typed(entry, kind, next(iter(texts[1:]), ""), f"{key}-high", f"{label}, to")
    return tuple(each for each in (first, second) if each)


def _draw_several(
    setting: FormSetting, entry: FieldEntry | None, texts: Sequence[str], key: str, label: str
) -> tuple[str, ...]:
    known = setting.known_values(entry.name) if entry else []
    return draw_choices(
        label,
        known,
        texts,
        f"{key}-in",
        takes_others=True,
        placeholder="Choose or write values",
        hides_label=True,
    )


def _draw_one(
    setting: FormSetting,
    entry: FieldEntry | None,
    kind: FieldType | None,
    operator: Operator,
    text: str,
    key: str,
    label: str,
) -> str:
    known = setting.known_values(entry.name) if entry else []
    is_of_text = kind in TEXTS
    if kind is FieldType.BOOLEAN:
        held = "false" if text == "false" else "true"
        yes = {"true": "Yes", "false": "No"}
        return draw_choice(label, list(yes), held, f"{key}-yes", says=yes.__getitem__, hides_label=True)
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
    return _draw_typed(entry, kind, text, key, label)


def _draw_typed(entry: FieldEntry | None, kind: FieldType | None, text: str, key: str, label: str) -> str:
    if kind is FieldType.DATE and (not text or day_of(text)):
        picked = st.date_input(
            label, day_of(text), key=f"{key}-day", format="YYYY-MM-DD", label_visibility="collapsed",
            min_value=day_of("1900-01-01"), max_value=day_of("2200-12-31"),
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
