"""What the verdicts say: how often each flag was right, how far reviewers agree, and the cases they made."""

from __future__ import annotations

import json
from functools import partial

import streamlit as st

from app import services
from app.components.chart import draw_chart
from app.components.controls import draw_button
from app.components.shell import moment
from app.presenting.chart import Chart
from app.presenting.trust.review_charts import agreement_chart, precision_chart
from app.presenting.wording import counted
from app.views.review import actions
from core.domain.trust.permission import Action

_KAPPA = (
    "Kappa is agreement beyond chance: 1 is full agreement, 0 what chance alone gives. Two reviewers are "
    "compared on the claims and answers that both judged; open a resolved answer and save a verdict to give "
    "a second one."
)
_PRECISION = (
    "Of the reviewed answers with a flag, the share that was wrong or only partly correct. The random sample "
    "says how often answers are wrong that nothing else speaks against."
)


def draw_quality() -> None:
    """Both charts, each with its table."""
    reviews = services.session().reviews
    precision, agreement = reviews.precision(), reviews.agreement()
    st.subheader("Precision by reason", anchor=False)
    if any(each.found.checked for each in precision):
        st.caption(_PRECISION)
        _draw_figures("review-precision", precision_chart(precision))
    else:
        st.info("Nothing was reviewed yet.")
    st.subheader("Agreement between reviewers", anchor=False)
    if agreement:
        st.caption(_KAPPA)
        _draw_figures("review-agreement", agreement_chart(agreement))
    else:
        st.info("No two reviewers have judged the same answer yet.")


def draw_cases() -> None:
    """The evaluation cases that came from verdicts."""
    session = services.session()
    kept = session.reviews.kept_cases()
    if not kept:
        st.info("No answer has become a case yet. Answers that are found correct do, by themselves.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{counted(len(kept), 'case')}**", width="content")
        st.download_button(
            "Suite",
            partial(_suite),
            "reviews.jsonl",
            "application/x-ndjson",
            key="review-suite",
            icon=":material/download:",
            help="The cases as a file that `groundwork evaluate` runs",
        )
        st.markdown(":small[Run them with: `groundwork evaluate reviews`]", width="content")
    st.dataframe(
        [
            {
                "Question": each.case["question"],
                "Kind of answer": str(each.case["shape"]).replace("_", " "),
                "Expected": _expected(each.case["expect"]),
                "Kept by": each.account,
                "When": moment(each.at),
            }
            for each in kept
        ],
        hide_index=True,
    )
    if services.may(Action.CONFIGURE):
        names = {each.id: str(each.case["question"]) for each in kept}
        with st.container(horizontal=True, vertical_alignment="bottom"):
            chosen = st.selectbox(
                "Remove a case",
                list(names),
                index=None,
                key="review-case",
                format_func=lambda each: names.get(each, each),
                width=420,
            )
            draw_button(
                "Remove", actions.remove_case, chosen, key="review-remove-case", disabled=chosen is None
            )


def _expected(expect: dict[str, object]) -> str:
    """The right answer of a case in a few words."""
    value = expect.get("value")
    if isinstance(value, dict):
        return f"{value['value']} {value.get('unit') or ''}".strip()
    documents = expect.get("documents")
    if isinstance(documents, list):
        return ", ".join(map(str, documents[:3])) + ("…" if len(documents) > 3 else "") or "no document"
    groups = expect.get("groups")
    return counted(len(groups), "group") if isinstance(groups, list) else str(expect.get("status"))


def _suite() -> bytes:
    cases = services.session().reviews.cases()
    return "".join(f"{json.dumps(each.model_dump(mode='json'))}\n" for each in cases).encode()


def _draw_figures(key: str, chart: Chart) -> None:
    draw_chart(key, chart)
    st.table(list(chart.rows), border="horizontal")
