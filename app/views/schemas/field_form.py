"""The form of a field, in steps: what is asked, and how it is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from app.components.controls import draw_choice
from app.presenting.field_draft import KEPT, METHODS, Draft, said
from app.presenting.field_wording import TYPE
from app.views.schemas.example_panel import draw_counts, draw_proposals, held, lines_in
from core.config.field_words import guess_type, name_of_title
from core.domain.fields import WITH_UNITS, FieldType
from core.fields.word_field import ExampleProposal

Proposals = Callable[[Sequence[str]], Sequence[ExampleProposal]]

SCOPES = {"text": "the whole text", "top": "the first page or so", "headings": "headings"}
TAKES = {"match": "the words that match (of a pattern with a group, the group)", "sentence": "the sentence"}
HINTS = {
    "pattern": ("One pattern a line (RE2). Plain words are a pattern too.", "Net (\\d+ days)"),
    "heading": ("One heading a line; the section under it is the value.", "Force majeure"),
    "key_value": ("One key a line.", "Invoice number"),
    "table": ("One column title a line.", "Rated power"),
    "semantic": (
        "One example sentence a line: what a document that states it would say.",
        "Either party may terminate this agreement on thirty days written notice.",
    ),
}


def draw_form(
    draft: Draft, key: str, buckets: Sequence[str], *, is_new: bool, proposals: Proposals | None = None
) -> Draft:
    """Draw it, filled with `draft`; gives what it holds now. key: another one for another field.

    buckets: those there are. proposals: words that its definition may take as examples, beside those that
    it has.
    """
    st.markdown("**1 · What is asked**")
    title = st.text_input(
        "Title", draft.title, key=f"{key}-title", placeholder="Payment period", max_chars=80
    )
    description = st.text_area(
        "What it is, in a sentence",
        draft.description,
        key=f"{key}-description",
        height=70,
        placeholder="Within how many days invoices are paid.",
    )
    draft = draw_counts(draft, key)
    if proposals is not None:
        draw_proposals(proposals(held(key, draft)), key)
    left, right = st.columns([3, 2], vertical_alignment="center")
    with left:
        type_ = _draw_type(draft, key, guess_type(title, description) if is_new else None)
    with right:
        many = st.checkbox("Takes several values", draft.many, key=f"{key}-many")
    unit, options = draft.unit, draft.options
    if type_ in WITH_UNITS:
        word = "Unit" if type_ is FieldType.NUMBER else "Currency where none is written"
        unit = st.text_input(
            word, draft.unit, key=f"{key}-unit", placeholder="mm" if word == "Unit" else "USD"
        )
    if type_ is FieldType.ENUM:
        options = lines_in(
            st.text_area("One of (a line each)", "\n".join(draft.options), key=f"{key}-options", height=90)
        )
    synonyms = st.text_input(
        "Also called (with commas)",
        ", ".join(draft.synonyms),
        key=f"{key}-synonyms",
        placeholder="terms of payment, due date",
    )
    asked_in = st.multiselect(
        "Asked in buckets",
        list(dict.fromkeys((*draft.buckets, *buckets))),
        list(draft.buckets),
        key=f"{key}-buckets",
        placeholder="all",
        help="Documents of other buckets are not asked for it, and count nowhere as lacking it.",
    )
    st.markdown("**2 · How it is found**")
    methods = ([KEPT] if draft.kept and draft.method == KEPT else []) + list(METHODS)
    method = draw_choice(
        "Way",
        methods,
        draft.method,
        f"{key}-method",
        says=lambda each: f"As it is: {said(draft.kept).lower()}" if each == KEPT else METHODS[each],
    )
    lines, scope, take, row = _draw_way(draft, method, key)
    return replace(
        draft,
        title=title.strip(),
        name=name_of_title(title) if is_new else draft.name,
        type=type_,
        many=many,
        description=description,
        buckets=tuple(asked_in),
        synonyms=tuple(part.strip() for part in synonyms.split(",") if part.strip()),
        unit=unit,
        options=options,
        method=method,
        lines=lines,
        scope=scope,
        take=take,
        row=row,
    )


def _draw_type(draft: Draft, key: str, guess: FieldType | None) -> FieldType:
    """The type; guess: by the words of a new field, None for one that has its type."""
    if guess is None:
        return draw_choice("Type", list(TYPE), draft.type, f"{key}-type", says=TYPE.__getitem__)
    own = "words"  # one label whatever is typed: a chosen option whose label changes is lost
    chosen = st.selectbox(
        "Type",
        [own, *TYPE],
        key=f"{key}-type",
        format_func=lambda each: "As its words say" if each == own else TYPE[each],
    )
    if chosen != own:
        return FieldType(chosen)
    st.caption(f"Its words say: {TYPE[guess].lower()}.")
    return guess


def _draw_way(draft: Draft, method: str, key: str) -> tuple[tuple[str, ...], str, str, str]:
    scope, take, row = draft.scope, draft.take, draft.row
    if method == "model":
        st.info("A model is trained from people's verdicts. For a field of your own this comes later.")
        return (), scope, take, row
    if method == "words":
        st.markdown(":small[By what it is, what it is also called, and its examples above.]")
        return (), scope, take, row
    if method == KEPT:
        return draft.lines, scope, take, row
    help_text, example = HINTS[method]
    given = draft.lines if method == draft.method else ()
    lines = lines_in(
        st.text_area(
            help_text, "\n".join(given), key=f"{key}-{method}-lines", height=110, placeholder=example
        )
    )
    if method == "pattern":
        left, right = st.columns(2)
        with left:
            scope = draw_choice(
                "Looked for in", list(SCOPES), draft.scope, f"{key}-scope", says=SCOPES.__getitem__
            )
        with right:
            take = draw_choice("Takes", list(TAKES), draft.take, f"{key}-take", says=TAKES.__getitem__)
    if method == "table":
        row = st.text_input(
            "Of the row that says (all rows where empty)", draft.row, key=f"{key}-row", placeholder="Total"
        )
    return lines, scope, take, row
