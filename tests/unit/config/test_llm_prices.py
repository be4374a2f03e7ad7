from __future__ import annotations

import pytest

from core.config.models import GROQ_LIST, LlmSettings, ModelPrice

LOCAL = "http://localhost:11434/v1"
SET = ModelPrice(prompt=1, completion=2)


@pytest.mark.parametrize("base_url", ["", "https://api.groq.com/openai/v1"])
def test_every_model_as_delivered_has_a_price_at_groq(base_url: str) -> None:
    settings = LlmSettings(base_url=base_url)

    for name in ("planning_model", "writing_model", "checking_model", "reading_model"):
        price = settings.price_of(getattr(settings, name))
        assert price is not None
        assert (price.prompt, price.completion) == GROQ_LIST[getattr(settings, name)]


def test_a_price_that_is_set_goes_over_the_list() -> None:
    assert LlmSettings(prices={"openai/gpt-oss-20b": SET}).price_of("openai/gpt-oss-20b") == SET


def test_other_models_and_other_servers_have_none_unless_it_is_set() -> None:
    assert LlmSettings().price_of("llama") is None
    assert LlmSettings(base_url=LOCAL).price_of("openai/gpt-oss-20b") is None
    assert LlmSettings(base_url=LOCAL, prices={"llama": SET}).price_of("llama") == SET


def test_a_cost_is_per_million_tokens() -> None:
    assert SET.cost_usd(1_000_000, 500_000) == 2


def test_a_server_of_ones_own_has_no_limit_of_a_minute_unless_one_is_set() -> None:
    assert LlmSettings().tokens_per_minute == 8_000
    assert LlmSettings(base_url="https://api.groq.com/openai/v1").tokens_per_minute == 8_000
    assert LlmSettings(base_url=LOCAL).tokens_per_minute == 0
    assert LlmSettings(base_url=LOCAL, tokens_per_minute=500).tokens_per_minute == 500
    assert "tokens_per_minute" not in LlmSettings(base_url=LOCAL).model_fields_set
