"""Sets of parties."""

from __future__ import annotations

from core.domain.fields import FieldType, TypedValue
from core.extract.chooser.model import Judged
from core.extract.chooser.option import ChoosableValue
from core.extract.chooser.party_set import SET_MEASURES, party_set


def _judged(name: str, probability: float, start: int, end: int) -> Judged:
    value = TypedValue(FieldType.PARTY, name)
    return Judged(name, probability, (ChoosableValue(value, ((start, end),), (), (0.0,) * 12, name),))


def test_likely_names_are_in_the_set_and_none_within_another() -> None:
    judged = [_judged("ACME Corp", 0.9, 0, 9), _judged("ACME", 0.8, 0, 4), _judged("Beta", 0.7, 20, 24)]

    found = party_set([*judged, _judged("Court", 0.1, 40, 45)], frozenset({"ACME Corp", "Beta"}))

    assert [each.group for each in found.names] == ["ACME Corp", "Beta"]
    assert found.is_of_rules
    assert found.measures.shape == (SET_MEASURES,)


def test_nobody_is_likely_in_an_empty_set() -> None:
    found = party_set([], frozenset())

    assert found.names == ()
    assert not found.is_of_rules


def test_a_set_is_given_only_with_several_names_of_which_none_holds_another_or_begins_with_a_role() -> None:
    def of(*names: str) -> bool:
        judged = [_judged(name, 0.9, at * 200, at * 200 + 50) for at, name in enumerate(names)]
        return party_set(judged, frozenset()).may_be_given

    assert of("ACME Corp", "Beta Ltd.")
    assert of("Reseller, Inc.", "Beta Ltd.")
    assert not of("ACME Corp")
    assert not of("The City of Ames and ACME Corp", "ACME Corp")
    assert not of("Reseller, Schoolpop, Inc.", "ACME Corp")
