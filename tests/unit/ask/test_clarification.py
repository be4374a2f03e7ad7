"""Answers of questions that cannot be planned: what is not there is said, what is unclear is asked."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.ask.clarification import (
    ask_back,
    chosen_before,
    each_of,
    is_about_one,
    read_as_before,
    settled,
    stands_alone,
)
from core.ask.request import QuestionRequest
from core.domain.answer import Answer, Kind, Route, Status, Understood
from core.domain.conversation import Turn, TurnState
from core.domain.document import OpeningNames
from core.domain.ids import ConversationId, TurnId
from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.clarify import Clarify, Option, Reason, which_document
from core.plan.ir.graph_edits import PlanSteps
from core.plan.ir.nodes import Plan, Scope
from core.store.database.visibility import Visibility
from tests.support.doors import OPEN

ASKED = QuestionRequest("What is in it?", "trace", 1, Visibility.everything(), OPEN, lambda: 0.0)


def test_what_is_not_there_is_no_question_but_an_abstention() -> None:
    answer = ask_back(
        Clarify(type="absent", question="q", reason="Nothing is called so.", phrase="Contoso"),
        ASKED,
        "2 more could not be searched.",
    )
    assert answer.status is Status.ABSTAINED
    assert "Nothing is called so. 2 more could not be searched." in answer.text
    assert answer.gaps == ("Contoso",)


@pytest.mark.parametrize(
    ("reason", "kind"),
    [("vague", "vague"), ("ambiguous", "vague"), ("no_match", "no_low")],
)
def test_a_question_back_carries_its_choices_as_whole_questions(reason: Reason, kind: str) -> None:
    choice = Option(label="contracts", question="List all contracts", documents=13)
    answer = ask_back(Clarify(type=reason, question="q", reason="Which?", options=(choice,)), ASKED)
    assert answer.status is Status.CLARIFY
    assert answer.clarification is not None
    assert answer.clarification.type == kind
    assert [(each.question, each.documents) for each in answer.clarification.options] == [
        ("List all contracts", 13)
    ]


def turn(*understood: Understood) -> Turn:
    answer = Answer(
        question="q",
        trace_id="t",
        data_version=1,
        status=Status.ANSWERED,
        kind=Kind.AGGREGATE,
        route=Route.STRUCTURED,
        text="",
        understood=understood,
    )
    moment = datetime(2024, 10, 3, tzinfo=UTC)
    return Turn(TurnId("t"), ConversationId("c"), 1, "q", TurnState.DONE, answer, moment)


CAP = Understood(phrase="liability", meaning="liability cap")


ASKED_BACK = Clarify(
    type="several_meanings",
    question="Which contracts lack liability?",
    reason="Which?",
    phrase="liability",
    options=(Option(label="Liability cap", question="Which contracts lack liability cap?", documents=11),),
)


def test_the_choice_that_was_made_last_counts_whatever_the_letters() -> None:
    other = Understood(phrase="Liability", meaning="indemnification")

    assert chosen_before([turn(CAP), turn(other)]) == {"liability": other}


def test_the_question_that_the_same_choice_stands_for_now_is_asked() -> None:
    reading = read_as_before(ASKED_BACK, {"liability": CAP})

    assert reading is not None
    assert reading.question == "Which contracts lack liability cap?"
    assert reading.understood == CAP


def test_words_that_were_typed_stand_in_for_the_phrase() -> None:
    typed = Understood(phrase="liability", meaning="insurance")
    reading = read_as_before(ASKED_BACK, {"liability": typed})

    assert reading is not None
    assert reading.question == "Which contracts lack insurance?"


def test_nothing_is_taken_for_granted_that_was_never_chosen() -> None:
    assert read_as_before(ASKED_BACK, {"indemnity": CAP}) is None
    assert read_as_before(ASKED_BACK.model_copy(update={"phrase": ""}), {"": CAP}) is None


def test_a_short_question_about_a_set_needs_no_earlier_one_and_a_look_up_may() -> None:
    def plan(kind: Kind, *uncovered: str) -> Plan:
        return Plan(question="q", kind=kind, route=Route.STRUCTURED, uncovered=uncovered)

    assert stands_alone(plan(Kind.AGGREGATE))
    assert stands_alone(ASKED_BACK)
    assert not stands_alone(plan(Kind.LOOKUP))
    assert not stands_alone(plan(Kind.AGGREGATE, "the rest"))
    assert not stands_alone(ASKED_BACK.model_copy(update={"type": "no_match"}))


def charter(id: str, day: str, party: str) -> DocumentEntry:
    opening = OpeningNames(heading="CHARTER", names=(("Tidewater Ltd",), (party,)), days=(day,))
    return DocumentEntry(
        id, "CHARTER", f"in/{id}.txt", "contracts", "contracts", "agreement", opening=opening
    )


OLD, NEW = charter("old", "2023-03-14", "Brightsea Inc"), charter("new", "2024-02-09", "Northgate AS")


CATALOGUE = Catalogue(documents=(OLD, NEW))


def structured(question: str) -> Plan | Clarify:
    """A plan over the document whose file a question names; a question back for any other."""
    named = [each for each in (OLD, NEW) if f"{each.id}.txt" in question]
    if len(named) != 1:
        return which_document(question, "charter", (OLD, NEW))
    steps = PlanSteps()
    node = steps.select("Show", Scope(schema_name="contracts", documents=(named[0].id,)), reason="asked")
    return Plan(
        question=question, kind=Kind.LOOKUP, route=Route.STRUCTURED, nodes=(node,), answer_node=node.id
    )


def search(question: str) -> Plan | Clarify:
    """A search of everything, but for questions that name a file."""
    made = structured(question)
    return made if isinstance(made, Plan) else made.model_copy(update={"options": ()})


def test_each_choice_says_what_tells_it_apart_and_carries_a_plan_about_its_document() -> None:
    asked = settled(structured("When does the charter end?"), structured, CATALOGUE)

    assert isinstance(asked, Clarify)
    assert len({each.label for each in asked.options}) == 2
    assert [is_about_one(each.plan) for each in asked.options if each.plan is not None] == ["old", "new"]


def test_the_text_of_the_document_is_searched_where_no_field_is_asked_for() -> None:
    asked = settled(structured("hire of the charter"), search, CATALOGUE)

    assert isinstance(asked, Clarify)
    of_text = settled(
        which_document("hire of the charter", "charter", (OLD, NEW)), lambda _: asked, CATALOGUE
    )
    assert isinstance(of_text, Clarify)
    plans = [each.plan for each in of_text.options if each.plan is not None]
    assert [is_about_one(each) for each in plans] == ["old", "new"]
    assert all(each.route is not Route.STRUCTURED for each in plans)


def test_another_question_back_stays_as_it_is() -> None:
    vague = Clarify(type="vague", question="it", reason="Which?")

    assert settled(vague, structured, CATALOGUE) is vague


def test_a_plan_that_found_several_is_offered_over_each_of_them_alone() -> None:
    plan = structured("old.txt")
    assert isinstance(plan, Plan)

    choices = each_of(plan, "the end of the charter", "the charter", (OLD, NEW))

    assert [is_about_one(each.plan) for each in choices if each.plan is not None] == ["old", "new"]
    assert "Northgate" in choices[1].question
