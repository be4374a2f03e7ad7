from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from core.agent.orchestrator import Orchestrator
from core.domain.answer import Answer, Kind, Route, Status, Verdict
from core.domain.conversation import Turn, TurnState
from core.domain.event import ClaimAdded, Degraded, Finished, StageFinished, StageStarted
from core.domain.ids import ConversationId, TurnId
from core.domain.principal import LOCAL_ADMIN, Principal
from core.records.base import DocumentQuery
from core.records.visibility import Visibility
from tests.support.library import Library, settings
from tests.support.marks import cited_numbers

LEASE = "The notice period is thirty days. The monthly rent is USD 4,500. The tenant pays for water."
MANUAL = (
    "# Maintenance\nDo this yearly:\n1. Switch off the cabinet.\n2. Clean the filters.\n3. Switch it on.\n"
)


@pytest.fixture
def library() -> Library:
    library = Library()
    library.add("lease.txt", LEASE, title="Warehouse lease", bucket="contracts")
    library.add("cabinet.txt", MANUAL, title="Cabinet manual", bucket="manuals")
    return library


def _ask(library: Library, question: str, **answer: object) -> Answer:
    made = settings(**{"abstain_below": 0.0, **answer})
    return Orchestrator(library, library, made).ask(question, LOCAL_ADMIN)


def test_a_lookup_quotes_the_sentence_that_answers(library: Library) -> None:
    answer = _ask(library, "What is the notice period of the tenant?")
    assert (answer.status, answer.kind, answer.route) == (Status.ANSWERED, Kind.LOOKUP, Route.HYBRID)
    assert answer.claims[0].text == "The notice period is thirty days."
    assert answer.claims[0].verdict is Verdict.SUPPORTED
    assert answer.sources[0].title == "Warehouse lease"


def test_an_amount_that_is_asked_for_becomes_the_value(library: Library) -> None:
    answer = _ask(library, "How much is the monthly rent?")
    assert answer.value is not None
    assert (answer.value.type, answer.value.value, answer.value.unit) == ("money", "4500.00", "USD")


def test_a_procedure_gives_every_step_in_order(library: Library) -> None:
    answer = _ask(library, "Explain the maintenance steps of the cabinet")
    assert [claim.text for claim in answer.claims] == [
        "1. Switch off the cabinet.",
        "2. Clean the filters.",
        "3. Switch it on.",
    ]
    assert "2. Clean the filters. [2]" in answer.text


def test_small_talk_is_answered_without_a_search(library: Library) -> None:
    answer = _ask(library, "Hello!")
    assert (answer.status, answer.kind, answer.route) == (Status.ANSWERED, Kind.GENERAL, Route.NONE)
    assert not library.searches
    assert answer.text
    assert not answer.follow_ups


@pytest.mark.parametrize("question", ["", " \x00 ", "?!"])
def test_an_empty_question_is_asked_back(library: Library, question: str) -> None:
    answer = _ask(library, question)
    assert answer.status is Status.CLARIFY
    assert answer.clarification is not None
    assert answer.clarification.type == "vague"
    assert answer.clarification.hints


def test_a_question_of_stop_words_alone_is_asked_back(library: Library) -> None:
    answer = _ask(library, "What about it?")
    assert answer.status is Status.CLARIFY
    assert not library.searches


def test_a_question_over_the_limit_is_refused_with_the_next_step(library: Library) -> None:
    answer = _ask(library, "a" * 50_000)
    assert answer.status is Status.REFUSED
    assert "at most 4,000" in answer.text
    assert len(answer.question) <= 4_000


def test_thin_evidence_is_an_abstention_that_says_what_was_searched(library: Library) -> None:
    answer = _ask(library, "Which volcano erupted in Iceland?", abstain_below=1.0)
    assert answer.status is Status.ABSTAINED
    assert not answer.claims
    assert "2 documents in “contracts” and “manuals”" in answer.text
    assert answer.nearest
    assert "volcano" in " ".join(answer.gaps)


def test_weak_evidence_in_a_named_document_is_given_as_the_closest_passages(library: Library) -> None:
    library.names = (library.list(Visibility.everything(), _all())[0].id,)
    answer = _ask(library, "Does the warehouse lease mention parking?", abstain_below=1.0)
    assert answer.status is Status.PARTIAL
    assert "closest passages in “Warehouse lease”" in answer.text
    assert answer.claims


def test_an_empty_collection_is_said_to_be_empty() -> None:
    answer = _ask(Library(), "What is the notice period?")
    assert answer.status is Status.ABSTAINED
    assert answer.text.startswith("There are no documents yet")
    assert "ingest" in answer.text
    assert [d.code for d in answer.degradations] == ["E002"]


def test_a_count_over_the_collection_is_not_made_up(library: Library) -> None:
    answer = _ask(library, "How many contracts are there about rent?")
    assert answer.status is Status.PARTIAL
    assert answer.value is None
    assert "nothing is counted here" in answer.text


def test_a_list_over_the_collection_names_the_documents_found(library: Library) -> None:
    answer = _ask(library, "List every contract about the monthly rent")
    assert answer.status is Status.PARTIAL
    assert answer.table is not None
    assert len(answer.table.documents) == len(answer.table.rows)
    assert "there may be more" in answer.text


def test_a_comparison_has_a_line_for_each_document_of_a_side_that_states_it() -> None:
    library = Library()
    for at in range(1, 5):
        text = f"Between ACME and Rail {at}. Liability is capped at ${at}00 per incident. The price is $9."
        library.add(f"acme-{at}.txt", text, title=f"ACME deal {at}")
    library.add(
        "beta.txt", "Between Beta and Rail. Liability is capped at $900 per incident.", title="Beta deal"
    )
    answer = _ask(library, "Compare the liability cap between ACME and Beta")
    assert answer.status is Status.ANSWERED
    assert sorted(claim.text for claim in answer.claims) == [
        *(f"ACME: Liability is capped at ${at}00 per incident." for at in range(1, 5)),
        "Beta: Liability is capped at $900 per incident.",
    ]


def test_a_comparison_says_that_a_side_has_more_documents_than_are_shown() -> None:
    library = Library()
    for at in range(1, 12):
        text = f"Between ACME and Rail {at}. Liability is capped at ${at}00 per incident."
        library.add(f"acme-{at}.txt", text, title=f"ACME deal {at}")
    library.add(
        "beta.txt", "Between Beta and Rail. Liability is capped at $900 per incident.", title="Beta deal"
    )
    answer = _ask(library, "Compare the liability cap between ACME and Beta")
    assert answer.status is Status.PARTIAL
    assert [gap for gap in answer.gaps if "“ACME”" in gap]
    assert not [gap for gap in answer.gaps if "“Beta”" in gap]


def test_a_comparison_has_a_claim_for_each_subject() -> None:
    library = Library()
    library.add(
        "acme.txt", "Between ACME and Rail. Liability is capped at $100 per incident.", title="ACME deal"
    )
    library.add(
        "beta.txt", "Between Beta and Rail. Liability is capped at $900 per incident.", title="Beta deal"
    )
    answer = _ask(library, "Compare the liability cap between ACME and Beta")
    assert answer.kind is Kind.COMPARISON
    assert [claim.text for claim in answer.claims] == [
        "ACME: Liability is capped at $100 per incident.",
        "Beta: Liability is capped at $900 per incident.",
    ]
    assert answer.table is not None
    assert [row[0] for row in answer.table.rows] == ["ACME", "Beta"]


def test_a_comparison_with_one_side_missing_says_so() -> None:
    library = Library()
    library.add(
        "acme.txt", "Between ACME and Rail. Liability is capped at $100 per incident.", title="ACME deal"
    )
    answer = _ask(library, "Compare the liability cap between ACME and Beta")
    assert answer.status is Status.PARTIAL
    assert "Nothing was found for “Beta”" in answer.text


def test_a_page_that_reads_otherwise_strikes_the_claim(library: Library) -> None:
    document = library.list(Visibility.everything(), _all())[0].id
    library.rewrite(document, 1, "Something else entirely.")
    library.rewrite(library.list(Visibility.everything(), _all())[1].id, 1, "Nor this.")
    answer = _ask(library, "What is the notice period?")
    assert answer.status is Status.ABSTAINED
    assert "E004" in {d.code for d in answer.degradations}


def test_an_engine_that_is_down_gives_a_failed_answer_with_the_next_step(library: Library) -> None:
    library.is_down = True
    answer = _ask(library, "What is the notice period?")
    assert answer.status is Status.FAILED
    assert [d.code for d in answer.degradations] == ["E003"]
    assert "groundwork reindex" in answer.text


def test_a_trace_that_cannot_be_kept_does_not_lose_the_answer(library: Library) -> None:
    library.is_full = True
    answer = _ask(library, "What is the notice period?")
    assert answer.status is Status.ANSWERED
    assert "The disk is full." in answer.degradations[0].message


def test_running_out_of_time_gives_what_was_checked_so_far(library: Library) -> None:
    ticks: Iterator[float] = iter([*([0.0] * 9), *([0.1] * 3), *([60.0] * 60)])
    orchestrator = Orchestrator(library, library, settings(abstain_below=0.0), tick=lambda: next(ticks))
    answer = orchestrator.ask("Explain the maintenance steps of the cabinet", LOCAL_ADMIN)
    assert answer.status is Status.PARTIAL
    assert answer.claims
    assert "E005" in {d.code for d in answer.degradations}


def test_the_stream_tells_stages_claims_and_then_the_answer(library: Library) -> None:
    orchestrator = Orchestrator(library, library, settings(abstain_below=0.0))
    events = list(orchestrator.stream("What is the notice period of the tenant?", LOCAL_ADMIN))
    started = [event.stage for event in events if isinstance(event, StageStarted)]
    finished = [event.stage for event in events if isinstance(event, StageFinished)]
    assert started == finished == ["plan", "retrieve", "answer", "verify"]
    assert isinstance(events[-1], Finished)
    added = tuple(event.claim for event in events if isinstance(event, ClaimAdded))
    assert added == events[-1].answer.claims
    assert [event.at_ms for event in events] == sorted(event.at_ms for event in events)
    assert library.saved[0].events == tuple(events)
    assert all(step.source and step.latency_ms >= 0 for step in library.saved[0].steps)


def test_a_stream_may_be_dropped_at_any_event(library: Library) -> None:
    orchestrator = Orchestrator(library, library, settings(abstain_below=0.0))
    total = len(list(orchestrator.stream("What is the notice period?", LOCAL_ADMIN)))
    library.saved.clear()
    for taken in range(1, total):
        stream = orchestrator.stream("What is the notice period?", LOCAL_ADMIN)
        for _ in range(taken):
            next(stream)
        stream.close()
    assert not library.saved


def test_documents_of_other_groups_are_neither_quoted_nor_counted(library: Library) -> None:
    library.add("secret.txt", "The secret notice period is one day.", title="Secret", acl=("board",))
    guest = Principal("guest", roles=frozenset({"reader"}))
    orchestrator = Orchestrator(library, library, settings(abstain_below=0.0))
    events = list(orchestrator.stream("What is the secret notice period?", guest))
    answer = events[-1].answer if isinstance(events[-1], Finished) else None
    assert answer is not None
    assert "Secret" not in answer.model_dump_json()
    labels = [event.label for event in events if isinstance(event, StageStarted)]
    assert any("2 documents" in label for label in labels)


def test_the_scope_limits_the_search(library: Library) -> None:
    orchestrator = Orchestrator(library, library, settings(abstain_below=0.0))
    answer = orchestrator.ask("What is the notice period?", LOCAL_ADMIN, buckets=("manuals",))
    assert {source.title for source in answer.sources} <= {"Cabinet manual"}
    assert library.searches[0].buckets == ("manuals",)


def test_document_text_cannot_pose_as_citation_link_or_formula() -> None:
    library = Library()
    library.add("x.txt", "The notice [7] period is [here](http://evil.example) at $5 and $6 <b>now</b>.")
    answer = _ask(library, "What is the notice period?")
    assert cited_numbers(answer.text) == {1}
    assert "here](http" not in answer.text
    assert "<b>" not in answer.text.replace("\\<b\\>", "")


def test_low_confidence_is_flagged_and_three_follow_ups_are_given(library: Library) -> None:
    answer = _ask(library, "Does the zebra eat the filters of the walrus?")
    assert answer.confidence_label == "LOW"
    assert "low_confidence" in answer.flags
    assert len(set(answer.follow_ups)) == 3


def test_degradations_are_streamed_before_the_answer(library: Library) -> None:
    library.is_down = True
    orchestrator = Orchestrator(library, library, settings())
    events = list(orchestrator.stream("What is the notice period?", LOCAL_ADMIN))
    assert any(isinstance(event, Degraded) for event in events[:-1])


def _all() -> DocumentQuery:
    return DocumentQuery()


def test_a_follow_up_stays_in_the_document_that_it_points_at() -> None:
    library = Library()
    library.add("acme.txt", "The ACME lease has a cap of $100. It expires on 3 May 2026.", title="ACME lease")
    library.add(
        "beta.txt", "The Beta lease has a cap of $900. It expires on 9 June 2027.", title="Beta lease"
    )
    orchestrator = Orchestrator(library, library, settings(abstain_below=0.0))
    for name, day in (("ACME", "2026-05-03"), ("Beta", "2027-06-09")):
        question = f"What is the cap of the {name} lease?"
        first = orchestrator.ask(question, LOCAL_ADMIN)
        asked_at = datetime(2026, 1, 1, tzinfo=UTC)
        turn = Turn(TurnId("1"), ConversationId("c"), 0, question, TurnState.DONE, first, asked_at)
        answer = orchestrator.ask("And when does it expire?", LOCAL_ADMIN, (), [turn])
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
    orchestrator = Orchestrator(library, library, settings(abstain_below=0.0))
    question = "When does the services agreement expire?"
    first = orchestrator.ask(question, LOCAL_ADMIN)
    asked_at = datetime(2026, 1, 1, tzinfo=UTC)
    turn = Turn(TurnId("1"), ConversationId("c"), 0, question, TurnState.DONE, first, asked_at)
    answer = orchestrator.ask("And what is its liability cap?", LOCAL_ADMIN, (), [turn])
    assert "$750" in answer.claims[0].text.replace("\\", "")


def test_documents_that_state_different_values_are_all_given_by_title() -> None:
    library = Library()
    library.add("acme.txt", "The notice period is thirty days.", title="ACME lease")
    library.add("beta.txt", "The notice period is ninety days.", title="Beta lease")
    answer = _ask(library, "What is the notice period?")
    assert answer.value is None
    assert {claim.text.split(":")[0] for claim in answer.claims} == {"ACME lease", "Beta lease"}
    assert "More than one document" in answer.text


def test_a_name_that_stands_nowhere_is_an_abstention(library: Library) -> None:
    answer = _ask(library, "What is the notice period of the Zenith contract?")
    assert answer.status is Status.ABSTAINED
    assert any("Zenith" in gap for gap in answer.gaps)


def test_a_code_that_stands_nowhere_is_an_abstention_that_names_it() -> None:
    library = Library()
    library.add("as-400.txt", "The AS-400 panel weighs 21.3 kg and is 600 mm deep.", title="AS-400")
    answer = _ask(library, "What does the AS-600 panel weigh?")
    assert answer.status is Status.ABSTAINED
    assert answer.gaps[0] == "AS-600"
    assert _ask(library, "What does the AS 400 panel weigh?").status is Status.ANSWERED


def test_what_was_paid_in_all_is_not_summed_from_the_best_passages() -> None:
    library = Library()
    library.add("a.txt", "Total paid for tires: $796.00.", title="Receipt A")
    library.add("b.txt", "Total paid for tires: $967.00.", title="Receipt B")
    answer = _ask(library, "What is the total paid for tires?")
    assert answer.status is Status.PARTIAL
    assert "nothing is counted" in answer.text


def test_a_count_needs_a_number_beside_what_is_counted(library: Library) -> None:
    assert _ask(library, "How many tenants pay for water?").status is Status.PARTIAL


def test_a_list_leaves_out_documents_that_only_bear_the_word_in_a_name() -> None:
    library = Library()
    library.add("a.txt", "Sold by Big Tire Store.\nWinter tire in black, 4 pieces.", title="Receipt 1")
    library.add("b.txt", "Sold by Big Tire Store.\nBrake pads for front wheels.", title="Receipt 2")
    library.add("c.txt", "Check the tire pressure when the tire is cold.", title="Manual")
    answer = _ask(library, "List all tire receipts")
    assert answer.table is not None
    assert [row[0] for row in answer.table.rows] == ["Receipt 1"]
    assert answer.claims[0].text == "Receipt 1: Winter tire in black, 4 pieces."
    assert "there may be more" in answer.text


def test_what_a_document_says_on_a_topic_is_its_section() -> None:
    library = Library()
    said = "The cap is $5 per incident. Nothing here limits liability for intent."
    library.add("deal.txt", f"# Liability\n{said}\n# Law\nOhio law.", title="Supply deal")
    answer = _ask(library, "What does the supply deal say about liability?")
    assert answer.claims[0].text == said


def test_a_clause_on_what_is_asked_comes_before_one_that_only_names_the_document() -> None:
    library = Library()
    text = (
        "This Supply Agreement is made between Orion and Vega as a supply agreement for rail fasteners. "
        "This Agreement is governed by the law of Delaware."
    )
    library.names = (library.add("supply.txt", text, title="Supply Agreement"),)
    answer = _ask(library, "Which law governs the supply agreement?")
    assert answer.claims[0].text == "This Agreement is governed by the law of Delaware."


def test_a_value_of_another_thing_is_no_headline() -> None:
    library = Library()
    library.add("manual.txt", "Tighten the busbar bolts to 12 Nm.", title="Cabinet manual")
    other = _ask(library, "torque for the terminal bolts of the cabinet")
    assert other.value is None
    assert "terminal bolts" in other.gaps
    same = _ask(library, "torque for the busbar bolts of the cabinet")
    assert same.value is not None
    assert same.value.value == "12"


def test_evidence_that_lacks_the_thing_asked_for_is_shown_as_the_closest_only() -> None:
    library = Library()
    for at in range(4):
        library.add(f"{at}.txt", f"This agreement {at} is made by Orion as the supplier.", title=f"Deal {at}")
    answer = _ask(library, "Who is the treasurer of Orion?")
    assert answer.status is Status.PARTIAL
    assert "treasurer" in answer.gaps


def test_a_list_quotes_what_each_document_says_on_the_condition_and_says_it_is_unchecked() -> None:
    library = Library()
    text = "Contract between Orion and Vega. Orion holds insurance. Either party may terminate on notice."
    library.add("deal.txt", text, title="Orion contract")
    answer = _ask(library, "Find all Orion contracts with termination clauses")
    assert "1 document may fit: it matches “Orion” and “contract” by name" in answer.text
    assert "“with termination clauses” was not checked" in answer.text
    assert [claim.citations[0].quote for claim in answer.claims] == ["Either party may terminate on notice."]


def test_a_summary_states_the_price_and_the_end_of_the_term() -> None:
    library = Library()
    parts = [f"The tenant shall keep area {at} of the building clean and dry." for at in range(9)]
    text = " ".join([*parts, "The lease expires on December 1, 2024.", *parts[::-1], "The rent is $180,000."])
    library.names = (library.add("lease.txt", text, title="Warehouse lease"),)
    answer = _ask(library, "Summarize the warehouse lease")
    assert "December 1, 2024" in answer.text
    assert "180,000" in answer.text


def test_follow_ups_name_only_documents_that_were_cited_or_found_near(library: Library) -> None:
    answer = _ask(library, "What is the notice period of the tenant?")
    assert not [question for question in answer.follow_ups if "Cabinet" in question]
