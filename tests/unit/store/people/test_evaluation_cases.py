from __future__ import annotations

import pytest

from core.errors import NotFoundError
from core.store.store import Records


def test_a_question_has_one_case_in_each_bucket(records: Records) -> None:
    first = records.evaluation_cases.keep("r1", {"question": "Who?", "bucket": None, "why": "a"}, "bob")
    again = records.evaluation_cases.keep("r2", {"question": " who? ", "bucket": None, "why": "b"}, "eve")
    other = records.evaluation_cases.keep("r3", {"question": "Who?", "bucket": "b", "why": "c"}, "bob")

    assert first.id == again.id != other.id
    assert [(each.item, each.case["why"], each.case["id"]) for each in records.evaluation_cases.list()] == [
        ("r2", "b", again.id),
        ("r3", "c", other.id),
    ]
    records.evaluation_cases.remove(again.id)
    assert [each.id for each in records.evaluation_cases.list()] == [other.id]
    with pytest.raises(NotFoundError):
        records.evaluation_cases.remove(again.id)
