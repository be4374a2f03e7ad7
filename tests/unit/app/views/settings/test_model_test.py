"""The test of the language model on the page, over a test in memory."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from app import services
from core.config.models import LlmSettings
from core.domain.llm.report import KindTest
from core.domain.principal import LOCAL_ADMIN
from core.errors import UsageError
from tests.app.test_pages import open_page, texts
from tests.support.fake_workbench import FakeWorkbench

URL = "http://localhost:11434/v1"


def shown(app: AppTest) -> str:
    notes = [each.value for each in (*app.info, *app.error)]
    return "\n".join((texts(app), *notes)).replace("\\", "")


def test_a_test_that_is_cancelled_says_so_at_once(app: AppTest, bench: FakeWorkbench) -> None:
    bench.llm, bench.hangs = LlmSettings(base_url=URL), True
    bench.tests = [KindTest(kind="structured", model="m", ok=True, detail="It replies.")]
    open_page(app, "settings")
    app.button(key="test-model").click().run()
    app.button(key="cancel-model-test").click().run()

    assert "Cancelled, 1 of 3 done." in shown(app)
    assert not app.button(key="test-model").disabled
    assert bench.cancelled.wait(5)
    assert not app.exception


def test_a_test_shows_each_kind_in_plain_words(app: AppTest, bench: FakeWorkbench) -> None:
    bench.llm = LlmSettings(base_url=URL)
    bench.tests = [
        KindTest(kind="structured", model="m", ok=True, detail="It replies.", latency_ms=420, tokens=70),
        KindTest(kind="tools", model="m", ok=True, detail="It calls tools.", latency_ms=30, tokens=1),
        KindTest(kind="stream", model="m", ok=False, detail="It broke off.", next_step="Look at its log."),
    ]
    open_page(app, "settings")
    app.button(key="test-model").click().run()
    running = services.model_tests().last(LOCAL_ADMIN)
    assert running is not None
    assert running.ended.wait(5)
    app.run()

    assert "1 of 3 kinds of call do not work." in shown(app)
    assert "**Replies of a given form** (m, 0.4 s, 70 tokens): It replies." in shown(app)
    assert "**Streamed text** (m): It broke off. Look at its log." in shown(app)
    assert not app.exception


def test_a_test_that_cannot_begin_says_what_to_do(app: AppTest, bench: FakeWorkbench) -> None:
    bench.llm = LlmSettings(base_url=URL)
    bench.said = UsageError("There is none.", next_step="Choose one.")
    services.model_tests().start(LOCAL_ADMIN).ended.wait(5)
    open_page(app, "settings")

    assert "There is none." in shown(app)
    assert "Choose one." in shown(app)
