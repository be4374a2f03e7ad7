"""Plans over a home with contracts: made, run, edited, and refused."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from core.ask.computed_answer import UNSURE_READING
from core.config.load import load_settings
from core.domain.answer import Answer, ConfidenceLabel, ConversationSet, Route, Status
from core.domain.conversation import Turn, TurnState
from core.domain.event import Answered, Finished
from core.domain.ids import ConversationId, DocumentId, TraceId, TurnId
from core.domain.predicate import Operator
from core.domain.principal import Principal
from core.errors import PlanError, UsageError
from core.jobs.worker import run
from core.plan.ir.nodes import Condition, Note, Plan, Search, Select
from core.plan.reading_planner import Planned, ReadingPlanner
from core.plan.text_plan import text_plan
from core.search.classify import classify
from core.store.database.changes import Changes
from core.workbench import Workbench
from core.workbench.work.handlers import Handlers
from samples import COLLECTION
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder
from tests.support.roles import MAY_ASK_ALL

OPEN = ("acme-software-license.txt", "delta-warehouse-lease.txt", "zeta-consulting-agreement.md")
SECRET = ("acme-logistics-agreement.html", "epsilon-nondisclosure-agreement.txt")
LACKING = {"delta-warehouse-lease.txt", *SECRET}
LACK = "Which contracts are missing force majeure clauses?"
GUEST = Principal(user="guest", roles=MAY_ASK_ALL, groups=frozenset())


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """A home with five contracts, two of which only one group may see."""
    home = tmp_path_factory.mktemp("plans") / "home"
    parts, stop = PartsWith(load_settings(home), HashedEncoder()), threading.Event()
    worker = threading.Thread(target=run, args=(parts.records, home, Handlers(parts).make, stop))
    worker.start()
    folder = COLLECTION / "contracts"
    try:
        with Workbench(parts) as opened:
            while not opened.local.settings.status().worker_alive:
                worker.join(0.05)
            opened.ingest([folder / name for name in OPEN], bucket="contracts")
            opened.ingest([folder / name for name in SECRET], bucket="contracts", acl=("board",))
            yield opened
            stop.set()
            worker.join()
    finally:
        stop.set()


def _plan(bench: Workbench, question: str) -> Plan:
    found = bench.plan(question)
    assert isinstance(found, Plan)
    assert bench.local.plans.problems(found) == ()
    return found


def _files(bench: Workbench, answer: Answer) -> set[str]:
    names = {each.id: each.source for each in bench.documents()}
    assert answer.table is not None
    return {names[id].rsplit("/", 1)[-1] for id in answer.table.documents}


def test_what_lacks_a_clause_is_listed_with_a_ledger_that_adds_up(bench: Workbench) -> None:
    answer = bench.run(_plan(bench, LACK))

    assert answer.status is Status.ANSWERED
    assert _files(bench, answer) == LACKING
    assert answer.ledger is not None
    assert (answer.ledger.scope, answer.ledger.present, answer.ledger.absent) == (5, 2, 3)


def test_of_two_things_that_lack_a_ledger_says_who_fulfils_it(bench: Workbench) -> None:
    both = [Condition(field=name, op=Operator.MISSING, value="") for name in ("force_majeure", "non_compete")]
    plan = _plan(bench, LACK)
    (node,) = plan.nodes
    assert isinstance(node, Select)
    kept = [each for each in node.conditions if isinstance(each, Condition) and each.narrows]
    of_both = node.model_copy(update={"conditions": (*kept, *both)})
    one, two = bench.run(plan).ledger, bench.run(plan.model_copy(update={"nodes": (of_both,)})).ledger

    assert one is not None
    assert two is not None
    assert (one.fulfils, two.fulfils) == (False, True)


def test_a_sum_is_exact_and_cites_every_amount(bench: Workbench) -> None:
    answer = bench.run(_plan(bench, "Total value of contracts expiring in Q4 2024"))

    assert answer.value is not None
    assert (answer.value.value, answer.value.unit) == ("395000.00", "USD")
    assert {citation.quote for citation in answer.citations} >= {"$215,000", "$180,000"}


def test_what_a_principal_may_not_see_takes_no_part(bench: Workbench) -> None:
    plan = bench.plan(LACK, GUEST)
    assert isinstance(plan, Plan)
    answer = bench.run(plan, GUEST)

    assert _files(bench, answer) == LACKING - set(SECRET)
    assert answer.ledger is not None
    assert answer.ledger.scope == len(OPEN)


def test_an_edited_plan_gives_the_edited_answer(bench: Workbench) -> None:
    plan = _plan(bench, LACK)
    [node] = plan.nodes
    assert isinstance(node, Select)
    turned = tuple(
        Condition(field=each.field, op=Operator.EQUAL, value="true")
        if isinstance(each, Condition) and each.op is Operator.MISSING
        else each
        for each in node.conditions
    )
    edited = plan.model_copy(update={"nodes": (node.model_copy(update={"conditions": turned}),)})

    assert _files(bench, bench.run(edited)) == set(OPEN + SECRET) - LACKING


def test_a_plan_that_names_what_is_not_there_is_refused_and_does_not_run(bench: Workbench) -> None:
    plan = _plan(bench, LACK)
    node = plan.nodes[0].model_copy(update={"conditions": (Condition(field="moon", op=Operator.MISSING),)})

    with pytest.raises(PlanError, match="There is no field 'moon'"):
        bench.run(plan.model_copy(update={"nodes": (node,)}))


def test_a_plan_that_searches_text_is_run_by_asking(bench: Workbench) -> None:
    found = bench.plan("Explain how the warehouse is to be handed back")
    assert isinstance(found, Plan)

    with pytest.raises(UsageError, match="is run by asking its question"):
        bench.run(found)


def test_every_cited_amount_stands_in_the_evidence_as_used(bench: Workbench) -> None:
    answer = bench.run(_plan(bench, "Total value of contracts expiring in Q4 2024"))

    used = {item.quote for item in answer.evidence if item.state == "used"}
    assert {"$215,000", "$180,000"} <= used
    assert all(item.kind == "row" and item.field and item.method for item in answer.evidence)
    for item in answer.evidence:
        page = bench.local.documents.page(DocumentId(item.document), item.version, item.page)
        assert page.text[item.start : item.end] == item.quote
    assert Answer.model_validate_json(answer.model_dump_json()) == answer


def test_what_a_search_chose_is_said_not_to_be_all(bench: Workbench) -> None:
    found = Search(id="found", purpose="p", text="notice of termination", top_k=3)
    narrowed = _select(_plan(bench, LACK)).model_copy(update={"inputs": ("found",)})
    plan = _plan(bench, LACK)
    mixed = plan.model_copy(update={"nodes": (found, narrowed), "answer_node": narrowed.id})
    answer = bench.run(mixed)

    assert answer.ledger is not None
    assert answer.ledger.is_exhaustive is False
    assert any("finds the best, not all" in gap for gap in answer.gaps)
    assert any(item.kind == "passage" for item in answer.evidence)
    whole = bench.run(plan)
    assert whole.ledger is not None
    assert whole.ledger.is_exhaustive


def test_tools_see_what_the_principal_sees(bench: Workbench) -> None:
    arguments = {"bucket": "contracts", "predicates": ["force_majeure is absent"]}
    everything = bench.local.plans.tools().call("annotations_search", arguments)
    guest = bench.for_principal(GUEST).plans.tools().call("annotations_search", arguments)

    assert (everything["total"], guest["total"]) == (3, 1)
    assert guest["ledger"]["scope"] == 3
    assert (
        len(bench.for_principal(GUEST).plans.tools().call("search_text", {"query": "agreement"})["hits"]) > 0
    )


def _select(plan: Plan) -> Select:
    return next(node for node in plan.nodes if isinstance(node, Select))


def test_what_no_document_lacks_is_not_searched_for_in_the_text(bench: Workbench) -> None:
    answer = bench.ask("Is there any contract with no governing law?")
    assert answer.route.value == "structured"
    assert answer.text.startswith("No: none of 5 contracts")
    assert answer.citations == ()
    assert answer.ledger is not None
    assert answer.ledger.scope == 5


def test_an_answer_is_given_and_kept_before_its_follow_ups_are_planned(bench: Workbench) -> None:
    *before, answered, last = bench.stream("Which contracts lack force majeure?")

    assert isinstance(answered, Answered)
    assert isinstance(last, Finished)
    assert not any(isinstance(event, Answered | Finished) for event in before)
    assert answered.answer.status is Status.ANSWERED
    assert answered.answer.follow_ups == ()
    assert len(set(last.answer.follow_ups)) == 3
    assert last.answer == answered.answer.model_copy(update={"follow_ups": last.answer.follow_ups})
    trace = bench.local.questions.trace(TraceId(last.answer.trace_id))
    assert isinstance(trace.events[-1], Finished)
    assert trace.events[-1].answer == last.answer


def test_an_answer_is_kept_where_nobody_waits_for_its_follow_ups(bench: Workbench) -> None:
    stream = bench.stream("Which contracts lack indemnification?")
    answer = next(event.answer for event in stream if isinstance(event, Answered))
    stream.close()  # type: ignore[attr-defined]

    trace = bench.local.questions.trace(TraceId(answer.trace_id))
    assert isinstance(trace.events[-1], Finished)
    assert trace.events[-1].answer == answer


def test_the_state_of_the_collection_is_read_once_a_question(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.ask("Which contracts lack force majeure?")
    reads: list[int] = []
    read = Changes.data_version

    def counted(changes: Changes) -> int:
        reads.append(read(changes))
        return reads[-1]

    monkeypatch.setattr(Changes, "data_version", counted)
    bench.ask("Which contracts lack audit rights?")
    assert len(reads) == 1


def test_two_questions_in_one_message_get_two_answers(bench: Workbench) -> None:
    *before, answered, last = bench.stream(
        "Which contracts lack force majeure? When does the Delta warehouse lease expire?"
    )

    assert isinstance(answered, Answered)
    assert isinstance(last, Finished)
    assert not any(isinstance(event, Answered | Finished) for event in before)
    whole = answered.answer
    lacking, expiring = whole.parts
    assert _files(bench, lacking) == LACKING
    assert (expiring.value and expiring.value.value, bool(expiring.citations)) == ("2024-12-01", True)
    assert (whole.status, whole.value, whole.claims) == (Status.ANSWERED, None, ())
    assert lacking.question in whole.text
    assert expiring.question in whole.text
    assert "[1]" not in whole.text
    assert last.answer.follow_ups
    trace = bench.local.questions.trace(TraceId(whole.trace_id))
    assert isinstance(trace.events[-1], Finished)
    assert trace.events[-1].answer.parts == whole.parts


def test_the_text_of_the_one_document_that_is_named_is_searched(bench: Workbench) -> None:
    answer = bench.ask("What does the Delta warehouse lease say about forklifts?")
    lease = next(each.id for each in bench.documents() if "delta" in each.source)

    assert answer.plan is not None
    assert {tuple(node["scope"]["documents"]) for node in answer.plan["nodes"]} == {(str(lease),)}


def test_where_no_text_answers_a_likely_reading_over_fields_is_given(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    lack, question = _plan(bench, LACK), "zorgle blimps of the fenwick quandary"
    note = Note(phrase="", reading="Read by the trained reader.", confidence=0.3)
    likely = lack.model_copy(update={"notes": (note,)})
    found = Planned(text_plan(classify(question), question, ()), (likely,))
    monkeypatch.setattr(ReadingPlanner, "planned", lambda _planner, _question, _buckets=(): found)

    answer = bench.ask(question)

    assert answer.status is Status.ANSWERED
    assert answer.route is Route.STRUCTURED
    assert UNSURE_READING in answer.gaps
    assert answer.confidence_label is ConfidenceLabel.LOW


def test_a_plan_that_would_be_refused_is_shown_without_figures(bench: Workbench) -> None:
    question = "Which contracts lack a governing law?"
    analyst = bench.for_principal(Principal("ann", frozenset({"analyst"}))).plans
    officer = bench.for_principal(Principal("eve", frozenset({"analyst", "compliance_officer"}))).plans

    known = officer.make(question)
    assert isinstance(known, Plan)
    assert all(node.estimate is not None for node in officer.estimate(known).nodes)
    made = analyst.make(question)
    assert isinstance(made, Plan)
    for plan in (made, analyst.estimate(known)):
        assert [node.estimate for node in plan.nodes] == [None] * len(known.nodes)


def test_it_is_the_document_that_was_picked_and_not_the_one_that_was_read(bench: Workbench) -> None:
    """A choice of several documents carries the reading of another of them."""
    plan = _plan(bench, "Which law governs the Zeta consulting agreement?")
    lease = next(id for id in bench.local.plans.catalogue().documents if "warehouse" in id.source).id
    (node,) = (each for each in plan.nodes if isinstance(each, Select))
    scope = node.scope.model_copy(update={"documents": (lease,)})
    picked = plan.model_copy(
        update={
            "nodes": tuple(
                node.model_copy(update={"scope": scope}) if each is node else each for each in plan.nodes
            )
        }
    )
    first = bench.ask(picked.question, plan=picked)
    turn = Turn(
        TurnId("t1"), ConversationId("c1"), 1, picked.question, TurnState.DONE, first, datetime.now(UTC)
    )

    found = bench.ask("When does it end?", history=(turn,))

    assert {each.document for each in first.citations} == {lease}
    assert {each.document for each in found.citations} == {lease}


def test_what_a_search_found_is_no_set_that_another_value_narrows(bench: Workbench) -> None:
    first = bench.ask("What does the Delta warehouse lease say about the roof?")
    told = first.model_copy(update={"status": Status.ANSWERED})
    lease = next(id for id in bench.local.plans.catalogue().documents if "warehouse" in id.source).id
    told = told.model_copy(
        update={
            "conversation": ConversationSet(documents=(lease,), label="“the lease”"),
            "route": Route.HYBRID,
        }
    )
    turn = Turn(
        TurnId("t1"), ConversationId("c1"), 1, first.question, TurnState.DONE, told, datetime.now(UTC)
    )

    found = bench.ask("and in Texas?", history=(turn,))

    assert found.route is not Route.STRUCTURED
