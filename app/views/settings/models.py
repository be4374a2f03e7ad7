"""The language model: where it is, who does what, its budgets, and the choice of all of that."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import services, state
from app.components.chart import draw_chart_and_table
from app.components.controls import draw_button
from app.components.shell import guarded, moment, plain
from app.presenting.model_words import (
    AGENT,
    EFFORT,
    HELP,
    lost_words,
    origin_words,
    role_rows,
    spending_chart,
    spent_words,
    value_words,
)
from app.presenting.wording import counted
from app.views.settings.facts import Fact, draw_facts
from app.views.settings.model_test import draw_test
from core.config.llm_choices import TITLE, ModelChoice
from core.config.models import LIST_DATE, LlmSettings
from core.domain.trust.permission import Action
from core.errors import ChoiceError

_LEAST = {"tokens_per_minute": 0, "tokens_per_question": 1_000, "tokens_per_day": 1_000}
_BEGIN = """
No language model is configured: answers are composed from quotes, and nothing leaves this machine. With one,
harder questions are read, answers are written in prose, every sentence checked, and uncertain cells can be
read.

- **Groq**: set `GROQ_API_KEY` in the environment and start Groundwork again. The key is never typed on a
  page.
- **A server of your own**: enter its address below, such as `http://localhost:11434/v1` for Ollama or
  `http://localhost:8080/v1` for llama.cpp, and the names of its models. Save, then test.
"""
_BEGIN_READING = """
No language model is configured: answers are composed from quotes, and nothing leaves this machine. An admin
can choose one here, or set `GROQ_API_KEY` in the environment.
"""


def draw_models() -> None:
    """The whole section; who may not configure reads it."""
    session = services.session()
    settings, choices = session.settings.llm, session.settings.model_choices
    may_choose = services.may(Action.CONFIGURE)
    if settings.is_configured:
        draw_facts("Language model", "Part", _facts(settings, () if may_choose else choices))
    else:
        st.subheader("Language model", anchor=False)
        st.info(_BEGIN if may_choose else _BEGIN_READING, icon=":material/smart_toy:")
    if may_choose:
        with st.expander(
            "Server, models and budgets",
            expanded=not settings.is_configured,
            key="model-choices",
            icon=":material/tune:",
        ):
            _draw_form(choices)
        if settings.is_configured:
            draw_test()
    draw_spending(settings)


def _facts(settings: LlmSettings, choices: Sequence[ModelChoice]) -> list[Fact]:
    """Server and key; of who cannot change them, every choice too."""
    origin = services.session().settings.model_key_origin
    if origin:
        key = Fact("Key", f"set, from {origin}")
    else:
        key = Fact("Key", "none; a server of one's own needs none" if settings.base_url else "none")
    by_role = (
        settings.planning_model,
        settings.writing_model,
        settings.checking_model,
        settings.reading_model,
    )
    server = Fact("Server", settings.base_url or "Groq (api.groq.com)", is_code=bool(settings.base_url))
    found = [server, key]
    if choices:
        return [*found, *(Fact(TITLE[each.name], value_words(each)) for each in choices[1:])]
    check = "and a second check" if settings.verify else "without a second check"
    return [
        *found,
        Fact("Models", ", ".join(dict.fromkeys(by_role))),
        Fact("Agent", f"{AGENT[settings.agent]}, effort {settings.effort}, {check}"),
        Fact(
            "Budgets",
            f"{settings.tokens_per_question:,} tokens a question, {settings.tokens_per_day:,} a day, "
            f"{_limit(settings.tokens_per_minute)} a minute",
        ),
    ]


def _limit(tokens: int) -> str:
    return f"{tokens:,}" if tokens else "no limit"


def _draw_form(choices: Sequence[ModelChoice]) -> None:
    by_name = {each.name: each for each in choices}
    with st.form("model-form", border=False):
        _draw_choice(by_name["base_url"])
        for row in (
            ("planning_model", "writing_model"),
            ("checking_model", "reading_model"),
            ("agent", "effort"),
            ("tokens_per_minute", "tokens_per_question", "tokens_per_day"),
            ("verify", "batch"),
        ):
            for column, name in zip(st.columns(len(row)), row, strict=True):
                with column:
                    _draw_choice(by_name[name])
        st.form_submit_button(
            "Save", type="primary", key="save-models", on_click=guarded(_save), args=(choices,)
        )
    if wrong := [TITLE[each.name] for each in choices if state.wrong_choice(each.name, _given(each))]:
        st.caption(f":red[Not saved: look at “{wrong[0]}” above.]")
    chosen = [each for each in choices if each.origin == "page"]
    if chosen:
        with st.container(horizontal=True, vertical_alignment="center"):
            names = ", ".join(TITLE[each.name].lower() for each in chosen)
            st.caption(f"Chosen here: {names}.", width="content")
            draw_button(
                "Take these back",
                guarded(_restore),
                chosen,
                type="tertiary",
                key="restore-models",
                help="What groundwork.toml says holds again, or what is delivered.",
            )


def _key(choice: ModelChoice) -> str:
    """With its value: what is chosen elsewhere meanwhile is shown, and not what stood here."""
    return f"model-{choice.name}-{choice.value}"


def _draw_choice(choice: ModelChoice) -> None:
    name, key, fixed = choice.name, _key(choice), choice.is_fixed
    label = f"{TITLE[name]} :material/lock:" if fixed else TITLE[name]
    told = f"{HELP[name]} Now {origin_words(choice)}{': change it there.' if fixed else '.'}"
    if name in ("agent", "effort"):
        words = AGENT if name == "agent" else EFFORT
        st.selectbox(
            label,
            list(words),
            index=list(words).index(choice.value),
            format_func=words.__getitem__,
            key=key,
            disabled=fixed,
            help=told,
        )
    elif name in ("verify", "batch"):
        st.checkbox(label, choice.value == "true", key=key, disabled=fixed, help=told)
    elif name in _LEAST:
        st.number_input(
            label,
            min_value=_LEAST[name],
            value=int(choice.value),
            step=1_000,
            key=key,
            disabled=fixed,
            help=told,
        )
    else:
        holder = "https://api.groq.com, or http://localhost:11434/v1" if name == "base_url" else ""
        st.text_input(label, choice.value, key=key, disabled=fixed, help=told, placeholder=holder)
    if fixed:
        st.caption(f"Set by `{choice.variable}`")
    if wrong := state.wrong_choice(name, _given(choice)):
        st.caption(f":red[{plain(wrong)}]")


def _given(choice: ModelChoice) -> str:
    """The value in its field."""
    value = state.widget(_key(choice), choice.value)
    return str(value).lower() if isinstance(value, bool) else str(value).strip()


def _save(choices: Sequence[ModelChoice]) -> None:
    changed = {}
    state.set_wrong_choice()
    for each in choices:
        given = _given(each)
        if not each.is_fixed and given != each.value:
            changed[each.name] = "" if given == each.without else given
    if changed:
        try:
            services.session().settings.choose_model(**changed)
        except ChoiceError as error:
            state.set_wrong_choice(error.setting, changed.get(error.setting, ""), error.explanation)
            return
        services.model_tests().forget(services.current_principal())
        state.flash("Saved. It holds from the next question on.")
    else:
        state.flash("Nothing was changed.")


def _restore(chosen: Sequence[ModelChoice]) -> None:
    services.session().settings.choose_model(**{each.name: "" for each in chosen})
    services.model_tests().forget(services.current_principal())
    state.flash("What was chosen here is taken back.")


DAYS = 14


def draw_spending(settings: LlmSettings) -> None:
    """Nothing where no model was ever called and none is configured."""
    history = services.session().settings.model_history(DAYS)
    is_unused = not any(day.calls for day in history.days)
    if is_unused and not settings.is_configured:
        return
    st.subheader("Spent on the language model", anchor=False)
    st.markdown(f"**Today (UTC)**: {spent_words(history.today, settings.tokens_per_day)}.")
    if is_unused:
        st.caption(f"No call was made in the last {DAYS} days.")
        return
    st.caption(f"Tokens a day, last {DAYS} days")
    draw_chart_and_table("model-days", spending_chart(history.days))
    st.markdown("**By what it was for**")
    st.table(role_rows(history), border="horizontal")
    if history.lost:
        lost = sum(each.calls for each in history.lost)
        st.markdown(f"**Without a reply**: {counted(lost, 'call')}, the newest of each kind named")
        st.markdown(
            "\n".join(f"- {plain(lost_words(each))} :gray[{moment(each.last_at)}]" for each in history.lost)
        )
    if all(role.cost_usd is None for role in history.roles):
        st.caption(
            "Price not known. Costs are shown where it is: of Groq's models by its public list of "
            f"{LIST_DATE.day} {LIST_DATE:%B %Y}, of others by `[llm.prices]` in groundwork.toml, by model, "
            "in US dollars per million tokens."
        )
