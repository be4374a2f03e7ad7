from __future__ import annotations

from streamlit.testing.v1 import AppTest

from app.views.audit_log.answer import differences_html
from core.domain.event import Trace
from core.review.difference import AnswerDifference
from core.workbench.trust.replay import Replay
from tests.app.test_matrix import open_page
from tests.support.contracts_at_hand import Contracts
from tests.support.flagged import an_answer
from tests.unit.app.views.audit_log.test_page import shown


def trace_of(contracts: Contracts) -> str:
    return next(each.deed.trace for each in contracts.records.audit_log.entries() if each.deed.trace)


def test_an_answer_is_replayed_beside_its_entries(app: AppTest, contracts: Contracts) -> None:
    open_page(app, "audit", trace=trace_of(contracts))
    assert "The governing law of" in shown(app)

    app.button(key="audit-replay").click().run()

    assert "Asked again, the answer is equal" in shown(app)
    assert "1 of 1 cited places still say" in shown(app)


def test_what_changed_since_is_shown_side_by_side(app: AppTest, contracts: Contracts) -> None:
    cobalt = contracts.made["Cobalt agreement"]
    contracts.bench.local.matrix.decide(cobalt, "governing_law", "correct", value="Ohio")
    open_page(app, "audit", trace=trace_of(contracts))

    app.button(key="audit-replay").click().run()

    assert "the answer differs" in shown(app)
    assert "Cobalt agreement (version 1 now)" in shown(app)


def test_a_trace_that_is_none_says_so(app: AppTest, contracts: Contracts) -> None:
    open_page(app, "audit", trace="nothing")

    assert "There is no trace" in shown(app)


def test_words_of_an_answer_are_no_markup() -> None:
    trace = Trace(trace_id="t", question="Who?", user="ann", started_at="", events=())
    difference = AnswerDifference("Text", "<img src=x onerror=alert(1)>", "")
    html = differences_html(Replay(trace, an_answer(), an_answer(), 1, (difference,), (), 0, 0))

    assert "&lt;img" in html
    assert "<img" not in html
    assert "<td>nothing</td>" in html
