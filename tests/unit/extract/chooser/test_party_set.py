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
