"""Language models over a scripted server on a real socket, as an orchestrator takes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from core.config.models import LlmSettings
from core.errors import RecordsError
from core.llm.calls import QuestionCalls
from core.llm.models import LanguageModels, open_models
from tests.support.scripted_llm import ScriptedLlm

SETTINGS = LlmSettings(tokens_per_minute=0, timeout_s=0.5, deadline_s=5.0, verify=False)


class ModelsAtHand:
    """The models of a test; made: the calls of every question so far."""

    def __init__(self, models: LanguageModels, server: ScriptedLlm) -> None:
        self.models = models
        self.server = server
        self.made: list[QuestionCalls] = []

    @property
    def settings(self) -> LlmSettings:
        return self.models.settings

    def calls(
        self,
        user: str = "u",
        trace_id: str = "t",
        *,
        on_wait: Callable[[float], None] = lambda wait_s: None,
        on_unkept: Callable[[RecordsError], None] = lambda error: None,
    ) -> QuestionCalls:
        calls = self.models.calls(on_wait=on_wait)
        self.made.append(calls)
        return calls


@contextmanager
def models_at_hand(*script: Any, **changes: object) -> Iterator[ModelsAtHand]:
    """Models that follow a script. changes: of their settings."""
    with ScriptedLlm(*script) as server:
        settings = SETTINGS.model_copy(update={"base_url": server.url, **changes})
        yield ModelsAtHand(open_models(settings, lambda: 0), server)
