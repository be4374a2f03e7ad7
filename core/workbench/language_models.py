"""Language models as they are configured now: by environment, page and file."""

from __future__ import annotations

import contextlib
import sys
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock
from typing import TYPE_CHECKING

from core.config.llm_choices import TITLE, with_choices
from core.config.models import LlmSettings
from core.domain.llm.use import ModelCall, ModelOutcome
from core.errors import LlmError, RecordsError, UsageError
from core.store.store import Records

if TYPE_CHECKING:
    from core.llm.base import ModelCalls
    from core.llm.batch import BatchServer
    from core.llm.models import LanguageModels


_MOST_UNKEPT = 10_000


@dataclass(frozen=True, slots=True)
class _Spent:
    """A call that records have no row of yet, or not as it ended."""

    id: str
    call: ModelCall
    user: str
    trace: str
    job: str
    at: datetime


_LONGER_FOR_JOBS = 4  # times the deadline of a question: nobody waits before a page


class ModelsOfHome:
    """Gives the calls of each question, and keeps a row of each call. Thread-safe.

    What an admin chooses on a page holds from the next question on, in every process. A row is written before
    a call is sent, with the tokens that it may take, so that one that is killed counts, too. A row that
    cannot be written now (the disk is full, or records are locked) is held, counts for the day in this
    process, and is written with the calls of a later question.
    """

    def __init__(
        self,
        records: Records,
        settings: LlmSettings,
        over: Mapping[str, str] | None = None,
        prompts: Mapping[str, str] | None = None,
    ) -> None:
        """over: choices of a variant, which go over those of pages. prompts: texts that it has, by name."""
        self._records, self._configured, self._over = records, settings, dict(over or {})
        self.prompts = dict(prompts or {})
        self._lock = Lock()  # guards the models and the choices that they were made for
        self._choices: Mapping[str, str] | None = None
        self._settings = settings
        self._models: LanguageModels | None = None
        self._unkept: deque[_Spent] = deque(maxlen=_MOST_UNKEPT)  # the oldest first; guarded by the lock, too

    @property
    def settings(self) -> LlmSettings:
        """The settings that hold now."""
        return self._current()[0]

    def require(self) -> LlmSettings:
        """The settings that hold now. Raises UsageError where no model is configured."""
        if not self.settings.is_configured:
            raise UsageError(
                "No language model is configured.",
                next_step=f"Set GROQ_API_KEY in the environment, or {TITLE['base_url']!r} in Settings to the "
                "address of an OpenAI-compatible server, such as http://localhost:11434/v1.",
            )
        return self.settings

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
        on_unkept: Callable[[RecordsError], None] = lambda error: None,
        tokens: int | None = None,
    ) -> ModelCalls | None:
        """Calls of a question or job that begins now; None where no model is configured.

        deadline_s: of all of them; None: as configured. on_call: gets each call as it ends, once it is kept.
        on_wait: gets the seconds that a call begins to wait. on_unkept: is told once where their rows cannot
        be written. tokens: of all of them; None: as configured for a question. Call `stop` of what it gives
        at the end.
        """
        _, models = self._current()
        if models is None:
            return None

        failed = False

        def keep(id: str, call: ModelCall) -> None:
            nonlocal failed
            with self._lock:
                self._unkept = deque((each for each in self._unkept if each.id != id), _MOST_UNKEPT)
                self._unkept.append(_Spent(id, call, user, trace_id, job, datetime.now(UTC)))
            if not failed:  # once a question: records that are locked let each try wait for half a minute
                try:
                    self._write()
                except RecordsError as error:
                    failed = True
                    on_unkept(error)

        return models.calls(on_call, deadline_s, on_wait, keep, keep, tokens)

    def open(self, user: str, job: str) -> ModelCalls | None:
        """Calls of one step of a job: a long text and its reply, within the budgets of a minute and a day."""
        settings = self.settings
        longest = settings.deadline_s * _LONGER_FOR_JOBS
        return self.calls(user, "", longest, job=job, tokens=sys.maxsize)  # the day has a budget

    def batches(self) -> BatchServer | None:
        """The server's batches; None where no model is configured. Call `close` at the end."""
        settings = self.settings
        if not settings.is_configured:
            return None
        from core.llm.batch import BatchServer

        return BatchServer(settings.base_url, settings.api_key.get_secret_value())

    def _write(self) -> None:
        """Write the rows that are not kept yet. Raises RecordsError, and holds what is left."""
        while True:
            with self._lock:
                spent = self._unkept.popleft() if self._unkept else None
            if spent is None:
                return
            try:
                records = self._records.model_calls
                records.add(spent.call, spent.user, spent.trace, spent.job, spent.at, spent.id)
            except RecordsError:
                with self._lock:
                    self._unkept.appendleft(spent)
                raise

    def _day_tokens(self) -> int:
        """Tokens of the day so far, with those that are not kept yet. Raises LlmError."""
        try:
            kept = self._records.model_calls.day_tokens()
        except RecordsError as error:
            raise LlmError(
                f"What was spent today cannot be read. {error.message}",
                outcome=ModelOutcome.OVER_BUDGET,
                next_step=error.next_step,
                is_lasting=True,
            ) from error
        today = datetime.now(UTC).date()
        with self._lock:
            held = sum(s.call.tokens for s in self._unkept if s.at.date() == today)
        return kept + held

    def _minute_tokens(self, but: str) -> list[tuple[float, int]]:
        """What calls of the last minute took whose ids do not begin so; none while records cannot be read."""
        with contextlib.suppress(RecordsError):
            return self._records.model_calls.minute_tokens(but)
        return []

    def _current(self) -> tuple[LlmSettings, LanguageModels | None]:
        choices = {**self._records.model_calls.choices(), **self._over}
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
        from core.llm.prompts import edited_prompt

        edited = {name: edited_prompt(name, text) for name, text in self.prompts.items()}
        return open_models(settings, self._day_tokens, self._minute_tokens, edited)
