"""A server that opens in the background, so that loading its SDK takes no time of the question."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future

from core.llm.base import ChatDelta, ChatReply, ChatRequest, ChatServer


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
