"""The calls of one question: budget, deadline, stop, retries, repairs, and what each call cost."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random
from threading import Event, Lock, Timer
from typing import Any

from pydantic import ValidationError

from core.config.models import LlmSettings
from core.domain.llm.use import ModelCall, ModelOutcome, ModelRole
from core.errors import LlmError
from core.llm.base import ChatReply, ChatRequest, ChatServer, Message, Prompt, Reply, ToolSpec
from core.llm.budget import CHARS_PER_TOKEN, QuestionBudget, TokenBudget, TokenEstimates, stopped
from core.llm.failures import Ending, cut_off, ending_of, failure
from core.llm.prompts import PromptFile, as_edited, fence, load_prompt
from core.llm.retry import CircuitBreaker, wait_before_retry
from core.llm.roles import RoleSettings, role_settings
from core.llm.schema import find_problems, strict_schema, without_nulls

_LONGEST_PROBLEM = 1_500
_LONGEST_REPLY_TOKENS = 4_000
_LEAST_TIMEOUT_S = 0.05


@dataclass(slots=True)
class SharedLimits:
    """Limits that all questions of a process share. Thread-safe. mark: with which ids of its calls begin."""

    budget: TokenBudget
    estimates: TokenEstimates = field(default_factory=TokenEstimates)
    breakers: dict[str, CircuitBreaker] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)  # guards the breakers: one for each model
    clock: Callable[[], float] = time.monotonic
    mark: str = ""

    def breaker(self, model: str) -> CircuitBreaker:
        """The breaker of a model."""
        with self.lock:
            if model not in self.breakers:
                self.breakers[model] = CircuitBreaker(model, clock=self.clock)
            return self.breakers[model]


@dataclass(slots=True)
class _Record:
    """One call while it runs: sums over all that was sent for it."""

    prompt: Prompt
    role: RoleSettings
    started: float
    id: str
    outcome: ModelOutcome = ModelOutcome.DONE
    attempts: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(slots=True)
class _Spent:
    """Tokens of one request; as sent, the prompt alone, until the server says."""

    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def tokens(self) -> int:
        """Both together, as budgets count them."""
        return self.prompt_tokens + self.completion_tokens


class QuestionCalls:
    """Calls of one question or job, as `core.llm.base.ModelCalls` says. Thread-safe.

    until: moment of the clock after which nothing is waited for. sink: gets each call as it ends. on_begin:
    gets the id of a call and what it may take, of outcome BEGUN, before it is sent, and again with each
    attempt; on_end: its id and how it ended. on_wait: gets the seconds for which a call waits for the
    minute's budget, as it begins to. tokens: of all of them; None: as configured for a question.
    prompts: texts in place of those of the program, by name.
    """

    def __init__(
        self,
        server: ChatServer,
        limits: SharedLimits,
        settings: LlmSettings,
        until: float,
        sink: Callable[[ModelCall], None] = lambda call: None,
        *,
        on_begin: Callable[[str, ModelCall], None] | None = None,
        on_end: Callable[[str, ModelCall], None] = lambda id, call: None,
        on_wait: Callable[[float], None] = lambda wait_s: None,
        roles: Mapping[ModelRole, RoleSettings] | None = None,
        rng: Random | None = None,
        tokens: int | None = None,
        prompts: Mapping[str, PromptFile] | None = None,
    ) -> None:
        self._server, self._limits, self._settings, self._until = server, limits, settings, until
        self._sink, self._on_wait = sink, on_wait
        self._on_begin, self._on_end = on_begin, on_end
        self._roles = roles if roles is not None else role_settings(settings)
        self._rng = rng or Random()
        self._prompts = prompts or {}
        self._clock = limits.clock
        self._budget = QuestionBudget(settings.tokens_per_question if tokens is None else tokens)
        self._stop = Event()
        self._lock = Lock()  # guards the calls made
        self._made: list[ModelCall] = []

    @property
    def made(self) -> Sequence[ModelCall]:
        """Every call so far, also those that a limit kept back."""
        with self._lock:
            return tuple(self._made)

    def structured(
        self, prompt: Prompt, reply: type[Reply], schema: Mapping[str, Any] | None = None
    ) -> Reply:
        """A reply of the form of `reply`; one that does not fit is repaired once. Raises LlmError."""
        form = schema if schema is not None else strict_schema(reply)
        with self._call(prompt) as record:
            request = replace(self._request(record), schema=form, schema_name=prompt.name)
            answer: ChatReply | None = None
            try:
                answer = self._send(record, request)
            except LlmError as error:
                if error.outcome != ModelOutcome.INVALID:
                    raise
                problem = error.message
            else:
                found, problem = read_reply(answer, reply, form)
                if found is not None:
                    return found
            again = self._send(record, _repair_of(request, answer, problem))
            found, problem = read_reply(again, reply, form)
            if found is None:
                raise LlmError(
                    f"The model {record.role.model!r} twice gave a reply that does not fit: {problem}",
                    outcome=ModelOutcome.INVALID,
                    next_step="Choose another model in Settings if this happens often.",
                )
            record.outcome = ModelOutcome.REPAIRED
            return found

    def converse(
        self, prompt: Prompt, tools: Sequence[ToolSpec], *, must_call_tool: bool = False
    ) -> ChatReply:
        """One step of a tool loop: text, or the tools to call. Raises LlmError."""
        with self._call(prompt) as record:
            request = replace(self._request(record), tools=tuple(tools), must_call_tool=must_call_tool)
            reply = self._send(record, request)
            if not reply.text and not reply.tool_calls:
                raise _ended_early(record, reply.finish) or failure(
                    "nothing_written", model=record.role.model
                )
            return reply

    def write(self, prompt: Prompt) -> Generator[str, None, None]:
        """Text as it is written. One that breaks off raises LlmError after the pieces that came."""
        with self._call(prompt) as record:
            request, attempts, is_begun = self._request(record), 0, False
            while True:
                attempts += 1
                try:
                    for piece in self._stream(record, request):
                        is_begun = True
                        yield piece
                except LlmError as error:
                    wait = None if is_begun else self._wait(error, attempts)
                    if wait is None:
                        raise
                else:
                    break
                self._pause(wait)
            if not is_begun:
                raise failure("nothing_written", model=record.role.model)

    def stop(self) -> None:
        """Give up what runs, close its connections, and refuse what would follow. Safe to call twice."""
        self._stop.set()
        self._server.close()

    @contextmanager
    def _call(self, prompt: Prompt) -> Iterator[_Record]:
        """One call from its first request to its last: let through, and kept however it ends."""
        id = self._limits.mark + secrets.token_hex(12)
        prompt = as_edited(prompt, self._prompts)
        record = _Record(prompt, self._roles[prompt.role], self._clock(), id)
        breaker = self._limits.breaker(record.role.model)
        is_let_through, outcome, detail = False, ModelOutcome.STOPPED, ""
        try:
            self._require_time()
            breaker.require()
            is_let_through = True
            yield record
            outcome = record.outcome
        except LlmError as error:
            outcome, detail = ModelOutcome(error.outcome), error.message
            raise
        finally:
            if is_let_through:
                breaker.note(outcome)
            self._keep(record, outcome, detail)

    def _keep(self, record: _Record, outcome: ModelOutcome, detail: str) -> None:
        call = self._described(record, outcome, detail, _Spent())
        with self._lock:
            self._made.append(call)
        self._on_end(record.id, call)
        self._sink(call)

    def _described(self, record: _Record, outcome: ModelOutcome, detail: str, more: _Spent) -> ModelCall:
        """The call as it stands. more: tokens beside those that the record has."""
        prompt_tokens = record.prompt_tokens + more.prompt_tokens
        completion_tokens = record.completion_tokens + more.completion_tokens
        price = self._settings.price_of(record.role.model)
        return ModelCall(
            role=record.prompt.role,
            prompt=record.prompt.label,
            model=record.role.model,
            outcome=outcome,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            cost_usd=None if price is None else price.cost_usd(prompt_tokens, completion_tokens),
            latency_ms=(self._clock() - record.started) * 1000,
            attempts=record.attempts,
            detail=detail,
        )

    def _request(self, record: _Record) -> ChatRequest:
        most = record.prompt.reply_tokens or record.role.max_tokens
        return ChatRequest(
            model=record.role.model,
            messages=record.prompt.messages,
            max_tokens=most,
            timeout_s=self._settings.timeout_s * max(1.0, most / record.role.max_tokens),
            effort=record.role.effort,
        )

    def _send(self, record: _Record, request: ChatRequest) -> ChatReply:
        """A whole reply, tried again as the policy says."""
        attempts = 0
        while True:
            attempts += 1
            try:
                with self._admit(record, request) as spent, self._in_time():
                    reply = self._server.complete(self._timed(request))
                    self._learn(request, spent, reply.prompt_tokens, reply.completion_tokens, reply.text)
                    early = _ended_early(record, reply.finish)
                    if early is not None and ending_of(reply.finish) is not Ending.LENGTH:  # is repaired
                        raise early
                    return reply
            except LlmError as error:
                failure = self._late(error)
                wait = self._wait(failure, attempts)
                if wait is None:
                    raise failure from None
            self._pause(wait)

    def _stream(self, record: _Record, request: ChatRequest) -> Iterator[str]:
        """One attempt at a stream."""
        try:
            with self._admit(record, request) as spent, self._in_time():
                pieces = self._server.stream(self._timed(request))
                size = 0
                for piece in pieces:
                    size += len(piece.text)
                    spent.completion_tokens = size // CHARS_PER_TOKEN
                    if piece.finish:
                        self._learn(request, spent, piece.prompt_tokens, piece.completion_tokens, "")
                        if early := _ended_early(record, piece.finish):
                            raise early
                    if piece.text:
                        yield piece.text
        except LlmError as error:
            raise self._late(error) from None

    @contextmanager
    def _admit(self, record: _Record, request: ChatRequest) -> Iterator[_Spent]:
        """Tokens set aside before a request and settled after it."""
        estimate = self._limits.estimates.estimate(request.model, _size(request))
        reserved = estimate + request.max_tokens
        self._require_time()
        self._budget.reserve(reserved)
        spent = _Spent()
        try:
            slot = self._limits.budget.reserve(reserved, self._until, self._stop.is_set, self._on_wait)
            try:
                self._require_time()
                record.attempts += 1
                if self._on_begin is not None:
                    most = _Spent(estimate, request.max_tokens)
                    self._on_begin(record.id, self._described(record, ModelOutcome.BEGUN, "", most))
                    self._limits.budget.hand_over(slot)
                spent.prompt_tokens = estimate
                yield spent
            except LlmError as error:
                if ModelOutcome(error.outcome) in _NOT_COUNTED and not spent.completion_tokens:
                    spent.prompt_tokens = 0
                raise
            finally:
                record.prompt_tokens += spent.prompt_tokens
                record.completion_tokens += spent.completion_tokens
                self._limits.budget.settle(slot, spent.tokens)
        finally:
            self._budget.settle(reserved, spent.tokens)

    @contextmanager
    def _in_time(self) -> Iterator[None]:
        """Break off what runs at the deadline, also where bytes keep coming."""
        timer = Timer(max(0.0, self._until - self._clock()), self._server.close)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _learn(
        self, request: ChatRequest, spent: _Spent, prompt_tokens: int, completion_tokens: int, text: str
    ) -> None:
        """Take over what the server counted; where it counts nothing, the estimate stays."""
        if prompt_tokens:
            spent.prompt_tokens = prompt_tokens
            self._limits.estimates.learn(request.model, _size(request), prompt_tokens)
        spent.completion_tokens = completion_tokens or spent.completion_tokens or len(text) // CHARS_PER_TOKEN

    def _timed(self, request: ChatRequest) -> ChatRequest:
        left_s = self._until - self._clock()
        return replace(request, timeout_s=max(_LEAST_TIMEOUT_S, min(request.timeout_s, left_s)))

    def _wait(self, error: LlmError, attempts: int) -> float | None:
        return wait_before_retry(error, attempts, self._until - self._clock(), self._rng)

    def _pause(self, wait_s: float) -> None:
        if self._stop.wait(wait_s):
            raise stopped()

    def _require_time(self) -> None:
        if self._stop.is_set():
            raise stopped()
        if self._clock() >= self._until:
            raise failure("out_of_time")

    def _late(self, error: LlmError) -> LlmError:
        """The error as its cause is: what the deadline closed was not stopped by anybody."""
        if self._stop.is_set():
            return stopped()
        is_over = self._clock() >= self._until - _LEAST_TIMEOUT_S
        if is_over and error.outcome in (ModelOutcome.STOPPED, ModelOutcome.TIMED_OUT):
            return failure("out_of_time")
        return error


_NOT_COUNTED = frozenset(
    {ModelOutcome.RATE_LIMITED, ModelOutcome.TOO_LARGE, ModelOutcome.REFUSED_KEY, ModelOutcome.UNAVAILABLE}
)
"""Outcomes of requests that a server turned away before it read them."""


def _size(request: ChatRequest) -> int:
    """Characters of all that a prompt is made of."""
    sizes = [len(message.content) + 12 for message in request.messages]
    sizes += [len(call.arguments) + len(call.name) for each in request.messages for call in each.tool_calls]
    sizes += [len(json.dumps(dict(tool.parameters))) + len(tool.description) for tool in request.tools]
    if request.schema is not None:
        sizes.append(len(json.dumps(dict(request.schema))))
    return sum(sizes)


def read_reply(reply: ChatReply, form: type[Reply], schema: Mapping[str, Any]) -> tuple[Reply | None, str]:
    """The reply as its form, or None and what is wrong with it."""
    if ending_of(reply.finish) is Ending.LENGTH:
        return None, "It is too long and was cut off; be brief."
    text = _json_part(reply.text)
    if not text.startswith("{"):
        return None, "It is not JSON: one JSON object was asked for, and nothing beside it."
    try:
        value = without_nulls(json.loads(text), schema)
        text = json.dumps(value)
    except (ValueError, RecursionError) as error:
        return None, f"It is not JSON: {error}."
    problems = list(find_problems(value, schema))[:10]
    if problems:
        return None, "; ".join(problems) + "."
    try:
        return form.model_validate_json(text), ""
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)[:10]
        return None, "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in found) + "."


def _json_part(text: str) -> str:
    """The object in a reply; servers that do not decode strictly put words or ``` around it."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text


def _repair_of(request: ChatRequest, answer: ChatReply | None, problem: str) -> ChatRequest:
    """The request once more, with the reply that did not fit and what is wrong with it."""
    filled = load_prompt("repair", ModelRole.TEST, problem=fence("problem", problem[:_LONGEST_PROBLEM]))
    said = () if answer is None or not answer.text else (Message("assistant", answer.text),)
    longer = min(_LONGEST_REPLY_TOKENS, request.max_tokens * 2)
    is_cut = answer is not None and ending_of(answer.finish) is Ending.LENGTH
    return replace(
        request,
        messages=(*request.messages, *said, *filled.messages),
        max_tokens=max(longer, request.max_tokens) if is_cut else request.max_tokens,
    )


def _ended_early(record: _Record, finish: str) -> LlmError | None:
    return cut_off(finish, record.role.model, record.role.max_tokens)
