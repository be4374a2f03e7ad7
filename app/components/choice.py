"""One of several options, or some of them, where what is chosen now is always among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

import streamlit as st

T = TypeVar("T")


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


def _shown(hides: bool) -> Literal["visible", "collapsed"]:
    return "collapsed" if hides else "visible"
