"""The trial of a field in words: documents with their best sentences, judged by one click each."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import links, services, state
from app.components.controls import draw_button
from app.components.shell import draw_error, plain
from app.presenting.field_draft import Draft, definition_of
from app.presenting.word_trial_words import likelihoods, looked_at, precision, verdict_of
from app.presenting.wording import brief
from app.views.schemas import actions
from core.config.fields import FieldDefinition, Schema
from core.domain.fields import Candidate
from core.domain.trust.permission import Action
from core.domain.value_text import shown as said
from core.errors import GroundworkError
from core.fields.word_field import Contradiction, ScanProgress, TrialDocument, WordTrial

_LONGEST_SHOWN = 420
_LONGEST_NAME = 90
_YES, _NO = "Y", "N"  # keys of the document on top, so that a verdict needs no way back to it


def draw_word_trial(schema: Schema, draft: Draft, buckets: Sequence[str]) -> None:
    """The trial, begun by a button; it may be left at any time by any click."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        bucket = st.selectbox("On documents of", buckets, key=f"try-{schema.name}", width=220)
        mark = actions.mark_of_words(schema.name, draft, bucket)
        draw_button("Try it", actions.begin, schema.name, draft, mark, key="try-field", icon="science")
    if state.word_trial() != mark:
        st.markdown(
            ":small[It shows documents that likely state it, unlikely ones and undecided ones, with the best "
            "sentence of each.]"
        )
        return
    try:
        definition = definition_of(draft)
        trial = _run(schema, definition, bucket, mark)
    except GroundworkError as error:
        draw_error(error)
        return
    if trial is not None:
        _draw(trial, mark)


def draw_learnt(schema: Schema, definition: FieldDefinition) -> None:
    """What a field in words has learnt, and sentences that were judged both ways."""
    found = services.session().word_fields.learnt(schema.name, definition.name)
    if not found.verdicts:
        st.markdown(":small[Nobody judged it yet: its cells are best guesses.]")
        return
    if found.decides:
        st.markdown(
            f":small[Learnt from {found.learnt} verdicts. Of those that it would have decided unseen it was "
            f"right in **{found.right} of {found.decided}**.]"
        )
    else:
        st.markdown(f":small[{found.verdicts} verdicts; too few or too unlike for it to decide anything.]")
    if found.verdicts != found.learnt and services.may(Action.REVIEW):
        draw_button(
            f"Learn from all {found.verdicts} verdicts",
            actions.learn,
            schema.name,
            definition.name,
            key="learn-field",
        )
    for each in found.contradictions:
        _draw_contradiction(each, (schema.name, definition.name))


def _run(schema: Schema, definition: FieldDefinition, bucket: str, mark: str) -> WordTrial | None:
    verdicts = [verdict_of(each) for each in state.word_verdicts(mark)]
    bar = st.empty()
    for event in services.session().word_fields.try_words(schema.name, definition, bucket, verdicts):
        if isinstance(event, ScanProgress):
            with bar.container(horizontal=True, vertical_alignment="center"):
                share = min(1.0, event.done / max(1, event.total))
                st.progress(share, text=f"{event.done:,} of {event.total:,} · {event.seconds:.0f} s")
                if event.done <= 10:  # one button, drawn once: a click ends this run and so the look
                    draw_button("Cancel", actions.end, key="cancel-trial")
        else:
            bar.empty()
            return event
    return None


def _draw(trial: WordTrial, mark: str) -> None:
    st.markdown(f":small[{looked_at(trial)}]")
    for line in precision(trial):
        st.markdown(line)
    for pair in trial.contradictions:
        _draw_contradiction(pair, None)
    if not trial.documents:
        st.info("There is no document left to judge in this bucket.")
    else:
        st.markdown(
            f":small[Keys: **{_YES}** yes, **{_NO}** no, for the document on top; the next one follows.]"
        )
    for number, (each, likely) in enumerate(zip(trial.documents, likelihoods(trial), strict=True)):
        _draw_document(each, likely, mark, is_on_top=not number)


def _draw_document(shown: TrialDocument, likely: str, mark: str, *, is_on_top: bool) -> None:
    with st.container(border=True):
        first = shown.candidates[0] if shown.candidates else None
        st.markdown(f"**{_linked(shown, first)}** · {likely}")
        for number, candidate in enumerate(shown.candidates):
            if number == 1:
                with st.expander("Other sentences"):
                    _draw_others(shown, mark)
                break
            _draw_candidate(shown, candidate, number, mark, key=_YES if is_on_top else None)
        draw_button(
            "No, it does not state it",
            actions.judge,
            mark,
            shown.summary.id,
            None,
            shortcut=_NO if is_on_top else None,
            key=f"no-{shown.summary.id}",
            icon="close",
        )


def _draw_others(shown: TrialDocument, mark: str) -> None:
    for number, candidate in enumerate(shown.candidates[1:], 1):
        _draw_candidate(shown, candidate, number, mark)


def _draw_candidate(
    shown: TrialDocument, candidate: Candidate, number: int, mark: str, *, key: str | None = None
) -> None:
    quote = candidate.spans[-1]
    value = f"**{plain(said(candidate.value))}** · " if candidate.value and len(candidate.spans) > 1 else ""
    st.markdown(f"{value}:primary-background[{plain(brief(quote.quote, _LONGEST_SHOWN))}]")
    if candidate.value is None:
        st.caption("It says no value that the field takes.")
        return
    draw_button(
        "Yes, right" if number == 0 else "This one",
        actions.judge,
        mark,
        shown.summary.id,
        candidate.spans[0],
        shortcut=key,
        key=f"yes-{shown.summary.id}-{number}",
        icon="check",
    )


def _draw_contradiction(pair: Contradiction, of: tuple[str, str] | None) -> None:
    text = " ".join(pair.sentence.split())[:_LONGEST_SHOWN]
    st.warning(
        f"One sentence, two verdicts: “{plain(text)}” states it in one document and not in the other. "
        "Neither is learnt from, and a document whose best sentence it is stays undecided.",
        icon=":material/rule:",
    )
    with st.container(horizontal=True):
        for label, document in (("Stated in", pair.stated_in), ("Not in", pair.not_in)):
            st.markdown(f"[{label} this document](/documents?document={document})", width="content")
        if of is not None:
            for label, is_stated in (("It states it", True), ("It does not", False)):
                draw_button(
                    label,
                    actions.settle,
                    *of,
                    pair,
                    is_stated,
                    key=f"settle-{pair.stated_in}-{is_stated}",
                )


def _linked(shown: TrialDocument, candidate: Candidate | None) -> str:
    span = candidate.spans[0].span if candidate is not None else None
    link = links.span(shown.summary.id, shown.summary.version, span)
    name = shown.summary.name
    short = name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME].rstrip(" ·/") + "…"
    return f"[{plain(short)}]({link})"
