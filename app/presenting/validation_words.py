"""A value that a form does not take, in the words of the page: what pydantic found first."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError

_MESSAGES = {
    "missing": "a value is needed",
    "string_too_short": "it is empty or too short",
    "string_too_long": "it is too long",
    "too_short": "too few are given",
    "too_long": "too many are given",
    "int_parsing": "a whole number is needed",
    "int_from_float": "a whole number is needed",
    "float_parsing": "a number is needed",
    "enum": "this is none of the choices",
    "literal_error": "this is none of the choices",
    "string_pattern_mismatch": "it has signs that are not taken here",
    "extra_forbidden": "nothing is known by this name",
}
"""Words for the kinds of pydantic's errors; those with a limit are below."""
_LIMITS = {
    "greater_than_equal": ("ge", "it has to be {} or more"),
    "greater_than": ("gt", "it has to be more than {}"),
    "less_than_equal": ("le", "it has to be {} or less"),
    "less_than": ("lt", "it has to be less than {}"),
}


def first_problem(error: ValidationError, labels: Mapping[str, str]) -> str:
    """The first problem as "Label: what is wrong", without a full stop.

    labels: what the page calls the fields. A field without one is named by its own words, no field by none.
    """
    first = error.errors(include_url=False)[0]
    name = next((part for part in first["loc"] if isinstance(part, str)), "")
    label = labels.get(name) or name.replace("_", " ").capitalize()
    limit, words = _LIMITS.get(first["type"], ("", ""))
    if limit:
        message = words.format(first.get("ctx", {}).get(limit, ""))
    else:
        message = _MESSAGES.get(first["type"], str(first["msg"]).removeprefix("Value error, "))
    return f"{label}: {message}".rstrip(".") if label else message.rstrip(".")
