"""Money and years: the base currency with its exchange rates, and the fiscal year."""

from __future__ import annotations

from calendar import month_name

import streamlit as st

from app import services, state
from app.components.controls import draw_button
from app.components.shell import guarded, plain
from app.presenting.wording import counted
from core.domain.annotation import Accounting, Rate
from core.domain.trust.permission import Action
from core.domain.value_text import day_text
from core.errors import UsageError
from core.values.accounting import read_rate

_MOST_SHOWN = 200
_ABOUT = (
    "Amounts of different currencies are never added by themselves. With rates, a question may ask for one "
    "(“in EUR”), and answers in several offer it. Rates are never fetched: they are what is set here."
)


def draw_accounting() -> None:
    """The whole section; who may not configure reads it."""
    now, may_choose = services.session().accounting.now(), services.may(Action.CONFIGURE)
    st.subheader("Money and years", anchor=False)
    st.caption(_ABOUT)
    st.markdown(_said(now))
    if now.rates:
        _draw_rates(now)
    if not may_choose:
        return
    with (
        st.expander("Base currency and fiscal year", icon=":material/tune:", expanded=not now.base),
        st.form("accounting", border=False),
    ):
        one, other = st.columns(2)
        one.text_input("Base currency", now.base, key=f"base-{now.version}", placeholder="EUR", max_chars=20)
        other.selectbox(
            "Fiscal year begins in",
            range(1, 13),
            index=now.fiscal_month - 1,
            format_func=lambda month: month_name[month],
            key=f"fiscal-{now.version}",
            help="It is called by the calendar year that it ends in: fiscal 2024 ends in 2024.",
        )
        st.text_input(
            "Dates that choose the rate of an amount",
            ", ".join(now.dated_by),
            key=f"dated-{now.version}",
            placeholder="none: the latest rate",
            help="Names of fields or columns, the first that is stated: invoice_date, effective_date. An "
            "amount then has the rate at or before its day.",
        )
        st.form_submit_button("Apply", key="save-accounting", on_click=guarded(_choose), args=(now,))
    if now.base:
        with st.expander(f"Exchange rates to {now.base}", icon=":material/currency_exchange:"):
            _draw_form(now)


def _said(now: Accounting) -> str:
    first = month_name[now.fiscal_month]
    base = plain(now.base) if now.base else "none: nothing is converted"
    dated = f"at or before {plain(', '.join(now.dated_by))}" if now.dated_by else "the latest"
    rows = {"Base currency": base, "Rate of an amount": dated, "Fiscal year": f"from {first}"}
    return "| Setting | Value |\n|---|---|\n" + "\n".join(f"| {k} | {v} |" for k, v in rows.items())


def _draw_rates(now: Accounting) -> None:
    rows = [
        {"Currency": e.currency, f"In {now.base}": f"{e.rate:f}", "From": day_text(e.day), "Source": e.source}
        for e in now.rates[-_MOST_SHOWN:]
    ]
    st.dataframe(rows, hide_index=True, width="stretch", height=min(400, 35 * len(rows) + 38))
    if len(now.rates) > _MOST_SHOWN:
        st.caption(f"The last {_MOST_SHOWN} of {counted(len(now.rates), 'rate')}.")


def _draw_form(now: Accounting) -> None:
    with st.form("rate", border=False, clear_on_submit=True):
        columns = st.columns(4)
        for column, (name, holder) in zip(
            columns, {"Currency": "USD", "Rate": "0.92", "Day": "today", "Source": "ECB"}.items(), strict=True
        ):
            column.text_input(name, key=f"rate-{name}", placeholder=holder, max_chars=200)
        st.form_submit_button("Set the rate", key="set-rate", on_click=guarded(_set))
    file = st.file_uploader("Rates as CSV: currency, rate, source, day", ["csv"], key=f"rates-{now.version}")
    instead = st.toggle("In place of all rates", key="rates-instead")
    if file is not None:
        draw_button("Import the file", guarded(_import), file.getvalue(), instead, key="import-rates")
    if now.rates:
        labels = [each.name for each in now.rates]
        chosen = st.selectbox("Take out", ["", *labels], key=f"out-{now.version}")
        if chosen:
            rate = now.rates[labels.index(chosen)]
            draw_button(f"Take out {plain(chosen)}", guarded(_remove), rate, key="remove-rate")


def _choose(now: Accounting) -> None:
    base = str(state.widget(f"base-{now.version}", ""))
    names = [
        each.strip() for each in str(state.widget(f"dated-{now.version}", "")).split(",") if each.strip()
    ]
    services.session().accounting.choose(base, names, int(state.widget(f"fiscal-{now.version}", 1)))
    state.flash("Saved. It holds from the next question on.")


def _set() -> None:
    currency, rate_text, day, source = (
        str(state.widget(f"rate-{name}", "")) for name in ("Currency", "Rate", "Day", "Source")
    )
    rate = read_rate(currency, rate_text, day, source)
    services.session().accounting.set_rates([rate])
    state.flash(f"Set: {rate.name}.")


def _import(content: bytes, instead: bool) -> None:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError("The file is no text in UTF-8.", next_step="Save it as CSV in UTF-8.") from error
    now = services.session().accounting.import_rates(text, instead=instead)
    state.flash(f"There are {counted(len(now.rates), 'rate')} now.")


def _remove(rate: Rate) -> None:
    services.session().accounting.remove_rates(rate.currency, rate.day)
    state.flash(f"Taken out: {rate.name}.")
