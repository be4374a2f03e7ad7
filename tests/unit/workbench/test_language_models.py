"""Language models of a home: chosen, tested, called, and what they spent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.config.models import LlmSettings, Settings
from core.domain.llm.use import ModelCall, ModelRole
from core.domain.principal import Principal
from core.errors import LlmError, RefusedError, UsageError
from core.llm.base import Message, Prompt
from core.workbench import Workbench
from tests.support.roles import MAY_ASK
from tests.support.scripted_llm import ScriptedLlm, Step, reply, reply_json, stream

ANN = Principal("ann", MAY_ASK)
PROMPT = Prompt(ModelRole.WRITE, "write", 1, (Message("user", "Write."),))


def well(request: dict[str, Any]) -> Step:
    if request.get("stream"):
        return stream("Hello.")
    return reply("Hi.") if request.get("tools") else reply_json({"hour": 9, "word": "nine"})


@pytest.fixture
def scripted() -> Iterator[ScriptedLlm]:
    with ScriptedLlm(well) as server:
        yield server


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GROQ_API_KEY", "GROUNDWORK_LLM__API_KEY", "GROUNDWORK_LLM__BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(settings=Settings(home=tmp_path / "home")) as opened:
        yield opened


def test_without_a_model_there_are_no_calls(bench: Workbench) -> None:
    assert bench._parts.models is None
    assert bench._parts.models_of_home.calls("ann") is None
    assert bench.local.settings.status().mode == "offline"


def test_a_server_that_was_chosen_holds_from_the_next_question_on(
    bench: Workbench, scripted: ScriptedLlm
) -> None:
    bench.local.settings.choose_model(base_url=scripted.url, writing_model="small")
    models = bench._parts.models
    assert models is not None
    events: list[ModelCall] = []

    calls = models.calls("ann", "t1", on_call=events.append)
    assert calls is not None
    text = "".join(calls.write(PROMPT))
    calls.stop()

    assert (text, scripted.requests[0]["model"]) == ("Hello.", "small")
    assert bench.local.settings.status().mode == "small"
    [kept] = bench.local.settings.model_use().recent
    assert (kept.user, kept.trace, kept.call) == ("ann", "t1", events[0])


def test_a_choice_is_taken_back_by_an_empty_one(bench: Workbench, scripted: ScriptedLlm) -> None:
    bench.local.settings.choose_model(base_url=scripted.url)

    found = bench.local.settings.choose_model(base_url="")

    assert not found.is_configured
    assert bench._parts.models is None


def test_a_test_says_how_each_kind_of_call_went(bench: Workbench, scripted: ScriptedLlm) -> None:
    bench.local.settings.choose_model(base_url=scripted.url)

    report = bench.local.settings.test_model()

    assert report.ok
    assert bench.local.settings.model_use().calls == 3


def test_a_test_without_a_server_says_what_to_set(bench: Workbench) -> None:
    with pytest.raises(UsageError) as caught:
        bench.local.settings.test_model()

    assert "GROQ_API_KEY" in caught.value.next_step


def test_only_admins_choose_and_test(bench: Workbench, scripted: ScriptedLlm) -> None:
    session = bench.for_principal(ANN)

    with pytest.raises(RefusedError):
        session.settings.choose_model(base_url=scripted.url)
    with pytest.raises(RefusedError):
        session.settings.test_model()

    assert scripted.requests == []
    assert session.settings.model_use().recent == ()


def test_what_the_environment_decides_cannot_be_chosen(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWORK_LLM__BASE_URL", "http://localhost:1/v1")

    with pytest.raises(UsageError, match="GROUNDWORK_LLM__BASE_URL"):
        bench.local.settings.choose_model(base_url="http://localhost:2/v1")


@pytest.mark.parametrize("choice", [{"base_url": "nonsense"}, {"agent": "swarm"}, {"api_key": "gsk_secret"}])
def test_a_choice_that_is_none_changes_nothing(bench: Workbench, choice: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        bench.local.settings.choose_model(**choice)

    assert bench._parts.records.model_calls.choices() == {}


def test_the_budget_of_a_day_holds_over_a_restart(tmp_path: Path, scripted: ScriptedLlm) -> None:
    llm = LlmSettings(base_url=scripted.url, tokens_per_day=1_600)
    settings = Settings(home=tmp_path / "home", llm=llm)
    with Workbench.open(settings=settings) as bench:
        first = bench._parts.models_of_home.calls("ann")
        assert first is not None
        list(first.write(PROMPT))
        scripted.script = [stream("Hello.", usage=(900, 700))]
        list(first.write(PROMPT))
        first.stop()

    with Workbench.open(settings=settings) as bench:
        calls = bench._parts.models_of_home.calls("ben")
        assert calls is not None
        with pytest.raises(LlmError, match=r"Today's 1,600 tokens"):
            list(calls.write(PROMPT))
        calls.stop()
        assert bench.local.settings.model_use().refused == 1
    assert len(scripted.requests) == 2
