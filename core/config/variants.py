"""Settings in which a variant may differ from its home, and the settings that come of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from core.config.models import Settings
from core.domain.experiments.variant import ENCODER, PROFILE
from core.errors import UsageError

VARIABLE = {
    ENCODER: "Encoder",
    PROFILE: "Chunk profile",
    "retrieval.alpha": "Weight of meaning, 0 to 1",
    "retrieval.pool": "Passages that are ranked",
    "retrieval.rerank": "Reranker",
    "retrieval.wordings": "Wordings of the model",
    "llm.planning_model": "Model that reads questions",
    "llm.writing_model": "Model that writes",
    "llm.checking_model": "Model that checks",
    "llm.effort": "Effort of the model",
}
"""What a variant may change, by dotted name, as pages call it."""

_PROMPT = "prompt."
PROMPTS = {
    f"{_PROMPT}read": "Prompt that reads questions",
    f"{_PROMPT}write": "Prompt that writes answers",
    f"{_PROMPT}write_again": "Prompt that writes again what failed",
    f"{_PROMPT}verify": "Prompt that checks",
}
"""Texts of prompts that a variant may put in place of those of the program, by dotted name."""

TITLES = {**VARIABLE, **PROMPTS}


def with_variant(settings: Settings, changes: Mapping[str, str], vector_set: int = 0) -> Settings:
    """The settings of a home with what a variant changes. Raises UsageError for what none may change.

    vector_set: an index of its own stands under a name of its own on a server, too.
    """
    for name, value in changes.items():
        if name not in TITLES:
            raise UsageError(
                f"A variant cannot change {name!r}.", next_step=f"It can change: {', '.join(TITLES)}."
            )
        if name in PROMPTS:  # no setting: see `prompt_texts`
            continue
        section, _, key = name.partition(".")
        settings = settings.model_copy(update={section: _changed(settings, section, key, value)})
    if vector_set:
        settings = settings.model_copy(update={"index": _index_of(settings, vector_set)})
    return settings


def model_choices(changes: Mapping[str, str]) -> dict[str, str]:
    """Language models that a variant chooses, over what pages chose."""
    return {name.removeprefix("llm."): value for name, value in changes.items() if name.startswith("llm.")}


def prompt_texts(changes: Mapping[str, str]) -> dict[str, str]:
    """Texts of prompts that a variant has, by the name of the prompt."""
    return {name.removeprefix(_PROMPT): text for name, text in changes.items() if name in PROMPTS}


def _changed(settings: Settings, section: str, key: str, value: str) -> Any:
    before = getattr(settings, section)
    given = {name: getattr(before, name) for name in before.model_fields_set}
    try:
        return type(before).model_validate({**given, key: value})
    except ValidationError as error:
        reason = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise UsageError(
            f"{section}.{key} cannot be {value!r}: {reason[:1].lower()}{reason[1:]}.",
            next_step="Give another value.",
        ) from None


def _index_of(settings: Settings, vector_set: int) -> Any:
    """By a name between that of the home and "Passages", as which those of facts are named."""
    own = settings.index.collection.removesuffix("Passages")
    return settings.index.model_copy(update={"collection": f"{own}Set{vector_set}Passages"})
