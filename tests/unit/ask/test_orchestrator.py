from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.ask.orchestrator import Orchestrator
from core.ask.request import Question
from core.domain.answer import Kind, Route, Status
from core.domain.conversation import Turn, TurnState
from core.domain.event import Answered, ClaimAdded, Finished, StageFinished, StageStarted
from core.domain.ids import ConversationId, TurnId
from core.domain.principal import LOCAL_ADMIN, Principal
from core.store.base import DocumentQuery
from core.store.database.visibility import Visibility
from tests.support.doors import OPEN
from tests.support.library import Library, ask, settings
from tests.support.marks import cited_numbers


def test_small_talk_is_answered_without_a_search(library: Library) -> None:
    answer = ask(library, "Hello!")
    assert (answer.status, answer.kind, answer.route) == (Status.ANSWERED, Kind.GENERAL, Route.NONE)
    assert not library.searches
    assert answer.text
    assert all(question.startswith("Summarise") for question in answer.follow_ups)


@pytest.mark.parametrize("question", ["", " \x00 ", "?!"])
def test_an_empty_question_is_asked_back(library: Library, question: str) -> None:
    answer = ask(library, question)
    assert answer.status is Status.CLARIFY
    assert answer.clarification is not None
    assert answer.clarification.type == "vague"
    assert answer.clarification.hints


def test_a_question_of_stop_words_alone_is_asked_back(library: Library) -> None:
    answer = ask(library, "What about it?")
    assert answer.status is Status.CLARIFY
    assert not library.searches


def test_a_question_over_the_limit_is_refused_with_the_next_step(library: Library) -> None:
    answer = ask(library, "a" * 50_000)
    assert answer.status is Status.REFUSED
    assert "at most 4,000" in answer.text
    assert len(answer.question) <= 4_000


def test_thin_evidence_is_an_abstention_that_says_what_was_searched(library: Library) -> None:
    answer = ask(library, "Which volcano erupted in Iceland?", abstain_below=1.0)
    assert answer.status is Status.ABSTAINED
    assert not answer.claims
    assert "2 documents in “contracts” and “manuals”" in answer.text
    assert answer.nearest
    assert "volcano" in " ".join(answer.gaps)


def test_weak_evidence_in_a_named_document_is_given_as_the_closest_passages(library: Library) -> None:
    library.names = (library.list(Visibility.everything(), DocumentQuery())[0].id,)
    answer = ask(library, "Does the warehouse lease mention parking?", abstain_below=1.0)
    assert answer.status is Status.ABSTAINED
    assert "closest passages in “Warehouse lease”" in answer.text
    assert answer.claims


def test_an_empty_collection_is_said_to_be_empty() -> None:
    answer = ask(Library(), "What is the notice period?")
    assert answer.status is Status.ABSTAINED
    assert answer.text.startswith("There are no documents yet")
    assert "ingest" in answer.text
    assert [d.code for d in answer.degradations] == ["E002"]


def test_a_trace_that_cannot_be_kept_does_not_lose_the_answer(library: Library) -> None:
    library.is_full = True
    answer = ask(library, "What is the notice period?")
    assert answer.status is Status.ANSWERED
    assert "The disk is full." in answer.degradations[0].message


def test_the_stream_tells_stages_claims_and_then_the_answer(library: Library) -> None:
    orchestrator = Orchestrator(library, library, settings(abstain_below=0.0), door=lambda *_: OPEN)
    events = list(orchestrator.stream(Question("What is the notice period of the tenant?", LOCAL_ADMIN)))
    started = [event.stage for event in events if isinstance(event, StageStarted)]
    finished = [event.stage for event in events if isinstance(event, StageFinished)]
    assert started == finished == ["plan", "retrieve", "answer", "verify"]
    assert isinstance(events[-1], Finished)
    added = tuple(event.claim for event in events if isinstance(event, ClaimAdded))
    assert added == events[-1].answer.claims
    assert [event.at_ms for event in events] == sorted(event.at_ms for event in events)
    *before, answered, last = events
    assert isinstance(answered, Answered)
    assert answered.answer == last.answer
    assert library.saved[0].events == (*before, Finished(at_ms=answered.at_ms, answer=last.answer))
    assert all(step.source and step.latency_ms >= 0 for step in library.saved[0].steps)


def test_a_stream_may_be_dropped_at_any_event(library: Library) -> None:
    orchestrator = Orchestrator(library, library, settings(abstain_below=0.0), door=lambda *_: OPEN)
    total = len(list(orchestrator.stream(Question("What is the notice period?", LOCAL_ADMIN))))
    for taken in range(1, total):
        library.saved.clear()
        stream = orchestrator.stream(Question("What is the notice period?", LOCAL_ADMIN))
        given = [next(stream) for _ in range(taken)]
        stream.close()
        assert bool(library.saved) == isinstance(given[-1], Answered)  # what was given is kept


def test_documents_of_other_groups_are_neither_quoted_nor_counted(library: Library) -> None:
    library.add("secret.txt", "The secret notice period is one day.", title="Secret", acl=("board",))
    guest = Principal("guest", roles=frozenset({"reader"}))
    orchestrator = Orchestrator(library, library, settings(abstain_below=0.0), door=lambda *_: OPEN)
    events = list(orchestrator.stream(Question("What is the secret notice period?", guest)))
    answer = events[-1].answer if isinstance(events[-1], Finished) else None
    assert answer is not None
    assert "Secret" not in answer.model_dump_json()
    labels = [event.label for event in events if isinstance(event, StageStarted)]
    assert any("2 documents" in label for label in labels)


def test_the_scope_limits_the_search(library: Library) -> None:
    orchestrator = Orchestrator(library, library, settings(abstain_below=0.0), door=lambda *_: OPEN)
    answer = orchestrator.ask(Question("What is the notice period?", LOCAL_ADMIN, buckets=("manuals",)))
    assert {source.title for source in answer.sources} <= {"Cabinet manual"}
    assert library.searches[0].buckets == ("manuals",)


def test_document_text_cannot_pose_as_citation_link_or_formula() -> None:
    library = Library()
    library.add("x.txt", "The notice [7] period is [here](http://evil.example) at $5 and $6 <b>now</b>.")
    answer = ask(library, "What is the notice period?")
    assert cited_numbers(answer.text) == {1}
    assert "here](http" not in answer.text
    assert "<b>" not in answer.text.replace("\\<b\\>", "")


def test_low_confidence_is_flagged_and_three_follow_ups_are_given(library: Library) -> None:
    answer = ask(library, "Does the zebra eat the filters of the walrus?")
    assert answer.confidence_label == "LOW"
    assert "low_confidence" in answer.flags
    assert len(set(answer.follow_ups)) == 3


def test_a_follow_up_stays_in_the_document_that_it_points_at() -> None:
    library = Library()
    library.add("acme.txt", "The ACME lease has a cap of $100. It expires on 3 May 2026.", title="ACME lease")
    library.add(
        "beta.txt", "The Beta lease has a cap of $900. It expires on 9 June 2027.", title="Beta lease"
    )
    orchestrator = Orchestrator(library, library, settings(abstain_below=0.0), door=lambda *_: OPEN)
    for name, day in (("ACME", "2026-05-03"), ("Beta", "2027-06-09")):
        question = f"What is the cap of the {name} lease?"
        first = orchestrator.ask(Question(question, LOCAL_ADMIN))
        asked_at = datetime(2026, 1, 1, tzinfo=UTC)
        turn = Turn(TurnId("1"), ConversationId("c"), 0, question, TurnState.DONE, first, asked_at)
        answer = orchestrator.ask(Question("And when does it expire?", LOCAL_ADMIN, history=(turn,)))
        assert answer.value is not None
        assert answer.value.value == day


def test_a_follow_up_for_a_part_of_what_was_cited_stays_with_it() -> None:
    library = Library()
    library.add(
        "msa.txt",
        "The services agreement expires on 3 May 2026. The liability of ACME has a cap of $750.",
        title="Services agreement",
    )
    library.add("policy.txt", "The liability cap agreed with a supplier is $500.", title="Liability policy")
    orchestrator = Orchestrator(library, library, settings(abstain_below=0.0), door=lambda *_: OPEN)
    question = "When does the services agreement expire?"
    first = orchestrator.ask(Question(question, LOCAL_ADMIN))
    asked_at = datetime(2026, 1, 1, tzinfo=UTC)
    turn = Turn(TurnId("1"), ConversationId("c"), 0, question, TurnState.DONE, first, asked_at)
    answer = orchestrator.ask(Question("And what is its liability cap?", LOCAL_ADMIN, history=(turn,)))
    assert "$750" in answer.claims[0].text.replace("\\", "")


def test_follow_ups_name_only_documents_that_were_cited_or_found_near(library: Library) -> None:
    answer = ask(library, "What is the notice period of the tenant?")
    assert not [question for question in answer.follow_ups if "Cabinet" in question]
