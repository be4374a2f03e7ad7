"""HTTP of the client: one connection pool, bearer token, calls again where that is safe, and errors from the
problem documents (RFC 9457) of the server.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any
from uuid import uuid4

import httpx

from core.errors import GroundworkError

PREFIX = "/api/v1/"
LONGEST_PAUSE_S = 60.0
CONNECT_S = 10.0

Form = Sequence[tuple[str, str]]


class ApiError(GroundworkError):
    """The server refused a call, or could not be reached (`status` 0).

    status: of HTTP. problem_code: E001 to E006, "" where the fault has none. request_id: of the server's log.
    faults: keys of the request that do not fit, with the reason.
    retry_after_s: when the next call counts, None where the server does not say.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int,
        next_step: str = "",
        problem_code: str = "",
        request_id: str = "",
        faults: Mapping[str, str] | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message, next_step=next_step)
        self.status = status
        self.problem_code = problem_code
        self.request_id = request_id
        self.faults = dict(faults or {})
        self.retry_after_s = retry_after_s

    @property
    def is_passing(self) -> bool:
        """True where the same call may succeed a moment later."""
        return self.status in (0, 429, 502, 503, 504)


class Transport:
    """Sends calls to `/api/v1`. Thread-safe.

    timeout_s: without a byte of the response. A call that failed in passing is sent again, at most `retries`
    times: a POST carries an Idempotency-Key, so that the server does once what it is asked twice.
    sleep, transport: for tests.
    """

    def __init__(
        self,
        address: str,
        token: str = "",
        *,
        timeout_s: float = 60.0,
        retries: int = 3,
        sleep: Callable[[float], None] = time.sleep,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        self._retries = retries
        self._sleep = sleep
        self._http = httpx.Client(
            base_url=address.rstrip("/") + PREFIX,
            headers=headers,
            timeout=httpx.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s)),
            transport=transport,
        )

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> Any:
        """JSON of the response, None for an empty one. Raises ApiError."""
        headers = {"Idempotency-Key": uuid4().hex} if method == "POST" else {}
        asked = {name: value for name, value in (query or {}).items() if value not in (None, "")}
        return self._again(
            lambda: self._http.request(method, path, json=body, params=asked or None, headers=headers)
        )

    def send_files(self, path: str, files: Sequence[tuple[str, Path]], form: Form) -> Any:
        """POST of files as a form: (name for the server, file) each. Raises ApiError, OSError."""
        headers = {"Idempotency-Key": uuid4().hex}
        fields: dict[str, list[str]] = {}
        for name, value in form:
            fields.setdefault(name, []).append(value)

        def send() -> httpx.Response:
            with contextlib.ExitStack() as opened:
                parts: list[tuple[str, tuple[str, IO[bytes]]]] = [
                    ("files", (name, opened.enter_context(file.open("rb")))) for name, file in files
                ]
                return self._http.post(path, files=parts, data=fields, headers=headers)

        return self._again(send)

    @contextlib.contextmanager
    def lines(self, path: str, headers: Mapping[str, str]) -> Iterator[Iterator[str]]:
        """The lines of an event stream as they come. Raises ApiError, also where it breaks off."""
        try:
            accept = {"Accept": "text/event-stream", **headers}
            with self._http.stream("GET", path, headers=accept) as response:
                if response.status_code >= 400:
                    raise error_of(response.status_code, response.headers, response.read())
                yield response.iter_lines()
        except httpx.HTTPError as error:
            raise _unreachable(error) from error

    def _again(self, send: Callable[[], httpx.Response]) -> Any:
        for attempt in range(self._retries + 1):
            try:
                return _json(send)
            except ApiError as error:
                if not error.is_passing or attempt == self._retries:
                    raise
                pause_s = error.retry_after_s if error.retry_after_s is not None else 0.5 * 2**attempt
                if pause_s > LONGEST_PAUSE_S:
                    raise
                self._sleep(pause_s)
        raise AssertionError("a call ends by its response or its error")


def _json(send: Callable[[], httpx.Response]) -> Any:
    try:
        response = send()
    except httpx.HTTPError as error:
        raise _unreachable(error) from error
    if response.status_code >= 400:
        raise error_of(response.status_code, response.headers, response.content)
    return response.json() if response.content else None


def _unreachable(error: httpx.HTTPError) -> ApiError:
    return ApiError(
        f"The server cannot be reached: {error or type(error).__name__}.",
        status=0,
        next_step="See that `groundwork up` runs at that address, and that the network leads there.",
    )


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    """The error that a response tells; one without a problem document gives its status alone."""
    found = _problem(body)
    faults = found.get("errors")
    return ApiError(
        str(found.get("detail") or f"The server answered {status}."),
        status=status,
        next_step=str(found.get("next_step") or ""),
        problem_code=str(found.get("code") or ""),
        request_id=str(found.get("request_id") or headers.get("x-request-id", "")),
        faults={str(each["location"]): str(each["message"]) for each in faults or () if "location" in each},
        retry_after_s=_seconds(headers.get("retry-after", "")),
    )


def _problem(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _seconds(text: str) -> float | None:
    """Seconds of a Retry-After header; a date, which our server never sends, counts as none."""
    return float(text) if text.isascii() and text.isdecimal() else None
