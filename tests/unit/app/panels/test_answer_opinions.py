from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import services
from app.panels.answer_opinions import SaidOfAnswer, said_of
from core.domain.conversation import Turn
from core.domain.trust.review import ReviewFilter
from core.workbench import Workbench
from tests.app.test_matrix import open_page
from tests.support.contracts_at_hand import contracts_at_hand

MAIN = str(Path(__file__).parents[4] / "app" / "main.py")
LAW = "What is the governing law of Cobalt?"


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setenv("GROUNDWORK_ANSWER__USE_PLANS", "true")
    services._warmed.set()
    with contracts_at_hand(tmp_path / "home") as found:
        services.use(found.bench)
        yield found.bench
        services.close()


@pytest.fixture
def turn(bench: Workbench) -> Turn:
    session = bench.local
    conversation = session.conversations.create()
    begun = session.conversations.start_turn(conversation.id, LAW)
    return session.conversations.finish_turn(
        begun.id, session.questions.ask(LAW, conversation=conversation.id)
    )


def test_an_answer_says_why_it_was_wrong_and_what_a_reviewer_found(bench: Workbench, turn: Turn) -> None:
    assert said_of([turn]) == {}
    bench.local.questions.give_feedback(turn.id, "wrong", reason="wrong_value")
    [item] = bench.local.reviews.page(ReviewFilter()).items

    bench.local.reviews.resolve(item.id, "wrong", note="It is Ohio.")

    reviewed = "Reviewed by admin: wrong. “It is Ohio.”"
    assert said_of([turn]) == {turn.id: SaidOfAnswer("wrong_value", reviewed)}
    bench.local.questions.give_feedback(turn.id, "")
    assert said_of([turn])[turn.id].why == ""


def test_a_citation_is_said_not_to_hold(bench: Workbench, turn: Turn) -> None:
    app = AppTest.from_file(MAIN, default_timeout=20)
    open_page(app, "ask", conversation=turn.conversation, turn=turn.id, cite="1")
    assert turn.answer is not None
    key = f"{turn.answer.trace_id}-1"

    app.button_group(key=f"opinion-{key}").set_value("down").run()
    app.selectbox(key=f"reason-{key}").set_value("not_supported").run()

    [item] = bench.local.reviews.page(ReviewFilter()).items
    assert bench.local.reviews.get(item.id).feedback[0].reason == "not_supported"
