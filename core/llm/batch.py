"""Batches: files of requests that a server answers within a day, at half the price.

Files, batches and their states as the references of OpenAI and Groq have them (/files, /batches; Groq's files
hold 100 MB, OpenAI's 200 MB, both 50,000 lines).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Literal

from core.errors import LlmError
from core.llm.base import ChatReply, ChatRequest
from core.llm.failures import failure
from core.llm.groq import GroqServer
from core.llm.reply import count_of, reply_of, text_of

WINDOW_S = 86_400.0
MOST_LINES = 1_000
MOST_BYTES = 30_000_000
_ENDPOINT: Literal["/v1/chat/completions"] = "/v1/chat/completions"
_LABEL = "groundwork"
_NO_SUCH_THING = (404, 405, 501)
_ENDED = frozenset({"completed", "failed", "expired", "cancelled"})


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch as the server tells of it. done: of `total` lines; problem: why it was not begun.

    files: of replies and of errors, once there are any.
    """

    id: str
    status: str
    done: int = 0
    total: int = 0
    files: tuple[str, ...] = ()
    problem: str = ""

    @property
    def is_ended(self) -> bool:
        """True where nothing more will come."""
        return self.status in _ENDED


@dataclass(frozen=True, slots=True)
class BatchLine:
    """Outcome of one request. reply: None where it failed, as `said` tells."""

    id: str
    reply: ChatReply | None
    said: str = ""


class BatchServer(GroqServer):
    """A server of batches, with connections of its own. Thread-safe. Every failure is an LlmError."""

    @property
    def _batches(self) -> Any:
        return self._client.batches.with_streaming_response

    def line(self, id: str, request: ChatRequest) -> bytes:
        """One request as a line of a file. id: of 64 characters at most, by which its reply is known."""
        body = self._payload(request, is_stream=False)
        del body["timeout"]
        told = {"custom_id": id, "method": "POST", "url": _ENDPOINT, "body": body}
        return json.dumps(told, ensure_ascii=False).encode()

    def submit(self, label: str, lines: Sequence[bytes]) -> Batch:
        """Send lines as a batch. label: by which `find` knows it where the answer got lost."""
        file = (f"{label}.jsonl", b"\n".join(lines) + b"\n")
        files = self._client.files.with_streaming_response
        sent = self._json(lambda: files.create(file=file, purpose="batch"), is_first=True)
        input_file = str(sent.get("id") or "")
        made = self._json(
            lambda: self._batches.create(
                input_file_id=input_file,
                endpoint=_ENDPOINT,
                completion_window="24h",
                metadata={_LABEL: label},
            ),
            is_first=True,
        )
        batch = self._batch(made)
        if not batch.id:
            raise self._error_of(self._unreadable("something that is no batch"))
        return batch

    def find(self, label: str) -> Batch | None:
        """The batch of a label, among the newest hundred; None where there is none."""
        found = self._json(lambda: self._batches.list(extra_query={"limit": 100}), is_first=True).get("data")
        for each in found if isinstance(found, list) else ():
            metadata = each.get("metadata") if isinstance(each, dict) else None
            if isinstance(metadata, dict) and metadata.get(_LABEL) == label:
                return self._batch(each)
        return None

    def state(self, id: str) -> Batch | None:
        """How far a batch is; None where the server knows it no more."""
        try:
            return self._batch({"id": id} | self._json(lambda: self._batches.retrieve(id)))
        except _GoneError:
            return None

    def cancel(self, id: str) -> None:
        """Have a batch ended; what is done of it stays, and is paid for."""
        try:
            self._json(lambda: self._batches.cancel(id))
        except _GoneError:
            return

    def lines(self, batch: Batch) -> Iterator[BatchLine]:
        """What came back, in any order; a line that cannot be read, or names no request, is left out."""
        files = self._client.files.with_streaming_response
        for name in batch.files:
            body, problem = self._body(lambda name=name: files.content(name))  # type: ignore[misc]
            if problem is not None:
                raise self._error_of(problem)
            for line in body.splitlines():
                if (found := self._line(line)) is not None:
                    yield found

    def _line(self, line: bytes) -> BatchLine | None:
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            return None
        if not isinstance(told, dict) or not isinstance(told.get("custom_id"), str):
            return None
        response = told.get("response")
        body = response.get("body") if isinstance(response, dict) else None
        try:
            if isinstance(body, dict) and body.get("choices"):
                return BatchLine(told["custom_id"], self._masked_reply(reply_of(body, self._name)))
        except LlmError as error:
            return BatchLine(told["custom_id"], None, error.message)
        return BatchLine(told["custom_id"], None, self._said(told.get("error") or body))

    def _said(self, error: object) -> str:
        """The message of an error, wherever it stands in what was sent."""
        inner = error.get("error", error) if isinstance(error, dict) else error
        said = inner.get("message") or inner.get("code") if isinstance(inner, dict) else inner
        return self._mask.error(text_of(said))[:300]

    def _batch(self, told: Mapping[str, Any]) -> Batch:
        counts, errors = told.get("request_counts"), told.get("errors")
        problems = errors.get("data") if isinstance(errors, dict) else errors
        files = (told.get("output_file_id"), told.get("error_file_id"))
        return Batch(
            text_of(told.get("id")),
            text_of(told.get("status")),
            count_of(counts, "completed") + count_of(counts, "failed"),
            count_of(counts, "total"),
            tuple(each for each in files if isinstance(each, str) and each),
            self._said(problems[0]) if isinstance(problems, list) and problems else "",
        )

    def _json(
        self, call: Callable[[], AbstractContextManager[Any]], *, is_first: bool = False
    ) -> dict[str, Any]:
        """The object that an answer is. is_first: a server that knows no such address has no batches."""
        body, problem = self._body(call)
        status = getattr(problem, "status_code", 0)
        if status in _NO_SUCH_THING:
            raise (
                self._masked(failure("no_batches", self._name, f"status {status}"))
                if is_first
                else _GoneError
            )
        if problem is not None:
            raise self._error_of(problem)
        return self._object(body)


class _GoneError(Exception):
    """The server knows no batch of that id."""
