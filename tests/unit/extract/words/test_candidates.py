from __future__ import annotations

from core.domain.fields import FieldType
from core.extract.words.candidates import candidate_of
from tests.support.worded import FIELD, ranked


def test_a_value_is_read_in_its_sentence() -> None:
    found = candidate_of(ranked(), 0, FIELD, 0.8)

    assert FIELD.type is FieldType.DURATION
    assert found.value is not None
    assert found.value.text == "P1Y"
    assert found.spans[0].quote == "twelve months"
