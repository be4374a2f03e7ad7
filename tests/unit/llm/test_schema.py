from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from core.llm.schema import find_problems, strict_schema, with_values, without_nulls


class Kind(StrEnum):
    LOW = "low"
    HIGH = "high"


class Place(BaseModel):
    city: str = Field(default="", max_length=40, pattern=r"^\w*$")


class Search(BaseModel):
    type: Literal["search"]
    words: str


class Stop(BaseModel):
    type: Literal["stop"]
    reason: Kind = Kind.LOW


class Form(BaseModel):
    model_config = ConfigDict(extra="forbid")

    ids: tuple[str, ...] = ()
    place: Place | None = None
    step: Annotated[Search | Stop, Field(discriminator="type")]
    score: float = Field(default=0, ge=0, le=1, description="from 0 to 1")


class Tree(BaseModel):
    inner: list[Tree] = []


class Free(BaseModel):
    facts: dict[str, str]


class Loose(BaseModel):
    value: Any


def objects(schema: Any) -> list[dict[str, Any]]:
    found = []
    if isinstance(schema, dict):
        found += [schema] if schema.get("type") == "object" else []
        for inner in schema.values():
            found += objects(inner)
    if isinstance(schema, list):
        for inner in schema:
            found += objects(inner)
    return found


def test_every_object_is_closed_and_every_field_required() -> None:
    found = objects(strict_schema(Form))

    assert len(found) == 4
    for each in found:
        assert each["additionalProperties"] is False
        assert each["required"] == list(each["properties"])


def test_references_defaults_and_bounds_are_gone() -> None:
    text = str(strict_schema(Form))

    for word in (
        "$ref",
        "$defs",
        "default",
        "maxLength",
        "pattern",
        "oneOf",
        "discriminator",
        "const",
        "maximum",
    ):
        assert f"'{word}'" not in text


def test_an_optional_field_is_a_union_with_null_and_keeps_its_words() -> None:
    fields = strict_schema(Form)["properties"]

    assert [option["type"] for option in fields["place"]["anyOf"]] == ["object", "null"]
    assert fields["score"] == {"type": "number", "description": "from 0 to 1"}


@pytest.mark.parametrize("form", [Tree, Free, Loose])
def test_a_form_that_cannot_be_closed_is_refused(form: type[BaseModel]) -> None:
    with pytest.raises(TypeError):
        strict_schema(form)


def test_ids_of_a_call_become_the_only_values() -> None:
    schema = with_values(strict_schema(Form), "ids", ["e1", "e2"])

    assert schema["properties"]["ids"]["items"]["enum"] == ["e1", "e2"]
    assert "enum" not in strict_schema(Form)["properties"]["ids"]["items"]


def test_a_foreign_id_and_a_wrong_type_are_named_with_their_place() -> None:
    schema = with_values(strict_schema(Form), "ids", ["e1"])
    value = {
        "ids": ["e1", "e9"],
        "place": {"city": 3},
        "step": {"type": "stop", "reason": "low"},
        "score": True,
    }

    found = list(find_problems(value, schema))

    assert found == [
        'ids[1] must be one of "e1"',
        "place fits none of the allowed forms",
        "score must be of type number",
    ]


def test_a_value_that_fits_has_no_problem() -> None:
    value = {"ids": [], "place": None, "step": {"type": "search", "words": "rent"}, "score": 1}

    assert list(find_problems(value, strict_schema(Form))) == []


def test_a_field_that_was_left_out_is_for_the_form_to_judge() -> None:
    assert list(find_problems({}, strict_schema(Form))) == []
    assert list(find_problems([], strict_schema(Form))) == ["the reply must be of type object"]


def test_what_is_null_where_it_may_not_be_counts_as_left_out() -> None:
    schema = strict_schema(Form)
    reply = {"ids": None, "place": None, "step": {"type": "stop"}, "score": None, "other": None}

    assert without_nulls(reply, schema) == {"place": None, "step": {"type": "stop"}, "other": None}
    assert without_nulls([None], {"type": "array", "items": {"type": "string"}}) == [None]
