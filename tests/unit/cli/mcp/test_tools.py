from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.cli.mcp.tools import TOOLS, get_document, ledger, plan, search, verified_spans
from core.domain.ids import DocumentId, TraceId
from core.domain.principal import Principal
from core.domain.trust.account import SCOPES
from core.errors import NotFoundError, RefusedError, UsageError
from tests.support.contracts_at_hand import Contracts, contracts_at_hand
from tests.support.roles import MAY_ASK_ALL


@pytest.fixture(scope="module")
def at_hand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path_factory.mktemp("tools") / "home") as found:
        yield found


def test_each_tool_says_what_it_gives_and_needs_a_known_scope() -> None:
    assert all(len(each.description) > 80 for each in TOOLS.values())
    assert {each.scope for each in TOOLS.values()} <= set(SCOPES)
    assert [each.name for each in TOOLS.values() if each.is_lasting] == ["ask"]


def test_the_ledger_of_a_count_names_all_documents_part_by_part(at_hand: Contracts) -> None:
    session = at_hand.bench.local
    trace = session.questions.ask("How many contracts are governed by the law of Texas?").trace_id

    found = ledger(session, trace)
    assert sum(len(each["documents"]) for each in found["parts"].values()) == found["scope"] == 10
    assert any(each["reason"] for each in found["parts"]["unreadable"]["documents"])
    some = ledger(session, trace, "absent", offset=1, limit=2)["parts"]
    assert [*some] == ["absent"]
    assert some["absent"]["documents"] == found["parts"]["absent"]["documents"][1:3]


def test_answers_of_others_and_without_a_ledger_have_none(at_hand: Contracts) -> None:
    session = at_hand.bench.local
    with pytest.raises(NotFoundError):
        ledger(session, "t999")
    own = at_hand.bench.for_principal(Principal("ann", MAY_ASK_ALL)).questions.ask("Hello")
    with pytest.raises(NotFoundError):
        verified_spans(session, own.trace_id)
    with pytest.raises(NotFoundError, match="no ledger"):
        ledger(session, session.questions.ask("Hello").trace_id)


def test_spans_are_held_against_the_stored_page(at_hand: Contracts) -> None:
    session = at_hand.bench.local
    answer = session.questions.ask("Which documents are governed by the law of Texas?")
    found = verified_spans(session, answer.trace_id)

    assert len(found["spans"]) == len(answer.citations)
    assert all(each["verified"] for each in found["spans"])
    assert {each["standing"]["state"] for each in found["spans"]} == {"current"}


def test_an_answer_is_not_given_again_once_its_plan_would_be_refused(at_hand: Contracts) -> None:
    before = at_hand.bench.for_principal(Principal("bob", MAY_ASK_ALL))
    trace = before.questions.ask("Which contracts lack audit rights?").trace_id
    assert ledger(before, trace)["scope"] == 10

    after = at_hand.bench.for_principal(Principal("bob", frozenset({"contract_read"})))
    for tool in (ledger, verified_spans):
        with pytest.raises(RefusedError, match="compliance_officer"):
            tool(after, trace)
    with pytest.raises(RefusedError):
        after.questions.export(TraceId(trace))


def test_a_question_with_several_meanings_has_a_clarification_in_place_of_a_plan(at_hand: Contracts) -> None:
    found = plan(at_hand.bench.local, "contracts from 03/04/2018")

    assert found["plan"] is None
    assert found["clarification"]["options"]


def test_pages_of_a_document_come_in_portions(at_hand: Contracts) -> None:
    id = DocumentId(at_hand.made["Acme agreement"])
    session = at_hand.bench.local
    found = get_document(session, id, first_page=1, pages=1)

    assert [each["page"] for each in found["pages"]] == [1]
    assert found["page_count"] >= 1
    assert get_document(session, id, first_page=found["page_count"] + 1)["pages"] == []


def test_an_unknown_bucket_is_told_with_those_there_are(at_hand: Contracts) -> None:
    with pytest.raises(UsageError, match="Expected one of: contracts"):
        search(at_hand.bench.local, "x", bucket="moon")
