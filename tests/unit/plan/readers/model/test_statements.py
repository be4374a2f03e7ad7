from __future__ import annotations

from typing import Any

import pytest

from core.plan.readers.model.reply import ReadingReply
from core.plan.readers.model.statements import statements_of
from tests.support.model_readings import read, reply, step


@pytest.mark.parametrize(
    ("parts", "part", "is_used"),
    [
        ({}, "Reading", True),
        ({"buckets": ["cellar"]}, "Buckets", False),
        ({"output": "table"}, "Form that is asked for", True),
        ({"left_out": ["trips"]}, "Left out", True),
        ({"left_out": ["moon"]}, "Left out", False),
        ({"questions": ["How many trips?", "Who is Orion?"]}, "Questions", False),
        ({"wordings": ["journeys"]}, "Further wordings", True),
        ({"ask_back": {"reason": "Which?", "options": ["A?"]}}, "Question back", True),
    ],
)
def test_what_a_model_said_is_kept_with_whether_it_was_used(
    parts: dict[str, Any], part: str, is_used: bool
) -> None:
    given = reply(step("count", ""), **parts)
    said = statements_of(ReadingReply.model_validate(given), read("How many trips?", given))
    found = {each.part: each for each in said}

    assert found[part].is_used is is_used
    assert found[part].why or is_used
