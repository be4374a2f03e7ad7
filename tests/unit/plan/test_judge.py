"""Two readers of a question, and what may be answered of what they say."""

from __future__ import annotations

from dataclasses import replace

from bench.reader.marks import reading_of
from core.plan.catalogue import Catalogue
from core.plan.clarify import Clarify, Reason
from core.plan.ir.nodes import Plan
from core.plan.judge import Bars, JudgedPlanner, Judgement, judge
from core.plan.planner import RulePlanner
from core.plan.reader.proposal import Proposal, propose
from core.plan.reader.reading import QuestionReading
from tests.support.known_collection import in_a_line
from tests.support.known_readings import COLLECTION, KNOWN, TODAY

BARS = Bars()
RULES = RulePlanner(COLLECTION, None, TODAY)


def _proposal(marked: str, probability: float, operation: str = "list") -> Proposal:
    reading = replace(reading_of(operation, marked, "contracts"), probability=probability)
    return propose(reading, KNOWN, TODAY)


def _judged(marked: str, probability: float) -> Judgement:
    proposal = _proposal(marked, probability)
    question = proposal.reading.question
    return judge(question, RULES.plan(question), proposal, BARS)


def test_two_readers_that_agree_are_believed_however_unsure_one_is() -> None:
    judged = _judged("contracts without [force majeure]{-force_majeure}", 0.01)

    assert judged.agree
    assert in_a_line(judged.planned) == "contracts[document_kind = agreement; force_majeure is-missing]"


def test_a_sure_reader_answers_where_the_rules_have_nothing() -> None:
    judged = _judged(
        "Which contracts [let us walk away whenever we like]{+termination_for_convenience}?", 0.95
    )

    assert isinstance(judged.planned, Plan)
    assert "termination_for_convenience = true" in in_a_line(judged.planned)


def test_an_unsure_reader_does_not_answer_alone() -> None:
    sure = _judged("Which contracts [let us walk away whenever we like]{+termination_for_convenience}?", 0.95)
    unsure = _judged(
        "Which contracts [let us walk away whenever we like]{+termination_for_convenience}?", 0.1
    )

    assert unsure.planned != sure.planned


def test_a_whole_plan_that_left_a_condition_out_is_offered_beside_the_reading() -> None:
    ruled = RULES.plan("contracts without force majeure")
    proposal = _proposal("contracts without [force majeure]{-force_majeure} or [insurance]{-insurance}", 0.5)

    judged = judge(proposal.reading.question, ruled, proposal, BARS)

    assert isinstance(judged.planned, Clarify)
    plans = [in_a_line(option.plan) for option in judged.planned.options if option.plan is not None]
    assert plans == [
        "contracts[document_kind = agreement; force_majeure is-missing]",
        "contracts[document_kind = agreement; force_majeure is-missing; insurance is-missing]",
    ]


def test_a_whole_plan_on_another_field_stays_and_the_reading_is_offered() -> None:
    judged = _judged("contracts without [force majeure]{-insurance}", 0.5)

    assert isinstance(judged.planned, Plan)
    assert in_a_line(judged.planned) == "contracts[document_kind = agreement; force_majeure is-missing]"
    assert [in_a_line(plan) for plan in judged.others] == [
        "contracts[document_kind = agreement; insurance is-missing]"
    ]


def test_what_the_collection_lacks_stays_lacking() -> None:
    ruled = Clarify(type="absent", question="the Zorblatt contract", reason="Nothing is called so.")

    judged = judge(
        "the Zorblatt contract", ruled, _proposal("[the Halden cleaning contract]{doc}", 0.99), BARS
    )

    assert judged.planned is ruled


class _MarkedReader:
    """Reads one marked question."""

    def __init__(self, marked: str) -> None:
        self._marked = marked

    def read(self, question: str, catalogue: Catalogue) -> QuestionReading:
        """The reading that is marked."""
        return reading_of("list", self._marked, "contracts")


def test_the_planner_offers_what_it_did_not_take() -> None:
    reader = _MarkedReader("contracts that [may be left at any time]{+termination_for_convenience}")
    planner = JudgedPlanner(COLLECTION, RULES, reader, today=TODAY)

    planned = planner.plan("contracts that may be left at any time")

    assert isinstance(planned, Plan)
    assert "termination_for_convenience = true" in in_a_line(planned)
    assert all(isinstance(each, Plan) for each in planner.readings("contracts that may be left at any time"))


def _asking(type: Reason, phrase: str) -> Clarify:
    return Clarify(type=type, question="contracts", reason="Nothing is called so.", phrase=phrase)


def test_a_word_that_is_only_part_of_what_was_read_is_no_reason_to_ask() -> None:
    proposal = _proposal("contracts that [an outsider may enforce]{+third_party_beneficiary}", 0.6)

    judged = judge(proposal.reading.question, _asking("no_match", "outsider"), proposal, BARS)

    assert isinstance(judged.planned, Plan)


def test_a_term_that_nothing_is_called_by_is_asked_about_though_a_field_is_near() -> None:
    proposal = _proposal("contracts with a [termination bonus]{+liquidated_damages}", 0.6)
    unsure = tuple(replace(each, known=0.6) for each in proposal.reading.spans)
    asking = _asking("no_match", "termination bonus")
    unknown = replace(proposal, reading=replace(proposal.reading, spans=unsure))

    judged = judge(proposal.reading.question, asking, unknown, BARS)

    assert isinstance(judge(proposal.reading.question, asking, proposal, BARS).planned, Plan)
    assert isinstance(judged.planned, Clarify)
    assert any(option.plan is not None for option in judged.planned.options)


def test_a_plan_of_the_reader_says_how_sure_its_reading_is() -> None:
    judged = _judged(
        "Which contracts [let us walk away whenever we like]{+termination_for_convenience}?", 0.7
    )

    assert isinstance(judged.planned, Plan)
    assert min(note.confidence for note in judged.planned.notes if not note.node) == 0.7


def test_a_yes_or_no_about_a_named_document_is_decided_by_the_reader() -> None:
    ruled = RULES.plan("contracts with insurance")
    reading = replace(
        reading_of("check", "Has the [Halden cleaning contract]{doc} [insurance]{+insurance}?", "contracts"),
        probability=0.8,
    )
    proposal = propose(reading, KNOWN, TODAY)

    judged = judge(reading.question, ruled, proposal, BARS)

    assert isinstance(judged.planned, Plan)
    assert judged.planned.decides == "there"


def test_of_contrary_readings_the_one_answers_that_the_word_before_says() -> None:
    marked = "contracts with [insurance]{+insurance} but not [force majeure]{-force_majeure}"
    ruled = RULES.plan("contracts with insurance and force majeure")
    sure = _proposal(marked, 0.6)

    assert isinstance(ruled, Plan)
    assert sure.plan is not None
    told = judge("?", ruled, sure, BARS)
    assert isinstance(told.planned, Plan)
    assert (told.planned.nodes, told.others) == (sure.plan.nodes, (ruled,))


def test_a_reading_that_the_word_before_contradicts_is_only_offered() -> None:
    ruled = RULES.plan("contracts without force majeure and with insurance")
    read = _proposal(
        "contracts that lack [force majeure]{-force_majeure} and have [insurance]{-insurance}", 0.9
    )

    assert isinstance(ruled, Plan)
    held = judge("?", ruled, read, BARS)
    assert isinstance(held.planned, Plan)
    assert (held.planned.nodes, held.others) == (ruled.nodes, (read.plan,))
    assert min(note.confidence for note in held.planned.notes) < 0.8


def test_where_no_word_tells_which_of_contrary_readings_is_meant_a_person_is_asked() -> None:
    ruled = RULES.plan("contracts with insurance")
    read = _proposal("contracts: [insurance]{-insurance}", 0.7)

    asked = judge("?", ruled, read, BARS).planned
    assert isinstance(asked, Clarify)
    assert [option.plan is not None for option in asked.options] == [True, True]
