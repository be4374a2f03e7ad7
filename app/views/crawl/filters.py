"""Filters of the ledger: widgets whose values stand in the address, so that a copied link has the same rows.

They are not bound by the framework: that writes words where the address has names, and nothing where a click
elsewhere sets them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from app import state
from app.presenting.crawl.words import ADDRESSES, CHANGE, REASON, STATE
from core.domain.crawl.ledger import Change, LedgerQuery, UrlReason, UrlState

ALL = "All"
OVERVIEW = "Overview"
"""The first tab of a crawl."""
_NAMES = ("address", "state", "reason", "depth", "host", "change")
_PLACE = ("sort", "down", "part", "url")
_SEVERAL = ("state", "reason")
_DEPTHS = ("0", "1", "2", "3", "4", "5")
_STATES, _REASONS = [each.value for each in UrlState], [each.value for each in UrlReason if each.value]
_CHANGES = [each.value for each in Change if each.value]


def draw_filters(hosts: Sequence[str], *, has_changes: bool) -> LedgerQuery:
    """One row of them; gives the conditions. has_changes: whether runs can be compared."""
    _follow_address(hosts)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _text("address", "Address", "Part of an address", 240)
        _several("state", "State", "All states", _STATES, 220)
        _several("reason", "Reason", "All reasons", _REASONS, 240)
        _one("depth", "Depth", _DEPTHS, 90)
        if len(hosts) > 1:
            _one("host", "Host", hosts, 210)
        if has_changes or _value("change"):
            _one("change", "Change", _CHANGES, 130)
    return LedgerQuery(
        states=tuple(UrlState(each) for each in _value("state").split(",") if each),
        reasons=tuple(UrlReason(each) for each in _value("reason").split(",") if each),
        changes=(Change(_value("change")),) if _value("change") else (),
        depth=int(_value("depth")) if _value("depth") else None,
        host=_value("host"),
        text=_value("address"),
    )


def show_only(**filters: str) -> None:
    """Show the addresses that fulfil these conditions and no others, on their tab."""
    _set({name: filters.get(name, "") for name in _NAMES})
    _remember()
    state.set_widget("view", ADDRESSES)
    state.redraw()


def clear_filters() -> None:
    """Show the whole ledger, from its beginning."""
    _set(dict.fromkeys(_NAMES, ""))
    _remember()
    state.to_address(**dict.fromkeys(_PLACE))


def _key(name: str) -> str:
    return f"ledger-{name}"


def _value(name: str) -> str:
    found = state.widget(_key(name))
    if name in _SEVERAL:
        return ",".join(found or ())
    return "" if found in (None, ALL) else str(found).strip()


def _set(values: dict[str, str]) -> None:
    for name, value in values.items():
        several = [each for each in value.split(",") if each]
        state.set_widget(
            _key(name), several if name in _SEVERAL else value if name == "address" else value or ALL
        )


def _remember() -> None:
    """Write what the widgets say into the address; another set of rows begins at its first."""
    values = {name: _value(name) for name in _NAMES}
    state.to_address(**{name: value or None for name, value in values.items()}, part=None, url=None)
    state.shown_filters.set(list(values.values()))


def _follow_address(hosts: Sequence[str]) -> None:
    """Set the widgets to an address that was opened, or gone back to; what it cannot mean is left out."""
    asked = [state.from_address(name) for name in _NAMES]
    is_drawn = state.widget(_key("state")) is not None
    if is_drawn and asked == state.shown_filters():
        return
    known: dict[str, Sequence[str]] = {"state": _STATES, "reason": _REASONS, "depth": _DEPTHS}
    known |= {"host": hosts, "change": _CHANGES}
    values = dict(zip(_NAMES, asked, strict=True))
    for name, options in known.items():
        values[name] = ",".join(each for each in values[name].split(",") if each in options)
    _set(values)
    state.shown_filters.set(asked)


def _text(name: str, label: str, placeholder: str, width: int) -> None:
    st.text_input(
        label, key=_key(name), placeholder=placeholder, type="search", width=width, on_change=_remember
    )


def _several(name: str, label: str, placeholder: str, options: Sequence[str], width: int) -> None:
    words = (
        {each.value: wording.word for each, wording in STATE.items()}
        if name == "state"
        else {each.value: wording.word for each, wording in REASON.items()}
    )
    st.multiselect(
        label,
        options,
        key=_key(name),
        width=width,
        format_func=lambda each: words[each],
        placeholder=placeholder,
        on_change=_remember,
    )


def _one(name: str, label: str, options: Sequence[str], width: int) -> None:
    def word(each: str) -> Any:
        return CHANGE[Change(each)].word if name == "change" and each != ALL else each

    st.selectbox(label, [ALL, *options], key=_key(name), width=width, format_func=word, on_change=_remember)
