"""Settings of language models as a page shows them, over a home."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.models import Settings
from core.domain.llm.use import ModelRole
from core.domain.principal import Principal
from core.workbench import Workbench
from tests.support.model_desk import ModelDesk
from tests.support.roles import MAY_ASK
from tests.support.scripted_llm import ScriptedLlm

ANN = Principal("ann", MAY_ASK)


@pytest.fixture
def scripted() -> Iterator[ScriptedLlm]:
    with ScriptedLlm(ModelDesk()) as server:
        yield server


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GROQ_API_KEY", "GROUNDWORK_LLM__API_KEY", "GROUNDWORK_LLM__BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(settings=Settings(home=tmp_path / "home")) as opened:
        yield opened


def test_budgets_and_the_second_check_are_chosen_and_shown_with_where_they_come_from(
    bench: Workbench,
) -> None:
    bench.local.settings.choose_model(tokens_per_question="9000", verify="false")

    found = {each.name: each for each in bench.local.settings.model_choices}

    assert (bench.local.settings.llm.tokens_per_question, bench.local.settings.llm.verify) == (9000, False)
    assert (found["verify"].value, found["verify"].origin) == ("false", "page")
    assert found["tokens_per_day"].origin == "default"


def test_a_test_tells_of_each_kind_as_it_was_tried_and_is_in_the_history(
    bench: Workbench, scripted: ScriptedLlm
) -> None:
    bench.local.settings.choose_model(base_url=scripted.url)
    told: list[str] = []

    bench.local.settings.test_model(lambda test: told.append(test.kind))

    assert told == ["structured", "tools", "stream"]
    history = bench.for_principal(ANN).settings.model_history(3)
    assert (len(history.days), history.today.calls) == (3, 3)
    assert [(each.role, each.calls) for each in history.roles] == [(ModelRole.TEST, 3)]


def test_where_the_key_comes_from_is_told_and_never_the_key(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bench.local.settings.model_key_origin == ""
    monkeypatch.setenv("GROQ_API_KEY", "gsk_secret")
    with Workbench.open(home=bench.settings.home) as opened:
        assert opened.local.settings.model_key_origin == "GROQ_API_KEY"
        assert "gsk_secret" not in repr(opened.local.settings.model_choices)
