from __future__ import annotations

import json
import time
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from threading import Timer
from typing import Any, cast

import pytest

from core.answer.prose.tool_evidence import ToolEvidence
from core.answer.prose.units import EvidencePool
from core.ask.computed_answer import Structured
from core.ask.model import (
    ModelStages,
    gather_in_a_loop,
    is_written,
    standalone_question,
)
from core.ask.orchestrator import Orchestrator
from core.ask.request import Question, QuestionHandle, Run
from core.domain.answer import Answer, Kind, Route, Status
from core.domain.conversation import Turn, TurnState
from core.domain.event import (
    Answered,
    Degraded,
    Drafted,
    Event,
    ModelCalled,
    ProseWritten,
    QuestionRead,
    ToolUsed,
    Waiting,
)
from core.domain.ids import ConversationId, TurnId
from core.domain.principal import LOCAL_ADMIN
from core.domain.trust.failures import USUAL, Habit
from core.errors import LlmError
from core.plan.catalogue import Catalogue
from core.plan.clarify import Clarify
from core.plan.ir.graph_edits import PlanSteps
from core.plan.ir.nodes import Plan, Scope
from core.plan.readers.trained.reading import TextReader
from core.plan.reading_planner import Planned, ReadingPlanner
from core.store.database.visibility import Visibility
from tests.support.contracts_at_hand import contracts_at_hand
from tests.support.doors import OPEN
from tests.support.known_collection import known_collection
from tests.support.library import Library, settings
from tests.support.model_desk import ModelDesk
from tests.support.model_plans import GOOD, QUESTION, TEXT
from tests.support.model_tools import HIT, GivenTools
from tests.support.models_at_hand import ModelsAtHand, models_at_hand
from tests.support.scripted_llm import Step, failure, reply, reply_json, stream


class Readings:
    """The part of plans over fields that compiles what a model read."""

    def catalogue(self, visibility: Visibility) -> Catalogue:
        return known_collection()

    def planner(self, visibility: Visibility) -> ReadingPlanner:
        return ReadingPlanner(known_collection(), TextReader())

    def habit(self, plan: Plan | Clarify, visibility: Visibility) -> Habit:
        return USUAL


READINGS = cast(Structured, Readings())


VAGUE = Clarify(type="vague", question=QUESTION, reason="What is meant?")


def run_of(models: ModelsAtHand | None) -> tuple[ModelStages, Run]:
    stages = ModelStages(models, Library(), None, READINGS)
    run = Run("t", lambda: 0.0, Question("q", LOCAL_ADMIN), Visibility.everything().at(1), OPEN)
    stages.begin(run, "u")
    return stages, run


def drained(events: Generator[Event, None, Planned]) -> tuple[list[Event], Planned]:
    told: list[Event] = []
    while True:
        try:
            told.append(next(events))
        except StopIteration as stop:
            return told, stop.value


def test_a_question_that_was_not_understood_is_read_by_the_model() -> None:
    with models_at_hand(reply_json(GOOD)) as models:
        stages, run = run_of(models)
        _, planned = drained(stages.read(run, Planned(VAGUE), QUESTION))

    assert isinstance(planned.plan, Plan)
    assert planned.plan.by == "model"
    assert run.calls is not None
    assert [call.role for call in run.calls.made] == ["plan"]


def test_a_model_that_fails_leaves_the_question_back_and_says_so() -> None:
    with models_at_hand(failure(401)) as models:
        stages, run = run_of(models)
        events, planned = drained(stages.read(run, Planned(VAGUE), QUESTION))

    assert planned.plan is VAGUE
    assert [event.degradation.code for event in events if isinstance(event, Degraded)] == ["E004"]
    assert run.degradations


def test_without_a_model_nothing_happens() -> None:
    stages, run = run_of(None)
    events, planned = drained(stages.read(run, Planned(VAGUE), QUESTION))

    assert (events, planned.plan) == ([], VAGUE)


def test_whoever_leaves_in_the_middle_stops_the_model() -> None:
    library = Library()
    library.add("lease.txt", "The monthly rent is USD 4500.", title="Lease")
    with models_at_hand(stream(*["{"] * 200, between_s=0.05)) as models:
        made = settings(abstain_below=0.0)
        events = Orchestrator(library, library, made, models=models, door=lambda *_: OPEN).stream(
            Question("What is the monthly rent?", LOCAL_ADMIN)
        )
        for event in events:
            if event.type == "stage_started" and event.stage == "write":
                break
        events.close()  # type: ignore[attr-defined]

        assert models.server.wait_until_idle(2.0)


def lease() -> Library:
    library = Library()
    library.add("lease.txt", "The monthly rent is USD 4500.", title="Lease")
    return library


def test_a_stream_that_is_closed_while_the_model_writes_keeps_the_quotes_in_its_trace() -> None:
    library = lease()
    with models_at_hand(stream(*["{"] * 200, between_s=0.05)) as models:
        asked = Orchestrator(
            library,
            library,
            settings(abstain_below=0.0),
            models=models,
            door=lambda *_: OPEN,
        )
        events = asked.stream(Question("What is the monthly rent?", LOCAL_ADMIN))
        seen = []
        for event in events:
            seen.append(event)
            if event.type == "prose_written" or (event.type == "stage_started" and event.stage == "write"):
                break
        events.close()

    [trace] = library.saved
    [draft] = [event for event in seen if isinstance(event, Drafted)]
    assert draft.answer.claims
    answer = trace.events[-1].answer  # type: ignore[union-attr]
    assert answer.text == draft.answer.text
    assert answer.degradations[-1].message.startswith("Stopped while the model wrote; the quotes stand")
    assert not any(isinstance(event, Drafted | Answered) for event in trace.events)


def test_a_stream_that_was_answered_keeps_its_answer_when_it_is_closed() -> None:
    library = lease()
    line = json.dumps({"text": "The rent is USD 4500.", "ids": ["e1"]})
    with models_at_hand(stream(line)) as models:
        asked = Orchestrator(
            library, library, settings(abstain_below=0.0), models=models, door=lambda *_: OPEN
        )
        events = asked.stream(Question("What is the monthly rent?", LOCAL_ADMIN))
        for event in events:
            if isinstance(event, Answered):
                break
        events.close()

    [trace] = library.saved
    assert trace.events[-1].answer.written_by  # type: ignore[union-attr]


def test_a_handle_closes_the_models_connection_from_another_thread() -> None:
    library = lease()
    handle = QuestionHandle()
    with models_at_hand(stream("{", wait_s=3.0), timeout_s=4.0) as models:
        asked = Orchestrator(
            library, library, settings(abstain_below=0.0), models=models, door=lambda *_: OPEN
        )
        Timer(0.3, handle.stop).start()
        began = time.monotonic()
        events = list(asked.stream(Question("What is the monthly rent?", LOCAL_ADMIN), handle=handle))

    assert time.monotonic() - began < 2.5
    assert events[-1].answer.status is Status.ANSWERED  # type: ignore[union-attr]


def test_a_wait_for_the_minutes_budget_is_told_at_once_and_kept() -> None:
    library = lease()
    told: list[Event] = []
    with models_at_hand(stream("{"), tokens_per_minute=6_000, deadline_s=120.0) as models:
        budget = models.models._limits.budget
        budget.reserve(5_900, time.monotonic() + 1, lambda: False)
        asked = Orchestrator(
            library, library, settings(abstain_below=0.0), models=models, door=lambda *_: OPEN
        )
        handle = QuestionHandle(lambda event: (told.append(event), handle.stop())[0])  # type: ignore[func-returns-value]
        events = list(asked.stream(Question("What is the monthly rent?", LOCAL_ADMIN), handle=handle))

    [wait] = told
    assert isinstance(wait, Waiting)
    assert 55 < wait.wait_s <= 60
    assert wait.label == f"Waiting {round(wait.wait_s)} s for the minute's token budget"
    assert wait in events
    assert wait in library.saved[0].events


def test_every_call_of_a_question_is_told_once_whatever_stage_made_it() -> None:
    library = lease()
    wrong = json.dumps({"text": "The rent is USD 9900.", "ids": ["e1"]})
    with models_at_hand(stream(wrong), reply_json({"claims": []})) as models:
        asked = Orchestrator(
            library, library, settings(abstain_below=0.0), models=models, door=lambda *_: OPEN
        )
        events = list(asked.stream(Question("What is the monthly rent?", LOCAL_ADMIN)))

    told = [event.call for event in events if isinstance(event, ModelCalled)]
    assert tuple(told) == tuple(models.made[0].made)
    assert len(told) == 2


def test_a_trace_has_every_call_and_not_every_piece_of_prose() -> None:
    library = Library()
    library.add("lease.txt", "The monthly rent is USD 4500.", title="Lease")
    line = json.dumps({"text": "The rent is USD 4500.", "ids": ["e1"]})
    with models_at_hand(stream(line)) as models:
        asked = Orchestrator(
            library, library, settings(abstain_below=0.0), models=models, door=lambda *_: OPEN
        )
        asked.ask(Question("What is the monthly rent?", LOCAL_ADMIN))

    kinds = [event.type for event in library.saved[0].events]
    assert "model_called" in kinds
    assert "prose_written" not in kinds


@pytest.mark.parametrize(
    ("fields", "written"),
    [
        ({"route": Route.HYBRID}, True),
        ({"route": Route.HYBRID, "status": Status.ABSTAINED}, True),
        ({"route": Route.STRUCTURED}, False),
        ({"route": Route.STRUCTURED, "kind": Kind.COMPARISON}, True),
        ({"route": Route.HYBRID, "text": "**Seal**\n\n1. Close it. [1]\n2. Drain it. [2]"}, False),
        ({"route": Route.NONE}, False),
        ({"route": Route.HYBRID, "status": Status.CLARIFY}, False),
    ],
)
def test_computed_values_stay_in_their_template(fields: dict[str, Any], written: bool) -> None:
    base = {"question": "q", "trace_id": "t", "data_version": 1, "kind": Kind.LOOKUP, "text": ""}
    answer = Answer.model_validate({**base, "status": Status.ANSWERED, **fields})

    assert is_written(answer) is written


def test_what_the_model_said_is_told_and_a_form_that_is_asked_for_decides_on_prose() -> None:
    given = {**GOOD, "output": "prose", "buckets": ["nowhere"]}
    with models_at_hand(reply_json(given)) as models:
        stages, run = run_of(models)
        events, _ = drained(stages.read(run, Planned(VAGUE), QUESTION))

    [told] = [event for event in events if isinstance(event, QuestionRead)]
    used = {each.part: each.is_used for each in told.parts}
    assert used == {**used, "Reading": True, "Buckets": False, "Form that is asked for": True}
    assert run.buckets == ()
    base = {"question": "q", "trace_id": "t", "data_version": 1, "kind": "aggregate", "text": ""}
    counted = Answer.model_validate({**base, "status": "answered", "route": "structured"})
    assert run.reading is not None
    assert is_written(counted, run.reading.output)
    assert not is_written(counted.model_copy(update={"kind": Kind.COMPARISON}), "table")


def test_a_model_that_says_text_has_the_whole_plan_without_it_beside_it() -> None:
    steps = PlanSteps()
    select = steps.select("Find contracts", Scope(schema_name="contracts"))
    whole = Plan(
        question=QUESTION,
        kind=Kind.AGGREGATE,
        route=Route.STRUCTURED,
        nodes=tuple(steps.nodes),
        answer_node=select.id,
    )
    with models_at_hand(reply_json(TEXT)) as models:
        stages, run = run_of(models)
        _, planned = drained(stages.read(run, Planned(whole), QUESTION))

    assert isinstance(planned.plan, Plan)
    assert (planned.plan.route, planned.plan.by) == (Route.HYBRID, "model")
    assert planned.others == (whole,)


def test_a_model_is_asked_first_and_the_other_plan_is_offered() -> None:
    steps = PlanSteps()
    select = steps.select("Find contracts", Scope(schema_name="contracts"))
    whole = Plan(
        question=QUESTION,
        kind=Kind.AGGREGATE,
        route=Route.STRUCTURED,
        nodes=tuple(steps.nodes),
        answer_node=select.id,
    )
    with models_at_hand(reply_json(GOOD)) as models:
        stages, run = run_of(models)
        _, planned = drained(stages.read(run, Planned(whole), QUESTION))

    assert isinstance(planned.plan, Plan)
    assert planned.plan.by == "model"
    assert planned.others == (whole,)


def test_a_model_may_ask_back_with_options() -> None:
    back = {**TEXT, "ask_back": {"reason": "Which Halden contract?", "options": ["The first?", "The last?"]}}
    with models_at_hand(reply_json(back)) as models:
        stages, run = run_of(models)
        _, planned = drained(stages.read(run, Planned(VAGUE), QUESTION))

    assert isinstance(planned.plan, Clarify)
    assert planned.plan.reason == "Which Halden contract?"
    assert [each.label for each in planned.plan.options] == ["The first?", "The last?"]


def test_each_of_several_questions_is_answered_in_prose(tmp_path: Path) -> None:
    asked = "What does the pump of Halden weigh? When is the turbine of Moss overhauled?"
    (tmp_path / "pump.txt").write_text("The pump of Halden weighs 90 kg when it is dry.", encoding="utf-8")
    (tmp_path / "turbine.txt").write_text("The turbine of Moss is overhauled in May.", encoding="utf-8")
    with (
        contracts_at_hand(tmp_path / "home") as contracts,
        models_at_hand(ModelDesk(), timeout_s=20, deadline_s=60) as models,
    ):
        contracts.bench.ingest([tmp_path / "pump.txt", tmp_path / "turbine.txt"])
        parts = contracts.parts
        asking = Orchestrator(
            parts.records,
            parts.retriever,
            parts.settings,
            structured=parts.structured,
            models=models,
            door=lambda *_: OPEN,
        )
        events = list(asking.stream(Question(asked, LOCAL_ADMIN)))
    answer = events[-1].answer  # type: ignore[union-attr]

    assert [part.written_by for part in answer.parts] == [models.settings.writing_model] * 2
    assert not [event for event in events if isinstance(event, ProseWritten)]  # a part comes whole
    assert answer.model_use is not None
    assert [call.role for call in answer.model_use.calls].count("write") == 2


ASKED = Turn(
    TurnId("1"),
    ConversationId("c"),
    1,
    "When does the Alpha lease end?",
    TurnState.DONE,
    None,
    datetime(2026, 1, 1, tzinfo=UTC),
)


def turned(written: str, question: str = "And what is the rent of it?") -> tuple[str, str]:
    with models_at_hand(reply_json({"question": written})) as models:
        calls = models.calls()
        try:
            found = standalone_question(question, [ASKED], calls)
        finally:
            calls.stop()
        return found, models.server.requests[0]["messages"][-1]["content"]


def test_what_it_stands_for_is_put_in() -> None:
    found, prompt = turned("What is the rent of the Alpha lease?")

    assert found == "What is the rent of the Alpha lease?"
    assert "When does the Alpha lease end?" in prompt


@pytest.mark.parametrize("first", ["Does", "Which party of", "List", "How much is"])
def test_a_question_may_begin_as_no_turn_did(first: str) -> None:
    assert turned(f"{first} the Alpha lease")[0] == f"{first} the Alpha lease"


@pytest.mark.parametrize(
    "written",
    [
        "",
        "And what is the rent of it?",
        "What is the rent of the Gamma lease?",
        "What was the rent in 2019?",
        "Gamma's rent?",
    ],
)
def test_what_nobody_said_is_no_reading(written: str) -> None:
    assert turned(written)[0] == ""


SEARCH = ("search_text", '{"query": "rent"}')


DONE = reply('{"decision": "done"}')


def looped(*script: Step, most: int = 5) -> tuple[list[Event], EvidencePool, list[dict[str, object]]]:
    pool = EvidencePool(4_000)
    tools = ToolEvidence(GivenTools({"hits": [HIT]}), pool, ())
    run = Run("t", lambda: 0.0, Question("q", LOCAL_ADMIN), Visibility.everything().at(1), OPEN)
    with models_at_hand(*script) as models:
        calls = models.calls()
        try:
            run.llm = models.settings.model_copy(update={"max_tool_calls": most})
            events = list(gather_in_a_loop(run, "What is the rent?", tools, calls))
        finally:
            calls.stop()
        return events, pool, models.server.requests


def used(events: list[Event]) -> list[str]:
    return [event.tool for event in events if isinstance(event, ToolUsed)]


def test_it_calls_tools_until_the_model_is_done() -> None:
    events, pool, requests = looped(reply(tool_calls=[SEARCH]), DONE)

    assert used(events) == ["search_text"]
    assert len(pool.packed.units) == 1
    assert [message["role"] for message in requests[1]["messages"]] == ["system", "user", "assistant", "tool"]  # type: ignore[attr-defined]


def test_it_never_calls_more_tools_than_allowed() -> None:
    events, _, requests = looped(reply(tool_calls=[SEARCH, SEARCH]), most=3)

    assert len(used(events)) == 3
    assert len(requests) == 2


def test_a_model_that_calls_nothing_finds_nothing() -> None:
    events, pool, _ = looped(DONE)

    assert used(events) == []
    assert pool.packed.is_empty


def test_a_server_that_fails_ends_the_loop() -> None:
    with pytest.raises(LlmError):
        looped(failure(401))


def test_tokens_of_a_reply_count_once_for_the_tools_that_it_asks_for() -> None:
    events, _, _ = looped(reply(tool_calls=[SEARCH, SEARCH]), DONE)

    assert [event.tokens for event in events if isinstance(event, ToolUsed)] == [50, 0]
