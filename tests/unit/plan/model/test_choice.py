from __future__ import annotations

from core.domain.answer import Kind, Route
from core.plan.clarify import Clarify
from core.plan.ir.nodes import Plan
from core.plan.model.choice import choose, is_hard, looks_like_several
from tests.support.model_plans import condition, planned, step

TEXAS = planned(step("s1", "select", conditions=[condition("governing_law", "=", "Texas")]))
IOWA = planned(step("s1", "select", conditions=[condition("governing_law", "=", "Iowa")]))
PARTLY = IOWA.model_copy(update={"uncovered": ("in spring",)})
VAGUE = Clarify(type="vague", question="q", reason="What is meant?")
TEXT = Plan(question="q", kind=Kind.LOOKUP, route=Route.HYBRID)


def test_a_model_is_asked_where_nothing_whole_was_read_or_two_things() -> None:
    assert is_hard(VAGUE, ())
    assert is_hard(PARTLY, ())
    assert is_hard(TEXAS, (IOWA,))
    assert is_hard(TEXT.model_copy(update={"kind": Kind.AGGREGATE}), ())


def test_it_is_not_asked_for_what_is_plain_or_not_there() -> None:
    assert not is_hard(TEXAS, ())
    assert not is_hard(TEXT, ())
    assert not is_hard(Clarify(type="absent", question="q", reason="There is none."), ())


def test_its_plan_is_followed_where_the_others_have_nothing_whole() -> None:
    for before in (VAGUE, PARTLY):
        chosen = choose(before, (), TEXAS)
        assert chosen.planned is TEXAS
        assert chosen.by_model

    assert choose(PARTLY, (), TEXAS).others == (PARTLY,)


def test_it_does_not_stand_in_for_a_whole_plan_but_beside_it() -> None:
    chosen = choose(IOWA, (), TEXAS)

    assert chosen.planned is IOWA
    assert chosen.others == (TEXAS,)
    assert not chosen.by_model


def test_its_agreement_decides_between_two_readings() -> None:
    chosen = choose(IOWA, (TEXAS,), TEXAS.model_copy(update={"notes": ()}))

    assert chosen.planned is TEXAS
    assert chosen.others == (IOWA,)
    assert choose(IOWA, (TEXAS,), IOWA).planned is IOWA


def test_a_plan_that_leaves_out_more_is_only_offered() -> None:
    worse = TEXAS.model_copy(update={"uncovered": ("a", "b")})

    assert choose(PARTLY, (), worse).planned is PARTLY


def test_without_a_plan_all_stays_as_it_was() -> None:
    assert choose(VAGUE, (TEXAS,), None).planned is VAGUE


def test_a_look_up_with_a_second_question_word_may_be_several() -> None:
    assert looks_like_several("What is the notice period, and who pays for it?")
    assert is_hard(TEXT.model_copy(update={"question": "What is X? When does it end?"}), ())
    assert not looks_like_several("What is the notice period of the lease and the order?")
    assert not looks_like_several("And what is it?")
