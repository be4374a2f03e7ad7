"""A trial of a model server: one small call of each kind, in plain words."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from core.config.models import LlmSettings
from core.domain.frozen import Frozen
from core.domain.llm.report import KindTest, ModelTestReport
from core.domain.llm.use import ModelCall, ModelRole
from core.errors import LlmError
from core.llm.base import ToolSpec
from core.llm.budget import TokenBudget
from core.llm.calls import QuestionCalls, SharedLimits
from core.llm.models import connector_of
from core.llm.prompts import load_prompt
from core.llm.roles import REPLY_TOKENS, RoleSettings

_LONGEST_TEST_S = 45.0
_LONGEST_SHOWN = 80


class _Opening(Frozen):
    """The reply of the structured test."""

    hour: int
    word: str


_LOOK_UP = ToolSpec(
    name="look_up",
    description="Looks a word up in a dictionary.",
    parameters={
        "type": "object",
        "properties": {"word": {"type": "string"}},
        "required": ["word"],
        "additionalProperties": False,
    },
)


def try_server(
    settings: LlmSettings,
    sink: Callable[[ModelCall], None] = lambda call: None,
    on_test: Callable[[KindTest], None] = lambda test: None,
    on_begin: Callable[[Callable[[], None]], None] = lambda cancel: None,
) -> ModelTestReport:
    """Try the three kinds of call, each with the model that is configured for it.

    on_test: gets each kind as soon as it was tried. on_begin: gets what breaks the trial off, also from
    another thread. Blocks, at most 45 s. Budgets and breakers of questions do not hold for it. A failure is
    in the report.
    """
    opened = connector_of(settings)
    tried = (
        ("structured", settings.checking_model, _structured),
        ("tools", settings.planning_model, _tools),
        ("stream", settings.writing_model, _stream),
    )
    until = time.monotonic() + _LONGEST_TEST_S
    found = []
    trial = _Trial()
    on_begin(trial.cancel)
    for kind, model, attempt in tried:
        limits = SharedLimits(TokenBudget(0, 1_000_000, lambda: 0))
        roles = {ModelRole.TEST: RoleSettings(model, "low", REPLY_TOKENS[ModelRole.TEST])}
        calls = QuestionCalls(opened(), limits, settings, until, sink, roles=roles)
        if not trial.begin(calls):
            break
        test = _try(kind, model, attempt, calls)
        if trial.is_cancelled:
            break
        found.append(test)
        on_test(test)
    return ModelTestReport(server=settings.base_url or "Groq", calls=tuple(found))


class _Trial:
    """Calls of a trial that run now, and whether it was broken off. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # guards both
        self._calls: QuestionCalls | None = None
        self.is_cancelled = False

    def begin(self, calls: QuestionCalls) -> bool:
        """Go on with these calls; False where the trial was broken off, and they are stopped."""
        with self._lock:
            self._calls = calls
            if not self.is_cancelled:
                return True
        calls.stop()
        return False

    def cancel(self) -> None:
        """Break it off."""
        with self._lock:
            self.is_cancelled, calls = True, self._calls
        if calls is not None:
            calls.stop()


def _try(kind: str, model: str, attempt: Callable[[QuestionCalls], str], calls: QuestionCalls) -> KindTest:
    ok, next_step = True, ""
    try:
        detail = attempt(calls)
    except LlmError as error:
        ok, detail, next_step = False, error.message, error.next_step
    finally:
        calls.stop()
    made = calls.made
    return KindTest(
        kind=kind,
        model=model,
        ok=ok,
        detail=detail,
        next_step=next_step,
        latency_ms=sum(call.latency_ms for call in made),
        tokens=sum(call.tokens for call in made),
    )


def _structured(calls: QuestionCalls) -> str:
    calls.structured(load_prompt("test_structured", ModelRole.TEST), _Opening)
    is_repaired = calls.made[-1].outcome == "repaired"
    return "It replies in the form that is asked for" + (", after one repair." if is_repaired else ".")


def _tools(calls: QuestionCalls) -> str:
    reply = calls.converse(load_prompt("test_tool", ModelRole.TEST), [_LOOK_UP], must_call_tool=True)
    if [call for call in reply.tool_calls if call.name == _LOOK_UP.name]:
        return "It calls tools."
    return "The server takes tools, but the model answered without one; a larger model may do better."


def _stream(calls: QuestionCalls) -> str:
    started, first_ms, text = time.monotonic(), 0.0, ""
    for piece in calls.write(load_prompt("test_stream", ModelRole.TEST)):
        first_ms = first_ms or (time.monotonic() - started) * 1000
        text += piece
    shown = " ".join(text.split())[:_LONGEST_SHOWN]
    return f"It writes, the first word after {first_ms:,.0f} ms: {shown!r}."
