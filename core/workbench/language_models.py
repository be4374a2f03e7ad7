"""Language models as they are configured now: by environment, page and file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock
from typing import TYPE_CHECKING

from core.config.llm_choices import with_choices
from core.config.models import LlmSettings
from core.domain.llm.use import ModelCall
from core.records.store import Records

if TYPE_CHECKING:
    from core.llm.base import ModelCalls
    from core.llm.models import LanguageModels


class ModelsOfHome:
    """Gives the calls of each question, and keeps a row of each call. Thread-safe.

    What an admin chooses on a page holds from the next question on, in every process.
    """

    def __init__(self, records: Records, settings: LlmSettings) -> None:
        self._records, self._configured = records, settings
        self._lock = Lock()  # guards the models and the choices that they were made for
        self._choices: Mapping[str, str] | None = None
        self._settings = settings
        self._models: LanguageModels | None = None

    @property
    def settings(self) -> LlmSettings:
        """The settings that hold now."""
        return self._current()[0]

    @property
    def name(self) -> str:
        """The model that writes; "" where none is configured."""
        settings = self.settings
        return settings.writing_model if settings.is_configured else ""

    def calls(
        self,
        user: str,
        trace_id: str = "",
        deadline_s: float | None = None,
        *,
        job: str = "",
        on_call: Callable[[ModelCall], None] = lambda call: None,
        on_wait: Callable[[float], None] = lambda wait_s: None,
    ) -> ModelCalls | None:
        """Calls of a question or job that begins now; None where no model is configured.

        deadline_s: of all of them; None: as configured. on_call: gets each call as it ends, once it is kept.
        on_wait: gets the seconds that a call begins to wait. Call `stop` of what it gives at the end.
        """
        _, models = self._current()
        if models is None:
            return None

        def keep(call: ModelCall) -> None:
            self._records.model_calls.add(call, user, trace_id, job)
            on_call(call)

        return models.calls(keep, deadline_s, on_wait)

    def open(self, user: str, job: str) -> ModelCalls | None:
        """Calls of one step of a job: each step has the budget and the deadline of a question."""
        return self.calls(user, job=job)

    def _current(self) -> tuple[LlmSettings, LanguageModels | None]:
        choices = self._records.model_calls.choices()
        with self._lock:
            if choices != self._choices:
                self._settings = with_choices(self._configured, choices)
                self._models = self._open(self._settings)
                self._choices = choices
            return self._settings, self._models

    def _open(self, settings: LlmSettings) -> LanguageModels | None:
        if not settings.is_configured:
            return None
        from core.llm.models import open_models  # not where no model is configured

        return open_models(settings, self._records.model_calls.day_tokens)
