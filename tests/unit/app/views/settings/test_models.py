"""The part of Settings on language models, over settings in memory."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from pydantic import SecretStr
from streamlit.testing.v1 import AppTest

from app import services
from core.config.models import LlmSettings
from core.domain.llm.report import DaySpending, LostCalls, ModelHistory, RoleSpending
from core.domain.llm.use import ModelOutcome, ModelRole
from core.domain.principal import Principal
from tests.app.test_pages import open_page, texts
from tests.support.fake_workbench import FakeWorkbench
from tests.support.roles import MAY_ASK

URL = "http://localhost:11434/v1"


def shown(app: AppTest) -> str:
    notes = [each.value for each in (*app.info, *app.error)]
    return "\n".join((texts(app), *notes)).replace("\\", "")


def test_without_a_model_it_says_how_to_begin(app: AppTest, bench: FakeWorkbench) -> None:
    open_page(app, "settings")

    assert "GROQ_API_KEY" in shown(app)
    assert URL in shown(app)
    assert not [button for button in app.button if button.key == "test-model"]
    assert "Spent on the language model" not in shown(app)


def test_a_server_is_chosen_and_holds_at_once(app: AppTest, bench: FakeWorkbench) -> None:
    open_page(app, "settings")
    app.text_input(key="model-base_url-").input(f" {URL} ")
    app.number_input(key="model-tokens_per_day-200000").set_value(50_000)
    app.button(key="save-models").click().run()

    assert bench.choices == {"base_url": URL, "tokens_per_day": "50000"}
    assert f"`{URL}`" in shown(app)
    assert "Chosen here: server address, tokens a day." in shown(app)
    app.button(key="restore-models").click().run()
    assert bench.choices == {}
    assert not app.exception


def test_what_the_environment_fixes_is_locked_and_says_by_what(
    app: AppTest, bench: FakeWorkbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWORK_LLM__BASE_URL", URL)
    bench.llm = LlmSettings(base_url=URL)
    open_page(app, "settings")

    assert app.text_input(key=f"model-base_url-{URL}").disabled
    assert not app.text_input(key="model-writing_model-openai/gpt-oss-120b").disabled
    assert "Set by `GROUNDWORK_LLM__BASE_URL`" in shown(app)


def test_a_choice_that_is_none_is_said_and_what_was_typed_stays(app: AppTest, bench: FakeWorkbench) -> None:
    open_page(app, "settings")
    app.text_input(key="model-base_url-").input("nonsense")
    app.button(key="save-models").click().run()

    assert bench.choices == {}
    assert app.text_input(key="model-base_url-").value == "nonsense"
    told = [each.value.replace("\\", "") for each in app.caption]
    [beside] = [each for each in told if "it does not begin with http:// or https://" in each]
    assert "'Server address' cannot be 'nonsense'" in beside
    assert "Give an address like" in beside
    assert "Not saved: look at “Server address” above." in "".join(told)
    app.text_input(key="model-base_url-").input(URL)
    app.button(key="save-models").click().run()
    assert bench.choices == {"base_url": URL}
    assert "cannot be" not in shown(app)


def test_of_a_key_only_its_origin_is_shown(
    app: AppTest, bench: FakeWorkbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "gsk_secret")
    bench.llm = LlmSettings(api_key=SecretStr("gsk_secret"))
    open_page(app, "settings")

    assert "set, from GROQ_API_KEY" in shown(app)
    assert "gsk_secret" not in shown(app)


def test_who_is_no_admin_reads_it_and_changes_nothing(
    app: AppTest, bench: FakeWorkbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "current_principal", lambda: Principal("ann", MAY_ASK))
    bench.llm = LlmSettings(base_url=URL, effort="high")
    open_page(app, "settings")

    assert "Effort | High" in shown(app)
    assert not [each for each in (*app.text_input, *app.number_input) if str(each.key).startswith("model-")]
    assert not [button for button in app.button if button.key in ("test-model", "save-models")]
    assert not app.exception


def test_what_was_spent_is_a_table_by_role_with_why_calls_were_lost(
    app: AppTest, bench: FakeWorkbench
) -> None:
    bench.llm = LlmSettings(base_url=URL)
    lost = LostCalls(
        outcome=ModelOutcome.TIMED_OUT,
        calls=2,
        last_at=datetime(2026, 11, 25, 9, tzinfo=UTC),
        detail="20 s went by.",
    )
    role = RoleSpending(role=ModelRole.WRITE, calls=12, tokens=34_500, cost_usd=0.42, failed=2)
    days = (
        DaySpending(day=date(2026, 11, 24), calls=9, tokens=30_000),
        DaySpending(day=date(2026, 11, 25), calls=3, tokens=4_500, cost_usd=0.004),
    )
    bench.history = ModelHistory(days=days, roles=(role,), lost=(lost,))
    open_page(app, "settings")

    assert "4,500 of 200,000 tokens in 3 calls, $0.0040" in shown(app)
    assert "No answer in time: 2 calls. 20 s went by." in shown(app)
    assert list(app.table[0].value["Tokens"]) == ["34,500"]
    assert "Costs are shown where prices are known" not in shown(app)
