from __future__ import annotations

from core.config.models import LlmSettings, ModelPrice
from core.extract.model.estimate import CallSize, cost_of, room_for, seconds_of

SIZE = CallSize(10, 20_000, 5_000)


def test_the_room_of_a_call_keeps_every_budget() -> None:
    assert room_for(LlmSettings()) == 3_500
    assert room_for(LlmSettings(context_tokens=50_000, tokens_per_minute=8_000)) < 8_000 - 1_500
    assert room_for(LlmSettings(context_tokens=50_000, tokens_per_minute=0)) < 24_000 - 1_500
    assert room_for(LlmSettings(tokens_per_question=1_000)) > 0


def test_the_cost_is_that_of_the_model_that_reads_and_unknown_without_a_price() -> None:
    price = {"openai/gpt-oss-20b": ModelPrice(prompt=0.1, completion=0.5)}

    assert cost_of(SIZE, LlmSettings(prices=price)) == 0.0045
    assert cost_of(SIZE, LlmSettings()) == 0.003
    assert cost_of(SIZE, LlmSettings(reading_model="small")) is None
    assert cost_of(SIZE, LlmSettings(base_url="http://localhost:8080/v1")) is None


def test_the_time_is_what_the_minute_allows() -> None:
    assert seconds_of(SIZE, LlmSettings(tokens_per_minute=0)) == 30
    assert seconds_of(SIZE, LlmSettings(tokens_per_minute=5_000)) == 300


def test_a_few_documents_stand_for_all() -> None:
    assert SIZE.scaled(2.5) == CallSize(25, 50_000, 12_500)
