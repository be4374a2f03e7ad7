from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.views.plan.history import (
    MOST_STEPS,
    Draft,
    changed,
    from_json,
    packed,
    redone,
    reset,
    to_json,
    undone,
    unpacked,
)
from core.errors import UsageError
from core.plan.ir.nodes import Estimate, Figures, Plan, Scope, Select
from core.plan.ir.serialization import plan_of, read_plan_file
from tests.support.plans import plan_of as plan_with
from tests.support.plans import plans


def limited(limit: int) -> Plan:
    return plan_with(Select(id="s", purpose="p", limit=limit))


FIRST = limited(1)


def test_a_change_is_undone_and_done_again() -> None:
    draft = changed(Draft.of(FIRST), limited(2))

    assert undone(draft).plan == FIRST
    assert redone(undone(draft)) == draft
    assert undone(undone(draft)).plan == FIRST
    assert redone(draft) == draft


def test_a_new_change_forgets_what_was_undone() -> None:
    draft = changed(undone(changed(Draft.of(FIRST), limited(2))), limited(3))

    assert redone(draft) == draft
    assert draft.plan == limited(3)


def test_the_same_plan_is_no_change_and_keeps_what_was_undone() -> None:
    draft = undone(changed(Draft.of(FIRST), limited(2)))

    assert changed(draft, FIRST) is draft
    assert redone(draft).plan == limited(2)


def test_a_reset_gives_the_first_plan_and_can_be_undone() -> None:
    draft = changed(changed(Draft.of(FIRST), limited(2)), limited(3))

    assert reset(draft).plan == FIRST
    assert not reset(draft).is_changed
    assert undone(reset(draft)).plan == limited(3)


@settings(deadline=None)  # the machine may be busy
@given(st.lists(st.integers(1, 5), max_size=80))
def test_as_many_steps_are_undone_as_were_made(limits: list[int]) -> None:
    draft = Draft.of(FIRST)
    for each in limits:
        draft = changed(draft, limited(each))
    steps = len(draft.past)
    assert steps <= MOST_STEPS
    last = draft.plan
    for _ in range(steps):
        draft = undone(draft)
    if steps < MOST_STEPS:
        assert draft.plan == FIRST
    for _ in range(steps):
        draft = redone(draft)
    assert draft.plan == last


def test_figures_and_estimates_are_no_part_of_a_draft() -> None:
    ran = Figures(rows=1, hits=1, latency_ms=2.0, source="sql")
    node = Select(id="s", purpose="p", limit=1, ran=ran, estimate=Estimate(rows=1, latency_ms=1.0))

    assert Draft.of(plan_with(node)) == Draft.of(FIRST)


@settings(deadline=None)  # the machine may be busy
@given(plans())
def test_drafts_and_addresses_are_read_as_they_were_written(plan: Plan) -> None:
    draft = changed(Draft.of(FIRST), plan)

    assert from_json(to_json(draft)) == draft
    text = packed(plan)
    assert text
    assert plan_of(read_plan_file(unpacked(text)).plan) == plan


def test_a_plan_that_is_too_long_for_an_address_has_none() -> None:
    names = tuple(f"{at:x}-{hash(str(at)) & 0xFFFFFFFF:x}" for at in range(3000))
    assert packed(plan_with(Select(id="s", purpose="p", scope=Scope(documents=names)))) == ""


@pytest.mark.parametrize("text", ["z", "zAAAA", "z###", "z" + "A" * 500, "znot base64 at all"])
def test_a_broken_address_says_so(text: str) -> None:
    with pytest.raises(UsageError, match="not complete"):
        unpacked(text)
