"""Wordings that went wrong, and what teaching them changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.reader.marks import marked_questions
from core.config.fields import FieldDefinition
from core.domain.audit import WordingQuery
from core.domain.fields import FieldType
from core.domain.principal import Principal
from core.errors import NotFoundError, UsageError
from core.plan.ir.nodes import Plan
from core.plan.ir.serialization import plan_of
from core.plan.readers.trained.reading import Operation, SpanRole
from core.plan.reading_line.parts import reading_text
from core.plan.teaching import Mark, Marking, Part, marked_reading
from core.workbench.services.teaching import Taught
from tests.support.contracts_at_hand import Contracts, contracts_at_hand, plan_for
from tests.support.roles import MAY_ASK

SKEDADDLE = "Which contracts let us skedaddle?"
FIELD = "termination_for_convenience"
ANN = Principal("ann", MAY_ASK)
READ = "contracts · with termination for convenience · list"


@pytest.fixture
def at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Contracts]:
    monkeypatch.setenv("GROUNDWORK_ANSWER__USE_PLANS", "true")
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def marked(
    question: str,
    words: str,
    field: str = FIELD,
    role: SpanRole = SpanRole.CONDITION,
    *,
    is_negated: bool = False,
) -> Marking:
    """A question with words marked."""
    start = question.index(words)
    part = Part(role=role, is_negated=is_negated)
    mark = Mark(start=start, end=start + len(words), part=part, field=field)
    return Marking(operation=Operation.LIST, schema_name="contracts", marks=(mark,))


def lead(at_hand: Contracts, question: str = SKEDADDLE, who: Principal | None = None) -> str:
    """The lesson of a question whose answer is marked as wrong."""
    session = at_hand.bench.for_principal(who) if who else at_hand.bench.local
    turn = session.conversations.start_turn(session.conversations.create().id, question)
    session.conversations.finish_turn(turn.id, session.questions.ask(question))
    session.questions.give_feedback(turn.id, "wrong")
    return session.teaching.wordings(WordingQuery(text=question)).wordings[0].lead


def teach(at_hand: Contracts, question: str = SKEDADDLE, words: str = "let us skedaddle") -> Taught:
    return at_hand.bench.local.teaching.teach(lead(at_hand, question), marked(question, words))


def read(at_hand: Contracts, question: str) -> str:
    planned = at_hand.bench.plan(question)
    catalogue = at_hand.bench.local.plans.catalogue()
    return reading_text(planned, catalogue) if isinstance(planned, Plan) else planned.reason


def used_reading(at_hand: Contracts) -> str:
    """The reading of the plan that answered, be it a search of the text or what was likely beside it."""
    bench = at_hand.bench
    return reading_text(plan_of(bench.ask(SKEDADDLE).plan or {}), bench.local.plans.catalogue())


def phrases(at_hand: Contracts) -> tuple[str, ...]:
    field = at_hand.bench.local.plans.catalogue().field(FIELD, "contracts")
    assert field is not None
    return field.phrases


def test_questions_of_the_same_words_are_one_wording(at_hand: Contracts) -> None:
    bench = at_hand.bench
    for question in (SKEDADDLE, "which contracts let us  skedaddle", SKEDADDLE):
        lead(at_hand, question)
    lead(at_hand, "Which contracts let us vamoose?", ANN)

    found = bench.local.teaching.wordings(WordingQuery(order="count"))

    assert [(each.question, each.count, each.users) for each in found.wordings] == [
        (SKEDADDLE, 3, ("admin",)),
        ("Which contracts let us vamoose?", 1, ("ann",)),
    ]
    assert [each.count for each in bench.for_principal(ANN).teaching.wordings(WordingQuery()).wordings] == [1]
    readings = bench.local.teaching.readings(found.wordings)
    assert readings[found.wordings[0].lead] == (used_reading(at_hand), "")


def test_a_wording_is_read_as_it_was_taught_and_its_words_are_known_elsewhere(at_hand: Contracts) -> None:
    used = used_reading(at_hand)
    taught = teach(at_hand)

    assert [each.text for each in taught.phrases] == ["let us skedaddle"]
    assert phrases(at_hand) == ("let us skedaddle",)
    assert read(at_hand, SKEDADDLE) == READ
    assert read(at_hand, "How many contracts do not let us skedaddle?") == (
        "contracts · no termination for convenience · count"
    )
    (wording,) = at_hand.bench.local.teaching.wordings(WordingQuery(state="corrected")).wordings
    assert (wording.is_taught, wording.corrected_by) == (True, "admin")
    assert at_hand.bench.local.teaching.wordings(WordingQuery()).total == 0
    assert at_hand.bench.local.teaching.readings([wording])[wording.lead] == (used, READ)
    assert at_hand.bench.local.learning.uncovered() == []


def test_what_was_taught_is_taken_back(at_hand: Contracts) -> None:
    before = read(at_hand, SKEDADDLE)
    taught = teach(at_hand)
    at_hand.bench.local.teaching.take_back(taught.lesson.id)

    assert phrases(at_hand) == ()
    assert read(at_hand, SKEDADDLE) == before
    assert [each.question for each in at_hand.bench.local.teaching.wordings(WordingQuery()).wordings] == [
        SKEDADDLE
    ]
    assert [each.phrase for each in at_hand.bench.local.learning.uncovered()] != []
    with pytest.raises(NotFoundError, match="not taught"):
        at_hand.bench.local.teaching.take_back(taught.lesson.id)


def test_a_correction_that_was_there_before_comes_back(at_hand: Contracts) -> None:
    bench = at_hand.bench
    id = lead(at_hand)
    bench.local.learning.correct(SKEDADDLE, plan_for(question=SKEDADDLE), lesson=id)
    corrected = read(at_hand, SKEDADDLE)
    bench.local.teaching.teach(id, marked(SKEDADDLE, "let us skedaddle"))
    assert read(at_hand, SKEDADDLE) == READ
    bench.local.teaching.take_back(id)

    assert read(at_hand, SKEDADDLE) == corrected != READ


def test_another_marking_takes_the_place_of_the_one_before(at_hand: Contracts) -> None:
    taught = teach(at_hand)
    again = at_hand.bench.local.teaching.teach(taught.lesson.id, marked(SKEDADDLE, "skedaddle"))

    assert [each.text for each in again.phrases] == ["skedaddle"]
    assert phrases(at_hand) == ("skedaddle",)
    assert at_hand.bench.local.teaching.open(taught.lesson.id).marking == marked(SKEDADDLE, "skedaddle")


def test_what_is_forgotten_can_be_brought_back_with_its_phrases(at_hand: Contracts) -> None:
    teaching = at_hand.bench.local.teaching
    taught = teach(at_hand)
    (wording,) = teaching.wordings(WordingQuery(state="all")).wordings
    teaching.forget(wording.ids)
    assert (phrases(at_hand), teaching.wordings(WordingQuery(state="all")).total) == ((), 0)
    with pytest.raises(NotFoundError):
        teaching.open(taught.lesson.id)
    teaching.bring_back(wording.ids)

    assert phrases(at_hand) == ("let us skedaddle",)
    assert read(at_hand, SKEDADDLE) == READ


def test_a_phrase_that_two_questions_taught_stays_until_both_are_taken_back(at_hand: Contracts) -> None:
    teaching = at_hand.bench.local.teaching
    other = "How many of them let us skedaddle?"
    second = lead(at_hand, other)
    first = teach(at_hand)
    teaching.teach(second, marked(other, "let us skedaddle"))
    teaching.take_back(first.lesson.id)
    assert phrases(at_hand) == ("let us skedaddle",)
    teaching.take_back(second)

    assert phrases(at_hand) == ()


def test_words_that_say_an_absence_are_no_example_of_the_field(at_hand: Contracts) -> None:
    question = "Which contracts are a one-way street for us?"
    marking = marked(question, "a one-way street for us", is_negated=True)
    taught = at_hand.bench.local.teaching.teach(lead(at_hand, question), marking)

    assert taught.phrases == ()
    assert phrases(at_hand) == ()
    assert read(at_hand, question) == "contracts · no termination for convenience · list"


def test_words_of_another_field_are_kept_for_the_wording_alone(at_hand: Contracts) -> None:
    bench = at_hand.bench
    question = "Which contracts let us gladly rummage about?"
    id = lead(at_hand, question)
    bench.local.learning.add_phrase("audit_rights", "rummage")
    taught = bench.local.teaching.teach(id, marked(question, "rummage"))

    assert taught.phrases == ()
    assert read(at_hand, question) == READ


def test_a_user_teaches_the_wording_and_no_words(at_hand: Contracts) -> None:
    ann = at_hand.bench.for_principal(ANN)
    id = lead(at_hand, who=ANN)
    taught = ann.teaching.teach(id, marked(SKEDADDLE, "let us skedaddle"))

    assert (taught.phrases, phrases(at_hand)) == ((), ())
    planned = ann.plans.make(SKEDADDLE)
    assert isinstance(planned, Plan)
    assert reading_text(planned, ann.plans.catalogue()) == READ
    with pytest.raises(NotFoundError):
        at_hand.bench.for_principal(Principal("bob", MAY_ASK)).teaching.open(id)


def test_a_preview_counts_and_keeps_nothing(at_hand: Contracts) -> None:
    teaching = at_hand.bench.local.teaching
    found = teaching.preview(SKEDADDLE, marked(SKEDADDLE, "skedaddle"))

    assert (found.reading, found.uncovered, found.problem) == (READ, (), "")
    assert found.count is not None
    assert phrases(at_hand) == ()
    empty = teaching.preview(SKEDADDLE, Marking(schema_name="contracts"))
    assert (empty.plan, empty.problem) == (None, "No words are marked yet.")
    unread = teaching.preview(SKEDADDLE, marked(SKEDADDLE, "skedaddle", "contract_value", SpanRole.VALUE))
    assert (unread.unread, unread.problem) == (
        0,
        "“skedaddle” cannot be read as a value of contract value here.",
    )
    with pytest.raises(UsageError, match="have no field 'moon'"):
        teaching.preview(SKEDADDLE, marked(SKEDADDLE, "skedaddle", "moon"))


def test_a_question_is_opened_with_what_its_plan_made_of_its_words(at_hand: Contracts) -> None:
    question = "Which contracts governed by Texas law are a cakewalk?"
    found = at_hand.bench.local.teaching.open(lead(at_hand, question))

    (mark,) = found.marking.marks
    assert question[mark.start : mark.end] == "governed by Texas law"
    assert (mark.field, mark.part.role) == ("governing_law", SpanRole.VALUE)


def test_what_was_taught_is_written_as_marked_questions(at_hand: Contracts, tmp_path: Path) -> None:
    bench = at_hand.bench
    bench.local.schemas.add_field(
        "contracts", FieldDefinition(name="site", title="Site", type=FieldType.TEXT)
    )
    other = "Which contracts lack a [spot] to sit?"
    bench.local.teaching.teach(lead(at_hand, other), marked(other, "[spot] to sit", "site", is_negated=True))
    taught = teach(at_hand)

    found = bench.local.teaching.marked()

    assert [each["question"] for each in found.questions] == [other, SKEDADDLE]
    assert found.questions[1]["marked"] == f"Which contracts [let us skedaddle]{{+{FIELD}}}?"
    file = tmp_path / "taught.tsv"
    file.write_text(found.text, "utf-8")
    first, second = marked_questions(file)
    assert (first.table, first.columns[-1]) == ("Contracts", "Site")
    assert first.reading.spans[0].links[0].field == "Site"
    assert (second.schema, second.reading) == (
        "contracts",
        marked_reading(SKEDADDLE, marked(SKEDADDLE, "let us skedaddle")),
    )
    bench.local.teaching.take_back(taught.lesson.id)
    bench.local.schemas.remove_field("contracts", "site")
    assert bench.local.teaching.marked().text == ""
    assert bench.for_principal(ANN).teaching.marked().questions == ()
