from __future__ import annotations

import pytest
from pydantic import SecretStr

from core.config.llm_choices import fixed_choices, with_choices
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
    with pytest.raises(UsageError, match=name):
        with_choices(LlmSettings(), {name: value}, {})


def test_the_key_of_groq_goes_to_no_other_server_that_was_chosen_on_the_page() -> None:
    settings, environ = LlmSettings(api_key=SecretStr("gsk_a")), {"GROQ_API_KEY": "gsk_a"}

    assert with_choices(settings, {"base_url": LOCAL}, environ).api_key.get_secret_value() == ""
    assert with_choices(settings, {"writing_model": "m"}, environ).api_key.get_secret_value() == "gsk_a"


def test_a_key_that_was_set_for_the_model_goes_to_the_server_that_was_chosen() -> None:
    settings = LlmSettings(api_key=SecretStr("own"))

    assert with_choices(settings, {"base_url": LOCAL}, {}).api_key.get_secret_value() == "own"
