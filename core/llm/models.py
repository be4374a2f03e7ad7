"""The configured language models of a process: gives the calls of each question, under shared limits."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future

from core.config.models import LlmSettings
from core.domain.llm.use import ModelCall
from core.llm.base import ChatDelta, ChatReply, ChatRequest, ChatServer
from core.llm.budget import TokenBudget
from core.llm.calls import QuestionCalls, SharedLimits
from core.llm.prompts import PromptFile

Connect = Callable[[], ChatServer]
Others = Callable[[str], Sequence[tuple[float, int]]]
"""Gives the tokens of the last minute, by how many seconds ago, of calls whose ids do not begin so."""


class LanguageModels:
    """Models of one server. Thread-safe. connect: gives a server with connections of its own.

    day_tokens: see TokenBudget. others: of calls of other processes, and of other models of this one.
    """

    def __init__(
        self,
        settings: LlmSettings,
        connect: Connect,
        day_tokens: Callable[[], int],
        others: Others = lambda mark: (),
        prompts: Mapping[str, PromptFile] | None = None,
    ) -> None:
        self.settings = settings
        self._prompts = prompts
        self._connect = connect
        minute, day = settings.tokens_per_minute, settings.tokens_per_day
        mark = secrets.token_hex(4)
        budget = TokenBudget(minute, day, day_tokens, others=lambda: others(mark))
        self._limits = SharedLimits(budget, mark=mark)

    @property
    def name(self) -> str:
        """The model that writes, as people see it."""
        return self.settings.writing_model

    def calls(
        self,
        sink: Callable[[ModelCall], None] = lambda call: None,
        deadline_s: float | None = None,
        on_wait: Callable[[float], None] = lambda wait_s: None,
        on_begin: Callable[[str, ModelCall], None] | None = None,
        on_end: Callable[[str, ModelCall], None] = lambda id, call: None,
        tokens: int | None = None,
    ) -> QuestionCalls:
        """Calls of a question that begins now. sink: gets each call as it ends. Call `stop` at the end.

        deadline_s: of all of them; None: as configured. on_wait: gets the seconds that a call begins to wait.
        on_begin, on_end: get the id of a call before it is sent, and as it ends. tokens: of all of them;
        None: as configured for a question.
        """
        longest = self.settings.deadline_s if deadline_s is None else deadline_s
        until = self._limits.clock() + longest
        return QuestionCalls(
            self._connect(),
            self._limits,
            self.settings,
            until,
            sink,
            on_begin=on_begin,
            on_end=on_end,
            on_wait=on_wait,
            tokens=tokens,
            prompts=self._prompts,
        )


def open_models(
    settings: LlmSettings,
    day_tokens: Callable[[], int],
    others: Others = lambda mark: (),
    prompts: Mapping[str, PromptFile] | None = None,
) -> LanguageModels:
    """The models that the settings name; nothing is connected yet."""
    return LanguageModels(settings, connector_of(settings), day_tokens, others, prompts)


def connector_of(settings: LlmSettings) -> Connect:
    """Opens connections to the server that the settings name; they share what it was found to refuse.

    The SDK is loaded with the first of them, in the background: a question is read meanwhile.
    """
    made: list[Connect] = []

    def load() -> ChatServer:
        from core.llm.groq import GroqServer, RefusedFeatures

        refused, key = RefusedFeatures(), settings.api_key.get_secret_value()
        made.append(lambda: GroqServer(settings.base_url, key, refused))
        return made[0]()

    return lambda: made[0]() if made else WarmingServer(load)


class WarmingServer:
    """A server that begins to open when it is made, and is waited for by its first call. Thread-safe."""

    def __init__(self, connect: Callable[[], ChatServer]) -> None:
        self._opened: Future[ChatServer] = Future()
        threading.Thread(target=self._open, args=(connect,), name="model-server", daemon=True).start()

    def complete(self, request: ChatRequest) -> ChatReply:
        """The whole reply. Raises LlmError."""
        return self._opened.result().complete(request)

    def stream(self, request: ChatRequest) -> Iterator[ChatDelta]:
        """The reply as it comes. Raises LlmError."""
        return self._opened.result().stream(request)

    def close(self) -> None:
        """Break off what runs; one that is not open yet is closed as it opens."""
        self._opened.add_done_callback(_close)

    def _open(self, connect: Callable[[], ChatServer]) -> None:
        try:
            self._opened.set_result(connect())
        except Exception as error:  # the thread's edge: who waits for the server gets it
            self._opened.set_exception(error)


def _close(opened: Future[ChatServer]) -> None:
    if opened.exception() is None:
        opened.result().close()
