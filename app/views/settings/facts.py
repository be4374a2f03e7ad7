"""A short list of names and values, each with its sign where it can be good or bad."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from app.components.shell import plain


@dataclass(frozen=True, slots=True)
class Fact:
    """One line; `is_good` None where the value is neither. is_code: an address or a name, as it is typed."""

    name: str
    value: str
    is_good: bool | None = None
    is_code: bool = False


def draw_facts(title: str, name: str, facts: Sequence[Fact]) -> None:
    """A heading and a table of two columns, the first headed `name`."""
    st.subheader(title, anchor=False)
    signs = {True: ":blue[●] ", False: ":orange[▲] ", None: ""}
    rows = "\n".join(f"| {fact.name} | {signs[fact.is_good]}{_value(fact)} |" for fact in facts)
    st.markdown(f"| {name} | Value |\n|---|---|\n{rows}")


def _value(fact: Fact) -> str:
    return f"`{fact.value.replace('`', '').replace('|', '')}`" if fact.is_code else plain(fact.value)
