"""Verdicts joined: three-valued, with the first reason of what is not known."""

from __future__ import annotations

from core.domain.results import Unknown
from core.store.query.derived import Verdicts, all_of, any_of, stand_in
from core.store.query.sources import NOT_EXTRACTED, UNREADABLE

LATER = Unknown(field="amount", reason=NOT_EXTRACTED)
DAMAGED = Unknown(field="law", reason=UNREADABLE)


def test_of_alternatives_one_that_holds_is_enough() -> None:
    one = Verdicts({"a"}, {"b", "c"}, {"d": LATER})
    other = Verdicts({"b"}, {"d"}, {"a": LATER, "c": LATER})
    assert any_of([one, other]) == Verdicts({"a", "b"}, set(), {"c": LATER, "d": LATER})


def test_of_conditions_one_that_fails_is_enough() -> None:
    one = Verdicts({"a", "c"}, {"b"}, {"d": LATER})
    other = Verdicts({"a"}, {"d"}, {"b": LATER, "c": LATER})
    assert all_of([one, other]) == Verdicts({"a"}, {"b", "d"}, {"c": LATER})


def test_what_only_one_condition_asks_is_in_no_conjunction() -> None:
    assert all_of([Verdicts({"a", "b"}), Verdicts({"a"})]).asked == {"a"}


def test_that_a_document_cannot_be_read_goes_before_other_reasons() -> None:
    both = [Verdicts(unknown={"a": LATER}), Verdicts(unknown={"a": DAMAGED})]
    assert any_of(both).unknown == all_of(both).unknown == {"a": DAMAGED}


def test_a_document_goes_to_the_group_of_the_one_that_stands_in_for_it() -> None:
    groups = {"holds": {"lease"}, "fails": {"amendment"}}
    stand_in(groups, {"lease": "amendment", "other": "amendment"}, {"lease", "amendment"})
    assert groups == {"holds": set(), "fails": {"amendment", "lease"}}
