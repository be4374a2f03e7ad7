from __future__ import annotations

import pytest
from pydantic import SecretStr

from core.config.llm_choices import TITLE, describe_choices, fixed_choices, key_origin, with_choices
from core.config.models import LlmSettings
from core.errors import UsageError

LOCAL = "http://localhost:11434/v1"


def test_a_choice_wins_over_the_file_and_the_environment_over_both() -> None:
    settings = LlmSettings(base_url="http://env/v1", writing_model="file", planning_model="file")
    choices = {"base_url": LOCAL, "writing_model": "page"}

    found = with_choices(settings, choices, {"GROUNDWORK_LLM__BASE_URL": "http://env/v1"})

    assert (found.base_url, found.writing_model, found.planning_model) == ("http://env/v1", "page", "file")


def test_what_the_environment_decides_is_named_with_its_variable() -> None:
    assert fixed_choices({"GROUNDWORK_LLM__EFFORT": "low", "GROUNDWORK_LLM__API_KEY": "x"}) == {
        "effort": "GROUNDWORK_LLM__EFFORT"
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("base_url", "ftp://x"),
        ("base_url", "http://user:key@host/v1"),
        ("base_url", "http://host/v1?key=1"),
        ("base_url", "http://[::zz]/v1"),
        ("base_url", "http://host:abc/v1"),
        ("base_url", "http://host:99999/v1"),
        ("base_url", "http://:80/v1"),
        ("writing_model", " "),
        ("agent", "swarm"),
        ("api_key", "gsk_x"),
        ("tokens_per_day", "5"),
    ],
)
def test_a_choice_that_is_none_is_refused(name: str, value: str) -> None:
    with pytest.raises(UsageError) as caught:
        with_choices(LlmSettings(), {name: value}, {})

    assert (name if name == "api_key" else TITLE[name]) in caught.value.message
    assert getattr(caught.value, "setting", name) == name
    assert caught.value.next_step
    assert "pattern" not in caught.value.message


def test_a_server_that_is_chosen_takes_the_minute_of_groq_with_it() -> None:
    configured, chosen = LlmSettings(), {"base_url": LOCAL}
    now = with_choices(configured, chosen, {})

    [minute] = [
        each for each in describe_choices(configured, now, chosen, {}) if each.name == "tokens_per_minute"
    ]
    assert (minute.value, minute.origin, minute.without) == ("0", "default", "0")
    limited = with_choices(configured, {**chosen, "tokens_per_minute": "8000"}, {})
    assert limited.tokens_per_minute == 8_000


def test_the_key_of_groq_goes_to_no_other_server_that_was_chosen_on_the_page() -> None:
    settings, environ = LlmSettings(api_key=SecretStr("gsk_a")), {"GROQ_API_KEY": "gsk_a"}

    assert with_choices(settings, {"base_url": LOCAL}, environ).api_key.get_secret_value() == ""
    assert with_choices(settings, {"writing_model": "m"}, environ).api_key.get_secret_value() == "gsk_a"


def test_a_key_that_was_set_for_the_model_goes_to_the_server_that_was_chosen() -> None:
    settings = LlmSettings(api_key=SecretStr("own"))

    assert with_choices(settings, {"base_url": LOCAL}, {}).api_key.get_secret_value() == "own"


def test_every_choice_says_where_it_was_decided() -> None:
    environ = {"GROUNDWORK_LLM__EFFORT": "high"}
    configured = LlmSettings(effort="high", planning_model="file")
    chosen = {"writing_model": "page", "tokens_per_day": "5000", "verify": "false"}
    now = with_choices(configured, chosen, environ)

    found = {each.name: each for each in describe_choices(configured, now, chosen, environ)}

    assert (found["effort"].origin, found["effort"].variable) == ("environment", "GROUNDWORK_LLM__EFFORT")
    assert found["effort"].is_fixed
    assert (found["writing_model"].value, found["writing_model"].origin) == ("page", "page")
    assert found["writing_model"].without == LlmSettings().writing_model
    assert (found["planning_model"].value, found["planning_model"].origin) == ("file", "file")
    assert (found["verify"].value, found["verify"].without) == ("false", "true")
    assert (found["tokens_per_day"].value, found["tokens_per_minute"].origin) == ("5000", "default")


@pytest.mark.parametrize(
    ("key", "environ", "origin"),
    [
        ("", {}, ""),
        ("k", {}, "groundwork.toml"),
        ("k", {"GROQ_API_KEY": "k"}, "GROQ_API_KEY"),
        ("k", {"GROQ_API_KEY": "x", "GROUNDWORK_LLM__API_KEY": "k"}, "GROUNDWORK_LLM__API_KEY"),
    ],
)
def test_of_a_key_it_is_told_where_it_comes_from_and_nothing_else(
    key: str, environ: dict[str, str], origin: str
) -> None:
    assert key_origin(LlmSettings(api_key=SecretStr(key)), environ) == origin
