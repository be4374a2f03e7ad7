from __future__ import annotations

from dataclasses import replace

import pytest

from core.ask.request import COURTESIES, Question, QuestionScope, Run, read_scope, reply_to, steps_label
from core.domain.answer import Kind, Route, Understood
from core.domain.principal import LOCAL_ADMIN
from core.plan.ir.nodes import Plan
from core.store.base import BucketSummary, DocumentQuery
from core.store.database.visibility import Visibility
from tests.support.doors import OPEN
from tests.support.library import Library

BUCKETS = [BucketSummary("a", 2, 5), BucketSummary("b", 1, 5), BucketSummary("empty", 0, 0)]


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


@pytest.mark.parametrize(
    ("chosen", "label"),
    [
        ((), "3 documents in “a” and “b”"),
        (("b",), "1 document in “b”"),
        (("empty",), "no documents"),
        (("unknown",), "no documents"),
    ],
)
def test_the_scope_says_how_many_documents_where(chosen: tuple[str, ...], label: str) -> None:
    assert read_scope(BUCKETS, chosen).label == label


def test_many_buckets_are_counted_rather_than_named() -> None:
    assert read_scope([BucketSummary(str(n), 1, 1) for n in range(9)], ()).label == "9 documents in 9 buckets"


def test_documents_without_text_are_not_searched_and_said_so() -> None:
    library = Library()
    library.add("scan.pdf", "", bucket="b")
    unread = library.list(Visibility.everything(), DocumentQuery())
    scope = read_scope(BUCKETS, (), unread)
    assert scope.label == "2 documents in “a” and “b”"
    assert "1 more document" in scope.unread_note
    assert not read_scope(BUCKETS, ("a",), unread).unread_note


SOME = QuestionScope((), ("contracts",), 44, 3)


EMPTY = QuestionScope((), (), 0)


@pytest.mark.parametrize("topic", ["help", "contents", "greeting", "identity", "something new"])
def test_a_reply_says_what_is_here_and_what_can_be_asked(topic: str) -> None:
    reply = reply_to(topic, SOME, "44 contracts and 3 manuals", ("Which contracts lack a cap?",))
    assert "47 documents: 44 contracts and 3 manuals. 3 of them could not be read." in reply
    assert "- Which contracts lack a cap?" in reply
    assert "groundwork ingest FOLDER" in reply


@pytest.mark.parametrize("topic", ["help", "greeting", "contents"])
def test_an_empty_collection_says_what_to_do_first(topic: str) -> None:
    reply = reply_to(topic, EMPTY)
    assert "no documents here yet" in reply
    assert "--sample" in reply
    assert "0 documents" not in reply


def test_without_kinds_the_buckets_are_named() -> None:
    assert "2 documents in the buckets “a”, “b”." in reply_to("help", QuestionScope((), ("a", "b"), 2))


@pytest.mark.parametrize("topic", ["thanks", "farewell", "acknowledgement"])
def test_courtesies_speak_of_nothing_else(topic: str) -> None:
    assert topic in COURTESIES
    assert "documents" not in reply_to(topic, SOME)
