from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from core.errors import GroundworkError
from core.llm.base import ChatDelta, ChatReply, ChatRequest, Message
from core.llm.models import WarmingServer

REQUEST = ChatRequest("m", (Message("user", "u"),), 10, 1.0)


class Server:
    """A server that answers at once."""

    def __init__(self) -> None:
        self.closed = threading.Event()

    def complete(self, request: ChatRequest) -> ChatReply:
        return ChatReply(request.model, "stop")

    def stream(self, request: ChatRequest) -> Iterator[ChatDelta]:
        yield ChatDelta(request.model, "stop")

    def close(self) -> None:
        self.closed.set()


def test_it_is_made_at_once_and_waited_for_by_the_first_call() -> None:
    gate, server = threading.Event(), Server()

    def connect() -> Server:
        gate.wait(5)
        return server

    warming = WarmingServer(connect)
    threading.Timer(0.05, gate.set).start()

    assert warming.complete(REQUEST).text == "m"
    assert [each.text for each in warming.stream(REQUEST)] == ["m"]


def test_one_that_is_closed_before_it_is_open_is_closed_as_it_opens() -> None:
    gate, server = threading.Event(), Server()

    def connect() -> Server:
        gate.wait(5)
        return server

    WarmingServer(connect).close()
    assert not server.closed.is_set()
    gate.set()
    assert server.closed.wait(5)


def test_a_server_that_does_not_open_says_so_to_who_calls_it() -> None:
    def connect() -> Server:
        raise GroundworkError("No.")

    warming = WarmingServer(connect)

    with pytest.raises(GroundworkError, match="No"):
        warming.complete(REQUEST)
    warming.close()
