"""A scripted server of chat completions on a real socket: each request takes the next step of the script.

A step is a `Step`, or a function of the request's JSON that gives one. The last step is repeated.
"""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Step:
    """What one request gets. pieces: bodies or server-sent events, each written and flushed by itself.

    wait_s: before the status. between_s: before each piece. cut: the connection is closed without an end.
    """

    pieces: tuple[bytes, ...] = ()
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    media_type: str = "application/json"
    wait_s: float = 0.0
    between_s: float = 0.0
    cut: bool = False


Script = Sequence[Step | Callable[[dict[str, Any]], Step]]


def reply(
    text: str = "",
    *,
    finish: str | None = "stop",
    tool_calls: Sequence[tuple[str, str]] = (),
    prompt_tokens: int = 40,
    completion_tokens: int = 10,
    wait_s: float = 0.0,
) -> Step:
    """A whole reply."""
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    if tool_calls:
        message["tool_calls"] = [
            {"id": f"call_{at}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for at, (name, arguments) in enumerate(tool_calls)
        ]
    body = {
        "id": "r",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "total_tokens": prompt_tokens + completion_tokens,
        },
    }
    return Step((json.dumps(body).encode(),), wait_s=wait_s)


def reply_json(value: object, **kwargs: Any) -> Step:
    """A whole reply that is JSON."""
    return reply(json.dumps(value), **kwargs)


def stream(
    *texts: str,
    finish: str | None = "stop",
    usage: tuple[int, int] | None = (40, 10),
    between_s: float = 0.0,
    wait_s: float = 0.0,
    done: bool = True,
    cut: bool = False,
) -> Step:
    """A streamed reply. finish=None or cut: as one that broke off."""
    pieces = [event({"delta": {"content": text}}) for text in texts]
    if finish is not None:
        pieces.append(event({"delta": {}, "finish_reason": finish}))
        if usage is not None:
            counted = {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
            pieces.append(data({"id": "s", "choices": [], "usage": counted}))
    if done and finish is not None:
        pieces.append(b"data: [DONE]\n\n")
    return Step(tuple(pieces), media_type="text/event-stream", between_s=between_s, wait_s=wait_s, cut=cut)


def event(choice: dict[str, Any]) -> bytes:
    """A chunk of a stream."""
    body = {"id": "s", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return data({**body, "choices": [{"index": 0, **choice}]})


def data(value: object) -> bytes:
    """A server-sent event."""
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def failure(
    status: int, message: str = "no", *, code: str = "", headers: dict[str, str] | None = None
) -> Step:
    """An error as such servers send it."""
    body = {"error": {"message": message, "type": "error", "code": code}}
    return Step((json.dumps(body).encode(),), status=status, headers=headers or {})


def page(status: int = 200) -> Step:
    """A page of HTML, as a proxy sends it."""
    return Step((b"<html><body>Sign in</body></html>",), status=status, media_type="text/html")


class ScriptedLlm:
    """The server, on a free port of loopback. requests: JSON bodies in the order in which they came."""

    def __init__(
        self,
        *script: Step | Callable[[dict[str, Any]], Step],
        path: str = "/v1",
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.script: list[Step | Callable[[dict[str, Any]], Step]] = list(script)
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.broken_pipes = 0
        self.open = 0
        self.path = path
        self.batches: ScriptedBatches | None = None
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._scheme = "http"
        if tls is not None:
            self._scheme = "https"
            self._server.socket = tls.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """Its base_url."""
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}{self.path}"

    def __enter__(self) -> ScriptedLlm:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def next_step(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> Step:
        with self._lock:
            step = self.script[min(len(self.requests), len(self.script) - 1)]
            self.requests.append(body)
            self.paths.append(path)
            self.headers.append(headers)
        return step if isinstance(step, Step) else step(body)

    def sleep(self, seconds: float) -> None:
        self._ending.wait(seconds)

    def count(self, change: int) -> None:
        with self._lock:
            self.open += change

    def wait_until_idle(self, longest_s: float = 5.0) -> bool:
        """True once no request is being answered."""
        until = time.monotonic() + longest_s
        while self.open and time.monotonic() < until:
            time.sleep(0.01)
        return not self.open


@dataclass
class ScriptedBatches:
    """Batches of a server: each is done at once by `reply`, and tells so once `is_done`.

    states: what a batch is told to be; "completed" ends it. lines: made of a custom id and a reply's body, by
    `line`. made: how often a batch was made; sent: every line of all of them.
    """

    reply: Callable[[dict[str, Any]], Step]
    status: str = "completed"
    line: Callable[[str, bytes], list[bytes]] = lambda id, body: [batch_line(id, body)]
    is_lost: bool = False  # the answer to the next batch that is made
    is_away: bool = False
    problem: str = ""
    made: list[dict[str, Any]] = field(default_factory=list)
    sent: list[dict[str, Any]] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)

    def answer(self, method: str, path: str, body: bytes) -> Step:
        """The answer to a request of files or batches."""
        if self.is_away:
            return failure(503)
        parts = path.partition("?")[0].strip("/").split("/")
        match method, parts:
            case "POST", ["files"]:
                name = f"file-{len(self.files)}"
                self.files[name] = body.partition(b"\r\n\r\n")[2]
                return _json({"id": name, "object": "file"})
            case "POST", ["batches"]:
                self.made.append(json.loads(body))
                text = next(
                    part for part in self.files[self.made[-1]["input_file_id"]].split(b"\r\n") if b"{" in part
                )
                lines = [json.loads(line) for line in text.splitlines()]
                self.sent += lines
                told = [
                    one
                    for line in lines
                    for one in self.line(line["custom_id"], self.reply(line["body"]).pieces[0])
                ]
                self.files[f"out-{len(self.made) - 1}"] = b"\n".join(told)
                if self.is_lost:
                    self.is_lost = False
                    return Step(cut=True)
                return _json(self._state(len(self.made) - 1))
            case "GET", ["batches"]:
                return _json({"object": "list", "data": [self._state(at) for at in range(len(self.made))]})
            case "GET", ["batches", id] if self._has(id):
                return _json(self._state(int(id[6:])))
            case "POST", ["batches", id, "cancel"] if self._has(id):
                self.cancelled.append(id)
                return _json(self._state(int(id[6:])))
            case "GET", ["files", name, "content"]:
                return Step((self.files[name],), media_type="application/octet-stream")
        return failure(404, "Not found")

    def _has(self, id: str) -> bool:
        return id.removeprefix("batch_") in map(str, range(len(self.made)))

    def _state(self, at: int) -> dict[str, Any]:
        status = "cancelled" if f"batch_{at}" in self.cancelled else self.status
        is_ended = status in ("completed", "expired", "cancelled")
        return {
            "id": f"batch_{at}",
            "object": "batch",
            "status": status,
            "metadata": self.made[at].get("metadata"),
            "output_file_id": f"out-{at}" if is_ended else None,
            "error_file_id": None,
            "errors": {"data": [{"message": self.problem}]} if self.problem else None,
            "request_counts": {"total": len(self.sent), "completed": 0, "failed": 0},
        }


def batch_line(id: str, body: bytes) -> bytes:
    """A line of the file that a batch gives."""
    response = {"status_code": 200, "request_id": "r", "body": json.loads(body)}
    return json.dumps({"id": "x", "custom_id": id, "response": response, "error": None}).encode()


def _json(value: object) -> Step:
    return Step((json.dumps(value).encode(),))


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass  # a client that went away


def _handler(owner: ScriptedLlm) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            self._answer_batches(b"")

        def _answer_batches(self, body: bytes) -> None:
            if owner.batches is None:
                self._answer(failure(404, "Not found"))
            else:
                self._answer(owner.batches.answer(self.command, self.path.removeprefix(owner.path), body))

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers.get("content-length") or 0))
            if not self.path.endswith("/chat/completions"):
                self._answer_batches(sent)
                return
            body = json.loads(sent)
            owner.count(1)
            try:
                self._answer(
                    owner.next_step(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
                )
            except OSError:
                owner.broken_pipes += 1
                self.close_connection = True
            finally:
                owner.count(-1)

        def _answer(self, step: Step) -> None:
            owner.sleep(step.wait_s)
            self.send_response(step.status)
            self.send_header("content-type", step.media_type)
            for name, value in step.headers.items():
                self.send_header(name, value)
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for piece in step.pieces:
                owner.sleep(step.between_s)
                self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
                self.wfile.flush()
            if step.cut:
                self.close_connection = True
            else:
                self.wfile.write(b"0\r\n\r\n")

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler
