"""Why a document is, or is not, among those found."""

from __future__ import annotations

from collections.abc import Mapping

from core.answer.computed.explanation import compose_explanation
from core.answer.computed.source import AnswerFacts
from core.domain.fields import Cell, CellStatus, FieldType, Finding, Quote, TypedValue
from core.domain.ids import DocumentId
from core.domain.results import Documents, Result
from core.domain.span import PageSpan
from core.plan.conversation_state import ConversationState, SetInHand
from core.plan.follow_up import follow
from core.plan.ir.nodes import Plan
from core.plan.readers.trained.reading import Operation, QuestionReading
from core.plan.reading import Reading
from tests.support.compact_readings import plan_of
from tests.support.read_questions import CATALOGUE, planned

ONE = frozenset({"d01"})
QUESTION = "Which contracts under Texas law have a force majeure clause and a value above $5,000?"
WHY = "Why not this one?"


def explained(*outcomes: str) -> tuple[Plan, Mapping[str, Result]]:
    before = planned(QUESTION)
    state = ConversationState(SetInHand(("d01",), "contracts", before), before)
    read = QuestionReading(WHY, ((Operation.CHECK, 1.0),), (), 1.0, relations=(("explain", 1.0),))
    turn = Reading(operation=Operation.CHECK, by="trained", question=WHY)
    followed = follow(read, turn, state, CATALOGUE)
    assert followed is not None
    plan = plan_of(followed.reading)
    found = {"present": Documents(present=ONE), "absent": Documents(absent=ONE)}
    unknown = Documents(uncertain=ONE)
    parts = {node.id: found.get(o, unknown) for node, o in zip(plan.nodes, outcomes, strict=True)}
    return plan, parts


def facts() -> AnswerFacts:
    law = TypedValue(FieldType.TEXT, "Germany", None, "", "Germany", "germany")
    quote = Quote(PageSpan(1, 0, 7), "Germany")
    cells = {
        "governing_law": Finding(CellStatus.PRESENT, (law,), (quote,), 0.9, "rule"),
        "force_majeure": Finding(CellStatus.ABSENT, confidence=0.9, method="rule"),
    }
    made = {
        ("d01", name): Cell(DocumentId("d01"), 1, name, finding, "contracts")
        for name, finding in cells.items()
    }
    return AnswerFacts(CATALOGUE, made, "contracts")


def test_what_does_not_hold_is_said_with_what_is_stated() -> None:
    plan, results = explained("absent", "absent", "absent", "present")
    draft = compose_explanation(plan, results, facts(), ("d01",))
    assert draft.lead.text == (
        "“Supply Agreement” is not among them: its governing law is Germany, it has no force majeure"
        " and it states no contract value."
    )
    assert [line.label for line in draft.lines] == [
        "Has Texas as governing law",
        "Has force majeure",
        "Has a contract value above USD 5,000",
    ]
    assert draft.lines[0].text == "does not hold. Governing law: Germany"
    assert [span.quote for span in draft.lines[0].spans] == ["Germany"]
    assert draft.table is not None
    assert draft.table.documents == ("d01",)


def test_what_is_not_known_is_said_to_be_open() -> None:
    plan, results = explained("present", "present", "uncertain", "present")
    draft = compose_explanation(plan, results, facts(), ("d01",))
    assert draft.lead.text == (
        "“Supply Agreement” is not among them for sure:"
        " it is not known whether it has a contract value above USD 5,000."
    )
    assert draft.lines[-1].text == "not known. Contract value: not known"


def test_a_document_that_fulfils_everything_is_said_to_do_so() -> None:
    plan, results = explained("present", "present", "present", "present")
    draft = compose_explanation(plan, results, facts(), ("d01",))
    assert draft.lead.text == "“Supply Agreement” fulfils all that was asked."
