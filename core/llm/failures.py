"""Failures of model servers: a table of messages with the next step, and what leads to which."""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from core.config.llm_choices import TITLE
from core.domain.answer import Degradation
from core.domain.llm.use import ModelOutcome
from core.errors import LlmError

LATE = (ModelOutcome.TIMED_OUT, ModelOutcome.OVER_BUDGET, ModelOutcome.RATE_LIMITED)
"""Outcomes of calls for which time or a budget did not reach."""
_LONGEST_MESSAGE = 300
_LONGEST_HOST = 100
_LONGEST_REASON = 40
_LONGEST_RETRY_AFTER_S = 86_400.0
_ADDRESS = f"{TITLE['base_url']!r} in Settings"
_KEY = "GROQ_API_KEY (for another server GROUNDWORK_LLM__API_KEY)"
_TEST = "then press Test in Settings."
_OF_DAY = re.compile(r"\bper[ -]day\b|\b[TR]PD\b|\bdaily\b", re.IGNORECASE)
_OF_MODEL = re.compile(r"\bmodels?\b", re.IGNORECASE)
_MISSING = re.compile(
    r"not (?:found|exist|available|supported|known)|no such|unknown|invalid|decommissioned|no access",
    re.IGNORECASE,
)


class _Failure(NamedTuple):
    """A message and a next step with blanks. is_lasting: the same request fails again."""

    outcome: ModelOutcome
    message: str
    next_step: str
    is_lasting: bool = True


_FAILURES = {
    "refused_key": _Failure(
        ModelOutcome.REFUSED_KEY,
        "{server} refused the API key{said}.",
        f"Set a valid key in {_KEY} and start again, {_TEST}",
    ),
    "unpaid": _Failure(
        ModelOutcome.REFUSED_KEY,
        "{server} wants to be paid before it answers{said}.",
        "Add credit to the account that the API key belongs to, or set the key of another one in "
        f"{_KEY}; {_TEST}",
    ),
    "forbidden": _Failure(
        ModelOutcome.REFUSED_KEY,
        "{server} does not let this API key use {model}{said}.",
        "Allow the model for the key in the server's own console, choose another model in Settings, or set "
        f"another key in {_KEY}; {_TEST}",
    ),
    "no_key": _Failure(ModelOutcome.REFUSED_KEY, "{server} needs an API key.", "Set GROQ_API_KEY."),
    "unusable_key": _Failure(
        ModelOutcome.REFUSED_KEY,
        "The API key holds characters that no key has.",
        f"Set {_KEY} again, without spaces and line breaks.",
    ),
    "unknown_model": _Failure(
        ModelOutcome.UNAVAILABLE,
        "{server} does not know {model}{said}.",
        f"Choose a model that it has in Settings, {_TEST}",
    ),
    "bad_request": _Failure(
        ModelOutcome.UNAVAILABLE,
        "{server} does not take the request{said}.",
        f"Choose another model in Settings, or check {_ADDRESS}; {_TEST}",
    ),
    "wrong_address": _Failure(
        ModelOutcome.UNAVAILABLE,
        "{server} serves no chat completions at this address{said}.",
        f"Check {_ADDRESS}, with its path (such as /v1), and the names of the models; {_TEST}",
    ),
    "no_batches": _Failure(
        ModelOutcome.UNAVAILABLE,
        "{server} takes no batches{said}.",
        f"Switch {TITLE['batch']!r} off in Settings, then resume the job: it asks one by one, at the full "
        "price.",
    ),
    "sent_on": _Failure(  # a redirect would carry the question, and maybe the key, elsewhere
        ModelOutcome.UNAVAILABLE,
        "{server} sends the request on{kind} (status {status}), which is not followed.",
        f"If that is the server that is meant, set {_ADDRESS} to its address.",
    ),
    "too_large": _Failure(
        ModelOutcome.TOO_LARGE,
        "The request is too large for {inner}{said}.",
        f"Ask a narrower question, or set {TITLE['tokens_per_minute']!r} in Settings to what the server's "
        "plan allows; less evidence goes into a request with GROUNDWORK_LLM__CONTEXT_TOKENS.",
    ),
    "over_minute": _Failure(
        ModelOutcome.RATE_LIMITED,
        "{server} takes no more requests for now{said}.",
        "Ask again {when}.",
        is_lasting=False,
    ),
    "over_day": _Failure(
        ModelOutcome.RATE_LIMITED,
        "The quota of today is used up at {inner}{said}.",
        "Ask again {when}, choose another model or server in Settings, or take a larger plan.",
    ),
    "no_capacity": _Failure(
        ModelOutcome.RATE_LIMITED,
        "{server} has no room for the request now{said}.",
        "Ask again {when}.",
        is_lasting=False,
    ),
    "server_failed": _Failure(
        ModelOutcome.UNAVAILABLE,
        "{server} cannot answer now{said}.",
        "Ask again in a while; if it stays so, look whether the server is well, or choose another one in "
        "Settings.",
        is_lasting=False,
    ),
    "no_valid_reply": _Failure(
        ModelOutcome.INVALID,
        "{server} could not make a reply of the form that was asked for{said}.",
        "Ask again, or choose another model in Settings.",
    ),
    "timed_out": _Failure(
        ModelOutcome.TIMED_OUT,
        "{server} did not answer in time{said}.",
        "Ask again; if it stays so, choose a smaller model in Settings, or give it longer with "
        "GROUNDWORK_LLM__TIMEOUT_S.",
        is_lasting=False,
    ),
    "broke_off": _Failure(
        ModelOutcome.CUT_SHORT,
        "{server} broke off in the middle of its reply.",
        "Ask again.",
        is_lasting=False,
    ),
    "empty_reply": _Failure(
        ModelOutcome.INVALID,
        "{server} sent a reply with nothing in it.",
        "Ask again; if it stays so, choose another model in Settings.",
        is_lasting=False,
    ),
    "unreadable": _Failure(
        ModelOutcome.UNAVAILABLE,
        "{server} sent {kind} in place of a reply.",
        f"Check that {_ADDRESS} is the address of an OpenAI-compatible API, with its path (such as /v1), and "
        "that no proxy stands between.",
    ),
    "not_reached": _Failure(
        ModelOutcome.UNAVAILABLE,
        "{server} cannot be reached.",
        f"Check that it runs and that {_ADDRESS} is right, {_TEST}",
        is_lasting=False,
    ),
    "unknown_host": _Failure(
        ModelOutcome.UNAVAILABLE,
        "{server} cannot be found: no address is known for its host.",
        f"Check the host in {_ADDRESS}, and the network, {_TEST}",
        is_lasting=False,
    ),
    "untrusted_certificate": _Failure(
        ModelOutcome.UNAVAILABLE,
        "{server} shows a certificate that is not trusted ({kind}).",
        f"Name the file of its issuer in SSL_CERT_FILE, or give it a certificate that is trusted, {_TEST}",
    ),
    "no_secure_connection": _Failure(
        ModelOutcome.UNAVAILABLE,
        "{server} makes no secure connection.",
        f"Check whether {_ADDRESS} begins with http:// or https://, {_TEST}",
    ),
    "too_long": _Failure(
        ModelOutcome.CUT_SHORT,
        "The reply of {model} was longer than {kind} tokens.",
        "Ask a narrower question.",
    ),
    "filtered": _Failure(
        ModelOutcome.FILTERED,
        "A content filter of the server cut off the reply of {model}.",
        "Ask in other words, or choose another model or server in Settings.",
    ),
    "unknown_end": _Failure(
        ModelOutcome.CUT_SHORT,
        "The model {name!r} ended its reply for a reason that is not known ({kind!r}), so it counts as cut "
        "off.",
        "Ask again; if it stays so, choose another model or server in Settings.",
    ),
    "nothing_written": _Failure(
        ModelOutcome.INVALID,
        "The model {name!r} wrote nothing.",
        "Ask again, or choose another model in Settings.",
    ),
    "out_of_time": _Failure(
        ModelOutcome.TIMED_OUT,
        "The time of this question for language models is over.",
        "Ask again, or give questions longer with GROUNDWORK_LLM__DEADLINE_S.",
    ),
}


def failure(
    name: str,
    server: str = "",
    said: str = "",
    *,
    model: str = "",
    kind: str = "",
    status: int = 0,
    wait_s: float = 0.0,
) -> LlmError:
    """The error of that name in the table.

    server: as messages call it. said: what it says itself. kind: a few words on what came in place of a
    reply. wait_s: as the server asks for; 0 where it does not.
    """
    row = _FAILURES[name]
    later = "tomorrow" if name == "over_day" else "in a minute"
    blanks = {
        "server": server,
        "inner": re.sub("^The ", "the ", server),
        "said": f" ({said})" if said else "",
        "model": f"the model {model!r}" if model else "this model",
        "name": model,
        "kind": kind,
        "status": status,
        "when": f"in {_duration(wait_s)}" if wait_s else later,
    }
    return LlmError(
        row.message.format_map(blanks),
        outcome=row.outcome,
        next_step=row.next_step.format_map(blanks),
        retry_after_s=wait_s,
        is_lasting=row.is_lasting,
    )


_CODES = {
    "json_validate_failed": "no_valid_reply",
    "tool_use_failed": "no_valid_reply",
    "context_length_exceeded": "too_large",
    "invalid_api_key": "refused_key",
    "insufficient_quota": "unpaid",
    "model_not_found": "unknown_model",
    "model_decommissioned": "unknown_model",
    "model_not_active": "unknown_model",
}
_STATUSES = {
    401: "refused_key",
    402: "unpaid",
    403: "forbidden",
    408: "timed_out",
    413: "too_large",
    504: "timed_out",
}


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
    if 300 <= status < 400:
        return failure("sent_on", server, kind=_host_of(headers.get("location", "")), status=status)
    code, message = _said(body, hide) if not isinstance(body, str) else ("", "")
    is_limit = status in (429, 498) or (code == "rate_limit_exceeded" and status != 413)
    said = f"status {status}: {message}" if message else f"status {status}"
    wait_s = 0.0
    if is_limit and code != "insufficient_quota":
        wait_s = retry_after_s(headers.get("retry-after", ""))
        name = "no_capacity" if status == 498 else "over_day" if _OF_DAY.search(message) else "over_minute"
    elif code in _CODES and status != 413:
        name = _CODES[code]
    elif status in _STATUSES:
        name = _STATUSES[status]
    elif status >= 500:
        name = "server_failed"
    elif _OF_MODEL.search(message) and _MISSING.search(message):
        name = "unknown_model"
    else:
        name = "wrong_address" if status in (404, 405, 410) else "bad_request"
    return failure(name, server, said, model=model, wait_s=wait_s)


def error_of_body(error: object, server: str, model: str = "", hide: Callable[[str], str] = str) -> LlmError:
    """The error that a body or a stream names though its status was well."""
    code, message = _said(error, hide)
    name = _CODES.get(code, "over_minute" if code == "rate_limit_exceeded" else "server_failed")
    found = failure(name, server, f"an error: {message}" if message else "an error", model=model)
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


class Ending(StrEnum):
    """Why a reply ended."""

    WHOLE = "whole"
    LENGTH = "length"
    FILTER = "filter"
    UNKNOWN = "unknown"


_ENDINGS = {
    **dict.fromkeys(("stop", "tool_calls", "function_call"), Ending.WHOLE),
    **dict.fromkeys(("eos", "eos_token", "stop_sequence", "end_turn"), Ending.WHOLE),  # other servers' words
    **dict.fromkeys(("length", "max_tokens", "model_length"), Ending.LENGTH),
    **dict.fromkeys(("content_filter", "safety", "refusal"), Ending.FILTER),
}


def ending_of(finish: str) -> Ending:
    """What a `finish_reason` means."""
    return _ENDINGS.get(finish.strip().casefold(), Ending.UNKNOWN)


def cut_off(finish: str, model: str, max_tokens: int) -> LlmError | None:
    """The error of a reply that ended so; None where it is whole."""
    match ending_of(finish):
        case Ending.WHOLE:
            return None
        case Ending.LENGTH:
            return failure("too_long", model=model, kind=f"{max_tokens:,}")
        case Ending.FILTER:
            return failure("filtered", model=model)
        case Ending.UNKNOWN:
            return failure("unknown_end", model=model, kind=finish[:_LONGEST_REASON])


def code_of(error: LlmError) -> Literal["E004", "E005"]:
    """E005 where time or a budget ran out, else E004."""
    return "E005" if error.outcome in LATE else "E004"


def degradation_of(error: LlmError) -> Degradation:
    """What is said where a model gave nothing, with the next step."""
    said = f"{error.message} The answer is given without the model. {error.next_step}".strip()
    return Degradation(code=code_of(error), message=said)


def _host_of(location: str) -> str:
    try:
        host = urlsplit(location).netloc.rpartition("@")[2]
    except ValueError:
        host = ""
    return f" to {host[:_LONGEST_HOST]!r}" if host else ""


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
