"""Hold on a question that runs: it is stopped from elsewhere, and tells at once what it waits for."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Literal

from core.domain.answer import Answer, Degradation
from core.domain.event import Event
from core.domain.llm.use import ModelUse

Cause = Literal["stopped", "interrupted"]
"""Why a question ended early: its user stopped it, or nobody was there any more."""

_WORDS = {
    "stopped": "Stopped while the model wrote",
    "interrupted": "The browser was closed while the model wrote",
}


def _unheard(event: Event) -> None:
    """Nobody listens; the stream tells it in its turn."""


class QuestionHandle:
    """Held by who asks, from another thread than the one that reads the stream. Thread-safe.

    tell: gets what a call waits for while it waits; the stream, which is blocked by then, gives it later.
    """

    def __init__(self, tell: Callable[[Event], None] = _unheard) -> None:
        self.tell = tell
        self._lock = Lock()  # guards the cause and the acts: an act is done once, whichever comes first
        self._cause: Cause | None = None
        self._acts: list[Callable[[], None]] = []

    @property
    def cause(self) -> Cause | None:
        """Why it was stopped; None where it was not."""
        return self._cause

    def stop(self, cause: Cause = "stopped") -> None:
        """Close what a model is doing for the question now; the first cause stays. Safe to call twice."""
        with self._lock:
            self._cause = self._cause or cause
            acts, self._acts = self._acts, []
        for act in acts:
            act()

    def on_stop(self, act: Callable[[], None]) -> None:
        """Have something done when it is stopped, which may be now."""
        with self._lock:
            if self._cause is None:
                self._acts.append(act)
                return
        act()


def as_drafted(draft: Answer, cause: Cause) -> Answer:
    """The answer that was there before a model wrote, with why it stands as it is."""
    stands = "the quotes stand as they were found" if draft.claims else "the answer without it stands"
    said = Degradation(code="E004", message=f"{_WORDS[cause]}; {stands}.")
    use = draft.model_use or ModelUse()
    return draft.model_copy(update={"degradations": (*draft.degradations, said), "model_use": use})
