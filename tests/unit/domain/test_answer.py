"""The Answer as JSON: what was added later, and answers that were kept before it was."""

from __future__ import annotations

import json

from core.domain.answer import (
    Answer,
    ConversationSet,
    CountEstimate,
    Kind,
    OtherReading,
    ReadingPart,
    Route,
    Status,
)

LATER = ("reading", "other_readings", "conversation", "estimate", "parts")


def answer(question: str = "How many contracts are there?", **fields: object) -> Answer:
    values: dict[str, object] = {
        "question": question,
        "trace_id": "t1",
        "data_version": 1,
        "status": Status.ANSWERED,
        "kind": Kind.AGGREGATE,
        "route": Route.STRUCTURED,
        "text": "12 contracts.",
    }
    return Answer.model_validate(values | fields)


def test_an_answer_with_its_later_parts_is_equal_after_json() -> None:
    whole = answer(
        reading=(ReadingPart(text="contracts", node="select-1", kind="subject", actions=("subject",)),),
        other_readings=(OtherReading(text="contracts · list", count=12, plan={"nodes": []}),),
        conversation=ConversationSet(documents=("a", "b"), label="contracts"),
        estimate=CountEstimate(value=185, low=172.5, high=198, level=0.8),
        parts=(answer("How many?"), answer("Which?")),
    )

    assert Answer.model_validate_json(whole.model_dump_json()) == whole


def test_the_set_in_hand_stands_under_its_key_in_json() -> None:
    told = answer(conversation=ConversationSet(documents=("a",), label="contracts")).model_dump(mode="json")

    assert told["conversation"] == {"set": ["a"], "label": "contracts"}


def test_an_answer_kept_before_these_parts_were_there_still_loads() -> None:
    kept = json.loads(answer().model_dump_json())
    for name in LATER:
        del kept[name]

    assert Answer.model_validate(kept) == answer()
