"""Requests to a language model and its replies; the protocols of a server and of one question's calls."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

from pydantic import BaseModel

from core.domain.llm.use import ModelCall, ModelRole

Reply = TypeVar("Reply", bound=BaseModel)
Effort = Literal["low", "medium", "high"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants to call. arguments: JSON as the model wrote it, not checked."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a conversation. tool_call_id: of the call that a message of role `tool` answers."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model is told of it. parameters: JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A filled prompt. name, version: of the file that it was made from (see core/llm/prompts).

    reply_tokens: of the longest reply; 0: as its role has them. values: that it was filled with. mark: of a
    text that is not the one of the program.
    """

    role: ModelRole
    name: str
    version: int
    messages: tuple[Message, ...]
    reply_tokens: int = 0
    values: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    mark: str = ""

    @property
    def label(self) -> str:
        """Name and version, as traces have them: "write@2"; "write@2+1f03" of another text."""
        return f"{self.name}@{self.version}{self.mark}"


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One request as it goes to a server.

    schema: the reply is JSON of it, decoded strictly where the server can; not together with tools or a
    stream. max_tokens: of the reply, reserved by the server before it begins. timeout_s: without a byte.
    """

    model: str
    messages: tuple[Message, ...]
    max_tokens: int
    timeout_s: float
    effort: Effort = "low"
    schema: Mapping[str, Any] | None = None
    schema_name: str = ""
    tools: tuple[ToolSpec, ...] = ()
    must_call_tool: bool = False


@dataclass(frozen=True, slots=True)
class ChatReply:
    """A whole reply. finish: why it ended, as the server says ("stop", "length", "tool_calls")."""

    text: str
    finish: str
    tool_calls: tuple[ToolCall, ...] = ()
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ChatDelta:
    """A piece of a streamed reply; the last has `finish`, and the tokens where the server counts them."""

    text: str
    finish: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0


class ChatServer(Protocol):
    """A server of chat completions. Every failure is an `LlmError`; nothing is tried twice here."""

    def complete(self, request: ChatRequest) -> ChatReply:
        """The whole reply."""
        ...

    def stream(self, request: ChatRequest) -> Iterator[ChatDelta]:
        """The reply as it comes; closing the iterator closes the connection."""
        ...

    def close(self) -> None:
        """Break off what runs, also from another thread, and refuse what would follow. Safe to call twice."""
        ...


class ModelCalls(Protocol):
    """The calls of one question or job: they share its budget, its deadline and its stop. Thread-safe.

    Raise LlmError where there is no reply that fits; the caller then goes on without the model.
    """

    @property
    def made(self) -> Sequence[ModelCall]:
        """Every call so far, also those that a limit kept back."""
        ...

    def structured(
        self, prompt: Prompt, reply: type[Reply], schema: Mapping[str, Any] | None = None
    ) -> Reply:
        """A reply of the form of `reply`; one that does not validate is repaired once.

        schema: the JSON schema of this call, such as one whose enums hold this call's ids; None: that of
        `reply`.
        """
        ...

    def converse(
        self, prompt: Prompt, tools: Sequence[ToolSpec], *, must_call_tool: bool = False
    ) -> ChatReply:
        """One step of a tool loop: text, or the tools to call; with must_call_tool, no text alone.

        A server that cannot be told so may answer with text nevertheless.
        """
        ...

    def write(self, prompt: Prompt) -> Generator[str, None, None]:
        """Text as it is written; closing it gives up the rest. LlmError behind the pieces where it ends."""
        ...

    def stop(self) -> None:
        """Give up what runs, close its connections, and refuse what would follow. Safe to call twice.

        Whoever got the calls of a question calls it when the question ends.
        """
        ...
