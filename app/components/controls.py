"""Controls of pages in one form: buttons that do something, ways to other pages, choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, TypeVar

import streamlit as st

from app import links, state

T = TypeVar("T")


def draw_button(label: str, act: Callable[..., None], *args: Any, icon: str = "", **more: Any) -> bool:
    """A button that does `act` of `args`. icon: name of a Material symbol; more: as `st.button` takes it."""
    return st.button(label, icon=_symbol(icon), on_click=act, args=args, **more)


def draw_page_link(
    page: str, label: str, icon: str = "", /, *, help: str | None = None, **query: str
) -> None:
    """The way to a page by its name. query: parameters of its address."""
    st.page_link(links.page(page), label=label, icon=_symbol(icon), help=help, query_params=query or None)


def draw_switch(
    label: str,
    options: Sequence[T],
    key: str,
    first: T,
    *,
    says: Callable[[T], Any] = str,
    bind: Literal["query-params"] | None = "query-params",
    **more: Any,
) -> T:
    """One of a few options side by side, `first` where none was chosen; the address carries it."""
    chosen: T | None = st.segmented_control(
        label,
        options,
        default=first,
        key=key,
        format_func=says,
        bind=bind,
        required=True,
        label_visibility="collapsed",
        **more,
    )
    return first if chosen is None else chosen


def draw_exports(key: str, name: str, make: Callable[[str], bytes], why: str) -> None:
    """A file of each kind of table that can be saved. make: gets the kind; why: said beside the button."""
    from core.spreadsheet import KINDS  # late: not for the first paint

    for kind, media_type in KINDS.items():
        st.download_button(
            kind.upper(),
            partial(make, kind),
            f"{name}.{kind}",
            media_type,
            key=f"{key}-{kind}",
            icon=_symbol("download"),
            help=why,
        )


def draw_address_choice(
    label: str, name: str, options: Mapping[str, str], width: int, key: str, *forgets: str
) -> None:
    """A choice that the address holds by its value, under `name`; the first option is none.

    forgets: other parameters that mean nothing with another choice.
    """
    given, known = state.from_address(name), list(options)

    def chosen() -> None:
        value = str(state.widget(key) or "")
        state.to_address(**dict.fromkeys(forgets), **{name: value if value != known[0] else None})

    st.selectbox(
        label,
        known,
        index=known.index(given) if given in options else 0,
        key=key,
        width=width,
        format_func=lambda each: options.get(each, each),
        on_change=chosen,
    )


def draw_choice(
    label: str,
    options: Sequence[T],
    current: T,
    key: str,
    *,
    says: Callable[[T], Any] = str,
    hides_label: bool = False,
) -> T:
    """One of the options; the current one stands first where it is none of them. says: an option in words."""
    offered = list(options) if current in options else [current, *options]
    return st.selectbox(
        label,
        offered,
        index=offered.index(current),
        key=key,
        format_func=says,
        label_visibility=_shown(hides_label),
    )


def draw_choices(
    label: str,
    options: Sequence[str],
    current: Sequence[str],
    key: str,
    *,
    says: Callable[[str], Any] = str,
    placeholder: str | None = None,
    why: str | None = None,
    most: int | None = None,
    takes_others: bool = False,
    hides_label: bool = False,
) -> tuple[str, ...]:
    """Some of the options, in the order chosen; current ones stand first where they are none of them.

    takes_others: whether words may be written that are no option. why: what is said beside the label.
    """
    chosen = st.multiselect(
        label,
        list(dict.fromkeys((*(each for each in current if each not in options), *options))),
        default=list(current),
        key=key,
        format_func=says,
        placeholder=placeholder,
        help=why,
        max_selections=most,
        accept_new_options=takes_others,
        label_visibility=_shown(hides_label),
    )
    return tuple(chosen)


def _symbol(icon: str) -> str | None:
    return f":material/{icon}:" if icon else None


def _shown(hides: bool) -> Literal["visible", "collapsed"]:
    return "collapsed" if hides else "visible"
