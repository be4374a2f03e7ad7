"""Errors of a model server in plain words: by status, by the code in its body, and by what is no reply."""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from core.domain.llm.use import ModelOutcome
from core.errors import LlmError

_LONGEST_MESSAGE = 300
_LONGEST_HOST = 100
_LONGEST_RETRY_AFTER_S = 86_400.0


@dataclass(frozen=True, slots=True)
class _Said:
    code: str
    message: str


_CODES = {
    "json_validate_failed": ModelOutcome.INVALID,
    "tool_use_failed": ModelOutcome.INVALID,
    "context_length_exceeded": ModelOutcome.TOO_LARGE,
    "invalid_api_key": ModelOutcome.REFUSED_KEY,
    "rate_limit_exceeded": ModelOutcome.RATE_LIMITED,
    "model_not_found": ModelOutcome.UNAVAILABLE,
    "model_decommissioned": ModelOutcome.UNAVAILABLE,
    "model_not_active": ModelOutcome.UNAVAILABLE,
}
_STATUSES = {
    401: ModelOutcome.REFUSED_KEY,
    402: ModelOutcome.REFUSED_KEY,
    403: ModelOutcome.REFUSED_KEY,
    408: ModelOutcome.TIMED_OUT,
    413: ModelOutcome.TOO_LARGE,
    429: ModelOutcome.RATE_LIMITED,
    498: ModelOutcome.RATE_LIMITED,
    504: ModelOutcome.TIMED_OUT,
}
_WORDS = {
    ModelOutcome.INVALID: (
        "{server} could not make a reply of the form that was asked for",
        "Ask again, or choose another model.",
    ),
    ModelOutcome.TOO_LARGE: (
        "The request is too large for {server}",
        "Lower llm.context_tokens or llm.tokens_per_minute, or ask a narrower question.",
    ),
    ModelOutcome.REFUSED_KEY: (
        "{server} refused the API key",
        "Set a valid key in llm.api_key (GROQ_API_KEY), then press Test in Settings.",
    ),
    ModelOutcome.RATE_LIMITED: ("{server} takes no more requests for now", "Ask again in a while."),
    ModelOutcome.TIMED_OUT: ("{server} did not answer in time", "Ask again."),
    ModelOutcome.UNAVAILABLE: ("{server} cannot answer now", "Ask again in a while."),
}


def error_of_status(
    status: int, body: object, headers: Mapping[str, str], server: str, message: str = ""
) -> LlmError:
    """The error of an answer with a status of 300 or more. server: as messages call it."""
    said = _said(body) if not isinstance(body, str) else _Said("", "")
    outcome = _CODES.get(said.code) or _STATUSES.get(status, ModelOutcome.UNAVAILABLE)
    is_lasting = 300 <= status < 500 and outcome not in (ModelOutcome.RATE_LIMITED, ModelOutcome.TIMED_OUT)
    found = _error(outcome, server, said, f"status {status}", is_lasting=is_lasting)
    if 300 <= status < 400:
        found = _sent_on(status, headers.get("location", ""), server)
    elif outcome is ModelOutcome.UNAVAILABLE and is_lasting:
        found.next_step = (
            "Check llm.base_url, with its path (such as /v1), and the names of the models; then press Test "
            "in Settings."
        )
    if outcome is ModelOutcome.RATE_LIMITED:
        found.retry_after_s = retry_after_s(headers.get("retry-after", ""))
        if found.retry_after_s:
            found.next_step = f"Ask again in {max(1, round(found.retry_after_s))} s."
    return found


def _sent_on(status: int, location: str, server: str) -> LlmError:
    """The error of a redirect, which would carry the question, and maybe the key, elsewhere."""
    try:
        host = urlsplit(location).netloc.rpartition("@")[2]
    except ValueError:
        host = ""
    where = f" to {host[:_LONGEST_HOST]!r}" if host else ""
    return LlmError(
        f"{server} sends the request on{where} (status {status}), which is not followed.",
        outcome=ModelOutcome.UNAVAILABLE,
        next_step="If that is the server that is meant, set llm.base_url to its address.",
        is_lasting=True,
    )


def error_of_body(error: object, server: str) -> LlmError:
    """The error that a body or a stream names though its status was well."""
    said = _said(error)
    return _error(_CODES.get(said.code, ModelOutcome.UNAVAILABLE), server, said, "an error", is_lasting=False)


def unreadable(kind: str) -> LlmError:
    """The error of a reply that is no chat completion. kind: a few words on what it is."""
    return LlmError(
        f"The server sent {kind} in place of a reply.",
        outcome=ModelOutcome.UNAVAILABLE,
        next_step="Check that llm.base_url is the address of an OpenAI-compatible API, with its path "
        "(such as /v1), and that no proxy stands between.",
        is_lasting=True,
    )


def retry_after_s(header: str, now: float | None = None) -> float:
    """Seconds that a `retry-after` asks for, in seconds or as a date, at most a day; 0 where it is none."""
    try:
        wait = float(header)
    except ValueError:
        try:
            until = email.utils.parsedate_to_datetime(header).timestamp()
        except (TypeError, ValueError):
            return 0.0
        wait = until - (time.time() if now is None else now)
    return min(wait, _LONGEST_RETRY_AFTER_S) if 0 < wait < float("inf") else 0.0


def _error(outcome: ModelOutcome, server: str, said: _Said, where: str, *, is_lasting: bool) -> LlmError:
    words, next_step = _WORDS[outcome]
    reason = f"{where}: {said.message}" if said.message else where
    named = server if words.startswith("{server}") else re.sub("^The ", "the ", server)
    return LlmError(
        f"{words.format(server=named)} ({reason}).",
        outcome=outcome,
        next_step=next_step,
        is_lasting=is_lasting or outcome in (ModelOutcome.REFUSED_KEY, ModelOutcome.TOO_LARGE),
    )


def _said(body: object) -> _Said:
    """Code and message in an error body: {"error": {...}}, or what stands in it."""
    found: Any = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(found, dict):
        code = found.get("code") or found.get("type") or ""
        message = found.get("message") or ""
        return _Said(str(code), _tidy(str(message)))
    return _Said("", _tidy(found) if isinstance(found, str) else "")


def _tidy(message: str) -> str:
    return " ".join(message.split()).rstrip(".")[:_LONGEST_MESSAGE]
