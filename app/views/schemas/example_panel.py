"""The definition of a field beside its description: what counts, what does not, examples of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from app import links, state
from app.components.controls import draw_button
from app.components.shell import plain
from app.presenting.field_draft import COUNTER_EXAMPLES, COUNTS, COUNTS_NOT, EXAMPLES, Draft
from core.config.fields import contradiction_of
from core.fields.word_field import ExampleProposal

_ENOUGH = 2  # of examples and of counter-examples


def draw_counts(draft: Draft, key: str) -> Draft:
    """Draw the four, filled with `draft`; gives what they hold now."""
    includes = st.text_area(
        COUNTS,
        draft.includes,
        key=f"{key}-includes",
        height="content",
        max_chars=1_000,
        placeholder="Also a period that a schedule states.",
    )
    excludes = st.text_area(
        COUNTS_NOT,
        draft.excludes,
        key=f"{key}-excludes",
        height="content",
        max_chars=1_000,
        placeholder="Periods for complaints.",
    )
    examples = _draw_lines(EXAMPLES, draft.examples, f"{key}-examples")
    counter = _draw_lines(COUNTER_EXAMPLES, draft.counter_examples, f"{key}-counter")
    if said := contradiction_of(examples, counter):
        st.warning(f"{plain(said)} A model cannot tell which holds: take it out of one of the two.")
    if min(len(examples), len(counter)) < _ENOUGH:
        st.markdown(
            f":small[Two of each tell people and models most; there are {len(examples)} and {len(counter)}.]"
        )
    return replace(
        draft,
        includes=includes.strip(),
        excludes=excludes.strip(),
        examples=examples,
        counter_examples=counter,
    )


def draw_proposals(proposals: Sequence[ExampleProposal], key: str) -> None:
    """Sentences of documents, each taken over by one click."""
    if not proposals:
        return
    st.markdown("**From your documents** :small[Whoever may see the schema reads what is taken over.]")
    for at, each in enumerate(proposals):
        with st.container(border=True, key=f"{key}-proposal-{at}", gap="small"):
            link = f"[{plain(each.title)}]({links.place(each.document)})"
            st.markdown(f":small[{_why(each)} · {link}]")
            st.markdown(f"“{plain(each.quote)}”")
            with st.container(horizontal=True):
                if each.states_it is not False:
                    draw_button(
                        "Take as example",
                        _take,
                        f"{key}-examples",
                        each.quote,
                        icon="add",
                        key=f"{key}-take-{at}",
                    )
                if each.states_it is not True:
                    draw_button(
                        "Take as counter-example",
                        _take,
                        f"{key}-counter",
                        each.quote,
                        icon="remove",
                        key=f"{key}-refuse-{at}",
                    )


def held(key: str, draft: Draft) -> tuple[str, ...]:
    """Examples and counter-examples as they stand in the form, before it is drawn."""
    kept = (*draft.examples, *draft.counter_examples)
    texts = [str(state.widget(f"{key}-{part}", "")) for part in ("examples", "counter")]
    return (*kept, *(line for text in texts for line in lines_in(text)))


def lines_in(text: str) -> tuple[str, ...]:
    """The lines that say something, each once."""
    return tuple(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))


def _draw_lines(label: str, lines: Sequence[str], key: str) -> tuple[str, ...]:
    if state.widget(key) is None:  # no default beside it: a proposal that is taken over sets it, too
        state.set_widget(key, "\n".join(lines))
    return lines_in(st.text_area(label, key=key, height="content"))


def _take(key: str, quote: str) -> None:
    state.set_widget(key, "\n".join([*lines_in(str(state.widget(key, ""))), quote]))


def _why(proposal: ExampleProposal) -> str:
    if proposal.states_it is None:
        one, other = ("The model", "extraction") if proposal.by_model else ("Extraction", "the model")
        return f"≠ {one} takes this for it, {other} does not"
    return "✓ A person confirmed it" if proposal.states_it else "○ A person says that this is not it"
