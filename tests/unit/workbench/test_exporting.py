"""The whole list of an answer as a file: for whom, of what, and until when."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.answer import Answer, Clarification, Status
from core.domain.conversation import Turn
from core.domain.ids import TraceId
from core.domain.principal import LOCAL_ADMIN, Principal
from core.errors import NotFoundError, UsageError
from core.review import flags
from tests.support.contracts_at_hand import Contracts, contracts_at_hand, plan_for
from tests.support.roles import MAY_ASK

TEXAN = "Which documents are governed by Texas law?"
ANN = Principal("ann", MAY_ASK, groups=frozenset({"legal"}))


@pytest.fixture
def at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Contracts]:
    monkeypatch.setenv("GROUNDWORK_RETRIEVAL__MAX_HITS", "1")
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def asked(at_hand: Contracts, principal: Principal = LOCAL_ADMIN) -> tuple[Answer, Clarification]:
    answer = at_hand.bench.ask(TEXAN, principal)
    assert answer.clarification is not None
    return answer, answer.clarification


def test_more_documents_than_anybody_reads_come_with_the_address_of_their_list(at_hand: Contracts) -> None:
    answer, back = asked(at_hand)
    assert (answer.status, back.type) == (Status.ANSWERED, "overload")
    assert back.export == f"/api/v1/answers/{answer.trace_id}/export.csv"
    found = at_hand.bench.local.questions.export(TraceId(answer.trace_id))
    assert found.heads[:3] == ("Document", "File", "Bucket")
    assert answer.table is not None
    assert tuple(line[-1] for line in found.lines) == answer.table.documents
    assert found.left_out == 0


def test_a_list_that_is_short_enough_has_no_address_and_can_be_fetched_all_the_same(
    at_hand: Contracts,
) -> None:
    at_hand.add("Lone", "Nevada")
    answer = at_hand.bench.ask("Which documents are governed by Nevada law?")
    assert answer.clarification is None
    assert answer.table is not None
    found = at_hand.bench.local.questions.export(TraceId(answer.trace_id))
    assert len(found.lines) == len(answer.table.documents)


def test_somebody_else_does_not_find_the_list(at_hand: Contracts) -> None:
    answer, _ = asked(at_hand)
    with pytest.raises(NotFoundError, match="no trace"):
        at_hand.bench.for_principal(ANN).questions.export(TraceId(answer.trace_id))


def test_what_may_no_longer_be_seen_is_left_out_when_the_list_is_fetched(at_hand: Contracts) -> None:
    secret = at_hand.add("Secret", "Texas", acl=("legal",))
    answer, _ = asked(at_hand, ANN)
    trace = TraceId(answer.trace_id)
    assert secret in [line[-1] for line in at_hand.bench.for_principal(ANN).questions.export(trace).lines]
    later = at_hand.bench.for_principal(Principal("ann", MAY_ASK)).questions.export(trace)
    assert secret not in [line[-1] for line in later.lines]
    assert later.left_out == 1


def test_a_removed_document_is_left_out_and_the_list_goes_with_its_conversation(
    at_hand: Contracts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flags, "_flags", lambda *_: ())  # an answer that reviewers look at stays
    bench = at_hand.bench
    conversation = bench.local.conversations.create()
    turn: Turn = bench.local.conversations.start_turn(conversation.id, TEXAN)
    answer = bench.ask(TEXAN, conversation=conversation.id)
    bench.local.conversations.finish_turn(turn.id, answer)
    assert answer.table is not None
    bench.local.documents.remove([at_hand.made["Cobalt agreement"]])
    found = bench.local.questions.export(TraceId(answer.trace_id))
    assert [line[0].value for line in found.lines] == ["Glacier agreement"]
    assert found.left_out == 1
    bench.local.conversations.delete(conversation.id)
    with pytest.raises(NotFoundError):
        bench.local.questions.export(TraceId(answer.trace_id))


def test_the_whole_collection_is_a_list_of_what_may_be_seen(at_hand: Contracts) -> None:
    at_hand.add("Secret", "Texas", acl=("legal",))
    answer = at_hand.bench.ask("Show me everything", Principal("ben", MAY_ASK))
    assert answer.status is Status.ANSWERED
    found = at_hand.bench.for_principal(Principal("ben", MAY_ASK)).questions.export(TraceId(answer.trace_id))
    assert len(found.lines) == len(at_hand.bench.documents(Principal("ben", MAY_ASK)))
    assert "Secret" not in [line[0].value for line in found.lines]


def test_an_answer_without_documents_has_no_list(at_hand: Contracts) -> None:
    answer = at_hand.bench.ask("What can you do?")
    with pytest.raises(NotFoundError, match="lists no documents"):
        at_hand.bench.local.questions.export(TraceId(answer.trace_id))


def test_a_plan_that_is_only_run_names_no_address_since_its_answer_is_not_kept(
    at_hand: Contracts, tmp_path: Path
) -> None:
    answer = at_hand.bench.run(plan_for())
    assert answer.clarification is not None
    assert answer.clarification.export is None
    file = tmp_path / "list.csv"
    written = at_hand.bench.local.questions.write_list(answer, file)
    with file.open(encoding="utf-8-sig", newline="") as read:
        lines = list(csv.reader(read))
    assert len(lines) == 1 + len(written.lines) == 3
    with pytest.raises(UsageError, match="unknown kind"):
        at_hand.bench.local.questions.write_list(answer, tmp_path / "list.doc")
