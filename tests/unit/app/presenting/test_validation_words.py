"""Words for what a form does not take."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, Field, ValidationError, field_validator

from app.presenting.validation_words import first_problem


class _Form(BaseModel):
    top_k: int = Field(default=1, ge=1, le=100)
    text: str = Field(default="x", min_length=1)
    unit_name: str = "x"

    @field_validator("unit_name")
    @classmethod
    def _of_letters(cls, value: str) -> str:
        if not value.isalpha():
            raise ValueError("A unit has letters only.")
        return value


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"top_k": 0}, "Passages at most: it has to be 1 or more"),
        ({"top_k": 101}, "Passages at most: it has to be 100 or less"),
        ({"top_k": "many"}, "Passages at most: a whole number is needed"),
        ({"text": ""}, "Text: it is empty or too short"),
        ({"unit_name": "5"}, "Unit name: A unit has letters only"),
    ],
)
def test_a_problem_has_the_label_of_the_page_and_plain_words(given: dict[str, object], words: str) -> None:
    with pytest.raises(ValidationError) as raised:
        _Form.model_validate(given)
    assert first_problem(raised.value, {"top_k": "Passages at most"}) == words
