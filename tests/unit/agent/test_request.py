from dataclasses import replace

from core.agent.request import Question, Run, label_of, steps_label
from core.domain.answer import Kind, Route, Understood
from core.domain.principal import LOCAL_ADMIN
from core.plan.ir.nodes import Plan
from core.records.database.visibility import Visibility
from tests.support.doors import OPEN


def test_labels_follow_the_confidence() -> None:
    computed = [label_of(value, Route.STRUCTURED).value for value in (0.0, 0.4, 0.7, 1.0)]
    assert computed == ["LOW", "MEDIUM", "HIGH", "HIGH"]
    quoted = [label_of(value, Route.HYBRID).value for value in (0.59, 0.6, 0.89, 0.9)]
    assert quoted == ["LOW", "MEDIUM", "MEDIUM", "HIGH"]


def test_half_of_a_pair_of_characters_is_no_part_of_a_question() -> None:
    question = Question("Which contracts \ud800 lack it?", LOCAL_ADMIN)

    assert question.text == "Which contracts \ufffd lack it?"
    assert replace(question, text="\udfff").text == "\ufffd"


def a_run() -> Run:
    ticks = iter((0.1, 0.25))
    return Run(
        "t",
        lambda: next(ticks),
        Question("q", LOCAL_ADMIN),
        Visibility.everything().at(1),
        OPEN,
    )


def test_a_plan_that_is_there_is_told_with_its_steps_and_its_time() -> None:
    run = a_run()
    started = run.start_stage("plan", "Planning")
    event = run.finish_plan(Plan(question="q", kind=Kind.LOOKUP, route=Route.HYBRID), "model")

    assert (started.stage, started.at_ms) == ("plan", 100.0)
    assert (event.label, event.source, event.counts) == ("Planned 0 steps", "model", {"nodes": 0})
    assert event.latency_ms == 150.0
    assert run.timings == {"plan": 150.0}


def test_one_step_is_no_steps() -> None:
    assert steps_label(1) == "1 step"


def test_what_was_chosen_is_known_by_its_words() -> None:
    run = a_run()
    run.choose(None)
    assert run.chosen == ()

    chosen = Understood(phrase="ACME", meaning="party")
    run.choose(chosen)
    assert run.known == {"acme": chosen}
