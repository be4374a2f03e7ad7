"""What a model server can answer in place of a reply, each in plain words with the next step."""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from core.config.llm_choices import TITLE
from core.domain.llm.use import ModelOutcome
from core.errors import LlmError

_LONGEST_MESSAGE = 300
_LONGEST_HOST = 100
_LONGEST_RETRY_AFTER_S = 86_400.0
_ADDRESS = f"{TITLE['base_url']!r} in Settings"
_KEY = "GROQ_API_KEY (for another server GROUNDWORK_LLM__API_KEY)"
_THEN_TEST = "then press Test in Settings."
_OF_DAY = re.compile(r"\bper[ -]day\b|\b[TR]PD\b|\bdaily\b", re.IGNORECASE)
_OF_MODEL = re.compile(r"\bmodels?\b", re.IGNORECASE)
_MISSING = re.compile(
    r"not (?:found|exist|available|supported|known)|no such|unknown|invalid|decommissioned|no access",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ServerAnswer:
    """An answer that is no reply. server: as messages call it. where: "status 429", or "" without one."""

    server: str
    where: str = ""
    message: str = ""
    model: str = ""

    @property
    def inner(self) -> str:
        """The server's name in the middle of a sentence."""
        return re.sub("^The ", "the ", self.server)

    @property
    def said(self) -> str:
        """` (status 429: slow down)`, with a space before it; "" where there is nothing to say."""
        parts = ": ".join(part for part in (self.where, self.message) if part)
        return f" ({parts})" if parts else ""


def refused_key(of: ServerAnswer) -> LlmError:
    """401: the key is none of this server."""
    return _lasting(
        f"{of.server} refused the API key{of.said}.",
        ModelOutcome.REFUSED_KEY,
        f"Set a valid key in {_KEY} and start again, {_THEN_TEST}",
    )


def unpaid(of: ServerAnswer) -> LlmError:
    """402: no credit."""
    return _lasting(
        f"{of.server} wants to be paid before it answers{of.said}.",
        ModelOutcome.REFUSED_KEY,
        "Add credit to the account that the API key belongs to, or set the key of another one in "
        f"{_KEY}; {_THEN_TEST}",
    )


def forbidden(of: ServerAnswer) -> LlmError:
    """403: the key is right, and may not do this."""
    return _lasting(
        f"{of.server} does not let this API key use {_model(of)}{of.said}.",
        ModelOutcome.REFUSED_KEY,
        "Allow the model for the key in the server's own console, choose another model in Settings, or set "
        f"another key in {_KEY}; {_THEN_TEST}",
    )


def unknown_model(of: ServerAnswer) -> LlmError:
    """400 or 404: there is no such model."""
    return _lasting(
        f"{of.server} does not know {_model(of)}{of.said}.",
        ModelOutcome.UNAVAILABLE,
        f"Choose a model that it has in Settings, {_THEN_TEST}",
    )


def bad_request(of: ServerAnswer) -> LlmError:
    """400 and the like: the server does not take the request."""
    return _lasting(
        f"{of.server} does not take the request{of.said}.",
        ModelOutcome.UNAVAILABLE,
        f"Choose another model in Settings, or check {_ADDRESS}; {_THEN_TEST}",
    )


def wrong_address(of: ServerAnswer) -> LlmError:
    """404: nothing is served there."""
    return _lasting(
        f"{of.server} serves no chat completions at this address{of.said}.",
        ModelOutcome.UNAVAILABLE,
        f"Check {_ADDRESS}, with its path (such as /v1), and the names of the models; {_THEN_TEST}",
    )


def too_large(of: ServerAnswer) -> LlmError:
    """413, or more than the model's context."""
    return _lasting(
        f"The request is too large for {of.inner}{of.said}.",
        ModelOutcome.TOO_LARGE,
        f"Ask a narrower question, or set {TITLE['tokens_per_minute']!r} in Settings to what the server's "
        "plan allows; less evidence goes into a request with GROUNDWORK_LLM__CONTEXT_TOKENS.",
    )


def over_minute(of: ServerAnswer, wait_s: float = 0.0) -> LlmError:
    """429: too much for now. wait_s: as the server asks for; 0 where it does not."""
    return LlmError(
        f"{of.server} takes no more requests for now{of.said}.",
        outcome=ModelOutcome.RATE_LIMITED,
        next_step=f"Ask again in {_duration(wait_s) if wait_s else 'a minute'}.",
        retry_after_s=wait_s,
    )


def over_day(of: ServerAnswer, wait_s: float = 0.0) -> LlmError:
    """429: the day's quota is used up."""
    when = f"in {_duration(wait_s)}" if wait_s else "tomorrow"
    return LlmError(
        f"The quota of today is used up at {of.inner}{of.said}.",
        outcome=ModelOutcome.RATE_LIMITED,
        next_step=f"Ask again {when}, choose another model or server in Settings, or take a larger plan.",
        retry_after_s=wait_s,
        is_lasting=True,
    )


def no_capacity(of: ServerAnswer, wait_s: float = 0.0) -> LlmError:
    """498: the server has no room for this plan now."""
    return LlmError(
        f"{of.server} has no room for the request now{of.said}.",
        outcome=ModelOutcome.RATE_LIMITED,
        next_step=f"Ask again in {_duration(wait_s) if wait_s else 'a minute'}.",
        retry_after_s=wait_s,
    )


def server_failed(of: ServerAnswer) -> LlmError:
    """5xx: the server itself is not well."""
    return LlmError(
        f"{of.server} cannot answer now{of.said}.",
        outcome=ModelOutcome.UNAVAILABLE,
        next_step="Ask again in a while; if it stays so, look whether the server is well, or choose another "
        "one in Settings.",
    )


def no_valid_reply(of: ServerAnswer) -> LlmError:
    """The server could not make the model keep to the form."""
    return _lasting(
        f"{of.server} could not make a reply of the form that was asked for{of.said}.",
        ModelOutcome.INVALID,
        "Ask again, or choose another model in Settings.",
    )


def timed_out(of: ServerAnswer) -> LlmError:
    """Nothing came in time."""
    return LlmError(
        f"{of.server} did not answer in time{of.said}.",
        outcome=ModelOutcome.TIMED_OUT,
        next_step="Ask again; if it stays so, choose a smaller model in Settings, or give it longer with "
        "GROUNDWORK_LLM__TIMEOUT_S.",
    )


def broke_off(server: str) -> LlmError:
    """The connection ended before the reply did."""
    return LlmError(
        f"{server} broke off in the middle of its reply.",
        outcome=ModelOutcome.CUT_SHORT,
        next_step="Ask again.",
    )


def empty_reply(server: str) -> LlmError:
    """A reply without a choice."""
    return LlmError(
        f"{server} sent a reply with nothing in it.",
        outcome=ModelOutcome.INVALID,
        next_step="Ask again; if it stays so, choose another model in Settings.",
    )


def unreadable(kind: str, server: str) -> LlmError:
    """A reply that is no chat completion. kind: a few words on what it is."""
    return _lasting(
        f"{server} sent {kind} in place of a reply.",
        ModelOutcome.UNAVAILABLE,
        f"Check that {_ADDRESS} is the address of an OpenAI-compatible API, with its path (such as /v1), and "
        "that no proxy stands between.",
    )


def not_reached(server: str) -> LlmError:
    """Nothing listens there."""
    return LlmError(
        f"{server} cannot be reached.",
        outcome=ModelOutcome.UNAVAILABLE,
        next_step=f"Check that it runs and that {_ADDRESS} is right, {_THEN_TEST}",
    )


def unknown_host(server: str) -> LlmError:
    """No address is known for the host."""
    return LlmError(
        f"{server} cannot be found: no address is known for its host.",
        outcome=ModelOutcome.UNAVAILABLE,
        next_step=f"Check the host in {_ADDRESS}, and the network, {_THEN_TEST}",
    )


def untrusted_certificate(server: str, reason: str) -> LlmError:
    """The server's certificate is not trusted."""
    return _lasting(
        f"{server} shows a certificate that is not trusted ({reason}).",
        ModelOutcome.UNAVAILABLE,
        "Name the file of its issuer in SSL_CERT_FILE, or give it a certificate that is trusted, "
        f"{_THEN_TEST}",
    )


def no_secure_connection(server: str) -> LlmError:
    """http and https were mixed up."""
    return _lasting(
        f"{server} makes no secure connection.",
        ModelOutcome.UNAVAILABLE,
        f"Check whether {_ADDRESS} begins with http:// or https://, {_THEN_TEST}",
    )


def no_key(server: str) -> LlmError:
    """Groq without a key."""
    return _lasting(f"{server} needs an API key.", ModelOutcome.REFUSED_KEY, "Set GROQ_API_KEY.")


def unusable_key() -> LlmError:
    """A key that cannot stand in a request."""
    return _lasting(
        "The API key holds characters that no key has.",
        ModelOutcome.REFUSED_KEY,
        f"Set {_KEY} again, without spaces and line breaks.",
    )


def sent_on(status: int, location: str, server: str) -> LlmError:
    """The error of a redirect, which would carry the question, and maybe the key, elsewhere."""
    try:
        host = urlsplit(location).netloc.rpartition("@")[2]
    except ValueError:
        host = ""
    where = f" to {host[:_LONGEST_HOST]!r}" if host else ""
    return _lasting(
        f"{server} sends the request on{where} (status {status}), which is not followed.",
        ModelOutcome.UNAVAILABLE,
        f"If that is the server that is meant, set {_ADDRESS} to its address.",
    )


def error_of_status(
    status: int,
    body: object,
    headers: Mapping[str, str],
    server: str,
    model: str = "",
    hide: Callable[[str], str] = str,
) -> LlmError:
    """The error of an answer with a status of 300 or more.

    server: as messages call it. hide: takes secrets out of what the server says.
    """
    code, message = _said(body, hide) if not isinstance(body, str) else ("", "")
    of = ServerAnswer(server, f"status {status}", message, model)
    if 300 <= status < 400:
        return sent_on(status, headers.get("location", ""), server)
    if status in (429, 498) or (code == "rate_limit_exceeded" and status != 413):
        wait_s = retry_after_s(headers.get("retry-after", ""))
        if code == "insufficient_quota":
            return unpaid(of)
        if status == 498:
            return no_capacity(of, wait_s)
        return over_day(of, wait_s) if _OF_DAY.search(message) else over_minute(of, wait_s)
    if made := _CODES.get(code) if status != 413 else None:
        return made(of)
    if status in _STATUSES:
        return _STATUSES[status](of)
    if status >= 500:
        return server_failed(of)
    is_model = _OF_MODEL.search(message) is not None and _MISSING.search(message) is not None
    if is_model:
        return unknown_model(of)
    return wrong_address(of) if status in (404, 405, 410) else bad_request(of)


def error_of_body(error: object, server: str, model: str = "", hide: Callable[[str], str] = str) -> LlmError:
    """The error that a body or a stream names though its status was well."""
    code, message = _said(error, hide)
    of = ServerAnswer(server, "an error", message, model)
    found = _CODES.get(code, over_minute if code == "rate_limit_exceeded" else server_failed)(of)
    found.is_lasting = found.outcome in (ModelOutcome.REFUSED_KEY, ModelOutcome.TOO_LARGE)
    return found


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


_CODES: Mapping[str, Callable[[ServerAnswer], LlmError]] = {
    "json_validate_failed": no_valid_reply,
    "tool_use_failed": no_valid_reply,
    "context_length_exceeded": too_large,
    "invalid_api_key": refused_key,
    "insufficient_quota": unpaid,
    "model_not_found": unknown_model,
    "model_decommissioned": unknown_model,
    "model_not_active": unknown_model,
}
_STATUSES: Mapping[int, Callable[[ServerAnswer], LlmError]] = {
    401: refused_key,
    402: unpaid,
    403: forbidden,
    408: timed_out,
    413: too_large,
    504: timed_out,
}


def _lasting(message: str, outcome: ModelOutcome, next_step: str) -> LlmError:
    return LlmError(message, outcome=outcome, next_step=next_step, is_lasting=True)


def _model(of: ServerAnswer) -> str:
    return f"the model {of.model!r}" if of.model else "this model"


def _duration(seconds: float) -> str:
    """`7 s`, `12 min`, `3 h`."""
    if seconds < 120:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 7200 else f"{round(seconds / 3600)} h"


def _said(body: object, hide: Callable[[str], str]) -> tuple[str, str]:
    """Code and message in an error body: {"error": {...}}, or what stands in it."""
    found: Any = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(found, dict):
        code = found.get("code") or found.get("type") or ""
        return str(code), _tidy(hide(str(found.get("message") or "")))
    return "", _tidy(hide(found)) if isinstance(found, str) else ""


def _tidy(message: str) -> str:
    return " ".join(message.split()).rstrip(".")[:_LONGEST_MESSAGE]
