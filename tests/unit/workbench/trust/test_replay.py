from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.ids import TraceId
from core.domain.principal import Principal
from core.domain.trust.deed import AuditQuery
from core.domain.trust.review import ReviewFilter
from core.errors import NotFoundError
from tests.support.contracts_at_hand import Contracts, contracts_at_hand
from tests.support.examples import IS_FULL
from tests.support.filled_matrix import NAMES

ANN = Principal("ann", frozenset({"analyst"}))
OFFICER = Principal("eve", frozenset({"compliance_officer"}))
LAW = "What is the governing law of {}?"
QUESTIONS = (
    *(LAW.format(name) for name in NAMES),
    *(f"What is the contract value of {name}?" for name in NAMES),
    *(f"When is {name} effective?" for name in NAMES),
    *(f"Who are the parties of {name}?" for name in NAMES[:8]),
    "Which contracts are governed by the law of Texas?",
    "How many contracts are governed by the law of Texas?",
    "List the contracts by governing law",
    "Which contracts lack an audit right?",
    "Which contracts have a notice period of more than 30 days?",
    "Which contracts became effective in 2018?",
    "What is the total contract value?",
    "Which contract has the highest contract value?",
    "How many contracts are there per governing law?",
    "What do the contracts say about books of the supplier?",
    "What is the weather like?",
    "Hello!",
)


@pytest.fixture
def contracts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Contracts]:
    monkeypatch.setenv("GROUNDWORK_ANSWER__USE_PLANS", "true")
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def ask(contracts: Contracts, question: str, who: Principal = ANN) -> TraceId:
    return TraceId(contracts.bench.for_principal(who).questions.ask(question).trace_id)


def test_answers_on_an_unchanged_store_come_out_equal(contracts: Contracts) -> None:
    traces = [ask(contracts, each) for each in (QUESTIONS if IS_FULL else QUESTIONS[::3])]
    before = contracts.bench.local.audit_log.count(AuditQuery(deed="question.ask"))
    flagged = contracts.bench.local.reviews.page(ReviewFilter()).total

    replays = [contracts.bench.for_principal(OFFICER).replays.replay(each) for each in traces]

    assert [(each.before.question, each.differences) for each in replays if not each.is_equal] == []
    assert all(each.is_same_data and each.cited == each.held for each in replays)
    assert contracts.bench.local.audit_log.count(AuditQuery(deed="question.ask")) == before
    assert contracts.bench.local.reviews.page(ReviewFilter()).total == flagged
    assert contracts.bench.local.audit_log.count(AuditQuery(deed="answer.replay")) == len(traces)


def test_a_changed_cell_and_a_removed_document_are_said_and_shown(contracts: Contracts) -> None:
    law, gone = ask(contracts, LAW.format("Cobalt")), ask(contracts, LAW.format("Dune agreement"))
    still = ask(contracts, LAW.format("Ember"))
    cobalt, dune = contracts.made["Cobalt agreement"], contracts.made["Dune agreement"]
    contracts.bench.local.matrix.decide(cobalt, "governing_law", "correct", value="Ohio")
    contracts.bench.local.documents.remove([dune])
    replays = contracts.bench.local.replays

    changed = replays.replay(law)
    assert not changed.is_equal
    assert ("Value", "Texas", "Ohio") in [(d.name, d.before, d.after) for d in changed.differences]
    assert [(each.name, each.is_gone) for each in changed.changed] == [("Cobalt agreement", False)]
    assert changed.held == changed.cited == 1
    assert "1 document behind the answer changed" in changed.text
    lost = replays.replay(gone)
    assert [each.is_gone for each in lost.changed][:1] == [True]
    assert lost.held < lost.cited
    assert "1 of them gone" in lost.text
    same = replays.replay(still)
    assert same.is_equal
    assert "no document behind the answer" in same.text


def test_it_is_asked_with_the_rights_of_who_asked(contracts: Contracts) -> None:
    contracts.add("Secret", "Texas", acl=("legal",))
    question = "Which contracts are governed by the law of Texas?"
    trace = ask(contracts, question)

    assert contracts.bench.local.replays.replay(trace).is_equal

    insider = ask(contracts, question, Principal("ian", frozenset({"analyst"}), frozenset({"legal"})))
    assert contracts.bench.local.replays.replay(insider).is_equal
    with pytest.raises(NotFoundError):
        contracts.bench.for_principal(OFFICER).replays.replay(insider)


def test_a_choice_among_documents_is_shown_to_who_may_see_all_of_them(contracts: Contracts) -> None:
    contracts.add("Zorro Basic", "Texas")
    contracts.add("Zorro Secret", "Ohio", acl=("legal",))
    insider = Principal("ian", frozenset({"analyst"}), frozenset({"legal"}))
    trace = ask(contracts, LAW.format("Zorro"), insider)
    lawyer = Principal("eve", OFFICER.roles, insider.groups)

    assert "Zorro Secret" in str(contracts.bench.for_principal(lawyer).replays.replay(trace).before)
    for deed in ("replays", "evidence_packs"):
        service = getattr(contracts.bench.for_principal(OFFICER), deed)
        with pytest.raises(NotFoundError):
            (service.replay if deed == "replays" else service.data)(trace)


def test_others_answers_are_for_reviewers_and_auditors(contracts: Contracts) -> None:
    trace = ask(contracts, LAW.format("Cobalt"))

    assert contracts.bench.for_principal(ANN).replays.replay(trace).is_equal
    with pytest.raises(NotFoundError):
        contracts.bench.for_principal(Principal("bob", frozenset({"analyst"}))).replays.replay(trace)


def test_a_follow_up_goes_on_from_its_conversation_and_from_its_plan_without(contracts: Contracts) -> None:
    session = contracts.bench.for_principal(ANN)
    conversation = session.conversations.create()
    for question in ("Which contracts are governed by the law of Texas?", "How many are they?"):
        turn = session.conversations.start_turn(conversation.id, question)
        answer = session.questions.ask(question, conversation=conversation.id)
        session.conversations.finish_turn(turn.id, answer)
    trace = TraceId(answer.trace_id)

    assert session.replays.replay(trace).is_equal
