"""Choices of language models on the page, under those of the environment and over those of the file."""

from __future__ import annotations

import os
from collections.abc import Mapping

from pydantic import ValidationError

from core.config.load import GROQ_KEY, PREFIX, SEPARATOR
from core.config.models import LlmSettings
from core.errors import UsageError

CHOOSABLE = (
    "base_url",
    "planning_model",
    "writing_model",
    "checking_model",
    "reading_model",
    "agent",
    "effort",
)
"""Settings of `llm` that an admin may choose on the page; never the key."""


def fixed_choices(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Settings that the environment decides, by name, with the variable that does."""
    variables = {name: f"{PREFIX}LLM{SEPARATOR}{name.upper()}" for name in CHOOSABLE}
    return {name: variable for name, variable in variables.items() if variable in environ}


def with_choices(
    settings: LlmSettings, choices: Mapping[str, str], environ: Mapping[str, str] = os.environ
) -> LlmSettings:
    """The settings with what was chosen on the page. Raises UsageError for a choice that is none.

    A key of Groq's own variable goes to Groq and to a server that environment or file names, and not to
    another one that was chosen on a page: that one gets no key.
    """
    fixed = fixed_choices(environ)
    unknown = sorted(set(choices) - set(CHOOSABLE))
    if unknown:
        raise UsageError(
            f"{unknown[0]!r} cannot be chosen on the page.",
            next_step=f"Choose one of: {', '.join(CHOOSABLE)}.",
        )
    values = {**dict(settings), **{name: value for name, value in choices.items() if name not in fixed}}
    groq_key = environ.get(GROQ_KEY, "").strip()
    is_elsewhere = values["base_url"] not in ("", settings.base_url)
    if is_elsewhere and groq_key and settings.api_key.get_secret_value() == groq_key:
        values["api_key"] = ""
    try:
        return LlmSettings(**values)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        name = ".".join(map(str, first["loc"]))
        raise UsageError(
            f"{name!r} cannot be {str(choices.get(name, ''))!r}: {first['msg']}.",
            next_step=_NEXT.get(name, ""),
        ) from None


_NEXT = {
    "base_url": "Give an address like http://localhost:11434/v1, without a user, a key or a question mark.",
    "agent": "Choose orchestrator or loop.",
    "effort": "Choose low, medium or high.",
}
