"""Servers that give the key back, and servers whose answers have no end, on a real socket."""

from __future__ import annotations

import base64
import gzip
import json
import time
import tracemalloc

import pytest
from pydantic import BaseModel

from core.config.models import LlmSettings
from core.domain.llm.use import ModelCall, ModelOutcome, ModelRole
from core.errors import LlmError
from core.llm.budget import TokenBudget
from core.llm.calls import QuestionCalls, SharedLimits
from core.llm.groq import GroqServer
from core.llm.prompts import load_prompt
from tests.support.scripted_llm import ScriptedLlm, Step, event, failure, reply, reply_json, stream

KEY = "gsk_Q7w2Zx9LmT4vB8nKc1RfHj5Yp3Ds6Ga0"
ESCAPED = "".join(f"\\u{ord(each):04x}" for each in KEY)


class _Ids(BaseModel):
    ids: list[str]


class Asked:
    """What one question came to: what it got, and every word that is kept or shown of it."""

    def __init__(self, *script: Step, deadline_s: float = 5.0) -> None:
        self.kept: list[ModelCall] = []
        self.error: LlmError | None = None
        self.script, self.deadline_s = script, deadline_s

    def ask(self, kind: str) -> str:
        with ScriptedLlm(*self.script) as scripted:
            settings = LlmSettings(base_url=scripted.url, tokens_per_minute=0)
            limits = SharedLimits(TokenBudget(0, 1_000_000, lambda: 0))
            server, until = GroqServer(scripted.url, KEY), limits.clock() + self.deadline_s
            calls = QuestionCalls(server, limits, settings, until, self.kept.append)
            try:
                return self._ask(calls, kind)
            except LlmError as error:
                self.error = error
                return ""
            finally:
                calls.stop()

    def _ask(self, calls: QuestionCalls, kind: str) -> str:
        prompt = load_prompt("test_stream", ModelRole.TEST)
        if kind == "stream":
            found: list[str] = []
            try:
                found.extend(calls.write(prompt))
            except LlmError as error:
                self.error = error
            return "".join(found)
        if kind == "structured":
            return repr(calls.structured(prompt, _Ids))
        return repr(calls.converse(prompt, []))

    @property
    def words(self) -> str:
        said = f"{self.error.message} {self.error.next_step}" if self.error else ""
        return said + "".join(call.model_dump_json() for call in self.kept)


@pytest.mark.parametrize(
    ("kind", "step"),
    [
        ("tools", reply("x", finish=KEY)),
        ("stream", stream("x", finish=KEY)),
        ("stream", stream("The key is ", KEY, ".")),
        ("stream", stream("The key is ", KEY[:9], KEY[9:], ".")),
        ("stream", stream(*KEY)),
        ("stream", stream("It is ", KEY[:30], finish=None, cut=True)),
        ("stream", stream(f'{{"text": "x", "ids": ["{ESCAPED}"]}}\n')),
        ("structured", reply_json({"ids": [KEY]})),
        ("structured", reply('{"ids": ["' + ESCAPED + '"]}')),
        ("structured", reply_json({"ids": [base64.b64encode(KEY.encode()).decode()]})),
        ("structured", reply_json({KEY: 1})),
        ("structured", reply(KEY)),
        ("tools", reply("x", tool_calls=[("search", json.dumps({"query": KEY}))])),
        ("tools", reply("x", tool_calls=[(KEY, "{}")])),
        ("tools", failure(401, f"Incorrect API key provided: {KEY[:7]}...{KEY[-4:]}")),
        ("tools", failure(401, f"The key ends in {KEY[-8:]}")),
        ("tools", failure(403, base64.b64encode(b"Bearer " + KEY.encode()).decode())),
        ("tools", failure(404, KEY.replace("_", "%5F"))),
        ("tools", failure(500, KEY, code=KEY)),
        ("tools", Step(status=302, headers={"location": f"http://{KEY.replace('_', '-')}.example/{KEY}"})),
        ("stream", Step((event({"delta": {}}), b'data: {"error": {"message": "' + KEY.encode() + b'"}}\n\n'),
                        media_type="text/event-stream")),
    ],
)  # fmt: skip
def test_nothing_that_leaves_the_boundary_holds_the_key(kind: str, step: Step) -> None:
    asked = Asked(step)

    given = asked.ask(kind) + asked.words

    for piece in (KEY, KEY[:6], KEY[-6:], ESCAPED[:30], base64.b64encode(KEY.encode()).decode()[4:20]):
        assert piece.casefold() not in given.casefold()


def test_text_without_the_key_comes_through_whole() -> None:
    assert Asked(stream("The rent ", "is USD", " 4,500.\n")).ask("stream") == "The rent is USD 4,500.\n"


LARGE = Step((b"x" * 1_000_000,) * 100, status=500)
BOMB = Step((gzip.compress(b"\0" * 200_000_000),), headers={"content-encoding": "gzip"}, status=500)


@pytest.mark.parametrize(
    ("step", "outcome"),
    [
        (LARGE, ModelOutcome.UNAVAILABLE),
        (BOMB, ModelOutcome.UNAVAILABLE),
        (Step(BOMB.pieces, headers=BOMB.headers), ModelOutcome.UNAVAILABLE),
        (Step(LARGE.pieces), ModelOutcome.UNAVAILABLE),
        (Step(LARGE.pieces, media_type="text/event-stream"), ModelOutcome.UNAVAILABLE),
        (Step((b'{"error": {"message": "no"}}',), status=401, headers={"content-encoding": "gzip"}),
         ModelOutcome.REFUSED_KEY),
    ],
)  # fmt: skip
def test_no_body_takes_more_than_some_megabytes(step: Step, outcome: ModelOutcome) -> None:
    for kind in ("tools", "stream"):
        asked = Asked(step, deadline_s=30)
        tracemalloc.start()
        asked.ask(kind)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()

        assert asked.error is not None
        assert asked.error.outcome == outcome
        assert most < 60_000_000


@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize("kind", ["tools", "stream"])
def test_a_body_that_trickles_ends_at_the_deadline(kind: str, status: int) -> None:
    asked = Asked(Step((b" ",) * 300, status=status, between_s=0.1), deadline_s=0.8)
    began = time.monotonic()
    asked.ask(kind)

    assert asked.error is not None
    assert time.monotonic() - began < 5
