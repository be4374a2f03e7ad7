"""Promise level of a bucket: how sure is sure enough, with what each level is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from app import services
from app.components.controls import draw_button
from app.components.shell import plain
from app.presenting.field_quality import broken_promise, checked, measured_promises, promise_line
from app.views.schemas import actions
from core.domain.facts import PromiseCost
from core.domain.fields import PROMISED, PromiseLevel
from core.domain.trust.permission import Action

_NAMES = {
    PromiseLevel.STRICT: "Strict",
    PromiseLevel.BALANCED: "Balanced",
    PromiseLevel.BROAD: "Broad",
}

Choose = Callable[[PromiseLevel], None]


def draw_promise(bucket: str) -> None:
    """The levels of a bucket for who may see verdicts; who may configure chooses."""
    if not services.may(Action.REVIEW):
        return
    choose = partial(actions.choose_promise, bucket) if services.may(Action.CONFIGURE) else None
    with st.container(width=820):
        _draw_levels(services.session().thresholds.promises(bucket), choose)


def _draw_levels(costs: Sequence[PromiseCost], choose: Choose | None) -> None:
    chosen = next(each.level for each in costs if each.is_chosen)
    st.markdown("**How sure is sure enough**")
    picked = st.segmented_control(
        "Promise level",
        list(_NAMES),
        default=chosen,
        format_func=_NAMES.__getitem__,
        key="promise-level",
        disabled=choose is None,
        label_visibility="collapsed",
    )
    st.dataframe(figures(costs), hide_index=True, width="stretch")
    st.caption(
        "Right: of the cells that are called present or absent, the share that is. Uncertain: the share that "
        "is left to people. Measured on contracts, each by heads that had not seen it; set aside: on others, "
        "which no head, threshold or pattern ever saw."
    )
    here = promise_line(next(each for each in costs if each.is_chosen))
    st.markdown(f"Here: {plain(here)}." if here else "Here nobody has checked a clause yet.")
    for warning in broken(costs):
        st.warning(plain(warning))
    if choose is not None and picked is not None and picked is not chosen:
        draw_button(
            f"Decide by {_NAMES[picked].lower()}",
            choose,
            picked,
            type="primary",
            key="choose-promise",
            help="Clauses are decided anew, as a job; verdicts and lines that were moved stay.",
        )


def figures(costs: Sequence[PromiseCost]) -> pd.DataFrame:
    """A row for each level: what is promised, what was measured, and what people found here."""
    measured = measured_promises()
    return pd.DataFrame([_row(each, measured.get(each.level.value, {})) for each in costs])


def _row(cost: PromiseCost, measured: Mapping[str, Mapping[str, float]]) -> dict[str, str]:
    present, absent = PROMISED[cost.level]
    folds, aside = measured.get("folds", {}), measured.get("aside", {})
    return {
        "Level": _NAMES[cost.level] + (" (in use)" if cost.is_chosen else ""),
        "Promised right, present / absent": f"{present:.0%} / {absent:.0%}",
        "Measured": _pair(folds),
        "Set aside": _pair(aside),
        "Uncertain": _share(folds.get("uncertain")),
        "Here, called present": checked(cost.present),
        "Here, called absent": checked(cost.absent),
    }


def broken(costs: Sequence[PromiseCost]) -> list[str]:
    """What to say of the level in use where it does not hold on the cells that people checked."""
    return [line for cost in costs if cost.is_chosen for line in broken_promise(cost)]


def _pair(measured: Mapping[str, float]) -> str:
    return f"{_share(measured.get('present_right'))} / {_share(measured.get('absent_right'))}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"
