"""Choices of language models on the page, under those of the environment and over those of the file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import ValidationError

from core.config.load import FILE_NAME, GROQ_KEY, PREFIX, SEPARATOR
from core.config.models import LlmSettings
from core.errors import ChoiceError, UsageError

CHOOSABLE = (
    "base_url",
    "planning_model",
    "writing_model",
    "checking_model",
    "reading_model",
    "agent",
    "effort",
    "verify",
    "batch",
    "tokens_per_minute",
    "tokens_per_question",
    "tokens_per_day",
)
"""Settings of `llm` that an admin may choose on the page; never the key."""

TITLE = {
    "base_url": "Server address",
    "planning_model": "Plans and reads questions",
    "writing_model": "Writes answers",
    "checking_model": "Checks and reviews",
    "reading_model": "Reads cells",
    "agent": "Agent",
    "effort": "Effort",
    "verify": "Second check of every sentence",
    "batch": "Cells in batches, at half the price",
    "tokens_per_minute": "Tokens a minute",
    "tokens_per_question": "Tokens a question",
    "tokens_per_day": "Tokens a day",
}
"""Names of the settings as the Settings page has them; messages call them so, too."""

Origin = Literal["environment", "page", "file", "default"]
"""Place that a setting comes from, the first of these that has one."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A setting of `llm` as it holds now: what it is, and where that was decided.

    variable: that decides it; "" where none does. without: its value without what was chosen on the page.
    """

    name: str
    value: str
    origin: Origin
    variable: str = ""
    without: str = ""

    @property
    def is_fixed(self) -> bool:
        """True where the environment decides, so that no page can."""
        return self.origin == "environment"


def fixed_choices(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Settings that the environment decides, by name, with the variable that does."""
    variables = {name: f"{PREFIX}LLM{SEPARATOR}{name.upper()}" for name in CHOOSABLE}
    return {name: variable for name, variable in variables.items() if variable in environ}


def describe_choices(
    configured: LlmSettings,
    now: LlmSettings,
    choices: Mapping[str, str],
    environ: Mapping[str, str] = os.environ,
) -> tuple[ModelChoice, ...]:
    """Every setting that can be chosen, as it holds now, in the order of CHOOSABLE.

    configured: of environment and file; now: with the choices.
    """
    fixed, found = fixed_choices(environ), []
    for name in CHOOSABLE:
        origin: Origin = "default"
        if name in fixed:
            origin = "environment"
        elif name in choices:
            origin = "page"
        elif name in configured.model_fields_set:
            origin = "file"
        rest = with_choices(configured, {each: choices[each] for each in choices if each != name}, environ)
        value, without = (_as_text(getattr(settings, name)) for settings in (now, rest))
        found.append(ModelChoice(name, value, origin, fixed.get(name, ""), without))
    return tuple(found)


def key_origin(settings: LlmSettings, environ: Mapping[str, str] = os.environ) -> str:
    """Variable or file that the key comes from, "" without a key; never the key."""
    if not settings.api_key.get_secret_value():
        return ""
    own = f"{PREFIX}LLM{SEPARATOR}API_KEY"
    if own in environ:
        return own
    return GROQ_KEY if environ.get(GROQ_KEY, "").strip() else FILE_NAME


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


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
    chosen = {name: value for name, value in choices.items() if name not in fixed}
    values: dict[str, Any] = {name: getattr(settings, name) for name in settings.model_fields_set} | chosen
    groq_key = environ.get(GROQ_KEY, "").strip()
    is_elsewhere = values.get("base_url", "") not in ("", settings.base_url)
    if is_elsewhere and groq_key and settings.api_key.get_secret_value() == groq_key:
        values["api_key"] = ""
    try:
        return LlmSettings(**values)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        name = ".".join(map(str, first["loc"]))
        given = str(choices.get(name, ""))
        shown = f" {given!r}" if "@" not in given and "?" not in given else " that"  # it may hold a secret
        raise ChoiceError(
            f"{TITLE.get(name, name)!r} cannot be{shown}: {_reason(first)}.",
            setting=name,
            next_step=_NEXT.get(name, ""),
        ) from None


def _reason(error: Mapping[str, Any]) -> str:
    """Why a value cannot be, in plain words."""
    bounds = error.get("ctx", {})
    match error["type"]:
        case "string_pattern_mismatch":
            return "it is empty"
        case "literal_error":
            return f"it is none of {bounds.get('expected', 'the choices')}"
        case "greater_than_equal":
            return f"it is less than {bounds.get('ge', 0):,}"
        case "int_parsing" | "int_from_float" | "int_type":
            return "it is no whole number"
        case "bool_parsing" | "bool_type":
            return "it is neither true nor false"
    return str(error["msg"]).removeprefix("Value error, ")


_NEXT = {
    "base_url": "Give an address like http://localhost:11434/v1, without a user, a key or a question mark.",
    **dict.fromkeys(
        ("planning_model", "writing_model", "checking_model", "reading_model"),
        "Give the name of a model as the server calls it, such as openai/gpt-oss-20b.",
    ),
    "agent": "Choose orchestrator or loop.",
    "effort": "Choose low, medium or high.",
    **dict.fromkeys(("verify", "batch"), "Choose true or false."),
    "tokens_per_minute": "Give a whole number of tokens; 0 for no limit.",
    "tokens_per_question": "Give a whole number of tokens, 1000 at least.",
    "tokens_per_day": "Give a whole number of tokens, 1000 at least.",
}
