"""Chat completions over the Groq SDK: of Groq, and of any OpenAI-compatible server.

The SDK's own retries are off, and the body of a whole reply is read here: the SDK takes a page of HTML with
status 200 for a reply, and a stream that was cut short for a whole one. Every body is bounded as it is read,
and whatever a server sends leaves this module without the key.
"""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import lru_cache
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

import groq
import httpx

from core.domain.llm.use import ModelRole
from core.errors import LlmError
from core.llm.base import ChatDelta, ChatReply, ChatRequest, Message, ToolCall
from core.llm.budget import stopped
from core.llm.failures import error_of_body, error_of_status, failure
from core.llm.key_mask import KeyMask, StreamMask
from core.llm.prompts import load_prompt
from core.llm.reply import (
    ERROR_LIMIT,
    FILE_LIMIT,
    REPLY_LIMIT,
    STREAM_LIMIT,
    BodyLimit,
    BodyTooLargeError,
    bounded,
    count_of,
    reply_of,
    text_of,
)

GROQ_URL = "https://api.groq.com"
_SDK_PATH = "/openai/v1"
_CONNECT_S = 10.0
_LARGEST_TEXT = 400_000
# RuntimeError: "Cannot send a request, as the client has been closed."
_VENDOR_ERRORS = (
    *(groq.GroqError, httpx.HTTPError, httpx.StreamError, LlmError),
    *(OSError, ValueError, RuntimeError),
)

# A server may refuse what not every server has. `words` of its message say so; it is then left out for good.
_OPTIONAL = {
    "reasoning_effort": ("reasoning_effort", "reasoning effort"),
    "stream_options": ("stream_options",),
    "max_completion_tokens": ("max_completion_tokens",),
    "temperature": ("temperature",),
    "tool_choice": ("tool_choice",),
    "json_schema": ("response_format", "json_schema", "response format", "structured output"),
    "json_object": ("response_format", "json_object", "response format"),
}


class RefusedFeatures:
    """What a server was found not to take, by model. Shared by all who call it; thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()  # guards the set
        self._refused: set[tuple[str, str]] = set()

    def add(self, model: str, feature: str) -> None:
        """Remember that a model's server refuses a feature."""
        with self._lock:
            self._refused.add((model, feature))

    def has(self, model: str, feature: str) -> bool:
        """True where it refuses it."""
        with self._lock:
            return (model, feature) in self._refused


class GroqServer:
    """A server of chat completions, with connections of its own. Thread-safe.

    base_url: of an OpenAI-compatible server with its path; "" for Groq.
    """

    def __init__(self, base_url: str, api_key: str, refused: RefusedFeatures | None = None) -> None:
        self._address = base_url.rstrip("/") or f"{GROQ_URL}{_SDK_PATH}"
        self._is_groq = not base_url
        self._key = api_key.strip()
        self._mask = KeyMask(self._key)
        self._refused = refused if refused is not None else RefusedFeatures()
        self._lock = Lock()  # guards the sockets and whether it is closed
        self._sockets: weakref.WeakSet[socket.socket] = weakref.WeakSet()
        self._is_closed = False
        parts = urlsplit(self._address)
        self._path = parts.path.rstrip("/")
        self._http = httpx.Client(
            verify=_tls(),
            timeout=httpx.Timeout(30.0, connect=_CONNECT_S),
            follow_redirects=False,  # a redirect would carry the question, and maybe the key, elsewhere
            headers={"Accept-Encoding": "identity"},
            event_hooks={"request": [self._prepare], "response": [_bound]},
        )
        self._client = groq.Groq(
            api_key=self._key or "none",
            base_url=f"{parts.scheme}://{parts.netloc}",
            max_retries=0,
            http_client=self._http,
        )
        self._completions = self._client.chat.completions  # loads them now, not with the first request
        weakref.finalize(self, self._http.close)

    def __repr__(self) -> str:
        return f"GroqServer({self._address!r})"

    def complete(self, request: ChatRequest) -> ChatReply:
        """The whole reply. Raises LlmError."""
        while True:
            body, problem = self._read_body(request)
            if problem is None:
                return self._masked_reply(self._reply_of(body))
            if not self._can_do_without(request, problem, is_stream=False):
                raise self._error_of(problem, request.model)

    def stream(self, request: ChatRequest) -> Iterator[ChatDelta]:
        """The reply as it comes. Raises LlmError, CUT_SHORT after the pieces that came."""
        while True:
            stream, problem = self._open_stream(request)
            if problem is None:
                break
            if not self._can_do_without(request, problem, is_stream=True):
                raise self._error_of(problem, request.model)
        return self._pieces(stream)

    def close(self) -> None:
        """Break off what runs, also from another thread, and refuse what would follow. Safe to call twice."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            for each in self._sockets:
                _shut(each)
        self._http.close()

    def _read_body(self, request: ChatRequest) -> tuple[bytes, Exception | None]:
        create = self._completions.with_streaming_response.create
        return self._body(lambda: create(**self._payload(request, is_stream=False)))

    def _body(self, call: Callable[[], AbstractContextManager[Any]]) -> tuple[bytes, Exception | None]:
        """The body of an answer, or how it failed.

        That is raised outside of the `except`: the vendor's error, which may hold the key, would hang on it.
        """
        body = bytearray()
        try:
            self._require_usable()
            with call() as response:
                for piece in response.iter_bytes():
                    body += piece
        except _VENDOR_ERRORS as error:
            return b"", error
        return bytes(body), None

    def _open_stream(self, request: ChatRequest) -> tuple[Any, Exception | None]:
        try:
            self._require_usable()
            payload = self._payload(request, is_stream=True)
            return self._completions.create(**payload, stream=True), None
        except _VENDOR_ERRORS as error:
            return None, error

    def _pieces(self, stream: Any) -> Iterator[ChatDelta]:
        problem: Exception | None = None
        finish, prompt_tokens, completion_tokens, size = "", 0, 0, 0
        masked = StreamMask(self._mask)
        try:
            media_type = stream.response.headers.get("content-type", "")
            if "html" in media_type or "application/json" in media_type:
                problem = self._unreadable(f"{media_type.partition(';')[0]!r}")
            while problem is None:
                chunk, problem = _next_chunk(stream)
                if chunk is None:
                    break
                usage = getattr(chunk, "usage", None) or getattr(
                    getattr(chunk, "x_groq", None), "usage", None
                )
                prompt_tokens = count_of(usage, "prompt_tokens") or prompt_tokens
                completion_tokens = count_of(usage, "completion_tokens") or completion_tokens
                choices = getattr(chunk, "choices", None)  # nothing of a chunk is checked by the SDK
                for choice in choices[:1] if isinstance(choices, list) else ():
                    text = text_of(getattr(getattr(choice, "delta", None), "content", None))
                    finish = str(getattr(choice, "finish_reason", None) or finish)
                    size += len(text)
                    if given := masked.feed(text):
                        yield ChatDelta(given)
                if size > _LARGEST_TEXT:
                    problem = self._unreadable("a text without an end")
            if rest := masked.end():
                yield ChatDelta(rest)
        finally:
            stream.close()
        if problem is not None:
            raise self._error_of(problem)
        if self._is_closed and not finish:
            raise stopped()
        if not finish:
            raise self._masked(failure("broke_off", self._name))
        yield ChatDelta("", self._mask.reply(finish), prompt_tokens, completion_tokens)

    def _object(self, body: bytes) -> dict[str, Any]:
        """The JSON object that a body is. Raises LlmError."""
        try:
            document = json.loads(body)
        except (ValueError, RecursionError):
            document = None
        if not isinstance(document, dict):
            raise self._error_of(self._unreadable(_kind_of(body)))
        return document

    def _reply_of(self, body: bytes) -> ChatReply:
        document = self._object(body)
        if document.get("error") and not document.get("choices"):
            said = document["error"]
            raise self._error_of(error_of_body(said, self._name, hide=self._mask.error))
        return reply_of(document, self._name)

    def _masked_reply(self, reply: ChatReply) -> ChatReply:
        """The reply without the key, wherever a server may have put it."""
        hide = self._mask.reply
        calls = (ToolCall(hide(each.id), hide(each.name), hide(each.arguments)) for each in reply.tool_calls)
        return replace(reply, text=hide(reply.text), finish=hide(reply.finish), tool_calls=tuple(calls))

    def _payload(self, request: ChatRequest, *, is_stream: bool) -> dict[str, Any]:
        messages, options = [*map(_message, request.messages)], self._options(request, is_stream=is_stream)
        payload: dict[str, Any] = {"model": request.model, "messages": messages}
        payload["timeout"] = httpx.Timeout(request.timeout_s, connect=min(_CONNECT_S, request.timeout_s))
        extra: dict[str, Any] = {}
        for name, value in options.items():
            if name == "json_schema":
                named = {"name": request.schema_name or "reply", "strict": True, "schema": value}
                payload["response_format"] = {"type": "json_schema", "json_schema": named}
            elif name == "json_object":
                payload["response_format"] = {"type": "json_object"}
            elif name == "stream_options":
                extra[name] = value
            else:
                payload[name] = value
        if request.schema is not None and "json_schema" not in options:
            messages.insert(_after_system(messages), _schema_message(request.schema))
        if request.tools:
            payload["tools"] = [
                {
                    "type": "function",
                    "function": {
                        "name": tool.name,
                        "description": tool.description,
                        "parameters": dict(tool.parameters),
                    },
                }
                for tool in request.tools
            ]
        return {**payload, "extra_body": extra} if extra else payload

    def _options(self, request: ChatRequest, *, is_stream: bool) -> dict[str, Any]:
        """What the server may refuse, with its value; without what it is known to refuse."""
        wanted: dict[str, Any] = {"temperature": 0.0}
        if "gpt-oss" in request.model:
            wanted["reasoning_effort"] = request.effort
        if self._has(request, "max_completion_tokens"):
            wanted["max_completion_tokens"] = request.max_tokens
        else:
            wanted["max_tokens"] = request.max_tokens
        if request.tools and request.must_call_tool:
            wanted["tool_choice"] = "required"
        if request.schema is not None:
            is_strict = self._has(request, "json_schema")
            wanted["json_schema" if is_strict else "json_object"] = dict(request.schema)
        if is_stream and not self._is_groq:  # Groq counts the tokens of a stream unasked
            wanted["stream_options"] = {"include_usage": True}
        return {name: value for name, value in wanted.items() if self._has(request, name)}

    def _has(self, request: ChatRequest, feature: str) -> bool:
        return not self._refused.has(request.model, feature)

    def _can_do_without(self, request: ChatRequest, problem: Exception, *, is_stream: bool) -> bool:
        """True where the server refused an option that can be left out, which is then remembered."""
        if not isinstance(problem, groq.APIStatusError) or problem.status_code not in (400, 422):
            return False
        said = f"{problem.message} {problem.body}".casefold()
        if "json_validate_failed" in said or "tool_use_failed" in said:
            return False  # of the reply, not of the request
        for feature in self._options(request, is_stream=is_stream):
            if any(word in said for word in _OPTIONAL.get(feature, ())):
                self._refused.add(request.model, feature)
                return True
        return False

    def _error_of(self, problem: Exception, model: str = "") -> LlmError:
        """A failure as an LlmError in plain words, without the key. model: that was asked for."""
        match problem:
            case LlmError():
                error = problem
            case _ if self._is_closed:
                error = stopped()
            case groq.APITimeoutError() | httpx.TimeoutException():
                error = failure("timed_out", self._name)
            case groq.APIStatusError(status_code=status, body=body):
                headers = problem.response.headers
                error = error_of_status(status, body, headers, self._name, model, self._mask.error)
            case groq.APIConnectionError() | httpx.ConnectError():
                error = _unreachable(problem, self._name)
            case groq.APIError():  # an error event in a stream
                said = problem.body or problem.message
                error = error_of_body(said, self._name, model, self._mask.error)
            case httpx.HTTPError() | httpx.StreamError() | OSError():
                error = failure("broke_off", self._name)
            case BodyTooLargeError():
                error = self._unreadable("more than any reply has")
            case _:
                error = self._unreadable("something that is not a chat completion")
        return self._masked(error)

    def _unreadable(self, kind: str) -> LlmError:
        return failure("unreadable", self._name, kind=kind)

    def _masked(self, error: LlmError) -> LlmError:
        return LlmError(
            self._mask.message(error.message),
            outcome=error.outcome,
            next_step=self._mask.message(error.next_step),
            retry_after_s=error.retry_after_s,
            is_lasting=error.is_lasting,
        )

    @property
    def _name(self) -> str:
        return "Groq" if self._is_groq else f"The model server {self._address!r}"

    def _require_usable(self) -> None:
        if self._is_closed:
            raise stopped()
        if self._is_groq and not self._key:
            raise failure("no_key", self._name)
        if not (self._key.isascii() and self._key.isprintable() and " " not in self._key):
            raise failure("unusable_key")

    def _prepare(self, request: httpx.Request) -> None:
        """Put the server's path in place of the SDK's, and learn of the sockets, to be able to close them."""
        path = request.url.path.removeprefix(_SDK_PATH)
        request.url = request.url.copy_with(path=f"{self._path}{path}")
        if not self._key:
            request.headers.pop("Authorization", None)
        request.extensions["trace"] = self._trace

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            opened = info["return_value"].get_extra_info("socket")
            with self._lock:
                self._sockets.add(opened)
                if self._is_closed:
                    _shut(opened)


def _unreachable(problem: BaseException, server: str) -> LlmError:
    """The error of a connection that was not made, by what lies beneath it."""
    beneath: BaseException | None = problem
    while beneath is not None and not isinstance(beneath, ssl.SSLError | socket.gaierror):
        beneath = beneath.__cause__ or beneath.__context__
    match beneath:
        case ssl.SSLCertVerificationError():
            return failure("untrusted_certificate", server, kind=beneath.verify_message)
        case ssl.SSLError():
            return failure("no_secure_connection", server)
        case socket.gaierror():
            return failure("unknown_host", server)
        case _:
            return failure("not_reached", server)


class _BoundedStream(httpx.SyncByteStream):
    """The body of an answer within its limit, unpacked."""

    def __init__(self, stream: httpx.SyncByteStream, encoding: str, limit: BodyLimit) -> None:
        self._stream, self._encoding, self._limit = stream, encoding, limit

    def __iter__(self) -> Iterator[bytes]:
        return bounded(self._stream, self._encoding, self._limit, is_cut=self._limit is ERROR_LIMIT)

    def close(self) -> None:
        self._stream.close()


def _bound(response: httpx.Response) -> None:
    """Bound a body before anybody reads it."""
    encoding = response.headers.pop("content-encoding", "")
    is_stream = "event-stream" in response.headers.get("content-type", "")
    limit = FILE_LIMIT if response.request.url.path.endswith("/content") else REPLY_LIMIT
    limit = ERROR_LIMIT if response.status_code >= 300 else STREAM_LIMIT if is_stream else limit
    if isinstance(response.stream, httpx.SyncByteStream):
        response.stream = _BoundedStream(response.stream, encoding, limit)


def _next_chunk(stream: Any) -> tuple[Any, Exception | None]:
    try:
        return next(stream), None
    except StopIteration:
        return None, None
    except _VENDOR_ERRORS as error:
        return None, error


def _message(message: Message) -> dict[str, Any]:
    found: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        found["tool_calls"] = [_call(call) for call in message.tool_calls]
    if message.tool_call_id:
        found["tool_call_id"] = message.tool_call_id
    return found


def _call(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _schema_message(schema: Mapping[str, Any]) -> dict[str, Any]:
    [said] = load_prompt("schema", ModelRole.TEST, schema=json.dumps(schema)).messages
    return {"role": "system", "content": said.content}


def _after_system(messages: list[dict[str, Any]]) -> int:
    return 1 if messages and messages[0]["role"] == "system" else 0


def _kind_of(body: bytes) -> str:
    start = body[:200].lstrip().lower()
    if not start:
        return "an empty reply"
    return "a page of HTML" if start.startswith(b"<") else "something that is not JSON"


def _shut(opened: socket.socket) -> None:
    """Wake whoever reads from a socket: closing it alone would not."""
    with contextlib.suppress(OSError):  # it is closed already
        socket.socket.shutdown(opened, socket.SHUT_RDWR)


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    """Made once: reading the certificates takes longer than a handshake."""
    return httpx.create_ssl_context()
