"""The test of the language model: three kinds of call, one after the other, as they come."""

from __future__ import annotations

import streamlit as st

from app import services
from app.components.controls import draw_button
from app.components.shell import draw_error, plain
from app.presenting.model_words import KIND
from app.presenting.wording import counted, duration
from app.running.model_tests import KINDS, RunningTest
from core.domain.llm.report import KindTest
from core.errors import GroundworkError

_LOOK_EVERY_S = 0.4


def draw_test() -> None:
    """The button, and what the last test found; live while one runs."""
    test = services.model_tests().last(services.current_principal())
    is_live = test is not None and not test.done

    def panel() -> None:
        now = services.model_tests().last(services.current_principal())
        if is_live != (now is not None and not now.done):
            st.rerun()  # the page, which looks again as long as a test runs
        with st.container(horizontal=True, vertical_alignment="center"):
            draw_button(
                "Test",
                _start,
                icon="network_check",
                key="test-model",
                disabled=is_live,
                help="One small call of each kind. It costs a few hundred tokens.",
            )
            if is_live:
                draw_button("Cancel", _cancel, key="cancel-model-test")
            if now is None:
                st.caption("Makes one small call of each kind, 45 s at most.", width="content")
        if now is not None:
            _draw_findings(now)

    st.fragment(panel, run_every=_LOOK_EVERY_S if is_live else None)()


def _start() -> None:
    services.model_tests().start(services.current_principal())


def _cancel() -> None:
    services.model_tests().cancel(services.current_principal())


def _draw_findings(test: RunningTest) -> None:
    tests = list(test.tests)
    if not test.done:
        kind = KIND[list(KIND)[min(len(tests), KINDS - 1)]]
        st.progress(len(tests) / KINDS, text=f"{len(tests)} of {KINDS} done. Trying: {kind.lower()}")
    elif test.is_cancelled:
        st.markdown(f":gray[■] Cancelled, {len(tests)} of {KINDS} done.")
    elif test.said is not None:
        draw_error(GroundworkError(test.said[0], next_step=test.said[1]))
        return
    elif tests:
        failed = sum(not each.ok for each in tests)
        st.markdown(
            f":orange[▲] {failed} of {KINDS} kinds of call do not work." if failed else ":blue[●] It works."
        )
    if tests:
        st.markdown("\n".join(_line(each) for each in tests))


def _line(test: KindTest) -> str:
    sign, took_ms = ":blue[●]" if test.ok else ":orange[▲]", test.latency_ms
    took = f", {duration(took_ms / 1000)}" if took_ms >= 100 else f", {took_ms:.0f} ms" if took_ms else ""
    spent = f", {counted(test.tokens, 'token')}" if test.tokens else ""
    said = plain(f"{test.detail} {test.next_step}".strip())
    return f"- {sign} **{KIND[test.kind]}** ({plain(test.model)}{took}{spent}): {said}"
