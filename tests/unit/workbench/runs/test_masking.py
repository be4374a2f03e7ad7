"""Answers that rest on what is hidden now are not shown, wherever a principal finds them again."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.domain.answer import Answer, Citation, Claim, Kind, Ledger, LedgerDocuments, Route, Status, Verdict
from core.domain.conversation import Turn
from core.domain.event import Finished, Trace
from core.domain.ids import ConversationId, DocumentId, TraceId, TurnId
from core.domain.principal import Principal
from core.errors import NotFoundError
from core.workbench.facade import Workbench
from core.workbench.runs.masking import MASKED_TEXT
from core.workbench.session import Session
from tests.support.versions import new_version
from tests.unit.workbench.trust.conftest import bench

__all__ = ["bench"]

ANN = Principal("ann", frozenset({"analyst"}), frozenset({"legal"}))


@pytest.fixture
def home(bench: Workbench) -> Workbench:
    accounts = bench.local.accounts
    accounts.add("root", password="correct horse", roles=["admin"])
    accounts.add("ann", password="correct horse", roles=["analyst"], groups=["legal"])
    accounts.set_group("board")
    for name in ("a", "b"):
        bench._parts.records.documents.publish(new_version(name, passages=0))
    return bench


def answer(*documents: DocumentId, ledger: tuple[str, ...] = (), follow_ups: tuple[str, ...] = ()) -> Answer:
    """An answer that cites the first page of each document."""
    citations = tuple(
        Citation(document=id, title="t", source="s", version=1, page=1, start=0, end=5, quote="First", n=n)
        for n, id in enumerate(documents, start=1)
    )
    counted = Ledger(
        field="law",
        scope=len(ledger),
        present=len(ledger),
        absent=0,
        unreadable=0,
        uncertain=0,
        documents=LedgerDocuments(present=ledger),
    )
    return Answer(
        question="What comes first?",
        trace_id="trace-1",
        data_version=1,
        status=Status.ANSWERED,
        kind=Kind.LOOKUP,
        route=Route.HYBRID,
        text="First [1]",
        claims=(Claim(text="First [1]", verdict=Verdict.SUPPORTED, citations=citations),),
        ledger=counted if ledger else None,
        follow_ups=follow_ups,
    )


def kept_turn(session: Session, given: Answer) -> Turn:
    conversation = session.conversations.create()
    turn = session.conversations.start_turn(conversation.id, given.question)
    return session.conversations.finish_turn(turn.id, given)


def shown(home: Workbench, turn: Turn) -> Answer:
    found = home.for_principal(ANN).conversations.turns(turn.conversation)[0].answer
    assert found is not None
    return found


@pytest.mark.parametrize("is_in", ["citation", "ledger"])
def test_an_answer_is_masked_as_soon_as_access_is_taken_away(home: Workbench, is_in: str) -> None:
    first, second = (each.id for each in home.documents())
    given = answer(first) if is_in == "citation" else answer(second, ledger=(first,))
    turn = kept_turn(home.for_principal(ANN), given)
    assert shown(home, turn) == given

    home.local.access.set_document(first, ["board"])

    masked = shown(home, turn)
    assert (masked.text, masked.status, masked.is_masked) == (MASKED_TEXT, Status.REFUSED, True)
    assert first not in masked.model_dump_json()
    assert (masked.question, masked.trace_id) == (given.question, given.trace_id)
    with pytest.raises(NotFoundError):
        home.for_principal(ANN).documents.page(first, 1, 1)
    home.local.access.set_document(first, ["legal"])
    assert shown(home, turn) == given


def test_an_answer_stays_masked_where_the_document_is_removed_afterwards(home: Workbench) -> None:
    first, second = (each.id for each in home.documents())
    answers = [answer(id).model_copy(update={"trace_id": id}) for id in (first, second)]
    turns = [kept_turn(home.for_principal(ANN), each) for each in answers]
    home.local.access.set_document(first, ["board"])
    home.local.documents.remove([first, second])
    assert shown(home, turns[0]).is_masked
    assert not shown(home, turns[1]).is_masked  # which was open to everybody


def test_an_answer_is_masked_for_who_left_the_group(home: Workbench) -> None:
    first = home.documents()[0].id
    home.local.access.set_document(first, ["legal"])
    turn = kept_turn(home.for_principal(ANN), answer(first))
    later = home.for_principal(replace(ANN, groups=frozenset()))
    found = later.conversations.turns(turn.conversation)[0].answer
    assert found is not None
    assert found.is_masked


def test_admins_see_every_answer_of_theirs(home: Workbench) -> None:
    first = home.documents()[0].id
    turn = kept_turn(home.local, answer(first))
    home.local.access.set_document(first, ["board"])
    assert home.local.conversations.turns(turn.conversation)[0].answer == answer(first)


def test_a_follow_up_that_names_what_is_hidden_is_left_out(home: Workbench) -> None:
    first, second = home.documents()
    questions = (f"Summarise “{first.name}”", f"Summarise “{second.name}”", "What else?")
    turn = kept_turn(home.for_principal(ANN), answer(second.id, follow_ups=questions))
    home.local.access.set_document(first.id, ["board"])
    assert shown(home, turn).follow_ups == questions[1:]


def test_a_trace_and_a_list_are_masked_with_their_answer(home: Workbench) -> None:
    first = home.documents()[0].id
    given = answer(first)
    events = (Finished(at_ms=1.0, answer=given),)
    started = datetime(2026, 11, 26, tzinfo=UTC).isoformat()
    trace = Trace(trace_id="trace-1", question=given.question, user="ann", started_at=started, events=events)
    home._parts.records.traces.save(trace)
    session = home.for_principal(ANN)
    assert session.questions.trace(TraceId("trace-1")) == trace

    home.local.access.set_document(first, ["board"])

    session = home.for_principal(ANN)
    last = session.questions.trace(TraceId("trace-1")).events[-1]
    assert isinstance(last, Finished)
    assert last.answer.is_masked
    with pytest.raises(NotFoundError):
        session.questions.export(TraceId("trace-1"))


def test_a_masked_turn_is_no_ground_for_what_is_asked_next(home: Workbench) -> None:
    first = home.documents()[0].id
    session = home.for_principal(ANN)
    turn = kept_turn(session, answer(first))
    home.local.access.set_document(first, ["board"])
    with pytest.raises(Exception, match=r"rests on no plan"):
        home.for_principal(ANN).readings.choices(ConversationId(turn.conversation), TurnId(turn.id))
    given = home.for_principal(ANN).questions.give_feedback(turn.id, "right").answer
    assert given is not None
    assert given.is_masked
