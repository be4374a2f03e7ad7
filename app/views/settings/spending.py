"""What the language model took: today, the last days as a chart, by role, and what did not work."""

from __future__ import annotations

import streamlit as st

from app import services
from app.components import mounts
from app.components.shell import moment, plain
from app.presenting.model_words import day_rows, lost_words, role_rows, spending_chart, spent_words
from app.presenting.wording import counted
from core.config.models import LIST_DATE, LlmSettings

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
    chart = spending_chart(history.days)
    st.caption(f"Tokens a day, last {DAYS} days")
    mounts.chart(
        key="model-days",
        data={"name": chart.name, "figure": chart.figure, "picks": False},
        on_pick_change=lambda: None,
    )
    with st.expander("As a table", key="model-days-table", on_change="rerun") as table:
        if table.open:
            st.dataframe(day_rows(history.days), hide_index=True, height="auto", alt=chart.name)
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
