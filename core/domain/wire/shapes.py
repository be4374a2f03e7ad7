"""Common ground of the interface's JSON: one vocabulary for the command line, REST, MCP and the client.

Ids are opaque strings, offsets are 0-based characters into a page's text, pages count from 1.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import to_jsonable_python

from core.domain.answer import SCHEMA

Moment = Annotated[str, BeforeValidator(lambda at: at.isoformat() if isinstance(at, datetime) else at)]
"""ISO 8601 with its zone."""


class Shape(BaseModel):
    """Base of every part of the JSON: read of a domain value by its attributes, or of JSON by its keys.

    More keys may come, so programs leave alone what they do not know.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="allow",
        from_attributes=True,
        populate_by_name=True,
        defer_build=True,
        json_schema_serialization_defaults_required=True,  # a default is for programs that read less
    )

    @classmethod
    def of(cls, value: Any) -> Self:
        """The shape of a domain value."""
        return cls.model_validate(value)

    def json_ready(self) -> dict[str, Any]:
        """The shape as a JSON document."""
        return self.model_dump(mode="json", by_alias=True)


class Envelope(Shape):
    """Base of every document: `schema` rises when a program of today could not read it any more."""

    schema_: Literal[1] = Field(default=1, alias="schema")


def envelope(**values: Any) -> dict[str, Any]:
    """A JSON document of this interface, with its schema number first; shapes become JSON."""
    return {"schema": SCHEMA, **{name: to_jsonable_python(value) for name, value in values.items()}}


def error_json(message: str, code: str | None, next_step: str) -> dict[str, Any]:
    """An error as a program reads it."""
    return envelope(error={"code": code, "message": message, "next_step": next_step})
