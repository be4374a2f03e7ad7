"""Questions about documents that are called alike."""

from __future__ import annotations

from core.agent.alike_documents import each_of, is_about_one, settled
from core.domain.answer import Kind, Route
from core.domain.document import OpeningNames
from core.plan.catalogue import Catalogue, DocumentEntry
from core.plan.clarify import Clarify, which_document
from core.plan.ir.nodes import Plan, Scope
from core.plan.ir.steps import PlanSteps


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
