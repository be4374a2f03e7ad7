from __future__ import annotations

import pytest
from pydantic import ValidationError

from core.llm.schema import find_problems, strict_schema
from core.plan.readers.model.reader import reply_schema
from core.plan.readers.model.reply import ReadingReply


def test_a_reply_may_leave_out_what_is_empty() -> None:
    found = ReadingReply.model_validate({"steps": [{"operation": "count"}]})

    assert found.steps[0].conditions == []
    assert found.need == "collection"


def test_a_reply_is_closed() -> None:
    with pytest.raises(ValidationError):
        ReadingReply.model_validate({"nodes": []})


def test_a_step_and_an_order_may_say_which_words_meant_them() -> None:
    order = {"field": "total", "words": "largest"}
    step = {"operation": "rank", "order": order, "words": "the largest one"}

    assert ReadingReply.model_validate({"steps": [step]}).steps[0].words == "the largest one"


def test_servers_that_decode_strictly_write_every_part() -> None:
    schema = strict_schema(ReadingReply)

    assert schema["required"] == list(ReadingReply.model_fields)
    assert "not" in schema["properties"]["steps"]["items"]["properties"]["conditions"]["items"]["required"]


def test_the_schema_that_is_sent_describes_nothing_and_holds_every_part() -> None:
    assert "description" not in reply_schema()
    assert set(reply_schema()["properties"]) == set(ReadingReply.model_fields)


def test_a_value_that_is_none_is_said_in_a_plain_sentence() -> None:
    found = list(find_problems({"steps": [{"operation": "guess"}]}, reply_schema()))

    assert len(found) == 1
    assert found[0].startswith("steps[0].operation must be one of")
