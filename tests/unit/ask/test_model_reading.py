"""Questions whose parts, form and need a model reads, from the question to the answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from core.config.models import LlmSettings, Settings
from core.domain.answer import Answer, Status
from core.domain.event import Finished, QuestionRead, Trace
from core.domain.ids import TraceId
from core.workbench import Workbench
from tests.support.model_desk import ModelDesk
from tests.support.model_plans import TEXT
from tests.support.scripted_llm import ScriptedLlm, Step, reply_json

TEXTS = {
    "halden.md": "# Halden plant\n\nThe pumps of the Halden plant are inspected every six weeks.\n",
    "voss.md": "# Voss dam\n\nThe gates of the Voss dam are opened above 212 metres.\n",
    "rjukan.md": "# Safety at Rjukan\n\nVisitors to Rjukan wear a helmet and carry a radio.\n",
}
TWO = "I wonder how often pumps of the Halden plant get inspected, and when gates of the Voss dam open"
PARTS = [
    "How often are the pumps of the Halden plant inspected?",
    "When are the gates of the Voss dam opened?",
]


class Reader(ModelDesk):
    """Replies of a planning model, beside those of the others. said: its parts; read: how often it read."""

    def __init__(self) -> None:
        super().__init__()
        self.said: dict[str, Any] = {}
        self.read = 0

    def _fill(self, form: dict[str, Any], user: str) -> Step:
        if "steps" not in form.get("properties", {}):
            return super()._fill(form, user)
        self.read += 1
        return reply_json({**TEXT, **self.said})


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory, reader: Reader) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("read")
    (folder / "texts").mkdir()
    for name, text in TEXTS.items():
        (folder / "texts" / name).write_text(text, encoding="utf-8")
    with ScriptedLlm(reader) as server:
        llm = LlmSettings(base_url=server.url, tokens_per_minute=0, verify=False)
        with Workbench.open(settings=Settings(home=folder / "home", llm=llm)) as opened:
            opened.ingest([folder / "texts"])
            yield opened


def asked(bench: Workbench, question: str) -> tuple[Answer, Trace]:
    events = list(bench.local.questions.stream(question))
    last = events[-1]
    assert isinstance(last, Finished)
    return last.answer, bench.local.questions.trace(TraceId(last.answer.trace_id))


def test_a_question_that_only_the_model_divides_is_answered_in_parts(
    bench: Workbench, reader: Reader
) -> None:
    reader.said = {"questions": PARTS}
    answer, trace = asked(bench, TWO)

    assert [part.question for part in answer.parts] == PARTS
    assert "six weeks" in answer.parts[0].text
    assert "212 metres" in answer.parts[1].text
    [told] = [event for event in trace.events if isinstance(event, QuestionRead)]
    assert {each.part: each.is_used for each in told.parts}["Questions"]


def test_parts_that_lose_a_name_leave_it_one_question(bench: Workbench, reader: Reader) -> None:
    reader.said = {"questions": [PARTS[0], "When are the gates opened?"]}
    answer, _ = asked(bench, TWO)

    assert answer.parts == ()


def test_wordings_of_the_model_are_searched_and_are_in_the_plan(bench: Workbench, reader: Reader) -> None:
    reader.said = {"wordings": ["sluice opens at water level", "Zenith"]}
    answer, _ = asked(bench, TWO)

    assert answer.plan is not None
    assert [node["wordings"] for node in answer.plan["nodes"]] == [["sluice opens at water level"]]
    assert answer.status in (Status.ANSWERED, Status.PARTIAL)
