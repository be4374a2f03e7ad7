"""Live answers of the sample, to make cases of."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import links, services, state
from app.components.controls import draw_button, draw_page_link
from app.components.shell import moment, plain
from app.components.table import column, draw_table, row
from app.presenting.evaluation.words import text_of
from app.presenting.wording import counted
from app.views.evaluate import actions


def draw_samples(own: Sequence[str]) -> None:
    """The answers, and the one that is open. own: names of own suites."""
    session = services.session()
    found = session.evaluations.sampled()
    share = services.bench().settings.review.sample_share
    st.markdown(
        f":small[{100 * share:g} % of all answers are drawn by chance. One that is right becomes a case; "
        "one that is wrong is worked on in the queue of Review.]"
    )
    if not found:
        st.info(
            "No answer of the sample waits. They come as questions are asked; the setting "
            "`review.sample_share` says how many are drawn."
        )
        return
    opened = state.from_address("item")
    suite_of = {each.question: name for name in own for each in session.evaluations.cases(name)}
    rows = [
        row(
            each.id,
            {
                "question": each.question,
                "status": each.status,
                "asker": each.asker,
                "when": moment(each.flagged_at),
                "case": suite_of.get(each.question, ""),
            },
            hover={"when": each.flagged_at.isoformat(timespec="seconds")},
        )
        for each in found
    ]
    columns = [
        column("question", "Question", 460, kind="words"),
        column("status", "Came to", 120),
        column("asker", "Asked by", 110),
        column("when", "Asked", 120),
        column("case", "Is a case of", 130),
    ]
    st.markdown(f"**{counted(len(found), 'answer')}**")
    draw_table(
        "samples-table",
        "samples",
        "Live answers of the sample",
        columns,
        rows,
        opened=opened,
        only_filled=True,
        file="live-answers",
        open=lambda sent: state.to_address(item=str(sent["id"])),
    )
    item = next((each for each in found if each.id == opened), None)
    if item is None:
        st.markdown(":small[Choose a row to make a case of it.]")
        return
    st.subheader(plain(item.question), anchor=False)
    answer = session.reviews.get(item.id).answer
    st.markdown(plain(text_of(answer.text)) if answer is not None else "Its answer may not be seen.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Case of the suite", value=own[0] if own else "own", key="promote-to", width=220)
        draw_button(
            "It is right: make it a case",
            actions.promote,
            item.id,
            "promote-to",
            key="promote",
            icon="add_task",
        )
        draw_page_link("review", "Review it", "rate_review", item=item.id)
        st.link_button("Plan", links.inspector(question=item.question), icon=":material/account_tree:")
